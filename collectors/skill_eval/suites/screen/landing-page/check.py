"""The landing page stands alone and holds the copy that decides."""

from artefacts import page, says

PHRASES = (
    *("The Shed", "Borrow the drill. Keep the money.", "Join for £4 a month"),
    *("640 tools on Marrow Street", "Renew once with a text message"),
    *("£7 a month", "£10 a month", "No deposit. Stop any month."),
    *("Tuesday and Thursday", "Saturday", "12 Marrow Street"),
    *("What if I break it?", "Who fixes the tools?", "May I lend it on?", "Is it insured?"),
    *("I hung four doors", "no. 4471", "hello@theshed.example"),
)
TOOLS = (
    *("Cordless drill", "Carpet cleaner", "Hedge trimmer", "Pressure washer"),
    *("Tile cutter", "Orbital sander", "Wallpaper steamer", "Sash clamp set"),
)
LOANS = ("412", "287", "251", "198", "164", "153", "121", "97")


def check(artefact):
    """Tell whether the page has what it must have."""
    found = page(artefact / "index.html")
    return (
        found is not None
        and found.stands_alone()
        and says(found.text, (*PHRASES, *TOOLS, *LOANS))
        and found.tags["h1"] == 1
        and found.tags["title"] >= 1
        and found.has("name", "viewport")
        and found.tags["a"] + found.tags["button"] >= 2
    )
