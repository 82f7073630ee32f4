"""What ``pbem play`` shows before there is a game: on which map, as whom and against whom one may play. How hard a
realm is and how long programs think was measured (``difficulty.yaml``); what was played here stands below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
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
from gm.game.values import MapView
from gm.play.reign import SoloGame
from gm.play.table import RefusedError
from gm.resources import resources

BEARABLE = 60.0  # seconds of thought that a turn may take here: a level that takes longer is not offered


class Chances(Value):
    """How a realm fared when programs played all; the fields are explained in ``difficulty.yaml``."""

    first: float
    lasted: float
    grown: float
    rank: float
    within: float


class Difficulty(Value):
    """What is known of a map."""

    run: str = ""
    games: int = 0
    even: float = 0.0
    realms: Mapping[str, Chances] = {}
    thinking: Mapping[str, float] = {}
    turn: float = 0.0


class DifficultyFile(Value):
    """difficulty.yaml."""

    maps: Mapping[str, Difficulty]


@cache
def difficulties(game: str) -> Mapping[str, Difficulty]:
    """What is known of a game's maps, by name; nothing of most games. Raises ``SourceError``."""
    path = next(resources("maps", game, "difficulty.yaml"), None)
    return load_value(path, DifficultyFile).maps if path else {}


class Level(Record):
    """How the others may play, and how many seconds a turn takes then."""

    name: str
    about: str
    seconds: float

    @property
    def offered(self) -> bool:
        return self.seconds <= BEARABLE


class Choice(Value):
    """What somebody chose on the page."""

    map: str
    realm: str
    level: str


class Opening:
    """The choice of a game that begins. ``first``: what is chosen on the page before anybody does; ``begin`` makes the
    game; ``games``: those that were played."""

    def __init__(
        self,
        spec: GameSpec[Any],
        language: str,
        first: Choice,
        begin: Callable[[Choice], object],
        games: Callable[[], Sequence[SoloGame]],
    ) -> None:
        self.spec, self.language, self._first, self._begin, self._games = spec, language, first, begin, games
        self._lock, self._starts, self._begun = Lock(), dict[Path, tuple[Any, Any]](), False

    def values(self, map_name: str) -> dict[str, Any]:
        """What the page shows of a map, the game's usual one if there is none of this name."""
        spec, maps = self.spec, self.spec.maps()
        name = next(each for each in (map_name, self._first.map, spec.default_map) if each in maps)
        table, start, known = *self._start(maps[name]), difficulties(spec.key).get(name, Difficulty())
        seats, colours = [each for each in spec.seats(table, start) if each.played], spec.colours(table, start)
        middle = (len(seats) + 1) / 2
        return {
            "game": spec.title,
            "map": name,
            "maps": list(maps),
            "realms": [(seat, colours[seat.code], known.realms.get(seat.code)) for seat in seats],
            "middle": middle,
            "known": known,
            "level": self._first.level,
            "levels": levels(spec, known, len(seats) - 1),
            "drawing": spec.draw(table, start, MapView(troops=False)),
            "played": self._games(),
        }

    def _start(self, folder: Path) -> tuple[Any, Any]:
        """A map's table and start, read once."""
        if folder not in self._starts:
            table = self.spec.shipped_table("", folder)
            self._starts[folder] = table, self.spec.start(table, folder, None)
        return self._starts[folder]

    def begin(self, data: bytes) -> None:
        """Begin the game that was chosen. Raises ``RefusedError`` for a choice that there is not."""
        with self._lock, suppress(msgspec.MsgspecError):
            choice = msgspec.json.decode(data, type=Choice)
            folder = self.spec.maps().get(choice.map)
            seats = self.spec.seats(*self._start(folder)) if folder and not self._begun else ()
            known = choice.level in {MIXED, *bots_by_name(self.spec)}
            if known and choice.realm in {seat.code for seat in seats if seat.played}:
                self._begin(choice)
                self._begun = True
                return
        raise RefusedError(says("Choose a realm first."))


def levels(spec: GameSpec[Any], known: Difficulty, others: int) -> list[Level]:
    """How so many others may play, plain programs first. Where nothing was measured, as plain programs do."""
    abouts = {name: bot.about for name, bot in bots_by_name(spec).items()}
    abouts[MIXED] = str(says("Plain programs of different tempers: quick, and harder than pages."))
    thinking = {name: each for name, each in known.thinking.items() if name in abouts} or {MIXED: 0.0}
    return [Level(name, abouts[name], known.turn + each * others) for name, each in thinking.items()]
