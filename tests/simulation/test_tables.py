"""The four tables, as CSV and as Parquet: the same cells, in an order that nothing but the games decides."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

from gm.simulation.findings import Findings, ranks
from gm.simulation.folder import DataTable, SimulationFolder, data_tables


def record(number: int, winners: list[str]) -> dict[str, Any]:
    return {
        "game": number,
        "seed": f"s{number}",
        "turns": 2,
        "reason": "unfinished",
        "winners": winners,
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
    return [replace(each, rows=list(each.rows)) for each in data_tables(lambda: GAMES, Findings(GAMES))]


def test_ranks_put_winners_first_then_scores_then_who_lasted_longer() -> None:
    assert ranks(GAMES[0]) == {"ANN": 1, "DAN": 1, "BEN": 3, "CEO": 4}
    assert ranks(GAMES[1]) == {"ANN": 1, "DAN": 2, "BEN": 3, "CEO": 4}


def test_what_stands_in_the_tables() -> None:
    games, realms, turns, rules = (list(each.rows) for each in all_tables())
    assert games[0] == (1, "s1", 2, "unfinished", "ANN DAN", "", 8, 1, 0)
    assert realms[1] == (1, "BEN", "modest", 0, 0, 3, 2, 1.0, 0.5, 0.0, 0.0)
    assert len(realms) == 2 * 4
    assert turns[4] == (1, 1, "ANN", 4.0, 2.0)
    assert len(turns) == 2 * 3 * 4
    assert rules == [("event", "CoinTaken", 3, 2), ("event", "Quarrel", 0, 0)]
    for table in all_tables():
        assert all(len(row) == len(table.columns) for row in table.rows)


def test_csv_has_a_head_line_and_an_empty_cell_for_nothing(tmp_path: Path) -> None:
    for table in all_tables():
        path = SimulationFolder(tmp_path).write_csv(table)
        assert b"\r" not in path.read_bytes()
        with path.open(newline="", encoding="utf-8") as file:
            head, *lines = csv.reader(file)
        assert head == list(table.columns)
        assert lines == [["" if cell is None else str(cell) for cell in row] for row in table.rows]


def test_rules_that_no_game_used_are_known() -> None:
    found = Findings(GAMES)
    assert found.unused == {"event": ["Quarrel"]}
    assert found.uses["event"]["CoinTaken"] == 3
