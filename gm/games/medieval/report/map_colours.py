"""Colours of the map's land, and hatchings for realms whose colour resembles a present neighbour's (W8)."""

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.report.map_marks import HATCHES, hatches
from gm.games.medieval.state import INDEPENDENTS, Pair, World, pair
from gm.text.colours import PAPERS, TOLD_APART, least_apart, on_paper

# the colours of independent land, on a light and on a dark page
INDEPENDENT = "#f7efd8"
INDEPENDENT_BY_NIGHT = "#837d6e"


def darker(colour: str) -> str:
    """Return a colour, as ``#rrggbb``, at 65% of its brightness: dark enough for light figures on it."""
    red, green, blue = (int(colour[at : at + 2], 16) * 13 // 20 for at in (1, 3, 5))
    return f"#{red:02x}{green:02x}{blue:02x}"


def neighbours_today(atlas: Atlas, world: World) -> set[Pair]:
    """Return the pairs of owners, by code and independents among them, whose provinces touch."""
    pairs = set()
    for border in atlas.borders:
        one = world.provinces.get(border.a)
        other = world.provinces.get(border.b)
        if one is not None and other is not None and one.owner != other.owner:
            pairs.add(pair(one.owner, other.owner))
    return pairs


def as_drawn(atlas: Atlas, owner: str) -> tuple[str, str]:
    """Return (by day, by night): the colours of an owner's land on a light and on a dark page."""
    if owner == INDEPENDENTS:
        return INDEPENDENT, INDEPENDENT_BY_NIGHT
    by_day, by_night = (on_paper(atlas.realms[owner].colour, paper) for paper in PAPERS)
    return by_day, by_night


def apart(atlas: Atlas, one: str, other: str) -> float:
    """Return the distance of two owners' colours, for the eye that distinguishes them least (CIEDE2000)."""
    (day1, night1), (day2, night2) = as_drawn(atlas, one), as_drawn(atlas, other)
    return least_apart((day1, day2), (night1, night2))


def alike_today(atlas: Atlas, world: World) -> dict[str, set[str]]:
    """Return the present neighbours with too similar colours by owner, for owners that have any."""
    similar: dict[str, set[str]] = {}
    for one, other in sorted(neighbours_today(atlas, world)):
        if apart(atlas, one, other) < TOLD_APART:
            similar.setdefault(one, set()).add(other)
            similar.setdefault(other, set()).add(one)
    return similar


def hatches_today(atlas: Atlas, world: World) -> dict[str, int]:
    """Return the numbers of hatchings that tell present neighbours of similar colours apart, by realm.

    Of two such neighbours at least one has a hatching. It is its usual one (``hatches``) unless a similar
    neighbour has, or usually has, the same. Independents never have one.
    """
    similar_to = alike_today(atlas, world)
    usual_hatches = hatches(atlas)
    plain = {INDEPENDENTS}  # the realms without a hatching
    hatch_of: dict[str, int] = {}
    # realms with few similar neighbours first: so that many realms remain plain
    for realm in sorted(similar_to.keys() - plain, key=lambda code: (len(similar_to[code]), code)):
        if not similar_to[realm] & plain:
            plain.add(realm)
            continue
        shown_beside = [hatch_of[other] for other in similar_to[realm] if other in hatch_of]
        usual_beside = [usual_hatches[other] for other in similar_to[realm] - plain]
        # of equal ones the first, which is the usual one
        hatch_of[realm] = min(
            ((usual_hatches[realm] + step) % HATCHES for step in range(HATCHES)),
            key=lambda hatch: (shown_beside.count(hatch), usual_beside.count(hatch)),
        )
    return hatch_of
