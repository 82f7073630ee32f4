"""Propose colours for a map's realms that stay apart.

``python -m maps.builder.colours maps/medieval/europe-1320`` prints them, and with ``--write`` puts them into
the map's sources, or into ``map.yaml`` where there are none. It needs the extra ``maps``.

Colours are measured in OKLab, times a hundred, as they are seen with full sight, with deuteranopia and with
protanopia (Machado, Oliveira and Fernandes 2009, severity 1), and as the map draws them: half of the colour
on the paper of the day or of the night. Two realms are neighbours when at most two borders lie between their
lands, or three by land. Realms that are near each other are told apart in CIE L*a*b* as well, their full
colours beside each other in a table.

The colours are annealed. Each realm in turn draws its colour from all that there are, the likelier the better
it is told from the others' and the nearer it is to the colour that it had; the choice grows stricter from
round to round.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from itertools import combinations, product
from math import cos, dist, radians, sin
from operator import itemgetter
from pathlib import Path
from typing import Any

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.report.map_colours import INDEPENDENT
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from gm.text.colours import PAPERS, SIGHTS, Colour, Matrix, cielab, left_of, luminance, on_paper, times

SEA = "#c3d7d6"
LEAST = 10.0
"""How far apart neighbours are at least as drawn."""
ELSEWHERE = 2.5
"""The same for realms that are no neighbours."""
WORDS_APART = 5.5
"""The same for colours that have to keep their names."""
LAB_APART = {1: 27.0, 2: 27.0, 3: 22.0, 4: 16.0, 5: 13.0}
"""How far apart in CIE L*a*b* full colours are at least, by the number of borders between their lands."""
LAB_FAR = 6.0
"""The same beyond."""
LAB_FROM_INDEPENDENT = 34.0
"""How far apart in CIE L*a*b* full colours are at least from that of independent land."""
DARKEST = 0.21
"""The luminance of a colour as drawn by day at least: a name can be read on it."""
Least = Mapping[frozenset[str], tuple[float, float]]
"""How far apart two realms, by their codes, are at least: their full colours, and as drawn."""
_ROOM = 0.3  # a little more than asked for: colours are rounded
_ROUNDS = 60
_SEEDS = 6
_HEAT = 12.0
_COOLING = 0.91
_WEIGHT_FULL = 2.2
_WEIGHT_DRAWN = 20

_LMS: Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_OKLAB: Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def oklab(colour: str, sight: str = "full sight") -> Colour:
    """Return a colour in OKLab, times a hundred, as somebody with this sight sees it."""
    cones = times(_LMS, left_of(colour, sight))
    lightness, a, b = times(_OKLAB, [max(0.0, cone) ** (1 / 3) for cone in cones])
    return 100 * lightness, 100 * a, 100 * b


def apart(first: str, second: str) -> float:
    """Return how far apart two realms' colours are as drawn, to the eye that tells them apart worst.

    It is the least of day and night.
    """
    distances = []
    for paper in PAPERS:
        first_drawn = on_paper(first, paper)
        second_drawn = on_paper(second, paper)
        distances += [dist(oklab(first_drawn, sight), oklab(second_drawn, sight)) for sight in SIGHTS]
    return min(distances)


def borders_between(
    atlas: Atlas, world: World, first: str, second: str, *, most: int, by_land: bool = False
) -> int:
    """Return how many open borders lie between the nearest lands of two realms.

    It is ``most`` + 1 for more than that. ``by_land``: only ways on land count.
    """
    goal = {land.name for land in world.owned_by(second)}
    reached = {land.name for land in world.owned_by(first)}
    kind = False if by_land else None
    for steps in range(most + 1):
        if reached & goal:
            return steps
        for name in list(reached):
            reached.update(atlas.open_neighbours(name, sea=kind))
    return most + 1


def neighbours(atlas: Atlas, world: World) -> set[tuple[str, str]]:
    """Return the pairs of realms that will meet."""
    pairs = combinations(atlas.realms, 2)
    return {(first, second) for first, second in pairs if _will_meet(atlas, world, first, second)}


def _will_meet(atlas: Atlas, world: World, first: str, second: str) -> bool:
    """Return whether at most two borders lie between two realms' lands, or three by land."""
    if borders_between(atlas, world, first, second, most=2) <= 2:
        return True
    return borders_between(atlas, world, first, second, most=3, by_land=True) <= 3


