"""Every troop that enters, leaves or changes hands: the books that the ledger test adds up."""

from __future__ import annotations

from gm.games.medieval.events import CommanderEvent, UnitEvent


class TroopsChanged(UnitEvent):
    """``count`` troops of a type came to (above 0) or left (below 0) a unit of ``realm``, for ``cause``. Causes are
    short words: ``recruited``, ``disbanded``, ``killed``, ``captured``, ``overboard``, ``scuttled``, ``unpaid``,
    ``given``, ``received``, ``lost``."""

    troop: str
    count: int
    cause: str


class CommandersChanged(CommanderEvent):
    """A commander came to (``count`` 1) or left (-1) a unit of ``realm``, for ``cause`` as in TroopsChanged."""

    count: int
    cause: str
