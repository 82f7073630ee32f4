"""The turns of a game, folders and packed ones: nothing is lost and nothing is missing, whenever it is
looked for.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gm.store import BrokenFolderError, disk
from gm.store import packed as packed_module
from gm.store.disk import build_folder
from gm.store.packed import PAGES, PackedTurn, packed_bytes
from gm.store.places import SIZE_LIMIT, UnpackableError
from gm.store.turns import LARGE, MOST_AT_ONCE, PlayedPath, Turns
from tests.packing import FILES, QUESTIONS


def turns_in(folder: Path, count: int) -> Turns:
    turns = Turns(folder / "turns")
    for turn in range(count):
        build_folder(turns.folder(turn), FILES)
    return turns


def test_turns_older_than_those_that_are_kept_are_packed(tmp_path: Path) -> None:
    turns = turns_in(tmp_path, 5)
    turns.pack_old(5, 3)
    assert sorted(path.name for path in turns.path.iterdir()) == [
        "turn-00.zip",
        "turn-01.zip",
        "turn-02.zip",
        "turn-03",
        "turn-04",
    ]
    assert turns.numbers() == [0, 1, 2, 3, 4]
    assert turns.folders() == [3, 4]
    assert (PlayedPath(turns, 1) / "turn.json").read_bytes() == FILES["turn.json"]


@pytest.mark.parametrize(("size", "folders"), [(LARGE // 2, [1, 2, 3, 4, 5]), (LARGE, [3, 4, 5])])
def test_without_a_setting_five_turns_stay_folders_and_three_large_ones(
    size: int, folders: list[int], tmp_path: Path
) -> None:
    turns = turns_in(tmp_path, 6)
    for turn in range(6):
        (turns.folder(turn) / "results/A.html").write_bytes(bytes(size))
    turns.pack_old(5)
    assert turns.folders() == folders


def test_a_turn_packs_no_more_than_it_writes(tmp_path: Path) -> None:
    """A turn without pages leaves those that have pages as they are; one with pages packs one of them."""
    turns = turns_in(tmp_path, 12)
    paged = {0, 1, 2, 3, 4, 5, 9, 10}
    kept = {}
    for turn in range(12):
        if turn in paged:
            (turns.folder(turn) / "results/A.html").write_bytes(bytes(LARGE))
        else:
            for page in turns.folder(turn).glob("results/*.html"):
                page.unlink()
    waiting = {turn: turns.folder(turn).rename(tmp_path / f"later-{turn}") for turn in range(4, 12)}
    for turn in range(4, 12):
        waiting[turn].rename(turns.folder(turn))
        turns.pack_old(turn)
        kept[turn] = turns.folders()
    assert kept == {
        4: [2, 3, 4],
        5: [3, 4, 5],
        6: [3, 4, 5, 6],
        7: [3, 4, 5, 6, 7],
        8: [3, 4, 5, 6, 7, 8],
        9: [4, 5, 6, 7, 8, 9],
        10: [5, 6, 7, 8, 9, 10],
        11: [5, 7, 8, 9, 10, 11],
    }
    turns.unpack(0)
    turns.pack_old(11)
    assert turns.folders() == [0, *kept[11]], "a page that was made anew waits, too"


def test_an_old_game_is_packed_a_few_turns_at_a_time_and_none_where_all_are_kept(tmp_path: Path) -> None:
    turns = turns_in(tmp_path, MOST_AT_ONCE + 3)
    turns.pack_old(MOST_AT_ONCE + 3, 0)
    assert len(turns.folders()) == MOST_AT_ONCE + 3
    for left in (3, 1, 1):
        turns.pack_old(MOST_AT_ONCE + 3, 2)
        assert len(turns.folders()) == left


def test_a_turn_with_a_link_in_it_stays_a_folder(tmp_path: Path) -> None:
    turns = turns_in(tmp_path, 2)
    (turns.folder(0) / "link").symlink_to("/etc/passwd")
    turns.pack_old(2, 1)
    assert turns.folders() == [0]


def test_a_packed_turn_becomes_a_folder_again(tmp_path: Path) -> None:
    turns = turns_in(tmp_path, 1)
    turns.pack(0)
    for _ in range(2):
        assert turns.unpack(0) == turns.folder(0)
        assert str(PlayedPath(turns, 0)) == str(turns.folder(0))
        assert turns.contents(0) == FILES
        assert not turns.file(0).exists()


def test_where_both_are_there_and_the_same_the_folder_goes(tmp_path: Path) -> None:
    turns = turns_in(tmp_path, 1)
    turns.file(0).write_bytes(packed_bytes(FILES))
    assert turns.numbers() == [0]
    assert turns.folders() == []
    assert turns.settle() == []
    assert [path.name for path in turns.path.iterdir()] == ["turn-00.zip"]


def test_where_both_are_there_and_the_same_the_file_goes_for_who_wants_the_folder(tmp_path: Path) -> None:
    turns = turns_in(tmp_path, 1)
    turns.file(0).write_bytes(packed_bytes(FILES))
    assert turns.unpack(0) == turns.folder(0)
    assert [path.name for path in turns.path.iterdir()] == ["turn-00"]


@pytest.mark.parametrize("other", ["state.json", "notes.txt", PAGES])
def test_a_folder_that_somebody_put_beside_a_packed_turn_stays_and_does_not_count(
    other: str, tmp_path: Path
) -> None:
    """Programs for zip archives extract into a folder of the archive's name, right here."""
    turns = turns_in(tmp_path, 1)
    turns.file(0).write_bytes(packed_bytes(FILES))
    (turns.folder(0) / other).write_bytes(b"another")
    for _ in range(2):
        (notice,) = turns.settle()
        assert "turn-00 lies beside turn-00.zip" in notice
    assert (PlayedPath(turns, 0) / "state.json").read_bytes() == FILES["state.json"]
    with pytest.raises(BrokenFolderError, match="lies beside"):
        turns.unpack(0)
    assert (turns.folder(0) / other).read_bytes() == b"another"
    assert PackedTurn(turns.file(0)).files() == FILES


