"""What many fights of one battle came to: counted, and nothing thrown away that a question might be about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.contingents import Contingent, ContingentStatus
from gm.games.medieval.combat.summary import counts, names

DRAWN = "drawn"
NOBODY = "nobody"
LOST_AT_SEA = "lost at sea"


class UnitFate(NamedTuple):
    """What a fight made of one unit: ``outcome`` as in a battle report, ``to`` where it retreated."""

    unit: str
    outcome: str
    to: str
    lost: tuple[tuple[str, int], ...]
    commanders: tuple[str, ...]

    @property
    def heads(self) -> int:
        """All who were lost."""
        return sum(count for _, count in self.lost) + len(self.commanders)


Fates: TypeAlias = tuple[UnitFate, ...]  # Those of all units of one realm, in the order of W12


class Entry(NamedTuple):
    """A unit as it enters. ``known``: what is said of it as it is; ``starts``: by type all who can fight in it, those
    for whom there is no marine space yet included (B13), and how many commanders."""

    unit: str
    realm: str
    known: Mapping[str, Any]
    starts: Mapping[str, int]

    @property
    def start(self) -> int:
        """Its heads, commanders included."""
        return sum(self.starts.values())


def entries_of(battle: Battle) -> tuple[Entry, ...]:
    """The units of a battle that is drawn up and not yet fought."""
    reported = {each.unit: each for each in battle.units}

    def entry(contingent: Contingent) -> Entry:
        report = reported[contingent.key]
        known = {
            "role": contingent.role.value,
            "defends": contingent.defends,
            "total_combat": report.total_combat,
            "hit_points": report.hit_points,
            "retreat_level": report.retreat_level,
        }
        here = counts([(band, band.standing + band.reserve) for band in contingent.bands])
        starts = {each.troop: each.count for each in here}
        if led := sum(band.commander is not None for band in contingent.bands):
            starts["Commanders"] = led
        return Entry(contingent.key, contingent.realm, known, starts)

    return tuple(map(entry, battle.contingents))


def fate_of(battle: Battle, contingent: Contingent) -> UnitFate:
    """The fate of one unit as the battle has left it."""
    fell = [(band, band.fell) for band in contingent.bands if band.fell]
    retreated = contingent.state is ContingentStatus.RETREATED
    return UnitFate(
        unit=contingent.key,
        outcome=contingent.state.value,
        to=battle.field.unit(contingent.key).place if retreated else "",
        lost=tuple((one.troop, one.count) for one in counts(fell)),
        commanders=names(fell),
    )


def result_of(drawn: bool, winners: Iterable[str]) -> str:
    """How a fight ended, as a tally counts it."""
    return DRAWN if drawn else "+".join(winners) or NOBODY


@dataclass(slots=True)
class Tally:
    """``results`` counts how fights ended: by the winners' codes joined by ``+``, or ``drawn`` or ``nobody``. ``fates``
    has, by realm, how often a result came with which fates of its units; ``walls`` counts the damage of the
    fortification after the siege."""

    realms: tuple[str, ...]
    fights: int = 0
    rounds: Counter[int] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)
    fates: dict[str, Counter[tuple[str, Fates]]] = field(default_factory=dict)
    walls: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.fates = {realm: Counter() for realm in self.realms}

    def add(self, rounds: int, result: str, fates: Iterable[Fates]) -> None:
        """One more fight; ``fates`` in the order of ``realms``."""
        self.fights += 1
        self.rounds[rounds] += 1
        self.results[result] += 1
        for realm, each in zip(self.realms, fates, strict=True):
            self.fates[realm][result, each] += 1
