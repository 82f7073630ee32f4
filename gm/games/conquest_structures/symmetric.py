"""Maps generated when a game begins, with an equal sector for each player.

A sector's structures are dealt to places on rings around the middle; then links are added, the shortest first
and in all sectors at once, where they cross no other and pass no third structure, until there are enough of
them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, combinations, product
from math import cos, pi, sin

from gm.core.diagnostics import says
from gm.core.dice import Dice, Stream
from gm.games.conquest_structures.rules import Board, Wheel

RINGS = ((1.0, (-0.34, 0.0, 0.34)), (0.78, (-0.2, 0.2)), (0.56, (-0.34, 0.0, 0.34)), (0.34, (0.0,)))
"""Where structures may stand, by ring: the distance from the middle, and the angles as parts of a sector.

The home stands on the first ring, at part 0."""
ROOM = 0.09  # The least distance of a link from structures that it does not join
APART = 0.2  # The least distance of structures from each other
TRIES = 200  # The most maps that are tried
Node = tuple[int, int]  # (sector, structure in it): structure 0 is the home
Link = frozenset[Node]  # Its two ends
MIDDLE = (0, -1)  # The structure in the middle of the map, which is in no sector


def made_board(board: Board, wheel: Wheel, sectors: int, seed: str) -> Board:
    """Return a map with the figures of ``wheel`` and so many ``sectors``.

    It has the name and title of ``board``. Raises ``ValueError`` when none was found.
    """
    letters = "H" + "C" * wheel.cities + "R" * wheel.refineries + "M" * wheel.bases
    for number in range(TRIES):
        points = _points(sectors, len(letters), Dice(seed, "map")(number))
        links = _links(points, sectors, wheel) if _are_apart(points) else set()
        if links:
            return _board_of(board, letters, points, links, sectors)
    raise ValueError(says("no map was found by these figures: ask for fewer structures in a sector"))


MADE = "made-"  # The prefix of the name of a generated map, which is stored in its game alone


def _are_apart(points: Mapping[Node, complex]) -> bool:
    """Return whether no two structures are too near each other."""
    return all(round(abs(points[one] - points[other]), 6) >= APART for one, other in combinations(points, 2))


def _board_of(
    board: Board, letters: str, points: Mapping[Node, complex], links: Iterable[Link], sectors: int
) -> Board:
    """Return the map with structures at ``points``, and these links.

    ``letters``: those of the kinds of structures in a sector.
    """
    names = {node: _name(letters, node, sectors) for node in points}
    homes = tuple(f"H{number}" for number in range(1, sectors + 1))
    return Board.model_validate(
        {
            "name": f"{MADE}{board.name}",
            "title": board.title,
            "homes": homes,
            "links": sorted(_pair(link, names) for link in links),
            "places": {names[node]: _hundredths(point) for node, point in points.items()},
            "seats": {count: _homes_apart(homes, count) for count in range(2, sectors + 1)},
        }
    )


def _pair(link: Link, names: Mapping[Node, str]) -> tuple[str, ...]:
    """Return the names of the ends of a link, sorted."""
    return tuple(sorted(names[end] for end in link))


def _hundredths(point: complex) -> tuple[float, float]:
    """Return (from the left, from the top) of a point, in hundredths of the picture.

    ``point``: both parts are from -1 to 1.
    """
    return round(50 + 50 * point.real, 1), round(50 + 50 * point.imag, 1)


def _homes_apart(homes: Sequence[str], count: int) -> tuple[str, ...]:
    """Return ``count`` of the homes, as far from each other as possible."""
    return tuple(homes[seat * len(homes) // count] for seat in range(count))  # they stand in a circle


def _name(letters: str, node: Node, sectors: int) -> str:
    """Return a structure's name, ``R3``: structures of a kind are numbered through all sectors.

    The city in the middle has the last number.
    """
    if node == MIDDLE:
        return f"C{letters.count('C') * sectors + 1}"
    sector, index = node
    letter = letters[index]
    earlier_in_sector = letters[:index].count(letter)
    return f"{letter}{earlier_in_sector * sectors + sector + 1}"


def _points(sectors: int, count: int, dice: Stream) -> Mapping[Node, complex]:
    """Return the point of each structure, ``count`` to a sector; all sectors are alike."""
    spots = list(chain.from_iterable(product((radius,), parts) for radius, parts in RINGS))
    home_first = sorted(spots, key=lambda spot: spot != (1.0, 0.0))  # (radius, part of the sector)
    home, *others = home_first
    if count > len(others) + 1:
        raise ValueError(says("a sector has room for {0} structures, not for {1}", len(others) + 1, count))
    chosen_spots = [home, *dice.sample(others, count - 1)]
    points = {MIDDLE: 0j}
    for sector in range(sectors):
        for index, (radius, part) in enumerate(chosen_spots):
            angle = 2 * pi * (sector + part) / sectors
            points[sector, index] = complex(radius * sin(angle), -radius * cos(angle))
    return points


def _in_all_sectors(link: Link, sectors: int) -> frozenset[Link]:
    """Return a link and the links that are like it in all other sectors."""

    def turned(end: Node, sectors_on: int) -> Node:
        return end if end == MIDDLE else ((end[0] + sectors_on) % sectors, end[1])

    one, other = link
    return frozenset(frozenset((turned(one, by), turned(other, by))) for by in range(sectors))


def _links(points: Mapping[Node, complex], sectors: int, wheel: Wheel) -> set[Link]:
    """Return the links; none if not all structures would be connected, or a home had only one way out."""
    possible = set()
    for one, other in combinations(points, 2):
        are_homes = one[1] == 0 and other[1] == 0
        if not are_homes:  # no home is next to another
            possible.add(_in_all_sectors(frozenset((one, other)), sectors))
    links: set[Link] = set()
    most = wheel.links * sectors
    for like_links in sorted(possible, key=lambda like_links: _sort_key(like_links, points)):
        if len(links) < most and all(_fits(link, {*links, *like_links}, points) for link in like_links):
            links |= like_links
    # the home of the first sector stands for all
    of_a_home = [link for link in links if (0, 0) in link]
    return links if len(of_a_home) > 1 and _are_connected(links, points) else set()


def _sort_key(like_links: Iterable[Link], points: Mapping[Node, complex]) -> tuple[float, list[list[Node]]]:
    """Return the sort key of links that are alike in all sectors: the shortest come first.

    Lengths are rounded, so that the last digits of sines decide nothing.
    """
    nodes = sorted(sorted(link) for link in like_links)
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
    """Return the distance of a point from the straight link between ``one`` and ``other``."""
    along = other - one
    share = ((point - one) * along.conjugate()).real / abs(along) ** 2
    return round(abs(point - one - along * min(1.0, max(0.0, share))), 6)


def _cross(a: complex, b: complex, c: complex, d: complex) -> bool:
    """Return whether the straight link from ``a`` to ``b`` crosses or touches that from ``c`` to ``d``.

    Links that lie on one line count as touching, however far apart they are.
    """

    # above 0 on one side of the line from start to end, below 0 on the other; rounded, so that it is 0 on it
    def side(start: complex, end: complex, point: complex) -> float:
        return round(((end - start).conjugate() * (point - start)).imag, 6)

    return side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0


def _are_connected(links: Collection[Link], points: Mapping[Node, complex]) -> bool:
    """Return whether the middle has a link, and all other structures are connected without it."""
    reached = {(0, 0)}  # from the home of the first sector
    links_left = [link for link in links if MIDDLE not in link]
    has_middle = len(links_left) < len(links)
    while touching := [link for link in links_left if link & reached]:
        links_left = [link for link in links_left if not link & reached]
        reached = reached.union(*touching)
    return has_middle and len(reached) == len(points) - 1
