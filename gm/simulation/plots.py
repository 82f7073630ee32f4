"""The geometry of plots: curves, whiskers and bars, which ``templates/simulation/parts.html`` draws.

Positions are in units of the SVG; those of whiskers are in percent of the width of their axis.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, floor, log10
from types import SimpleNamespace

from gm.simulation.estimates import Interval

# of a large plot: its size, and the margins around the area of the curve
WIDTH = 420
HEIGHT = 190
LEFT = 48
RIGHT = 10
TOP = 10
BOTTOM = 26
MOST_BARS = 20  # in a histogram
WIDEST_BAR = 60
GAP = 2  # between two bars
MARKS = 5  # marks on a large axis, about
SMALL_MARKS = 3  # marks on a small one

# what ``templates/simulation/parts.html`` draws: a plot, or a mark, a row or a bar of one
Plot = SimpleNamespace


def _plot(
    width: int, height: int, left: int, margin: int, steps: Sequence[float]
) -> tuple[Plot, Callable[[float], float]]:
    """Return a plot with marks at these ``steps`` on its upward axis, and a function from value to position.

    ``left`` and ``margin``: what is free on the left and at the bottom.
    """
    bottom = height - margin

    def y(value: float) -> float:
        # a divisor: tiny steps may have been rounded to 0
        return round(bottom - value * (bottom - TOP) / (steps[-1] or 1), 1)

    up = [Plot(at=y(step), text=short(step)) for step in steps]
    return Plot(width=width, height=height, left=left, bottom=bottom, up=up), y


def curve(
    values: Sequence[Interval],
    *,
    top: float = 0.0,
    small: bool = False,
    first: int = 0,
    turns: int = 1,
    band: bool = True,
) -> Plot:
    """Return the plot of a figure by turn: a line through the middles, and the area between the ends.

    ``values``: the figure's interval in each turn, from the turn ``first`` on; ``top`` and ``turns``: the
    scale goes at least up to that value, and across so many turns; ``small``: for a plot beside others;
    ``band``: whether the area is shown, so that the scale has to go up to its top.
    """
    if small:
        width, height, left, margin = 180, 96, 24, 16
    else:
        width, height, left, margin = WIDTH, HEIGHT, LEFT, BOTTOM
    most = max(top, *(value.high if band else value.middle for value in values))
    steps = round_numbers(most, SMALL_MARKS if small else MARKS)
    plot, y = _plot(width, height, left, margin, steps)
    last = len(values) - 1
    turns = max(1, turns, last)

    def x(index: float) -> float:
        """Return the position of a turn, counted from the first one of the plot."""
        return round(left + index * (width - left - RIGHT) / turns, 1)

    def points(figures: Iterable[float]) -> list[str]:
        return [f"{x(index):g},{y(figure):g}" for index, figure in enumerate(figures)]

    marks = [first, first + turns] if small else _round_turns(first, first + turns)
    plot.first = first
    plot.line = " ".join(points(value.middle for value in values))
    # along the upper edge of the band, and back along its lower edge
    plot.band = " ".join(
        [*points(value.high for value in values), *reversed(points(value.low for value in values))]
    )
    plot.across = [Plot(at=x(turn - first), text=f"{turn:g}") for turn in marks]
    plot.start = values[0]
    plot.end = values[-1]
    plot.turns = first + last
    plot.last = (x(last), y(values[-1].middle))
    return plot


def _round_turns(first: int, last: int) -> list[float]:
    """Return round numbers of turns between two turns, for the marks of an axis."""
    return [turn for turn in round_numbers(last, MARKS) if first <= turn <= last and turn == int(turn)]


def whiskers(
    rows: Mapping[str, Interval],
    names: Mapping[str, str],
    *,
    line: float | None,
    outliers: Sequence[str] = (),
    percent: bool = True,
) -> Plot:
    """Return the plot of figures with their intervals, the largest first, on a scale from 0.

    ``rows``: the figures by code; ``names``: those of codes that have one; ``line``: the fair share, or the
    value with which all begin; ``outliers``: the codes of rows to be marked; ``percent``: whether the figures
    are shares, which are shown as percent.
    """
    most = max([row.high for row in rows.values()] + [line or 0.0])
    size = 100.0 if percent else 1.0
    limit = 100.0 if percent else float("inf")  # no share is above 100%
    steps = round_numbers(min(limit, size * most), MARKS)
    highest = min(limit, steps[-1])

    def across(value: float) -> float:
        """Return where a figure lies on the axis, in percent of its width."""
        return round(max(0.0, min(100.0, 100 * size * value / highest)), 2)

    plot = Plot(
        rows=[
            Plot(
                name=names.get(code, code),
                code=code,
                low=across(interval.low),
                middle=across(interval.middle),
                high=across(interval.high),
                text=_interval_text(interval, percent=percent),
                outlier=code in outliers,
            )
            for code, interval in sorted(rows.items(), key=lambda item: (-item[1].middle, item[0]))
        ],
        marks=[
            Plot(at=round(100 * step / highest, 2), text=f"{step:g}%" if percent else f"{step:g}")
            for step in steps
            if step <= highest
        ],
        line=None,
        line_text="",
    )
    if line is not None:
        plot.line = across(line)
        plot.line_text = (
            f"fair share {size * line:.1f}%: what everybody would win by lot"
            if percent
            else f"{size * line:g}: what everybody begins with"
        )
    return plot


def _interval_text(interval: Interval, *, percent: bool) -> str:
    """Return a figure with its interval: ``12% (8–19)`` for a share, else ``12.3 (8–19)``."""
    if percent:
        return f"{100 * interval.middle:.0f}% ({100 * interval.low:.0f}–{100 * interval.high:.0f})"
    return f"{interval.middle:.1f} ({interval.low:.0f}–{interval.high:.0f})"


def histogram(values: Sequence[int]) -> Plot:
    """Return the plot of how often values occur, in bars of equal width. Raises ``ValueError`` for no values.

    If there are too many values for a bar each, a bar stands for several neighbouring ones.
    """
    low = min(values)
    high = max(values)
    step = max(1, ceil((high - low + 1) / MOST_BARS))
    counts = [0] * ((high - low) // step + 1)
    for value in values:
        counts[(value - low) // step] += 1
    # the axis is one of counts: marks between whole numbers mean nothing on it
    up = [mark for mark in round_numbers(max(counts), MARKS) if mark == int(mark)]
    plot, y = _plot(WIDTH, HEIGHT, LEFT, BOTTOM, up)
    room = WIDTH - LEFT - RIGHT
    # few bars are not stretched over the whole width
    bar_width = min(room / len(counts), WIDEST_BAR)
    first_x = LEFT + (room - bar_width * len(counts)) / 2

    def bar(index: int, count: int) -> Plot:
        """Return the bar at an ``index``, counted from 0, whose height shows a ``count`` of values."""
        start = low + index * step
        return Plot(
            text=f"{start}" if step == 1 else f"{start}–{min(high, start + step - 1)}",
            count=count,
            x=round(first_x + index * bar_width + GAP / 2, 1),
            y=y(count),
            width=round(bar_width - GAP, 1),
            height=round((plot.bottom - TOP) * count / up[-1], 1),
        )

    plot.bars = [bar(index, count) for index, count in enumerate(counts)]
    # not every bar has room for its text below it
    bars_per_text = max(1, ceil(len(counts) / 7))
    plot.across = [
        Plot(at=round(bar.x + bar.width / 2, 1), text=bar.text) for bar in plot.bars[::bars_per_text]
    ]
    return plot


def round_numbers(top: float, about: int) -> list[float]:
    """Return round numbers at equal distances, about so many, from 0 to the first not below ``top``."""
    if top <= 0:
        return [0.0, 1.0]
    rough_step = top / about
    power_of_ten = 10.0 ** floor(log10(rough_step))
    round_steps = (factor * power_of_ten for factor in (1, 2, 2.5, 5, 10))
    # rounding errors must not lead to a larger step, or to one number more
    step = next(round_step for round_step in round_steps if round_step >= rough_step * 0.999)
    return [round(step * count, 9) for count in range(ceil(round(top / step, 6)) + 1)]


def short(value: float) -> str:
    """Return a figure for an axis: ``1.2k`` for 1,200, without a fraction that is 0."""
    return f"{value / 1000:g}k" if abs(value) >= 1000 else f"{value:g}"
