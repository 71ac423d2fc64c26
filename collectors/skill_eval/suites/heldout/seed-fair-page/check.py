"""The page stands alone, has its seven sections, the programme and the words that decide."""

from artefacts import page, says

SECTIONS = 7
PHRASES = (
    *("Seedfall 2027", "Two days, 4,000 packets, one glasshouse.", "The Palm House"),
    *("Take a day ticket, €6", "Book a swap table, €25", "60 tables of growers"),
    *("Up to 40 packets without a table", "No hybrids", "Both days €10", "17 of 60 are left"),
    *("Tram 4", "north side", "post@seedfall.example", "19 and 20 February"),
)
PROGRAMME = (
    *("Opening: why we swap", "Beans that climb north", "Clean your first seeds"),
    *("Forty tomatoes compared", "Seed law in ten questions", "Fold a packet"),
    *("Keeping squash apart", "A bank in a fridge", "Seeds under the lens"),
    *("Dry summers and lettuce", "The last swap", "Ada Lindqvist", "Paul Adeyemi"),
)


def check(artefact):
    """Tell whether the page has what it must have."""
    found = page(artefact / "index.html")
    return (
        found is not None
        and found.stands_alone()
        and found.tags["section"] == SECTIONS
        and says(found.text, (*PHRASES, *PROGRAMME))
        and found.tags["h1"] == 1
        and found.tags["svg"] >= 1
        and found.has("name", "viewport")
    )
