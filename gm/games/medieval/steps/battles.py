"""Battles at sea, at borders and on land (M6, M11, M12): where enemies meet, they fight."""

from __future__ import annotations

from gm.games.medieval.combat.battle import Field
from gm.games.medieval.combat.fight import fight
from gm.games.medieval.combat.setup import border_battle, is_mutineer, land_battle, sea_battle
from gm.games.medieval.combat.wrecks import idle_mutineers_lost, put_ashore
from gm.games.medieval.state import Unit, UnitKind
from gm.games.medieval.steps.workspace import step


@step("Sea Battles Are Fought", "M6", "M6.1", "B9.3", "B10", "B12", "B13", on=Field)
def sea_battles_fought(field: Field) -> None:
    """Enemy fleets in one sea fight, sea by sea in map order, until no enemies share a sea. A fleet that retreats to
    another enemy fights again there; the same fleets do not fight a drawn battle twice. Guests of a host who is now
    their enemy are put ashore if docked, and fight in this step if at sea.
    Reads: fleets, armies aboard, relations, the map. Writes: units, their progress, commanders' skills, plans.
    Emits: BattleFought, and what follows from it (events/battle.py, events/ledger.py), OrderSettled.
    """
    fleets, armies = field.world.of_kind(UnitKind.FLEET), field.world.of_kind(UnitKind.ARMY)
    meeting = field.meeting_places([*fleets, *(army for army in armies if army.aboard is not None)])
    for place in meeting:
        if field.board.is_sea(place):
            idle_mutineers_lost(field, place)
            continue
        for unit in field.at(place):
            if is_mutineer(field, unit):
                put_ashore(field, unit)
    order = field.board.place_order
    waiting = [place for place in meeting if field.board.is_sea(place)]
    drawn: list[tuple[str, frozenset[str]]] = []
    while waiting:
        sea = waiting.pop(0)
        battle = sea_battle(field, sea)
        if battle is None or any(sea == place and battle.by_key.keys() <= units for place, units in drawn):
            continue
        report = fight(battle)
        if report.result == "drawn":
            drawn.append((sea, frozenset(battle.by_key)))
        reached = {retreat.to for each in report.rounds for retreat in each.retreats if retreat.to}
        again = {place for place in (sea, *reached) if field.board.is_sea(place)}
        waiting = sorted({*waiting, *again}, key=order.__getitem__)


@step("Cross-border Battles Are Fought", "M11", on=Field)
def cross_border_battles_fought(field: Field) -> None:
    """Armies at war that crossed one border in opposite directions this phase fight there, borders in map order.
    Reads: armies, where they came from, relations. Writes and emits: as sea battles."""
    borders: dict[tuple[str, str], list[Unit]] = {}
    order = field.board.place_order
    for unit in field.world.of_kind(UnitKind.ARMY):
        done = field.world.done(unit.key)
        if done.marched_phase != field.phase or not done.came_from:
            continue
        if not unit.aboard and not unit.empty:
            a, b = sorted((unit.place, done.came_from), key=order.__getitem__)
            borders.setdefault((a, b), []).append(unit)
    for a, b in sorted(borders, key=lambda pair: (order[pair[0]], order[pair[1]])):
        battle = border_battle(field, a, b, borders[a, b])
        if battle is not None:
            fight(battle)


@step("Land Battles Are Fought", "M12", "B2", "B3", "P7", on=Field)
def land_battles_fought(field: Field) -> None:
    """In each province where armies or garrisons at war meet they fight, provinces in map order.
    Reads: armies, garrisons, relations, who owned the province before. Writes: units, fortification damage, the
    provinces' battle marks, and as sea battles. Emits: as sea battles, and FortificationDamaged."""
    armies, garrisons = field.world.of_kind(UnitKind.ARMY), field.world.of_kind(UnitKind.GARRISON)
    for place in field.meeting_places([unit for unit in (*armies, *garrisons) if not unit.empty]):
        if not field.board.is_sea(place):
            battle = land_battle(field, place)
            if battle is not None:
                fight(battle)
