"""Games from the start position to their end, with a bot for each realm: order files in, a record out."""

import hashlib
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gm import __version__
from gm.bots.registry import bot_named
from gm.core.diagnostics import says
from gm.core.values import DiceRolled
from gm.game.base.events import FAILED, ORDERS
from gm.game.bots import BotError, bot_view
from gm.game.spec import GameSpec
from gm.game.talk import Dealing, Talk
from gm.game.values import GameData, NewGameRequest
from gm.games import game_spec
from gm.simulation.plan import Job, Plan, derive_seed, program_fingerprint
from gm.simulation.record import UNFINISHED, course_rows, short
from gm.simulation.seating import seats_of
from gm.store.formats import JsonObject, compact

KEY = "simulation"  # what the order files of a simulated game must say: nobody else sends any
SAMPLES = 5  # so many refused orders of a game are kept in full
Beat = Callable[[], bool]  # asked before each turn whether to go on; if not, the game is given up


class GameBrokeError(Exception):
    """A bot of the game, or the game itself, failed: one sentence that says in which turn, and the error."""


class BotBrokeError(Exception):
    """A bot that does not come with the game failed: one sentence that says in which turn, and the error."""


class GivenUpError(Exception):
    """The caller has stopped a game that was being played, which therefore has no record."""


class _Seed(str):
    """A bot's seed that records whether it was read: a bot that never reads it plays every game the same."""

    was_read = False


def _recording(name: str) -> Callable[..., Any]:
    """Return a method like that of ``str`` with this name, which also notes that the seed was read."""

    def method(seed: _Seed, *arguments: Any) -> Any:
        """Note that the seed was read, and return what the method of ``str`` returns."""
        seed.was_read = True
        return getattr(str, name)(seed, *arguments)

    return method


# the methods by which a bot can learn what the seed is
for _name in ("encode", "__str__", "__format__", "__hash__", "__eq__"):
    setattr(_Seed, _name, _recording(_name))


