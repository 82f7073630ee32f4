"""The folder of a simulation, where nothing finished is lost; and its four tables, as CSV and as Parquet."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import booleans, dictionaries, lists, sampled_from

from gm.simulation.findings import Findings
from gm.simulation.folder import (
    GAMES_FILE,
    SETTINGS_FILE,
    DataTable,
    SimulationFolder,
    SimulationFolderError,
    data_tables,
)
from gm.simulation.plan import Plan
from gm.simulation.record import course_rows, ranks
from gm.simulation.report import summary_lines
from gm.simulation.seating import Seating
from tests.examples import examples


def record(number: int, winners: list[str]) -> dict[str, Any]:
    """Return a game's record as a simulation writes it, with a number, a seed and winners."""
    return {
        "game": number,
        "seed": f"s{number}",
        "turns": 2,
        "reason": "unfinished",
        "winners": winners,
        "course": [[2, 1, 1, 0], [0, 3, 0, 0]],
        "columns": ["coins", "half"],
        "realms": {
            "ANN": {"bot": "greedy", "out": None, "figures": [[1, 0.5], [4, 2], [7, 3.5]]},
            "BEN": {"bot": "modest", "out": 2, "figures": [[1, 0.5], [1, 0.5], [0, 0]]},
            "CEO": {"bot": "modest", "out": 1, "figures": [[1, 0.5], [0, 0], [0, 0]]},
            "DAN": {"bot": "greedy", "out": None, "figures": [[1, 0.5], [4, 2], [7, 3.5]]},
        },
        "rules": {"event": {"CoinTaken": number, "Quarrel": 0}},
        "orders": 8,
        "failed": 1,
        "refused": 0,
        "refusals": [],
    }


GAMES = [record(1, ["ANN", "DAN"]), record(2, ["ANN"])]


def all_tables() -> list[DataTable]:
    """With rows that can be read more than once."""
    return [replace(table, rows=list(table.rows)) for table in data_tables(lambda: GAMES, Findings(GAMES))]


def test_ranks_put_winners_first_then_scores_then_who_lasted_longer() -> None:
    assert ranks(GAMES[0]) == {"ANN": 1, "DAN": 1, "BEN": 3, "CEO": 4}
    assert ranks(GAMES[1]) == {"ANN": 1, "DAN": 2, "BEN": 3, "CEO": 4}


def test_what_stands_in_the_tables() -> None:
    games, realms, turns, course, rules = (list(table.rows) for table in all_tables())
    assert games[0] == (1, "s1", 2, "unfinished", "ANN DAN", "", 8, 1, 0)
    assert realms[1] == (1, "BEN", "modest", 0, 0, 3, 2, 1.0, 0.5, 0.0, 0.0)
    assert len(realms) == 2 * 4
    assert turns[4] == (1, 1, "ANN", 4.0, 2.0)
    assert len(turns) == 2 * 3 * 4
    assert course == [(1, 1, 2, 1, 1, 0), (1, 2, 0, 3, 0, 0), (2, 1, 2, 1, 1, 0), (2, 2, 0, 3, 0, 0)]
    assert rules == [("event", "CoinTaken", 3, 2), ("event", "Quarrel", 0, 0)]
    for table in all_tables():
        assert all(len(row) == len(table.columns) for row in table.rows)


