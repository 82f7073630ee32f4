"""The events of CONQUEST 0.0.2; all are public (CS-1.4), except those about one player's own affairs."""

from collections.abc import Mapping

from gm.core.values import Event


class PopCapCounted(Event, clause="CS-7.2"):
    """CS-7.2: a player's capacity by cities, the part that units use, and the part left for building."""

    owner: str
    allowed: int
    used: int
    free: int


class UnitsBuilt(Event, clause="CS-7.4"):
    """CS-7.4: new units in a base or home."""

    owner: str
    place: str
    units: tuple[str, ...]


class SetOut(Event, clause="CS-8.3"):
    """CS-8.3: units are on their way along a link."""

    owner: str
    units: tuple[str, ...]
    place: str
    target: str


class FoughtOnLink(Event):
    """CS-9.1: units of two parties met on the link between ``place`` and ``other``.

    ``strengths``: by party; ``winner``: the party whose units go on, None for a tie.
    """

    place: str
    other: str
    strengths: Mapping[str, int]
    winner: str | None
    clause: str = "CS-9.1"


class FoughtAt(Event):
    """CS-9.2: units of several parties met in a structure.

    ``round``: the round of conflicts, from 1 on; ``strengths``: by party; ``winner``: the party whose units
    stay, None for a tie; ``stays``: the ids of the defenders who stay in a tie.
    """

    place: str
    round: int
    strengths: Mapping[str, int]
    winner: str | None
    stays: tuple[str, ...] = ()
    clause: str = "CS-9.4"


class OfUnit(Event):
    """An event about a unit in a structure."""

    owner: str
    unit: str
    place: str


class Bumped(OfUnit):
    """CS-9.13: a unit was bumped out of ``place`` and goes to ``target``.

    On a link it stays where it set out.
    """

    target: str
    on_link: bool = False
    clause: str = "CS-9.14"


class Destroyed(OfUnit):
    """CS-9.13, CS-9.17: a bumped unit that cannot go anywhere. ``immobile``: it could not move at all."""

    immobile: bool
    clause: str = "CS-9.13"


class Captured(Event, clause="CS-9.11"):
    """CS-9.11: a structure changed hands to the party whose units are there."""

    place: str
    owner: str
    formerly: str  # The owner before


class NetworkSupplied(Event):
    """CS-10.4: a connected block of a player's structures supplied the units in it.

    ``places``: the structures; ``sources``: the supply that they give; ``needs``: the supply that the units
    need; ``supplied`` and ``short``: the ids of the units with and without supply; ``chosen``: whether the
    player's list decided which are without (CS-10.6).
    """

    owner: str
    places: tuple[str, ...]
    sources: int
    needs: int
    supplied: tuple[str, ...]
    short: tuple[str, ...] = ()
    chosen: bool = False
    clause: str = "CS-10.4"


class MarkTaken(OfUnit):
    """CS-11.1: a unit out of supply got marks. ``marks``: those it has now; ``immobile``: it is so now."""

    marks: int
    immobile: bool
    clause: str = "CS-11.1"


class MarkLost(OfUnit):
    """CS-11.2: a unit with supply lost a mark. ``marks``: those it has now; ``freed``: it can move again."""

    marks: int
    freed: bool
    clause: str = "CS-11.2"


class Won(Event):
    """CS-12.1, CS-12.7, CS-12.8: a player won.

    ``how``: by all ``cities``, as the ``last`` one, or by ``count`` of cities at the last turn.
    """

    owner: str
    how: str
    clause: str = "CS-12.1"


class Eliminated(Event, clause="CS-12.2"):
    """CS-12.2: a player without a structure is out."""

    owner: str


class Conceded(Event, clause="CS-12.3"):
    """CS-12.3: a player left; their possessions are neutral."""

    owner: str


class Drawn(Event, clause="CS-12.7"):
    """CS-12.7: no player is left."""

    turn: int
