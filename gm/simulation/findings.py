"""What the games of a simulation show, added up game by game: who wins, who grows, who lasts, what is used."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from gm.simulation.statistics import Interval, Quartiles, median_interval, quartiles, wilson
from gm.simulation.tables import ranks
from gm.store.formats import JsonObject

UNFINISHED = "unfinished"
"""Why a game is no longer played: it was stopped after so many turns, and nobody has won."""
SAMPLES = 12
"""So many refused orders are shown in full."""


@dataclass
class Tally:
    """What became of one realm in all games, or of all realms that one bot played.

    ``games`` are those that were ``finished`` and those that were stopped: of these nobody has won, and ``led`` are
    those in which it was first by the score. ``grown`` is how much of the score each game brought, ``ends`` the figures
    at the end of each, by column.
    """

    games: int = 0
    finished: int = 0
    wins: int = 0
    led: int = 0
    lasted: int = 0
    fair: float = 0.0
    """How many wins there would have been, had each finished game's winners been drawn."""
    fair_first: float = 0.0
    """The same for being first at the end, in all games."""
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
        if realm["out"] is None:
            self.lasted += 1
        else:
            self.outs.append(realm["out"])
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
        return wilson(self.lasted, self.games)

    @property
    def growth(self) -> Interval:
        """The median growth of the score from start to end."""
        return median_interval(self.grown)

    @property
    def fair_share(self) -> float:
        """The share of finished games that it would win by lot."""
        return self.fair / self.finished if self.finished else 0.0

    @property
    def fair_first_share(self) -> float:
        """The share of games in which it would be first by lot."""
        return self.fair_first / self.games if self.games else 0.0

    @property
    def mean_rank(self) -> float:
        """Its place on average, 1 for the first."""
        return fmean(self.ranks)

    def median_end(self, column: int) -> float:
        """The median of one figure at the end."""
        return quartiles(row[column] for row in self.ends).middle


class Findings:
    """All that the page and the summary tell. Games are added in the order of their numbers."""

    def __init__(self, records: Iterable[JsonObject]) -> None:
        self.columns: list[str] = []
        self.repeated = 0
        """Games in which nothing was drawn, and which are a game that was counted already: no observation more."""
        self._marks: set[str] = set()
        self.games = self.orders = self.failed = self.refused = 0
        self.reasons: Counter[str] = Counter()
        self.lengths: list[int] = []
        self.realms: dict[str, Tally] = {}
        self.bots: dict[str, Tally] = {}
        self.uses: dict[str, Counter[str]] = {}
        self.used_in: dict[str, Counter[str]] = {}
        self.refusals: list[str] = []
        # by turn, a value for each game that was going on
        self._scores: dict[str, list[list[float]]] = defaultdict(list)
        self._sums: dict[str, list[list[float]]] = defaultdict(list)
        self._out: list[list[float]] = []
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
        places = ranks(record)
        for code, realm in record["realms"].items():
            self.realms.setdefault(code, Tally()).add(record, code, places[code])
            self.bots.setdefault(realm["bot"], Tally()).add(record, code, places[code])
        self._add_turns(record)
        for kind, names in record["rules"].items():
            self.uses.setdefault(kind, Counter()).update(names)
            self.used_in.setdefault(kind, Counter()).update({name: int(count > 0) for name, count in names.items()})

    def _add_turns(self, record: JsonObject) -> None:
        realms = record["realms"]
        for turn in range(record["turns"] + 1):
            rows = {code: realm["figures"][turn] for code, realm in realms.items()}
            for code, row in rows.items():
                _at(self._scores[code], turn).append(row[0])
            for column, values in zip(self.columns, zip(*rows.values(), strict=True), strict=True):
                _at(self._sums[column], turn).append(sum(values))
            gone = sum(realm["out"] is not None and realm["out"] <= turn for realm in realms.values())
            _at(self._out, turn).append(gone)

    def score_curve(self, realm: str) -> list[Quartiles]:
        """The score of a realm, by turn."""
        return list(map(quartiles, self._scores[realm]))

    def sum_curve(self, column: str) -> list[Quartiles]:
        """A figure added up over all realms, by turn."""
        return list(map(quartiles, self._sums[column]))

    def out_curve(self) -> list[Quartiles]:
        """How many realms are out of the game, by turn; the middle is the mean, as the counts are small."""
        return [replace(quartiles(counts), middle=fmean(counts)) for counts in self._out]

    @property
    def unused(self) -> Mapping[str, list[str]]:
        """The rules that no game used, by kind."""
        found = {kind: sorted(name for name, count in names.items() if not count) for kind, names in self.uses.items()}
        return {kind: names for kind, names in sorted(found.items()) if names}


def _at(turns: list[list[float]], turn: int) -> list[float]:
    """The values of a turn, the first of which may be about to come."""
    if turn == len(turns):
        turns.append([])
    return turns[turn]
