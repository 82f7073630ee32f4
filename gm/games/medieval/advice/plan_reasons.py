"""Reasons for the entries of a unit's plan: its destination, its cargo, its enemies (O5).

Each function of ``PLAN_REASONS`` gets the entry as ``order``; ``subject`` is the unit with its plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gm.games.medieval.advice.grounds import Because, Grounds, Subject, because
from gm.games.medieval.orders import model
from gm.games.medieval.state import INDEPENDENTS, Unit
from gm.games.medieval.state.strength import soldiers, storage, weight
from gm.games.medieval.steps.economy import province_revenue


def marched(grounds: Grounds, order: model.March, subject: Subject) -> Because:
    """Return the reason for a march: its target, and the defenders or the threat there (M9).

    If the unit marches on later, the target is the province that the last march leads to.
    """
    later_provinces = [entry.province for entry in subject.later if isinstance(entry, model.March)]
    target = later_provinces[-1] if later_provinces else order.province
    if target not in grounds.after_first_events.provinces:
        return because("other")
    if not later_provinces:
        return _march_reason(grounds, target, subject)
    if grounds.after_first_events.is_enemy_land(grounds.realm, target):
        return because(
            "way foreign", marches=len(later_provinces), target=target, theirs=grounds.defenders(target)
        )
    return because("way home", marches=len(later_provinces), target=target, threat=grounds.near(target))


def _march_reason(grounds: Grounds, place: str, subject: Subject) -> Because:
    """Return the reason to march into a province: to take it, or to guard it."""
    if not grounds.after_first_events.is_enemy_land(grounds.realm, place):
        return grounds.guarded(place)
    return _taken_from(grounds, place, subject.unit, landing=False)


def _taken_from(grounds: Grounds, place: str, army: Unit, *, landing: bool) -> Because:
    """Return the reason to take a province: its owner, its revenue, and the chance to win its battle.

    All armies that arrive together have one chance.
    """
    land = grounds.after_first_events.provinces[place]
    owner = grounds.formatter.with_articles().realm(land.owner)
    figures = {
        "place": place,
        "owner": owner,
        "revenue": province_revenue(land, grounds.atlas, grounds.rules),
    }
    chances = grounds.chances(army)
    if chances is None:
        return because("unload empty" if landing else "march empty", **figures).evolve(share=1)
    figures |= {"men": grounds.men_against(place), "chance": grounds.chance_in_words(chances)}
    share = chances.share(grounds.realm)
    if landing:
        return because("unload", **figures).evolve(share=share)
    if land.effective_fortification:
        return because("march walls", level=land.effective_fortification, **figures).evolve(share=share)
    name = "march free" if land.owner == INDEPENDENTS else "march foreign"
    return because(name, **figures).evolve(share=share)


def sailed(grounds: Grounds, order: model.Sail, subject: Subject) -> Because:
    """Return the reason for a voyage: the fleet's next landing or loading, else the sea at its end (M4)."""
    fleet = subject.unit
    for entry in subject.later:
        if isinstance(entry, model.Unload):
            place = next(iter(entry.landings.values()))  # of several landings the first
            count = sum(soldiers(army, grounds.rules) for army in _armies(grounds, entry.landings))
            return because("sail landing", target=place, count=count, theirs=grounds.defenders(place))
        if isinstance(entry, model.Load):
            return _load_reason("sail load", grounds, fleet, entry)
    later_places = [entry.place for entry in subject.later if isinstance(entry, model.Sail)]
    target = later_places[-1] if later_places else order.place
    own_combat = grounds.sea_combat([fleet])
    enemy_combat = grounds.strange_sea_combat(target)
    if not enemy_combat:
        return because("sail quiet", target=target)
    return because("sail", target=target, theirs=enemy_combat, own=own_combat)


def _armies(grounds: Grounds, references: Iterable[str]) -> list[Unit]:
    """Return the own armies of these references that exist."""
    return [army for army in map(grounds.unit, references) if army is not None]


