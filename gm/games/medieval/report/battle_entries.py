"""Short descriptions of the battles of a turn, which all reports use.

Each has its number, title and files, winners, numbers and losses, and luck (B5, B14).
"""

import re
from bisect import bisect
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import chain
from math import erfc, sqrt

from gm.core.diagnostics import NUMBER_WORDS, fold
from gm.core.values import Event, Record
from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.battle_counts import Counts, counts_of_turn
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.state import INDEPENDENTS
from gm.text.languages import ENGLISH, Translate
from gm.text.pages import capitalised

KIND_WORDS = {
    "land": "Land battle",
    "sea": "Sea battle",
    "border": "Battle at a border",
    "mutiny": "Mutiny aboard",
}


def file_part(text: str) -> str:
    """Return a name as a part of a file name: 1 to 40 of a-z, 0-9 and hyphens."""
    return re.sub("[^a-z0-9]+", "-", fold(text)).strip("-")[:40] or "place"


class BattleEntry(Record):
    """A battle as reports list it and link to it; its texts are in the reader's language."""

    number: int  # from 1, in the order of the turn's fights
    file: str  # the name of its page
    title: str
    kind: str  # in words: ``Sea battle``
    phase: int
    realms: tuple[str, ...]  # their codes
    sides: str  # the names of the realms
    result: str  # in a sentence
    length: str  # the number of rounds, in words
    report: BattleReport
    counts: Counts

    @property
    def page(self) -> str:
        """The path of the battle's page from a realm's page."""
        return f"battles/{self.file}"

    @property
    def anchor(self) -> str:
        """The id of the battle's section on a realm's page."""
        return f"battle-{self.number:02d}"

    @property
    def data(self) -> str:
        """The path of its file for programs from a realm's page."""
        return f"battles/{self.file.partition('.')[0]}.yaml"


def _length(report: BattleReport, formatter: MedievalFormatter) -> str:
    """Return the number of a battle's rounds, in words."""
    return formatter.phrase(
        "{count:round}" if report.rounds else "No round was fought", count=len(report.rounds)
    )


def battle_entries(public: Sequence[Event], formatter: MedievalFormatter) -> tuple[BattleEntry, ...]:
    """Return an entry for every battle among a turn's events for everybody, in the order of the fights."""
    fought = [event.report for event in public if isinstance(event, BattleFought)]
    in_prose = formatter.with_articles()
    digits = max(2, len(str(len(fought))))  # as many in all names, so that files are listed in order
    ending = "html" if formatter.language == ENGLISH else f"{formatter.language}.html"
    entries = []
    for number, (report, counts) in enumerate(zip(fought, counts_of_turn(public), strict=True), 1):
        places = {"place": formatter.place(report.place), "other": formatter.place(report.other_place)}
        places_part = file_part("-".join(filter(None, (report.place, report.other_place))))
        title = formatter.phrase(
            "Battle between {place} and {other}" if places["other"] else "Battle of {place}", **places
        )
        entry = BattleEntry(
            number=number,
            file=f"{number:0{digits}d}-{places_part}.{ending}",
            title=title,
            kind=formatter.translate(KIND_WORDS["mutiny" if report.mutiny else report.kind]),
            phase=report.phase,
            realms=report.realms,
            sides=formatter.listed(map(in_prose.realm, report.realms)),
            result=_result(report, in_prose),
            length=_length(report, formatter),
            report=report,
            counts=counts,
        )
        entries.append(entry)
    return tuple(entries)


def _result(report: BattleReport, formatter: MedievalFormatter) -> str:
    """Return the result of a battle in a sentence."""
    if report.result == "drawn":
        return formatter.translate("The battle is broken off as drawn.")
    if report.result == "nobody" or not report.winners:
        return formatter.translate("Nobody holds the field.")
    is_plural = len(report.winners) > 1 or report.winners == (INDEPENDENTS,)
    names = formatter.listed(map(formatter.realm, report.winners))
    return capitalised(formatter.phrase("{realms} win." if is_plural else "{realms} wins.", realms=names))


