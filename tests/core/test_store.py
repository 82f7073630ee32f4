"""The game folder's building blocks: versions, canonical text, all-or-nothing writing, files in pieces,
the inbox.
"""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.codec import from_plain, json_line
from gm.core.orders.keys import short_key
from gm.store import BrokenFolderError, FolderBusyError, NewerFormatError, NoGameFolderError
from gm.store.disk import Files, build_folder, clear_unfinished, locked, merge_chunks, write_file
from gm.store.folder import GameFolder, log_bytes
from gm.store.formats import Format, read_snapshot, snapshot_text
from gm.store.inbox import Inbox, Receipt, fingerprint
from gm.store.settings import Players
from tests.faults.layer import killed_at

STATE = Format(
    "state of a test game", 3, {1: lambda old: {"men": old["soldiers"]}, 2: lambda old: {**old, "ships": 0}}
)
NOON = datetime(2026, 1, 9, 12, 0, tzinfo=UTC)


def test_an_older_version_is_brought_up_to_date_step_by_step() -> None:
    assert STATE.current({"schema": 1, "soldiers": 7}, "state.json") == {"men": 7, "ships": 0}
    assert STATE.current({"schema": 2, "men": 7}, "state.json") == {"men": 7, "ships": 0}
    assert STATE.current({"schema": 3, "men": 7, "ships": 2}, "state.json") == {"men": 7, "ships": 2}


def test_a_newer_version_is_refused_in_clear_words() -> None:
    with pytest.raises(
        NewerFormatError, match=r"state\.json was made by a newer pbem: .* version 4, .* up to 3"
    ):
        STATE.current({"schema": 4}, "state.json")


@pytest.mark.parametrize(
    "data", [{}, {"schema": "1"}, {"schema": 0}, {"schema": True}, {"schema": None}, [], "x", None]
)
def test_a_file_without_a_version_is_no_file_of_ours(data: Any) -> None:
    with pytest.raises(BrokenFolderError):
        STATE.current(data, "state.json")


def test_a_version_without_an_upgrade_is_refused() -> None:
    with pytest.raises(BrokenFolderError, match="cannot bring up to date"):
        Format("thing", 2).current({"schema": 1}, "thing.json")


def test_a_snapshot_has_one_item_a_line_and_reads_back() -> None:
    data = {
        "schema": 1,
        "realms": {"ENG": {"gold": "1.50"}, "FRA": {"name": "Île"}},
        "wars": [["a", "b"]],
        "none": {},
    }
    text = snapshot_text(data)
    assert text == (
        '{\n"schema": 1,\n"realms": {\n  "ENG": {"gold": "1.50"},\n  "FRA": {"name": "Île"}\n},\n'
        '"wars": [\n  ["a", "b"]\n],\n"none": {}\n}\n'
    )
    assert read_snapshot(text, "state.json") == data == json.loads(text)


def test_a_damaged_snapshot_is_named() -> None:
    with pytest.raises(BrokenFolderError, match=r"state\.json is damaged"):
        read_snapshot('{"a": ', "state.json")


FILES = {
    "state.json": b"new state",
    "results/ENG.yaml": b"new",
    "results/battles/01.html": b"battle",
    "log.jsonl": b"",
}


def _killed_everywhere(top: Path, write: Callable[[int], None]) -> Iterator[int]:
    """Run it, killed before its first, second, ... operation on the disk, until a run comes to its end."""
    for strike in range(60):
        with killed_at(top, strike) as layer:
            write(strike)
        yield strike
        if len(layer.counted) < strike:
            return
    pytest.fail("the writing has more operations than were tried")


def _content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_folder_is_there_whole_or_not_at_all_wherever_it_is_killed(tmp_path: Path) -> None:
    targets = [tmp_path / f"run-{strike}" / "turn-01" for strike in range(60)]
    for target in targets:
        target.parent.mkdir()
    whole = 0
    for strike in _killed_everywhere(tmp_path, lambda strike: build_folder(targets[strike], FILES)):
        target = targets[strike]
        whole += target.exists()
        # the next run clears away what was left, and succeeds
        clear_unfinished(target.parent)
        assert {path.name for path in target.parent.iterdir()} <= {"turn-01"}
        if not target.exists():
            build_folder(target, FILES)
        assert _content(target) == FILES
    assert whole >= 2, "killed after the rename, and not killed at all"


def test_a_file_is_old_or_new_wherever_its_writing_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "ENG.yaml"
    seen = set()
    path.write_bytes(b"old")
    for _ in _killed_everywhere(tmp_path, lambda _: write_file(path, b"new")):
        seen.add(path.read_bytes())
        path.write_bytes(b"old")
    assert seen == {b"old", b"new"}


def test_a_failed_check_leaves_nothing(tmp_path: Path) -> None:
    def refuse(folder: Path) -> None:
        assert _content(folder) == FILES
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        build_folder(tmp_path / "turn-01", FILES, refuse)
    assert not (tmp_path / "turn-01").exists()
    build_folder(tmp_path / "turn-01", FILES)