def test_the_course_of_a_game_counts_battles_and_places_that_are_held_or_lost_again() -> None:
    owned = [
        {"a": "ANN", "b": "BEN"},
        {"a": "ANN", "b": "ANN", "c": "BEN"},  # b is taken, c was nobody's
        {"a": "ANN", "b": "ANN", "c": "BEN"},
        {"a": "BEN", "b": "ANN"},  # a is taken, nobody has c
        {"a": "BEN", "b": "BEN"},  # b is lost again in the third turn after
        {"a": "BEN", "b": "BEN"},
        {"a": "BEN", "b": "BEN"},
        {"a": "ANN", "b": "BEN"},  # a was held for three turns
    ]
    rows = course_rows(owned, [3, 0, 1, 1, 0, 0, 1])
    assert rows == [
        [3, 2, 1, 1],
        [0, 0, 0, 0],
        [1, 2, 1, 0],
        [1, 1, 1, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [1, 1, 1, 0],
    ]
    assert course_rows(owned[:1], []) == []


@given(
    lists(dictionaries(sampled_from("abcd"), sampled_from(["ANN", "BEN"])), min_size=1, max_size=8),
    booleans(),
)
@examples(300, 30)
def test_of_places_that_change_hands_some_are_taken_and_of_those_some_lost(
    owned: list[dict[str, str]], still: bool
) -> None:
    held = [owned[0]] * len(owned) if still else owned
    rows = course_rows(held, [0] * (len(held) - 1))
    assert all(0 <= lost <= taken <= changed <= 4 for _, changed, taken, lost in rows)
    assert not still or all(row == [0, 0, 0, 0] for row in rows)


def test_csv_has_a_head_line_and_an_empty_cell_for_nothing(tmp_path: Path) -> None:
    for table in all_tables():
        path = SimulationFolder(tmp_path).write_csv(table)
        assert b"\r" not in path.read_bytes()
        with path.open(newline="", encoding="utf-8") as file:
            head, *lines = csv.reader(file)
        assert head == list(table.columns)
        assert lines == [["" if cell is None else str(cell) for cell in row] for row in table.rows]


def test_a_terminal_is_told_in_a_line_whether_the_war_dies_down() -> None:
    games = [
        {**game, "turns": 5, "course": [[4, 2, 1, 1], [2, 2, 1, 0], *[[0, 1, 0, 0]] * 3]} for game in GAMES
    ]
    for game in games:
        game["realms"] = {code: {**realm, "figures": [[1, 1]] * 6} for code, realm in game["realms"].items()}
    assert (
        "Turns 1: 4.0 battles a turn, 2.0 places changed hands; 2: 2.0, 2.0; 3: 0.0, 1.0; 4-5: 0.0, 1.0. "
        "Of 4 places taken from another 50% were lost again within 3 turns."
    ) in summary_lines(Findings(games))
    # the games of an older pbem have no course
    old = [{name: value for name, value in game.items() if name != "course"} for game in GAMES]
    assert "battles" not in "\n".join(summary_lines(Findings(old)))


def test_rules_that_no_game_used_are_known() -> None:
    findings = Findings(GAMES)
    assert findings.unused == {"event": ["Quarrel"]}
    assert findings.uses["event"]["CoinTaken"] == 3


PLAN = Plan(
    game="medieval",
    map="bowl",
    files={"map.yaml": b"a map", "start.yaml": b"a start"},
    realms=("ANN", "BEN"),
    seating=Seating(("greedy", "modest"), {}),
    turns=5,
    seed="s",
    version="1.0",
    program="abc",
)


def record(number: int) -> dict[str, Any]:
    return {"game": number, "text": "ü" * number}


def opened(path: Path, plan: Plan = PLAN) -> SimulationFolder:
    folder = SimulationFolder(path)
    folder.prepare()
    folder.open(plan)
    return folder


def filled(path: Path, *numbers: int) -> SimulationFolder:
    folder = opened(path)
    for number in numbers:
        folder.add(record(number))
    return folder


def test_games_come_back_by_number_whatever_the_order_in_which_they_were_finished(tmp_path: Path) -> None:
    filled(tmp_path / "new", 3, 1, 2)
    folder = opened(tmp_path / "new")
    assert folder.done == {1, 2, 3}
    assert list(folder.records()) == [record(1), record(2), record(3)]


def test_a_line_that_was_cut_off_is_written_over(tmp_path: Path) -> None:
    filled(tmp_path, 1, 2)
    games = tmp_path / GAMES_FILE
    whole = games.read_bytes()
    games.write_bytes(whole[:-4])
    folder = opened(tmp_path)
    assert folder.done == {1}
    folder.add(record(5))
    folder.add(record(2))
    assert list(opened(tmp_path).records()) == [record(1), record(2), record(5)]


def test_a_damaged_line_is_told_with_its_number(tmp_path: Path) -> None:
    filled(tmp_path, 1, 2, 3)
    games = tmp_path / GAMES_FILE
    lines = games.read_bytes().splitlines(keepends=True)
    for bad in (b"{\n", b'{"turns": 3}\n', b"7\n", lines[0]):
        games.write_bytes(lines[0] + bad + lines[2])
        with pytest.raises(
            SimulationFolderError, match=r"games.jsonl is damaged in line 2\. Take that line out"
        ):
            opened(tmp_path)


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (replace(PLAN, turns=6), "its turns were 5, not 6"),
        (replace(PLAN, seed="t"), "its seed was s, not t"),
        (replace(PLAN, map="pot"), "its map was bowl, not pot"),
        (replace(PLAN, seating=Seating(("greedy",), {})), "its bots were greedy,modest, not greedy"),
        (
            replace(PLAN, seating=Seating(("greedy", "modest"), {"ANN": "x"})),
            "its seats were none, not ANN=x",
        ),
        (
            replace(PLAN, files={**PLAN.files, "start.yaml": b"else"}),
            "the map's start.yaml have changed since",
        ),
        (replace(PLAN, version="1.1"), "its gm was 1.0, not 1.1"),
        (
            replace(PLAN, other_bots={"m:B": "1"}),
            "the code of bots that do not come with the game has changed since",
        ),
        (replace(PLAN, program="abd"), "the program or its rules have changed since"),
    ],
)
def test_games_of_another_simulation_are_refused_and_what_differs_is_told(
    other: Plan, difference: str, tmp_path: Path
) -> None:
    filled(tmp_path, 1)
    before = (tmp_path / SETTINGS_FILE).read_bytes()
    with pytest.raises(SimulationFolderError, match=f"holds games of another simulation: {difference}"):
        opened(tmp_path, other)
    assert (tmp_path / SETTINGS_FILE).read_bytes() == before
    assert opened(tmp_path).done == {1}


def test_a_folder_in_which_no_game_was_finished_can_be_used_for_another_simulation(tmp_path: Path) -> None:
    opened(tmp_path)
    opened(tmp_path, replace(PLAN, turns=9))
    assert json.loads((tmp_path / SETTINGS_FILE).read_bytes())["turns"] == 9


def test_a_folder_with_something_else_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(SimulationFolderError, match="holds something else"):
        SimulationFolder(tmp_path).prepare()
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_damaged_settings_are_told(tmp_path: Path) -> None:
    filled(tmp_path, 1)
    (tmp_path / SETTINGS_FILE).write_text("{}")
    with pytest.raises(SimulationFolderError, match=r"simulation\.json is damaged"):
        opened(tmp_path)


def test_the_fingerprint_of_a_plan_changes_with_everything_that_decides_its_games() -> None:
    others = [
        replace(PLAN, turns=6),
        replace(PLAN, seed="t"),
        replace(PLAN, files={}),
        replace(PLAN, program="x"),
    ]
    assert len({plan.fingerprint for plan in (PLAN, *others)}) == 5
    assert replace(PLAN).fingerprint == PLAN.fingerprint
