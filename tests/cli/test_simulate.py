"""``pbem simulate`` as somebody runs it: what it writes, how it goes on, and what it says to what makes no
sense.
"""

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gm.cli.app import gm
from tests.held import HELD_BOT, VARIABLE, finished, hold_of
from tests.waiting import is_running, wait_for

GAME = ("--map", "minsk", "--turns", "3", "--seed", "test")
COUNT = 4
HELD = ("--map", "minsk", "--turns", "3", "--games", str(COUNT), "--seed", "test", "--bots", HELD_BOT)
"""Games that a test can stop in the middle: all but the first wait for it."""
PATIENCE = 60


def simulate(out: Path, *arguments: object, code: int = 0) -> Result:
    result = CliRunner().invoke(gm, ["simulate", "--out", str(out), *map(str, arguments)], prog_name="pbem")
    assert result.exit_code == code, result.output
    return result


def files(folder: Path) -> dict[str, bytes]:
    """The games and everything that is made of them, byte by byte."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def started(out: Path, *arguments: object, **environment: str) -> subprocess.Popen[str]:
    """The command in a process and a process group of its own."""
    command = [sys.executable, "-m", "gm", "simulate", "--out", str(out), *map(str, arguments)]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, **environment},
    )


def held(out: Path) -> subprocess.Popen[str]:
    """The command, which has finished a game; the others wait until :func:`hold_of` is gone."""
    hold_of(out).touch()
    process = started(out, *HELD, "--jobs", 2, **{VARIABLE: str(out)})
    wait_for(lambda: finished(out) or process.poll() is not None, "a finished game")
    assert 0 < finished(out) < COUNT, process.communicate()
    return process


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the games that can be held, played without a break."""
    out = tmp_path_factory.mktemp("whole") / "out"
    simulate(out, *HELD, "--jobs", 1)
    return files(out)


