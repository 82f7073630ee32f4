"""Why a battle ended as it did, and why a province is whose it is."""

from __future__ import annotations

from collections.abc import Iterator

from gm.core.events import DiceRolled
from gm.game.answers import Explanation
from gm.games.medieval.analysis.why.orders import Inquiry
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.battle_why import Explainer
from gm.games.medieval.state.strength import has_fighters
from gm.games.medieval.steps.turn import OrderSettled, TreasuryChanged
from gm.text.pages import capitalised, counted, figure, gold, listed, signed


def battle_answer(turn: Inquiry, place: str) -> Iterator[Explanation]:
    """Every battle at a place. Raises ``ValueError`` when there was none."""
    fought = [each for each in turn.battles if place in (each.report.place, each.report.other_place)]
    if not fought:
        others = sorted({each.report.place for each in turn.battles})
        hint = f"; there were battles at {listed(others)}" if others else "; there was no battle at all"
        raise ValueError(f"there was no battle at {place} in turn {turn.result.turn}{hint}")
    for entry in fought:
        yield from _battle(turn, entry)


def _battle(turn: Inquiry, entry: BattleEntry) -> Iterator[Explanation]:
    report = entry.report
    wars = listed([f"{turn.speaker.realm(a)} against {turn.speaker.realm(b)}" for a, b in report.wars])
    yield Explanation(f"{entry.title}, phase {entry.phase}: {entry.sides}. {entry.result} {entry.length}.", "B1")
    if report.wars:
        yield Explanation(f"It was fought because of war: {wars}.", "B1", 1)
    for unit in report.units:
        troops = listed([f"{each.count} {each.troop}" for each in unit.troops], "nobody")
        hits = figure(round(unit.total_combat / 100, 1))
        points = figure(unit.hit_points)
        led = f", led by {unit.leader}" if unit.leader else ""
        said = f"{troops}{led}; {hits} hits to be expected in round 1, {points} hit points."
        yield Explanation(f"{capitalised(turn.speaker.unit(unit.unit))}: {said}", "B5", 1)
    for side in Explainer(turn.speaker.realm, turn.speaker.unit).why(report):
        yield Explanation(f"{side.name}: {side.gist or side.outcome}", "", 1)
        for reason in side.reasons:
            yield Explanation(reason.text, reason.clause, 2)
    for end in report.ends:
        lost = listed([f"{each.count} {each.troop}" for each in end.losses], "nobody")
        ended = "was destroyed" if end.outcome == "destroyed" else end.outcome
        yield Explanation(f"{capitalised(turn.speaker.unit(end.unit))} {ended} and lost {lost}.", "B11", 1)
    name = f"{report.place} - {report.other_place}" if report.other_place else report.place
    rolls = (each for each in turn.result.events if isinstance(each, DiceRolled) and each.phase == entry.phase)
    labelled = [each for each in rolls if f" | {name} | " in each.label]
    if labelled:
        yield Explanation("Its dice, which everybody can roll again:", "W12", 1)
    for roll in labelled:
        yield Explanation(f"“{roll.label}”: {counted(len(roll.outcomes), 'draw')}.", "", 2)


def province_answer(turn: Inquiry, place: str) -> Iterator[Explanation]:
    """What happened at a place, and whose it is."""
    if place not in turn.opened.provinces:
        yield Explanation(f"{place} is a sea: nobody owns it.", "W3")
    else:
        yield from _ownership(turn, place)
    found = list(_happened(turn, place))
    yield Explanation("What happened there:" if found else "Nothing happened there.")
    yield from found
    yield from _present(turn, place)


def _happened(turn: Inquiry, place: str) -> Iterator[Explanation]:
    for event in turn.about(place):
        if not isinstance(event, (TreasuryChanged, OrderSettled)):
            yield from turn.sentence(event)
        elif isinstance(event, TreasuryChanged) and event.amount:
            books = f"in the books of {turn.speaker.realm(event.realm)}"
            yield Explanation(f"{signed(event.amount)} gold for {event.what} {books}.", "", 1)
        if isinstance(event, BattleFought):
            yield Explanation(f"More: gm why battle '{place}'", "", 2)


def _ownership(turn: Inquiry, place: str) -> Iterator[Explanation]:
    before, opened, after = (world.provinces[place] for world in (turn.result.before, turn.opened, turn.result.after))
    said = turn.speaker.realm
    changed = before.owner != after.owner
    now = f"belongs to {said(after.owner)} now" if changed else "still does"
    yield Explanation(f"{place} belonged to {said(before.owner)} and {now}.", "M13" if changed else "")
    if before.owner != opened.owner:
        yield Explanation(f"The game master gave it to {said(opened.owner)} before the turn.", "", 1)
    if before.annexed_to != after.annexed_to:
        names = [said(each) if each else "nobody" for each in (before.annexed_to, after.annexed_to)]
        yield Explanation(f"It was annexed to {names[0]} and is annexed to {names[1]} now.", "L6", 1)
    for field, word, clause in (
        ("damage", "damage", "L1"),
        ("fortification", "fortification", "L8"),
        ("fortification_damage", "damage to the fortification", "B2"),
    ):
        if getattr(before, field) != getattr(after, field):
            yield Explanation(f"Its {word} was {getattr(before, field)} and is {getattr(after, field)} now.", clause, 1)


def _present(turn: Inquiry, place: str) -> Iterator[Explanation]:
    """Who stands there at the end, and why nobody who wants it has it."""
    world = turn.result.after
    units = [unit for unit in world.at(place) if not unit.empty]
    if not units:
        yield Explanation("At the end nobody stood there.")
        return
    yield Explanation(f"At the end there stood {listed([turn.speaker.unit(unit.key) for unit in units])}.")
    armed = sorted({unit.realm for unit in units if has_fighters(unit, turn.result.rules)})
    for realm in armed if place in world.provinces else ():
        foes = [turn.speaker.realm(each) for each in armed if world.hostile(realm, each, place)]
        if world.is_enemy_land(realm, place) and foes:
            said = f"{capitalised(turn.speaker.realm(realm))} cannot take it while {listed(foes)} is there in arms."
            yield Explanation(said, "M13", 1)


def gold_answer(turn: Inquiry, realm: str) -> Iterator[Explanation]:
    """A treasury from the beginning of the turn to its end, change by change, and what there was no gold for."""
    name = capitalised(turn.speaker.realm(realm))
    before, after = turn.result.before.realms[realm].treasury, turn.result.after.realms[realm].treasury
    yield Explanation(f"{name} had {gold(before)} gold and has {gold(after)} now: {signed(after - before)}.", "W10")
    for event in turn.result.events:
        if isinstance(event, TreasuryChanged) and event.realm == realm and event.amount:
            yield turn.booked(event)
        elif isinstance(event, OrderSettled) and event.audience == realm and event.reason == "gold-too-little":
            rule, why = turn.speaker.reason(event.reason, event.figures)
            yield Explanation(f"Nothing for line {event.line}, “{event.text}”: {why}.", rule, 1)
        elif type(event).__name__ in ("UpkeepShort", "UnpaidLeft") and getattr(event, "realm", "") == realm:
            yield from turn.sentence(event)
