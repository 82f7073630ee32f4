"""Data files into typed values: an error stands where the wrong value stands."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import pytest

from gm.core.values import Value
from gm.core.yaml.models import load_data, load_value
from gm.core.yaml.source import SourceError
from tests.core.cases import cases


class Troop(Value):
    attacks: int
    hit_points: Decimal
    regions: tuple[str, ...] = ()


class Table(Value):
    version: str
    troops: Mapping[str, Troop]
    chances: Mapping[int, int] = {}


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def wrong(tmp_path: Path, text: str) -> list[str]:
    """``line:column code message`` of each finding."""
    with pytest.raises(SourceError) as caught:
        load_value(write(tmp_path, text), Table)
    return [f"{d.line}:{d.column} {d.code} {d.message} {d.suggestion}".rstrip() for d in caught.value.diagnostics]


def test_a_table_becomes_a_value_with_exact_decimals(tmp_path: Path) -> None:
    path = write(tmp_path, "version: '1'\ntroops:\n  Archers: {attacks: 1, hit_points: 1.10}\nchances: {1: 50}\n")
    table = load_value(path, Table)
    assert table.troops["Archers"].hit_points == Decimal("1.10")
    assert table.chances[1] == 50


@cases("wrong tables")
def test_each_fault_is_shown_where_it_stands(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert wrong(tmp_path, text) == expected


def test_the_file_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "version: 1\nversion: 2\n")
    with pytest.raises(SourceError, match=r"table\.yaml:2:1: error\[source/duplicate-key\]"):
        load_data(path)


def test_plain_data_comes_with_its_nodes(tmp_path: Path) -> None:
    data, node = load_data(write(tmp_path, "a: [1, 2]\n"))
    assert data == {"a": [1, 2]}
    assert (node.line, node.column) == (1, 1)
