"""The game folder: a whole game in files that people can read, compare, copy and mail (formats.md).

The folder of a turn holds the state after it, the log, the orders it was played with, the reports, and the
rolls.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, Self

from gm.core.codec import from_plain
from gm.core.diagnostics import says
from gm.core.dice import rolled_again
from gm.core.values import DiceRolled, Event, Positive, Value
from gm.store import BrokenFolderError, NoGameFolderError
from gm.store.disk import (
    BUILDING,
    build_folder,
    clear_unfinished,
    flush_folder,
    make_folder,
    move,
    unfinished_in,
)
from gm.store.formats import PUT_BACK, Format, JsonObject, compact, read_table, table_of
from gm.store.inbox import Changes, Inbox
from gm.store.places import TurnPath
from gm.store.settings import PLAYERS, SETTINGS, Players, Settings
from gm.store.turns import PlayedPath, Turns, turn_name

SETTINGS_FILE = "game.yaml"
PLAYERS_FILE = "players.yaml"
MAIL_FILE = "mail.yaml"  # of a game that has mail
STATE_FILE = "state.json"
LOG_FILE = "log.jsonl"
# the GM's leading article for the Herald: in the game folder for the coming turn, in a turn's folder for that
LEADER_FILE = "herald.md"
TURN_FILE = "turn.json"
ROLLS_FILE = "results/dice.jsonl"

LOG = Format("turn log", 1)
TURN = Format("record of a turn", 1)
ROLLS = Format("list of a turn's rolls", 1)

_LINES_OF_A_PIECE = 4096
_LEADER_SIZE = 65536  # bytes that are read of a leading article


class GameFolder:
    """One game on disk.

    Every reading goes to the disk, except settings and players, which are read once. Unreadable files raise
    ``BrokenFolderError``, those of a newer pbem ``NewerFormatError``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.turns = path / "turns"
        self.played = Turns(self.turns)
        self.undone = path / "undone"

    @classmethod
    def find(cls, start: Path) -> Self:
        """Return the game folder that is ``start`` or the nearest one above it.

        Raises ``NoGameFolderError``.
        """
        start = start.resolve()
        for folder in (start, *start.parents):
            if (folder / SETTINGS_FILE).is_file():
                return cls(folder)
        for unfinished in unfinished_in(start):
            if (unfinished / SETTINGS_FILE).is_file():
                name = unfinished.name[1 : -len(BUILDING)]  # there is a dot before it
                unfinished_game = says(
                    "The game {0} in {1} was not finished: nothing of it counts", name, start
                )
                raise NoGameFolderError(
                    says("{0}. Run the same 'pbem new' or 'pbem import' again.", unfinished_game)
                )
        hint = says(
            "Change to the game's folder, name it with --game FOLDER, or start a game with 'pbem new FOLDER'."
        )
        raise NoGameFolderError(
            says("There is no game in {0} or above it (no {1}). {2}", start, SETTINGS_FILE, hint)
        )

    @cached_property
    def settings(self) -> Settings:
        return read_table(self.path / SETTINGS_FILE, SETTINGS, Settings)

    @cached_property
    def players(self) -> Players:
        return read_table(self.path / PLAYERS_FILE, PLAYERS, Players)

    def planned(self, *, settings: bytes | None = None, players: bytes | None = None) -> "GameFolder":
        """Return the game as if ``game.yaml`` and ``players.yaml`` had these contents; None: as on the disk.

        Raises ``StoreError`` and ``SourceError``.
        """
        folder = GameFolder(self.path)
        if settings is not None:
            folder.settings = table_of(settings, self.path / SETTINGS_FILE, SETTINGS, Settings)
        if players is not None:
            folder.players = table_of(players, self.path / PLAYERS_FILE, PLAYERS, Players)
        return folder

    def turn_path(self, turn: int) -> PlayedPath:
        """Return the path where a turn is read, be it a folder or packed."""
        return PlayedPath(self.played, turn)

    def inbox(self, turn: int, pending: Changes | None = None) -> Inbox:
        return Inbox(self.path / "inbox" / turn_name(turn), pending)

    def turn_numbers(self) -> list[int]:
        return self.played.numbers()

    def newest_turn(self) -> int:
        """Return the number of the newest turn; 0, the start, if none has been played.

        Raises ``BrokenFolderError`` when a turn is missing before it, or there is none at all.
        """
        numbers = self.turn_numbers()
        if not numbers or numbers != list(range(len(numbers))):
            held_turns = says(
                "holds {0}. Restore the missing ones from a backup.",
                ", ".join(map(turn_name, numbers)) or "none",
            )
            due = says("{0} should hold the folders turn-00, turn-01 and so on without a gap", self.turns)
            raise BrokenFolderError(says("{0}, and {1}", due, held_turns))
        return numbers[-1]

    def state(self, turn: int, form: Format) -> JsonObject:
        """Return the state after a turn, brought up to the version of the format ``form`` in this program."""
        return form.decode(*self._content(turn, STATE_FILE))

    def log(self, turn: int) -> tuple[JsonObject, ...]:
        return tuple(LOG.decode_lines(*self._content(turn, LOG_FILE))[1])

    def turn_record(self, turn: int) -> JsonObject:
        """Return a turn's record (``turn.json``), e.g. its missing orders, the GM's decisions, its proof."""
        return TURN.decode(*self._content(turn, TURN_FILE))

    def _content(self, turn: int, name: str) -> tuple[bytes, TurnPath]:
        """Return (content, path) of a file of a turn. Raises ``BrokenFolderError``."""
        path = self.turn_path(turn) / name
        try:
            return path.read_bytes(), path
        except FileNotFoundError:
            raise BrokenFolderError(says("{0} is missing. {1}", path, PUT_BACK)) from None
        except OSError as error:
            raise BrokenFolderError(says("{0} cannot be read: {1}.", path, error)) from None

    def leader(self, turn: int | None = None) -> str:
        """Return the GM's leading article for the coming turn (None) or a played one; empty for none.

        What is beyond ``_LEADER_SIZE`` bytes is left out.
        """
        folder: TurnPath = self.path if turn is None else self.turn_path(turn)
        path = folder / LEADER_FILE
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(_LEADER_SIZE).decode(errors="replace").strip()

    def orders(self, turn: int, realms: Iterable[str]) -> dict[str, bytes]:
        """Return the accepted order files of a turn by realm; realms without one are left out."""
        folder = self.turn_path(turn) / "orders"
        files = {realm: folder / f"{realm}.yaml" for realm in sorted(realms)}
        return {realm: path.read_bytes() for realm, path in files.items() if path.is_file()}

    def report(self, turn: int, name: str) -> bytes:
        """Return the content of a played turn's report, ``name`` in its folder; empty if it is missing."""
        path = self.turn_path(turn) / name
        return path.read_bytes() if path.is_file() else b""

    def turn_files(self, turn: int) -> dict[str, bytes]:
        """Return the contents of all files of a turn by name."""
        folder = self.turn_path(turn)
        files = (path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}

    def reports_at(self, turn: int, files: Mapping[str, bytes]) -> Changes:
        """Return reports of a played turn by path; ``files``: by name in the turn's folder.

        A packed turn is unpacked, because they are to be written into its folder. The caller holds the lock.
        """
        folder = self.played.unpack(turn)
        return {folder / name: data for name, data in files.items()}

    def write_turn(self, turn: int, files: Mapping[str, bytes], check: Callable[[Path], None]) -> Path:
        """Write a played turn, all or nothing, and return its folder. The caller holds the lock.

        ``files``: contents by name; ``check`` examines the unfinished folder before it counts.
        """
        clear_unfinished(self.turns)
        folder = self.played.folder(turn)
        build_folder(folder, files, check)
        return folder

    def undone_name(self, turn: int) -> str:
        """Return the first free name in ``undone`` for a turn: ``turn-03-1``, ``turn-03-2`` and so on."""
        names = (f"{turn_name(turn)}-{number}" for number in count(1))
        return next(name for name in names if not (self.undone / name).exists())

    def undo_turn(self, turn: int, kept: str) -> Path:
        """Move a turn out of the game into ``undone``, under the name ``kept``, and return its new path.

        Done again after a killed run, it changes nothing. The caller holds the lock.
        """
        target = self.undone / kept
        if not target.exists():
            make_folder(self.undone)
            move(self.played.unpack(turn), target)
            flush_folder(self.undone)
            flush_folder(self.turns)
        return target


