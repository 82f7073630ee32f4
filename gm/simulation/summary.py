"""What a simulation shows, in a few lines for a terminal and as data for scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.simulation.balance import balance_lines, balance_of
from gm.simulation.findings import Findings, Tally
from gm.simulation.plan import Plan
from gm.simulation.statistics import Interval
from gm.text.pages import aligned, counted


def summary_lines(found: Findings, names: Mapping[str, str]) -> list[str]:
    """The realms and the bots in two tables, then the verdict on the balance."""
    ends = ", ".join(f"{count} by {reason}" for reason, count in sorted(found.reasons.items()))
    mean = sum(found.lengths) / found.games
    lines = [
        f"{counted(found.games, 'game')} of {mean:.1f} turns on average ({ends}); {found.orders:,} orders, "
        f"{found.failed:,} of them could not be carried out, {found.refused:,} were refused by the reader.",
        *repeats(found),
        "",
        *_table("realm", found, {code: names.get(code, code) for code in sorted(found.realms)}, found.realms),
    ]
    if len(found.bots) > 1:
        lines += ["", *_table("bot", found, dict.fromkeys(sorted(found.bots), ""), found.bots)]
    verdict = balance_of(found)
    if verdict is not None:
        lines += ["", *balance_lines(verdict)]
    if found.refusals:
        lines += ["", "Orders of bots that were refused:", *found.refusals]
    return lines


def repeats(found: Findings) -> list[str]:
    """How many games were another one over again, and are not counted twice."""
    if not found.repeated:
        return []
    return [
        f"{counted(found.repeated, 'more game was', 'more games were')} one of these over again, move by move, since "
        "nothing was drawn in them: they prove nothing more and are not counted."
    ]


def _table(what: str, found: Findings, names: Mapping[str, str], tallies: Mapping[str, Tally]) -> list[str]:
    score = found.columns[0]
    head = [what, "", "wins", "95% interval", "led unfinished", "lasted", "mean place"]
    rows = [[*head, f"growth of {score}", f"{score} at the end"]]
    for code, name in names.items():
        each = tallies[code]
        wins = each.winning
        rows.append(
            [
                code,
                name,
                f"{100 * wins.middle:.1f}%" if each.finished else "–",
                f"{100 * wins.low:.1f}-{100 * wins.high:.1f}%" if each.finished else "–",
                f"{each.led} of {each.games - each.finished}",
                f"{100 * each.lasting.middle:.0f}%",
                f"{each.mean_rank:.1f}",
                f"{each.growth.middle:+.1f}",
                f"{each.median_end(0):.1f}",
            ]
        )
    return aligned(rows, left=2)


def summary_data(plan: Plan, found: Findings) -> dict[str, Any]:
    """The same as data."""
    verdict = balance_of(found)
    return {
        "simulation": plan.identity,
        "games": found.games,
        "repeated": found.repeated,
        "turns": sum(found.lengths),
        "ends": dict(sorted(found.reasons.items())),
        "orders": found.orders,
        "failed": found.failed,
        "refused": found.refused,
        "realms": {code: _tally(each) for code, each in sorted(found.realms.items())},
        "bots": {bot: _tally(each) for bot, each in sorted(found.bots.items())},
        "outliers": None
        if verdict is None
        else {
            "survival": list(verdict.survival.outliers),
            "growth": list(verdict.growth.outliers),
            "wins": list(verdict.favoured),
            "enough_games": verdict.enough,
        },
        "never_used": dict(found.unused),
    }


def _tally(each: Tally) -> dict[str, Any]:
    return {
        "games": each.games,
        "finished": each.finished,
        "wins": each.wins,
        "led": each.led,
        "win_rate": _interval(each.winning),
        "survival": _interval(each.lasting),
        "mean_place": round(each.mean_rank, 2),
        "growth": each.growth.middle,
    }


def _interval(found: Interval) -> list[float]:
    return [round(value, 4) for value in (found.low, found.middle, found.high)]