def _load_reason(name: str, grounds: Grounds, fleet: Unit, order: model.Load) -> Because:
    """Return the reason of this name about a loading: the armies, their weight, and the fleet's free room."""
    load = sum(weight(army, grounds.rules) for army in _armies(grounds, order.armies))
    room = storage(fleet, grounds.rules) - sum(
        weight(army, grounds.rules) for army in grounds.after_first_events.cargo(fleet.key)
    )
    return because(name, armies=grounds.formatter.listed(order.armies), weight=load, room=max(0, room))


def loaded(grounds: Grounds, order: model.Load, subject: Subject) -> Because:
    """Return the reason for loading: the weight of the armies, and the room (M3)."""
    return _load_reason("load", grounds, subject.unit, order)


def unloaded(grounds: Grounds, order: model.Unload, subject: Subject) -> Because:
    """Return the reason for unloading: the armies that land, and the units there (M8).

    An order may land armies in several provinces: the reason is about the first. On enemy land the first army
    stands for all, as its chance to win counts every army that arrives with it.
    """
    place = next(iter(order.landings.values()))
    if place not in grounds.after_first_events.provinces:
        return because("other")
    armies = _armies(grounds, order.landings)
    if armies and grounds.after_first_events.is_enemy_land(grounds.realm, place):
        return _taken_from(grounds, place, armies[0], landing=True)
    own_combat = grounds.combat(armies)
    threat = grounds.near(place)
    if not threat:
        return because("unload quiet", place=place, own=own_combat)
    return because("unload home", place=place, own=own_combat, threat=threat)


def boarded(grounds: Grounds, order: model.Board, subject: Subject) -> Because:
    """Return the reason for boarding: the army's weight, and the storage of the other realm's fleets (M2)."""
    fleets = (unit for unit in grounds.world.of_realm(order.other) if unit.is_fleet)
    room = sum(storage(fleet, grounds.rules) for fleet in fleets)
    return because("board", weight=weight(subject.unit, grounds.rules), room=room)


def transferred(grounds: Grounds, order: model.Transfer, subject: Subject) -> Because:
    """Return the reason for a transfer: both units' strength after First Events, or fleets' room (M1, F8)."""
    giver = subject.unit
    receiver = grounds.unit(order.receiver)
    if receiver is None:
        return because("other")
    names = {"receiver": receiver.id, "giver": giver.place if giver.is_garrison else giver.id}
    if receiver.is_fleet:
        room = {"there": storage(receiver, grounds.rules), "here": storage(giver, grounds.rules)}
        return because("transfer ships", **room, **names)
    return because("transfer", there=grounds.combat([receiver]), here=grounds.combat([giver]), **names)


def held(grounds: Grounds, order: model.Hold, subject: Subject) -> Because:
    """Return the reason for holding: the entries that follow, else the enemies that are kept out (P5)."""
    unit = subject.unit
    if subject.later:
        return because("hold waiting", entries=len(subject.later))
    if grounds.atlas.is_sea(unit.place):
        # the reason of a voyage that ends at this sea
        return because(
            "sail",
            target=unit.place,
            theirs=grounds.strange_sea_combat(unit.place),
            own=grounds.sea_combat([unit]),
        )
    return grounds.guarded(unit.place)


def pillaged(grounds: Grounds, order: model.Pillage, subject: Subject) -> Because:
    """Return the reason for pillaging: the gold now, and the province's revenue afterwards (M14, L1).

    The province is that of the last march before it in the plan; without one, the unit's place.
    """
    marches = [entry.province for entry in subject.earlier if isinstance(entry, model.March)]
    place = marches[-1] if marches else subject.unit.place
    land = grounds.after_first_events.provinces.get(place)
    if land is None:
        return because("other")
    damage = min(land.damage + 1, grounds.rules.economy.damage_limit)
    later_revenue = province_revenue(land.evolve(damage=damage), grounds.atlas, grounds.rules)
    return because(
        "pillage",
        gold=province_revenue(land, grounds.atlas, grounds.rules),
        later=later_revenue,
        place=land.name,
    )


PLAN_REASONS: Mapping[type, Callable[[Grounds, Any, Subject], Because]] = {
    model.Transfer: transferred,
    model.Board: boarded,
    model.Load: loaded,
    model.Sail: sailed,
    model.Unload: unloaded,
    model.March: marched,
    model.Hold: held,
    model.Pillage: pillaged,
}
"""The function that chooses the reason, by the type of the order."""
