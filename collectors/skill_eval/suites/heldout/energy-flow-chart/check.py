"""The chart is well-formed, stands alone, is labelled, and says its words and numbers as text."""

from artefacts import SVG, box_of, drawing, is_described, loads_nothing, says, words_of

PHRASES = (
    *("One fifth of our heat still burns gas", "Municipal works, annual balance 2026", "GWh"),
    *("Waste incineration", "River heat pump", "Gas boilers", "Wind park", "Solar roofs"),
    *("Bought from the grid", "District heat", "Electricity", "Homes", "Offices and shops"),
    *("Hospital", "Trams", "Lost in pipes", "188", "176"),
    *("96", "54", "38", "71", "22", "83", "18", "112", "43", "15", "64", "58", "14"),
)
BOX = (0.0, 0.0, 1200.0, 900.0)
FLOWS = 15
SHAPES = {f"{SVG}path", f"{SVG}polygon", f"{SVG}rect"}


def check(artefact):
    """Tell whether the chart has what it must have."""
    root = drawing(artefact / "flows.svg")
    return (
        root is not None
        and loads_nothing(root)
        and is_described(root)
        and box_of(root) == BOX
        and sum(each.tag in SHAPES for each in root.iter()) >= FLOWS
        and says(words_of(root), PHRASES)
    )
