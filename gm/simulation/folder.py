"""The folder of a simulation: its settings, the finished games line by line, and the tables made of them."""

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import BinaryIO

from gm.core.diagnostics import joined, says
from gm.simulation.findings import Findings
from gm.simulation.plan import IDENTITY, Plan, difference_words
from gm.simulation.record import COURSE, ranks
from gm.store import disk
from gm.store.disk import LOCK
from gm.store.formats import Format, JsonObject, compact

SETTINGS_FILE = "simulation.json"
GAMES_FILE = "games.jsonl"
SIMULATION = Format("simulation", 1)
_BATCH = 20_000  # rows that are turned into columns at a time
_GAME_COLUMNS = ("game", "seed", "turns", "reason", "winners", "leaders", "orders", "failed", "refused")
_TEXTS = ("seed", "reason", "winners", "leaders", "realm", "bot", "kind", "rule")

Row = tuple[str | int | float | None, ...]


class SimulationFolderError(Exception):
    """The folder cannot be used; the text says why in one sentence."""


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table of a simulation.

    ``columns``: the kind of each by its name, ``text``, ``count`` or ``figure``; ``rows`` can be read once.
    """

    name: str
    columns: Mapping[str, str]
    rows: Iterable[Row]


def data_tables(records: Callable[[], Iterable[JsonObject]], findings: Findings) -> Iterator[DataTable]:
    """Yield the tables: of games, of realms, of turns (turn 0 is the start), of courses, and of rules.

    ``records`` returns the games anew for each table.
    """
    start_and_end = [f"{when} {name}" for when in ("start", "end") for name in findings.columns]
    yield _table("games", " ".join(_GAME_COLUMNS), _game_rows(records()))
    yield _table("realms", "game realm bot won led rank out", _realm_rows(records()), start_and_end)
    yield _table("turns", "game turn realm", _turn_rows(records()), findings.columns)
    yield DataTable("course", dict.fromkeys(("game", "turn", *COURSE), "count"), _course_rows(records()))
    yield _table("rules", "kind rule uses games", _rule_rows(findings))


def _table(name: str, head: str, rows: Iterable[Row], figures: Iterable[str] = ()) -> DataTable:
    """Return a table. Its columns are those of ``head`` (separated by spaces), then the ``figures``.

    A column of ``head`` is one of text if it is in ``_TEXTS``, else one of counts.
    """
    columns = {column: "text" if column in _TEXTS else "count" for column in head.split()}
    return DataTable(name, {**columns, **dict.fromkeys(figures, "figure")}, rows)


def _game_rows(games: Iterable[JsonObject]) -> Iterator[Row]:
    """Yield a row for each game; several winners or leaders are one text, a space between."""
    for game in games:
        cells = (game.get(column, ()) for column in _GAME_COLUMNS)
        yield tuple(" ".join(cell) if isinstance(cell, list | tuple) else cell for cell in cells)


def _realm_rows(games: Iterable[JsonObject]) -> Iterator[Row]:
    """Yield a row for each realm of each game, with its figures at the start and at the end."""
    for game in games:
        places = ranks(game)
        for code, realm in game["realms"].items():
            won = int(code in game["winners"])
            led = int(code in game.get("leaders", ()))
            head = (game["game"], code, realm["bot"], won, led, places[code], realm["out"])
            yield (*head, *map(float, realm["figures"][0]), *map(float, realm["figures"][-1]))


def _turn_rows(games: Iterable[JsonObject]) -> Iterator[Row]:
    """Yield (game, turn, code, its figures ...) for each realm at the start (turn 0) and after each turn."""
    for game in games:
        for turn in range(game["turns"] + 1):
            for code, realm in game["realms"].items():
                yield (game["game"], turn, code, *map(float, realm["figures"][turn]))


def _course_rows(games: Iterable[JsonObject]) -> Iterator[Row]:
    """Yield a row for each turn of each game, with the counts of ``COURSE``."""
    for game in games:
        for turn, counts in enumerate(game.get("course", ()), 1):
            yield (game["game"], turn, *counts)


def _rule_rows(findings: Findings) -> Iterator[Row]:
    """Yield a row for each rule: its kind and name, how often it was used, and in how many games."""
    for kind, uses in sorted(findings.uses.items()):
        for rule, count in sorted(uses.items()):
            yield (kind, rule, count, len(findings.rules[kind][rule]))


class SimulationFolder:
    """A folder with the games of one plan. The caller holds its lock while anything is written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[int, tuple[int, int]] = {}  # (start, length) of each game's line, by its number
        self._end = 0  # where the last of these lines ends: the next is written there

    @property
    def done(self) -> frozenset[int]:
        """The numbers of the games that are finished."""
        return frozenset(self._places)

    def prepare(self) -> None:
        """Make the folder, if it is missing, so that it can be locked.

        Raises ``SimulationFolderError`` for a folder of other files than a simulation's.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        own_files = {self.path / LOCK, *disk.unfinished_in(self.path)}
        if {*self.path.iterdir()} - own_files and not (self.path / SETTINGS_FILE).exists():
            problem = "{0} holds something else. Name a new folder with --out, or an empty one."
            raise SimulationFolderError(says(problem, self.path))

    def open(self, plan: Plan) -> None:
        """Find the finished games of a plan, or begin a simulation. The caller holds the folder's lock.

        Raises ``SimulationFolderError`` for games of another plan, or a damaged file.
        """
        disk.clear_unfinished(self.path)
        settings = self.path / SETTINGS_FILE
        self.count_again()
        if not self._places:  # no game is finished: settings stored here may be replaced
            own_settings = {"schema": SIMULATION.version, **plan.identity}
            disk.write_file(
                settings, (json.dumps(own_settings, ensure_ascii=False, indent=2) + "\n").encode()
            )
            return
        stored = self.asked()
        differences = [
            difference_words(name, stored[name], value)
            for name, value in plan.identity.items()
            if stored[name] != value
        ]
        if differences:
            pattern = (
                "{0} holds games of another simulation: {1}. Name another folder with --out, or ask for the "
                "same again."
            )
            raise SimulationFolderError(says(pattern, self.path, joined(differences, "; ")))

    def asked(self) -> JsonObject:
        """Return the settings of the games here (``Plan.identity``).

        Raises ``SimulationFolderError`` when they are missing or damaged.
        """
        settings = self.path / SETTINGS_FILE
        try:
            # early folders have no "other_bots"
            stored = {"other_bots": {}, **json.loads(settings.read_bytes())}
            return {name: stored[name] for name in IDENTITY}
        except FileNotFoundError:
            pattern = "{0} holds no simulation: it has no file {1}."
            raise SimulationFolderError(says(pattern, self.path, SETTINGS_FILE)) from None
        except (ValueError, KeyError, TypeError):
            raise SimulationFolderError(says("{0} is damaged. Name another folder.", settings)) from None

    def count_again(self) -> None:
        """Find the finished games in the file again, as after an interruption.

        Raises ``SimulationFolderError`` for a damaged line.
        """
        path = self.path / GAMES_FILE
        self._places = {}
        self._end = 0
        if not path.exists():
            return
        with path.open("rb") as file:
            # a line without an end was being written when the run was killed: the next game overwrites it
            for count, line in enumerate(takewhile(lambda line: line.endswith(b"\n"), file), 1):
                try:
                    number = int(json.loads(line)["game"])
                    if number in self._places:
                        raise ValueError(f"game {number} appears twice")
                except (ValueError, KeyError, TypeError):
                    pattern = "{0} is damaged in line {1}. Take that line out, and its game is played again."
                    raise SimulationFolderError(says(pattern, path, count)) from None
                self._note_line(number, len(line))

    def _note_line(self, number: int, length: int) -> None:
        """Remember where the line of a game is: behind all lines before."""
        self._places[number] = (self._end, length)
        self._end += length

    def add(self, record: JsonObject) -> None:
        """Store a finished game: when this returns, it is on the disk."""
        line = (compact(record) + "\n").encode()
        disk.append(self.path / GAMES_FILE, line, self._end)
        self._note_line(record["game"], len(line))

    def records(self) -> Iterator[JsonObject]:
        """Return the records of the finished games in the order of their numbers."""
        return map(json.loads, self._lines())

    def _lines(self) -> Iterator[bytes]:
        """Yield the stored lines of the finished games in the order of their numbers."""
        if not self._places:
            return
        with (self.path / GAMES_FILE).open("rb") as file:
            for _, (start, length) in sorted(self._places.items()):
                file.seek(start)
                yield file.read(length)

    def put_in_order(self) -> None:
        """Sort the games in the file by number, as one process would have written them."""
        if [*self._places] != sorted(self._places):
            with self._writing(self.path / GAMES_FILE) as file:
                file.writelines(self._lines())
            self.count_again()

    def write_csv(self, table: DataTable) -> Path:
        """Write a table as ``NAME.csv`` with a head line; None is an empty cell. Return the file's path."""
        path = self.path / f"{table.name}.csv"
        with self._writing(path) as file:
            text = TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
            csv.writer(text, lineterminator="\n").writerows(chain([table.columns], table.rows))
            text.detach()  # else it would close the file, which is still to be flushed
        return path

    def write_parquet(self, table: DataTable) -> Path:
        """Write a table as ``NAME.parquet`` with typed columns. Return the file's path.

        Raises ``ImportError`` without the extra ``pbem-gm[parquet]``.
        """
        import pyarrow
        from pyarrow import parquet

        kinds = {"text": pyarrow.string(), "count": pyarrow.int64(), "figure": pyarrow.float64()}
        schema = pyarrow.schema([(name, kinds[kind]) for name, kind in table.columns.items()])
        path = self.path / f"{table.name}.parquet"
        waiting = iter(table.rows)
        with self._writing(path) as file, parquet.ParquetWriter(file, schema, compression="zstd") as writer:
            while batch := list(islice(waiting, _BATCH)):
                columns = zip(*batch, strict=True)
                arrays = [
                    pyarrow.array(values, field.type) for values, field in zip(columns, schema, strict=True)
                ]
                writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
        return path

    def write_page(self, html: str, name: str = "report.html") -> Path:
        """Write a page as the file ``name``. Return the file's path."""
        self.path.mkdir(parents=True, exist_ok=True)
        path = self.path / name
        disk.write_file(path, html.encode(), mode=disk.PUBLIC_FILE)
        return path

    @contextmanager
    def _writing(self, path: Path) -> Iterator[BinaryIO]:
        """Yield a file to write; it is renamed to ``path`` when it is complete and flushed."""
        unfinished = disk.unfinished_name(path)
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        disk.flush_folder(self.path)
