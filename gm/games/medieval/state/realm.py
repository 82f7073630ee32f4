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
    """One realm.

    ``treasury``: in gold, exact to 1/100 (W10); ``refuses``: the codes of the realms whose gifts it does not
    accept (W1); ``passage``: those to which it has granted passage rights in all its lands (F3);
    ``missed_turns``: the turns in a row without an order file (V3).
    """

    code: str
    name: str
    ruler: str  # the ruler's name
    treasury: Decimal
    status: Status = Status.COMMONER
    controller: Controller = Controller.PLAYER
    refuses: NameSet = frozenset()
    passage: NameSet = frozenset()
    missed_turns: int = 0
    defeated: bool = False


class Province(Value):
    """One province.

    ``owner``: a realm's code, or ``IND`` if it is independent (W7); ``annexed_to``: a realm's code or None;
    ``turns_away``: the turns that it has been annexed to a realm that does not own it, 0 in the turn of its
    loss (L7); ``damage`` lowers its revenue (T3); ``fortification``: the level as it was built, 0 for none;
    ``production_areas``: how many; ``permissions``: the realms with special permission (F4, P1).
    """

    name: str
    owner: str = INDEPENDENTS
    annexed_to: str | None = None
    turns_away: int = 0
    damage: int = 0
    fortification: int = 0
    fortification_damage: int = 0
    harbour: bool = False
    production_areas: int = 0
    permissions: NameSet = frozenset()  # of independent provinces: from the scenario or the GM (P1)

    @property
    def effective_fortification(self) -> int:
        """The level of the fortification minus its damage (B5.1, X6)."""
        return self.fortification - self.fortification_damage
