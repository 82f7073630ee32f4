"""Times turns at larger sizes and the same density: what one order more costs, and how that cost grows."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.runner import PARTS, Bench
from bench.table import Budget
from bench.timing import EMPTY, Run, Timing, empty_starts, median_processor, once

ORDER = Budget(9.7, 3.1, "P")
"""Of a thousand orders more."""
GROWTH = {10: Budget(1.15, 1.0, "x"), 100: Budget(1.6, 1.3, "x")}
"""By size: of how many times as much an order costs as at the second size."""
LARGE = 100
"""From this size on a turn is played in parts only, as its order files are larger than a player may send."""
LARGE_RUNS = 3
"""How often that is done."""
PLACES = 300
"""How many places a map has for each unit of size."""


@dataclass(frozen=True, slots=True)
class Size:
    """A turn of one size."""

    in_p: float
    """What it took in P."""
    orders: float
    """How many orders it had."""

    def cost_of_order(self, smaller: Size) -> float:
        """Return the P for each order more than in a smaller one."""
        return (self.in_p - smaller.in_p) / (self.orders - smaller.orders)


def show_growth(bench: Bench, kind: str, sizes: Sequence[int]) -> None:
    """Print a line for each size, then what an order more costs.

    That is its cost up to the second size, and how much more it is up to the others. All costs are counted
    from the first size on, as differences of neighbours are smaller than what disturbs them. ``kind``: that
    of the map (:mod:`bench.generated`); ``sizes``: the smallest first.
    """
    bench.table.title(f"larger and larger, without HTML: a generated map, {kind}")
    turns = _timed(bench, kind, sizes, "--no-html")
    smallest, second, *others = sizes
    first_cost = turns[second].cost_of_order(turns[smallest])
    budget = ORDER if kind == "mostly land" else None
    bench.table.figure(f"a thousand orders more, {kind}", first_cost * 1000, "P", budget)
    for size in others:
        growth = turns[size].cost_of_order(turns[smallest]) / first_cost
        bench.table.figure(f"    the same at {size} times the size, {kind}", growth, "x", GROWTH[size])


def show_pages(bench: Bench) -> None:
    """Print the same with all pages, which hold more of a larger game each: no budget is set for that."""
    bench.table.title("larger, with all HTML")
    small, large = _timed(bench, "mostly land", (1, 10)).values()
    bench.table.figure("a thousand orders more, with all HTML", large.cost_of_order(small) * 1000, "P")


def _timed(bench: Bench, kind: str, sizes: Sequence[int], *options: str) -> dict[int, Size]:
    """Time turns of generated games, print two lines for each, and return them by their size.

    ``options``: those of ``pbem turn``.
    """
    games = {size: _game(bench, kind, size, options) for size in sizes}
    timings = _timings(bench, games, options)
    turns: dict[int, Size] = {}
    for size, game in games.items():
        command = " ".join(["pbem turn", *options])
        name = f"{command}, {size} times, {kind}"
        if size in timings:
            parts = bench.parts(game)
            in_p = bench.table.timing(name, timings[size]).in_p
        else:
            parts, in_p = _in_parts(bench, game)
            bench.table.figure(name, in_p, "P")
        counts = f"{parts['units']:,.0f} units, {parts['orders']:,.0f} orders"
        bench.table.note(f"    {size * PLACES:,} places, {counts}", "")
        turns[size] = Size(in_p, parts["orders"])
    return turns


def _timings(bench: Bench, games: Mapping[int, Path], options: Sequence[str]) -> dict[int, Timing]:
    """Return the timings of turns that are not too large for that, by their size."""
    sizes = [size for size in games if size < LARGE]
    # a cost is a difference of these: it takes more runs than they do
    timings = bench.turns([games[size] for size in sizes], *options, runs=2 * bench.runs)
    return dict(zip(sizes, timings, strict=True))


def _in_parts(bench: Bench, game: Path) -> tuple[dict[str, float], float]:
    """Return a turn's parts (:meth:`Bench.parts`), and the median of all of them together in P."""
    sums: list[float] = []
    empty: list[Run] = []
    for _ in range(LARGE_RUNS):
        empty += empty_starts(3)
        parts = bench.parts(game)
        sums.append(sum(parts[part] for part in PARTS))
    return parts, statistics.median(sums) / median_processor(empty)


def _game(bench: Bench, kind: str, size: int, options: Sequence[str]) -> Path:
    """Generate a game in a folder of its own; return the game's folder."""
    folder = bench.scratch / f"{kind.replace(' ', '-')}-{size}{''.join(options)}"
    folder.mkdir()
    making = once([EMPTY[0], "-m", "bench.generated", str(size), kind, str(folder)])
    return Path(making.said.strip())
