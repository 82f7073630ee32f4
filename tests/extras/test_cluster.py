"""Simulations on a real cluster on this machine: the same games, also when a worker is killed in the
middle.
"""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from tests.cli.test_simulate import files
from tests.held import HELD_BOT, VARIABLE, finished, hold_of
from tests.waiting import wait_for

pytest.importorskip("distributed")

COUNT = 4
"""Games of a run."""
GAMES = ("--map", "minsk", "--games", str(COUNT), "--turns", "4", "--seed", "cluster", "--bots", HELD_BOT)
PATIENCE = 120
ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Cluster:
    """A scheduler, and workers that can be started and killed, all of them on the loopback."""

    address: str
    folder: Path
    processes: list[subprocess.Popen[bytes]]

    def worker(self, **environment: str) -> subprocess.Popen[bytes]:
        """One more worker process, with one thread and nobody who would start it again.

        Its bots wait for the test in the simulation ``cluster`` of the folder.
        """
        number = len(self.processes)
        arguments = (
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
            "--host",
            "127.0.0.1",
            "--name",
            f"w{number}",
        )
        local = ("--local-directory", str(self.folder))
        environment = {"PYTHONPATH": str(ROOT), VARIABLE: str(self.folder / "cluster"), **environment}
        process = _start(
            "dask_worker", self.address, *arguments, *local, log=self.folder / f"w{number}.log", **environment
        )
        self.processes.append(process)
        return process

    def wait_for(self, workers: int) -> None:
        """Until so many workers have arrived."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(workers, timeout=PATIENCE)


def _start(module: str, *arguments: str, log: Path, **environment: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
    # not from here: a folder in which pbem lies comes before all others
    elsewhere = log.parent
    variables = {**os.environ, **environment}
    with log.open("wb") as file:
        return subprocess.Popen(command, stdout=file, stderr=file, env=variables, cwd=elsewhere)


@contextmanager
def begun(folder: Path) -> Iterator[Cluster]:
    """A cluster with a scheduler and no worker yet, which ends with the block."""
    note = folder / "scheduler.json"
    options = (
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--no-show",
        "--scheduler-file",
        str(note),
    )
    scheduler = _start("dask_scheduler", *options, log=folder / "scheduler.log")
    made = Cluster("", folder, [scheduler])
    try:
        wait_for(lambda: note.exists() and note.read_text().strip().endswith("}"), "the scheduler")
        made.address = json.loads(note.read_text())["address"]
        yield made
    finally:
        for process in made.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with begun(tmp_path) as made:
        yield made


@contextmanager
def running(out: Path, cluster: Cluster) -> Iterator["subprocess.Popen[str]"]:
    """The command, which has finished a game on the cluster; the others wait for :func:`hold_of`."""
    hold_of(out).touch()
    command = [
        sys.executable,
        "-m",
        "gm",
        "simulate",
        "--out",
        str(out),
        *GAMES,
        "--scheduler",
        cluster.address,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # nobody waits for ever for what it says
    alarm = Timer(PATIENCE * 4, process.kill)
    alarm.start()
    try:
        wait_for(lambda: finished(out) > 0 or process.poll() is not None, "a game")
        assert process.poll() is None, process.communicate()
        yield process
    finally:
        alarm.cancel()
        process.kill()
        hold_of(out).unlink(missing_ok=True)


def simulate(out: Path, *arguments: str, code: int = 0) -> str:
    command = [sys.executable, "-m", "gm", "simulate", "--out", str(out), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE * 3, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_a_cluster_that_loses_a_worker_gives_the_same_files_as_one_process(
    cluster: Cluster, tmp_path: Path
) -> None:
    workers = [cluster.worker(), cluster.worker()]
    cluster.wait_for(2)
    out = tmp_path / "cluster"
    with running(out, cluster) as process:
        os.kill(workers[0].pid, signal.SIGKILL)
        workers[0].wait()
        assert finished(out) < COUNT
        hold_of(out).unlink()
        output, errors = process.communicate(timeout=PATIENCE * 3)
    assert process.returncode == 0, output + errors
    simulate(tmp_path / "alone", *GAMES, "--jobs", "1")
    assert files(out) == files(tmp_path / "alone")


def test_a_dead_scheduler_is_told_in_a_sentence_and_another_goes_on(cluster: Cluster, tmp_path: Path) -> None:
    cluster.worker()
    cluster.wait_for(1)
    out = tmp_path / "cluster"
    with running(out, cluster) as process:
        os.kill(cluster.processes[0].pid, signal.SIGKILL)
        output, errors = process.communicate(timeout=PATIENCE)
    kept = finished(out)
    assert process.returncode == 2, output + errors
    assert f"The scheduler at {cluster.address} has gone, or somebody cancelled the games there." in errors
    assert "the same command goes on from there" in errors
    assert not re.search("distributed|Traceback|CommClosed|Timed out", output + errors)
    assert 0 < kept < COUNT
    (tmp_path / "other").mkdir()
    with begun(tmp_path / "other") as other:
        other.worker()
        other.wait_for(1)
        printed = simulate(out, *GAMES, "--scheduler", other.address)
    assert f"{kept} game{'s' * (kept > 1)} of {COUNT} are finished already." in printed
    simulate(tmp_path / "alone", *GAMES, "--jobs", "1")
    assert files(out) == files(tmp_path / "alone")


def test_games_whose_only_worker_is_killed_wait_for_another_and_say_so(
    cluster: Cluster, tmp_path: Path
) -> None:
    first = cluster.worker()
    cluster.wait_for(1)
    out = tmp_path / "cluster"
    with running(out, cluster) as process:
        first.kill()
        assert process.stderr is not None
        lines = iter(process.stderr.readline, "")
        assert any(f"No worker is left at {cluster.address}: start one." in line for line in lines)
        assert finished(out) < COUNT
        cluster.worker()
        hold_of(out).unlink()
        output, errors = process.communicate(timeout=PATIENCE * 3)
    assert process.returncode == 0, output + errors
    assert finished(out) == COUNT


def test_a_game_of_which_workers_die_is_named() -> None:
    from distributed import KilledWorker

    from gm.simulation.cluster import _record
    from gm.simulation.playing import OtherProgramError, UnusableWorkersError

    class Lost:
        """The future of a game that was lost."""

        def __init__(self, error: Exception) -> None:
            self.error = error

        def result(self) -> None:
            raise self.error

    with pytest.raises(
        UnusableWorkersError, match=r"Game 12 was begun on 4 workers of tcp://x, .* died of it"
    ):
        _record(Lost(KilledWorker("gm-abc-12", None, 3)), "tcp://x")  # type: ignore[no-untyped-call]
    with pytest.raises(UnusableWorkersError, match="came later cannot play these games: it has pbem 1, and"):
        _record(Lost(OtherProgramError("it has pbem 1, and this is pbem 2")), "tcp://x")


@pytest.mark.parametrize(("fails", "come"), [(TimeoutError, False), (ValueError, True), (None, True)])
def test_a_game_whose_worker_died_before_its_record_was_sent_has_not_come(fails: Any, come: bool) -> None:
    from gm.simulation.cluster import _is_result_here

    class Finished:
        """The future of a game that is over."""

        def result(self, timeout: float) -> None:
            if fails:
                raise fails

    assert _is_result_here(Finished()) is come


def test_a_worker_that_comes_later_plays_too(cluster: Cluster, tmp_path: Path) -> None:
    first = cluster.worker()
    cluster.wait_for(1)
    out = tmp_path / "cluster"
    with running(out, cluster) as process:
        cluster.worker()
        cluster.wait_for(2)
        # what is left can only be played by the one that came
        first.kill()
        hold_of(out).unlink()
        output, errors = process.communicate(timeout=PATIENCE * 3)
    assert process.returncode == 0, output + errors
    assert finished(out) == COUNT


def test_a_cluster_without_workers_is_told(cluster: Cluster, tmp_path: Path) -> None:
    output = simulate(tmp_path / "out", *GAMES, "--scheduler", cluster.address, code=2)
    assert "has no workers. Start some with 'dask worker" in output


def test_workers_with_another_gm_are_refused(cluster: Cluster, tmp_path: Path) -> None:
    from gm.games import game_spec
    from gm.simulation.cluster import run_on_cluster
    from gm.simulation.plan import make_plan
    from gm.simulation.playing import UnusableWorkersError

    cluster.worker()
    cluster.wait_for(1)
    spec = game_spec("medieval")
    plan, _ = make_plan(spec, spec.maps()["minsk"], bots="local-forces", turns=2, seed="s")
    newer = replace(plan, version="99.0")
    other = replace(plan, program="changed")
    with pytest.raises(
        UnusableWorkersError,
        match=r"cannot play these games: it has pbem .*, and this is pbem 99\.0\. Install",
    ):
        list(run_on_cluster(newer, newer.jobs(2), cluster.address))
    with pytest.raises(UnusableWorkersError, match="too, but with other files in it"):
        list(run_on_cluster(other, other.jobs(2), cluster.address))
    assert [record["game"] for record in run_on_cluster(plan, plan.jobs(1), cluster.address)] == [1]


def test_workers_without_gm_are_told(cluster: Cluster, tmp_path: Path) -> None:
    # a package of the same name without any of it stands before ours
    fake = tmp_path / "fake" / "gm"
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text("")
    cluster.worker(PYTHONPATH=str(fake.parent))
    cluster.wait_for(1)
    output = simulate(tmp_path / "out", *GAMES, "--scheduler", cluster.address, code=2)
    assert "cannot play these games: it lacks the module gm.simulation" in output
    assert "Install gm" in output


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("tcp://127.0.0.1:1", "No scheduler answers at tcp://127.0.0.1:1"),
        ("nonsense", "'nonsense' is no address"),
    ],
)
def test_an_address_where_no_scheduler_is_is_told(
    address: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gm.simulation import cluster
    from gm.simulation.playing import UnusableWorkersError

    monkeypatch.setattr(cluster, "PATIENCE", "1s")
    with pytest.raises(UnusableWorkersError, match=complaint):
        cluster.slots(address)
