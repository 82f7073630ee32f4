"""Games in many processes of this machine.

If one process dies, all of them end, and the games that were not finished are played again.
"""

import gc
import os
import signal
import threading
from collections.abc import Generator, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import connection, get_context, parent_process
from multiprocessing.synchronize import Event
from typing import Any

from gm.core.diagnostics import says
from gm.simulation.plan import Job, Plan
from gm.simulation.playing import Desk, GivenUpError, UnusableWorkersError
from gm.store.formats import JsonObject

DEATHS = 3  # processes that die so often running, without a finished game between, will die again


def run_in_processes(plan: Plan, jobs: Iterable[Job], processes: int) -> Generator[JsonObject]:
    """Yield the games' records as they are finished, from so many processes, which end with the iterator.

    Games whose process died are played again. Raises ``UnusableWorkersError`` when processes die again and
    again.
    """
    jobs_left = {job.number: job for job in jobs}
    deaths = 0  # since a game was finished
    while jobs_left:
        jobs_before = len(jobs_left)
        try:
            for record in _run(plan, list(jobs_left.values()), processes):
                del jobs_left[record["game"]]
                yield record
        except BrokenProcessPool:
            deaths = 1 if len(jobs_left) < jobs_before else deaths + 1
            if deaths >= DEATHS:
                pattern = (
                    "Worker processes died {0} times running: perhaps the memory does not suffice for {1} of "
                    "them. Try fewer with --jobs."
                )
                raise UnusableWorkersError(says(pattern, deaths, processes)) from None


def _run(plan: Plan, jobs: list[Job], processes: int) -> Generator[JsonObject]:
    """Yield the records of games from new processes. Raises ``BrokenProcessPool`` when one of them dies."""
    # spawned, not forked: a fork would share whatever this process has open and half done
    context = get_context("spawn")
    stop = context.Event()
    executor = ProcessPoolExecutor(min(processes, len(jobs)), context, _begin, (plan, stop))
    try:
        for future in as_completed([executor.submit(_play, job) for job in jobs]):
            record = future.result()
            if record is not None:  # else the process was asked to stop
                yield record
    finally:
        stop.set()
        executor.shutdown(wait=True, cancel_futures=True)


# of this worker process: under "desk" its ``Desk``, under "stop" the event that asks it to stop
_here: dict[str, Any] = {}


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
    # collect garbage rarely: rules and map stay, and a turn leaves hardly any reference cycles
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


def _play(job: Job) -> JsonObject | None:
    """Return the record of a game, played in this worker process; None if it was asked to stop."""
    stop: Event = _here["stop"]
    with suppress(GivenUpError):
        record: JsonObject = _here["desk"].play(job, lambda: not stop.is_set())
        return record
    return None
