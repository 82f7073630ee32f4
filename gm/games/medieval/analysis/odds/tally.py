"""The counted results of many fights of one battle, as plain figures."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import accumulate
from math import sqrt
from typing import NamedTuple, TypeAlias

from gm.core.values import Record
from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.contingents import Contingent, ContingentStatus
from gm.games.medieval.combat.muster import counts, names, strikes_in_percent, total_hit_points
from gm.games.medieval.state import INDEPENDENTS
from gm.text.pages import listed

DRAWN = "drawn"
NOBODY = "nobody"
LOST_AT_SEA = "lost at sea"
COMMANDERS = "Commanders"
Z = 1.959964  # The normal quantile of a confidence of 95%
CONFIDENCE = 0.95
LOW = 0.05  # nine fights of ten lie above this part of the distribution
HIGH = 0.95  # and below this one


class UnitFate(NamedTuple):
    """The fate of one unit in a fight: ``outcome`` as in a battle report, ``to`` where it retreated."""

    unit: str
    outcome: str
    to: str
    lost: tuple[tuple[str, int], ...]
    commanders: tuple[str, ...]

    @property
    def heads(self) -> int:
        """Return the number of all losses."""
        return sum(count for _, count in self.lost) + len(self.commanders)


Fates: TypeAlias = tuple[UnitFate, ...]  # Those of all units of one realm, in the order of W12


def fate_of(battle: Battle, contingent: Contingent) -> UnitFate:
    """Return the fate of one unit after the battle."""
    fell = [(band, band.fell) for band in contingent.bands if band.fell]
    to = battle.field.unit(contingent.key).place if contingent.state is ContingentStatus.RETREATED else ""
    lost = tuple((one.troop, one.count) for one in counts(fell))
    return UnitFate(contingent.key, contingent.state.value, to, lost, names(fell))


def result_of(*, drawn: bool, winners: Iterable[str]) -> str:
    """Return the result of a fight as a key of a tally."""
    return DRAWN if drawn else "+".join(winners) or NOBODY


@dataclass(slots=True)
class Tally:
    """``results`` counts how fights ended: by the winners' codes joined by ``+``, or ``drawn`` or ``nobody``.

    ``fates``: by realm, how often a result came with which fates of its units; ``walls``: the damage of the
    fortification after the siege.
    """

    realms: tuple[str, ...]
    fights: int = 0
    rounds: Counter[int] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)
    fates: defaultdict[str, Counter[tuple[str, Fates]]] = field(default_factory=lambda: defaultdict(Counter))
    walls: Counter[int] = field(default_factory=Counter)

    def add(self, rounds: int, result: str, fates: Iterable[Fates]) -> None:
        """Count one more fight; ``fates`` in the order of ``realms``."""
        self.fights += 1
        self.rounds[rounds] += 1
        self.results[result] += 1
        for realm, fates_of_realm in zip(self.realms, fates, strict=True):
            self.fates[realm][result, fates_of_realm] += 1


class Share(Record):
    """A part of the fights, and the bounds of the true chance with 95% confidence (Wilson)."""

    count: int
    share: float
    low: float
    high: float


def share_of(count: int, total: int) -> Share:
    """Return the share that ``count`` is of ``total`` fights."""
    if not total:
        return Share(count, 0.0, 0.0, 1.0)
    share = count / total
    spread = Z * Z / total
    middle = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / total + spread / total / 4) / (1 + spread)
    return Share(count, share, max(0.0, middle - half), min(1.0, middle + half))


class Spread(Record):
    """A number that was counted in each fight: its mean, and the bounds of nine fights of ten."""

    mean: float
    low: int
    high: int
    counts: Mapping[int, int]


def spread_of(counts: Mapping[int, int]) -> Spread:
    """Return the spread of a number from how often each value came."""
    total = sum(counts.values())
    if not total:
        return Spread(0.0, 0, 0, {})
    mean = sum(value * count for value, count in counts.items()) / total
    values = sorted(counts)
    passed = list(accumulate(counts[value] for value in values))
    low = values[bisect_left(passed, LOW * total)]
    high = values[bisect_left(passed, HIGH * total)]
    return Spread(mean, low, high, {value: counts[value] for value in values})


class TroopLosses(Record):
    """A unit's losses of a type; ``start``: its number before the battle; commanders are a type too."""

    troop: str
    start: int
    lost: Spread = Spread(0.0, 0, 0, {})


class UnitOdds(Record):
    """One unit as it enters, its losses over all types, and the chances of each fate."""

    unit: str
    name: str
    role: str
    defends: bool
    total_combat: Decimal
    hit_points: Decimal
    retreat_level: int
    start: int
    lost: Spread = Spread(0.0, 0, 0, {})
    troops: tuple[TroopLosses, ...] = ()
    survives: Share = Share(0, 0.0, 0.0, 1.0)
    retreats: Share = Share(0, 0.0, 0.0, 1.0)
    destroyed: Share = Share(0, 0.0, 0.0, 1.0)
    retreats_to: Mapping[str, Share] = {}


def entries_of(battle: Battle) -> tuple[UnitOdds, ...]:
    """Return the units of a battle before it is fought, without odds.

    All who can fight in one count, those without marine space yet included (B13).
    """

    def entry(contingent: Contingent) -> UnitOdds:
        """Return one unit before the battle."""
        troop_counts = counts([(band, band.standing + band.reserve) for band in contingent.bands])
        troops = [TroopLosses(band.troop, band.count) for band in troop_counts]
        led = sum(band.commander is not None for band in contingent.bands)
        if led:
            troops.append(TroopLosses(COMMANDERS, led))
        return UnitOdds(
            unit=contingent.key,
            name="",
            role=contingent.role.value,
            defends=contingent.defends,
            total_combat=strikes_in_percent(battle, contingent),
            hit_points=total_hit_points(contingent),
            retreat_level=contingent.unit.retreat_level,
            start=sum(troop.start for troop in troops),
            troops=tuple(troops),
        )

    return tuple(map(entry, battle.contingents))


