"""Who plays a realm and how he stands: as the GM sees it, and as he may change it (V2, V3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.core.events import Event
from gm.game.spec import Seat
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.gm import ControllerSet, StatusSet
from gm.games.medieval.state import Controller, Realm, Status, World

STAND_IN = "local-forces"
"""The bot that gives the orders of a realm whose controller is the local forces (N3)."""


def with_standings(
    state: World, standings: Mapping[str, tuple[str | None, str | None]]
) -> tuple[World, tuple[Event, ...]]:
    """The world with the GM's status and controller of each realm put in (none: unchanged), and what that changed.

    Raises ``ValueError`` for a realm or a word that there is not.
    """
    changed: list[Realm] = []
    events: list[Event] = []
    for code in sorted(standings):
        if code not in state.realms:
            raise ValueError(f"this game has no realm {code}; it has {', '.join(sorted(state.realms))}")
        realm = _with_standing(state.realms[code], *standings[code])
        if realm.status is not state.realms[code].status:
            events.append(StatusSet(step="orders", realm=code, status=realm.status.value))
        if realm.controller is not state.realms[code].controller:
            events.append(ControllerSet(step="orders", realm=code, controller=realm.controller.value))
        if realm != state.realms[code]:
            changed.append(realm)
    return state.with_realms(*changed) if changed else state, tuple(events)


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
