"""The course of a battle: its camps, their strength before each round, length and turning point (B14)."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.report.battle_why import enemies_of

CLEARLY = Decimal("1.1")  # from so many times the other's strength a side has the better of it
DECISIVE = Decimal("0.42")  # a round that costs so much of all hit points has decided a battle


def turning_of(report: BattleReport) -> dict[str, Any]:
    """Return the length, and the round from which on one of two sides had the better of it.

    If there is none, it is the round with the losers' greatest losses. ``winner``, ``loser``: the codes of
    the two sides.
    """
    rounds = len(report.rounds)
    sides = camps(report)
    values: dict[str, Any] = {"turning": _length(report), "rounds": rounds}
    if not report.winners or not rounds or len(sides) != 2:
        return values
    victors, beaten = sides if report.winners[0] in sides[0] else reversed(sides)
    values |= {"winner": report.winners, "loser": beaten}
    ours, _ = _course(report, victors)
    theirs, costs = _course(report, beaten)
    behind = [number for number in range(rounds) if theirs[number] > CLEARLY * ours[number]]
    if behind:
        return values | {"turning": "turned" if behind[-1] else "outset", "round": behind[-1] + 1}
    if rounds <= 2:
        return values
    worst = max(costs)
    if worst >= DECISIVE:
        return values | {"turning": "decided", "round": costs.index(worst) + 1, "sixths": round(6 * worst)}
    was_even = any(CLEARLY * theirs[number] > ours[number] for number in range(rounds))
    return values | {"turning": "close" if was_even else "steady"}


def _length(report: BattleReport) -> str:
    """Return the word for a battle's length: drawn, long or swift; empty without a fight."""
    if report.result == "drawn":
        return "drawn"
    if len(report.rounds) > 2:
        return "long"
    return "swift" if report.rounds else ""


def camps(report: BattleReport) -> list[tuple[str, ...]]:
    """Return two camps, the owner's attackers first, if no two enemies share one; else each realm."""
    owner_side = report.owner if report.owner in report.realms else report.realms[0]
    foes = enemies_of(report, owner_side)
    if foes and all((a in foes) != (b in foes) for a, b in report.wars):
        friends = tuple(code for code in report.realms if code not in foes)
        return [foes, friends] if owner_side == report.owner else [friends, foes]
    return [(code,) for code in report.realms]


def _course(report: BattleReport, codes: Sequence[str]) -> tuple[list[Decimal], list[Decimal]]:
    """Return these realms' strength before each round, and the part of their hit points lost in it.

    Strength is expected hits times hit points left; the part is of all hit points that they brought.
    """
    points_left = {unit.unit: report.points_left(unit) for unit in report.units if unit.realm in codes}
    whole = sum((strengths[0] for strengths in points_left.values()), Decimal(0)) or Decimal(1)
    strengths = []
    costs = []
    for number, fought in enumerate(report.rounds):
        parts = [part for part in fought.units if part.unit in points_left]
        hits = sum((Decimal(1) if part.expected is None else part.expected for part in parts), Decimal(0))
        strengths.append(hits * sum(points_left[part.unit][: number + 1][-1] for part in parts))
        costs.append(sum((part.taken for part in parts), Decimal(0)) / whole)
    return strengths, costs
