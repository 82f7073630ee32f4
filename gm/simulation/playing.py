"""Games from the start position to their end, with a bot for each realm: order files in, a record out.

They are played one after the other, or in processes of this machine; one that dies costs only its present
game.
"""

import gc
import hashlib
import os
import signal
import tempfile
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing import connection, get_context, parent_process
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from gm import __version__
from gm.bots.registry import bot_named
from gm.core.values import DiceRolled
from gm.game.base.events import FAILED, ORDERS
from gm.game.bots import BotError, bot_view
from gm.game.spec import GameSpec
from gm.game.talk import Dealing, Talk
from gm.game.values import GameData, NewGameRequest
from gm.games import game_spec
from gm.simulation.plan import Job, Plan, derive_seed, program_fingerprint, seats_of
from gm.simulation.record import UNFINISHED, course_rows, short
from gm.store.formats import JsonObject, compact

KEY = "simulation"  # what the order files of a simulated game must say: nobody else sends any
SAMPLES = 5  # so many refused orders of a game are kept in full
Beat = Callable[[], bool]  # asked before each turn; the game is given up when it says no


class GameBrokeError(Exception):
    """A bot's error, or a turn with a broken state: one sentence about the place, with the error's text."""


class BotBrokeError(Exception):
    """A bot of another package failed: one sentence about where, with its message."""


class GivenUpError(Exception):
    """The caller wants no more games: this one has no record."""


class _Seed(str):
    """A bot's seed that records whether it was read: a bot that never reads it plays every game the same."""

    looked = False


def _noting(name: str) -> Callable[..., Any]:
    def method(seed: _Seed, *given: Any) -> Any:
        seed.looked = True
        return getattr(str, name)(seed, *given)

    return method


for _name in ("encode", "__str__", "__format__", "__hash__", "__eq__"):
    setattr(_Seed, _name, _noting(_name))


@dataclass
class _Game:
    """A game that is being played.

    ``out``: the turn in which each realm was eliminated; ``refused``: rejected files, and orders with an
    error, of which a bot that knows the rules has none; ``chance``: whether anything was random, as far as
    known of programs; ``course``: of all positions until then.
    """

    spec: GameSpec[Any]
    table: GameData
    job: Job
    out: dict[str, int] = field(default_factory=dict)
    uses: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    refused: int = 0
    refusals: list[str] = field(default_factory=list)
    chance: bool = False
    course: Any = field(default_factory=hashlib.sha256)
    battles: list[int] = field(default_factory=list)
    dealings: tuple[Dealing, ...] = ()  # what its bots recall: nobody writes letters here

    def play(self, state: Any, turn: int) -> Any:
        """Play a turn; return the state after it. Raises ``GameBrokeError``."""
        sheets = self._orders(state, turn)
        with self._telling(f"turn {turn}"):
            outcome = self.spec.play(self.table, state, sheets, derive_seed(self.job.seed, "dice", turn))
        self.chance = self.chance or any(isinstance(event, DiceRolled) for event in outcome.events)
        if not self.chance:
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
        """Return the order sheets of all realms that give orders this turn, by realm."""
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
        """Return the orders of a realm's bot, or None for a rejected file; record its errors."""
        spec = self.spec
        bot = self.job.seats[realm]
        game = f"game-{self.job.number}"
        seed = _Seed(derive_seed(self.job.seed, "bot", turn, realm))
        view = bot_view(spec, self.table, state, realm, game=game, key=KEY, seed=seed, talk=talk)
        is_own = bot in spec.bots or bot in spec.thinkers
        with self._telling(
            f"turn {turn}: the bot {bot} of {realm}", GameBrokeError if is_own else BotBrokeError
        ):
            data = bot_named(spec, bot).orders(view)
        self.chance = self.chance or seed.looked
        file = f"game {self.job.number}, turn {turn}, {realm} ({bot})"
        reading = spec.read_orders(self.table, view.state, data, file, game=game, realm=realm, key=KEY)
        self.refused += reading.errors
        if reading.sheet is None:
            self.refused += 1
        errors = [diagnostic for diagnostic in reading.diagnostics if diagnostic.is_error]
        self.refusals += [diagnostic.render() for diagnostic in errors[: SAMPLES - len(self.refusals)]]
        return reading.sheet

    @contextmanager
    def _telling(self, where: str, wrong: type[Exception] = GameBrokeError) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            trouble = str(error) if isinstance(error, BotError) else f"{type(error).__name__}: {error}"
            raise wrong(f"game {self.job.number}, {where}: {trouble}") from error


def play_game(
    spec: GameSpec[Any], table: GameData, start: Any, job: Job, turns: int, beat: Beat | None = None
) -> JsonObject:
    """Return one game's record as plain data, the same for the same arguments.

    ``figures`` are at the start and after each turn. Raises ``GameBrokeError`` for an error in the program,
    ``BotBrokeError``, and ``GivenUpError`` when ``beat`` returns false.
    """
    game = _Game(spec, table, job)
    game.course.update(compact({"start": spec.record(start), "seats": dict(job.seats)}).encode())
    state = start
    history = [spec.figures(table, start)]
    owned = [spec.owners(table, start)]
    turn = 0
    winners = spec.ended(table, state)
    while winners is None and turn < turns:
        if beat is not None and not beat():
            raise GivenUpError
        turn += 1
        state = game.play(state, turn)
        history.append(spec.figures(table, state))
        owned.append(spec.owners(table, state))
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
        "course": course_rows(owned, game.battles),
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
    """Return why a game ended; ``winners``: None for one that was stopped."""
    if winners is None:
        return UNFINISHED
    return "victory" if winners else "draw"


