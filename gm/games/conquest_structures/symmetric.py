"""Maps generated when a game begins, with an equal sector for each player.

A sector's structures are dealt to places on rings around the middle; then links are added, the shortest first
and in all sectors at once, where they cross no other and pass no third structure, until there are enough of
them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, combinations, product
from math import cos, pi, sin

from gm.core.dice import Dice, Stream
from gm.games.conquest_structures.rules import Board, Wheel

RINGS = ((1.0, (-0.34, 0.0, 0.34)), (0.78, (-0.2, 0.2)), (0.56, (-0.34, 0.0, 0.34)), (0.34, (0.0,)))
"""How far from the middle, and at which parts of a sector, structures may stand.

The home on the first, at part 0."""
ROOM = 0.09  # distance of a link from structures that it does not join
APART = 0.2  # distance of structures from each other
TRIES = 200
Node = tuple[int, int]  # A sector and a structure in it; the middle of the map is (0, -1)
Link = frozenset[Node]
MIDDLE = (0, -1)


def made_board(board: Board, wheel: Wheel, sectors: int, seed: str) -> Board:
    """Return a map with these figures. Raises ``ValueError`` when none was found."""
    letters = "H" + "C" * wheel.cities + "R" * wheel.refineries + "M" * wheel.bases
    for number in range(TRIES):
        at = _places(sectors, len(letters), Dice(seed, "map")(number))
        links = _links(at, sectors, wheel) if _are_apart(at) else set()
        if links:
            return _board_of(board, letters, at, links, sectors)
    raise ValueError("no map was found by these figures: ask for fewer structures in a sector")


MADE = "made-"  # Before the name of such a map: it is nowhere but in the game


def _are_apart(points: Mapping[Node, complex]) -> bool:
    """Return whether no two structures are too near each other."""
    return all(round(abs(points[one] - points[other]), 6) >= APART for one, other in combinations(points, 2))


def _board_of(
    board: Board, letters: str, points: Mapping[Node, complex], links: Iterable[Link], sectors: int
) -> Board:
    """Return the map with these structures and links; ``letters``: the kinds of structures in a sector."""
    names = {node: _name(letters, node, sectors) for node in points}
    homes = tuple(f"H{number}" for number in range(1, sectors + 1))
    return Board.model_validate(
        {
            "name": f"{MADE}{board.name}",
            "title": board.title,
            "homes": homes,
            "links": sorted(_pair(link, names) for link in links),
            "places": {names[node]: _hundredths(point) for node, point in points.items()},
            "seats": {count: _spread(homes, count) for count in range(2, sectors + 1)},
        }
    )


def _pair(link: Link, names: Mapping[Node, str]) -> tuple[str, ...]:
    """Return the ends of a link by name, in order."""
    return tuple(sorted(names[end] for end in link))


def _hundredths(point: complex) -> tuple[float, float]:
    """Return a position on the picture, from the left and from the top."""
    return round(50 + 50 * point.real, 1), round(50 + 50 * point.imag, 1)


def _spread(homes: Sequence[str], count: int) -> tuple[str, ...]:
    """Return ``count`` of the homes, as far from each other as possible."""
    return tuple(homes[seat * len(homes) // count] for seat in range(count))


def _name(letters: str, node: Node, sectors: int) -> str:
    """Return a structure's name: numbered through all sectors, kind by kind.

    The city in the middle comes last.
    """
    if node == MIDDLE:
        return f"C{letters.count('C') * sectors + 1}"
    sector, index = node
    return f"{letters[index]}{letters[:index].count(letters[index]) * sectors + sector + 1}"


def _places(sectors: int, count: int, dice: Stream) -> Mapping[Node, complex]:
    """Return the position of each structure, the same in all sectors."""
    spots = list(chain.from_iterable(product((far,), parts) for far, parts in RINGS))
    home, *others = sorted(spots, key=lambda spot: spot != (1.0, 0.0))
    if count > len(others) + 1:
        raise ValueError(f"a sector has room for {len(others) + 1} structures, not for {count}")
    places = [home, *dice.sample(others, count - 1)]
    points = {MIDDLE: 0j}
    for sector in range(sectors):
        for index, (far, part) in enumerate(places):
            angle = 2 * pi * (sector + part) / sectors
            points[sector, index] = complex(far * sin(angle), -far * cos(angle))
    return points


def _turned(link: Link, sectors: int) -> frozenset[Link]:
    """Return the same link in all sectors."""

    def turned(end: Node, sectors_on: int) -> Node:
        return end if end == MIDDLE else ((end[0] + sectors_on) % sectors, end[1])

    one, other = link
    return frozenset(frozenset((turned(one, by), turned(other, by))) for by in range(sectors))


def _links(points: Mapping[Node, complex], sectors: int, wheel: Wheel) -> set[Link]:
    """Return the links; none if not all structures would be connected, or a home had only one way out."""
    pairs = (
        pair for pair in combinations(points, 2) if pair[0][1] or pair[1][1]
    )  # no home is next to another
    possible = {_turned(frozenset(pair), sectors) for pair in pairs}
    links: set[Link] = set()
    link_count = wheel.links * sectors
    for orbit in sorted(possible, key=lambda orbit: _order(orbit, points)):
        if len(links) < link_count and all(_fits(link, {*links, *orbit}, points) for link in orbit):
            links |= orbit
    homes = [link for link in links if (0, 0) in link]
    return links if len(homes) > 1 and _joined(links, points) else set()


def _order(orbit: Iterable[Link], points: Mapping[Node, complex]) -> tuple[float, list[list[Node]]]:
    """Return the sort key of links, the shortest first.

    Lengths are rounded, so that the last digits of sines decide nothing.
    """
    nodes = sorted(sorted(link) for link in orbit)
    one, other = nodes[0]
    return round(abs(points[one] - points[other]), 6), nodes


def _fits(link: Link, links: Iterable[Link], points: Mapping[Node, complex]) -> bool:
    """Return whether a link passes no third structure and crosses none of the others."""
    start, end = (points[node] for node in sorted(link))
    if any(_distance(point, start, end) < ROOM for node, point in points.items() if node not in link):
        return False
    apart = [tuple(points[node] for node in sorted(other)) for other in links if not link & other]
    return not any(_cross(start, end, *ends) for ends in apart)


def _distance(point: complex, one: complex, other: complex) -> float:
    along = other - one
    share = ((point - one) * along.conjugate()).real / abs(along) ** 2
    return round(abs(point - one - along * min(1.0, max(0.0, share))), 6)


def _cross(a: complex, b: complex, c: complex, d: complex) -> bool:
    def side(start: complex, end: complex, point: complex) -> float:
        return round(((end - start).conjugate() * (point - start)).imag, 6)

    return side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0


def _joined(links: Collection[Link], points: Mapping[Node, complex]) -> bool:
    """Return whether all structures are connected, even for a player who does not hold the middle."""
    reached = {(0, 0)}
    links_left = [link for link in links if MIDDLE not in link]
    has_middle = len(links_left) < len(links)
    while touching := [link for link in links_left if link & reached]:
        links_left = [link for link in links_left if not link & reached]
        reached = reached.union(*touching)
    return has_middle and len(reached) == len(points) - 1
