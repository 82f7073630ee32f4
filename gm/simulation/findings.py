"""What the games of a simulation show, added up game by game: who wins, grows and lasts; and whether the start is fair.

With equal bots, each of them playing each realm equally often, what is left of the differences between realms is the
start position's. A realm is an *outlier*

* in survival or growth, when its share of games survived, or the median growth of its score, lies outside Tukey's
  fences: one and a half times the range of the middle half of all realms beyond that half. When nearly all realms fare
  alike, the middle half has no width, and chance alone would throw realms over the fences: so the range counts as at
  least half of the width of a realm's 95% interval (the median realm's), which is what so many games can tell apart;
* in being first, when its whole 95% interval (Wilson's) lies above ``MOST_WINS`` times its fair share. First is who
  won, or who led by the score when the game was stopped unfinished. Wins are scarce (one of 23 realms wins a game), so
  the bound is wide. Too few wins are no outlier of their own: they show as little growth.

Fewer than ``LEAST_GAMES`` games prove nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb, modf, sqrt
from statistics import fmean

from gm.store.formats import JsonObject

UNFINISHED = "unfinished"  # why a game is no longer played: it was stopped after so many turns, and nobody has won
SAMPLES = 12  # so many refused orders are shown in full
Z95 = 1.959963984540054  # the normal distribution's 97.5% point: 95% lie within so many standard errors

Turns = dict[int, list[float]]  # by turn, a value for each game that was going on


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with the interval that holds the true value with 95% confidence; or the quartiles of values."""

    low: float
    middle: float
    high: float


def wilson(successes: float, tries: int) -> Interval:
    """A share with Wilson's score interval, right for few tries and for shares near 0 and 1; after no tries 0 to 1."""
    if tries == 0:
        return Interval(0.0, 0.0, 1.0)
    share, below = successes / tries, 1 + Z95**2 / tries
    centre = (share + Z95**2 / (2 * tries)) / below
    half = Z95 * sqrt(share * (1 - share) / tries + Z95**2 / (4 * tries**2)) / below
    # at the ends the formula gives 0 and 1 but for the last digits
    return Interval(max(0.0, min(share, centre - half)), share, min(1.0, max(share, centre + half)))


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the sorted ``values`` lies, between two of them in proportion."""
    part, below = modf((len(values) - 1) * share)
    low, high = values[int(below)], values[min(int(below) + 1, len(values) - 1)]
    return low + (high - low) * part


def quartiles(values: Iterable[float]) -> Interval:
    """The quartiles of values in any order. Raises ``ValueError`` for no values."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values have no quartiles")
    return Interval(*(quantile(ordered, share) for share in (0.25, 0.5, 0.75)))


