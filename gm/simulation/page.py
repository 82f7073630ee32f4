"""The page with the plots: one HTML file that opens offline, made of the findings alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from gm.game.rule_book import FAILED
from gm.resources import resource
from gm.simulation.balance import LEAST_GAMES, MOST_WINS, balance_of
from gm.simulation.charts import Plot, curve, histogram, whiskers
from gm.simulation.findings import UNFINISHED, Findings, Tally
from gm.simulation.plan import Plan
from gm.simulation.statistics import Interval
from gm.text.pages import render

REASONS = {
    "victory": "ended with a victory",
    "draw": "ended with nobody left to win",
    UNFINISHED: "unfinished: stopped at the last turn without a victory",
}


def simulation_page(
    plan: Plan, title: str, names: Mapping[str, str], abouts: Mapping[str, str], found: Findings
) -> str:
    """The page. ``title`` is the game's, ``names`` the realms' by code, ``abouts`` how each bot plays.

    Raises ``ValueError`` when there is no game to tell of.
    """
    if not found.games:
        raise ValueError("no game has been played: there is nothing to show")
    verdict = balance_of(found)
    tally = next(iter(found.realms.values()))
    fair, fair_first = tally.fair_share, tally.fair_first_share
    top = max(each.high for code in found.realms for each in found.score_curve(code))

    def shares(get: Callable[[Tally], Interval], line: float | None = None, outliers: tuple[str, ...] = ()) -> Plot:
        text = "" if line is None else f"fair share {100 * line:.1f}%"
        rows = {code: get(each) for code, each in found.realms.items()}
        return whiskers(rows, names, line=line, line_text=text, outliers=outliers)

    bot_wins = {bot: each.first for bot, each in found.bots.items()}
    values = {
        "plan": plan,
        "title": title,
        "names": names,
        "found": found,
        "score": found.columns[0],
        "reasons": [(count, REASONS[reason]) for reason, count in sorted(found.reasons.items())],
        "verdict": verdict,
        "least_games": LEAST_GAMES,
        "most_wins": MOST_WINS,
        "wins": shares(attrgetter("winning"), fair) if any(each.finished for each in found.realms.values()) else "",
        "first": shares(attrgetter("first"), fair_first, verdict.favoured if verdict else ()),
        "lasting": shares(attrgetter("lasting"), outliers=verdict.survival.outliers if verdict else ()),
        "growth": [
            (code, names.get(code, code), curve(found.score_curve(code), top=top, small=True))
            for code in sorted(found.realms)
        ],
        "grown_apart": verdict.growth.outliers if verdict else (),
        "sums": [(column, curve(found.sum_curve(column))) for column in found.columns],
        "out": curve(found.out_curve(), top=1.0),
        "lengths": histogram(found.lengths),
        "realms": _rows(found.realms, found, names),
        "bots": _rows(found.bots, found, {}),
        "abouts": abouts,
        "bot_wins": whiskers(bot_wins, {}, line=fair_first, line_text=f"fair share {100 * fair_first:.1f}%"),
        "uses": _uses(found),
        "unused": {kind: rules for kind, rules in found.unused.items() if kind != FAILED},
        "failures": FAILED,
    }
    return render(resource("templates"), "simulation/report.html", values)


def _rows(tallies: Mapping[str, Tally], found: Findings, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """The figures of realms or bots, by code."""
    return [
        {
            "code": code,
            "name": names.get(code, code),
            "tally": tally,
            "first_out": min(tally.outs, default=None),
            "ends": [tally.median_end(column) for column in range(len(found.columns))],
        }
        for code, tally in sorted(tallies.items())
    ]


def _uses(found: Findings) -> list[tuple[str, list[dict[str, Any]]]]:
    """By kind, the rules that were used, the most used first; ``percent``: of the uses of the first."""
    kinds = []
    for kind, counts in sorted(found.uses.items()):
        used = [(name, count) for name, count in sorted(counts.items(), key=lambda each: (-each[1], each[0])) if count]
        rows = [
            {
                "name": name,
                "per_game": count / found.games,
                "games": found.used_in[kind][name],
                "percent": round(100 * count / used[0][1], 1),
            }
            for name, count in used
        ]
        if rows:
            kinds.append((kind, rows))
    return kinds
