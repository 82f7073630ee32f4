"""Realms, relations between them, and the changing part of provinces (W1, W4, V2)."""

from decimal import Decimal
from enum import StrEnum

from gm.core.values import NameSet, Value

INDEPENDENTS = "IND"  # the code under which independents hold provinces and units (W7). They are no realm.

Pair = tuple[str, str]  # two realms' codes in alphabetical order


def pair(a: str, b: str) -> Pair:
    """Return the two codes in alphabetical order: the name of their relation."""
    return (a, b) if a < b else (b, a)


class Relation(StrEnum):
    """The relation of two realms, the same for both (W1)."""

    NEUTRAL = "neutral"
    ALLIED = "allied"
    WAR = "war"


class Status(StrEnum):
    """The player's status, which sets the realm's limits (V2)."""

    COMMONER = "commoner"
    ROYALTY = "royalty"


class Controller(StrEnum):
    """The kind of controller of a realm's orders. ``NOBODY``: it gives none, pays, earns and defends (V3)."""

    PLAYER = "player"
    LOCAL_FORCES = "local forces"
    NOBODY = "nobody"


class Realm(Value):
    """One realm. ``treasury`` is exact to 1/100 gold (W10)."""

    code: str
    name: str
    ruler: str
    treasury: Decimal
    status: Status = Status.COMMONER
    controller: Controller = Controller.PLAYER
    refuses: NameSet = frozenset()  # the realms whose gifts it does not accept; it accepts all others' (W1)
    passage: NameSet = frozenset()  # the realms to which it has granted passage rights in all its lands (F3)
    missed_turns: int = 0  # turns in a row without an order file (V3)
    defeated: bool = False


class Province(Value):
    """One province. ``owner`` is a realm's code or INDEPENDENTS; ``annexed_to`` a realm's code or None."""

    name: str
    owner: str = INDEPENDENTS
    annexed_to: str | None = None
    # turns that it has been annexed to a realm that does not own it; the turn of loss is 0 (L7)
    turns_away: int = 0
    damage: int = 0
    fortification: int = 0
    fortification_damage: int = 0
    harbour: bool = False
    production_areas: int = 0
    permissions: NameSet = frozenset()
    """Realms with special permission (F4; for independent provinces from the scenario or the GM, P1)."""

    @property
    def effective_fortification(self) -> int:
        """The level of the fortification minus its damage (B5.1, X6)."""
        return self.fortification - self.fortification_damage
