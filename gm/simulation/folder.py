"""The folder of a simulation: what was asked for, the finished games line by line, and what was made of them."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from gm.simulation.plan import Plan
from gm.simulation.tables import DataTable, Row
from gm.store.canonical import compact
from gm.store.disk import (
    PUBLIC_FILE,
    append,
    clear_unfinished,
    flush_folder,
    unfinished_in,
    unfinished_name,
    write_file,
)
from gm.store.formats import Format, JsonObject
from gm.store.lock import LOCK

SETTINGS_FILE = "simulation.json"
GAMES_FILE = "games.jsonl"
PAGE_FILE = "report.html"
SIMULATION = Format("simulation", 1)
_BATCH = 20_000
"""Rows that are turned into columns at a time."""


class SimulationFolderError(Exception):
    """The folder cannot be used: one sentence about what is wrong with it."""


class SimulationFolder:
    """A folder with the games of one plan. The caller holds its lock while anything is written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[int, tuple[int, int]] = {}
        self._end = 0

    @property
    def done(self) -> frozenset[int]:
        """The numbers of the games that are finished."""
        return frozenset(self._places)

    def prepare(self) -> None:
        """Make the folder, if it is not there, so that it can be locked. Raises ``SimulationFolderError``."""
        ours = not self.path.is_dir() or (self.path / SETTINGS_FILE).exists()
        if not ours and {*self.path.iterdir()} - {self.path / LOCK, *unfinished_in(self.path)}:
            raise SimulationFolderError(
                f"{self.path} holds something else. Name a new folder with --out, or an empty one."
            )
        self.path.mkdir(parents=True, exist_ok=True)

    def open(self, plan: Plan) -> None:
        """Find what is finished in the folder, or begin there. The lock is held from here on.

        Raises ``SimulationFolderError`` when it holds other games.
        """
        clear_unfinished(self.path)
        settings = self.path / SETTINGS_FILE
        self.count_again()
        if self._places:
            self._compare(settings, plan)
        else:
            write_file(settings, _settings(plan))

    def count_again(self) -> None:
        """Look at the disk for what is finished, as after an interruption. Raises ``SimulationFolderError``."""
        self._places = self._index()
        self._end = sum(length for _, length in self._places.values())

    def _compare(self, settings: Path, plan: Plan) -> None:
        try:
            found = json.loads(settings.read_bytes())
            earlier = {name: found[name] for name in plan.identity}
        except (ValueError, KeyError, TypeError):
            raise SimulationFolderError(f"{settings} is damaged. Name another folder with --out.") from None
        differing = [name for name, value in plan.identity.items() if earlier[name] != value]
        if differing:
            words = "; ".join(_difference(name, earlier[name], plan.identity[name]) for name in differing)
            raise SimulationFolderError(
                f"{self.path} holds games of another simulation: {words}. Name another folder with "
                "--out, or ask for the same again."
            )

    def _index(self) -> dict[int, tuple[int, int]]:
        """Where each finished game's line stands: (start, length)."""
        path = self.path / GAMES_FILE
        found: dict[int, tuple[int, int]] = {}
        if not path.exists():
            return found
        at = 0
        with path.open("rb") as file:
            for count, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    # the run was killed while it wrote this: the next game takes its place, and it is played again
                    break
                try:
                    number = int(json.loads(line)["game"])
                    if number in found:
                        raise ValueError(f"game {number} stands there twice")
                    found[number] = (at, len(line))
                except (ValueError, KeyError, TypeError):
                    raise SimulationFolderError(
                        f"{path} is damaged in line {count}. Take that line out, and its game is played again."
                    ) from None
                at += len(line)
        return found

    def add(self, record: JsonObject) -> None:
        """Keep a finished game: when this returns, it is on the disk."""
        line = (compact(record) + "\n").encode()
        append(self.path / GAMES_FILE, line, self._end)
        self._places[record["game"]] = (self._end, len(line))
        self._end += len(line)

    def records(self) -> Iterator[JsonObject]:
        """The finished games by number, whatever the order in which they were finished."""
        if not self._places:
            return
        with (self.path / GAMES_FILE).open("rb") as file:
            for number in sorted(self._places):
                at, length = self._places[number]
                file.seek(at)
                yield json.loads(file.read(length))

    # -- what is made of them ------------------------------------------------------------------------------------------

    def write_csv(self, table: DataTable, rows: Iterable[Row]) -> Path:
        """Write a table with a head line; nothing is an empty cell."""

        def write(file: BinaryIO) -> None:
            text = TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
            lines = csv.writer(text, lineterminator="\n")
            lines.writerow(table.columns)
            lines.writerows(rows)
            text.detach()

        return self._write(f"{table.name}.csv", write)

    def write_parquet(self, table: DataTable, rows: Iterable[Row]) -> Path:
        """Write a table with typed columns. Raises ``ImportError`` without the extra ``gm[parquet]``."""
        import pyarrow
        from pyarrow import parquet

        kinds = {"text": pyarrow.string(), "count": pyarrow.int64(), "figure": pyarrow.float64()}
        schema = pyarrow.schema([(name, kinds[kind]) for name, kind in table.columns.items()])

        def write(file: BinaryIO) -> None:
            with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
                waiting = iter(rows)
                while batch := list(islice(waiting, _BATCH)):
                    columns = zip(*batch, strict=True)
                    arrays = [pyarrow.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
                    writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))

        return self._write(f"{table.name}.parquet", write)

    def write_page(self, html: str) -> Path:
        """Write the page with the plots."""
        write_file(self.path / PAGE_FILE, html.encode(), mode=PUBLIC_FILE)
        return self.path / PAGE_FILE

    def _write(self, name: str, write: Callable[[BinaryIO], None]) -> Path:
        path = self.path / name
        unfinished = unfinished_name(path)
        with unfinished.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        flush_folder(self.path)
        return path


def _settings(plan: Plan) -> bytes:
    asked = {"schema": SIMULATION.version, **plan.identity}
    return (json.dumps(asked, ensure_ascii=False, indent=2) + "\n").encode()


def _difference(name: str, earlier: Any, now: Any) -> str:
    if name == "program":
        return "the program or its rules have changed since"
    if isinstance(earlier, Mapping) and isinstance(now, Mapping) and name == "map_files":
        changed = sorted(file for file in {*earlier, *now} if earlier.get(file) != now.get(file))
        return f"the map's {' and '.join(changed)} have changed since"
    verb = "were" if name in ("turns", "bots", "seats", "options") else "was"
    return f"its {name} {verb} {_shown(earlier)}, not {_shown(now)}"


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{key}={each}" for key, each in value.items()) or "none"
    return ",".join(value) or "none" if isinstance(value, list) else str(value)
