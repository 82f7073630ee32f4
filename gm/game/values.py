"""Values that games, campaign and commands exchange: rules and map, seats, views, bots, played turns."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from gm.core.codec import json_line
from gm.core.diagnostics import Diagnostic, did_you_mean, fold, nearest, says, shown
from gm.core.orders.header import OrderFile as OrderFile
from gm.core.sealing import Proof
from gm.core.values import Event, Record
from gm.game.talk import Talk
from gm.store.formats import JsonObject
from gm.store.press import Press, PressRule

STEP = "orders"  # The step under which the log has the GM's decisions


class GameData(Record):
    """The rules data and the map of one game, loaded once and unchanged throughout."""

    rules: Any
    board: Any  # The map; its ``graph`` (:mod:`gm.core.map_graph`) says who is next to whom
    # What was chosen at creation, while a game is founded; a running game has it in its state
    settings: Any = None
    # That of rules and map (``GameSpec.fingerprints``), if it is known without computing it; else empty
    fingerprint: str = ""


class Seat(Record):
    """A party as the GM sees it."""

    code: str
    name: str
    played: bool  # Whether a player gives its orders: a person, or a bot in the place of one
    out: bool = False  # Whether it is out of the game
    missed: int = 0  # Turns in a row without its orders
    flagged: bool = False  # Whether another player should take over (V3)
    status: str = ""  # The game's word for its state
    controller: str = ""  # The game's word for who gives its orders
    waiting: bool = False  # Whether it has nothing to order this turn
    bot: str = ""  # The name of the bot that plays it; empty: none

    @property
    def may_write(self) -> bool:
        """Whether its player may write orders for the coming turn."""
        return self.played and not self.out and not self.waiting


class MapView(Record, kw_only=True):
    """A view of a map to be drawn."""

    party: str | None = None  # The reader's party; None: everybody reads it
    troops: bool = True  # Whether troops are drawn
    patterns: bool = False  # Whether the land of each party has a pattern, too
    zoom: str | None = None  # The place around which it is drawn; None: the whole map
    events: tuple[Event, ...] = ()  # Those whose moves are drawn
    sheet: Any | None = None  # The orders whose plans are drawn


class NewGameRequest(Record, kw_only=True):
    """The request for a new game."""

    map: Path  # The map's folder
    options: Mapping[str, str] = {}  # Those of ``pbem new --set``, by name
    seed: str = ""  # That of all draws at the beginning
    people: int = 0  # How many players have names
    parties: tuple[str, ...] = ()  # The codes of those that players asked for
    at_table: bool = False  # Whether all play at one table, and no mail is sent

    def refuse_unknown(self, known: Mapping[str, object]) -> None:
        """Raise ``ValueError`` for the first option that is not among ``known``."""
        for name in self.options:
            if name not in known:
                hint = did_you_mean(nearest(name, known))
                if not hint:
                    hint = says("there is {0}", ", ".join(known)) if known else says("this game has none")
                raise ValueError(says("no option is called {0}: {1}", shown(name), hint))


class Founded(Record):
    """The game data of a new game, and the files of its folder from which ``load_table`` reads them."""

    table: GameData
    files: Mapping[str, bytes]


class Step(Record, kw_only=True):
    """What one press of a button plays in ``pbem play``."""

    name: str
    title: str  # Of the button
    lines: str = ""  # Of an order file below its head; empty: nothing is played
    whole: bool = False  # Whether the lines replace the drawn orders; else they are added to them


class OwnTable(Record, kw_only=True):
    """The steps that ``pbem play`` offers a party as buttons, each played at once."""

    about: str = ""  # A text about the steps
    steps: Sequence[Step] = ()
    begun: bool = False  # Whether the party goes on with a turn, so that it may end it without orders


class View(Record, kw_only=True):
    """The position as far as one party may know it before its orders for ``turn``: the input of a bot."""

    game: str  # The game's id
    realm: str  # The party's code
    turn: int
    key: str  # For the order file
    seed: str  # For the bot's own dice; it reveals nothing of the turn's dice
    table: GameData
    state: Any
    talk: Talk = Talk()  # What the bot remembers


class Bot(Protocol):
    """A computer player of one game. It writes an ordinary order file, as a pure function of its view."""

    @property
    def name(self) -> str:
        """The name in ``--bots`` and the players' list, e.g. ``conqueror``: lower case, no blanks."""

    @property
    def about(self) -> str:
        """How it plays, in a sentence for people."""

    def orders(self, view: View) -> bytes:
        """Return the order file for the view's turn. Raises nothing for any possible position."""


