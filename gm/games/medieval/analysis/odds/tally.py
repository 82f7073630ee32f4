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
Z = 1.959964  # the normal quantile of a confidence of 95%
CONFIDENCE = 0.95
# nine fights of ten lie between these parts of the distribution
LOW = 0.05
HIGH = 0.95


class UnitFate(NamedTuple):
    """The fate of one unit in a fight."""

    unit: str  # its key
    outcome: str  # as in a battle report
    to: str  # where it retreated to, or empty
    lost: tuple[tuple[str, int], ...]  # (troop type, how many fell)
    commanders: tuple[str, ...]  # the names of those who fell

    @property
    def heads(self) -> int:
        """The number of all troops and commanders that fell."""
        return sum(count for _, count in self.lost) + len(self.commanders)


Fates: TypeAlias = tuple[UnitFate, ...]  # Those of all units of one realm, in the order of W12


def fate_of(battle: Battle, contingent: Contingent) -> UnitFate:
    """Return the fate of one unit after the battle."""
    fell = [(band, band.fell) for band in contingent.bands if band.fell]
    to = battle.field.unit(contingent.key).place if contingent.state is ContingentStatus.RETREATED else ""
    lost = tuple((losses.troop, losses.count) for losses in counts(fell))
    return UnitFate(contingent.key, contingent.state.value, to, lost, names(fell))


def result_of(*, drawn: bool, winners: Iterable[str]) -> str:
    """Return the result of a fight: the winners' codes joined by ``+``, ``DRAWN`` or ``NOBODY``."""
    return DRAWN if drawn else "+".join(winners) or NOBODY


@dataclass(slots=True)
class Tally:
    """The counted results of many fights of a battle."""

    realms: tuple[str, ...]  # codes
    fights: int = 0
    rounds: Counter[int] = field(default_factory=Counter)  # fights by their number of rounds
    results: Counter[str] = field(default_factory=Counter)  # fights by their result, see ``result_of``
    # by realm: fights by (result, fates of the realm's units)
    fates: defaultdict[str, Counter[tuple[str, Fates]]] = field(default_factory=lambda: defaultdict(Counter))
    walls: Counter[int] = field(default_factory=Counter)  # fights by the walls' damage after the siege

    def add(self, rounds: int, result: str, fates: Iterable[Fates]) -> None:
        """Count one more fight, with so many ``rounds`` and a ``result`` (:func:`result_of`).

        ``fates``: those of each realm's units, in the order of ``realms``.
        """
        self.fights += 1
        self.rounds[rounds] += 1
        self.results[result] += 1
        for realm, fates_of_realm in zip(self.realms, fates, strict=True):
            self.fates[realm][result, fates_of_realm] += 1


class Share(Record):
    """A count of fights, their share of all, and the bounds of the true chance with 95% confidence."""

    count: int
    share: float
    low: float
    high: float


def share_of(count: int, total: int) -> Share:
    """Return the share that ``count`` is of ``total`` fights, with Wilson's interval."""
    if not total:
        return Share(count, 0.0, 0.0, 1.0)
    share = count / total
    spread = Z * Z / total
    middle = (share + spread / 2) / (1 + spread)
    half_width = Z * sqrt(share * (1 - share) / total + spread / total / 4) / (1 + spread)
    return Share(count, share, max(0.0, middle - half_width), min(1.0, middle + half_width))


class Spread(Record):
    """A number that was counted in each fight: its mean, and the bounds of nine fights of ten.

    ``counts``: how many fights had each value.
    """

    mean: float
    low: int
    high: int
    counts: Mapping[int, int]


def spread_of(counts: Mapping[int, int]) -> Spread:
    """Return the mean and the bounds of a figure that was counted in each fight.

    ``counts``: in how many fights it had each value.
    """
    total = sum(counts.values())
    if not total:
        return Spread(0.0, 0, 0, {})
    mean = sum(value * count for value, count in counts.items()) / total
    values = sorted(counts)
    fights_up_to = list(accumulate(counts[value] for value in values))  # each of the values
    low = values[bisect_left(fights_up_to, LOW * total)]
    high = values[bisect_left(fights_up_to, HIGH * total)]
    return Spread(mean, low, high, {value: counts[value] for value in values})


class TroopLosses(Record):
    """A unit's losses of a troop type; ``start``: its number before. Commanders are a type too."""

    troop: str
    start: int
    lost: Spread = Spread(0.0, 0, 0, {})


class UnitOdds(Record):
    """One unit before the battle, its losses, and the chances of each fate."""

    unit: str  # its key
    name: str
    role: str
    defends: bool  # whether it fights behind walls
    total_combat: Decimal
    hit_points: Decimal
    retreat_level: int
    start: int  # its troops and commanders
    lost: Spread = Spread(0.0, 0, 0, {})
    troops: tuple[TroopLosses, ...] = ()
    survives: Share = Share(0, 0.0, 0.0, 1.0)
    retreats: Share = Share(0, 0.0, 0.0, 1.0)
    destroyed: Share = Share(0, 0.0, 0.0, 1.0)
    retreats_to: Mapping[str, Share] = {}


