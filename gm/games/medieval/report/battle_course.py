"""The course of a battle: camps, their strength before each round, the turning point, and walls (B14)."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import chain
from typing import Any

from gm.games.medieval.combat.report import BattleReport, BattleUnit
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.report.battle_why import enemies_of

CLEARLY = Decimal("1.1")  # from so many times the other's strength a side has the better of it
DECISIVE = Decimal("0.42")  # a round that costs so much of all hit points has decided a battle


def turning_of(report: BattleReport) -> dict[str, Any]:
    """Return the values of the sentence about a battle's turning point.

    ``rounds``: their number. ``winner``, ``loser``: the codes of the realms of the two sides, if one of two
    has won. ``turning``: which sentence it is:

    * ``turned``, ``outset``: the losers were clearly stronger before ``round``, and before no later one;
    * ``decided``: in ``round`` the losers lost so many ``sixths`` of their hit points;
    * ``close``, ``steady``: none of these in more than two rounds, with the sides once about equal, or never;
    * else the length of the battle (:func:`_length`).
    """
    rounds = len(report.rounds)
    sides = camps(report)
    values: dict[str, Any] = {"turning": _length(report), "rounds": rounds}
    if not report.winners or not rounds or len(sides) != 2:
        return values
    victors, beaten = sides if report.winners[0] in sides[0] else reversed(sides)
    values |= {"winner": report.winners, "loser": beaten}
    victors_strengths, _ = _course(report, victors)
    beaten_strengths, beaten_losses = _course(report, beaten)
    strengths = list(zip(victors_strengths, beaten_strengths, strict=True))
    rounds_behind = [number for number, (ours, theirs) in enumerate(strengths) if theirs > CLEARLY * ours]
    if rounds_behind:
        last = rounds_behind[-1]
        return values | {"turning": "turned" if last else "outset", "round": last + 1}
    if rounds <= 2:
        return values
    worst = max(beaten_losses)
    if worst >= DECISIVE:
        number = beaten_losses.index(worst) + 1
        return values | {"turning": "decided", "round": number, "sixths": round(6 * worst)}
    was_even = any(CLEARLY * theirs > ours for ours, theirs in strengths)
    return values | {"turning": "close" if was_even else "steady"}


def _length(report: BattleReport) -> str:
    """Return the word for a battle's length: drawn, long or swift; empty without a fight."""
    if report.result == "drawn":
        return "drawn"
    if len(report.rounds) > 2:
        return "long"
    return "swift" if report.rounds else ""


def camps(report: BattleReport) -> list[tuple[str, ...]]:
    """Return the codes of the realms in each camp: two camps, if enemies are in different ones.

    Otherwise each realm is a camp of its own. Of two, the attackers of the place's owner come first; if the
    owner does not fight, the camp of the first realm.
    """
    first_realm = report.owner if report.owner in report.realms else report.realms[0]
    foes = enemies_of(report, first_realm)
    if foes and all((a in foes) != (b in foes) for a, b in report.wars):
        friends = tuple(code for code in report.realms if code not in foes)
        return [foes, friends] if first_realm == report.owner else [friends, foes]
    return [(code,) for code in report.realms]


def _course(report: BattleReport, codes: Sequence[str]) -> tuple[list[Decimal], list[Decimal]]:
    """Return (these realms' strength before each round, the part of their hit points that they lost in it).

    Strength is expected hits times hit points left; the part is of all hit points that they had at first.
    """
    points_left = {unit.unit: report.points_left(unit) for unit in report.units if unit.realm in codes}
    first_points = sum((points[0] for points in points_left.values()), Decimal(0)) or Decimal(1)
    strengths = []
    lost_parts = []
    for number, fought in enumerate(report.rounds):
        units = [unit_round for unit_round in fought.units if unit_round.unit in points_left]
        # an old log has no expected hits: then the hit points alone are compared
        hits = sum((Decimal(1) if unit.expected is None else unit.expected for unit in units), Decimal(0))
        # the last entry, if there is none for this round
        points = sum(points_left[unit.unit][: number + 1][-1] for unit in units)
        strengths.append(hits * points)
        lost_parts.append(sum((unit.taken for unit in units), Decimal(0)) / first_points)
    return strengths, lost_parts


def hits_behind_walls(report: BattleReport, rules: Rules) -> tuple[Decimal, Decimal] | None:
    """Return (hits on defenders behind walls, how many of these the walls took); None if nobody was there.

    The walls took the hit points that they add to defenders who fell, as far as barracks had room for them
    (B5.1, B8).
    """
    level = rules.fortification(report.fortification)
    defenders = {unit.unit: unit for unit in report.units if unit.defends and unit.heads}
    if not level or not defenders:
        return None
    unit_rounds = chain.from_iterable(fought.units for fought in report.rounds)
    hits = sum((unit.taken for unit in unit_rounds if unit.unit in defenders), Decimal(0))
    saved = Decimal(0)
    for end in report.ends:
        if end.unit in defenders:
            unit = defenders[end.unit]
            part_lost = Decimal(end.lost) / min(level.barracks, unit.heads)
            saved += _points_from_walls(unit, rules) * min(Decimal(1), part_lost)
    return hits, min(saved, hits)


def _points_from_walls(unit: BattleUnit, rules: Rules) -> Decimal:
    """Return the hit points that walls add to a unit."""
    of_troops = sum((row.count * rules.troops[row.troop].hit_points for row in unit.troops), Decimal(0))
    return unit.hit_points - of_troops - len(unit.commanders) * rules.commanders.hit_points
