"""Games on a running cluster: Dask ``distributed``, the extra ``pbem-gm[cluster]``.

Workers get everything as plain data: the plan is sent to each once, also to one that joins later, and then
the jobs. The games of a worker that dies are given to other workers, as soon as there are any. If the
scheduler is lost, so are all games without a result yet.
"""

import logging
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from threading import Event
from typing import Any

from distributed import CancelledError, Client, KilledWorker, WorkerPlugin, as_completed, get_worker

from gm.core.diagnostics import message_of, says
from gm.simulation.plan import Job, Plan
from gm.simulation.playing import Desk, OtherProgramError, UnusableWorkersError, check_program
from gm.store.formats import JsonObject

PATIENCE = "10s"  # how long a scheduler may take to answer
BREATH = 0.2  # seconds between two checks whether a game is finished
SILENCE = 5.0  # seconds without a finished game after which it is checked whether any worker is left


class PlanPlugin(WorkerPlugin):  # type: ignore[misc]
    """Holds a plan on every worker, under a name made of its fingerprint."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.name = _plugin_name(plan.fingerprint)

    @cached_property
    def desk(self) -> Desk:
        """The common data of the plan's games, made on a worker when its first game is played."""
        return Desk(self.plan)


def _plugin_name(fingerprint: str) -> str:
    return f"gm-plan-{fingerprint}"


def run_on_cluster(
    plan: Plan, jobs: Iterable[Job], scheduler: str, tell: Callable[[str], None] = print
) -> Generator[JsonObject]:
    """Yield the games' records as they come from all workers; closing the iterator cancels the rest.

    ``scheduler``: its address; ``tell``: is called with a sentence for the GM when no worker is left. Raises
    as :func:`gm.simulation.playing.play_game`, and ``UnusableWorkersError`` for a cluster that cannot be
    used, loses its scheduler or too many workers.
    """
    with _connected(scheduler) as client:
        _check_workers(client, plan, scheduler)
        client.register_plugin(PlanPlugin(plan))
        futures = [
            client.submit(_play, plan.fingerprint, job, key=f"gm-{plan.fingerprint}-{job.number}")
            for job in jobs
        ]
        try:
            for future in _finished(
                client, futures, lambda: tell(f"No worker is left at {scheduler}: start one.")
            ):
                yield _record(future, scheduler)
                future.release()  # else its worker keeps the record in memory
        finally:
            # a client that has lost its scheduler can reach no game
            if client.status == "running":
                client.cancel(futures)
                client.unregister_worker_plugin(_plugin_name(plan.fingerprint))


def _finished(
    client: Client, futures: list[Any], tell_no_worker_is_left: Callable[[], None]
) -> Iterator[Any]:
    """Yield the games' futures as they are finished.

    ``tell_no_worker_is_left`` is called once each time that the last worker has gone.
    """
    unfinished = as_completed(futures, loop=client.loop)
    seconds_without_game = 0.0
    no_worker_is_left = False
    never = Event()  # to wait for a time, and yet to be interrupted by Ctrl-C
    while not unfinished.is_empty():
        if unfinished.has_ready():
            future = next(unfinished)
            if _is_result_here(future):
                seconds_without_game = 0.0
                no_worker_is_left = False
                yield future
            else:
                seconds_without_game = SILENCE  # to check at once whether any worker is left
                unfinished.add(future)
        # a client that has lost the scheduler cannot ask it for workers
        elif seconds_without_game < SILENCE or client.status != "running":
            never.wait(BREATH)
            seconds_without_game += BREATH
        else:
            seconds_without_game = 0.0
            was_told = no_worker_is_left
            no_worker_is_left = not client.nthreads()
            if no_worker_is_left and not was_told:
                tell_no_worker_is_left()


def _is_result_here(future: Any) -> bool:
    """Return whether a finished game's record, or its error, is here.

    It is not if the worker died before it sent the record: such a game is played again.
    """
    try:
        future.result(timeout=SILENCE)
    except TimeoutError:
        return False
    except Exception:  # ``_record`` says what happened
        return True
    return True


def slots(scheduler: str) -> int:
    """Return how many games the cluster plays at a time.

    Raises ``UnusableWorkersError`` when it does not answer.
    """
    with _connected(scheduler) as client:
        threads: Mapping[str, int] = client.nthreads()
        return max(1, sum(threads.values()))


