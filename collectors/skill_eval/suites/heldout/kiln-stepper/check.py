"""The guide stands alone, follows a pattern, hears the keys and holds all nine stages."""

from artefacts import page, says

STAGES = (
    *("Drying", "Water smoke", "Wax and gum burn out", "Quartz turns", "Climb", "Last climb"),
    *("Hold", "Slow cooling", "Free cooling"),
)
PHRASES = (
    *("Stoneware glaze firing, cone 6", "Front loader 2", "29 h 17 min", "1222"),
    *("never look in without dark glasses", "Open the door only below 90 °C", "nobody stays"),
)
KEYS = ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Home", "End")
PATTERNS = ("slider", "range", "listbox", "radiogroup", "radio", "tablist")


def check(artefact):
    """Tell whether the guide has what it must have; most of it may be written by its script."""
    found = page(artefact / "index.html")
    return (
        found is not None
        and found.stands_alone()
        and says(found.text + found.source, (*STAGES, *PHRASES, *KEYS))
        and "keydown" in found.source.casefold()
        and found.plays(*PATTERNS)
        and "<svg" in found.source
    )
