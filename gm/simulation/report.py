"""The report of a simulation: a page with plots, some lines, and data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from statistics import fmean
from typing import Any

from gm.game.base.events import FAILED
from gm.simulation.estimates import Interval, quartiles
from gm.simulation.findings import LEAST, LEAST_GAMES, MOST, Balance, Findings, Tally, balance_of
from gm.simulation.league import START, League, strength
from gm.simulation.plan import Plan
from gm.simulation.plots import Plot, curve, histogram, whiskers
from gm.simulation.record import COURSE, HOLD
from gm.text.pages import aligned, render


def simulation_page(
    plan: Plan,
    title: str,
    abouts: Mapping[str, str],
    found: Findings,
    league: League | None = None,
) -> str:
    """Return the page of a game of this ``title``; ``abouts``: a description of each bot.

    ``league``: the strengths of the bots. Raises ``ValueError`` for no game.
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
    """Return the plots of the shares in which each realm and each bot won, was first and lasted."""
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
    """Return whether a curve of these values is above the axis somewhere."""
    return any(value.high for value in values)


def course_means(found: Findings, name: str) -> list[Interval]:
    """Return a count of ``COURSE`` by turn: the mean, since counts are small, and the middle half."""
    return list(map(_mean_and_quartiles, found.course[name].values()))


def strengths(league: League) -> Plot:
    """Return the ratings with their intervals."""
    return whiskers({rating.name: strength(rating) for rating in league.rated}, {}, line=START, percent=False)


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
    """Return the averages of a turn over the games that reached it."""
    means = {name.replace(" ", "_"): round(fmean(found.course[name][turn]), 4) for name in COURSE}
    return {"turn": turn, "games": len(found.course[COURSE[0]][turn]), **means}


def _tally(tally: Tally) -> dict[str, Any]:
    """Return the results of a realm or a bot as data; a share is its lower end, middle and upper end."""
    return {
        **{name: getattr(tally, name) for name in ("games", "finished", "wins", "led")},
        "win_rate": tally.winning.rounded,
        "first_rate": tally.first.rounded,
        "survival": tally.lasting.rounded,
        "mean_place": round(tally.mean_rank, 2),
        "growth": tally.growth.middle,
        "fair_first_rate": round(tally.fair_first_share, 4),
    }
