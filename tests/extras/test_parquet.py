"""The tables of a simulation as Parquet: the cells of the CSV files, with types."""

from pathlib import Path

import pytest

from gm.simulation.folder import SimulationFolder
from tests.cli.test_simulate import GAME, rows, simulate
from tests.simulation.test_tables import all_tables

parquet = pytest.importorskip("pyarrow.parquet")


def test_parquet_holds_the_same_with_types(tmp_path: Path) -> None:
    types = {"text": "string", "count": "int64", "figure": "double"}
    for table in all_tables():
        path = SimulationFolder(tmp_path).write_parquet(table)
        table_read = parquet.read_table(path)
        assert table_read.column_names == list(table.columns)
        assert [str(field.type) for field in table_read.schema] == [
            types[kind] for kind in table.columns.values()
        ]
        assert [tuple(row.values()) for row in table_read.to_pylist()] == table.rows


def test_many_rows_are_written_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.simulation.folder._BATCH", 7)
    table = all_tables()[2]
    path = SimulationFolder(tmp_path).write_parquet(table)
    assert parquet.ParquetFile(path).num_row_groups == 4
    assert parquet.read_table(path).num_rows == len(list(table.rows))


def test_parquet_tables_stand_in_place_of_csv(tmp_path: Path) -> None:
    simulate(tmp_path / "csv", *GAME, "--games", 2, "--jobs", 1)
    simulate(tmp_path / "parquet", *GAME, "--games", 2, "--jobs", 1, "--format", "parquet")
    for name in ("games", "realms", "turns", "rules"):
        assert not (tmp_path / "parquet" / f"{name}.csv").exists()
        table_rows = parquet.read_table(tmp_path / "parquet" / f"{name}.parquet").to_pylist()
        cells = [{key: "" if cell is None else str(cell) for key, cell in row.items()} for row in table_rows]
        assert cells == rows(tmp_path / "csv" / f"{name}.csv")
