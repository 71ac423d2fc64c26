"""The sheet is one A4 page whose text holds every dish, the prices, the signs and the warning."""

from artefacts import paper, says

DISHES = (
    *("Lentil dal", "Baked pollock", "Tomato soup", "Spinach lasagne", "Chicken stew"),
    *("Leek and potato soup", "Falafel", "Beef goulash", "Pea soup", "Vegetable curry"),
    *("Salmon pasta", "Noodle soup", "Potato pancakes", "Fish fingers", "Carrot and ginger"),
)
PHRASES = (
    *("What we cook", "12 March", "11:45", "13:15", "peanut", "traces", "0.40", "4.20", "720"),
    *("gluten", "milk", "egg", "fish", "soya", "sesame", "celery", "mustard", "nuts", "lupin"),
    *("canteen@lindwick.example", "Aydin", "214"),
)


def check(artefact):
    """Tell whether the sheet has what it must have."""
    found = paper(artefact / "week.pdf")
    return (
        found is not None
        and found.is_one_a4_page
        and says(found.text, PHRASES)
        and all(_cooked(found.text, dish) for dish in DISHES)
    )


def _cooked(text, dish):
    """Tell whether the words of a dish stand there; in a narrow column they stand on two lines."""
    return all(says(text, [word]) for word in dish.split())
