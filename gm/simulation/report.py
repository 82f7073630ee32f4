"""What a simulation shows: a page with plots, whose geometry is here and which templates draw, some lines, and data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
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

Plot = SimpleNamespace  # What ``templates/simulation/parts.html`` draws of a plot, or of a mark, a row or a bar of one


def simulation_page(
    plan: Plan,
    title: str,
    abouts: Mapping[str, str],
    found: Findings,
    league: League | None = None,
) -> str:
    """Return the page of a game of this ``title``; ``abouts``: how each bot plays; ``league``: how strong each is.

    Raises ``ValueError`` for no game.
    """
    names = found.names
    if not found.games:
        raise ValueError("no game has been played: there is nothing to show")
    verdict = balance_of(found)
    tally = next(iter(found.realms.values()))
    fair = tally.fair / max(1, tally.finished)
    fair_first = tally.fair_first_share
    scores = {code: list(map(quartiles, found.scores[code].values())) for code in sorted(found.realms)}
    top = max(curve.high for curves in scores.values() for curve in curves)

    def shares(get: Callable[[Tally], Interval], line: float | None = None, outliers: Sequence[str] = ()) -> Plot:
        return whiskers({code: get(realm) for code, realm in found.realms.items()}, names, line=line, outliers=outliers)

    war = {name: course_means(found, name) for name in COURSE[:2]}
    values = {
        "plan": plan,
        "title": title,
        "names": names,
        "abouts": abouts,
        "found": found,
        "league": league,
        "strengths": league and strengths(league),
        "score": found.columns[0],
        "verdict": verdict,
        "least_games": LEAST_GAMES,
        "bounds": (LEAST, MOST),
        "wins": shares(attrgetter("winning"), fair) if any(realm.finished for realm in found.realms.values()) else "",
        "first": shares(attrgetter("first"), fair_first, (*verdict.favoured, *verdict.starved) if verdict else ()),
        "lasting": shares(attrgetter("lasting")),
        "growth": [(code, names.get(code, code), curve(score, top=top, small=True)) for code, score in scores.items()],
        "shrinking": verdict.shrinking if verdict else (),
        "sums": [(column, curve(list(map(quartiles, found.sums[column].values())))) for column in found.columns],
        # the counts are small: their mean says more than their median
        "course": [(name, curve(war[name], first=1)) for name in war if any(interval.high for interval in war[name])],
        "hold": HOLD,
        "out": curve(
            [replace(quartiles(turns_out), middle=fmean(turns_out)) for turns_out in found.out.values()], top=1.0
        ),
        "lengths": histogram(found.lengths),
        "bot_wins": whiskers({bot: tally.first for bot, tally in found.bots.items()}, {}, line=fair_first),
        "unused": {kind: rules for kind, rules in found.unused.items() if kind != FAILED},
        "failures": FAILED,
    }
    return render("simulation/report.html", values)


def course_means(found: Findings, name: str) -> list[Interval]:
    """Return what ``COURSE`` names, by turn: the mean, since counts are small, and the middle half of the games."""
    return [replace(quartiles(values), middle=fmean(values)) for values in found.course[name].values()]


def _plot(
    width: int, height: int, left: int, margin: int, steps: Sequence[float]
) -> tuple[Plot, Callable[[float], float]]:
    """Return a plot with these marks on its upward axis, and where a value stands on it."""
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
    """Return the median of a figure by turn, from the ``first`` on, and the ``band`` between its quartiles.

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

    low, line, high = (
        [f"{x(turn):g},{y(getattr(value, name)):g}" for turn, value in enumerate(values)]
        for name in ("low", "middle", "high")
    )
    whole = [
        turn for turn in round_numbers(first + turns, MARKS) if first <= turn <= first + turns and turn == int(turn)
    ]
    plot.first = first
    plot.line = " ".join(line)
    plot.band = " ".join([*high, *reversed(low)])
    plot.across = [Plot(at=x(turn - first), text=f"{turn:g}") for turn in ([first, first + turns] if small else whole)]
    plot.start = values[0]
    plot.end = values[-1]
    plot.turns = first + last
    plot.last = (x(last), y(values[-1].middle))
    return plot


def whiskers(
    rows: Mapping[str, Interval],
    names: Mapping[str, str],
    *,
    line: float | None = None,
    outliers: Sequence[str] = (),
    percent: bool = True,
) -> Plot:
    """Shares, as ``percent``, or other figures with their intervals, the largest first, on a scale from 0.

    ``line`` is the fair share, or what everybody begins with.
    """
    most = max([row.high for row in rows.values()] + [line or 0.0])
    size, sign, digits = (100.0, "%", 0) if percent else (1.0, "", 1)
    # no share is above all
    limit = 100.0 if percent else float("inf")
    steps = round_numbers(min(limit, size * most), MARKS)
    highest = min(limit, steps[-1])
    note = "fair share {:.1f}%: what everybody would win by lot" if percent else "{:g}: what everybody begins with"

    def words(each: Interval) -> str:
        low, high = (f"{size * end:.0f}" for end in (each.low, each.high))
        return f"{size * each.middle:.{digits}f}{sign} ({low}–{high})"

    def across(value: float) -> float:
        return round(max(0.0, min(100.0, 100 * size * value / highest)), 2)

    return Plot(
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
        marks=[Plot(at=round(100 * step / highest, 2), text=f"{step:g}{sign}") for step in steps if step <= highest],
        line=None if line is None else across(line),
        line_text="" if line is None else note.format(size * line),
    )


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
    plot.bars = []
    for index, count in enumerate(counts):
        start = low + index * step
        tall = (plot.bottom - TOP) * count / up[-1]
        text = f"{start}" if step == 1 else f"{start}–{min(high, start + step - 1)}"
        size = {"x": round(first + index * width + 1, 1), "width": round(width - 2, 1), "height": round(tall, 1)}
        plot.bars.append(Plot(text=text, count=count, y=y(count), **size))
    every = max(1, ceil(len(counts) / 7))
    plot.across = [Plot(at=round(bar.x + bar.width / 2, 1), text=bar.text) for bar in plot.bars[::every]]
    return plot


def round_numbers(top: float, about: int) -> list[float]:
    """About so many round numbers from 0 up to the first one that is not below ``top``."""
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
    """Return the same as data."""
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
        "conquests": {"taken": found.taken, "lost_again": sum(lost for lost, _ in found.lost), "within_turns": HOLD},
        "never_used": dict(found.unused),
    }


def _turn(found: Findings, turn: int) -> dict[str, float]:
    """Return what a turn was like on average, in the games that came to it."""
    means = {name.replace(" ", "_"): round(fmean(found.course[name][turn]), 4) for name in COURSE}
    return {"turn": turn, "games": len(found.course[COURSE[0]][turn]), **means}


def _tally(each: Tally) -> dict[str, Any]:
    shares = {"win_rate": each.winning, "first_rate": each.first, "survival": each.lasting}
    return {
        **{name: getattr(each, name) for name in ("games", "finished", "wins", "led")},
        **{name: [round(value, 4) for value in (it.low, it.middle, it.high)] for name, it in shares.items()},
        "mean_place": round(each.mean_rank, 2),
        "growth": each.growth.middle,
        "fair_first_rate": round(each.fair_first_share, 4),
    }