@dataclass
class _Game:
    """A game that is being played."""

    spec: GameSpec[Any]
    table: GameData
    job: Job
    out: dict[str, int] = field(default_factory=dict)  # the turn in which each realm was eliminated, by code
    # how often each rule was used, by kind and name
    uses: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    refused: int = 0  # rejected files, and orders with an error: a bot that knows the rules has none
    refusals: list[str] = field(default_factory=list)  # the first of these errors, as text
    chance: bool = False  # whether a die was rolled or a bot read its seed
    course: Any = field(default_factory=hashlib.sha256)  # of all positions as long as there is no chance
    battles: list[int] = field(default_factory=list)  # their number in each turn
    dealings: tuple[Dealing, ...] = ()  # what its bots recall: nobody writes letters here

    def play(self, state: Any, turn: int) -> Any:
        """Play a turn; return the state after it.

        Raises ``GameBrokeError`` or ``BotBrokeError`` for an error in the game or in a bot.
        """
        sheets = self._orders(state, turn)
        with self._saying_where(f"turn {turn}"):
            outcome = self.spec.play(self.table, state, sheets, derive_seed(self.job.seed, "dice", turn))
        self.chance = self.chance or any(isinstance(event, DiceRolled) for event in outcome.events)
        if not self.chance:  # else the game has no mark
            self.course.update(compact(self.spec.record(outcome.state)).encode())
        self.battles.append(sum(event.kind in self.spec.battle_events for event in outcome.events))
        if (recall := self.spec.recall) is not None:
            recalled = (dealing for dealing in self.dealings if dealing.turn > turn - recall.turns)
            self.dealings = (*recalled, *recall.dealings(turn, outcome.events))
        for kind, names in self.spec.rule_uses(self.table, sheets, outcome.events).items():
            self.uses[kind].update(names)
        for seat in self.spec.seats(self.table, outcome.state):
            if seat.out:
                self.out.setdefault(seat.code, turn)
        return outcome.state

    def _orders(self, state: Any, turn: int) -> dict[str, Any]:
        """Return the order sheets by realm.

        A realm that is out or waits, or whose file was rejected, has none.
        """
        waiting = {seat.code for seat in self.spec.seats(self.table, state) if seat.waiting}
        talk = Talk(self.dealings)
        sheets = {}
        for realm in self.job.seats:
            if realm in self.out or realm in waiting:
                continue
            sheet = self._sheet(realm, state, turn, talk)
            if sheet is not None:
                sheets[realm] = sheet
        return sheets

    def _sheet(self, realm: str, state: Any, turn: int, talk: Talk) -> Any:
        """Return the order sheet of a realm's bot, or None for a rejected file; record its errors."""
        spec = self.spec
        bot = self.job.seats[realm]
        game = f"game-{self.job.number}"
        seed = _Seed(derive_seed(self.job.seed, "bot", turn, realm))
        view = bot_view(spec, self.table, state, realm, game=game, key=KEY, seed=seed, talk=talk)
        comes_with_game = bot in spec.bots or bot in spec.thinkers
        error_class = GameBrokeError if comes_with_game else BotBrokeError
        with self._saying_where(f"turn {turn}: the bot {bot} of {realm}", error_class):
            data = bot_named(spec, bot).orders(view)
        self.chance = self.chance or seed.was_read
        file = f"game {self.job.number}, turn {turn}, {realm} ({bot})"
        reading = spec.read_orders(self.table, view.state, data, file, game=game, realm=realm, key=KEY)
        self.refused += reading.errors
        if reading.sheet is None:
            self.refused += 1
        errors = [diagnostic for diagnostic in reading.diagnostics if diagnostic.is_error]
        self.refusals += [diagnostic.render() for diagnostic in errors[: SAMPLES - len(self.refusals)]]
        return reading.sheet

    @contextmanager
    def _saying_where(self, where: str, error_class: type[Exception] = GameBrokeError) -> Iterator[None]:
        """Raise an error of this class for any error inside, with the number of the game and ``where``."""
        try:
            yield
        except Exception as error:
            message = str(error) if isinstance(error, BotError) else f"{type(error).__name__}: {error}"
            raise error_class(f"game {self.job.number}, {where}: {message}") from error


def play_game(
    spec: GameSpec[Any], table: GameData, start: Any, job: Job, turns: int, beat: Beat | None = None
) -> JsonObject:
    """Return one game's record as plain data, the same for the same arguments.

    A game without an end is stopped after ``turns`` turns. Raises ``GameBrokeError`` for an error in the game
    or a bot that comes with it, ``BotBrokeError`` for one in another bot, and ``GivenUpError`` when ``beat``
    returns false.
    """
    game = _Game(spec, table, job)
    game.course.update(compact({"start": spec.record(start), "seats": dict(job.seats)}).encode())
    state = start
    history = [spec.figures(table, start)]
    owners = [spec.owners(table, start)]
    turn = 0
    winners = spec.ended(table, state)
    while winners is None and turn < turns:
        if beat is not None and not beat():
            raise GivenUpError
        turn += 1
        state = game.play(state, turn)
        history.append(spec.figures(table, state))
        owners.append(spec.owners(table, state))
        winners = spec.ended(table, state)
    if broken := spec.broken(table, state):
        raise GameBrokeError(f"game {job.number}, after turn {turn}: {'; '.join(broken)}")
    names = {seat.code: seat.name for seat in spec.seats(table, start)}
    leaders = _leaders(history[-1]) if winners is None else []
    return {
        "game": job.number,
        "seed": job.seed,
        "turns": turn,
        "reason": _reason(winners),
        "winners": sorted(winners or ()),
        "leaders": leaders,
        # games of one course in which nothing was drawn are one game, however often it is played
        "mark": "" if game.chance else game.course.hexdigest()[:16],
        "course": course_rows(owners, game.battles),
        # the figures of all parties have the same columns
        "columns": list(next(iter(history[0].values()), {})),
        "realms": {
            code: {
                "name": names[code],
                "bot": bot,
                "out": game.out.get(code),
                "figures": _figures_of(code, history),
            }
            for code, bot in job.seats.items()
        },
        "rules": {kind: dict(sorted(game.uses[kind].items())) for kind in sorted(game.uses)},
        "orders": game.uses[ORDERS].total(),
        "failed": game.uses[FAILED].total(),
        "refused": game.refused,
        "refusals": game.refusals,
    }


