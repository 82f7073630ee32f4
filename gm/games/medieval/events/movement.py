"""The events of Movement Events, except battles."""

from collections.abc import Mapping

from gm.core.values import Event
from gm.games.medieval.events import RealmEvent, UnitEvent


class TroopsTransferred(RealmEvent):
    """M1, F8: troops went to another unit; ``other``: the receiver's realm, empty for the giver's own."""

    giver: str
    receiver: str
    place: str
    other: str | None = None
    troops: Mapping[str, int]
    commanders: tuple[str, ...] = ()


class ArmyReadyToBoard(RealmEvent):
    """M2: the army lets a fleet of ``host`` take it aboard this turn."""

    army: str
    host: str
    place: str


class ArmyLoaded(RealmEvent):
    """M3: ``place`` is where the army was, ``sea`` where the fleet is (the province itself when docked)."""

    army: str
    fleet: str
    place: str
    sea: str


class FleetSailed(RealmEvent):
    """M4: from ``origin`` to ``place``, with these armies aboard."""

    fleet: str
    origin: str
    place: str
    cargo: tuple[str, ...] = ()


class FleetHomeless(RealmEvent):
    """M5: the fleet has nowhere to anchor at ``place`` any more."""

    fleet: str
    place: str


class FleetFled(RealmEvent):
    """M5: a homeless fleet left ``origin`` for the sea ``place``."""

    fleet: str
    origin: str
    place: str


class FleetScuttled(RealmEvent):
    """M5: a homeless fleet found no sea to flee to and scuttled its ships."""

    fleet: str
    place: str
    troops: Mapping[str, int]


class CargoEvent(RealmEvent):
    """M7: cargo without room leaves a fleet."""

    army: str
    fleet: str
    other: str
    place: str
    troops: Mapping[str, int]
    commanders: tuple[str, ...] = ()


class CargoMoved(CargoEvent):
    """M7: from a fleet without room to the fleet ``other``."""


class CargoPutAshore(CargoEvent):
    """M7: from a docked fleet without room ashore, as the unit ``other``."""


class CargoOverboard(RealmEvent):
    """M7: lost for lack of room."""

    army: str
    fleet: str
    place: str
    troops: Mapping[str, int]


class ArmyUnloaded(RealmEvent):
    """M8: the army went ashore at ``place``; ``invasion`` when it was enemy land."""

    army: str
    fleet: str
    place: str
    invasion: bool = False


class LandingSucceeded(RealmEvent):
    """M8: a realm's roll for its landing on an enemy province in this phase succeeded; ``chance`` in percent.

    ``others``: enemy provinces on which it landed by the same roll.
    """

    place: str
    chance: int
    others: tuple[str, ...] = ()


class LandingFailed(RealmEvent):
    """M8: the same roll failed: all stay aboard, nothing else is lost."""

    place: str
    chance: int
    others: tuple[str, ...] = ()


class UnitMarched(UnitEvent):
    """M9: from ``origin`` to ``place``."""

    origin: str
    place: str


class ProvinceConquered(RealmEvent):
    """M13: ``realm`` takes ``place`` from ``former``."""

    former: str
    place: str


class ConquestTooWeak(RealmEvent):
    """M13: the largest invader lacks the total combat to take the province; its owner does not change."""

    place: str
    needs: int
    has: int


class HarbourDestroyed(Event):
    """M13.1: the harbour did not survive the change of owner."""

    place: str


class GarrisonShipsScuttled(RealmEvent):
    """M13.1: the lost garrison's ships went down."""

    place: str
    troops: Mapping[str, int]


class GarrisonShipsCaptured(RealmEvent):
    """M13.1: ships of the lost garrison fell to the conqueror, into the unit ``unit``."""

    former: str
    unit: str
    place: str
    troops: Mapping[str, int]


class GarrisonTurnedOut(RealmEvent):
    """L8.2, L12: out of a garrison into ``unit``."""

    garrison: str
    unit: str
    place: str
    troops: Mapping[str, int]
    commanders: tuple[str, ...] = ()


class TroopsLeftWithoutUnit(RealmEvent):
    """L8.2: no number was free for a new unit and there was none to join: the troops are lost."""

    place: str
    troops: Mapping[str, int]
    commanders: tuple[str, ...] = ()


class ProvincePillaged(UnitEvent):
    """M14: the gold is only in the realm's own books."""

    owner: str
    place: str
