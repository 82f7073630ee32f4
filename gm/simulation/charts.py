"""The geometry of the page's plots: curves with a band, intervals on a scale, a histogram; templates draw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from types import SimpleNamespace

from gm.simulation.statistics import Interval, Quartiles

WIDTH, HEIGHT = 420, 190
LEFT, RIGHT, TOP, BOTTOM = 48, 10, 10, 26
SMALL_WIDTH, SMALL_HEIGHT = 180, 96
SMALL_LEFT, SMALL_BOTTOM = 24, 16
MARKS, SMALL_MARKS = 5, 3
"""About so many marks stand on an axis."""

Plot = SimpleNamespace
"""What ``templates/simulation/parts.html`` draws of a plot, or of a mark, a row or a bar of one, in its units."""


def curve(values: Sequence[Quartiles], *, top: float = 0.0, small: bool = False) -> Plot:
    """The median of a figure by turn and the band between its quartiles.

    ``top`` is the least that the scale goes up to: equal for plots to be compared.
    """
    width, height = (SMALL_WIDTH, SMALL_HEIGHT) if small else (WIDTH, HEIGHT)
    left, bottom = (SMALL_LEFT, SMALL_BOTTOM) if small else (LEFT, BOTTOM)
    steps = round_numbers(max(top, *(each.high for each in values)), SMALL_MARKS if small else MARKS)
    highest = steps[-1] or 1
    turns = max(1, len(values) - 1)

    def x(turn: float) -> float:
        return round(left + turn * (width - left - RIGHT) / turns, 1)

    def y(value: float) -> float:
        return round(height - bottom - value * (height - bottom - TOP) / highest, 1)

    def points(figures: Sequence[float]) -> list[str]:
        return [f"{x(turn):g},{y(value):g}" for turn, value in enumerate(figures)]

    upper, lower = points([each.high for each in values]), points([each.low for each in values])
    whole = [turn for turn in round_numbers(turns, MARKS) if turn <= turns and turn == int(turn)]
    return Plot(
        width=width,
        height=height,
        left=left,
        bottom=height - bottom,
        line=" ".join(points([each.middle for each in values])),
        band=" ".join([*upper, *reversed(lower)]),
        last=(x(len(values) - 1), y(values[-1].middle)),
        across=[Plot(at=x(turn), text=f"{turn:g}") for turn in ([0, turns] if small else whole)],
        up=[Plot(at=y(step), text=short(step)) for step in steps],
        start=values[0],
        end=values[-1],
        turns=len(values) - 1,
    )


def whiskers(
    rows: Mapping[str, Interval],
    names: Mapping[str, str],
    *,
    line: float | None = None,
    line_text: str = "",
    outliers: Sequence[str] = (),
) -> Plot:
    """Shares with their intervals, the largest first, as percent of a scale from 0 to what the largest interval needs.

    ``line`` is where a mark of comparison stands; none: there is none.
    """
    most = max([each.high for each in rows.values()] + [line or 0.0])
    steps = round_numbers(min(1.0, most) * 100, MARKS)
    # no share is above all
    highest = min(100.0, steps[-1]) or 100.0
    ordered = sorted(rows.items(), key=lambda item: (-item[1].middle, item[0]))

    def across(share: float) -> float:
        return round(min(100.0, 10000 * share / highest), 2)

    return Plot(
        rows=[
            Plot(
                name=names.get(code, code),
                code=code,
                low=across(each.low),
                middle=across(each.middle),
                high=across(each.high),
                text=f"{100 * each.middle:.0f}% ({100 * each.low:.0f}–{100 * each.high:.0f})",
                outlier=code in outliers,
            )
            for code, each in ordered
        ],
        marks=[Plot(at=round(100 * step / highest, 2), text=f"{step:g}%") for step in steps if step <= highest],
        line=None if line is None else across(line),
        line_text=line_text,
    )


def histogram(values: Sequence[int], most_bars: int = 20) -> Plot:
    """How often each value occurs, in bars of equal width. Raises ``ValueError`` for no values."""
    low, high = min(values), max(values)
    step = max(1, ceil((high - low + 1) / most_bars))
    counts = [0] * ((high - low) // step + 1)
    for value in values:
        counts[(value - low) // step] += 1
    up = [each for each in round_numbers(max(counts), MARKS) if each == int(each)]
    inner, room = HEIGHT - TOP - BOTTOM, WIDTH - LEFT - RIGHT
    # a single bar over the whole width would look like a wall
    width = min(room / len(counts), 60)
    first = LEFT + (room - width * len(counts)) / 2
    bars = []
    for index, count in enumerate(counts):
        start, tall = low + index * step, inner * count / up[-1]
        bars.append(
            Plot(
                text=f"{start}" if step == 1 else f"{start}–{min(high, start + step - 1)}",
                count=count,
                x=round(first + index * width + 1, 1),
                y=round(HEIGHT - BOTTOM - tall, 1),
                width=round(width - 2, 1),
                height=round(tall, 1),
            )
        )
    every = max(1, ceil(len(bars) / 7))
    return Plot(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        bottom=HEIGHT - BOTTOM,
        bars=bars,
        across=[Plot(at=round(bar.x + bar.width / 2, 1), text=bar.text) for bar in bars[::every]],
        up=[Plot(at=round(HEIGHT - BOTTOM - inner * each / up[-1], 1), text=short(each)) for each in up],
    )


def round_numbers(top: float, about: int) -> list[float]:
    """About so many round numbers from 0 up to the first one that is not below ``top``."""
    if top <= 0:
        return [0.0, 1.0]
    rough = top / about
    size = 10.0 ** floor(log10(rough))
    step = next(factor * size for factor in (1, 2, 2.5, 5, 10) if factor * size >= rough * 0.999)
    return [round(step * count, 9) for count in range(ceil(round(top / step, 6)) + 1)]


def short(value: float) -> str:
    """A figure for an axis: ``1.2k`` for 1,200."""
    return f"{value / 1000:g}k" if abs(value) >= 1000 else f"{value:g}"