def test_a_simulation_tells_who_wins_and_writes_page_and_tables(tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = simulate(out, *GAME, "--games", 3, "--jobs", 1)
    assert "3 games of " in result.output
    assert "0 were refused by the reader" in result.output
    for name in ("Lithuania", "Novgorod", "Poland", "Teutonic Order"):
        assert name in result.output
    assert "These are 3 games; a verdict needs 200." in result.output
    made = "course.csv games.csv games.jsonl realms.csv report.html rules.csv simulation.json turns.csv"
    assert sorted(files(out)) == made.split()
    games = rows(out / "games.csv")
    assert [game["game"] for game in games] == ["1", "2", "3"]
    assert {game["refused"] for game in games} == {"0"}
    assert len(rows(out / "realms.csv")) == 3 * 4
    turns = rows(out / "turns.csv")
    assert len(turns) == sum((int(game["turns"]) + 1) * 4 for game in games)
    assert all(float(turn["provinces"]) >= 0 for turn in turns)
    rules = {(row["kind"], row["rule"]): int(row["uses"]) for row in rows(out / "rules.csv")}
    assert rules["order", "recruit"] > 0
    assert rules["event", "SeasonEnded"] == sum(int(game["turns"]) for game in games)
    assert rules["event", "PhaseLimitReached"] == 0


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same_files(tmp_path: Path) -> None:
    simulate(tmp_path / "one", *GAME, "--games", 4, "--jobs", 1)
    process = started(tmp_path / "two", *GAME, "--games", 4, "--jobs", 2)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert files(tmp_path / "one") == files(tmp_path / "two")


@pytest.mark.slow
def test_another_seed_gives_other_games(tmp_path: Path) -> None:
    simulate(tmp_path / "one", *GAME, "--games", 2, "--jobs", 1)
    simulate(tmp_path / "two", *GAME[:-1], "another", "--games", 2, "--jobs", 1)
    assert (tmp_path / "one" / "games.csv").read_bytes() != (tmp_path / "two" / "games.csv").read_bytes()


@pytest.mark.slow
def test_more_games_are_added_to_those_that_are_there(tmp_path: Path) -> None:
    out = tmp_path / "out"
    simulate(out, *GAME, "--games", 2, "--jobs", 1)
    first = (out / "games.jsonl").read_bytes()
    result = simulate(out, *GAME, "--games", 3, "--jobs", 1)
    assert "2 games of 3 are finished already." in result.stderr
    assert (out / "games.jsonl").read_bytes().startswith(first)
    simulate(tmp_path / "at-once", *GAME, "--games", 3, "--jobs", 1)
    assert files(out) == files(tmp_path / "at-once")
    fewer = simulate(out, *GAME, "--games", 2, code=2)
    assert "holds games up to number 3, more than --games 2" in fewer.output


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_stopped_and_leaves_no_process_behind(
    tmp_path: Path, whole: dict[str, bytes]
) -> None:
    out = tmp_path / "killed"
    process = held(out)
    workers = children(process.pid)
    process.kill()
    hold_of(out).unlink()
    process.communicate(timeout=PATIENCE)
    wait_for(lambda: not any(map(is_running, workers)), "the workers' end")
    kept = finished(out)
    # and as if the power had gone in the middle of a line
    with (out / "games.jsonl").open("ab") as file:
        file.write(b'{"game": 4, "se')
    result = simulate(out, *HELD, "--jobs", 1)
    assert f"{kept} game" in result.stderr
    assert "finished already" in result.stderr
    assert files(out) == whole


@pytest.mark.slow
def test_ctrl_c_ends_cleanly_and_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "stopped"
    process = held(out)
    workers = children(process.pid)
    # a terminal sends it to the whole group
    os.killpg(process.pid, signal.SIGINT)
    # a worker stops between two turns
    hold_of(out).unlink()
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "Traceback" not in errors
    assert f"Stopped: {finished(out)} game" in errors
    assert "The same command goes on from there." in errors
    # a process that lives on for its parent's sake only sees a moment later that the parent is gone
    wait_for(lambda: not any(map(is_running, workers)), "the workers' end")
    assert not (out / "report.html").exists()


def children(pid: int) -> list[int]:
    """The processes that a process has started, where the system tells."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(pid) for pid in listed.read_text().split()] if listed.exists() else []


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_only_its_game(tmp_path: Path, whole: dict[str, bytes]) -> None:
    out = tmp_path / "out"
    process = held(out)
    workers = [
        pid
        for pid in children(process.pid)
        if b"multiprocessing" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    assert workers
    os.kill(workers[-1], signal.SIGKILL)
    hold_of(out).unlink()
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert files(out) == whole


def test_json_for_scripts(tmp_path: Path) -> None:
    result = simulate(tmp_path / "out", *GAME, "--games", 2, "--jobs", 1, "--json")
    findings = json.loads(result.stdout)
    assert findings["games"] == 2
    assert findings["refused"] == 0
    assert findings["simulation"]["map"] == "minsk"
    assert sorted(findings["realms"]) == ["LIT", "NOV", "POL", "TEU"]
    assert findings["outliers"]["enough_games"] is False


def test_another_simulation_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    simulate(out, *GAME, "--games", 1, "--jobs", 1)
    before = files(out)
    result = simulate(out, "--map", "minsk", "--turns", "4", "--seed", "test", "--games", 1, code=2)
    assert "holds games of another simulation: its turns were 3, not 4" in result.output
    assert files(out) == before


def test_a_folder_of_something_else_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    result = simulate(tmp_path, *GAME, code=2)
    assert "holds something else" in result.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["thesis.txt"]


def test_a_second_run_in_the_same_folder_waits_for_nobody_and_says_so(tmp_path: Path) -> None:
    from gm.store.disk import locked

    simulate(tmp_path / "out", *GAME, "--games", 1, "--jobs", 1)
    with locked(tmp_path / "out"):
        result = simulate(tmp_path / "out", *GAME, "--games", 2, code=1)
    assert "Another pbem is working" in result.output


def test_without_the_extras_it_is_told_which_one_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    parquet = simulate(tmp_path / "out", *GAME, "--format", "parquet", code=2)
    assert "Parquet files need an extra: install pbem-gm[parquet]." in parquet.output
    cluster = simulate(tmp_path / "out", *GAME, "--scheduler", "tcp://127.0.0.1:1", code=2)
    assert "A cluster needs an extra: install pbem-gm[cluster]." in cluster.output
    assert not (tmp_path / "out").exists()


def test_the_bots_of_a_game_are_listed_with_how_they_play(tmp_path: Path) -> None:
    result = simulate(tmp_path / "out", "--bots", "help")
    assert "local-forces  " in result.output
    assert len(result.output.splitlines()) > 1
    assert not (tmp_path / "out").exists()


def test_what_can_be_set_is_listed_as_for_a_new_game(tmp_path: Path) -> None:
    simulated = simulate(tmp_path / "out", "--game", "conqueror", "--set", "help").output
    assert simulated == CliRunner().invoke(gm, ["new", "x", "--game", "conqueror", "--set", "help"]).output
    assert "max_players" in simulated
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_two_simulations_are_compared_on_a_page_in_lines_and_as_data(tmp_path: Path) -> None:
    one = tmp_path / "one"
    two = tmp_path / "two"
    for out, turns in ((one, 2), (two, 3)):
        simulate(
            out, "--map", "minsk", "--turns", turns, "--games", 2, "--jobs", 1, "--bots", "conqueror,builder"
        )
    output = simulate(tmp_path, "--compare", one, two).output
    assert "What differs: turns: 2 before, 3 after." in output
    assert "Teutonic Order" in output
    assert "turns" in (tmp_path / "comparison.html").read_text("utf-8")
    # without --out the page stands beside the second's, and those who count on its files find them as they
    # were
    before = files(two)
    result = CliRunner().invoke(gm, ["simulate", "--compare", str(one), str(two), "--json"])
    comparison = json.loads(result.stdout)
    assert comparison["course"]["turns"]["change"] == [1.0, 1.0, 1.0]
    assert comparison["page"] == str(two / "comparison.html")
    assert {name: data for name, data in files(two).items() if name != "comparison.html"} == before


def test_what_cannot_be_compared_is_told(tmp_path: Path) -> None:
    one = tmp_path / "one"
    other = tmp_path / "other"
    simulate(one, *GAME, "--games", 1, "--jobs", 1)
    simulate(other, "--game", "conquest-fields", "--turns", 2, "--games", 2, "--jobs", 1, "--bots", "random")
    few = simulate(tmp_path, "--compare", one, one, code=2).output
    assert f"{one} holds fewer than 2 different games, and one shows no spread." in few
    assert (
        "only simulations of one game can be compared"
        in simulate(tmp_path, "--compare", one, other, code=2).output
    )
    (tmp_path / "empty").mkdir()
    none = simulate(tmp_path, "--compare", one, tmp_path / "empty", code=2).output
    assert "empty holds no simulation: it has no file simulation.json." in none
    more = simulate(tmp_path, "--compare", one, one, "--games", 3, code=2).output
    assert "--games does not go with it" in more