class TurnResult(Record, kw_only=True, dict=True):
    """A played turn, with all that its reports are made from."""

    game: str  # The game's id
    before: Any  # The state before the turn
    after: Any  # The state after it
    events: tuple[Event, ...]
    readings: Mapping[str, OrderFile] = {}  # The order files that counted, by party
    keys: Mapping[str, str] = {}  # Those of the next orders, by party
    # The findings about files that were rejected, by party
    set_aside: Mapping[str, tuple[Diagnostic, ...]] = {}
    deadline: str = ""  # That of the next orders, as it is stored; empty: none
    proof: Proof | None = None  # That of the turn's dice; None: a start or a rehearsal
    next_seal: str = ""  # The seal of the next turn's dice
    tally: JsonObject = {}  # noqa: RUF012 - the game's running sums, this turn included
    languages: Mapping[str, str] = {}  # The language of each party's reader, by code; none: English
    programs: tuple[str, ...] = ()  # The parties whose orders a bot writes
    press: tuple[Press, ...] = ()  # The letters between players up to this turn (:mod:`gm.store.press`)
    press_rule: PressRule = PressRule()  # Which letters between players are allowed
    # The first turn of each party's present player, who may not read letters of an earlier player
    seated: Mapping[str, int] = {}
    # The figures of all parties, by code and column, after each turn before
    course: tuple[Mapping[str, Mapping[str, float]], ...] = ()
    # The public changes on the map (:mod:`gm.game.map_record`) of the turns before, up to the last of them
    changed: tuple[JsonObject, ...] = ()
    # (state after it, its events) of each of the last turns before
    past: tuple[tuple[Any, tuple[Event, ...]], ...] = ()
    votes: Mapping[str, str] = {}  # The vote of each party, until its orders without a vote are played
    leader: str = ""  # The game master's leading article for the Herald, in Markdown
    record: JsonObject = {}  # noqa: RUF012
    """``after`` as its snapshot has it, if the turn was played just now; else empty."""

    @property
    def turn(self) -> int:
        """The number of the turn that was played; 0: the start."""
        return int(self.after.turn)

    @property
    def sheets(self) -> dict[str, Any]:
        """The orders that were carried out, by party."""
        return {code: reading.sheet for code, reading in self.readings.items() if reading.sheet is not None}

    def standing_vote(self, party: str) -> str:
        """Return the vote of a party; empty for none, and if its player has changed since."""
        return "" if self.seated.get(party, 0) > self.turn else self.votes.get(party, "")

    def stands_until(self, party: str) -> int:
        """Return the last turn for which the party's orders are repeated; 0 if they are repeated no more."""
        reading = self.readings.get(party)
        if reading is None or self.seated.get(party, 0) > self.turn:
            return 0  # the orders of a former player end with the turn
        return reading.standing if reading.standing > self.turn else 0

    def findings(self, party: str) -> tuple[Diagnostic, ...]:
        """Return what was found in the party's order file when it was read; nothing without a file."""
        return self.readings[party].diagnostics if party in self.readings else ()

    def refused(self, party: str) -> tuple[Diagnostic, ...]:
        """Return the errors in the party's file, whose orders did not come into the turn (O7)."""
        return tuple(finding for finding in self.findings(party) if finding.is_error)

    @cached_property
    def public(self) -> tuple[Event, ...]:
        """The events that everybody may know of, in the order in which they happened."""
        return tuple(event for event in self.events if event.visible_to(""))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The events as lines of the log."""
        return tuple(map(json_line, self.events))


class Part:
    """A stand-in for a module that is imported when something in it is first used."""

    def __init__(self, module: str) -> None:
        self._name = module

    @cached_property
    def _module(self) -> Any:
        return import_module(self._name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def parts(package: str, names: str) -> tuple[Part, ...]:
    """Return the modules of a package with these names, separated by blanks, to be imported at first use."""
    return tuple(Part(f"{package}.{name}") for name in names.split())


def the_one(word: str, names: Iterable[str], what: str) -> str:
    """Return the one of ``names`` that a word means, whatever its case and accents.

    Raises ``ValueError``, with the nearest name or all of a few, if there is none. ``what``: the noun.
    """
    known_names = list(names)
    folded = fold(word)
    for name in known_names:
        if fold(name) == folded:
            return name
    # the noun is a part of the pattern: other languages decline it
    unknown = says(f"no {what} is called {{0}}", shown(word))
    hint = did_you_mean(nearest(word, known_names))
    if not hint and len(known_names) < 12:
        hint = says("there is {0}", ", ".join(known_names))
    raise ValueError(says("{0}: {1}", unknown, hint) if hint else unknown)


def whole(word: str, what: str, low: int, high: int) -> int:
    """Return the whole number that a word is. Raises ``ValueError`` if it is none from ``low`` to ``high``.

    ``what``: the noun for it, for the message.
    """
    text = word.replace("−", "-")
    digits = text.lstrip("+-")
    is_number = digits.isascii() and digits.isdigit()
    # of a longer number the first twelve characters are out of range, too
    if not is_number or not low <= int(text[:12]) <= high:
        raise ValueError(says(f"{{0}} is no {what}: it goes from {{1}} to {{2}}", shown(word), low, high))
    return int(text)