def log_bytes(game: str, turn: int, lines: Sequence[str] = (), form: Format = LOG) -> list[bytes]:
    """Return a turn's log as a file, in pieces, because that of a large turn has many megabytes.

    ``game``: its id; ``lines``: the records as JSON, without line ends.
    """
    head = compact(form.stamped({"game": game, "turn": turn}))
    all_lines = (head, *lines)
    return [
        "\n".join((*all_lines[start : start + _LINES_OF_A_PIECE], "")).encode()
        for start in range(0, len(all_lines), _LINES_OF_A_PIECE)
    ]


class Roll(Value):
    """The rolls under one label, for everybody to check (W12).

    Seed and label give the draws again, see :mod:`gm.core.dice`. ``asked``: the questions in order, a chance
    as a fraction (``3/20``) or the number of choices, and how many in a row; ``outcomes``: 0 or 1 for a
    chance, counted from 0 for a choice.
    """

    label: str
    asked: tuple[tuple[str, Positive], ...]
    outcomes: tuple[int, ...]

    def problem(self, seed: str) -> str:
        """Return a sentence why this roll does not follow from the turn's seed; empty if it does."""
        draws = sum(times for _, times in self.asked)
        if draws != len(self.outcomes):
            return says(
                "{0}: {1} draws were asked for, and there are {2} outcomes",
                self.label,
                draws,
                len(self.outcomes),
            )
        try:
            expected = rolled_again(seed, self.label, self.asked)
        except (ValueError, ZeroDivisionError):  # no number, or a chance such as 1/0
            return says("{0}: it does not say what was asked of the dice", self.label)
        if expected == self.outcomes:
            return ""
        wrong = next(index for index, outcome in enumerate(expected) if outcome != self.outcomes[index])
        return says(
            "{0}: draw {1} gives {2}, not {3}", self.label, wrong + 1, expected[wrong], self.outcomes[wrong]
        )


