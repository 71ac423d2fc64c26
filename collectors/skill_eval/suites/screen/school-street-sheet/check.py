"""The paper is one A4 page whose text holds the decision, the numbers and what went wrong."""

from artefacts import paper, says

PHRASES = (
    *("Vine Lane", "9 October 2026", "item 6", "£46000", "£5200", "08:15", "15:30"),
    *("412", "66", "1310", "2165", "298", "84 %", "11 %", "23 %", "Orchard Road", "Hill Street"),
    *("19 of 190", "pharmacy", "131", "212", "68 %", "21 %", "travel@council.example"),
)


def check(artefact):
    """Tell whether the paper has what it must have."""
    found = paper(artefact / "sheet.pdf")
    # thousands may be set with a comma, a space or nothing
    return found is not None and found.is_one_a4_page and says(found.text.replace(",", ""), PHRASES)
