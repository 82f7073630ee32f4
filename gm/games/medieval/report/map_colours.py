"""Hatchings for realms whose colour resembles that of a present neighbour (W8)."""

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.report.map_marks import HATCHES, hatches
from gm.games.medieval.state import INDEPENDENTS, Pair, World, pair
from gm.text.colours import PAPERS, TOLD_APART, least_apart, on_paper

INDEPENDENT = "#f7efd8"
INDEPENDENT_BY_NIGHT = "#837d6e"


def neighbours_today(atlas: Atlas, world: World) -> set[Pair]:
    """Return the pairs of owners, independents among them, whose provinces touch."""
    pairs = set()
    for border in atlas.borders:
        one = world.provinces.get(border.a)
        other = world.provinces.get(border.b)
        if one is not None and other is not None and one.owner != other.owner:
            pairs.add(pair(one.owner, other.owner))
    return pairs


def as_drawn(atlas: Atlas, owner: str) -> tuple[str, str]:
    """Return the colour of an owner's land as the map shows it by day and by night."""
    if owner == INDEPENDENTS:
        return INDEPENDENT, INDEPENDENT_BY_NIGHT
    by_day, by_night = (on_paper(atlas.realms[owner].colour, paper) for paper in PAPERS)
    return by_day, by_night


def apart(atlas: Atlas, one: str, other: str) -> float:
    """Return the distance of two owners' colours, for the eye that distinguishes them least (CIEDE2000)."""
    (day1, night1), (day2, night2) = as_drawn(atlas, one), as_drawn(atlas, other)
    return least_apart((day1, day2), (night1, night2))


def alike_today(atlas: Atlas, world: World) -> dict[str, set[str]]:
    """Return, for each owner, the present neighbours whose colours are too similar."""
    similar: dict[str, set[str]] = {}
    for one, other in sorted(neighbours_today(atlas, world)):
        if apart(atlas, one, other) < TOLD_APART:
            similar.setdefault(one, set()).add(other)
            similar.setdefault(other, set()).add(one)
    return similar


def hatches_today(atlas: Atlas, world: World) -> dict[str, int]:
    """Return the hatchings, by realm, that tell present neighbours apart where their colours do not.

    As few realms as possible have one, each its own where that differs from those beside it. Independents
    never have one.
    """
    alike = alike_today(atlas, world)
    own_hatches = hatches(atlas)
    plain = {INDEPENDENTS}
    hatch_of: dict[str, int] = {}
    for realm in sorted(alike.keys() - plain, key=lambda code: (len(alike[code]), code)):
        if not alike[realm] & plain:
            plain.add(realm)
            continue
        shown_beside = [hatch_of[other] for other in alike[realm] if other in hatch_of]
        usual_beside = [own_hatches[other] for other in alike[realm] - plain]
        hatch_of[realm] = min(
            ((own_hatches[realm] + step) % HATCHES for step in range(HATCHES)),
            key=lambda kind: (shown_beside.count(kind), usual_beside.count(kind)),
        )
    return hatch_of
