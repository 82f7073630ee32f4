"""What the fuzzers found, one test each: it must not come back."""

import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from gm.core.diagnostics import SourceError
from gm.core.yaml.source import read_yaml
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import Status
from gm.store import BrokenFolderError
from gm.store.archive import LIST
from gm.store.formats import read_lines, read_snapshot
from gm.store.journal import Journal
from gm.store.unpacking import BrokenArchiveError, unpacked
from tests.fuzz.targets import corpus
from tests.medieval.testland import atlas, commander, make_world, rules, unit

NESTED = "[" * 100_000


@pytest.mark.clause("V2")
def test_a_realm_whose_status_was_lowered_can_still_be_corrected() -> None:
    """Games 53 and others: 'pbem seat TEU --status commoner' made an accepted correction, and so the game,
    unusable.
    """
    limit = rules().statuses[Status.COMMONER].commanders
    generals = [commander(f"General {number}") for number in range(limit + 1)]
    world = make_world(
        unit("TEU/A1", "Riga", {"Men-at-Arms": 4}, commanders=generals),
        unit("ENG/F1", "Channel", {"Trading Cog": 2}),
    )
    assert SPEC.broken(_table(), world), "the realm is to be above its limits"
    after, _ = SPEC.amend(_table(), world, ("gold", "TEU", "+1"), "a slip")
    assert after.realms["TEU"].treasury == world.realms["TEU"].treasury + 1
    with pytest.raises(ValueError, match=r"cannot be: ENG/F1 has"):
        SPEC.amend(_table(), world, ("troops", "ENG/F1", "Longbowmen", "+3"), "a slip")


def _table() -> object:
    from gm.game.values import GameData

    return GameData(rules(), atlas())


@pytest.mark.clause("O7")
@pytest.mark.parametrize("text", ["a: {b: 1, ", "a:\n  - [1,\n    2", "a: {", "["])
def test_a_file_that_ends_in_the_middle_of_a_line_is_complained_of_there(text: str) -> None:
    """It was said to be wrong in a line behind its last one, which nobody could look at."""
    with pytest.raises(SourceError) as raised:
        read_yaml(text.encode(), "x.yaml")
    diagnostic = raised.value.diagnostics[0]
    lines = text.split("\n")
    assert diagnostic.line <= len(lines)
    assert diagnostic.excerpt == lines[diagnostic.line - 1]


def test_results_that_are_no_yaml_are_no_results() -> None:
    """The whole folder could not be verified for one results file that somebody had damaged."""
    for data in (b"a: [1\n", b"a: b: c\n", b"\xff\xfe"):
        with pytest.raises(ValueError, match=r"results\.yaml"):
            SPEC.results_data(data, "results.yaml")
        with pytest.raises(SourceError):
            SPEC.results_data(data, "results.yaml")


@pytest.mark.parametrize(
    "text", [f"a: {NESTED}\n", f"results: 1\nposition: {'{' + chr(34) + 'a' + chr(34) + ':'}" * 9]
)
def test_results_nested_without_end_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"results\.yaml"):
        SPEC.results_state(text.encode(), "results.yaml")


@pytest.mark.parametrize("part", ["position", "private", "realms", "provinces", "units", "treasury"])
@pytest.mark.parametrize("value", ["[1]", "abc", "null"])
def test_results_a_part_of_which_has_another_form_are_refused(part: str, value: str) -> None:
    """A treasury of letters, or units in a list, ended a player's `pbem check` in the middle."""
    data = next(data for data in corpus("results") if b"\n  treasury: " in data).decode()
    changed, times = re.subn(
        rf"^( *){part}:.*$", rf"\1{part}: {value}\n\1was_{part}:", data, count=1, flags=re.M
    )
    assert times
    with pytest.raises(ValueError, match=r"results\.yaml"):
        SPEC.results_state(changed.encode(), "results.yaml")


def test_a_file_of_the_folder_nested_without_end_is_damaged(tmp_path: Path) -> None:
    with pytest.raises(BrokenFolderError, match="damaged"):
        read_snapshot(NESTED, "state.json")
    with pytest.raises(BrokenFolderError, match="line 1"):
        list(read_lines(NESTED, "log.jsonl"))
    (tmp_path / "journal.jsonl").write_text(f"{NESTED}\n", encoding="utf-8")
    with pytest.raises(BrokenFolderError, match="not a line of a journal"):
        Journal(tmp_path / "journal.jsonl").entries  # noqa: B018 - reading is what is tried


@pytest.mark.parametrize("record", [5, [1], "WarDeclared", None])
def test_a_line_of_a_log_that_is_no_object_is_no_event(record: object) -> None:
    with pytest.raises(ValueError, match="knows no event"):
        SPEC.event(record)  # type: ignore[arg-type]


@pytest.mark.parametrize("files", [5, [1], None, "game.yaml"])
def test_an_archive_whose_list_is_no_list_is_damaged(files: object) -> None:
    with pytest.raises(BrokenArchiveError):
        _open(_archive(json.dumps({"schema": 1, "keys": True, "turn": 0, "files": files})))


def test_an_archive_with_a_damaged_entry_is_damaged() -> None:
    """The packed bytes themselves can be wrong, which zlib says in its own way."""
    data = bytearray(_archive(json.dumps({"schema": 1, "keys": True, "turn": 0, "files": {}}) * 50))
    start = data.index(LIST.encode()) + len(LIST)
    for at in range(start, start + 40):
        harmed = bytearray(data)
        harmed[at] ^= 0xFF
        with pytest.raises(BrokenArchiveError):
            _open(bytes(harmed))


def test_an_archive_packed_in_another_way_is_refused() -> None:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_LZMA) as made:
        made.writestr(LIST, "{}")
    with pytest.raises(BrokenArchiveError, match="not packed by pbem"):
        _open(whole.getvalue())


def test_an_archive_with_a_file_without_a_name_is_damaged() -> None:
    data = _archive("{}")
    at = data.rindex(LIST.encode())
    # the name in the directory at the end: no letters, and all else as it was
    directory = data[: at - 18] + b"\0\0" + data[at - 16 : at] + data[at + len(LIST) :]
    size = int.from_bytes(directory[-10:-6], "little") - len(LIST)
    harmed = directory[:-10] + size.to_bytes(4, "little") + directory[-6:]
    assert zipfile.ZipFile(io.BytesIO(harmed)).namelist() == [""]
    with pytest.raises(BrokenArchiveError):
        _open(harmed)


def _open(data: bytes) -> None:
    """Open an archive, for which all that is in it is read."""
    with unpacked(io.BytesIO(data)):
        pass


def _archive(listed: str) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(LIST, listed)
    return whole.getvalue()
