"""Realms' colours that stay apart: ``python -m maps.builder.colours maps/medieval/europe-1320`` proposes
them, and with ``--write`` puts them into the map's sources, or into ``map.yaml`` where there are none. It
needs the extra ``maps``.

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
from itertools import combinations
from math import cos, dist, radians, sin
from pathlib import Path
from typing import Any

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.report.map_colours import INDEPENDENT
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from gm.text.colours import PAPERS, SIGHTS, Colour, Matrix, cielab, left_of, luminance, on_paper, times

SEA = "#c3d7d6"
LEAST, ELSEWHERE = 10.0, 2.5
"""How far apart neighbours are at least as drawn, and realms that are none."""
WORDS_APART = 5.5
"""The same for colours that have to keep their names."""
LAB_APART = {1: 27.0, 2: 27.0, 3: 22.0, 4: 16.0, 5: 13.0}
"""How far apart in CIE L*a*b* full colours are whose lands are so many borders apart; beyond, ``LAB_FAR``."""
LAB_FAR, LAB_FROM_INDEPENDENT = 6.0, 34.0
_ROOM = 0.3  # a little more than asked for: colours are rounded
_ROUNDS, _SEEDS, _HEAT, _COOLING = 60, 6, 12.0, 0.91

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
    """The colour in OKLab, times a hundred, as somebody with this sight sees it."""
    x, y, z = times(_OKLAB, [max(0.0, each) ** (1 / 3) for each in times(_LMS, left_of(colour, sight))])
    return 100 * x, 100 * y, 100 * z


def apart(a: str, b: str) -> float:
    """How far apart two realms' colours are as drawn, by day and by night, to the eye that tells them
    apart worst.
    """
    pairs = ((on_paper(a, paper), on_paper(b, paper)) for paper in PAPERS)
    return min(dist(oklab(x, sight), oklab(y, sight)) for x, y in pairs for sight in SIGHTS)


def borders_between(atlas: Atlas, world: World, a: str, b: str, *, most: int, by_land: bool = False) -> int:
    """How many open borders lie between the nearest lands of two realms; ``most`` + 1 for more than that."""
    goal = {land.name for land in world.owned_by(b)}
    reached = {land.name for land in world.owned_by(a)}
    for steps in range(most + 1):
        if reached & goal:
            return steps
        kind = False if by_land else None
        reached |= {other for name in reached for other in atlas.open_neighbours(name, sea=kind)}
    return most + 1


def neighbours(atlas: Atlas, world: World) -> set[tuple[str, str]]:
    """The pairs of realms that will meet."""
    return {
        (a, b)
        for a, b in combinations(atlas.realms, 2)
        if borders_between(atlas, world, a, b, most=2) <= 2
        or borders_between(atlas, world, a, b, most=3, by_land=True) <= 3
    }


def candidates() -> list[str]:
    """What to choose from: not so dark that a name cannot be read on it, not like sea or independent land."""
    found = set()
    for light in range(30, 85, 3):
        for chroma in range(0, 25, 3):
            for hue in range(0, 360, 10):
                turn = radians(hue)
                found.add(_hex(light / 100, chroma * cos(turn) / 100, chroma * sin(turn) / 100))
    return sorted(colour for colour in found if colour and _usable(colour))


def _hex(light: float, a: float, b: float) -> str:
    """A colour of OKLab as ``#rrggbb``; empty for one that no screen shows."""
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
    curved = (12.92 * each if each <= 0.0031308 else 1.055 * each ** (1 / 2.4) - 0.055 for each in rgb)
    return "#" + "".join(f"{round(255 * each):02x}" for each in curved)


def _usable(colour: str) -> bool:
    drawn = on_paper(colour, PAPERS[0])
    return luminance(drawn) >= 0.21 and all(
        dist(cielab(colour, sight), cielab(INDEPENDENT, sight)) > LAB_FROM_INDEPENDENT + _ROOM
        and dist(oklab(drawn, sight), oklab(INDEPENDENT, sight)) > LEAST
        and dist(oklab(drawn, sight), oklab(SEA, sight)) > LEAST * 0.7
        for sight in SIGHTS
    )


# How far apart two are at least: full colours, and as drawn
Least = Mapping[frozenset[str], tuple[float, float]]