def _leaders(figures: Figures) -> list[str]:
    """Return the leaders of a game by score; none, if all scores are 0."""
    scores = {code: next(iter(row.values())) for code, row in figures.items()}
    best_score = max(scores.values(), default=0)
    return sorted(code for code, score in scores.items() if score == best_score > 0)


def _figures_of(code: str, history: Iterable[Figures]) -> list[list[float]]:
    """Return a party's figures at the start and after each turn."""
    return [list(map(short, figures[code].values())) for figures in history]


DEATHS = 3  # When processes have died so often running, without a game finished between, it is no accident


class OtherProgramError(Exception):
    """The worker has another pbem than the one that made the plan: its games would not be the same."""


class UnusableWorkersError(Exception):
    """The workers cannot play the games, or die while playing: one sentence of advice."""


class Desk:
    """The common data of all games of one plan: rules, map and start position, loaded once a process."""

    def __init__(self, plan: Plan) -> None:
        """Load rules and map. Raises ``OtherProgramError``, and ``SourceError`` for a broken map."""
        check_program(plan)
        self.plan = plan
        self.spec = game_spec(plan.game)
        table, start = self._begun(plan.seed)
        # where nothing can be chosen, nothing is drawn: all games begin alike
        self._shared = (table, start) if table.settings is None else None

    def _begun(self, seed: str) -> tuple[GameData, Any]:
        """Return game data and start position of a game with this seed."""
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
        """Return the record of one game, which begins like a new game with the job's seed."""
        table, start = self._shared or self._begun(derive_seed(job.seed, "start"))
        codes = tuple(seat.code for seat in self.spec.seats(table, start))
        if set(codes) != set(job.seats):  # who plays is drawn for each game
            job = replace(job, seats=seats_of(self.plan.seating, codes, self.plan.seed, job.number))
        return play_game(self.spec, table, start, job, self.plan.turns, beat)


def check_program(plan: Plan) -> None:
    """Raise ``OtherProgramError`` unless this pbem is the one that the plan was made with."""
    if plan.version != __version__:
        raise OtherProgramError(f"it has pbem {__version__}, and this is pbem {plan.version}")
    if plan.program != program_fingerprint(plan.game):
        raise OtherProgramError(f"it has pbem {__version__} too, but with other files in it")


def run_here(plan: Plan, jobs: Iterable[Job]) -> Generator[JsonObject]:
    """Yield the records of the games one after the other, in this process."""
    desk = Desk(plan)
    for job in jobs:
        yield desk.play(job)


def run_in_processes(plan: Plan, jobs: Iterable[Job], processes: int) -> Generator[JsonObject]:
    """Yield the games' records as they are finished, from ``processes`` that end with the iterator."""
    jobs_left = {job.number: job for job in jobs}
    deaths = 0
    while jobs_left:
        before = len(jobs_left)
        try:
            for record in _run(plan, list(jobs_left.values()), processes):
                del jobs_left[record["game"]]
                yield record
        except BrokenProcessPool:
            deaths = 1 if len(jobs_left) < before else deaths + 1
            if deaths >= DEATHS:
                raise UnusableWorkersError(
                    f"Worker processes died {deaths} times running: perhaps the memory does not suffice for "
                    f"{processes} of them. Try fewer with --jobs."
                ) from None


def _run(plan: Plan, jobs: list[Job], processes: int) -> Generator[JsonObject]:
    """Yield the records of games from new processes."""
    # spawned, not forked: a fork would share whatever this process has open and half done
    context = get_context("spawn")
    stop = context.Event()
    executor = ProcessPoolExecutor(min(processes, len(jobs)), context, _begin, (plan, stop))
    try:
        for future in as_completed([executor.submit(_play, job) for job in jobs]):
            if record := future.result():
                yield record
    finally:
        stop.set()
        executor.shutdown(wait=True, cancel_futures=True)


_here: dict[str, Any] = {}  # the desk of this worker process, and the event that asks it to stop


def _begin(plan: Plan, stop: Event) -> None:
    """Prepare a worker process: it ends with its parent, and plays games of one plan."""
    # the terminal sends Ctrl-C to all processes; ours are told by the event, between two turns
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent := parent_process():  # a worker whose command was killed ends too
        threading.Thread(
            target=lambda: connection.wait([parent.sentinel]) and os._exit(1), daemon=True
        ).start()
    _here["desk"] = Desk(plan)
    _here["stop"] = stop
    # rules and map stay; what a turn leaves behind hardly ever goes in circles
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


def _play(job: Job) -> JsonObject | None:
    stop: Event = _here["stop"]
    with suppress(GivenUpError):
        record: JsonObject = _here["desk"].play(job, lambda: not stop.is_set())
        return record
    return None