Figures = Mapping[str, Mapping[str, float]]  # each party's figures by column, the score first


def _reason(winners: Collection[str] | None) -> str:
    """Return why a game ended; ``winners``: empty if nobody is left to win, None if it was stopped."""
    if winners is None:
        return UNFINISHED
    return "victory" if winners else "draw"


def _leaders(figures: Figures) -> list[str]:
    """Return the codes of those with the highest score; none if all scores are 0."""
    # the score is the first of the figures
    scores = {code: next(iter(row.values())) for code, row in figures.items()}
    best_score = max(scores.values(), default=0)
    return sorted(code for code, score in scores.items() if score == best_score > 0)


def _figures_of(code: str, history: Iterable[Figures]) -> list[list[float]]:
    """Return a party's figures at the start and after each turn, in the order of the columns."""
    return [list(map(short, figures[code].values())) for figures in history]


class OtherProgramError(Exception):
    """The worker has another pbem than the one that made the plan: its games would not be the same."""


class UnusableWorkersError(Exception):
    """The workers cannot play the games, or die while playing: one sentence of advice."""


class Desk:
    """The common data of all games of one plan: rules, map and start position, loaded once a process."""

    def __init__(self, plan: Plan) -> None:
        """Load rules and map.

        Raises ``OtherProgramError`` if the plan was made with another pbem, ``SourceError`` for a broken map.
        """
        check_program(plan)
        self.plan = plan
        self.spec = game_spec(plan.game)
        table, start = self._begin_game(plan.seed)
        # a game without settings draws nothing at its start: all games begin with the same data and position
        self._shared = (table, start) if table.settings is None else None

    def _begin_game(self, seed: str) -> tuple[GameData, Any]:
        """Return (game data, start position) of a game with this seed."""
        # the map travels as bytes, and games read maps from folders
        with tempfile.TemporaryDirectory(prefix="gm-map-") as made:
            folder = Path(made) / self.plan.map
            folder.mkdir()
            for name, data in self.plan.files.items():
                (folder / name).write_bytes(data)
            fixed = tuple(self.plan.seating.fixed)
            request = NewGameRequest(map=folder, options=self.plan.options, seed=seed, parties=fixed)
            table = self.spec.founded(request).table
            return table, self.spec.start(table, folder, None)

    def play(self, job: Job, beat: Beat | None = None) -> JsonObject:
        """Return the record of one game, which begins like a new game with the job's seed.

        ``beat``: is called before each turn, and stops the game when it returns false. Raises the same errors
        as :func:`play_game`.
        """
        table, start = self._shared or self._begin_game(derive_seed(job.seed, "start"))
        codes = tuple(seat.code for seat in self.spec.seats(table, start))
        # which realms take part may be drawn for each game: the job's seats are those of the plan
        if set(codes) != set(job.seats):
            job = replace(job, seats=seats_of(self.plan.seating, codes, self.plan.seed, job.number))
        return play_game(self.spec, table, start, job, self.plan.turns, beat)


def check_program(plan: Plan) -> None:
    """Raise ``OtherProgramError`` unless this pbem is the one that the plan was made with."""
    if plan.version != __version__:
        raise OtherProgramError(says("it has pbem {0}, and this is pbem {1}", __version__, plan.version))
    if plan.program != program_fingerprint(plan.game):
        raise OtherProgramError(says("it has pbem {0} too, but with other files in it", __version__))


def run_here(plan: Plan, jobs: Iterable[Job]) -> Generator[JsonObject]:
    """Yield the records of the games one after the other, in this process."""
    desk = Desk(plan)
    for job in jobs:
        yield desk.play(job)