def least_apart(atlas: Atlas, world: World) -> Least:
    """What is asked of the realms of a map of Medieval Diplomacy."""
    met, found = neighbours(atlas, world), {}
    for a, b in combinations(atlas.realms, 2):
        lab = LAB_APART.get(borders_between(atlas, world, a, b, most=5), LAB_FAR)
        found[frozenset((a, b))] = lab + _ROOM, (LEAST if (a, b) in met else ELSEWHERE) + _ROOM
    return found


class Annealing:
    """Colours that stay apart. ``wishes`` are those that each would best be near to, by its code."""

    def __init__(self, wishes: Mapping[str, str], least: Least) -> None:
        import numpy as np

        self.np: Any = np
        self.choice, self.codes, self.least = candidates(), list(wishes), least
        wide = [[cielab(each, sight) for sight in SIGHTS] for each in self.choice]
        drawn = [
            [[oklab(on_paper(each, paper), sight) for sight in SIGHTS] for each in self.choice]
            for paper in PAPERS
        ]
        self.tables = [np.array(each) for each in (wide, *drawn)]
        self.full = np.array([oklab(each) for each in self.choice])
        self.wishes = {code: np.array(oklab(colour)) for code, colour in wishes.items()}

    def wish(self, code: str) -> Any:
        """What each colour costs a realm for being another than it had: its hue more than its lightness, and
        a vivid one's, by which a realm is known, more than a dull one's.
        """
        _, a, b = self.wishes[code] / 10
        change = (self.full - self.wishes[code]) / 10
        return (change**2 * (0.15, 1, 1)).sum(1) * (1 + a * a + b * b)

    def cost(self, code: str, chosen: Mapping[str, int]) -> Any:
        """What each colour costs a realm, the others having theirs."""
        np, found = self.np, self.wish(code)
        for other, index in chosen.items():
            if other == code:
                continue
            lab, drawn = self.least[frozenset((code, other))]
            for table, least, weight in zip(self.tables, (lab, drawn, drawn), (2.2, 20, 20), strict=True):
                away = np.sqrt(((table - table[index]) ** 2).sum(2)).min(1)
                found = found + weight * np.maximum(0, least - away) ** 2
        return found

    def run(self, seed: int) -> tuple[float, dict[str, str]]:
        """The colours that one seed leads to, and what they cost."""
        np, random = self.np, self.np.random.default_rng(seed)
        chosen = {code: int(self.wish(code).argmin()) for code in self.codes}
        for each in range(_ROUNDS):
            for code in random.permutation(self.codes):
                cost = self.cost(code, chosen)
                likely = np.exp((cost.min() - cost) / (_HEAT * _COOLING**each))
                chosen[code] = int(random.choice(len(cost), p=likely / likely.sum()))
        for code in self.codes * 3:
            chosen[code] = int(self.cost(code, chosen).argmin())
        total = sum(float(self.cost(code, chosen)[index]) for code, index in chosen.items())
        return total, {code: self.choice[index] for code, index in chosen.items()}


def proposed(atlas: Atlas, world: World, seeds: Iterable[int] = range(_SEEDS)) -> dict[str, str]:
    """The best colours that any of the seeds leads to."""
    wishes = {code: seat.colour for code, seat in atlas.realms.items()}
    annealing = Annealing(wishes, least_apart(atlas, world))
    return min((annealing.run(seed) for seed in seeds), key=lambda each: each[0])[1]


def written(text: str, colours: Mapping[str, str]) -> str:
    """The text of a map or of its settings with other colours of its realms."""
    for code, colour in colours.items():
        text = re.sub(rf'(?m)^(  {code}: {{.*colour: )"#\w+"', rf'\1"{colour}"', text)
    return text


def main() -> None:
    """Propose colours for the map of the folder named on the command line, and write them if that is asked
    for.
    """
    folder = Path(sys.argv[1])
    table = SPEC.shipped_table(folder.name, folder)
    world = SPEC.start(table, folder, None)
    colours = proposed(table.board, world)
    for a, b in sorted(
        neighbours(table.board, world), key=lambda pair: apart(colours[pair[0]], colours[pair[1]])
    ):
        before = apart(table.board.realms[a].colour, table.board.realms[b].colour)
        print(f"{a} {colours[a]}  {b} {colours[b]}  {apart(colours[a], colours[b]):5.1f}, was {before:5.1f}")  # noqa: T201
    if "--write" in sys.argv:
        source = folder / "source" / "settings.yaml"
        file = source if source.exists() else folder / "map.yaml"
        file.write_text(written(file.read_text("utf-8"), colours), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
