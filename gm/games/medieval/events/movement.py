"""The events of Movement Events, except battles. Docstrings begin with the clause."""

from collections.abc import Mapping

from gm.core.values import Event
from gm.games.medieval.events import RealmEvent, UnitEvent


class TroopsTransferred(RealmEvent):
    """M1, F8: troops went from one unit to another. ``other``: the receiver's realm, None for ``realm``."""

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
    """M3: an army went aboard. ``place``: where it was; ``sea``: where the fleet is, the same if docked."""

    army: str
    fleet: str
    place: str
    sea: str


class FleetSailed(RealmEvent):
    """M4: a fleet sailed from ``origin`` to ``place``. ``cargo``: the keys of the armies aboard."""

    fleet: str
    origin: str
    place: str
    cargo: tuple[str, ...] = ()


class FleetHomeless(RealmEvent):
    """M5: the fleet cannot stay docked in the province ``place`` and is homeless."""

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
    """M7: cargo for which a fleet has no room leaves it. ``other``: the fleet or army that it goes to."""

    army: str
    fleet: str
    other: str
    place: str
    troops: Mapping[str, int]
    commanders: tuple[str, ...] = ()


class CargoMoved(CargoEvent):
    """M7: cargo for which a fleet has no room goes to the fleet ``other``."""


class CargoPutAshore(CargoEvent):
    """M7: cargo for which a docked fleet has no room goes ashore as the army ``other``."""


class CargoOverboard(RealmEvent):
    """M7: cargo for which a fleet has no room is lost."""

    army: str
    fleet: str
    place: str
    troops: Mapping[str, int]


class ArmyUnloaded(RealmEvent):
    """M8: the army went ashore at ``place``; ``invasion``: whether that was enemy land."""

    army: str
    fleet: str
    place: str
    invasion: bool = False


class LandingSucceeded(RealmEvent):
    """M8: a realm's roll for its landing on an enemy province in this phase succeeded; ``chance`` in percent.

    ``others``: the other enemy provinces on which it landed by the same roll.
    """

    place: str
    chance: int
    others: tuple[str, ...] = ()


class LandingFailed(RealmEvent):
    """M8: a realm's roll for its landing on an enemy province failed: its armies stay aboard.

    ``chance`` is that of success, in percent; ``others``: the other enemy provinces of the same roll.
    """

    place: str
    chance: int
    others: tuple[str, ...] = ()


class UnitMarched(UnitEvent):
    """M9: an army marched from ``origin`` to ``place``."""

    origin: str
    place: str


class ProvinceConquered(RealmEvent):
    """M13: ``realm`` takes ``place`` from ``former``."""

    former: str
    place: str


class ConquestTooWeak(RealmEvent):
    """M13: the largest invader lacks the total combat to take the province; its owner does not change.

    ``needs``: the total combat that it takes; ``has``: what this realm has.
    """

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
    """M13.1: ships of the lost garrison of ``former`` were captured by ``realm`` and went to its ``unit``."""

    former: str
    unit: str
    place: str
    troops: Mapping[str, int]


class GarrisonTurnedOut(RealmEvent):
    """L8.2, L12: troops had to leave a garrison and are in ``unit`` now."""

    garrison: str
    unit: str
    place: str
    troops: Mapping[str, int]
    commanders: tuple[str, ...] = ()


class TroopsLeftWithoutUnit(RealmEvent):
    """L8.2: troops are lost, as no number was free for a new unit and there was none to join."""

    place: str
    troops: Mapping[str, int]
    commanders: tuple[str, ...] = ()


class ProvincePillaged(UnitEvent):
    """M14: a unit pillaged a province of ``owner``. How much gold it brought is told to its realm alone."""

    owner: str
    place: str
