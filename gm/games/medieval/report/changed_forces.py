"""What changed in the field: battles, units, troops and commanders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gm.games.medieval.events import battle, ledger, movement
from gm.games.medieval.report.changed_lines import Line, Piece, TurnView, Weight, line
from gm.games.medieval.state import Unit, World


def battle_lines(view: TurnView, realm: str) -> Iterator[Line]:
    """The realm's battles by their outcome, with the losses of troops and commanders."""
    pieces: dict[str, list[Piece]] = {"lost": [], "won": [], "undecided": []}
    for entry in view.battles:
        if realm in entry.realms:
            report = entry.report
            fallen = Counter[bool]()
            for end in report.ends:
                count = sum(each.count for each in end.losses) + len(end.fallen_commanders)
                fallen[end.unit.startswith(f"{realm}/")] += count
            where = f"{report.place} and {report.other_place}" if report.other_place else report.place
            outcome = "won" if realm in report.winners else "lost" if report.winners else "undecided"
            note = f"{fallen[True]} of yours fell, {fallen[False]} of theirs"
            pieces[outcome].append(Piece(where, entry.anchor, note))
    yield line(Weight.BATTLES_LOST, "Battles lost", "bad", pieces["lost"])
    yield line(Weight.BATTLES_WON, "Battles won", "good", pieces["won"])
    yield line(Weight.BATTLES_WON, "Battles that nobody won", "warn", pieces["undecided"])


def unit_lines(view: TurnView, realm: str) -> Iterator[Line]:
    """Units lost, formed and dissolved, and how many troops came and went for which cause."""
    before, after = _manned(view.result.before, realm), _manned(view.result.after, realm)
    destroyed = {each.unit: each.place for each in view.own(realm, battle.UnitDestroyed)}
    destroyed |= {each.unit: each.place for each in view.own(realm, battle.ArmyLostAtSea)}
    destroyed |= {each.fleet: each.place for each in view.own(realm, movement.FleetScuttled)}
    lost = [Piece(view.unit(key), view.place_anchor(place) or "events", place) for key, place in destroyed.items()]
    # garrisons come and go with their provinces, which have a line of their own
    formed = [
        Piece(view.unit(key), f"unit-{unit.id}", unit.place)
        for key, unit in after.items()
        if key not in before and not unit.is_garrison
    ]
    gone = [
        Piece(view.unit(key))
        for key, unit in before.items()
        if key not in after and key not in destroyed and not unit.is_garrison
    ]
    yield line(Weight.UNITS_LOST, "Units lost", "bad", lost)
    yield line(Weight.UNITS_FORMED, "Units formed", "good", formed)
    yield line(Weight.UNITS_FORMED, "Units dissolved", "", gone)
    counts = Counter[str]()
    for event in view.own(realm, ledger.TroopsChanged):
        counts[event.cause] += event.count
    troops = [Piece(f"{abs(count)} {cause}", "events") for cause, count in counts.items() if count]
    yield line(Weight.TROOPS, "Troops", "", troops)


def _manned(world: World, realm: str) -> dict[str, Unit]:
    return {unit.key: unit for unit in world.of_realm(realm) if not unit.empty}


def commander_lines(view: TurnView, realm: str) -> Iterator[Line]:
    """Who came and who is gone; a commander who only changed his unit did neither."""
    net = Counter[str]()
    last: dict[str, ledger.CommandersChanged] = {}
    for event in view.own(realm, ledger.CommandersChanged):
        net[event.commander] += event.count
        last[event.commander] = event
    lost = [Piece(name, "events", last[name].cause) for name, count in net.items() if count < 0]
    won = [
        Piece(name, f"unit-{last[name].unit.partition('/')[2]}", last[name].cause)
        for name, count in net.items()
        if count > 0 and last[name].unit in view.result.after.units
    ]
    yield line(Weight.COMMANDERS_LOST, "Commanders lost", "bad", lost)
    yield line(Weight.COMMANDERS_WON, "Commanders won", "good", won)