@contextmanager
def _connected(scheduler: str) -> Iterator[Client]:
    """Yield a client of the scheduler at this address. Raises ``UnusableWorkersError`` if it is not there.

    Dask's log of lost connections is silenced: we report them in our words.
    """
    for name in ("distributed", "distributed.client"):  # Dask gives each of these loggers a level
        logging.getLogger(name).setLevel(logging.CRITICAL)
    client = _client(scheduler)
    try:
        yield client
    except OSError:
        raise UnusableWorkersError(_gone(scheduler)) from None
    finally:
        # closing fails if the scheduler is dead
        with suppress(OSError):
            client.close()


def _gone(scheduler: str) -> str:
    """Return the sentence that the scheduler has gone."""
    return says(
        "The scheduler at {0} has gone, or somebody cancelled the games there. Finished "
        "games are kept: start 'dask scheduler' and workers again, and the same command goes on from "
        "there.",
        scheduler,
    )


def _client(scheduler: str) -> Client:
    """Return a client of the scheduler. Raises ``UnusableWorkersError`` if none answers at the address."""
    try:
        return Client(scheduler, timeout=PATIENCE, set_as_default=False)
    except ValueError as error:
        pattern = "{0!r} is no address of a scheduler: {1}. It looks like tcp://host:8786."
        raise UnusableWorkersError(says(pattern, scheduler, error)) from None
    except OSError as error:
        raise UnusableWorkersError(
            says(
                "No scheduler answers at {0} ({1}). Start one with 'dask scheduler', and workers with 'dask "
                "worker'.",
                scheduler,
                error,
            )
        ) from None


def _check_workers(client: Client, plan: Plan, scheduler: str) -> None:
    """Raise ``UnusableWorkersError`` unless there are workers, and each has the pbem that made the plan."""
    # by the worker's address: None, or the error
    answers: Mapping[str, Any] = client.run(check_program, plan, on_error="return")
    if not answers:
        none = "The scheduler at {0} has no workers. Start some with 'dask worker {0}'."
        raise UnusableWorkersError(says(none, scheduler))
    unfit = {address: error for address, error in answers.items() if isinstance(error, BaseException)}
    if unfit:
        address, error = min(unfit.items())
        more_words = says(", and {0} more do not fit", len(unfit) - 1) if len(unfit) > 1 else ""
        is_other = isinstance(error, OtherProgramError)
        why = message_of(error) if is_other else f"{type(error).__name__}: {error}"
        # an import error may come wrapped into another exception, as a text
        lacking = re.search(r"No module named '([\w.]+)'", str(error))
        if lacking:
            why = says("it lacks the module {0}", lacking[1])
        pattern = (
            "The worker {0} cannot play these games: {1}{2}. Install gm {3} there, as it is here, and start "
            "the workers again."
        )
        raise UnusableWorkersError(says(pattern, address, why, more_words, plan.version))


def _record(future: Any, scheduler: str) -> JsonObject:
    """Return a finished game's record.

    Raises ``UnusableWorkersError`` if workers died of the game, if it was cancelled, or if its worker has
    another pbem; and the errors of :func:`gm.simulation.playing.play_game`.
    """
    try:
        record: JsonObject = future.result()
    except KilledWorker as error:
        number = str(error.task).rpartition("-")[2]  # the key of its task ends with it
        pattern = (
            "Game {0} was begun on {1} workers of {2}, and each of them died of it: perhaps their memory "
            "does not suffice. Finished games are kept."
        )
        workers = error.allowed_failures + 1
        raise UnusableWorkersError(says(pattern, number, workers, scheduler)) from None
    except CancelledError:
        raise UnusableWorkersError(_gone(scheduler)) from None
    except OtherProgramError as error:
        pattern = "A worker that came later cannot play these games: {0}."
        raise UnusableWorkersError(says(pattern, error)) from None
    return record


def _play(fingerprint: str, job: Job) -> JsonObject:
    """Return the record of a game, played on a worker."""
    plugin: PlanPlugin = get_worker().plugins[_plugin_name(fingerprint)]
    return plugin.desk.play(job)
