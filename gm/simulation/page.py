"""The page with the plots: one HTML file that opens offline, made of the findings alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gm.game.rule_book import FAILED
from gm.resources import resource
from gm.simulation.balance import LEAST_GAMES, MOST_WINS, balance_of
from gm.simulation.charts import curve, histogram, whiskers
from gm.simulation.findings import UNFINISHED, Findings, Tally
from gm.simulation.plan import Plan
from gm.text.pages import render

REASONS = {
    "victory": "ended with a victory",
    "draw": "ended with nobody left to win",
    UNFINISHED: "unfinished: stopped at the last turn without a victory",
}


@dataclass(frozen=True, slots=True)
class Use:
    """A rule and how often it was used: in all, by game, and as percent of the most used rule of its kind."""

    name: str
    uses: int
    per_game: float
    games: int
    percent: float


def simulation_page(
    plan: Plan, title: str, names: Mapping[str, str], abouts: Mapping[str, str], found: Findings
) -> str:
    """The page. ``title`` is the game's, ``names`` the realms' by code, ``abouts`` how each bot plays.

    Raises ``ValueError`` when there is no game to tell of.
    """
    if not found.games:
        raise ValueError("no game has been played: there is nothing to show")
    verdict = balance_of(found)
    fair = next(iter(found.realms.values())).fair_share
    fair_first = next(iter(found.realms.values())).fair_first_share
    lot, lot_first = (f"fair share {100 * each:.1f}%" for each in (fair, fair_first))
    finished = any(each.finished for each in found.realms.values())
    score = found.columns[0]
    top = max(each.high for code in found.realms for each in found.score_curve(code))
    values = {
        "plan": plan,
        "title": title,
        "names": names,
        "found": found,
        "score": score,
        "reasons": [(count, REASONS[reason]) for reason, count in sorted(found.reasons.items())],
        "verdict": verdict,
        "least_games": LEAST_GAMES,
        "most_wins": MOST_WINS,
        "wins": whiskers({code: each.winning for code, each in found.realms.items()}, names, line=fair, line_text=lot)
        if finished
        else "",
        "first": whiskers(
            {code: each.first for code, each in found.realms.items()},
            names,
            line=fair_first,
            line_text=lot_first,
            outliers=verdict.favoured if verdict else (),
        ),
        "lasting": whiskers(
            {code: each.lasting for code, each in found.realms.items()},
            names,
            outliers=verdict.survival.outliers if verdict else (),
        ),
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
        "bot_wins": whiskers(
            {bot: each.first for bot, each in found.bots.items()},
            {},
            line=fair_first,
            line_text=lot_first,
        ),
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


def _uses(found: Findings) -> list[tuple[str, list[Use]]]:
    """By kind, the rules that were used, the most used first."""
    kinds = []
    for kind, counts in sorted(found.uses.items()):
        used = sorted(((name, count) for name, count in counts.items() if count), key=lambda each: (-each[1], each[0]))
        most = used[0][1] if used else 1
        kinds.append(
            (
                kind,
                [
                    Use(name, count, count / found.games, found.used_in[kind][name], round(100 * count / most, 1))
                    for name, count in used
                ],
            )
        )
    return [(kind, rows) for kind, rows in kinds if rows]