_SPELLED = 12  # the greatest number that is written as a word
_EXPECTED = 0.5  # with a smaller score, luck was about as expected
_STEPS = (1.0, 1.7, 2.6)  # the scores at which one degree of luck ends and the next begins
LUCKY = ("a little lucky", "lucky", "very lucky", "extraordinarily lucky")
UNLUCKY = ("a little unlucky", "unlucky", "very unlucky", "extraordinarily unlucky")
TOLD = (
    "{degree}: {amount} {hits} fewer than expected; {often} goes that badly",
    "{degree}: {amount} {hits} more than expected; {often} goes that well",
)
"""The sentences about fewer hits than expected, and about more."""


class Luck(Record):
    """The luck of a side with its hits; its texts are in the language of ``translate``."""

    made: int  # hits
    expected: Decimal  # hits
    variance: Decimal  # of the hits: the sum over all attacks of chance * (1 - chance)
    translate: Translate = str

    @property
    def spread(self) -> float:
        """The standard deviation of the hits: two battles in three are within it of the expected ones."""
        return sqrt(self.variance)

    @property
    def difference(self) -> Decimal:
        """How many more hits were made than expected; negative for fewer."""
        return self.made - self.expected

    @property
    def score(self) -> float:
        """The difference in units of the spread; 0 if no hit depended on dice."""
        return float(self.difference) / self.spread if self.variance else 0.0

    @property
    def is_telling(self) -> bool:
        """Whether the luck was more than a little good or bad."""
        return abs(self.score) >= _STEPS[0]

    @property
    def one_in(self) -> float:
        """One battle in this number goes at least as well, or as badly."""
        if not self.variance:
            return 1.0
        # the normal approximation with its correction by half a hit
        off = max(0.0, abs(float(self.difference)) - 0.5) / self.spread
        return 2 / erfc(off / sqrt(2))

    @property
    def degree(self) -> str:
        """The words for how lucky the side was: ``very unlucky``; empty for about as expected."""
        size = abs(self.score)
        if size < _EXPECTED:
            return ""
        degrees = LUCKY if self.difference > 0 else UNLUCKY
        return self.translate(degrees[bisect(_STEPS, size)])

    @property
    def brief(self) -> str:
        """The luck in a few words: ``very unlucky, one battle in 20``."""
        if not self.degree:
            return self.translate("about as expected")
        return f"{self.degree}, {frequency(self.one_in, self.translate)}"

    @property
    def words(self) -> str:
        """The luck at length.

        ``unlucky: 3.1 hits fewer than expected; one battle in twelve goes that badly``.
        """
        if not self.variance:
            return self.translate("nothing was left to luck")
        if not self.degree:
            return self.translate("about as expected")
        amount = f"{abs(self.difference):.1f}"
        is_more = self.difference > 0
        hits = self.translate("hit" if amount == "1.0" else "hits")
        often = frequency(self.one_in, self.translate)
        return self.translate(TOLD[is_more]).format(degree=self.degree, amount=amount, hits=hits, often=often)


def frequency(one_in: float, translate: Translate = str) -> str:
    """Return the words for one battle in so many: ``one battle in twelve``; above 20 they are rounded."""
    if one_in >= 1000:
        return translate("not one battle in a thousand")
    number = max(2, round(one_in))
    if number > 20:  # to tens, from 200 on to hundreds
        number = round(number, -1) if number < 200 else round(number, -2)
    number_words = translate(NUMBER_WORDS[number]) if number <= _SPELLED else number
    return translate("one battle in {number}").format(number=number_words)


def luck_of(report: BattleReport, realms: Iterable[str], translate: Translate = str) -> Luck | None:
    """Return the luck of these realms, by code, together.

    None if the log is of a version that did not record expected hits.
    """
    codes = set(realms)
    keys = {unit.unit for unit in report.units if unit.realm in codes}
    hits_made = 0
    expected = Decimal(0)
    variance = Decimal(0)
    for unit_round in chain.from_iterable(fought.units for fought in report.rounds):
        if unit_round.unit not in keys:
            continue
        if unit_round.expected is None or unit_round.variance is None:
            return None
        hits_made += sum(hit.damage for hit in unit_round.caused)
        expected += unit_round.expected
        variance += unit_round.variance
    return Luck(hits_made, expected, variance, translate)


def net_score(own: Luck, enemy: Luck) -> float:
    """Return the luck of a side's hits, less that of its enemy's, in units of the spread of them all."""
    variance = own.variance + enemy.variance
    return float(own.difference - enemy.difference) / sqrt(variance) if variance else 0.0
