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

STEP = "orders"  # Decisions of the GM stand in the log under this step


class GameData(Record):
    """The rules data and the map of one game, loaded once and unchanged throughout."""

    rules: Any
    board: Any  # The map; its ``graph`` (:mod:`gm.core.map_graph`) says who is next to whom
    # What was chosen at creation, while a game is founded; a running game has it in its state
    settings: Any = None
    fingerprint: str = ""  # of rules and map (``GameSpec.fingerprints``), if it is known without computing it


class Seat(Record):
    """A party as the GM sees it.

    ``played``: a person gives its orders; ``missed``: turns in a row without any; ``flagged``: another player
    should take over (V3); ``waiting``: it has nothing to order; ``bot``: its program.
    """

    code: str
    name: str
    played: bool
    out: bool = False
    missed: int = 0
    flagged: bool = False
    status: str = ""
    controller: str = ""
    waiting: bool = False
    bot: str = ""


class MapView(Record, kw_only=True):
    """A view of a map to be drawn.

    ``party``: its reader; ``zoom``: the place around which it is drawn; ``events``: those whose moves are
    shown; ``sheet``: orders whose plans are shown.
    """

    party: str | None = None
    troops: bool = True
    patterns: bool = False
    zoom: str | None = None
    events: tuple[Event, ...] = ()
    sheet: Any | None = None


class NewGameRequest(Record, kw_only=True):
    """The request for a new game.

    ``map``: its folder; ``options``: those of ``pbem new --set``; ``seed``: that of all draws of the
    beginning; ``people``: the number of named players; ``parties``: those that players asked for;
    ``at_table``: all of them play at one table, and no mail is sent.
    """

    map: Path
    options: Mapping[str, str] = {}
    seed: str = ""
    people: int = 0
    parties: tuple[str, ...] = ()
    at_table: bool = False

    def refuse_unknown(self, known: Mapping[str, object]) -> None:
        """Raise ``ValueError`` for the first option that is not among ``known``."""
        for name in self.options:
            if name not in known:
                known_words = f"there is {', '.join(known)}" if known else "this game has none"
                raise ValueError(
                    f"no option is called {shown(name)}: {did_you_mean(nearest(name, known)) or known_words}"
                )


class Founded(Record):
    """The game data of a new game, and the files of its folder from which ``load_table`` reads them."""

    table: GameData
    files: Mapping[str, bytes]


class Step(Record, kw_only=True):
    """What one press of a button plays at one's own table.

    ``lines``: the order file below its head, in place of the orders, or added to them if not ``whole``;
    empty: nothing is played.
    """

    name: str
    title: str
    lines: str = ""
    whole: bool = False


class OwnTable(Record, kw_only=True):
    """The offer to a party at its own table: ``steps`` to play with one press, and the text ``about`` them.

    With ``begun`` the party's turn goes on, so that it may end without orders.
    """

    about: str = ""
    steps: Sequence[Step] = ()
    begun: bool = False


class View(Record, kw_only=True):
    """The position as far as one party may know it before its orders for ``turn``: the input of a bot.

    ``key``: for its order file; ``seed``: for dice of its own, which reveals nothing of the turn's; ``talk``:
    its memory.
    """

    game: str
    realm: str
    turn: int
    key: str
    seed: str
    table: GameData
    state: Any
    talk: Talk = Talk()


class Bot(Protocol):
    """A computer player of one game. It writes an ordinary order file, as a pure function of its view."""

    @property
    def name(self) -> str:
        """The name in ``--bots`` and the players' list, e.g. ``conqueror``: lower case, no blanks."""

    @property
    def about(self) -> str:
        """How it plays, in a sentence for people."""

    def orders(self, view: View) -> bytes:
        """Return its order file for this turn. Raises nothing for any possible position."""


