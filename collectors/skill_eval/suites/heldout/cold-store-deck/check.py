"""The deck loads its script alone, has eight slides with headings, a chart, and the numbers."""

from artefacts import page, says

SLIDES = 8
PHRASES = (
    *("Four and a half hours too warm", "31", "84", "€22,400", "carrots", "cabbage", "salad"),
    *("22:10", "22:40", "01:30", "04:20", "04:50", "06:00", "7 °C"),
    *("€300", "€6,800", "€41,000", "5 September", "first Monday", "May"),
)


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
        and says(found.text, PHRASES)
    )
