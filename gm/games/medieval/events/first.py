"""What can happen in First Events (F0-F10)."""

from __future__ import annotations

from collections.abc import Mapping

from gm.core.events import Event


class PalaceCoup(Event):
    """A realm's file would have ended the realm and is void; it counts as without a player (F0). For the GM."""

    realm: str


class RealmStandsStill(Event):
    """A realm has no orders this turn: it pays, earns and defends, no more (O1, V3). For the GM."""

    realm: str
    controller: str


class WarDeclared(Event):
    """One realm's word made war (F1)."""

    realm: str
    other: str


class RightsEnded(Event):
    """War ended the passage rights and special permissions that ``realm`` had granted to ``other`` (F1)."""

    realm: str
    other: str
    provinces: tuple[str, ...] = ()
    """Where special permission ended."""


class GiftsAccepted(Event):
    """From now on ``realm`` takes gifts from ``other`` (F2)."""

    realm: str
    other: str


class GiftsRefused(Event):
    """From now on ``realm`` takes no gifts from ``other`` (F2)."""

    realm: str
    other: str


class PassageGranted(Event):
    """``other`` may move through all lands of ``realm`` (F3)."""

    realm: str
    other: str


class PassageRevoked(Event):
    """``other`` has no passage rights in the lands of ``realm`` any more (F3)."""

    realm: str
    other: str


class PermissionGranted(Event):
    """``other`` has special permission for one province of ``realm`` (F4)."""

    realm: str
    other: str
    province: str


class PermissionRevoked(Event):
    """``other`` has lost special permission for one province of ``realm`` (F4)."""

    realm: str
    other: str
    province: str


class UnitFormed(Event):
    """A new, still empty army or fleet (F5, F6). ``maker`` and ``unit`` are unit keys."""

    realm: str
    unit: str
    maker: str
    place: str
    name: str


class UnitRenamed(Event):
    """A unit has another name, or none (F7)."""

    realm: str
    unit: str
    name: str


class CommanderRenamed(Event):
    """A commander has another name (F7)."""

    realm: str
    commander: str
    name: str


class AmbassadorReceived(Event):
    """``realm`` shows ``other`` how to reach it (F7). Private to ``other``."""

    realm: str
    other: str
    contact: str


class TroopsDismissed(Event):
    """Troops were disbanded or salvaged; ``troops`` counts them by type (F10)."""

    realm: str
    unit: str
    place: str
    troops: Mapping[str, int]


class CommanderDismissed(Event):
    """A commander was disbanded (F10)."""

    realm: str
    unit: str
    commander: str
