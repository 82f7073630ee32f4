"""Games in processes of this machine: each loads the map once; a process that dies costs only the game it was at."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, get_context, parent_process
from multiprocessing.synchronize import Event
from typing import Any

from gm.simulation.plan import Job, Plan
from gm.simulation.playing import GivenUpError
from gm.simulation.worker import Desk, UnusableWorkersError
from gm.store.formats import Record

DEATHS = 3
"""So many times running, without a game finished between, processes may die before it is taken for no accident."""


def run_here(plan: Plan, jobs: Iterable[Job]) -> Generator[Record]:
    """The games one after the other, in this process."""
    desk = Desk(plan)
    for job in jobs:
        yield desk.play(job)


def run_in_processes(plan: Plan, jobs: Iterable[Job], processes: int) -> Generator[Record]:
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


def _run(plan: Plan, jobs: list[Job], processes: int) -> Generator[Record]:
    # spawned, not forked: a fork would share whatever this process has open and half done
    context = get_context("spawn")
    stop = context.Event()
    workers = min(processes, len(jobs))
    executor = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(plan, stop))
    waiting = iter(jobs)
    running: set[Future[Record | None]] = set()
    try:
        for job in waiting:
            running.add(executor.submit(_play, job))
            # a few more than there are workers, so that none waits for us, and no more than can be given up quickly
            if len(running) < 2 * workers:
                continue
            yield from _finished(running)
        while running:
            yield from _finished(running)
    finally:
        stop.set()
        executor.shutdown(wait=True, cancel_futures=True)


def _finished(running: set[Future[Record | None]]) -> Generator[Record]:
    """Wait for a game; those that are done leave the set and are given back."""
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    running -= done
    for each in done:
        record = each.result()
        if record is not None:
            yield record


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
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _play(job: Job) -> Record | None:
    stop: Event = _here["stop"]
    try:
        record: Record = _here["desk"].play(job, lambda: not stop.is_set())
    except GivenUpError:
        return None
    return record
