"""The events of First Events (F0-F10)."""

from collections.abc import Mapping

from gm.games.medieval.events import (
    CommanderEvent,
    DealingEvent,
    RealmEvent,
    UnitEvent,
    UnitPlaceEvent,
    is_garrison,
)


class PalaceCoup(RealmEvent):
    """A realm's orders would have ended the realm and are void; it counts as without a player (F0).

    For the GM.
    """


class RealmStandsStill(RealmEvent):
    """A realm has no orders this turn: it pays, earns and defends, no more (O1, V3). For the GM."""

    controller: str


class WarDeclared(DealingEvent):
    """One realm declared war (F1)."""


class RightsEnded(DealingEvent):
    """War ended the passage rights and special permissions that ``realm`` had granted to ``other`` (F1)."""

    provinces: tuple[str, ...] = ()  # where special permission ended


class GiftsAccepted(DealingEvent):
    """From now on ``realm`` takes gifts from ``other`` (F2)."""


class GiftsRefused(DealingEvent):
    """From now on ``realm`` takes no gifts from ``other`` (F2)."""


class PassageGranted(DealingEvent):
    """``other`` may move through all lands of ``realm`` (F3)."""


class PassageRevoked(DealingEvent):
    """``other`` has no passage rights in the lands of ``realm`` any more (F3)."""


class PermissionGranted(DealingEvent):
    """``other`` has special permission for one province of ``realm`` (F4)."""

    province: str


class PermissionRevoked(DealingEvent):
    """``other`` lost special permission for one province of ``realm`` (F4)."""

    province: str


class UnitFormed(UnitEvent):
    """A new, still empty army or fleet (F5, F6). ``maker`` and ``unit`` are unit keys."""

    maker: str
    place: str
    name: str

    @property
    def by_garrison(self) -> bool:
        """Whether a garrison forms it."""
        return is_garrison(self.maker)


class UnitRenamed(UnitEvent):
    """A unit has another name, or none (F7)."""

    name: str


class CommanderRenamed(RealmEvent):
    """A commander has another name (F7)."""

    commander: str
    name: str


class AmbassadorReceived(DealingEvent):
    """``realm`` shows ``other`` how to reach it (F7). Private to ``other``."""

    contact: str


class TroopsDismissed(UnitPlaceEvent):
    """Troops were disbanded or salvaged; ``troops`` counts them by type (F10)."""

    troops: Mapping[str, int]


class CommanderDismissed(CommanderEvent):
    """A commander was disbanded (F10)."""
