"""The picker stands alone, follows a pattern, hears the keys and holds all sailings."""

from artefacts import page, says

TIMES = ("06:40", "08:15", "09:50", "11:30", "13:45", "15:20", "17:10", "19:30")
PHRASES = (
    *("Skerry Point", "Auld Haven", "Choose a sailing", "Enter holds it for ten minutes"),
    *("Arctic Tern", "Kittiwake", "Guillemot", "Full for cars", "Cancelled", "Delayed 15 min"),
    *("This sailing is cancelled. Choose another.", "Pay at the counter"),
)
KEYS = ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Home", "End", "Enter")
PATTERNS = ("listbox", "radiogroup", "radio", "tablist", "grid")
CHOSEN = ("aria-selected", "aria-checked", "checked")


def check(artefact):
    """Tell whether the picker has what it must have; most of it may be written by its script."""
    found = page(artefact / "index.html")
    return (
        found is not None
        and found.stands_alone()
        and says(found.text + found.source, (*TIMES, *PHRASES, *KEYS))
        and "keydown" in found.source.casefold()
        and found.plays(*PATTERNS)
        and any(name in found.source for name in CHOSEN)
        and any(name in found.source for name in ("aria-live", '"status"', '"alert"'))
    )