def candidates() -> list[str]:
    """Return the colours to choose from, sorted.

    None is so dark that a name cannot be read on it, or like sea or independent land.
    """
    colours = set()
    for lightness, chroma, hue in product(range(30, 85, 3), range(0, 25, 3), range(0, 360, 10)):
        turn = radians(hue)
        colours.add(_hex(lightness / 100, chroma * cos(turn) / 100, chroma * sin(turn) / 100))
    return sorted(colour for colour in colours if colour and _is_usable(colour))


def _hex(light: float, a: float, b: float) -> str:
    """Return a colour of OKLab as ``#rrggbb``; empty for one that no screen shows."""
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    rgb = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    if min(rgb) < 0 or max(rgb) > 1:
        return ""
    return "#" + "".join(f"{round(255 * _curved(value)):02x}" for value in rgb)


def _curved(value: float) -> float:
    """Return a part of a colour (0 to 1) as screens are given it, by the curve of sRGB."""
    if value <= 0.0031308:
        return 12.92 * value
    return 1.055 * value ** (1 / 2.4) - 0.055


def _is_usable(colour: str) -> bool:
    """Return whether a name can be read on a colour, and it is not like sea or independent land."""
    drawn = on_paper(colour, PAPERS[0])
    if luminance(drawn) < DARKEST:
        return False
    for sight in SIGHTS:
        full_apart = dist(cielab(colour, sight), cielab(INDEPENDENT, sight))
        if full_apart <= LAB_FROM_INDEPENDENT + _ROOM:
            return False
        if dist(oklab(drawn, sight), oklab(INDEPENDENT, sight)) <= LEAST:
            return False
        if dist(oklab(drawn, sight), oklab(SEA, sight)) <= LEAST * 0.7:
            return False
    return True


def least_apart(atlas: Atlas, world: World) -> Least:
    """Return how far apart the realms of a map of Medieval Diplomacy are at least."""
    meeting = neighbours(atlas, world)
    least = {}
    for first, second in combinations(atlas.realms, 2):
        borders = borders_between(atlas, world, first, second, most=5)
        full = LAB_APART.get(borders, LAB_FAR)
        drawn = LEAST if (first, second) in meeting else ELSEWHERE
        least[frozenset((first, second))] = (full + _ROOM, drawn + _ROOM)
    return least