def test_a_folder_is_never_overwritten(tmp_path: Path) -> None:
    build_folder(tmp_path / "turn-01", {"a": b"1"})
    with pytest.raises(FileExistsError):
        build_folder(tmp_path / "turn-01", {"a": b"2"})
    assert _content(tmp_path / "turn-01") == {"a": b"1"}


def test_many_files_are_all_flushed_and_one_that_cannot_be_leaves_nothing(tmp_path: Path) -> None:
    many = {f"results/{number:03}.yaml": b"x" * number for number in range(200)}
    flushed: list[int] = []
    real = os.fsync
    failing = False

    def fsync(handle: int) -> None:
        size = os.fstat(handle).st_size
        if failing and size == 77:
            raise OSError(errno.EIO, "no disk")
        flushed.append(os.fstat(handle).st_ino)
        real(handle)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        build_folder(tmp_path / "turn-01", many)
        assert {path.stat().st_ino for path in (tmp_path / "turn-01/results").iterdir()} <= set(flushed)
        failing = True
        with pytest.raises(OSError, match="no disk"):
            build_folder(tmp_path / "turn-02", many)
    assert _content(tmp_path / "turn-01") == many
    assert [path.name for path in tmp_path.iterdir()] == ["turn-01"]


@pytest.mark.parametrize("name", ["../a", "/etc/a", "a/../../b", ""])
def test_no_name_leads_out_of_a_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="not a name inside"):
        build_folder(tmp_path / "turn-01", {name: b"x"})
    assert not (tmp_path / "turn-01").exists()


def test_two_runs_cannot_hold_the_lock_and_a_dead_one_does_not(tmp_path: Path) -> None:
    script = "import sys, time; from pathlib import Path; from gm.store.disk import locked\n"
    script += "with locked(Path(sys.argv[1])):\n    print('held', flush=True); time.sleep(60)\n"
    other = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(FolderBusyError, match="Another pbem is working"), locked(tmp_path):
            pass
    finally:
        other.kill()
        other.communicate()
    with locked(tmp_path):
        pass


def _game(tmp_path: Path, turns: int = 1) -> GameFolder:
    (tmp_path / "game.yaml").write_text("schema: 1\n", encoding="utf-8")
    for turn in range(turns):
        folder = tmp_path / "turns" / f"turn-{turn:02}"
        folder.mkdir(parents=True)
        (folder / "state.json").write_bytes(STATE.encode({"men": turn, "ships": 0}))
        lines = [json_line({"event": "Thing", "count": turn})]
        (folder / "log.jsonl").write_bytes(b"".join(log_bytes("test", turn, lines)))
    return GameFolder(tmp_path)


def test_the_game_is_found_from_below(tmp_path: Path) -> None:
    _game(tmp_path)
    below = tmp_path / "turns" / "turn-00"
    assert GameFolder.find(below).path == tmp_path.resolve()
    with pytest.raises(NoGameFolderError, match="There is no game in"):
        GameFolder.find(tmp_path.parent)


def test_the_newest_turn_is_the_last_whole_one(tmp_path: Path) -> None:
    game = _game(tmp_path, 3)
    (tmp_path / "turns" / ".turn-03.building").mkdir()
    (tmp_path / "turns" / "turn-3x").mkdir()
    assert game.newest_turn() == 2
    assert game.state(2, STATE) == {"men": 2, "ships": 0}
    assert game.log(2) == ({"event": "Thing", "count": 2},)


def test_a_gap_in_the_turns_is_told(tmp_path: Path) -> None:
    game = _game(tmp_path, 3)
    (tmp_path / "turns" / "turn-01").rename(tmp_path / "elsewhere")
    with pytest.raises(BrokenFolderError, match="without a gap, and holds turn-00, turn-02"):
        game.newest_turn()


def test_an_undone_turn_is_kept_each_time(tmp_path: Path) -> None:
    game = _game(tmp_path, 2)
    for name in ("turn-01-1", "turn-01-2"):
        assert game.undone_name(1) == name
        for _ in range(2):  # done before, it stays done
            assert game.undo_turn(1, name) == tmp_path / "undone" / name
        assert game.newest_turn() == 0
        game.write_turn(1, {"state.json": b"again"}, lambda _: None)


def test_a_missing_or_damaged_file_is_named(tmp_path: Path) -> None:
    game = _game(tmp_path)
    (tmp_path / "turns" / "turn-00" / "log.jsonl").write_text("{}\nxx\n", encoding="utf-8")
    with pytest.raises(BrokenFolderError, match=r"log\.jsonl is damaged in line 2"):
        game.log(0)
    (tmp_path / "turns" / "turn-00" / "state.json").unlink()
    with pytest.raises(BrokenFolderError, match=r"state\.json is missing"):
        game.state(0, STATE)


def _receipt(data: bytes, realm: str = "ENG", **more: Any) -> Receipt:
    return Receipt(
        realm=realm, came_as="mail.yaml", fingerprint=fingerprint(data), received=NOON, stored="", **more
    )


