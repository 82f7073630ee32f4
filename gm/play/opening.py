"""The page of ``pbem play`` before there is a game: the choice of map, realm and opponents.

The page shows each realm's difficulty and each level's thinking time, as they were measured
(``difficulty.yaml``), and at its end the earlier games of single players in the same folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

from gm.campaign.new_game import MIXED
from gm.core.diagnostics import says
from gm.core.values import Record, Value
from gm.core.yaml.models import load_value
from gm.game.bots import bots_by_name
from gm.game.spec import GameSpec
from gm.game.values import GameData, MapView, NewGameRequest
from gm.play.lent import RefusedError
from gm.play.reign import SoloGame
from gm.resources import resources

PERSON = "person"  # The level of an opponent who is a person at the same table
PAIR = 2  # So many players there must be for that
BEARABLE = 60.0  # seconds of thought that a turn may take here: a level that takes longer is not offered


class Chances(Value):
    """The results of a realm in games of bots alone."""

    first: float  # in how many percent of the games it was the first
    lasted: float  # in how many it was there at the end
    grown: float  # the median growth of its score
    rank: float  # its mean rank at the end
    within: float  # give or take this (95%)


class Difficulty(Value):
    """The measured difficulty of a map."""

    run: str = ""  # the command of the games that were counted
    games: int = 0  # how many there were
    even: float = 0.0  # in how many percent of them a realm would be the first by lot
    realms: Mapping[str, Chances] = {}  # by code
    thinking: Mapping[str, float] = {}  # the seconds that a bot of each level thinks about a turn, by level
    turn: float = 0.0  # the seconds that a turn takes besides


class DifficultyFile(Value):
    """The content of ``difficulty.yaml``: the difficulty of each map, by name."""

    maps: Mapping[str, Difficulty]


@cache
def difficulties(game: str) -> Mapping[str, Difficulty]:
    """Return the measured difficulty of a game's maps, by name; empty for most games.

    Raises ``SourceError``.
    """
    path = next(resources("maps", game, "difficulty.yaml"), None)
    return load_value(path, DifficultyFile).maps if path else {}


class Level(Record):
    """A level of the opponents."""

    name: str  # that of a bot, ``MIXED`` or ``PERSON``
    about: str
    seconds: float  # how long a turn takes at it

    @property
    def offered(self) -> bool:
        """Whether turns take no longer than is bearable."""
        return self.seconds <= BEARABLE


class Choice(Value):
    """The choice made on the page."""

    map: str  # its name
    realm: str  # the player's, a code
    level: str  # the name of the opponents' level
    game: str = ""  # a game's key; empty: the game that the command named
    players: int = 0  # how many, bots included; 0: as the map decides


class Opening:
    """The choice of a new game.

    ``spec``: the game that the command named, ``others``: further ones; ``language``: that of the page;
    ``first``: the preselected choice; ``begin``: makes the chosen game; ``games``: returns those played
    before.
    """

    def __init__(
        self,
        spec: GameSpec[Any],
        language: str,
        first: Choice,
        begin: Callable[[Choice], object],
        games: Callable[[], Sequence[SoloGame]],
        others: Sequence[GameSpec[Any]] = (),
    ) -> None:
        """Offer these games; :class:`Opening` explains the parameters."""
        self._specs = {game_spec.key: game_spec for game_spec in (spec, *others)}
        self.spec = spec
        self.language = language
        self._first = first
        self._begin = begin
        self._games = games
        self._lock = Lock()  # so that one game is begun at a time
        # (game data, state before turn 1), by (folder of the map, number of players)
        self._starts = dict[tuple[Path, int], tuple[Any, Any]]()

    def spec_of(self, game: str) -> GameSpec[Any]:
        """Return the game with a key; for any other word, the one that the command named."""
        return self._specs.get(game, self.spec)

    def values(self, map_name: str, game: str = "", players: int = 0) -> dict[str, Any]:
        """Return the page's values for a map (its name) of a game (its key) with so many players.

        For an unknown map they are those of the preselected map, or else of the game's usual one; for an
        unknown game those of the one that the command named. A number that is not possible is replaced by the
        map's usual one.
        """
        spec = self.spec_of(game)
        maps = spec.maps()
        map_names = (map_name, self._first.map, spec.default_map)
        name = next(key for key in map_names if key in maps)
        sizes = spec.sizes(maps[name])
        table, start = self._start(spec, maps[name], players)
        difficulty = difficulties(spec.key).get(name, Difficulty())
        seats = [seat for seat in spec.seats(table, start) if seat.played]
        count = players if players in sizes else len(seats)
        colours = spec.colours(table, start)
        middle = (len(seats) + 1) / 2  # the average rank of a realm
        return {
            "game": spec.title,
            "key": spec.key,
            "games": {game_spec.key: game_spec.title for game_spec in self._specs.values()},
            "owners": dict(spec.owners(table, start)),
            "map": name,
            "maps": list(maps),
            "realms": [(seat, colours[seat.code], difficulty.realms.get(seat.code)) for seat in seats],
            "middle": middle,
            "known": difficulty,
            "level": self._first.level,
            "sizes": list(sizes),
            "players": count,
            "levels": levels(spec, difficulty, count - 1, person=len(seats) == PAIR),
            "drawing": spec.draw(table, start, MapView(troops=False)),
            "played": self._games(),
        }

    def _start(self, spec: GameSpec[Any], folder: Path, players: int) -> tuple[Any, Any]:
        """Return (game data, state before turn 1) of a map for so many ``players``, read once.

        If that number is not possible, they are for the usual one.
        """
        if (folder, players) not in self._starts:
            table = table_for(spec, folder, players)
            self._starts[folder, players] = table, spec.start(table, folder, None)
        return self._starts[folder, players]

    def begin(self, data: bytes) -> None:
        """Begin the game that ``data`` chooses, a :class:`Choice` in JSON.

        Raises ``RefusedError`` for other data and for a choice that is not possible.
        """
        refusal = RefusedError(says("Choose a realm first."))
        try:
            choice = msgspec.json.decode(data, type=Choice)
        except msgspec.MsgspecError:
            raise refusal from None
        with self._lock:
            spec = self.spec_of(choice.game)
            folder = spec.maps().get(choice.map)
            if folder is None or not self._is_possible(spec, folder, choice):
                raise refusal
            self._begin(choice)

    def _is_possible(self, spec: GameSpec[Any], folder: Path, choice: Choice) -> bool:
        """Return whether a game with this number of players, this seat and this level can begin.

        The level may be a person at the same table only if two play.
        """
        if choice.players and choice.players not in spec.sizes(folder):
            return False
        seats = spec.seats(*self._start(spec, folder, choice.players))
        played = {seat.code for seat in seats if seat.played}
        level_names = {MIXED, *bots_by_name(spec)}
        if len(played) == PAIR:
            level_names.add(PERSON)
        return choice.level in level_names and choice.realm in played


def table_for(spec: GameSpec[Any], folder: Path, players: int) -> GameData:
    """Return a map's game data for a number of players.

    They are those of the map as it is shipped where that number cannot be chosen, or homes are drawn.
    """
    options = spec.sizes(folder).get(players)
    # if homes are drawn, any of them may be asked for, however many play: the map is shown as it is shipped
    if options is None or getattr(spec, "homes_drawn", False):
        return spec.shipped_table("", folder)
    return spec.founded(NewGameRequest(map=folder, options=options)).table


def levels(spec: GameSpec[Any], difficulty: Difficulty, others: int, *, person: bool = False) -> list[Level]:
    """Return the levels at which ``others`` opponents can play.

    They are those that were measured for the map, else those of all fast bots; with ``person``, also a
    person at the same table.
    """
    abouts = {name: bot.about for name, bot in bots_by_name(spec).items()}
    abouts[MIXED] = str(says("Plain bots of different tempers: quick, and harder than pages."))
    thinking = {name: seconds for name, seconds in difficulty.thinking.items() if name in abouts}
    if not thinking:
        thinking = dict.fromkeys(_fast(spec, others), 0.0)
    choices = [
        Level(name, abouts[name], difficulty.turn + seconds * others) for name, seconds in thinking.items()
    ]
    if person:
        about = str(says("Another person at this table: you give your orders one after the other."))
        choices.append(Level(PERSON, about, 0.0))
    return choices


def _fast(spec: GameSpec[Any], others: int) -> list[str]:
    """Return the names of the levels whose bots answer at once, for so many opponents.

    In a game with slow bots it is the mixture alone; without them, each bot, and the mixture for several.
    """
    if spec.thinkers:
        return [MIXED]
    return [MIXED, *spec.bots] if others > 1 else list(spec.bots)
