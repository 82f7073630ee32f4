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
    """A realm's orders would have ended the realm: they are void, and it has no player now (F0).

    For the GM alone.
    """


class RealmStandsStill(RealmEvent):
    """A realm has no orders this turn: it only pays, earns and defends (O1, V3). For the GM alone.

    ``controller``: who gives its orders: ``player``, ``local forces`` or ``nobody``.
    """

    controller: str


class WarDeclared(DealingEvent):
    """``realm`` declared war on ``other`` (F1)."""


class RightsEnded(DealingEvent):
    """War ended the passage rights and special permissions that ``realm`` had granted to ``other`` (F1).

    ``provinces``: those for which special permission ended.
    """

    provinces: tuple[str, ...] = ()


class GiftsAccepted(DealingEvent):
    """From now on ``realm`` accepts gifts from ``other`` (F2)."""


class GiftsRefused(DealingEvent):
    """From now on ``realm`` accepts no gifts from ``other`` (F2)."""


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
    """A new army or fleet, still empty, was formed (F5, F6).

    ``unit``: its key; ``maker``: the key of the unit that formed it; ``name``: the name that its player gave
    it, empty for none.
    """

    maker: str
    place: str
    name: str

    @property
    def by_garrison(self) -> bool:
        """Whether a garrison forms it."""
        return is_garrison(self.maker)


class UnitRenamed(UnitEvent):
    """A unit has another name; an empty ``name`` if it has none any more (F7)."""

    name: str


class CommanderRenamed(RealmEvent):
    """A commander has another name (F7). ``commander``: the old name, ``name`` the new one."""

    commander: str
    name: str


class AmbassadorReceived(DealingEvent):
    """``realm`` sent an ambassador to ``other`` (F7). Private to ``other``.

    ``contact``: the address of the realm's player.
    """

    contact: str


class TroopsDismissed(UnitPlaceEvent):
    """Troops were disbanded or salvaged; ``troops``: how many of each type (F10)."""

    troops: Mapping[str, int]


class CommanderDismissed(CommanderEvent):
    """A commander was disbanded (F10)."""
