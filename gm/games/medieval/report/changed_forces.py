"""What changed in the field: battles, units, troops and commanders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from gm.games.medieval.events import battle, ledger, movement
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.changed_lines import Line, Piece, Scene, Weight, line
from gm.games.medieval.state import Unit


def battle_lines(scene: Scene, realm: str) -> Iterator[Line]:
    """The realm's battles by their outcome, with the losses."""
    won: list[Piece] = []
    lost: list[Piece] = []
    undecided: list[Piece] = []
    for entry in scene.battles:
        if realm in entry.realms:
            own, others = _fallen(entry, realm)
            winners = entry.report.winners
            outcome = won if realm in winners else lost if winners else undecided
            outcome.append(Piece(_where(entry), entry.anchor, f"{own} of yours fell, {others} of theirs"))
    yield line(Weight.BATTLES_LOST, "Battles lost", "bad", lost)
    yield line(Weight.BATTLES_WON, "Battles won", "good", won)
    yield line(Weight.BATTLES_WON, "Battles that nobody won", "warn", undecided)


def _where(entry: BattleEntry) -> str:
    report = entry.report
    return f"{report.place} and {report.other_place}" if report.other_place else report.place


def _fallen(entry: BattleEntry, realm: str) -> tuple[int, int]:
    """How many troops and commanders the realm lost in a battle, and all others together."""
    own = others = 0
    for end in entry.report.ends:
        count = sum(each.count for each in end.losses) + len(end.fallen_commanders)
        if end.unit.startswith(f"{realm}/"):
            own += count
        else:
            others += count
    return own, others


def unit_lines(scene: Scene, realm: str) -> Iterator[Line]:
    """Units lost, formed and dissolved, and how many troops came and went for which cause."""
    before, after = _manned(scene.record.before.of_realm(realm)), _manned(scene.record.after.of_realm(realm))
    destroyed = dict(_destroyed(scene, realm))
    lost = [Piece(scene.unit(key), scene.place_anchor(place) or "events", place) for key, place in destroyed.items()]
    # garrisons come and go with their provinces, which have a line of their own
    formed = [
        Piece(scene.unit(key), f"unit-{unit.id}", unit.place)
        for key, unit in after.items()
        if key not in before and not unit.is_garrison
    ]
    gone = [
        Piece(scene.unit(key))
        for key, unit in before.items()
        if key not in after and key not in destroyed and not unit.is_garrison
    ]
    yield line(Weight.UNITS_LOST, "Units lost", "bad", lost)
    yield line(Weight.UNITS_FORMED, "Units formed", "good", formed)
    yield line(Weight.UNITS_FORMED, "Units dissolved", "", gone)
    counts: Counter[str] = Counter()
    for event in scene.seen(realm, ledger.TroopsChanged):
        if event.realm == realm:
            counts[event.cause] += event.count
    troops = [Piece(f"{abs(count)} {cause}", "events") for cause, count in counts.items() if count]
    yield line(Weight.TROOPS, "Troops", "", troops)


def _manned(units: Iterable[Unit]) -> dict[str, Unit]:
    return {unit.key: unit for unit in units if not unit.empty}


def _destroyed(scene: Scene, realm: str) -> Iterator[tuple[str, str]]:
    """(unit, place) of the realm's units that were lost, and not merged or disbanded."""
    for beaten in scene.seen(realm, battle.UnitDestroyed):
        if beaten.realm == realm:
            yield beaten.unit, beaten.place
    for drowned in scene.seen(realm, battle.ArmyLostAtSea):
        if drowned.realm == realm:
            yield drowned.unit, drowned.place
    for sunk in scene.seen(realm, movement.FleetScuttled):
        if sunk.realm == realm:
            yield sunk.fleet, sunk.place


def commander_lines(scene: Scene, realm: str) -> Iterator[Line]:
    """Who came and who is gone; a commander who only changed his unit did neither."""
    net: Counter[str] = Counter()
    last: dict[str, ledger.CommandersChanged] = {}
    for event in scene.seen(realm, ledger.CommandersChanged):
        if event.realm == realm:
            net[event.commander] += event.count
            last[event.commander] = event
    lost = [Piece(name, "events", last[name].cause) for name, count in net.items() if count < 0]
    won = [
        Piece(name, f"unit-{last[name].unit.partition('/')[2]}", last[name].cause)
        for name, count in net.items()
        if count > 0 and last[name].unit in scene.record.after.units
    ]
    yield line(Weight.COMMANDERS_LOST, "Commanders lost", "bad", lost)
    yield line(Weight.COMMANDERS_WON, "Commanders won", "good", won)