def roll_record(event: DiceRolled) -> dict[str, Any]:
    """Return a roll as plain data, with the fields of :class:`Roll`."""
    return {
        "label": event.label,
        "asked": [list(question) for question in event.asked],
        "outcomes": list(event.outcomes),
    }


def own_rolls(events: Iterable[Event], realm: str) -> list[dict[str, Any]]:
    """Return the rolls that only ``realm`` may see, for its results (W8); the public ones if it is empty.

    They are plain data (:class:`Roll`). Rolls of old logs lack ``asked`` and are left out.
    """
    rolled = (event for event in events if isinstance(event, DiceRolled) and event.asked)
    return [roll_record(event) for event in rolled if event.private == realm]


def rolls_bytes(game: str, turn: int, events: Iterable[Event]) -> bytes:
    """Return the content of the file of a turn's public rolls; ``game``: its id."""
    return b"".join(log_bytes(game, turn, list(map(compact, own_rolls(events, ""))), ROLLS))


def read_roll(record: Mapping[str, Any], file: str) -> Roll:
    """Return a roll from its plain data. Raises ``BrokenFolderError`` with the name of the ``file``."""
    try:
        return from_plain(record, Roll)
    except ValueError as error:
        raise BrokenFolderError(says("{0} is not a list of rolls: {1}.", file, error)) from None


def read_rolls(data: bytes, file: str) -> tuple[dict[str, Any], tuple[Roll, ...]]:
    """Return (head, rolls) from the content of a file of rolls, called ``file`` in messages.

    Raises ``BrokenFolderError`` and ``NewerFormatError``.
    """
    head, records = ROLLS.decode_lines(data, file)
    return head, tuple(read_roll(record, file) for record in records)
