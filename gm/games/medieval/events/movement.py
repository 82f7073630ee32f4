"""What can happen in Movement Events, battles apart.

``unit``, ``army``, ``fleet`` and the like are unit keys, ``realm`` and the like realm codes, places are names;
``troops`` are counts by type, ``commanders`` names.
"""

from __future__ import annotations

from collections.abc import Mapping

from gm.core.events import Event


class TroopsTransferred(Event):
    """M1, F8: from one unit to another; ``other`` is the receiver's realm, nobody's when it is the giver's own."""

    realm: str
    giver: str
    receiver: str
    place: str
    other: str | None = None
    troops: Mapping[str, int]
    commanders: tuple[str, ...] = ()


class ArmyReadyToBoard(Event):
    """M2: the army lets a fleet of ``host`` take it aboard this turn."""

    realm: str
    army: str
    host: str
    place: str


class ArmyLoaded(Event):
    """M3: ``place`` is where the army was, ``sea`` where the fleet is (the province itself when docked)."""

    realm: str
    army: str
    fleet: str
    place: str
    sea: str


class FleetSailed(Event):
    """M4: from ``origin`` to ``place``, with these armies aboard."""

    realm: str
    fleet: str
    origin: str
    place: str
    cargo: tuple[str, ...] = ()


class FleetHomeless(Event):
    """M5: the fleet has nowhere to anchor at ``place`` any more."""

    realm: str
    fleet: str
    place: str


class FleetFled(Event):
    """M5: a homeless fleet left ``origin`` for the sea ``place``."""

    realm: str
    fleet: str
    origin: str
    place: str


class FleetScuttled(Event):
    """M5: a homeless fleet found no sea to flee to and scuttled its ships."""

    realm: str
    fleet: str
    place: str
    troops: Mapping[str, int]


class CargoMoved(Event):
    """M7: from a fleet without room to the fleet ``other``."""

    realm: str
    army: str
    fleet: str
    other: str
    place: str
    troops: Mapping[str, int]
    commanders: tuple[str, ...] = ()


class CargoPutAshore(Event):
    """M7: from a docked fleet without room ashore, as the unit ``other``."""

    realm: str
    army: str
    fleet: str
    other: str
    place: str
    troops: Mapping[str, int]
    commanders: tuple[str, ...] = ()


class CargoOverboard(Event):
    """M7: lost for lack of room."""

    realm: str
    army: str
    fleet: str
    place: str
    troops: Mapping[str, int]


class ArmyUnloaded(Event):
    """M8: the army went ashore at ``place``; ``invasion`` when it was enemy land."""

    realm: str
    army: str
    fleet: str
    place: str
    invasion: bool = False


class LandingSucceeded(Event):
    """M8: the roll for all that a realm lands on an enemy province in this phase; ``chance`` is in percent."""

    realm: str
    place: str
    chance: int


class LandingFailed(Event):
    """M8: the same roll, lost: all stay aboard, nothing else is lost."""

    realm: str
    place: str
    chance: int


class UnitMarched(Event):
    """M9: from ``origin`` to ``place``."""

    realm: str
    unit: str
    origin: str
    place: str


class ProvinceConquered(Event):
    """M13: ``realm`` takes ``place`` from ``former``."""

    realm: str
    former: str
    place: str


class ConquestTooWeak(Event):
    """M13: the largest invader lacks the total combat to take the province; nobody gets it."""

    realm: str
    place: str
    needs: int
    has: int


class HarbourDestroyed(Event):
    """M13.1: the harbour did not survive the change of owner."""

    place: str


class GarrisonShipsScuttled(Event):
    """M13.1: the lost garrison's ships went down."""

    realm: str
    place: str
    troops: Mapping[str, int]


class GarrisonShipsCaptured(Event):
    """M13.1: ships of the lost garrison fell to the conqueror, into the unit ``unit``."""

    realm: str
    former: str
    unit: str
    place: str
    troops: Mapping[str, int]


class GarrisonTurnedOut(Event):
    """L8.2, L12: out of a garrison into ``unit``."""

    realm: str
    garrison: str
    unit: str
    place: str
    troops: Mapping[str, int]
    commanders: tuple[str, ...] = ()


class TroopsLeftWithoutUnit(Event):
    """L8.2: no number was free for a new unit and none was there to join: they are lost."""

    realm: str
    place: str
    troops: Mapping[str, int]
    commanders: tuple[str, ...] = ()


class ProvincePillaged(Event):
    """M14: the gold is in the realm's own books only."""

    realm: str
    unit: str
    owner: str
    place: str