class SideOdds(Record):
    """One realm: the chance that it holds the field, alone or with allies, and its losses then and otherwise.

    ``drowned``: losses with a fleet that sank, also of units that did not fight (B12).
    """

    realm: str
    name: str
    wins: Share
    start: int
    lost: Spread
    lost_winning: Spread
    lost_not_winning: Spread
    drowned: Spread
    units: tuple[UnitOdds, ...]


class Odds(Record):
    """The odds of one battle.

    ``results`` by the winners' codes joined by ``+``, ``drawn`` or ``nobody``; ``walls`` by the damage of the
    fortification after the siege; ``notes`` say what is assumed.
    """

    title: str
    kind: str
    place: str
    other_place: str | None
    fortification: int
    fights: int
    confidence: float
    notes: tuple[str, ...]
    results: Mapping[str, Share]
    rounds: Spread
    walls: Mapping[int, Share]
    sides: tuple[SideOdds, ...]


Name = Callable[[str], str]  # What a realm or unit is called, by its code or key


def odds_of(
    battle: Battle,
    tally: Tally,
    units: Iterable[UnitOdds],
    title: str,
    notes: tuple[str, ...],
    realm: Name,
    unit: Name,
) -> Odds:
    """Return the odds of a tally; ``units`` are those of the battle as they enter it."""
    units = list(units)
    return Odds(
        title=title,
        kind=battle.kind,
        place=battle.place,
        other_place=battle.other_place or None,
        fortification=battle.fortification,
        fights=tally.fights,
        confidence=CONFIDENCE,
        notes=notes,
        results=_likeliest_first(tally.results, tally.fights),
        rounds=spread_of(tally.rounds),
        walls={damage: share_of(count, tally.fights) for damage, count in sorted(tally.walls.items())},
        sides=tuple(_side(tally, code, realm(code), units, unit) for code in tally.realms),
    )


def _likeliest_first(counts: Mapping[str, int], total: int) -> dict[str, Share]:
    ranking = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return {name: share_of(count, total) for name, count in ranking}


def _side(tally: Tally, realm: str, name: str, units: Iterable[UnitOdds], unit_name: Name) -> SideOdds:
    """Return the odds of one realm."""
    units = [unit for unit in units if unit.unit.startswith(f"{realm}/")]
    fates = tally.fates[realm]
    keys = {unit.unit for unit in units}
    # by whether the realm won, and by who drowned
    lost: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    drowned: Counter[int] = Counter()
    for (result, ends), count in fates.items():
        heads = sum(fate.heads for fate in ends if fate.unit in keys)
        has_won = realm in result.split("+")
        lost[has_won][heads] += count
        drowned[sum(fate.heads for fate in ends if fate.outcome == LOST_AT_SEA)] += count
    return SideOdds(
        realm=realm,
        name=name,
        wins=share_of(lost[True].total(), tally.fights),
        start=sum(unit.start for unit in units),
        lost=spread_of(lost[True] + lost[False]),
        lost_winning=spread_of(lost[True]),
        lost_not_winning=spread_of(lost[False]),
        drowned=spread_of(drowned),
        units=tuple(_unit(fates, unit, unit_name(unit.unit), tally.fights) for unit in units),
    )


def _unit(fates: Mapping[tuple[str, Fates], int], unit: UnitOdds, name: str, total: int) -> UnitOdds:
    """Return the odds of one unit. ``total``: the number of fights."""
    lost: Counter[int] = Counter()
    outcomes: Counter[str] = Counter()
    places: Counter[str] = Counter()
    troops: dict[str, Counter[int]] = {troop.troop: Counter() for troop in unit.troops}
    for (_, ends), count in fates.items():
        own = [fate for fate in ends if fate.unit == unit.unit]
        heads = sum(fate.heads for fate in own)
        lost[heads] += count
        fallen: Counter[str] = Counter()
        for fate in own:
            fallen.update({**dict(fate.lost), COMMANDERS: len(fate.commanders)})
            if fate.outcome != LOST_AT_SEA:
                # soldiers whose fleet went down with them did not survive it
                outcomes["destroyed" if heads >= unit.start else fate.outcome] += count
            if fate.to:
                places[fate.to] += count
        for troop, counted in troops.items():
            counted[fallen[troop]] += count
    return unit.evolve(
        name=name,
        lost=spread_of(lost),
        troops=tuple(troop.evolve(lost=spread_of(troops[troop.troop])) for troop in unit.troops),
        survives=share_of(outcomes["survived"], total),
        retreats=share_of(outcomes["retreated"], total),
        destroyed=share_of(outcomes["destroyed"], total),
        retreats_to=_likeliest_first(places, total),
    )


def result_text(odds: Odds, result: str) -> str:
    """Return how a fight ended: ``England wins``."""
    if result in (DRAWN, NOBODY):
        return "drawn after too many rounds" if result == DRAWN else "nobody holds the field"
    realms = {side.realm: side.name for side in odds.sides}
    codes = result.split("+")
    return f"{listed([realms[code] for code in codes])} {verb('win', codes)}"


def verb(verb: str, codes: Sequence[str]) -> str:
    """Return ``wins``, or ``win`` of several realms and of the independents."""
    return verb if len(codes) > 1 or codes[0] == INDEPENDENTS else f"{verb}s"
