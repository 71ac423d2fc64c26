"""The deck loads its script alone, has seven slides with headings, a chart, and the numbers."""

from artefacts import page, says

SLIDES = 7
PHRASES = (
    *("The N4 is late where it matters", "1,840", "1,220", "4 %", "61 %", "I walk 50 minutes"),
    *("£38,000", "£210,000", "140", "Mill Cross", "Harbour", "2 February", "July"),
)
STOPS = ("Station", "Town Hall", "Library", "University", "Hospital", "Old Market", "Fish Quay")


def check(artefact):
    """Tell whether the deck has what it must have."""
    found = page(artefact / "deck.html")
    return (
        found is not None
        and found.stands_alone()
        and found.tags["section"] == SLIDES
        and found.tags["h1"] + found.tags["h2"] >= SLIDES
        and found.tags["svg"] >= 1
        and found.has("src", "deck.js", "./deck.js")
        and says(found.text, (*PHRASES, *STOPS))
    )
