"""What runs inside a worker, and games in processes of this machine: each process loads the map once.

A process that dies costs only the game it was at.
"""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from collections.abc import Generator, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import replace
from multiprocessing import connection, get_context, parent_process
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from gm import __version__
from gm.game.spec import GameSpec
from gm.game.values import GameData, NewGameRequest
from gm.games import game_spec
from gm.simulation.plan import Job, Plan, derived, program_mark, seats_of
from gm.simulation.playing import Beat, GivenUpError, play_game
from gm.store.formats import JsonObject

DEATHS = 3
"""So many times running, without a game finished between, processes may die before it is taken for no accident."""


class OtherProgramError(Exception):
    """The worker has another gm than the one that made the plan: its games would not be the same."""


class UnusableWorkersError(Exception):
    """Those who should play the games cannot, or die of it: one sentence about what to do."""


class Desk:
    """Everything that the games of one plan share."""

    def __init__(self, plan: Plan) -> None:
        """Load rules and map. Raises ``OtherProgramError``, and ``SourceError`` for a broken map."""
        check_program(plan)
        self.plan = plan
        self.spec: GameSpec[Any] = game_spec(plan.game)
        table, start = self._begun(plan.seed)
        # where nothing can be chosen, nothing is drawn: all games begin alike
        self._shared = (table, start) if table.settings is None else None

    def _begun(self, seed: str) -> tuple[GameData, Any]:
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
        """The record of one game, which begins as a new game with the job's seed would."""
        table, start = self._shared or self._begun(derived(job.seed, "start"))
        codes = tuple(seat.code for seat in self.spec.seats(table, start))
        if set(codes) != set(job.seats):  # who plays is drawn for each game
            job = replace(job, seats=seats_of(self.plan.seating, codes, self.plan.seed, job.number))
        return play_game(self.spec, table, start, job, self.plan.turns, beat)


def check_program(plan: Plan) -> None:
    """Raise ``OtherProgramError`` unless this gm is the one that the plan was made with."""
    if plan.version != __version__:
        raise OtherProgramError(f"it has gm {__version__}, and this is gm {plan.version}")
    if plan.program != program_mark(plan.game):
        raise OtherProgramError(f"it has gm {__version__} too, but with other files in it")


# -- processes of this machine -----------------------------------------------------------------------------------------


def run_here(plan: Plan, jobs: Iterable[Job]) -> Generator[JsonObject]:
    """The games one after the other, in this process."""
    desk = Desk(plan)
    for job in jobs:
        yield desk.play(job)


def run_in_processes(plan: Plan, jobs: Iterable[Job], processes: int) -> Generator[JsonObject]:
    """The games' records as they come, from so many processes. Closing the iterator ends the processes.

    Raises ``GameBrokeError``, ``OtherProgramError`` and ``UnusableWorkersError``.
    """
    left = {job.number: job for job in jobs}
    deaths = 0
    while left:
        before = len(left)
        try:
            for record in _run(plan, list(left.values()), processes):
                del left[record["game"]]
                yield record
        except BrokenProcessPool:
            deaths = 1 if len(left) < before else deaths + 1
            if deaths >= DEATHS:
                raise UnusableWorkersError(
                    f"Worker processes died {deaths} times running: perhaps the memory does not suffice for "
                    f"{processes} of them. Try fewer with --jobs."
                ) from None


def _run(plan: Plan, jobs: list[Job], processes: int) -> Generator[JsonObject]:
    # spawned, not forked: a fork would share whatever this process has open and half done
    context = get_context("spawn")
    stop = context.Event()
    workers = min(processes, len(jobs))
    executor = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(plan, stop))
    try:
        for future in as_completed([executor.submit(_play, job) for job in jobs]):
            if record := future.result():
                yield record
    finally:
        stop.set()
        executor.shutdown(wait=True, cancel_futures=True)


# -- inside a worker ---------------------------------------------------------------------------------------------------

_here: dict[str, Any] = {}
"""The desk of this worker process, and the event that asks it to stop."""


def _begin(plan: Plan, stop: Event) -> None:
    # the terminal sends Ctrl-C to all processes; ours are told by the event, between two turns
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _here["desk"], _here["stop"] = Desk(plan), stop


def _end_with_parent() -> None:
    """A worker whose command was killed ends too."""
    if parent := parent_process():
        connection.wait([parent.sentinel])
        os._exit(1)


def _play(job: Job) -> JsonObject | None:
    stop: Event = _here["stop"]
    with suppress(GivenUpError):
        record: JsonObject = _here["desk"].play(job, lambda: not stop.is_set())
        return record
    return None
