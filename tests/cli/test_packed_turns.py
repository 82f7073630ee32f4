"""Commands over a game whose old turns are packed say and do what they do over folders."""

import errno
import secrets
import shlex
import shutil
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import chdir, contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from examples.medieval import demo
from gm.cli import clock
from gm.cli.app import COMMANDS, gm
from gm.games.medieval.spec import MedievalGame
from gm.store import disk
from gm.store.folder import GameFolder
from tests.cli.conftest import Run, content
from tests.examples import sweep
from tests.packing import opened, pack_turns

NOW = datetime(2026, 2, 7, 12, tzinfo=UTC)

SETUP = "mail setup --from gm@example.org --files .. --smtp localhost:25 --security none"
ENDED = ("epilogue", "league")  # commands for games that are over
READING = {  # what is typed in the game's folder, by a name that begins with its command
    "status": "status --json",
    "verify": "verify",
    "verify --replay": "verify --replay",
    "history": "history --out ../history.html",
    "history of one": "history --realm LIT --out ../history.json",
    "publish": "publish ../site",
    "report": "report --turn 2",
    "report of the newest": "report",
    "why": "why LIT gold --turn 2 --json",
    "why --if": "why --turn 2 --if ../LIT-2.yaml",
    "why luck": "why luck --turn 3",
    "check": "check ../LIT-5.yaml",
    "epilogue": "epilogue",
    "league": "league .",
    "seat": "seat",
    "seat with a new player": "seat POL --name Paula",
    "open": "open --json",
    "deadline": "deadline show --json",
    "press": "press",
    "handbook": "handbook",
    "map": "map show --out ../map.svg",
    "odds": "odds 5 Archers vs 5 Archers",
    "doctor": "doctor --json",
    "repair": "repair",
    "trust": "trust",
    "upgrade": "upgrade",
    "player": "player absent POL --until 9",
    "amend": "amend gold LIT +3 --why 'a typing error'",
    "receive": "receive ../LIT-5.yaml",
    "turn": "turn --missing-ok --early --no-html",
    "turn --dry-run": "turn --missing-ok --early --dry-run",
    "undo": "undo --unpublished",
    "undo with new dice": "undo --published --why 'a misread file'",
    "undo of two turns": "undo --unpublished && undo --unpublished && turn --missing-ok --early --no-html",
    "mail": f"{SETUP} && mail send && undo --published --why 'a misread file'",
    "week": f"{SETUP} && week && week",
    "hooks": "hooks show",
    "export --without-keys": "export --without-keys --out ../blank.zip",
    "export --turn": "export --turn 2 --out ../turn-2",
}
NOTHING_PAST = {  # commands that ask nothing of the turns of a game that were played
    *("announce", "completion", "desk", "games", "import", "new", "play", "schema", "service"),
    "simulate",
}

# -- every command -------------------------------------------------------------------------------------------


