"""The chart is well-formed, stands alone, is labelled, and says its words as text."""

from artefacts import box_of, drawing, is_described, loads_nothing, says, words_of

PHRASES = (
    *("One roof, thirty nests", "Counts by the Swift Group", "was not counted in 2020"),
    *("Abbey", "Mill", "School", "Station", "Tannery", "Weir"),
    *("2016", "2025", "100", "126"),
)
BOX = (0.0, 0.0, 1200.0, 800.0)


def check(artefact):
    """Tell whether the chart has what it must have."""
    root = drawing(artefact / "chart.svg")
    return (
        root is not None
        and loads_nothing(root)
        and is_described(root)
        and box_of(root) == BOX
        and says(words_of(root), PHRASES)
    )
