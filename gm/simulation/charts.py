"""The geometry of the page's plots: curves with a band, intervals on a scale, a histogram; templates draw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from gm.simulation.statistics import Interval, Quartiles

WIDTH, HEIGHT = 420, 190
LEFT, RIGHT, TOP, BOTTOM = 48, 10, 10, 26
SMALL_WIDTH, SMALL_HEIGHT = 180, 96
SMALL_LEFT, SMALL_BOTTOM = 24, 16
MARKS, SMALL_MARKS = 5, 3
"""About so many marks stand on an axis."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on an axis: where, and what it says."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A median's line and the band between the quartiles, over turns. ``last`` is the line's end."""

    width: int
    height: int
    left: int
    bottom: int
    line: str
    band: str
    last: tuple[float, float]
    across: tuple[Mark, ...]
    up: tuple[Mark, ...]
    start: Quartiles
    end: Quartiles
    turns: int


@dataclass(frozen=True, slots=True)
class Whisker:
    """One line of a plot of intervals: low, middle and high as percent of the scale's width."""

    name: str
    code: str
    low: float
    middle: float
    high: float
    text: str
    outlier: bool


@dataclass(frozen=True, slots=True)
class Whiskers:
    """Intervals on one scale, best first. ``line`` is where a mark of comparison stands; none: there is none."""

    rows: tuple[Whisker, ...]
    marks: tuple[Mark, ...]
    line: float | None
    line_text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram: what it stands for, and where it is drawn."""

    text: str
    count: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Histogram:
    """Bars over an axis."""

    width: int
    height: int
    left: int
    bottom: int
    bars: tuple[Bar, ...]
    across: tuple[Mark, ...]
    up: tuple[Mark, ...]


def curve(values: Sequence[Quartiles], *, top: float = 0.0, small: bool = False) -> Curve:
    """The curve of a figure by turn. ``top`` is the least that the scale goes up to: equal for plots to be compared."""
    width, height = (SMALL_WIDTH, SMALL_HEIGHT) if small else (WIDTH, HEIGHT)
    left, bottom = (SMALL_LEFT, SMALL_BOTTOM) if small else (LEFT, BOTTOM)
    steps = round_numbers(max(top, *(each.high for each in values)), SMALL_MARKS if small else MARKS)
    highest = steps[-1] or 1
    turns = max(1, len(values) - 1)

    def x(turn: float) -> float:
        return round(left + turn * (width - left - RIGHT) / turns, 1)

    def y(value: float) -> float:
        return round(height - bottom - value * (height - bottom - TOP) / highest, 1)

    lower = [f"{x(turn):g},{y(each.low):g}" for turn, each in enumerate(values)]
    upper = [f"{x(turn):g},{y(each.high):g}" for turn, each in enumerate(values)]
    line = [f"{x(turn):g},{y(each.middle):g}" for turn, each in enumerate(values)]
    whole = [turn for turn in round_numbers(turns, MARKS) if turn <= turns and turn == int(turn)]
    if small:
        whole = [0.0, float(turns)]
    return Curve(
        width=width,
        height=height,
        left=left,
        bottom=height - bottom,
        line=" ".join(line),
        band=" ".join([*upper, *reversed(lower)]),
        last=(x(len(values) - 1), y(values[-1].middle)),
        across=tuple(Mark(x(turn), f"{turn:g}") for turn in whole),
        up=tuple(Mark(y(step), short(step)) for step in steps),
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
) -> Whiskers:
    """Shares with their intervals, the largest first, on a scale from 0 to what the largest interval needs."""
    most = max([each.high for each in rows.values()] + [line or 0.0])
    steps = round_numbers(min(1.0, most) * 100, MARKS)
    # no share is above all
    highest = min(100.0, steps[-1]) or 100.0
    ordered = sorted(rows.items(), key=lambda item: (-item[1].middle, item[0]))

    def across(share: float) -> float:
        return round(min(100.0, 10000 * share / highest), 2)

    return Whiskers(
        rows=tuple(
            Whisker(
                name=names.get(code, code),
                code=code,
                low=across(each.low),
                middle=across(each.middle),
                high=across(each.high),
                text=f"{100 * each.middle:.0f}% ({100 * each.low:.0f}–{100 * each.high:.0f})",
                outlier=code in outliers,
            )
            for code, each in ordered
        ),
        marks=tuple(Mark(round(100 * step / highest, 2), f"{step:g}%") for step in steps if step <= highest),
        line=None if line is None else across(line),
        line_text=line_text,
    )


def histogram(values: Sequence[int], most_bars: int = 20) -> Histogram:
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
        start = low + index * step
        text = f"{start}" if step == 1 else f"{start}–{min(high, start + step - 1)}"
        tall = inner * count / up[-1]
        at = (round(first + index * width + 1, 1), round(HEIGHT - BOTTOM - tall, 1))
        bars.append(Bar(text, count, *at, round(width - 2, 1), round(tall, 1)))
    every = max(1, ceil(len(bars) / 7))
    return Histogram(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        bottom=HEIGHT - BOTTOM,
        bars=tuple(bars),
        across=tuple(Mark(round(bar.x + bar.width / 2, 1), bar.text) for bar in bars[::every]),
        up=tuple(Mark(round(HEIGHT - BOTTOM - inner * each / up[-1], 1), short(each)) for each in up),
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
