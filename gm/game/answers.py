"""A game's answers to questions: sentences with their rules, differences, odds of battles, trials."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import count
from operator import attrgetter
from typing import Any, TypeVar

from gm.core.diagnostics import Counted, Diagnostic, Message, Translate
from gm.core.dice import Source
from gm.core.orders.header import OrderFile
from gm.core.values import Event, Record

K = TypeVar("K")
V = TypeVar("V")


class FileTypes(Record):
    """The types from which schemas of a game's files are made.

    ``untold``: fields, by class, that a position or an event in results leaves out, because they follow from
    its place or are written elsewhere.
    """

    state: type
    events: Mapping[str, type[Event]]
    untold: Mapping[str, Sequence[str]] = {}


class Explanation(Record):
    """One sentence. ``clause``: the rule behind it, or empty; a deeper one explains the one above it."""

    text: str
    clause: str = ""
    depth: int = 0


Fates = Mapping[tuple[str, str, int], str]  # In words, by party, the order's text, how often that came before


def fates_of(settled: Iterable[Any], reason: Callable[[str, Mapping[str, Any]], tuple[str, str]]) -> Fates:
    """Return the outcomes of settled orders.

    ``reason`` gives clause and words from an event's ``reason`` and ``figures``.
    """
    fates: dict[tuple[str, str, int], str] = {}
    for event in sorted(settled, key=attrgetter("audience", "line", "column")):
        clause, why = reason(event.reason, event.figures) if event.reason else ("", "")
        fate = f"{event.fate.value} ({why}, {clause})" if event.reason else event.fate.value
        fates[numbered(fates, event.audience, event.text)] = fate
    return fates


def numbered(earlier: Mapping[tuple[str, Any, int], Any], one: str, other: Any) -> tuple[str, Any, int]:
    """Return a new key for two names, with the number of earlier keys for the same two at its end."""
    return next((one, other, number) for number in count() if (one, other, number) not in earlier)


def differences(was: Mapping[K, V], now: Mapping[K, V]) -> Iterator[tuple[K, V | None, V | None]]:
    """Yield (key, before, now) of each difference; None where a value is missing."""
    for key in dict.fromkeys((*was, *now)):
        if was.get(key) != now.get(key):
            yield key, was.get(key), now.get(key)


def diff_of_fates(was: Fates, now: Fates, called: Callable[[str], str]) -> Iterator[str]:
    """Yield the differences between the outcomes of orders; ``called`` returns the name of a party."""
    for (party, text, _), old, new in differences(was, now):
        ordered = f"was {old or 'not ordered'}; {f'now {new}' if new else 'is not ordered now'}"
        yield f"{called(party)}, “{text}”: {ordered}"


def titled_diff(parts: Iterable[tuple[str, Iterable[str]]]) -> tuple[Explanation, ...]:
    """Return differences under their headings; headings without any are left out."""
    explanations: list[Explanation] = []
    for title, lines in parts:
        under = [Explanation(text, "", 1) for text in lines]
        if under:
            explanations += [Explanation(title), *under]
    return tuple(explanations) or (Explanation("Nothing: the turn comes out the same."),)


class OddsQuestion(Record, kw_only=True):
    """A question about a battle.

    ``forces``, typed in, meeting on ``fortification``, ``kind`` (land, sea, border) and ``landing``; or the
    units at ``place``, also after ``moves`` of (unit, place). ``wars``: pairs of parties supposed to be at
    war; ``party``: who asks, whose own units need no code before them.
    """

    forces: str = ""
    place: str | None = None
    moves: tuple[tuple[str, str], ...] = ()
    wars: tuple[tuple[str, str], ...] = ()
    party: str | None = None
    fortification: int = 0
    kind: str = "land"
    landing: bool = False
    fights: int


class OddsForms(Record, kw_only=True):
    """The forms of questions to a game: typed forces, a move, and options that describe forces."""

    forces: str = ""
    march: str = ""
    more: tuple[str, ...] = ()


class OddsAnswer(Record, kw_only=True):
    """The answer: ``lines`` for people, ``figures`` for programs, ``picture`` makes an SVG."""

    lines: tuple[str, ...]
    figures: Mapping[str, Any] = {}
    picture: Callable[[], str]


OddsMaker = Callable[[Any, Any, OddsQuestion, Source], OddsAnswer]
"""Fights a battle many times: (table, state, question, source of random numbers) to odds, otherwise pure.