def test_a_damaged_file_takes_no_folder_away(tmp_path: Path) -> None:
    turns = turns_in(tmp_path, 1)
    turns.file(0).write_bytes(b"PK")
    assert turns.settle()
    assert turns.contents(0) == FILES


def test_a_file_that_was_changed_is_read_again(tmp_path: Path) -> None:
    turns = turns_in(tmp_path, 1)
    turns.pack(0)
    assert (PlayedPath(turns, 0) / "turn.json").is_file()
    turns.file(0).write_bytes(packed_bytes({"state.json": b"another"}))
    assert not (PlayedPath(turns, 0) / "turn.json").is_file()


def leaves_the_folder(turns: Turns) -> None:
    """Try to pack a turn, which must not happen."""
    with pytest.raises(UnpackableError):
        turns.pack(0)
    turns.pack_old(2, 1)
    assert [path.name for path in turns.path.iterdir()] == ["turn-00"]


def test_a_file_that_does_not_read_back_leaves_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = turns_in(tmp_path, 1)
    original = disk._write
    monkeypatch.setattr(disk, "_write", lambda path, pieces, mode: original(path, [pieces[0][:-1]], mode))
    leaves_the_folder(turns)


def test_a_folder_that_somebody_changes_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = turns_in(tmp_path, 1)
    note = turns.folder(0) / "note.txt"
    original = packed_module.packed_bytes

    def pack_while_he_writes(files: Mapping[str, bytes]) -> bytes:
        note.write_bytes(note.read_bytes() + b"!" if note.exists() else b"!")
        return original(files)

    monkeypatch.setattr(packed_module, "packed_bytes", pack_while_he_writes)
    leaves_the_folder(turns)
    assert note.read_bytes() == b"!!"


def test_a_folder_with_more_than_any_turn_has_is_not_even_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = turns_in(tmp_path, 1)
    with (turns.folder(0) / "film.mp4").open("wb") as film:
        film.truncate(SIZE_LIMIT)
    monkeypatch.setattr(Path, "read_bytes", pytest.fail)
    leaves_the_folder(turns)


def test_a_turn_that_cannot_be_packed_keeps_no_other_from_it(tmp_path: Path) -> None:
    turns = turns_in(tmp_path, MOST_AT_ONCE + 2)
    for turn in range(MOST_AT_ONCE):
        (turns.folder(turn) / "link").symlink_to("/etc/passwd")
    turns.pack_old(MOST_AT_ONCE + 2, 1)
    assert turns.folders() == [*range(MOST_AT_ONCE)]


# -- reading while another command packs ---------------------------------------------------------------------


def meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Let another command do something once a reader has asked whether a turn is packed."""
    original = Turns.is_packed
    left = [act]

    def is_packed(turns: Turns, turn: int) -> bool:
        answer = original(turns, turn)
        while left:
            left.pop()()
        return answer

    monkeypatch.setattr(Turns, "is_packed", is_packed)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("act", ["pack", "unpack"])
def test_a_reader_sees_a_turn_that_is_packed_or_unpacked_at_this_moment(
    act: str, question: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = turns_in(tmp_path, 1)
    answer = QUESTIONS[question](PlayedPath(turns, 0))
    if act == "unpack":
        turns.pack(0)
    meanwhile(monkeypatch, lambda: getattr(Turns(turns.path), act)(0))
    assert QUESTIONS[question](PlayedPath(turns, 0)) == answer


@pytest.mark.parametrize("act", ["pack", "unpack"])
def test_no_turn_is_missing_while_it_is_packed(
    act: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = turns_in(tmp_path, 2)
    if act == "unpack":
        turns.pack(0)
    original = Path.iterdir
    entries = [*original(turns.path)]
    monkeypatch.setattr(Path, "iterdir", lambda path: iter(entries) if path == turns.path else original(path))
    getattr(Turns(turns.path), act)(0)
    assert turns.numbers() == [0, 1]


def test_a_file_that_is_not_there_is_missing_all_the_same(tmp_path: Path) -> None:
    turns = turns_in(tmp_path, 2)
    turns.pack(0)
    for turn in (0, 1):
        with pytest.raises(FileNotFoundError):
            (PlayedPath(turns, turn) / "none").read_bytes()
