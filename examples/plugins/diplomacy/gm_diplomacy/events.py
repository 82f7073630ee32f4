"""What happens in Diplomacy; all of it is open to everybody (DP-1.3)."""

from gm.core.values import Event


class UnitEvent(Event):
    """What a unit did. ``unit``: as orders call it, ``A PAR``."""

    power: str
    unit: str


class Held(UnitEvent, clause="DP-3.1"):
    """A unit stayed where it was. ``why``: a key of reasons if it was ordered something that is no order."""

    why: str = ""


class Moved(UnitEvent):
    """A unit went to a place; ``by_sea``: in a convoy."""

    to: str
    by_sea: bool = False
    clause: str = "DP-3.2"


class Bounced(UnitEvent, clause="DP-4.1"):
    """A unit did not get to a place."""

    to: str


class NotCarried(UnitEvent, clause="DP-5.3"):
    """A unit did not set out, for its convoy was broken or was none."""

    to: str


class Supported(UnitEvent):
    """A unit helped another to hold, or to go ``to`` somewhere; or its support was cut."""

    other: str
    to: str = ""
    cut: bool = False
    clause: str = "DP-3.3"


class Carried(UnitEvent, clause="DP-5.1"):
    """A fleet carried an army to a place."""

    other: str
    to: str


class DrivenOut(UnitEvent, clause="DP-6.1"):
    """A unit was dislodged by who came from ``by``; where it may go."""

    by: str
    to: tuple[str, ...]


class Retreated(UnitEvent, clause="DP-6.2"):
    """A dislodged unit went to a place."""

    to: str


class Disbanded(UnitEvent):
    """A unit was disbanded.

    ``how``: retreat (it had nowhere to go, or did not say where), clash (others retreated to the same place),
    ordered, or disorder (its power did not say which).
    """

    how: str
    clause: str = "DP-6.3"


class Built(UnitEvent, clause="DP-8.2"):
    """A new unit."""


class CentreTaken(Event, clause="DP-7.1"):
    """A supply centre has another owner."""

    power: str
    centre: str
    formerly: str = ""


class Counted(Event, clause="DP-7.2"):
    """A power's centres and units at the end of a year, and the units that it may build or must disband."""

    power: str
    centres: int
    units: int
    change: int


class Eliminated(Event, clause="DP-7.3"):
    """A power has neither a centre nor a unit."""

    power: str


class Won(Event, clause="DP-9.1"):
    """A power has the centres that win."""

    power: str
    centres: int


class Drawn(Event, clause="DP-9.2"):
    """The last year is over."""

    powers: tuple[str, ...]
