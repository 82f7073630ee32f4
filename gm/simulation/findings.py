"""The findings of a simulation, added up game by game: who wins, grows, lasts; whether the start is fair.

With equal bots, each of them playing each realm equally often, the remaining differences between realms come
from the start position. First in a game is the winner, or the leader by score when it was stopped unfinished.
A realm is

* *favoured* or *starved* when the whole 95% interval of its share of games in which it was first lies above
  ``MOST`` or below ``LEAST`` times its fair share;
* *shrinking* when its score falls on average, by the 95% interval of the mean.

Fewer than ``LEAST_GAMES`` games prove nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise
from math import sqrt
from statistics import NormalDist, fmean

from gm.simulation.estimates import Interval, mean_interval, median_interval, quartiles, share_by_game, wilson
from gm.simulation.record import COURSE, HOLD, UNFINISHED, ranks
from gm.store.formats import JsonObject

SAMPLES = 12  # so many refused orders are shown in full
TAKEN = COURSE.index("taken")
LOST = COURSE.index("lost again")
Turns = dict[int, list[float]]  # by turn, a value of each game that reached it


@dataclass
class Tally:
    """The results of one realm in all games, or of all realms that one bot played.

    A game in which a bot played several realms counts once for each of them.
    """

    games: int = 0
    finished: int = 0  # games that were not stopped: with winners, or with nobody left
    wins: int = 0
    led: int = 0  # games that were stopped while it was first by the score
    fair: float = 0.0  # the expected wins, had each finished game's winners been drawn by lot
    fair_first: float = 0.0  # the expected first places, had those of each game been drawn by lot
    luck: float = 0.0  # the variance of the first places drawn by lot
    # [won, finished, first, played] by the number of the game: how many of its realms in it did so
    by_game: dict[int, list[int]] = field(default_factory=dict)
    grown: list[float] = field(default_factory=list)  # the growth of the score in each game
    ranks: list[int] = field(default_factory=list)  # the rank at the end of each game, from 1
    outs: list[int] = field(default_factory=list)  # the turns in which it was eliminated
    # the figures at the end of each game, by column
    ends: list[Sequence[float]] = field(default_factory=list)

    def add(self, record: JsonObject, code: str, rank: int) -> None:
        """Add the result of the realm ``code`` in one game. ``rank``: the realm's when the game ended."""
        realm = record["realms"][code]
        first = realm["figures"][0]
        last = realm["figures"][-1]
        won = code in record["winners"]
        led = code in record.get("leaders", ())  # there are leaders only in a game without winners
        chance_of_first = len(record["winners"] or record.get("leaders", ())) / len(record["realms"])
        self.games += 1
        self.finished += record["reason"] != UNFINISHED
        self.wins += won
        self.led += led
        self.fair += len(record["winners"]) / len(record["realms"])
        self.fair_first += chance_of_first
        self.luck += chance_of_first * (1 - chance_of_first)
        counts = self.by_game.setdefault(record["game"], [0, 0, 0, 0])  # won, finished, first, played
        counts[0] += won
        counts[1] += record["reason"] != UNFINISHED
        counts[2] += won or led
        counts[3] += 1
        if realm["out"] is not None:
            self.outs.append(realm["out"])
        self.grown.append(last[0] - first[0])  # the score is the first figure
        self.ranks.append(rank)
        self.ends.append(last)

    @property
    def winning(self) -> Interval:
        """The share of finished games that the realm or bot won, alone or with others."""
        return share_by_game((won, finished) for won, finished, _, _ in self.by_game.values() if finished)

    @property
    def first(self) -> Interval:
        """The share of games that the realm or bot won, or led when they were stopped."""
        return share_by_game((first, played) for _, _, first, played in self.by_game.values())

    @property
    def lasting(self) -> Interval:
        """The share of games that the realm or bot survived to their end."""
        return wilson(self.games - len(self.outs), self.games)

    @property
    def growth(self) -> Interval:
        """The median growth of the score from start to end."""
        return median_interval(self.grown)

    @property
    def fair_first_share(self) -> float:
        """The share of games in which the realm or bot would be first, had first places been drawn by lot."""
        return self.fair_first / self.games if self.games else 0.0

    @property
    def mean_rank(self) -> float:
        return fmean(self.ranks)

    def median_end(self, column: int) -> float:
        """Return the median of the figure in a column at the end of all games."""
        return quartiles(row[column] for row in self.ends).middle


