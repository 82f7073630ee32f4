"""What the games of a simulation show, added up game by game: who wins, grows and lasts; and whether the start is fair.

With equal bots, each of them playing each realm equally often, what is left of the differences between realms is the
start position's. First in a game is who won, or who led by the score when it was stopped unfinished. A realm is

* *favoured* or *starved* when the whole 95% interval of its share of games in which it was first lies above ``MOST`` or
  below ``LEAST`` times its fair share;
* *shrinking* when its score falls on average, by the 95% interval of the mean.

Fewer than ``LEAST_GAMES`` games prove nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb, modf, sqrt
from statistics import NormalDist, fmean, stdev

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


def wilson(successes: float, tries: float) -> Interval:
    """A share with Wilson's score interval, right for few tries and for shares near 0 and 1; after no tries 0 to 1."""
    if tries == 0:
        return Interval(0.0, 0.0, 1.0)
    share, below = successes / tries, 1 + Z95**2 / tries
    centre = (share + Z95**2 / (2 * tries)) / below
    half = Z95 * sqrt(share * (1 - share) / tries + Z95**2 / (4 * tries**2)) / below
    # at the ends the formula gives 0 and 1 but for the last digits
    return Interval(max(0.0, min(share, centre - half)), share, min(1.0, max(share, centre + half)))


def share_by_game(found: Iterable[tuple[int, int]]) -> Interval:
    """The share of tries that succeeded, from both for each game. Where those of a game succeed together, as realms of
    one bot that win together, they prove less than as many that do not: they count as so many fewer (Wilson's)."""
    games = list(found)
    successes, tries = (sum(column) for column in zip(*games, strict=True)) if games else (0, 0)
    share = successes / max(1, tries)
    spread = sum((each - share * played) ** 2 for each, played in games)
    free = min(float(tries), share * (1 - share) * tries**2 / spread) if spread else float(tries)
    return wilson(share * free, free)


def lot(realms: Iterable["Tally"]) -> float | None:
    """The chance that realms were first as unequally as these or more, had it been drawn by lot who is (chi-square, by
    Wilson and Hilferty's approximation); none when there was nothing to draw. Several who are first in one game count
    as drawn together."""
    tallies = list(realms)
    degrees = len(tallies) - 1
    if degrees < 1 or not all(each.luck for each in tallies):
        return None
    unequal = sum((each.wins + each.led - each.fair_first) ** 2 / each.luck for each in tallies)
    cube = (unequal / len(tallies)) ** (1 / 3)
    step = 2 / (9 * degrees)
    return 1 - NormalDist().cdf((cube - 1 + step) / sqrt(step))


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
    luck: float = 0.0
    by_game: dict[int, list[int]] = field(default_factory=dict)
    grown: list[float] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    outs: list[int] = field(default_factory=list)
    ends: list[Sequence[float]] = field(default_factory=list)

    def add(self, record: JsonObject, code: str, rank: int) -> None:
        """Count one realm of one game."""
        realm = record["realms"][code]
        first, last = realm["figures"][0], realm["figures"][-1]
        won, led = code in record["winners"], code in record.get("leaders", ())
        drawn = len(record["winners"] or record.get("leaders", ())) / len(record["realms"])
        self.games += 1
        self.finished += record["reason"] != UNFINISHED
        self.wins += won
        self.led += led
        self.fair += len(record["winners"]) / len(record["realms"])
        self.fair_first += drawn
        self.luck += drawn * (1 - drawn)
        own = self.by_game.setdefault(record["game"], [0, 0, 0])
        own[:] = own[0] + won, own[1] + (won or led), own[2] + 1
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
        return share_by_game((first, played) for _, first, played in self.by_game.values())

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
LEAST, MOST = 0.5, 2.0


@dataclass(frozen=True, slots=True)
class Balance:
    """The verdict on so many ``games``, some of them ``stopped`` unfinished; realms by code. ``lot``: as it says."""

    games: int
    stopped: int
    favoured: tuple[str, ...]
    starved: tuple[str, ...]
    shrinking: tuple[str, ...]
    lot: float | None

    @property
    def enough(self) -> bool:
        return self.games >= LEAST_GAMES

    @property
    def by_lot(self) -> str:
        """That chance for people, if there is one."""
        return "" if self.lot is None else f"{100 * self.lot:.0f}%" if self.lot >= 0.01 else "less than 1%"

    @property
    def outliers(self) -> tuple[str, ...]:
        """All realms that something is wrong with."""
        return tuple(sorted({*self.favoured, *self.starved, *self.shrinking}))


def balance_of(findings: Findings) -> Balance | None:
    """The verdict on a simulation; none when there is nobody to compare with."""
    realms = dict(sorted(findings.realms.items()))
    if len(realms) < 2:
        return None
    shares = {code: (each.first, each.fair_first_share) for code, each in realms.items()}
    return Balance(
        games=findings.games,
        stopped=findings.reasons[UNFINISHED],
        # twice the share of a duel is all games: two realms can only be told apart by who wins at all
        favoured=tuple(code for code, (own, fair) in shares.items() if own.low > min(MOST * fair, (1 + fair) / 2)),
        starved=tuple(code for code, (own, fair) in shares.items() if own.high < LEAST * fair),
        shrinking=tuple(code for code, each in realms.items() if _shrinks(each.grown)),
        lot=lot(realms.values()),
    )


def _shrinks(grown: Sequence[float]) -> bool:
    return len(grown) > 1 and fmean(grown) + Z95 * stdev(grown) / sqrt(len(grown)) < 0