def test_a_later_file_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    inbox = Inbox(tmp_path / "turn-01")
    inbox.take(b"one", _receipt(b"one"))
    inbox.take(b"two", _receipt(b"two", late=True))
    standing = inbox.current(["ENG", "FRA"])
    assert standing == {"ENG": b"two"}
    assert inbox.receipts_of(standing)["ENG"].late
    assert [receipt.fingerprint for receipt in inbox.receipts()] == [fingerprint(b"one"), fingerprint(b"two")]


def test_a_file_put_there_by_hand_stands_and_is_not_called_late(tmp_path: Path) -> None:
    inbox = Inbox(tmp_path / "turn-01")
    inbox.take(b"one", _receipt(b"one", late=True))
    (tmp_path / "turn-01" / "ENG.yaml").write_bytes(b"by hand")
    standing = inbox.current(["ENG"])
    assert standing == {"ENG": b"by hand"}
    assert inbox.receipts_of(standing) == {}


def test_rejected_files_are_numbered_and_keep_their_reasons(tmp_path: Path) -> None:
    inbox = Inbox(tmp_path / "turn-01")
    first = inbox.reject(b"bad", _receipt(b"bad", ""), "because")
    second = inbox.reject(b"worse", _receipt(b"worse", ""), "because of that")
    assert (first.stored, second.stored) == ("rejected/unknown-1.yaml", "rejected/unknown-2.yaml")
    assert (tmp_path / "turn-01" / "rejected" / "unknown-2.txt").read_text(
        encoding="utf-8"
    ) == "because of that"
    assert [data for _, data in inbox.rejected()] == [b"bad", b"worse"]


def test_a_link_in_the_inbox_is_no_order_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"secret")
    (tmp_path / "turn-01").mkdir()
    (tmp_path / "turn-01" / "ENG.yaml").symlink_to(secret)
    assert Inbox(tmp_path / "turn-01").current(["ENG"]) == {}


def seats(*players: dict[str, str]) -> Players:
    return from_plain({"players": players}, Players)


def test_players_are_distinct() -> None:
    with pytest.raises(ValueError, match="ENG appears twice"):
        seats({"realm": "ENG", "key": "a"}, {"realm": "ENG", "key": "b"})
    with pytest.raises(ValueError, match="the same key"):
        seats({"realm": "ENG", "key": "a"}, {"realm": "FRA", "key": "a"})


def test_a_seat_has_a_secret_that_makes_its_keys_or_one_key_for_all_turns() -> None:
    england, france = seats({"realm": "ENG", "secret": "abc"}, {"realm": "FRA", "key": "old-key"}).players
    assert england.key_for(1) != england.key_for(2)
    assert england.key_for(1, short=True) == short_key("abc", "ENG", 1)
    assert (france.key_for(1), france.key_for(2)) == ("old-key", "old-key")
    with pytest.raises(ValueError, match="needs a 'secret'"):
        seats({"realm": "ENG"})


def test_a_file_is_made_when_it_is_asked_for_and_not_kept() -> None:
    made: list[str] = []

    def page(name: str) -> bytes:
        made.append(name)
        return f"page {name}".encode()

    files = Files({"a": partial(page, "a"), "b": partial(page, "b"), "c": b"as it is"})
    more = files | {"d": b"another"} | Files({"e": partial(bytes, 2)})
    assert list(more) == ["a", "b", "c", "d", "e"]
    assert len(more) == 5
    assert "b" in more
    assert "x" not in more
    assert made == []
    assert more["b"] == b"page b"
    assert more["c"] == b"as it is"
    assert made == ["b"]
    assert dict(more)["a"] == b"page a"
    assert made == ["b", "a", "b"]


def test_a_later_file_takes_the_place_of_an_earlier_one_of_its_name() -> None:
    assert dict(Files({"a": "1", "b": "2"}) | {"a": "3"}) == {"a": "3", "b": "2"}


def test_a_file_in_pieces_is_their_content_in_one_and_goes_to_the_disk_piece_by_piece(tmp_path: Path) -> None:
    shared = b"s" * 100_000
    files = Files({"a": [b"head ", shared], "b": lambda: [shared, b" end"], "c": b"as it is", "d": []})
    assert files.pieces("a")[1] is shared
    assert files.pieces("b") == [shared, b" end"]
    assert dict(files) == {"a": b"head " + shared, "b": shared + b" end", "c": b"as it is", "d": b""}
    build_folder(tmp_path / "turn", files)
    assert {file.name: file.read_bytes() for file in (tmp_path / "turn").iterdir()} == dict(files)


@given(st.lists(st.one_of(st.integers(0, 9), st.integers(65_000, 66_000)), max_size=12))
def test_small_pieces_are_put_together_and_large_ones_left_as_they_are(sizes: list[int]) -> None:
    # the sizes are drawn, not the bytes: Hypothesis at times writes an example out, and warns of a large one
    pieces = [bytes([number]) * size for number, size in enumerate(sizes)]
    chunks = merge_chunks(pieces)
    assert b"".join(chunks) == b"".join(pieces)
    large = [piece for piece in pieces if len(piece) >= 1 << 16]
    assert [chunk for chunk in chunks if any(chunk is one for one in large)] == large
    assert len(chunks) <= 2 * len(large) + 1