class Findings:
    """All figures of the report and the summary of a simulation."""

    def __init__(self, records: Iterable[JsonObject]) -> None:
        """Add up the records of games, which come in the order of their numbers."""
        self.columns: list[str] = []  # the names of the figures, the score first
        # ``repeated``: games without any chance that equal one counted before, and so are not counted
        self.repeated = self.games = self.orders = self.failed = self.refused = 0
        self._marks: set[str] = set()  # of the games without any chance
        self.reasons: Counter[str] = Counter()  # games by the reason of their end
        self.lengths: list[int] = []  # the number of turns of each game
        self.names: dict[str, str] = {}  # the realms' by code
        self.realms: dict[str, Tally] = {}  # by code
        self.bots: dict[str, Tally] = {}  # by name
        # by kind and name of a rule: how often each of the games that used it did so
        self.rules: dict[str, dict[str, list[int]]] = {}
        self.refusals: list[str] = []  # texts
        self.scores: dict[str, Turns] = defaultdict(lambda: defaultdict(list))  # by the realm's code
        self.sums: dict[str, Turns] = defaultdict(lambda: defaultdict(list))  # over all realms, by column
        self.out: Turns = defaultdict(list)  # the number of realms out
        self.course: dict[str, Turns] = defaultdict(lambda: defaultdict(list))  # by the names in ``COURSE``
        # a figure of each game, by name: "failed", the share of orders that failed; "out", the number of
        # realms out at its end; and for each name in ``COURSE`` the average count in a turn
        self.each: dict[str, list[float]] = defaultdict(list)
        # (lost again, taken) of each game: places that were taken at least ``HOLD`` turns before its end
        self.lost: list[tuple[int, int]] = []
        for record in records:
            self._add(record)

    def _add_turn(self, turn: int, realms: JsonObject) -> None:
        """Add the realms' figures after a turn of one game, and the number of realms out by then.

        ``realms``: their records by code.
        """
        rows = {code: realm["figures"][turn] for code, realm in realms.items()}
        for code, row in rows.items():
            self.scores[code][turn].append(row[0])  # the score is the first figure
        for column, values in zip(self.columns, zip(*rows.values(), strict=True), strict=True):
            self.sums[column][turn].append(sum(values))
        self.out[turn].append(
            sum(realm["out"] is not None and realm["out"] <= turn for realm in realms.values())
        )

    def _add(self, record: JsonObject) -> None:
        """Add one game, unless it repeats another."""
        self.columns = record["columns"]
        mark = record.get("mark")  # equal in games without any chance in which the same happened
        if mark:
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
        rank_of = ranks(record)
        realms = record["realms"]
        for code, realm in realms.items():
            self.names[code] = realm.get("name", code)
            self.realms.setdefault(code, Tally()).add(record, code, rank_of[code])
            self.bots.setdefault(realm["bot"], Tally()).add(record, code, rank_of[code])
        for kind, names in record["rules"].items():
            for name, count in names.items():
                uses_by_game = self.rules.setdefault(kind, {}).setdefault(name, [])
                if count > 0:
                    uses_by_game.append(count)
        for turn in range(record["turns"] + 1):
            self._add_turn(turn, realms)
        self.each["failed"].append(record["failed"] / max(1, record["orders"]))
        # how many realms were out at the end, which ``_add_turn`` has just counted
        self.each["out"].append(self.out[record["turns"]][-1])
        self._add_course(record.get("course", ()))

    def _add_course(self, rows: Sequence[Sequence[int]]) -> None:
        """Add the course of one game. ``rows``: the counts of each turn."""
        for turn, row in enumerate(rows, 1):
            for name, count in zip(COURSE, row, strict=True):
                self.course[name][turn].append(count)
        # not strict: a game without turns has no rows, and no averages
        for name, counts in zip(COURSE, zip(*rows, strict=True), strict=False):
            self.each[name].append(fmean(counts))
        # in the last turns nobody can see yet whether a place is lost again
        judged = rows[:-HOLD]
        self.lost.append((sum(row[LOST] for row in judged), sum(row[TAKEN] for row in judged)))

    @property
    def taken(self) -> int:
        """The number of places taken early enough to see whether they were lost again."""
        return sum(taken for _, taken in self.lost)

    @property
    def losing(self) -> Interval:
        """The share of the ``taken`` places that were lost again."""
        return share_by_game(self.lost)

    def periods(self, most: int = 4) -> list[tuple[int, int, dict[str, float]]]:
        """Return the turns of the longest game in at most ``most`` parts of about equal length.

        Each part is (first turn, last turn, averages): by name, the average of each count of ``COURSE`` in
        these turns, over all games that reached them.
        """
        turns = max(self.course[COURSE[0]], default=0)
        ends = [turns * part // most for part in range(most + 1)]
        parts = []
        for previous_last, last in pairwise(ends):
            if last > previous_last:  # a short game has parts without a turn
                first = previous_last + 1
                turns_of_part = range(first, last + 1)
                averages = {name: _mean_of(by_turn, turns_of_part) for name, by_turn in self.course.items()}
                parts.append((first, last, averages))
        return parts

    @cached_property
    def uses(self) -> Mapping[str, Mapping[str, int]]:
        """The number of times that each rule was used in all games, by kind and name."""
        return {kind: _totals(counts_by_name) for kind, counts_by_name in self.rules.items()}

    def uses_a_game(self, kind: str, name: str) -> Interval:
        """Return how often a rule was used in a game on average.

        Raises ``ValueError`` for fewer than two games.
        """
        counts = self.rules[kind][name]
        return mean_interval([*counts, *[0] * (self.games - len(counts))])

    @property
    def unused(self) -> Mapping[str, list[str]]:
        """The names of the rules that no game used, by kind; only kinds with such rules."""
        unused: dict[str, list[str]] = {}
        for kind, counts_by_name in sorted(self.rules.items()):
            names = sorted(name for name, counts in counts_by_name.items() if not counts)
            if names:
                unused[kind] = names
        return unused


def _mean_of(values_by_turn: Turns, turns: Iterable[int]) -> float:
    """Return the mean of a figure over some turns of all games."""
    return fmean(chain.from_iterable(values_by_turn[turn] for turn in turns))


def _totals(counts_by_name: Mapping[str, Iterable[int]]) -> dict[str, int]:
    """Return the sum of the counts of each name."""
    return {name: sum(counts) for name, counts in counts_by_name.items()}


LEAST_GAMES = 200  # with fewer there is no verdict
# a realm is starved below, favoured above so many times its fair share of first places
LEAST = 0.5
MOST = 2.0


@dataclass(frozen=True, slots=True)
class Balance:
    """The verdict on the fairness of the start; with too few games no realm is named.

    The description of this module says when realms are ``favoured``, ``starved`` or ``shrinking``.
    """

    games: int
    stopped: int  # of these games, those that were stopped unfinished
    favoured: tuple[str, ...]  # codes, as in the next two
    starved: tuple[str, ...]
    shrinking: tuple[str, ...]
    lot: float | None  # see :func:`lot`; None also for too few games

    @property
    def enough(self) -> bool:
        """Whether there are enough games for a verdict."""
        return self.games >= LEAST_GAMES

    @property
    def by_lot(self) -> str:
        """The chance ``lot`` in words, such as ``21%``; empty if it is None."""
        if self.lot is None:
            return ""
        return f"{100 * self.lot:.0f}%" if self.lot >= 0.01 else "less than 1%"

    @property
    def outliers(self) -> tuple[str, ...]:
        """The codes of all realms that are favoured, starved or shrinking."""
        return tuple(sorted({*self.favoured, *self.starved, *self.shrinking}))


def balance_of(findings: Findings) -> Balance | None:
    """Return the verdict on a simulation; None when there are fewer than two realms to compare.

    After fewer than ``LEAST_GAMES`` games it holds only their number, and how many of them were stopped.
    """
    realms = dict(sorted(findings.realms.items()))
    if len(realms) < 2:
        return None
    if findings.games < LEAST_GAMES:
        return Balance(findings.games, findings.reasons[UNFINISHED], (), (), (), None)
    shares = {code: (realm.first, realm.fair_first_share) for code, realm in realms.items()}
    return Balance(
        games=findings.games,
        stopped=findings.reasons[UNFINISHED],
        # of two realms the fair share is a half, and twice that is all games: there, three quarters count
        favoured=tuple(
            code for code, (first, fair) in shares.items() if first.low > min(MOST * fair, (1 + fair) / 2)
        ),
        starved=tuple(code for code, (first, fair) in shares.items() if first.high < LEAST * fair),
        shrinking=tuple(code for code, realm in realms.items() if mean_interval(realm.grown).high < 0),
        lot=lot(realms.values()),
    )


def lot(realms: Iterable[Tally]) -> float | None:
    """Return how likely chance alone makes the realms' first places at least as unequal as these.

    From 0 to 1: the upper tail of the chi-square distribution, by Wilson and Hilferty's approximation. None
    when there was nothing to draw. Several who are first in one game count as drawn together.
    """
    tallies = list(realms)
    degrees = len(tallies) - 1
    if degrees < 1 or not all(tally.luck for tally in tallies):
        return None
    squares = sum((tally.wins + tally.led - tally.fair_first) ** 2 / tally.luck for tally in tallies)
    # each square has a mean of 1, but the last follows from the others, as the first places add up: the sum
    # is a chi-square times len / degrees, and this mean is that chi-square divided by its degrees of freedom
    cube_root = (squares / len(tallies)) ** (1 / 3)
    # it is about normal, with this variance, and with a mean of 1 less this variance
    variance = 2 / (9 * degrees)
    return 1 - NormalDist().cdf((cube_root - 1 + variance) / sqrt(variance))
