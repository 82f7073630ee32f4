"""A game's answers to questions: sentences with their rules, differences, odds of battles, trials."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import count
from operator import attrgetter
from typing import Any, TypeVar

from gm.core.diagnostics import Counted, Diagnostic, Message, Translate, said, says
from gm.core.dice import Source
from gm.core.orders.header import OrderFile
from gm.core.values import Event, Record

K = TypeVar("K")
V = TypeVar("V")


class FileTypes(Record):
    """The types from which schemas of a game's files are made."""

    state: type  # of a position
    events: Mapping[str, type[Event]]  # by name
    # the fields, by the name of their class, that results leave out of a position or an event, because they
    # follow from its place or are written elsewhere
    untold: Mapping[str, Sequence[str]] = {}


class Explanation(Record):
    """A sentence that explains something, or the one above it that is less deep."""

    text: str
    clause: str = ""  # the rule behind it; empty: none
    depth: int = 0  # 0: it explains no other sentence


# The outcomes of orders in words, by (party, text of the order, how many equal ones came before it)
Fates = Mapping[tuple[str, str, int], str]


def fates_of(
    settled: Iterable[Any],
    reason: Callable[[str, Mapping[str, Any]], tuple[str, str]],
    translate: Translate = str,
) -> Fates:
    """Return the outcomes of orders, in the language of ``translate``, from the events that settled them.

    ``reason`` returns (clause, words) for an event's ``reason`` and ``figures``.
    """
    fates: dict[tuple[str, str, int], str] = {}
    for event in sorted(settled, key=attrgetter("audience", "line", "column")):
        clause, why = reason(event.reason, event.figures) if event.reason else ("", "")
        fate = translate(event.fate.value)
        if event.reason:
            fate = f"{fate} ({why}, {clause})"
        fates[numbered(fates, event.audience, event.text)] = fate
    return fates


def numbered(earlier: Mapping[tuple[str, Any, int], Any], one: str, other: Any) -> tuple[str, Any, int]:
    """Return a key for the pair of ``one`` and ``other`` that is not in ``earlier``.

    It is (one, other, number), with the lowest number from 0 that is free.
    """
    return next((one, other, number) for number in count() if (one, other, number) not in earlier)


def differences(was: Mapping[K, V], now: Mapping[K, V]) -> Iterator[tuple[K, V | None, V | None]]:
    """Yield (key, value in ``was``, value in ``now``) of each difference; None for a missing value."""
    for key in dict.fromkeys((*was, *now)):
        if was.get(key) != now.get(key):
            yield key, was.get(key), now.get(key)


def diff_of_fates(
    was: Fates, now: Fates, called: Callable[[str], str], translate: Translate = str
) -> Iterator[str]:
    """Yield a sentence for each order whose outcome differs; ``called`` returns the name of a party."""
    for (party, text, _), old, new in differences(was, now):
        figures = (called(party), text, old or says("not ordered"), new)
        if new:
            change = says("{0}, “{1}”: was {2}; now {3}", *figures)
        else:
            change = says("{0}, “{1}”: was {2}; is not ordered now", *figures)
        yield said(change, translate)


def titled_diff(
    parts: Iterable[tuple[str, Iterable[str]]], translate: Translate = str
) -> tuple[Explanation, ...]:
    """Return differences below their headings. ``parts``: (heading, sentences) of each kind of difference.

    Kinds without differences are left out. If there are none at all, a sentence says that nothing differs, in
    the language of ``translate``.
    """
    explanations: list[Explanation] = []
    for title, lines in parts:
        under = [Explanation(text, "", 1) for text in lines]
        if under:
            explanations += [Explanation(title), *under]
    return tuple(explanations) or (Explanation(translate("Nothing: the turn comes out the same.")),)


class OddsQuestion(Record, kw_only=True):
    """A question about a battle: of ``forces`` that are typed in, or of the units at a ``place``."""

    forces: str = ""  # as they are typed; empty: a place is asked about
    place: str | None = None  # its name; None: forces are typed in
    moves: tuple[tuple[str, str], ...] = ()  # (unit, place) of units that move there before
    wars: tuple[tuple[str, str], ...] = ()  # pairs of parties that are supposed to be at war
    party: str | None = None  # who asks: its units need no code before them
    fortification: int = 0  # the level of the place where typed forces meet
    kind: str = "land"  # where they meet: ``land``, ``sea`` or ``border``
    landing: bool = False  # whether the typed attackers land from ships
    fights: int  # how often the battle is fought


class OddsForms(Record, kw_only=True):
    """How questions to a game are typed, in words for people."""

    forces: str = ""  # the form of forces
    march: str = ""  # the form of a move
    more: tuple[str, ...] = ()  # the options of the command that describe typed forces