def test_every_command_is_tried_or_needs_no_old_turn() -> None:
    assert {name.split()[0] for name in READING} | NOTHING_PAST == {*COMMANDS}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example after its last turn, every turn a folder, in ``minsk``. Not to be changed."""
    top = tmp_path_factory.mktemp("plain")
    for arguments in demo.commands(top / "minsk"):
        more = ["--no-html"] if arguments[0] == "turn" else []
        gm.main([*arguments, *more], prog_name="pbem", standalone_mode=False)
        if arguments[0] == "new":
            with (top / "minsk" / "game.yaml").open("a") as settings:
                settings.write("keep_unpacked: 0\n")
    shutil.copy(top / "minsk/turns/turn-02/orders/LIT.yaml", top / "LIT-2.yaml")
    shutil.copy(top / "minsk/turns/turn-04/next/LIT.yaml", top / "LIT-5.yaml")
    return top


@pytest.fixture
def both(plain: Path, tmp_path: Path) -> tuple[Path, Path]:
    """That game twice, the second time with every turn packed."""
    shutil.copytree(plain, tmp_path / "plain")
    shutil.copytree(plain, tmp_path / "packed")
    pack_turns(tmp_path / "packed/minsk")
    return tmp_path / "plain", tmp_path / "packed"


@contextmanager
def same_moment() -> Iterator[None]:
    """Clock and secrets are the same in every run."""
    numbers = count(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "utc_now", lambda: NOW)
        patch.setattr(secrets, "token_hex", lambda size=16: f"{next(numbers):0{2 * size}x}")
        yield


def said(run: Run, top: Path, typed: str) -> tuple[int, str]:
    with chdir(top / "minsk"), same_moment():
        result = run(*shlex.split(typed), code=None)
    return result.exit_code, result.output.replace(str(top), "TOP")


def files_in(top: Path) -> dict[str, bytes]:
    return {name: (data or b"").replace(bytes(top), b"TOP") for name, data in opened(content(top)).items()}


@pytest.mark.parametrize("name", sweep(READING, "status", "verify", "why --if", "amend", "turn", "undo"))
def test_a_command_says_and_does_the_same(
    name: str, both: tuple[Path, Path], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, packed = both
    if name in ENDED:
        monkeypatch.setattr(MedievalGame, "ended", lambda *_: ("LIT",))
    for typed in READING[name].split(" && "):
        answer = said(run, plain, typed)
        assert answer[0] in (0, 1), answer
        assert said(run, packed, typed) == answer
    assert files_in(packed) == files_in(plain)


# -- packing, archives and damage ----------------------------------------------------------------------------


def keep(game: Path, turns: int) -> None:
    settings = game / "game.yaml"
    settings.write_text(
        settings.read_text("utf-8").replace("keep_unpacked: 0", f"keep_unpacked: {turns}"), "utf-8"
    )


def test_a_turn_that_is_played_packs_those_that_grow_old(plain: Path, tmp_path: Path, run: Run) -> None:
    game = tmp_path / "minsk"
    shutil.copytree(plain / "minsk", game)
    keep(game, 3)
    run("turn", "--missing-ok", "--early", "--dry-run", "--game", game)
    assert GameFolder(game).played.folders() == [0, 1, 2, 3, 4]
    run("turn", "--missing-ok", "--early", "--no-html", "--game", game)
    assert GameFolder(game).played.folders() == [3, 4, 5]
    assert GameFolder(game).turn_numbers() == [0, 1, 2, 3, 4, 5]
    run("verify", "--replay", "--game", game)
    run("undo", "--unpublished", "--game", game)
    assert GameFolder(game).played.folders() == [3, 4]


@pytest.mark.parametrize("words", ["-3", "all", "[]", "1.5"])
def test_how_many_stay_folders_is_a_number(words: str, plain: Path, tmp_path: Path, run: Run) -> None:
    game = tmp_path / "minsk"
    shutil.copytree(plain / "minsk", game)
    settings = game / "game.yaml"
    settings.write_text(
        settings.read_text("utf-8").replace("keep_unpacked: 0", f"keep_unpacked: {words}"), "utf-8"
    )
    assert "keep_unpacked" in run("status", "--game", game, code=2).output


@pytest.mark.slow
def test_an_archive_of_packed_turns_is_smaller_and_plays_on(
    both: tuple[Path, Path], tmp_path: Path, run: Run
) -> None:
    sizes = []
    for top in both:
        run("export", "--out", top / "all.zip", "--game", top / "minsk")
        sizes.append((top / "all.zip").stat().st_size)
    assert sizes[1] < 0.9 * sizes[0]
    copy = tmp_path / "copy"
    run("import", both[1] / "all.zip", copy)
    assert GameFolder(copy).played.folders() == []
    run("verify", "--replay", "--game", copy)
    run("turn", "--missing-ok", "--early", "--no-html", "--game", copy)
    run("verify", "--game", copy)


@pytest.mark.slow
def test_an_archive_without_keys_holds_no_packed_turn(
    both: tuple[Path, Path], tmp_path: Path, run: Run
) -> None:
    archives = []
    for top in both:
        run("export", "--without-keys", "--out", top / "blank.zip", "--game", top / "minsk")
        archives.append((top / "blank.zip").read_bytes())
    assert archives[0] == archives[1]
    run("import", both[1] / "blank.zip", tmp_path / "copy")
    run("verify", "--game", tmp_path / "copy")


def test_damage_of_a_packed_turn_is_found_and_named(both: tuple[Path, Path], run: Run) -> None:
    game = both[1] / "minsk"
    file = game / "turns/turn-02.zip"
    data = bytearray(file.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 8] = bytes(8)
    file.write_bytes(data)
    answer = run("verify", "--game", game, code=1).output
    assert "turn-02.zip is damaged" in " ".join(answer.split())
    assert "turn 3: state.json is a position that may be" in answer


def test_a_packed_turn_that_was_forged_is_found(both: tuple[Path, Path], run: Run) -> None:
    """Somebody unpacks a turn, gives a realm other orders, and packs it again."""
    game = both[1] / "minsk"
    turns = GameFolder(game).played
    orders = turns.unpack(2) / "orders/LIT.yaml"
    orders.write_bytes(orders.read_bytes() + b"\n# and more\n")
    pack_turns(game)
    answer = run("verify", "--game", game, code=1).output
    assert "turn-02.zip/orders/LIT.yaml was changed" in "".join(answer.split("\n"))


def test_a_stranger_s_archive_with_a_hostile_turn_harms_nothing(
    both: tuple[Path, Path], tmp_path: Path, run: Run
) -> None:
    game = both[1] / "minsk"
    with zipfile.ZipFile(game / "turns/turn-02.zip", "a") as archive:
        archive.writestr("../../../outside", b"mine")
    run("export", "--out", tmp_path / "all.zip", "--game", game)
    run("import", tmp_path / "all.zip", tmp_path / "copy")
    before = {path for path in tmp_path.rglob("*") if "copy" not in path.parts}
    for words in (
        "verify",
        "verify --replay",
        "report --turn 2",
        "history --out a.html",
        "export --without-keys",
    ):
        answer = run(*words.split(), "--game", tmp_path / "copy", code=None)
        assert answer.exit_code in (1, 2), words
        assert "turn-02.zip is damaged" in " ".join(answer.output.split())
    assert {path for path in tmp_path.rglob("*") if "copy" not in path.parts} == before


@pytest.mark.parametrize("newest", [1, 3])
def test_a_run_that_was_cut_short_between_the_two_is_put_right(
    newest: int, both: tuple[Path, Path], run: Run
) -> None:
    """A packed file beside its folder, and another folder that was being taken away."""
    game = both[0] / "minsk"
    packed = both[1] / "minsk/turns"
    shutil.copy(packed / "turn-01.zip", game / "turns")
    shutil.copytree(game / f"turns/turn-0{newest}", game / "turns/.turn-02.zip.building")
    (game / "turns/.turn-02.zip.building/state.json").unlink()
    assert "not finished" not in run("status", "--game", game).output
    kept = ["turn-00", "turn-01.zip", "turn-02", "turn-03", "turn-04"]
    assert sorted(path.name for path in (game / "turns").iterdir()) == kept
    run("verify", "--game", game)


@pytest.mark.slow
def test_a_packed_turn_that_was_extracted_beside_itself_loses_nothing(
    both: tuple[Path, Path], run: Run
) -> None:
    """Programs for zip archives do that with two clicks.

    Pages.tar.zst is in the folder as it was in the file.
    """
    turns = both[1] / "minsk/turns"
    shutil.unpack_archive(turns / "turn-02.zip", turns / "turn-02")
    (turns / "turn-02/notes.txt").write_bytes(b"of the game master")
    before = content(turns)
    for words in ("status", "verify", "turn --missing-ok --early --no-html"):
        answer = run(*words.split(), "--game", both[1] / "minsk")
        assert not words.startswith("turn") or "turn-02 lies beside turn-02.zip" in " ".join(
            answer.output.split()
        )
    assert {name: content(turns)[name] for name in before} == before
    refused = run("report", "--turn", "2", "--game", both[1] / "minsk", code=2).output
    assert "lies beside" in " ".join(refused.split())
    assert {name: content(turns)[name] for name in before} == before


def test_a_turn_comes_out_of_the_game_as_it_was_sent(both: tuple[Path, Path], run: Run) -> None:
    for top in both:
        answer = run("export", "--turn", "2", "--game", top / "minsk").output
        assert "Keys of players are among them" in answer
        assert content(top / "minsk-turn-02") == content(both[0] / "minsk/turns/turn-02")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("", "minsk-turn-02 already exists"),
        ("--out minsk/turns/turn-02", "is in a game's folder"),
        ("--out here --without-keys", "only --out goes with it"),
        ("--out here --force", "only --out goes with it"),
    ],
)
def test_a_turn_does_not_come_out_where_it_would_do_harm(
    more: str, why: str, both: tuple[Path, Path], run: Run
) -> None:
    with chdir(both[1]):
        Path("minsk-turn-02").mkdir()
        Path("minsk-turn-02/notes.txt").touch()
        before = content(both[1])
        answer = run("export", "--turn", "2", *more.split(), "--game", "minsk", code=2).output
        assert why in " ".join(answer.split())
        assert content(both[1]) == before


def test_a_full_disk_leaves_folders_and_the_turn_counts(
    plain: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tmp_path / "minsk"
    shutil.copytree(plain / "minsk", game)
    keep(game, 3)
    original = disk._write

    def write(path: Path, pieces: Iterable[bytes], mode: int = disk.PRIVATE_FILE) -> None:
        if ".zip" in path.name:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        original(path, pieces, mode)

    monkeypatch.setattr(disk, "_write", write)
    answer = run("turn", "--missing-ok", "--early", "--no-html", "--game", game).output
    assert "Old turns stay folders for now" in answer
    assert GameFolder(game).played.folders() == [0, 1, 2, 3, 4, 5]
    monkeypatch.undo()
    GameFolder(game).played.pack_old(5, 3)
    assert GameFolder(game).played.folders() == [3, 4, 5]
    run("verify", "--game", game)
