"""The report of a simulation: a page with plots, some lines, and data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from statistics import fmean
from typing import Any

from gm.core.diagnostics import says
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
    findings: Findings,
    league: League | None = None,
) -> str:
    """Return the page with the results of a simulation, as HTML.

    ``title``: the game's; ``abouts``: a description of each bot by its name; ``league``: the strengths of the
    bots, if they were rated. Raises ``ValueError`` if no game has been played.
    """
    if not findings.games:
        raise ValueError(says("no game has been played: there is nothing to show"))
    verdict = balance_of(findings)
    values = {
        "plan": plan,
        "title": title,
        "names": findings.names,
        "abouts": abouts,
        "found": findings,
        "league": league,
        "strengths": league and strengths(league),
        "score": findings.columns[0],
        "verdict": verdict,
        "least_games": LEAST_GAMES,
        "bounds": (LEAST, MOST),
        "shrinking": verdict.shrinking if verdict else (),
        "hold": HOLD,
        "lengths": histogram(findings.lengths),
        "unused": {kind: rules for kind, rules in findings.unused.items() if kind != FAILED},
        "failures": FAILED,
        **_share_plots(findings, verdict),
        **_curves(findings),
    }
    return render("simulation/report.html", values)


def _share_plots(findings: Findings, verdict: Balance | None) -> dict[str, Plot | str]:
    """Return the plots of the shares of games that each realm won, was first in, or lasted.

    They are by their names in the template; "wins" is empty if no game was finished. "bot_wins" has the
    shares of games in which each bot was first.
    """
    # the fair shares of realms differ only if not all are in every game
    any_realm = next(iter(findings.realms.values()))
    fair = any_realm.fair / max(1, any_realm.finished)
    fair_first = any_realm.fair_first_share
    unfair = (*verdict.favoured, *verdict.starved) if verdict else ()
    has_finished = any(realm.finished for realm in findings.realms.values())

    def shares(
        get: Callable[[Tally], Interval], line: float | None = None, outliers: Sequence[str] = ()
    ) -> Plot:
        """Return the plot of a share of games, ``get(tally)``, for each realm. ``line``: the fair share."""
        rows = {code: get(realm) for code, realm in findings.realms.items()}
        return whiskers(rows, findings.names, line=line, outliers=outliers)

    return {
        "wins": shares(attrgetter("winning"), fair) if has_finished else "",
        "first": shares(attrgetter("first"), fair_first, unfair),
        "lasting": shares(attrgetter("lasting")),
        "bot_wins": whiskers({bot: tally.first for bot, tally in findings.bots.items()}, {}, line=fair_first),
    }


def _curves(findings: Findings) -> dict[str, Any]:
    """Return the plots of figures by turn, by their names in the template.

    They are each realm's score, the sum of each figure over all realms, the course, and the realms out.
    """
    scores = {code: _quartiles_by_turn(findings.scores[code]) for code in sorted(findings.realms)}
    # one scale for all realms
    top = max(interval.high for interval in chain.from_iterable(scores.values()))
    # battles and changes of hands; the other counts are parts of the changes
    course = [(name, course_means(findings, name)) for name in COURSE[:2]]
    out = [_mean_and_quartiles(counts) for counts in findings.out.values()]
    names = findings.names
    return {
        "growth": [
            (code, names.get(code, code), curve(score, top=top, small=True)) for code, score in scores.items()
        ],
        "sums": [(column, curve(_quartiles_by_turn(findings.sums[column]))) for column in findings.columns],
        "course": [(name, curve(means, first=1)) for name, means in course if _has_height(means)],
        "out": curve(out, top=1.0),
    }


def _quartiles_by_turn(values_by_turn: Mapping[int, Sequence[float]]) -> list[Interval]:
    """Return the quartiles of a figure's values in all games, turn by turn."""
    return list(map(quartiles, values_by_turn.values()))


def _mean_and_quartiles(values: Sequence[float]) -> Interval:
    """Return an interval with the quartiles of some values as its ends, and their mean as its middle."""
    return replace(quartiles(values), middle=fmean(values))


def _has_height(values: Iterable[Interval]) -> bool:
    """Return whether a curve of these values is above the axis somewhere."""
    return any(value.high for value in values)


def course_means(findings: Findings, name: str) -> list[Interval]:
    """Return for each turn the mean of a count of ``COURSE``, with the quartiles as its ends.

    Counts are small: their mean says more than their median. ``name``: the count's.
    """
    return list(map(_mean_and_quartiles, findings.course[name].values()))


def strengths(league: League) -> Plot:
    """Return the plot of the bots' ratings with their intervals."""
    return whiskers({rating.name: strength(rating) for rating in league.rated}, {}, line=START, percent=False)


def balance_lines(balance: Balance) -> list[str]:
    """Return the verdict on the balance as lines for a terminal."""
    values = {"balance": balance, "bounds": (LEAST, MOST), "least_games": LEAST_GAMES}
    return render("simulation/balance.txt", values).splitlines()


def summary_lines(findings: Findings) -> list[str]:
    """Return lines for a terminal: the realms and the bots in two tables, then the verdict on the balance."""
    verdict = balance_of(findings)
    values = {
        "found": findings,
        "names": findings.names,
        "aligned": aligned,
        "verdict": balance_lines(verdict) if verdict else (),
        "hold": HOLD,
    }
    return render("simulation/summary.txt", values).split("\n")[:-1]  # the text ends with a line end


def summary_data(plan: Plan, findings: Findings) -> dict[str, Any]:
    """Return the summary of a simulation as data."""
    verdict = balance_of(findings)
    outliers = verdict and {
        **{name: list(getattr(verdict, name)) for name in ("favoured", "starved", "shrinking")},
        "lot": None if verdict.lot is None else round(verdict.lot, 4),
        "enough_games": verdict.enough,
    }
    return {
        "simulation": plan.identity,
        **{name: getattr(findings, name) for name in ("games", "repeated")},
        "turns": sum(findings.lengths),
        "ends": dict(sorted(findings.reasons.items())),
        **{name: getattr(findings, name) for name in ("orders", "failed", "refused")},
        "realms": {code: _tally_data(tally) for code, tally in sorted(findings.realms.items())},
        "bots": {bot: _tally_data(tally) for bot, tally in sorted(findings.bots.items())},
        "outliers": outliers,
        # every count of the course has the same turns
        "course": [_turn_data(findings, turn) for turn in findings.course[COURSE[0]]],
        "conquests": {
            "taken": findings.taken,
            "lost_again": sum(lost for lost, _ in findings.lost),
            "within_turns": HOLD,
        },
        "never_used": dict(findings.unused),
    }


def _turn_data(findings: Findings, turn: int) -> dict[str, float]:
    """Return the number of games that reached a turn, and the average of each count of ``COURSE`` in them."""
    means = {name.replace(" ", "_"): round(fmean(findings.course[name][turn]), 4) for name in COURSE}
    return {"turn": turn, "games": len(findings.course[COURSE[0]][turn]), **means}


def _tally_data(tally: Tally) -> dict[str, Any]:
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