Without a

state only typed forces can be asked about. Raises ``ValueError`` with a sentence."""


class Advice(Record):
    """An order that a program advises, at its place in the file: in words, with a reason in a sentence.

    ``weight``: how important it is compared with the others; 0 if it only serves one of them. ``about``: its
    subject, on which one advice is enough; empty if no other shares it. ``taken``: the orders that are
    adopted with it, as the page's order writer stores them.
    """

    line: int
    column: int
    words: str
    why: str
    weight: float = 0
    about: str = ""
    taken: tuple[Any, ...] = ()


class TriedOrder(Record, kw_only=True):
    """One order in the trial.

    ``fate``: done, reduced or failed, with ``reason``, ``figures``, ``clause``, ``says``; ``hangs_on``:
    empty, or what decides it: the dice or the others; ``gold``, ``moves``: its cost.
    """

    line: int
    column: int
    order: str
    fate: str
    hangs_on: str = ""
    reason: str = ""
    figures: Mapping[str, Any] = {}
    clause: str = ""
    says: str = ""
    gold: Decimal = Decimal(0)  # Below 0: brought
    moves: int = 0


class Whereabouts(Record):
    """Where a unit is: its place, the unit that carries it (empty: none), and its remaining move-points."""

    place: str
    aboard: str
    moves: int


class PhasePlan(Record):
    """The party's units, by key, at the end of a phase; 0 is before the first."""

    phase: int
    units: Mapping[str, Whereabouts]


class BookLine(Record):
    """One line of the books: its label, gold in or out (None: a balance only) and the balance after it.

    ``supposed``: the balance if others did their worst, not a forecast.
    """

    says: str
    amount: Decimal | None
    balance: Decimal
    total: bool = False
    supposed: bool = False


class Preview(Counted, Record, kw_only=True):
    """An order file tried: the game gives the results of the trial, and the check adds the rest.

    ``findings``: the trial's; ``figures``: the forecast for programs; ``books``: the same line by line for
    people, ``sums`` its totals; ``ordered``: keys of the units whose way through the phases is shown;
    ``course``: other events; ``assumed``: the parties for which the file assumes orders.

    ``file``: its name in ``diagnostics``, which are all findings in the order of the file; ``translate`` puts
    them into its writer's language; ``lapses``: what holds no more when this file counts; ``alone``: nobody
    else orders in this turn.
    """

    findings: tuple[Diagnostic, ...] = ()
    orders: tuple[TriedOrder, ...] = ()
    plan: tuple[PhasePlan, ...] = ()
    ordered: tuple[str, ...] = ()
    books: tuple[BookLine, ...] = ()
    sums: tuple[tuple[str, Decimal], ...] = ()
    course: tuple[Explanation, ...] = ()
    assumed: tuple[str, ...] = ()
    figures: Mapping[str, Any] = {}
    file: str = ""
    reading: OrderFile = OrderFile(None)
    diagnostics: tuple[Diagnostic, ...] = ()
    translate: Translate = str
    lapses: tuple[Message, ...] = ()
    alone: bool = False


class Fight(Record):
    """A battle in words: at a place or between two."""

    places: tuple[str, ...]
    title: str
    text: str


class Work(Record):
    """The things that were built at a place, in words."""

    place: str
    what: str


class TurnStory(Record):
    """A turn in words, as far as a reader may know it: its battles, and other entries.

    ``own`` are the entries about the reader's party, the biggest changes first; ``built`` is part of the
    news, too.
    """

    fights: tuple[Fight, ...] = ()
    news: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    built: tuple[Work, ...] = ()
