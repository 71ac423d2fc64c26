"""The page stands alone, follows the scroll position, and holds the six texts and the numbers."""

from artefacts import page, says

PHRASES = (
    *("Why not every month?", "Every 29.5 days", "5.1 degrees", "34,000 km", "12,742 km"),
    *("The tilt keeps its direction", "eclipse seasons", "6 February", "2 August"),
    *("Eleven other new moons miss", "not to scale"),
)


def check(artefact):
    """Tell whether the page has what it must have."""
    found = page(artefact / "index.html")
    return (
        found is not None
        and found.stands_alone()
        and found.tags["svg"] + found.tags["canvas"] >= 1
        and "scroll" in found.source.casefold()
        and "prefers-reduced-motion" in found.source
        and found.has("name", "viewport")
        and says(found.text, PHRASES)
    )
