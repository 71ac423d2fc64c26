"""The film has the size, length, rate and weight that were asked for."""

from artefacts import film

SIZE = (1280, 720)
SHORTEST_S, LONGEST_S = 9.9, 14.1
SLOWEST = 19.9
LARGEST = 3 * 1024 * 1024


def check(artefact):
    """Tell whether the film has what it must have."""
    place = artefact / "animation.mp4"
    found = film(place)
    return (
        found is not None
        and place.stat().st_size <= LARGEST
        and found.size == SIZE
        and SHORTEST_S <= found.seconds <= LONGEST_S
        and found.rate >= SLOWEST
    )