class Annealing:
    """Colours that stay apart.

    ``wishes``: by realm, the colour that its own would best be near to. ``least``: how far apart they must
    be.
    """

    def __init__(self, wishes: Mapping[str, str], least: Least) -> None:
        import numpy as np

        self.np: Any = np
        self.choice = candidates()
        self.codes = list(wishes)
        self.least = least
        self.full_table = np.array([self._as_seen_full(colour) for colour in self.choice])
        self.drawn_tables = [self._drawn_table(paper) for paper in PAPERS]
        self.full = np.array([oklab(colour) for colour in self.choice])
        self.wishes = {code: np.array(oklab(colour)) for code, colour in wishes.items()}

    @staticmethod
    def _as_seen_full(colour: str) -> list[Colour]:
        """Return a full colour in CIE L*a*b* to each sight."""
        return [cielab(colour, sight) for sight in SIGHTS]

    def _drawn_table(self, paper: str) -> Any:
        """Return an array of all colours as drawn on a paper: by colour, by sight, the parts in OKLab."""
        rows = []
        for colour in self.choice:
            drawn = on_paper(colour, paper)
            rows.append([oklab(drawn, sight) for sight in SIGHTS])
        return self.np.array(rows)

    def wish(self, code: str) -> Any:
        """Return what each colour costs a realm for being another than it had.

        Its hue costs more than its lightness, and a vivid one's, by which a realm is known, more than a dull
        one's.
        """
        _, a, b = self.wishes[code] / 10
        change = (self.full - self.wishes[code]) / 10
        return (change**2 * (0.15, 1, 1)).sum(1) * (1 + a * a + b * b)

    def cost(self, code: str, chosen: Mapping[str, int]) -> Any:
        """Return what each colour costs a realm, the others having theirs.

        ``chosen``: the colour of each realm, as its place among ``choice``.
        """
        total = self.wish(code)
        for other, index in chosen.items():
            if other == code:
                continue
            least_full, least_drawn = self.least[frozenset((code, other))]
            total = total + _WEIGHT_FULL * self._lacking(self.full_table, index, least_full)
            for table in self.drawn_tables:
                total = total + _WEIGHT_DRAWN * self._lacking(table, index, least_drawn)
        return total

    def _lacking(self, table: Any, index: int, least: float) -> Any:
        """Return the square of how much nearer than ``least`` each colour is to one, to the worst eye."""
        distances = self.np.sqrt(((table - table[index]) ** 2).sum(2)).min(1)
        return self.np.maximum(0, least - distances) ** 2

    def run(self, seed: int) -> tuple[float, dict[str, str]]:
        """Return what the colours that a seed leads to cost, and the colours by realm."""
        np = self.np
        random = np.random.default_rng(seed)
        chosen = {code: int(self.wish(code).argmin()) for code in self.codes}
        for number in range(_ROUNDS):
            heat = _HEAT * _COOLING**number
            for code in random.permutation(self.codes):
                cost = self.cost(code, chosen)
                weights = np.exp((cost.min() - cost) / heat)
                chosen[code] = int(random.choice(len(cost), p=weights / weights.sum()))
        for code in self.codes * 3:
            chosen[code] = int(self.cost(code, chosen).argmin())
        total = sum(float(self.cost(code, chosen)[index]) for code, index in chosen.items())
        return total, {code: self.choice[index] for code, index in chosen.items()}


def proposed(atlas: Atlas, world: World, seeds: Iterable[int] = range(_SEEDS)) -> dict[str, str]:
    """Return the best colours that any of the seeds leads to, by realm."""
    wishes = {code: seat.colour for code, seat in atlas.realms.items()}
    annealing = Annealing(wishes, least_apart(atlas, world))
    runs = [annealing.run(seed) for seed in seeds]
    _, colours = min(runs, key=itemgetter(0))
    return colours


def written(text: str, colours: Mapping[str, str]) -> str:
    """Return the text of a map or of its settings with other colours of its realms."""
    for code, colour in colours.items():
        text = re.sub(rf'(?m)^(  {code}: {{.*colour: )"#\w+"', rf'\1"{colour}"', text)
    return text


def print_neighbours(atlas: Atlas, world: World, colours: Mapping[str, str]) -> None:
    """Print a line for each pair of neighbours, the least apart first: their colours and how far apart."""
    distances = {}
    for first, second in neighbours(atlas, world):
        distances[first, second] = apart(colours[first], colours[second])
    for (first, second), distance in sorted(distances.items(), key=itemgetter(1)):
        before = apart(atlas.realms[first].colour, atlas.realms[second].colour)
        pair = f"{first} {colours[first]}  {second} {colours[second]}"
        print(f"{pair}  {distance:5.1f}, was {before:5.1f}")  # noqa: T201


def main() -> None:
    """Propose colours for the map of the folder that the command line names; write them if it asks so."""
    folder = Path(sys.argv[1])
    table = SPEC.shipped_table(folder.name, folder)
    world = SPEC.start(table, folder, None)
    colours = proposed(table.board, world)
    print_neighbours(table.board, world, colours)
    if "--write" in sys.argv:
        settings = folder / "source" / "settings.yaml"
        file = settings if settings.exists() else folder / "map.yaml"
        file.write_text(written(file.read_text("utf-8"), colours), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
