"""The same density at larger sizes: what one order more costs, and how that cost grows."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.runner import PARTS, Bench
from bench.table import Budget
from bench.timing import EMPTY, empty_starts, once

ORDER = Budget(9.7, 3.1, "P")
"""Of a thousand orders more."""
GROWTH = {10: Budget(1.15, 1.0, "x"), 100: Budget(1.6, 1.3, "x")}
LARGE = 100
"""From this size on a turn is played in parts only, as its order files are larger than a player may send."""
FEW = 3
"""How often that is done."""


@dataclass(frozen=True, slots=True)
class Size:
    """A turn of one size: what it took in P, and how many orders it had."""

    in_p: float
    orders: float

    def more_than(self, smaller: Size) -> float:
        """P for each order more than in a smaller one."""
        return (self.in_p - smaller.in_p) / (self.orders - smaller.orders)


def show_growth(bench: Bench, kind: str, sizes: Sequence[int]) -> None:
    """A line for each size.

    Then what an order more costs up to the second size, and how much more it is up to others.

    All costs are counted from the first size on, as differences of neighbours are smaller than what disturbs
    them.
    """
    bench.table.title(f"larger and larger, without HTML: a generated map, {kind}")
    timed = _timed(bench, kind, sizes, "--no-html")
    first, *later = [timed[size].more_than(timed[sizes[0]]) for size in sizes[1:]]
    budget = ORDER if kind == "mostly land" else None
    bench.table.figure(f"a thousand orders more, {kind}", first * 1000, "P", budget)
    for size, cost in zip(sizes[2:], later, strict=True):
        bench.table.figure(f"    the same at {size} times the size, {kind}", cost / first, "x", GROWTH[size])


def show_pages(bench: Bench) -> None:
    """The same with all pages, which hold more of a larger game each: no budget is set for that."""
    bench.table.title("larger, with all HTML")
    small, large = _timed(bench, "mostly land", (1, 10)).values()
    bench.table.figure("a thousand orders more, with all HTML", large.more_than(small) * 1000, "P")


def _timed(bench: Bench, kind: str, sizes: Sequence[int], *options: str) -> dict[int, Size]:
    games = {size: _game(bench, kind, size, options) for size in sizes}
    often = [size for size in sizes if size < LARGE]
    # what is told of is a difference of these: it takes more runs than they do
    timings = dict(
        zip(often, bench.turns([games[size] for size in often], *options, runs=2 * bench.runs), strict=True)
    )
    found: dict[int, Size] = {}
    for size, game in games.items():
        what = f"pbem turn {' '.join(options)}".strip() + f", {size} times, {kind}"
        if size in timings:
            parts = bench.parts(game)
            in_p = bench.table.timing(what, timings[size]).in_p
        else:
            parts, in_p = _in_parts(bench, game)
            bench.table.figure(what, in_p, "P")
        units, orders = f"{parts['units']:,.0f}", f"{parts['orders']:,.0f}"
        bench.table.note(f"    {size * 300:,} places, {units} units, {orders} orders", "")
        found[size] = Size(in_p, parts["orders"])
    return found


def _in_parts(bench: Bench, game: Path) -> tuple[dict[str, float], float]:
    """A turn's parts, and the median of all of them together in P."""
    sums, empty = [], []
    for _ in range(FEW):
        empty += empty_starts(3)
        parts = bench.parts(game)
        sums.append(sum(parts[part] for part in PARTS))
    return parts, statistics.median(sums) / statistics.median(run.processor for run in empty)


def _game(bench: Bench, kind: str, size: int, options: Sequence[str]) -> Path:
    folder = bench.scratch / f"{kind.replace(' ', '-')}-{size}{''.join(options)}"
    folder.mkdir()
    return Path(once([EMPTY[0], "-m", "bench.generated", str(size), kind, str(folder)]).said.strip())
