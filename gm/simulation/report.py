"""The report of a simulation: a page with plots, whose geometry is computed here, some lines, and data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import ceil, floor, log10
from operator import attrgetter
from statistics import fmean
from types import SimpleNamespace
from typing import Any

from gm.game.base.events import FAILED
from gm.simulation.estimates import Interval, quartiles
from gm.simulation.findings import LEAST, LEAST_GAMES, MOST, Balance, Findings, Tally, balance_of
from gm.simulation.league import START, League, strength
from gm.simulation.plan import Plan
from gm.simulation.record import COURSE, HOLD
from gm.text.pages import aligned, render

WIDTH = 420
HEIGHT = 190
LEFT = 48
RIGHT = 10
TOP = 10
BOTTOM = 26
MARKS = 5  # marks on a large axis, about
SMALL_MARKS = 3  # marks on a small one

# What ``templates/simulation/parts.html`` draws of a plot, or of a mark, a row or a bar of one
Plot = SimpleNamespace


def simulation_page(
    plan: Plan,
    title: str,
    abouts: Mapping[str, str],
    found: Findings,
    league: League | None = None,
) -> str:
    """Return the page of a game of this ``title``; ``abouts``: how each bot plays.

    ``league``: how strong each is.

    Raises ``ValueError`` for no game.
    """
    if not found.games:
        raise ValueError("no game has been played: there is nothing to show")
    verdict = balance_of(found)
    values = {
        "plan": plan,
        "title": title,
        "names": found.names,
        "abouts": abouts,
        "found": found,
        "league": league,
        "strengths": league and strengths(league),
        "score": found.columns[0],
        "verdict": verdict,
        "least_games": LEAST_GAMES,
        "bounds": (LEAST, MOST),
        "shrinking": verdict.shrinking if verdict else (),
        "hold": HOLD,
        "lengths": histogram(found.lengths),
        "unused": {kind: rules for kind, rules in found.unused.items() if kind != FAILED},
        "failures": FAILED,
        **_share_plots(found, verdict),
        **_curves(found),
    }
    return render("simulation/report.html", values)


def _share_plots(found: Findings, verdict: Balance | None) -> dict[str, Plot | str]:
    """Return the plots of how often each realm and each bot won, was first and lasted."""
    tally = next(iter(found.realms.values()))
    fair = tally.fair / max(1, tally.finished)
    fair_first = tally.fair_first_share
    outliers = (*verdict.favoured, *verdict.starved) if verdict else ()
    has_finished = any(realm.finished for realm in found.realms.values())

    def shares(
        get: Callable[[Tally], Interval], line: float | None = None, outliers: Sequence[str] = ()
    ) -> Plot:
        rows = {code: get(realm) for code, realm in found.realms.items()}
        return whiskers(rows, found.names, line=line, outliers=outliers)

    return {
        "wins": shares(attrgetter("winning"), fair) if has_finished else "",
        "first": shares(attrgetter("first"), fair_first, outliers),
        "lasting": shares(attrgetter("lasting")),
        "bot_wins": whiskers({bot: tally.first for bot, tally in found.bots.items()}, {}, line=fair_first),
    }


def _curves(found: Findings) -> dict[str, Any]:
    """Return the figures by turn: each realm's score, all realms' sums, the course, and eliminations."""
    scores = {code: _quartiles_by_turn(found.scores[code]) for code in sorted(found.realms)}
    top = max(interval.high for interval in chain.from_iterable(scores.values()))
    # the counts are small: their mean says more than their median
    course = [(name, course_means(found, name)) for name in COURSE[:2]]
    out = [_mean_and_quartiles(counts) for counts in found.out.values()]
    names = found.names
    return {
        "growth": [
            (code, names.get(code, code), curve(score, top=top, small=True)) for code, score in scores.items()
        ],
        "sums": [(column, curve(_quartiles_by_turn(found.sums[column]))) for column in found.columns],
        "course": [(name, curve(means, first=1)) for name, means in course if _has_height(means)],
        "out": curve(out, top=1.0),
    }


def _quartiles_by_turn(values_by_turn: Mapping[int, Sequence[float]]) -> list[Interval]:
    """Return the quartiles of a figure, turn by turn."""
    return list(map(quartiles, values_by_turn.values()))


def _mean_and_quartiles(values: Sequence[float]) -> Interval:
    """Return the middle half of some values, and their mean in its middle."""
    return replace(quartiles(values), middle=fmean(values))


def _has_height(values: Iterable[Interval]) -> bool:
    """Return whether a curve of these values would rise above the axis."""
    return any(value.high for value in values)


def course_means(found: Findings, name: str) -> list[Interval]:
    """Return a count of ``COURSE`` by turn: the mean, since counts are small, and the middle half."""
    return list(map(_mean_and_quartiles, found.course[name].values()))


def _plot(
    width: int, height: int, left: int, margin: int, steps: Sequence[float]
) -> tuple[Plot, Callable[[float], float]]:
    """Return a plot with these marks on its upward axis, and a function from a value to its position."""
    bottom = height - margin

    def y(value: float) -> float:
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
    """Return the median of a figure by turn, from ``first`` on, and the ``band`` between its quartiles.

    The scale goes up to ``top`` at least, and across as many ``turns``.
    """
    width, height, left, margin = (180, 96, 24, 16) if small else (WIDTH, HEIGHT, LEFT, BOTTOM)
    most = max(top, *(value.high if band else value.middle for value in values))
    steps = round_numbers(most, SMALL_MARKS if small else MARKS)
    plot, y = _plot(width, height, left, margin, steps)
    last = len(values) - 1
    turns = max(1, turns, last)

    def x(place: float) -> float:
        return round(left + place * (width - left - RIGHT) / turns, 1)

    def points(heights: Iterable[float]) -> list[str]:
        return [f"{x(turn):g},{y(height):g}" for turn, height in enumerate(heights)]

    upper = points(value.high for value in values)
    lower = points(value.low for value in values)
    marks = [first, first + turns] if small else _whole_turns(first, first + turns)
    plot.first = first
    plot.line = " ".join(points(value.middle for value in values))
    plot.band = " ".join([*upper, *reversed(lower)])
    plot.across = [Plot(at=x(turn - first), text=f"{turn:g}") for turn in marks]
    plot.start = values[0]
    plot.end = values[-1]
    plot.turns = first + last
    plot.last = (x(last), y(values[-1].middle))
    return plot


def _whole_turns(first: int, last: int) -> list[float]:
    """Return the round turns between two on an axis."""
    return [turn for turn in round_numbers(last, MARKS) if first <= turn <= last and turn == int(turn)]


def whiskers(
    rows: Mapping[str, Interval],
    names: Mapping[str, str],
    *,
    line: float | None = None,
    outliers: Sequence[str] = (),
    percent: bool = True,
) -> Plot:
    """Return shares, as ``percent``, or other figures with their intervals, the largest first, from 0 on.

    ``line`` is the fair share, or the start value of all.
    """
    most = max([row.high for row in rows.values()] + [line or 0.0])
    size, sign, digits = (100.0, "%", 0) if percent else (1.0, "", 1)
    # no share is above all
    limit = 100.0 if percent else float("inf")
    steps = round_numbers(min(limit, size * most), MARKS)
    highest = min(limit, steps[-1])

    def words(interval: Interval) -> str:
        low = f"{size * interval.low:.0f}"
        high = f"{size * interval.high:.0f}"
        return f"{size * interval.middle:.{digits}f}{sign} ({low}–{high})"

    def across(value: float) -> float:
        return round(max(0.0, min(100.0, 100 * size * value / highest)), 2)

    plot = Plot(
        rows=[
            Plot(
                name=names.get(code, code),
                code=code,
                low=across(interval.low),
                middle=across(interval.middle),
                high=across(interval.high),
                text=words(interval),
                outlier=code in outliers,
            )
            for code, interval in sorted(rows.items(), key=lambda item: (-item[1].middle, item[0]))
        ],
        marks=[
            Plot(at=round(100 * step / highest, 2), text=f"{step:g}{sign}")
            for step in steps
            if step <= highest
        ],
        line=None,
        line_text="",
    )
    if line is not None:
        note = (
            "fair share {:.1f}%: what everybody would win by lot"
            if percent
            else "{:g}: what everybody begins with"
        )
        plot.line = across(line)
        plot.line_text = note.format(size * line)
    return plot


def strengths(league: League) -> Plot:
    """Return the ratings with their intervals."""
    return whiskers({rating.name: strength(rating) for rating in league.rated}, {}, line=START, percent=False)


def histogram(values: Sequence[int], most_bars: int = 20) -> Plot:
    """Return how often each value occurs, in bars of equal width. Raises ``ValueError`` for no values."""
    low = min(values)
    high = max(values)
    step = max(1, ceil((high - low + 1) / most_bars))
    counts = [0] * ((high - low) // step + 1)
    for value in values:
        counts[(value - low) // step] += 1
    up = [mark for mark in round_numbers(max(counts), MARKS) if mark == int(mark)]
    plot, y = _plot(WIDTH, HEIGHT, LEFT, BOTTOM, up)
    room = WIDTH - LEFT - RIGHT
    # a single bar over the whole width would look like a wall
    width = min(room / len(counts), 60)
    first = LEFT + (room - width * len(counts)) / 2

    def bar(index: int, count: int) -> Plot:
        """Return one bar of the histogram."""
        start = low + index * step
        return Plot(
            text=f"{start}" if step == 1 else f"{start}–{min(high, start + step - 1)}",
            count=count,
            x=round(first + index * width + 1, 1),
            y=y(count),
            width=round(width - 2, 1),
            height=round((plot.bottom - TOP) * count / up[-1], 1),
        )

    plot.bars = [bar(index, count) for index, count in enumerate(counts)]
    texts_apart = max(1, ceil(len(counts) / 7))
    plot.across = [
        Plot(at=round(bar.x + bar.width / 2, 1), text=bar.text) for bar in plot.bars[::texts_apart]
    ]
    return plot


def round_numbers(top: float, about: int) -> list[float]:
    """Return round numbers from 0 up to the first one that is not below ``top``, ``about`` as many."""
    if top <= 0:
        return [0.0, 1.0]
    rough = top / about
    size = 10.0 ** floor(log10(rough))
    step = next(factor * size for factor in (1, 2, 2.5, 5, 10) if factor * size >= rough * 0.999)
    return [round(step * count, 9) for count in range(ceil(round(top / step, 6)) + 1)]


def short(value: float) -> str:
    """Return a figure for an axis: ``1.2k`` for 1,200."""
    return f"{value / 1000:g}k" if abs(value) >= 1000 else f"{value:g}"


def balance_lines(balance: Balance) -> list[str]:
    """Return the verdict for a terminal."""
    values = {"balance": balance, "bounds": (LEAST, MOST), "least_games": LEAST_GAMES}
    return render("simulation/balance.txt", values).splitlines()


def summary_lines(found: Findings) -> list[str]:
    """Return the realms and the bots in two tables, then the verdict on the balance."""
    verdict = balance_of(found)
    values = {
        "found": found,
        "names": found.names,
        "aligned": aligned,
        "verdict": balance_lines(verdict) if verdict else (),
    }
    values |= {"hold": HOLD}
    return render("simulation/summary.txt", values).split("\n")[:-1]


def summary_data(plan: Plan, found: Findings) -> dict[str, Any]:
    """Return the summary as data."""
    verdict = balance_of(found)
    outliers = verdict and {
        **{name: list(getattr(verdict, name)) for name in ("favoured", "starved", "shrinking")},
        "lot": None if verdict.lot is None else round(verdict.lot, 4),
        "enough_games": verdict.enough,
    }
    return {
        "simulation": plan.identity,
        **{name: getattr(found, name) for name in ("games", "repeated")},
        "turns": sum(found.lengths),
        "ends": dict(sorted(found.reasons.items())),
        **{name: getattr(found, name) for name in ("orders", "failed", "refused")},
        "realms": {code: _tally(tally) for code, tally in sorted(found.realms.items())},
        "bots": {bot: _tally(tally) for bot, tally in sorted(found.bots.items())},
        "outliers": outliers,
        "course": [_turn(found, turn) for turn in found.course[COURSE[0]]],
        "conquests": {
            "taken": found.taken,
            "lost_again": sum(lost for lost, _ in found.lost),
            "within_turns": HOLD,
        },
        "never_used": dict(found.unused),
    }


def _turn(found: Findings, turn: int) -> dict[str, float]:
    """Return the averages of a turn, over the games that came to it."""
    means = {name.replace(" ", "_"): round(fmean(found.course[name][turn]), 4) for name in COURSE}
    return {"turn": turn, "games": len(found.course[COURSE[0]][turn]), **means}


def _tally(tally: Tally) -> dict[str, Any]:
    """Return the results of a realm or a bot as data: shares as lower end, middle and upper end."""
    return {
        **{name: getattr(tally, name) for name in ("games", "finished", "wins", "led")},
        "win_rate": tally.winning.rounded,
        "first_rate": tally.first.rounded,
        "survival": tally.lasting.rounded,
        "mean_place": round(tally.mean_rank, 2),
        "growth": tally.growth.middle,
        "fair_first_rate": round(tally.fair_first_share, 4),
    }
