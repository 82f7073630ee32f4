"""What a tally says: chances with their confidence, losses by unit and type, rounds and retreats, as plain figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import sqrt

from gm.core.records import Record, record
from gm.games.medieval.analysis.odds.tally import LOST_AT_SEA, Entry, Fates, Tally

Z = 1.959964
"""The normal quantile of a confidence of 95%."""
CONFIDENCE = 95
LOW, HIGH = 0.05, 0.95
"""Nine fights of ten lie between these parts of the distribution."""


@record
class Share(Record):
    """``count`` of ``of`` fights, and between what bounds the true chance lies with 95% confidence (Wilson)."""

    count: int
    of: int

    @property
    def value(self) -> float:
        return self.count / self.of if self.of else 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        if not self.of:
            return 0.0, 1.0
        share, spread = self.value, Z * Z / self.of
        middle = (share + spread / 2) / (1 + spread)
        half = Z * sqrt(share * (1 - share) / self.of + spread / self.of / 4) / (1 + spread)
        return max(0.0, middle - half), min(1.0, middle + half)


@record
class Spread(Record):
    """A number that was counted in each fight: its mean, and between what nine fights of ten lie."""

    mean: float
    low: int
    high: int
    counts: Mapping[int, int]


def spread(counts: Mapping[int, int]) -> Spread:
    """The spread of a number from how often each value came."""
    total = sum(counts.values())
    if not total:
        return Spread(0.0, 0, 0, {})
    mean = sum(value * count for value, count in counts.items()) / total
    return Spread(mean, _quantile(counts, LOW * total), _quantile(counts, HIGH * total), dict(sorted(counts.items())))


def _quantile(counts: Mapping[int, int], rank: float) -> int:
    passed = 0
    for value in sorted(counts):
        passed += counts[value]
        if passed >= rank:
            return value
    return max(counts)


@record
class TroopLosses(Record):
    """What a unit loses of one type; commanders are one too. ``start`` is how many it has."""

    troop: str
    start: int
    lost: Spread


@record
class UnitOdds(Record):
    """One unit: ``lost`` over all its types, and the chances of each fate; ``places`` are where it retreats to."""

    unit: Entry
    lost: Spread
    troops: tuple[TroopLosses, ...]
    survives: Share
    retreats: Share
    destroyed: Share
    places: Mapping[str, Share]


@record
class SideOdds(Record):
    """One realm: the chance that it holds the field, alone or with allies, and its losses then and otherwise.

    ``drowned`` are those who went down with a fleet that carried them, also who did not fight (B12).
    """

    realm: str
    wins: Share
    start: int
    lost: Spread
    lost_winning: Spread
    lost_losing: Spread
    drowned: Spread
    units: tuple[UnitOdds, ...]


@record
class Odds(Record):
    """Everything. ``results`` by the winners' codes joined by ``+``, ``drawn`` or ``nobody``."""

    fights: int
    results: Mapping[str, Share]
    rounds: Spread
    walls: Mapping[int, Share]
    sides: tuple[SideOdds, ...]


def odds_of(tally: Tally, units: Iterable[Entry]) -> Odds:
    """The odds that a tally amounts to; ``units`` are those of the battle as they enter it."""
    found = list(units)
    total = tally.fights
    return Odds(
        fights=total,
        results={each: Share(count, total) for each, count in _likeliest_first(tally.results)},
        rounds=spread(tally.rounds),
        walls={damage: Share(count, total) for damage, count in sorted(tally.walls.items())},
        sides=tuple(_side(tally, realm, [each for each in found if each.realm == realm]) for realm in tally.realms),
    )


def _likeliest_first(results: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(results.items(), key=lambda item: (-item[1], item[0]))


def _side(tally: Tally, realm: str, units: list[Entry]) -> SideOdds:
    fates, total = tally.fates[realm], tally.fights
    everything: Counter[int] = Counter()
    winning: Counter[int] = Counter()
    losing: Counter[int] = Counter()
    drowned: Counter[int] = Counter()
    wins = 0
    for (result, ends), count in fates.items():
        lost = sum(_lost(ends, unit.unit) for unit in units)
        won = realm in result.split("+")
        everything[lost] += count
        (winning if won else losing)[lost] += count
        drowned[sum(_heads(each.lost, each.commanders) for each in ends if each.outcome == LOST_AT_SEA)] += count
        wins += count * won
    return SideOdds(
        realm=realm,
        wins=Share(wins, total),
        start=sum(unit.start for unit in units),
        lost=spread(everything),
        lost_winning=spread(winning),
        lost_losing=spread(losing),
        drowned=spread(drowned),
        units=tuple(_unit(fates, unit, total) for unit in units),
    )


def _unit(fates: Mapping[tuple[str, Fates], int], unit: Entry, total: int) -> UnitOdds:
    lost: Counter[int] = Counter()
    outcomes: Counter[str] = Counter()
    places: Counter[str] = Counter()
    names = dict(unit.troops)
    if unit.commanders:
        names["Commanders"] = unit.commanders
    troops: dict[str, Counter[int]] = {name: Counter() for name in names}
    for (_, ends), count in fates.items():
        heads = _lost(ends, unit.unit)
        lost[heads] += count
        fallen: Counter[str] = Counter()
        for mine in (each for each in ends if each.unit == unit.unit):
            fallen.update(dict(mine.lost))
            fallen["Commanders"] += len(mine.commanders)
            if mine.outcome != LOST_AT_SEA:
                # soldiers whose fleet went down with them did not survive it
                outcomes["destroyed" if heads >= unit.start else mine.outcome] += count
            if mine.to:
                places[mine.to] += count
        for name, each in troops.items():
            each[fallen[name]] += count
    return UnitOdds(
        unit=unit,
        lost=spread(lost),
        troops=tuple(TroopLosses(name, names[name], spread(each)) for name, each in troops.items()),
        survives=Share(outcomes["survived"], total),
        retreats=Share(outcomes["retreated"], total),
        destroyed=Share(outcomes["destroyed"], total),
        places={place: Share(count, total) for place, count in _likeliest_first(places)},
    )


def _lost(ends: Fates, unit: str) -> int:
    """What a unit lost in a fight, to the sea included."""
    return sum(_heads(each.lost, each.commanders) for each in ends if each.unit == unit)


def _heads(lost: Iterable[tuple[str, int]], commanders: tuple[str, ...]) -> int:
    return sum(count for _, count in lost) + len(commanders)
