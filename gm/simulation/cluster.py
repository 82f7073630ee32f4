"""Games on a cluster that runs already: Dask ``distributed``, the extra ``pbem-gm[cluster]``. Workers get everything as
plain data: the plan is sent to each once, also to one that joins later, and then the numbers of games. A worker that
dies loses the games that it was at; the scheduler gives them to others."""

import re
from collections.abc import Generator, Iterable, Mapping
from functools import cached_property
from typing import Any

from distributed import CancelledError, Client, KilledWorker, WorkerPlugin, as_completed, get_worker

from gm.simulation.plan import Job, Plan
from gm.simulation.playing import Desk, OtherProgramError, UnusableWorkersError, check_program
from gm.store.formats import JsonObject

PATIENCE = "10s"  # how long a scheduler may take to answer


class PlanPlugin(WorkerPlugin):  # type: ignore[misc]
    """Keeps a plan on every worker, under its mark."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.name = plan, _plugin_name(plan.mark)

    @cached_property
    def desk(self) -> Desk:
        """What the games share, made on a worker when the first of them is played there."""
        return Desk(self.plan)


def _plugin_name(mark: str) -> str:
    return f"gm-plan-{mark}"


def run_on_cluster(plan: Plan, jobs: Iterable[Job], scheduler: str) -> Generator[JsonObject]:
    """The games' records as they come from all workers; closing the iterator gives up the rest. Raises
    ``GameBrokeError``, and ``UnusableWorkersError`` for a cluster that cannot be used or loses too many workers."""
    with _client(scheduler) as client:
        _check_workers(client, plan, scheduler)
        client.register_plugin(PlanPlugin(plan))
        futures = [client.submit(_play, plan.mark, job, pure=False, key=f"gm-{plan.mark}-{job.number}") for job in jobs]
        try:
            for future in as_completed(futures, loop=client.loop):
                yield _record(future, scheduler)
                future.release()
        finally:
            client.cancel(futures)
            client.unregister_worker_plugin(_plugin_name(plan.mark))


def slots(scheduler: str) -> int:
    """How many games the cluster plays at a time. Raises ``UnusableWorkersError`` when it does not answer."""
    with _client(scheduler) as client:
        threads: Mapping[str, int] = client.nthreads()
        return max(1, sum(threads.values()))


def _client(scheduler: str) -> Client:
    try:
        return Client(scheduler, timeout=PATIENCE, set_as_default=False)
    except ValueError as error:
        wrong = f"{scheduler!r} is no address of a scheduler: {error}. It looks like tcp://host:8786."
        raise UnusableWorkersError(wrong) from None
    except OSError as error:
        raise UnusableWorkersError(
            f"No scheduler answers at {scheduler} ({error}). Start one with 'dask scheduler', and workers with "
            "'dask worker'."
        ) from None


def _check_workers(client: Client, plan: Plan, scheduler: str) -> None:
    """Refuse workers on which the same games would come out otherwise, or not at all."""
    answers: Mapping[str, Any] = client.run(check_program, plan, on_error="return")
    if not answers:
        none = f"The scheduler at {scheduler} has no workers. Start some with 'dask worker {scheduler}'."
        raise UnusableWorkersError(none)
    wrong = {address: error for address, error in answers.items() if isinstance(error, BaseException)}
    if wrong:
        address, error = min(wrong.items())
        more = f", and {len(wrong) - 1} more do not fit" if len(wrong) > 1 else ""
        why = str(error) if isinstance(error, OtherProgramError) else f"{type(error).__name__}: {error}"
        # the worker may send it wrapped into another exception, as a text
        if lacking := re.search(r"No module named '([\w.]+)'", str(error)):
            why = f"it lacks the module {lacking[1]}"
        raise UnusableWorkersError(
            f"The worker {address} cannot play these games: {why}{more}. Install "
            f"gm {plan.version} there, as it is here, and start the workers again."
        )


def _record(future: Any, scheduler: str) -> JsonObject:
    try:
        record: JsonObject = future.result()
    except KilledWorker as error:
        raise UnusableWorkersError(f"Workers of {scheduler} died again and again: {error}") from None
    except CancelledError:
        wrong = f"The scheduler at {scheduler} has gone, or somebody cancelled the games there."
        raise UnusableWorkersError(wrong) from None
    return record


def _play(mark: str, job: Job) -> JsonObject:
    """On a worker."""
    plugin: PlanPlugin = get_worker().plugins[_plugin_name(mark)]
    return plugin.desk.play(job)
