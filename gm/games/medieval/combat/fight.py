"""A whole battle, from round 1 to the report (B4-B14)."""

from __future__ import annotations

from gm.games.medieval.combat.aftermath import (
    back_over_the_border,
    ends,
    losses_booked,
    losses_written,
    plans_end,
    winners_of,
    wounded_die,
)
from gm.games.medieval.combat.battle import BORDER, LAND, SEA, Battle
from gm.games.medieval.combat.report import BattleReport, BattleRound, WoundedRoll
from gm.games.medieval.combat.retreats import invaders_retreat, units_retreat
from gm.games.medieval.combat.rounds import casualties_leave, fight_rounds
from gm.games.medieval.combat.skills import leaders_learn
from gm.games.medieval.combat.wrecks import mutineers_left, wrecks_settled
from gm.games.medieval.events.battle import BattleFought


def fight(battle: Battle) -> BattleReport:
    """Fight a battle that is drawn up; the field has its outcome and its events, the report its story.

    The report's event goes out before those of its consequences.
    """
    field = battle.field
    earlier, field.events = field.events, []
    wounded = fight_it_out(battle)
    losses_written(battle)
    winners = winners_of(battle)
    captures = losses_booked(battle, winners)
    leaders_learn(battle, winners)
    places = [field.unit(each.key).place for each in battle.contingents]
    if battle.kind == SEA:
        mutineers_left(battle)
        wrecks_settled(battle, frozenset(each.into for each in captures if each.into))
    if battle.kind == BORDER:
        back_over_the_border(battle)
    if battle.kind == LAND:
        field.mark_province(battle.place, battle=True)
    plans_end(battle)
    report = BattleReport(
        kind=battle.kind,
        place=battle.place,
        other_place=battle.other_place,
        phase=field.phase,
        owner=battle.owner,
        mutiny=battle.mutiny,
        realms=battle.realms,
        units=battle.units,
        siege=battle.siege,
        fortification=battle.fortification,
        tactics_divisor=battle.tactics_divisor,
        rounds=tuple(battle.rounds),
        result="drawn" if battle.drawn else "won" if winners else "nobody",
        winners=winners,
        wounded=wounded,
        captures=captures,
        skills=tuple(battle.skills),
        rescues=tuple(battle.rescues),
        ends=ends(battle, places),
        wars=tuple((a, b) for a in battle.realms for b in battle.enemies[a] if a < b),
    )
    told = BattleFought(place=battle.name, battle=battle.kind, winners=winners, report=report)
    field.events = [*earlier, told, *field.events]
    return report


def fight_it_out(battle: Battle) -> tuple[WoundedRoll, ...]:
    """All rounds and the fate of the wounded (B4-B11). Of the field, only units that retreat are touched."""
    fight_rounds(battle)
    return _after_the_rounds(battle)


def fight_on(battle: Battle) -> tuple[WoundedRoll, ...]:
    """The same for a battle that stands at the end of a round, before anybody retreats from it (B9)."""
    units_retreat(battle)
    fight_rounds(battle)
    return _after_the_rounds(battle)


def _after_the_rounds(battle: Battle) -> tuple[WoundedRoll, ...]:
    if battle.drawn:
        casualties_leave(battle)
        _add_retreats(battle)
    return wounded_die(battle)


def _add_retreats(battle: Battle) -> None:
    """Put the retreats after a drawn battle into its last round's record."""
    retreats = invaders_retreat(battle)
    if battle.rounds and retreats:
        last = battle.rounds.pop()
        battle.rounds.append(BattleRound(number=last.number, units=last.units, retreats=(*last.retreats, *retreats)))
