"""Realms, relations between them, and the changing part of provinces (W1, W4, V2)."""

from decimal import Decimal
from enum import StrEnum

from gm.core.values import NameSet, Value

INDEPENDENTS = "IND"  # the code of independents as owners of provinces and units (W7); they are no realm

Pair = tuple[str, str]  # two realms' codes in alphabetical order


def pair(a: str, b: str) -> Pair:
    """Return two realms' codes in alphabetical order, as wars and alliances are stored."""
    return (a, b) if a < b else (b, a)


class Relation(StrEnum):
    """The relation of two realms, the same for both (W1)."""

    NEUTRAL = "neutral"
    ALLIED = "allied"
    WAR = "war"


class Status(StrEnum):
    """The status of a realm's ruler, which sets limits of the realm (V2)."""

    COMMONER = "commoner"
    ROYALTY = "royalty"


class Controller(StrEnum):
    """Who gives a realm's orders. With ``NOBODY`` it has none: it only pays, earns and defends (V3)."""

    PLAYER = "player"
    LOCAL_FORCES = "local forces"
    NOBODY = "nobody"


class Realm(Value):
    """One realm."""

    code: str
    name: str
    ruler: str  # the ruler's name
    treasury: Decimal  # in gold, exact to 1/100 (W10)
    status: Status = Status.COMMONER
    controller: Controller = Controller.PLAYER
    refuses: NameSet = frozenset()  # the realms whose gifts it does not accept; it accepts all others' (W1)
    passage: NameSet = frozenset()  # the realms to which it has granted passage rights in all its lands (F3)
    missed_turns: int = 0  # turns in a row without an order file (V3)
    defeated: bool = False


class Province(Value):
    """One province."""

    name: str
    owner: str = INDEPENDENTS  # a realm's code or INDEPENDENTS
    annexed_to: str | None = None  # a realm's code
    # turns that it has been annexed to a realm that does not own it; the turn of loss is 0 (L7)
    turns_away: int = 0
    damage: int = 0  # lowers its revenue (T3)
    fortification: int = 0  # the level as it was built; 0 for none
    fortification_damage: int = 0
    harbour: bool = False
    production_areas: int = 0  # how many
    permissions: NameSet = frozenset()
    """Realms with special permission (F4; for independent provinces from the scenario or the GM, P1)."""

    @property
    def effective_fortification(self) -> int:
        """The level of the fortification minus its damage (B5.1, X6)."""
        return self.fortification - self.fortification_damage