class TurnResult(Record, kw_only=True, dict=True):
    """A played turn, with all that its reports are made from.

    ``readings``: the order files that counted; ``set_aside``: the findings about unreadable ones; ``keys``
    and ``deadline``: those of the next orders; ``proof``: that of the turn's dice (None: a start or a
    rehearsal); ``tally``: the running sums, this turn included.
    """

    game: str
    before: Any
    after: Any
    events: tuple[Event, ...]
    readings: Mapping[str, OrderFile] = {}
    keys: Mapping[str, str] = {}
    set_aside: Mapping[str, tuple[Diagnostic, ...]] = {}
    deadline: str = ""
    proof: Proof | None = None
    next_seal: str = ""
    tally: JsonObject = {}  # noqa: RUF012
    languages: Mapping[str, str] = {}  # In which language each party reads, by code; none: English
    programs: tuple[str, ...] = ()  # The parties whose orders a bot writes
    # the letters between players up to this turn, as :mod:`gm.store.press` keeps them
    press: tuple[Press, ...] = ()
    press_rule: PressRule = PressRule()  # What letters between players there may be
    # The first turn of each party's player, whose predecessor's letters are not his
    seated: Mapping[str, int] = {}
    course: tuple[Mapping[str, Mapping[str, float]], ...] = ()  # How all stood after each turn before
    # The public changes on the map in the turns before, as records have them, up to the last of them
    changed: tuple[JsonObject, ...] = ()
    # The last turns before: what each left, and its events
    past: tuple[tuple[Any, tuple[Event, ...]], ...] = ()
    votes: Mapping[str, str] = {}  # What each party votes for, until orders of its without a vote are played
    leader: str = ""  # The game master's leading article for the Herald, in Markdown
    record: JsonObject = {}  # noqa: RUF012
    """``after`` as its snapshot has it, of a turn that was played just now."""

    @property
    def turn(self) -> int:
        """The number of the turn that was played; 0: the start."""
        return int(self.after.turn)

    @property
    def sheets(self) -> dict[str, Any]:
        """The orders that were carried out, by party."""
        return {code: reading.sheet for code, reading in self.readings.items() if reading.sheet is not None}

    def standing_vote(self, party: str) -> str:
        """Return the vote of a party; it holds until orders without it, and does not bind a new player."""
        return "" if self.seated.get(party, 0) > self.turn else self.votes.get(party, "")

    def stands_until(self, party: str) -> int:
        """Return the last turn for which the party's orders are repeated; 0 if none is to come."""
        reading = self.readings.get(party)
        if reading is None or self.seated.get(party, 0) > self.turn:
            return 0
        return reading.standing if reading.standing > self.turn else 0

    def findings(self, party: str) -> tuple[Diagnostic, ...]:
        """Return the reader's findings in the party's order file."""
        return self.readings[party].diagnostics if party in self.readings else ()

    def refused(self, party: str) -> tuple[Diagnostic, ...]:
        """Return the orders in the party's file that never came into the turn (O7)."""
        return tuple(finding for finding in self.findings(party) if finding.is_error)

    @cached_property
    def public(self) -> tuple[Event, ...]:
        """The events that everybody may know of, in order."""
        return tuple(event for event in self.events if event.visible_to(""))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Return the events as lines of the log."""
        return tuple(map(json_line, self.events))


class Part:
    """A module of a game that is imported at its first use."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._module), name)


def parts(package: str, names: str) -> tuple[Part, ...]:
    """Return the modules of these names, separated by blanks, in a package."""
    return tuple(Part(f"{package}.{name}") for name in names.split())


def the_one(word: str, names: Iterable[str], what: str) -> str:
    """Return the one of ``names`` that a word means, in any case, with or without accents.

    Raises ``ValueError`` with the nearest.
    """
    known_names = list(names)
    folded = fold(word)
    for name in known_names:
        if fold(name) == folded:
            return name
    unknown = says(f"no {what} is called {{0}}", shown(word))
    hint = did_you_mean(nearest(word, known_names))
    if not hint and len(known_names) < 12:
        hint = says("there is {0}", ", ".join(known_names))
    raise ValueError(says("{0}: {1}", unknown, hint) if hint else unknown)


def whole(word: str, what: str, low: int, high: int) -> int:
    """Return a whole number. Raises ``ValueError``."""
    text = word.replace("−", "-")
    if (
        not text.lstrip("+-").isascii()
        or not text.lstrip("+-").isdigit()
        or not low <= int(text[:12]) <= high
    ):
        raise ValueError(says(f"{{0}} is no {what}: it goes from {{1}} to {{2}}", shown(word), low, high))
    return int(text)