class OddsAnswer(Record, kw_only=True):
    """The answer to a question about a battle."""

    lines: tuple[str, ...]  # for people
    figures: Mapping[str, Any] = {}  # for programs, by name
    picture: Callable[[], str]  # makes an SVG


OddsMaker = Callable[[Any, Any, OddsQuestion, Source], OddsAnswer]
"""Fights a battle many times: called with (table, state, question, source of random numbers), otherwise pure.

Without a state (None) only typed forces can be asked about. Raises ``ValueError`` with a sentence."""


class Advice(Record):
    """An order that a bot advises, at its place in the bot's order file."""

    line: int
    column: int
    words: str  # the order in words
    why: str  # the reason for it, in a sentence
    weight: float = 0  # how important it is compared with the others; 0: it only serves one of them
    about: str = ""  # its subject, on which one advice is enough; empty: no other shares it
    taken: tuple[Any, ...] = ()  # the orders that are adopted with it, as the page's order writer stores them


class TriedOrder(Record, kw_only=True):
    """One order in a trial of the turn."""

    line: int
    column: int
    order: str  # its text
    fate: str  # ``done``, ``reduced``, ``failed`` or ``skipped``
    hangs_on: str = ""  # what decides it, in words: the dice or the others; empty: the outcome is certain
    reason: str = ""  # why it is not done, by the game's name for it; empty: it is done
    figures: Mapping[str, Any] = {}  # those of the reason, by name
    clause: str = ""  # the rule behind the reason
    says: str = ""  # the reason in words
    gold: Decimal = Decimal(0)  # what it costs; below 0: what it brings
    moves: int = 0  # the move-points that it costs


class Whereabouts(Record):
    """Where a unit is: its place, the unit that carries it (empty: none), and its remaining move-points."""

    place: str
    aboard: str
    moves: int


class PhasePlan(Record):
    """The party's units, by key, at the end of a phase; phase 0 is before the first."""

    phase: int
    units: Mapping[str, Whereabouts]


class BookLine(Record):
    """One line of a party's accounts in gold."""

    says: str  # what it is about
    amount: Decimal | None  # what comes in, or goes out if it is below 0; None: the line is a balance only
    balance: Decimal  # after it
    total: bool = False  # whether it closes the lines above it
    supposed: bool = False  # whether it is no forecast, but the balance if all others did their worst


class Preview(Counted, Record, kw_only=True):
    """An order file tried in a turn. The game gives the results of the trial, and the check adds the rest."""

    # the results of the trial
    findings: tuple[Diagnostic, ...] = ()
    orders: tuple[TriedOrder, ...] = ()
    plan: tuple[PhasePlan, ...] = ()  # the units after each phase
    ordered: tuple[str, ...] = ()  # the keys of the units whose way through the phases is shown
    books: tuple[BookLine, ...] = ()  # the party's accounts, line by line
    sums: tuple[tuple[str, Decimal], ...] = ()  # (label, gold) of their totals
    course: tuple[Explanation, ...] = ()  # other events
    assumed: tuple[str, ...] = ()  # the names of the parties for which the file assumes orders
    figures: Mapping[str, Any] = {}  # the forecast for programs, by name
    # the rest
    file: str = ""  # its name in ``diagnostics``
    reading: OrderFile = OrderFile(None)
    diagnostics: tuple[Diagnostic, ...] = ()  # of the reader and of the trial, in the order of the file
    translate: Translate = str  # into the language of the file's writer
    lapses: tuple[Message, ...] = ()  # what earlier files of the party said that this one ends if it counts
    alone: bool = False  # whether nobody else gives orders in this turn


class Fight(Record):
    """A battle in words: at a place or between two."""

    places: tuple[str, ...]  # their codes
    title: str
    text: str


class Work(Record):
    """Something that was built at a place (a code), in words."""

    place: str
    what: str


class TurnStory(Record):
    """A turn in words, as far as a reader may know it."""

    fights: tuple[Fight, ...] = ()
    news: tuple[str, ...] = ()  # a sentence for each other event
    own: tuple[str, ...] = ()  # sentences about the reader's party, the biggest changes first
    built: tuple[Work, ...] = ()  # what was built; ``news`` have it, too


def times_in_ten(share: float, translate: Translate) -> str:
    """Return a probability in words, such as ``about 9 times in 10``."""
    _ = translate
    tenths = round(10 * share)
    if tenths == 0:
        return _("less than once in 10")
    if tenths == 1:
        return _("about once in 10")
    if tenths == 10:
        return _("more than 9 times in 10")
    return _("about {tenths} times in 10").format(tenths=tenths)