def entries_of(battle: Battle) -> tuple[UnitOdds, ...]:
    """Return the units of a battle before it is fought, without odds.

    Their troops include those for whom there is no marine space yet (B13).
    """

    def entry(contingent: Contingent) -> UnitOdds:
        """Return a unit as it comes to the battle; its odds have their defaults."""
        troop_counts = counts([(band, band.standing + band.reserve) for band in contingent.bands])
        troops = [TroopLosses(row.troop, row.count) for row in troop_counts]
        commanders = sum(band.commander is not None for band in contingent.bands)
        if commanders:
            troops.append(TroopLosses(COMMANDERS, commanders))
        return UnitOdds(
            unit=contingent.key,
            name="",  # :func:`odds_of` names it
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
    """The odds of one realm."""

    realm: str  # its code
    name: str
    wins: Share  # it holds the field, alone or with allies
    start: int  # its troops and commanders before the battle
    lost: Spread
    lost_winning: Spread
    lost_not_winning: Spread
    drowned: Spread  # losses aboard fleets that sank, also of units that did not fight (B12)
    units: tuple[UnitOdds, ...]


class Odds(Record):
    """The odds of one battle.

    ``results``: the share of each result, see :func:`result_of`; ``walls``: that of each damage of the
    fortification after the siege; ``notes``: sentences about what the odds assume.
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


Name = Callable[[str], str]  # returns the name of a realm or unit for its code or key


def odds_of(
    battle: Battle,
    tally: Tally,
    units: Iterable[UnitOdds],
    title: str,
    notes: tuple[str, ...],
    realm: Name,
    unit: Name,
) -> Odds:
    """Return the odds of a battle from the tally of its fights.

    ``units``: as they were before the battle; ``realm`` and ``unit``: functions that return names.
    """
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
        sides=tuple(_side_odds(tally, code, realm(code), units, unit) for code in tally.realms),
    )


def _likeliest_first(counts: Mapping[str, int], total: int) -> dict[str, Share]:
    """Return counts as shares of so many fights, the largest first."""
    ranking = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return {name: share_of(count, total) for name, count in ranking}


def _side_odds(tally: Tally, realm: str, name: str, units: Iterable[UnitOdds], unit_name: Name) -> SideOdds:
    """Return the odds of one realm."""
    units = [unit for unit in units if unit.unit.startswith(f"{realm}/")]
    fates = tally.fates[realm]
    keys = {unit.unit for unit in units}
    # fights by the number of losses: of those that the realm won, and of the others; then by the drowned
    lost: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    drowned: Counter[int] = Counter()
    for (result, unit_fates), count in fates.items():
        # as in ``start``, without units that did not fight: they are aboard, and can only drown
        heads = sum(fate.heads for fate in unit_fates if fate.unit in keys)
        has_won = realm in result.split("+")
        lost[has_won][heads] += count
        drowned[sum(fate.heads for fate in unit_fates if fate.outcome == LOST_AT_SEA)] += count
    return SideOdds(
        realm=realm,
        name=name,
        wins=share_of(lost[True].total(), tally.fights),
        start=sum(unit.start for unit in units),
        lost=spread_of(lost[True] + lost[False]),
        lost_winning=spread_of(lost[True]),
        lost_not_winning=spread_of(lost[False]),
        drowned=spread_of(drowned),
        units=tuple(_unit_odds(fates, unit, unit_name(unit.unit), tally.fights) for unit in units),
    )


def _unit_odds(fates: Mapping[tuple[str, Fates], int], unit: UnitOdds, name: str, total: int) -> UnitOdds:
    """Return the odds of one unit.

    ``fates``: fights by (result, fates of all units of its realm); ``total``: the number of fights.
    """
    lost: Counter[int] = Counter()
    outcomes: Counter[str] = Counter()
    places: Counter[str] = Counter()
    troops: dict[str, Counter[int]] = {troop.troop: Counter() for troop in unit.troops}
    for (_, unit_fates), count in fates.items():
        # a unit that fought at sea may have lost more aboard, as a second fate
        own_fates = [fate for fate in unit_fates if fate.unit == unit.unit]
        heads = sum(fate.heads for fate in own_fates)
        lost[heads] += count
        fallen: Counter[str] = Counter()
        for fate in own_fates:
            fallen.update({**dict(fate.lost), COMMANDERS: len(fate.commanders)})
            if fate.outcome != LOST_AT_SEA:
                # soldiers whose fleet went down with them did not survive it
                outcomes["destroyed" if heads >= unit.start else fate.outcome] += count
            if fate.to:
                places[fate.to] += count
        for troop, fights_by_losses in troops.items():
            fights_by_losses[fallen[troop]] += count
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
    """Return a result (:func:`result_of`) in words: ``England wins``."""
    if result in (DRAWN, NOBODY):
        return "drawn after too many rounds" if result == DRAWN else "nobody holds the field"
    realms = {side.realm: side.name for side in odds.sides}
    codes = result.split("+")
    return f"{listed([realms[code] for code in codes])} {verb('win', codes)}"


def verb(infinitive: str, codes: Sequence[str]) -> str:
    """Return a verb in the third person: ``wins``, or ``win`` of several realms or the independents."""
    return infinitive if len(codes) > 1 or codes[0] == INDEPENDENTS else f"{infinitive}s"