def median_interval(values: Sequence[float]) -> Interval:
    """The median with the 95% interval that the order of the values gives, whatever they are distributed like."""
    ordered, count = sorted(values), len(values)
    total, skip = 0.0, 0
    # the true median lies below the k-th smallest value with the chance of fewer than k heads in ``count`` throws
    for heads in range(count // 2):
        total += comb(count, heads) / 2**count
        if total > 0.025:
            break
        skip = heads
    return Interval(ordered[skip], quantile(ordered, 0.5), ordered[count - 1 - skip])


def ranks(record: JsonObject) -> dict[str, int]:
    """Each realm's place in a game: winners first, then by score, then by how long it lasted. Equals share the best."""
    order = {
        code: (code in record["winners"], realm["figures"][-1][0], realm["out"] or record["turns"] + 1)
        for code, realm in record["realms"].items()
    }
    better = sorted(order.values(), reverse=True)
    return {code: better.index(own) + 1 for code, own in order.items()}


@dataclass
class Tally:
    """What became of one realm in all games, or of all realms that one bot played. Of ``games`` that were not
    ``finished`` nobody has won, and in ``led`` of them it was first by the score. ``fair`` is how many wins there would
    have been, had each finished game's winners been drawn, ``fair_first`` the same for being first at the end of any.
    ``grown`` is how much of the score each game brought, ``ends`` the figures at the end of each, by column."""

    games: int = 0
    finished: int = 0
    wins: int = 0
    led: int = 0
    fair: float = 0.0
    fair_first: float = 0.0
    grown: list[float] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    outs: list[int] = field(default_factory=list)
    ends: list[Sequence[float]] = field(default_factory=list)

    def add(self, record: JsonObject, code: str, rank: int) -> None:
        """Count one realm of one game."""
        realm = record["realms"][code]
        first, last = realm["figures"][0], realm["figures"][-1]
        leaders = record.get("leaders", ())
        self.games += 1
        self.finished += record["reason"] != UNFINISHED
        self.wins += code in record["winners"]
        self.led += code in leaders
        self.fair += len(record["winners"]) / len(record["realms"])
        self.fair_first += len(record["winners"] or leaders) / len(record["realms"])
        self.outs += [realm["out"]] * (realm["out"] is not None)
        self.grown.append(last[0] - first[0])
        self.ranks.append(rank)
        self.ends.append(last)

    @property
    def winning(self) -> Interval:
        """The share of finished games won."""
        return wilson(self.wins, self.finished)

    @property
    def first(self) -> Interval:
        """The share of games that it won, or led when they were stopped."""
        return wilson(self.wins + self.led, self.games)

    @property
    def lasting(self) -> Interval:
        """The share of games at whose end it was still there."""
        return wilson(self.games - len(self.outs), self.games)

    @property
    def growth(self) -> Interval:
        """The median growth of the score from start to end."""
        return median_interval(self.grown)

    @property
    def fair_first_share(self) -> float:
        return self.fair_first / self.games if self.games else 0.0

    @property
    def mean_rank(self) -> float:
        return fmean(self.ranks)

    def median_end(self, column: int) -> float:
        """The median of one figure at the end."""
        return quartiles(row[column] for row in self.ends).middle


class Findings:
    """All that the page and the summary tell. Games are added in the order of their numbers. ``repeated`` counts games
    in which nothing was drawn and which are one that was counted already: no observation more. ``scores`` are each
    realm's, ``sums`` each figure's over all realms, ``out`` how many realms are out."""

    def __init__(self, records: Iterable[JsonObject]) -> None:
        self.columns: list[str] = []
        self.repeated = self.games = self.orders = self.failed = self.refused = 0
        self._marks: set[str] = set()
        self.reasons: Counter[str] = Counter()
        self.lengths: list[int] = []
        self.realms: dict[str, Tally] = {}
        self.bots: dict[str, Tally] = {}
        self.uses: dict[str, Counter[str]] = {}
        self.used_in: dict[str, Counter[str]] = {}
        self.refusals: list[str] = []
        self.scores: dict[str, Turns] = defaultdict(lambda: defaultdict(list))
        self.sums: dict[str, Turns] = defaultdict(lambda: defaultdict(list))
        self.out: Turns = defaultdict(list)
        for record in records:
            self._add(record)

    def _add(self, record: JsonObject) -> None:
        self.columns = record["columns"]
        if mark := record.get("mark"):
            if mark in self._marks:
                self.repeated += 1
                return
            self._marks.add(mark)
        self.games += 1
        self.orders += record["orders"]
        self.failed += record["failed"]
        self.refused += record["refused"]
        self.refusals += record["refusals"][: SAMPLES - len(self.refusals)]
        self.reasons[record["reason"]] += 1
        self.lengths.append(record["turns"])
        places, realms = ranks(record), record["realms"]
        for code, realm in realms.items():
            self.realms.setdefault(code, Tally()).add(record, code, places[code])
            self.bots.setdefault(realm["bot"], Tally()).add(record, code, places[code])
        for kind, names in record["rules"].items():
            self.uses.setdefault(kind, Counter()).update(names)
            self.used_in.setdefault(kind, Counter()).update({name: int(count > 0) for name, count in names.items()})
        for turn in range(record["turns"] + 1):
            rows = {code: realm["figures"][turn] for code, realm in realms.items()}
            for code, row in rows.items():
                self.scores[code][turn].append(row[0])
            for column, values in zip(self.columns, zip(*rows.values(), strict=True), strict=True):
                self.sums[column][turn].append(sum(values))
            self.out[turn].append(sum(each["out"] is not None and each["out"] <= turn for each in realms.values()))

    @property
    def unused(self) -> Mapping[str, list[str]]:
        """The rules that no game used, by kind."""
        found = {kind: sorted(name for name, count in names.items() if not count) for kind, names in self.uses.items()}
        return {kind: names for kind, names in sorted(found.items()) if names}


LEAST_GAMES = 200
MOST_WINS = 3.0
LEAST_REALMS = 4  # of fewer, quartiles say nothing
TUKEY = 1.5


def fences(values: Iterable[float], noise: float = 0.0) -> Interval:
    """Tukey's fences: what lies outside is an outlier. ``noise``: the least range that means anything."""
    found = quartiles(values)
    reach = TUKEY * max(found.high - found.low, noise)
    return Interval(found.low - reach, found.middle, found.high + reach)


@dataclass(frozen=True, slots=True)
class Measure:
    """How the realms fare in one respect: each realm's figure, the fences, and who lies outside."""

    realms: Mapping[str, Interval]
    fences: Interval
    outliers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Balance:
    """The verdict. ``favoured`` win too often; ``games`` is how many were played."""

    games: int
    survival: Measure
    growth: Measure
    favoured: tuple[str, ...]

    @property
    def enough(self) -> bool:
        return self.games >= LEAST_GAMES

    @property
    def outliers(self) -> tuple[str, ...]:
        """All realms that are outliers in any respect, by code."""
        return tuple(sorted({*self.survival.outliers, *self.growth.outliers, *self.favoured}))


def balance_of(findings: Findings) -> Balance | None:
    """The verdict on a simulation; none when there are too few realms to compare."""
    tallies = dict(sorted(findings.realms.items()))
    if len(tallies) < LEAST_REALMS:
        return None
    return Balance(
        games=findings.games,
        survival=_measure({code: tally.lasting for code, tally in tallies.items()}),
        growth=_measure({code: tally.growth for code, tally in tallies.items()}),
        # three times the share of a duel is more than all games: two realms can only be told apart by who wins at all
        favoured=tuple(
            code
            for code, each in tallies.items()
            if each.first.low > min(MOST_WINS * each.fair_first_share, (1 + each.fair_first_share) / 2)
        ),
    )


def _measure(realms: Mapping[str, Interval]) -> Measure:
    noise = quartiles((each.high - each.low) / 2 for each in realms.values()).middle
    found = fences((each.middle for each in realms.values()), noise)
    outside = (code for code, each in realms.items() if not found.low <= each.middle <= found.high)
    return Measure(realms, found, tuple(outside))
