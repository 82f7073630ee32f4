"""How realms stand: as the GM sees and changes it, as one realm may know it, and in figures (V1-V3, W8)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from gm.core.events import Event
from gm.game.base.amending import STEP
from gm.game.spec import Standings
from gm.game.values import Seat
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events import ControllerSet, StatusSet
from gm.games.medieval.state import Controller, Realm, Status, World
from gm.games.medieval.state.strength import hit_points, ships, soldiers, total_combat
from gm.games.medieval.steps.economy import province_revenue, total_upkeep
from gm.games.medieval.steps.realms import scores

STAND_IN = "local-forces"  # The bot that gives the orders of a realm whose controller is the local forces (N3)
UNKNOWN = Decimal(0)  # What a treasury is said to hold of which nothing is known


def seat_of(realm: Realm, turn: int, rules: Rules) -> Seat:
    """V3: a player who missed the first turn, or too many running, is flagged."""
    played = realm.controller is Controller.PLAYER and not realm.defeated
    missed = realm.missed_turns
    return Seat(
        code=realm.code,
        name=realm.name,
        played=played,
        out=realm.defeated,
        missed=missed,
        flagged=played and (missed >= rules.missed_turns_flagged or (turn == 1 and missed > 0)),
        status=realm.status.value,
        controller=realm.controller.value,
        bot=STAND_IN if realm.controller is Controller.LOCAL_FORCES and not realm.defeated else "",
    )


def with_standings(state: World, standings: Standings) -> tuple[World, tuple[Event, ...]]:
    """The world with the GM's standings in it, and what that changed. Raises ``ValueError`` for a realm or a word that
    there is not."""
    changed: list[Realm] = []
    events: list[Event] = []
    for code in sorted(standings):
        if code not in state.realms:
            raise ValueError(f"this game has no realm {code}; it has {', '.join(sorted(state.realms))}")
        old = state.realms[code]
        realm = _with_standing(old, *standings[code])
        if realm.status is not old.status:
            events.append(StatusSet(step=STEP, realm=code, status=realm.status.value))
        if realm.controller is not old.controller:
            events.append(ControllerSet(step=STEP, realm=code, controller=realm.controller.value))
        if realm != old:
            changed.append(realm)
    return state.with_realms(*changed) if changed else state, tuple(events)


def _with_standing(realm: Realm, status: str | None, controller: str | None) -> Realm:
    changes: dict[str, Any] = {}
    for name, words, given in (("status", Status, status), ("controller", Controller, controller)):
        if given is None or given == getattr(realm, name).value:
            continue
        if given not in list(words):
            raise ValueError(f"the {name} of {realm.code} can be {' or '.join(words)}, not {given!r}")
        changes[name] = words(given)
    if changes.get("controller") is Controller.PLAYER:
        # a new player starts with a clean sheet (V3)
        changes["missed_turns"] = 0
    return realm.evolve(**changes)


def public_state(world: World, realm: str) -> World:
    """W8: the world as the realm's results file shows it: no other treasury, and nobody's missed turns."""
    return world.with_realms(
        *(
            each.evolve(treasury=each.treasury if code == realm else UNKNOWN, missed_turns=0)
            for code, each in world.realms.items()
        )
    )


def figures(world: World, rules: Rules, atlas: Atlas) -> Mapping[str, Mapping[str, float]]:
    """What each realm has, by code; a defeated one has nothing. The first column is V1's score."""
    points = dict(scores(world, atlas, rules))
    found: dict[str, Mapping[str, float]] = {}
    for code, realm in world.realms.items():
        lands, units = world.owned_by(code), world.of_realm(code)
        annexed = [land for land in lands if land.annexed_to == code]
        row: dict[str, int | Decimal] = {
            "score": points.get(code, 0),
            "provinces": len(lands),
            "cities": sum(atlas.city(land.name) is not None for land in lands),
            "annexed": len(annexed),
            "gold": realm.treasury,
            "revenue": sum((province_revenue(land, atlas, rules) for land in annexed), Decimal(0)),
            "upkeep": total_upkeep(units, rules),
            "soldiers": sum(soldiers(unit, rules) for unit in units),
            "ships": sum(ships(unit, rules) for unit in units),
            "combat": sum(total_combat(unit, rules, ships_too=True) for unit in units),
            "hit points": sum((hit_points(unit, rules) for unit in units), Decimal(0)),
            "fortifications": sum(land.effective_fortification for land in lands),
        }
        found[code] = {name: float(value) for name, value in row.items()}
    return found
