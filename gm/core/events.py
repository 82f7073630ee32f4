"""Typed events: what happened, for whom. Steps emit them; templates put them into words."""

from typing import dataclass_transform

from gm.core.values import NamedFields, Record

PUBLIC = "public"
GM = "gm"


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Event(Record, tag=True, tag_field="event", metaclass=NamedFields):
    """Something that happened, keyed by its class name. ``audience``: PUBLIC, GM, or the only realm that may read it.
    The runner fills in ``phase`` (0 outside Movement Events) and ``step``."""

    audience: str = PUBLIC
    phase: int = 0
    step: str = ""

    @property
    def kind(self) -> str:
        return type(self).__name__

    def visible_to(self, realm: str) -> bool:
        return self.audience in (PUBLIC, realm)


class DiceRolled(Event):
    """The draws of one stream (W12), see :data:`gm.core.dice.Asked`; outcomes are 0/1 for chances, indexes for choices.
    ``asked`` is missing in old logs; ``private``: the realm whose own affairs it tells (W8), empty: public."""

    label: str
    outcomes: tuple[int, ...]
    asked: tuple[tuple[str, int], ...] = ()
    private: str = ""


class PhaseLimitReached(Event):
    """The guard on the number of phases ended Movement Events: a sign of a rules bug (M0)."""

    limit: int


class StrayFilesSetAside(Event):
    """Files came that could be given to no realm: unreadable, or signed with nobody's key (O7)."""

    files: tuple[str, ...]


class BotFailed(Event):
    """The program that plays a party gave no orders that can be carried out, so the party gives none (N3, O7)."""

    realm: str
    bot: str
    why: str
