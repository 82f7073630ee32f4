"""What a game may run on this machine, and who may read its files."""

import hashlib
import json
import os
import stat
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from gm.cli.imported_commands import shown
from gm.store.disk import append, build_folder, make_folder, unfinished_name, write_file
from gm.store.trust import IMPORTED_FILE, Command, imported_bytes
from tests.cli.conftest import AT, Run
from tests.commands import Run as Type
from tests.mail.shapes.pieces import zipped


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """A file that is there when a command of the archive has run."""
    return tmp_path / "it-ran"


@pytest.fixture
def archive(ready: Path, run: Run, tmp_path: Path, trace: Path) -> Path:
    """An archive whose mail settings and bots would each leave a trace."""
    touch = f'{sys.executable} -c \'open("{trace}", "w")\''
    options = [
        "--from",
        "gm@example.org",
        "--imap",
        "localhost:1",
        "--smtp",
        "localhost:1",
        "--security",
        "none",
    ]
    run("mail", "setup", *options, "--user", "gm", "--password-command", touch)
    players = ready / "players.yaml"
    text = players.read_text(encoding="utf-8")
    text = text.replace("realm: POL,", f"realm: POL, bot: {json.dumps('program:' + touch)},")
    text = text.replace("realm: NOV,", "realm: NOV, bot: 'evil_of_the_archive:Bot',")
    players.write_text(text, encoding="utf-8")
    run("export", "--out", tmp_path / "a.zip")
    return tmp_path / "a.zip"


@pytest.fixture
def imported(archive: Path, run: Run, tmp_path: Path) -> Path:
    run("import", archive, tmp_path / "copy")
    return tmp_path / "copy"


def marks_of(run: Type, folder: Path) -> dict[str, str]:
    """The marks of what waits, by what it does."""
    commands = json.loads(run("trust", "--json", "--game", folder, code=1).output)["commands"]
    return {command["does"] + str(command["words"].get("half", "")): command["mark"] for command in commands}


def test_nothing_of_an_archive_runs_unconfirmed(imported: Path, run: Run, trace: Path) -> None:
    """14.A5: the week, fetching, sending, checking the post and playing with bots refuse, and nothing is
    changed.
    """
    for words in (["week"], ["mail", "fetch"], ["mail", "send"], ["mail", "check"]):
        said = run(*words, "--game", imported, code=2).output
        assert "you have not confirmed" in said
        assert "'pbem trust'" in said
    before = (imported / "journal.jsonl").read_bytes()
    said = run("turn", "--missing-ok", "--game", imported, code=2).output
    assert "you have not confirmed" in said
    assert (imported / "journal.jsonl").read_bytes() == before
    assert not trace.exists()
    assert (
        "4 things from this game's archive are not trusted"
        in run("status", "--game", imported, "--at", AT).output
    )


@pytest.mark.slow
def test_each_is_shown_in_full_and_confirmed_by_itself(imported: Path, run: Run, trace: Path) -> None:
    """14.A5: `pbem trust` shows every word; one that is confirmed runs, the others still do not."""
    said = run("trust", "--game", imported, code=1).output
    assert f'password_command: {sys.executable} -c \'open("{trace}"' in said
    assert "bot: evil_of_the_archive:Bot" in said
    marks = marks_of(run, imported)
    run("trust", marks["runs a program"], "--game", imported, code=0)
    assert "evil_of_the_archive" not in (imported / "journal.jsonl").read_text(encoding="utf-8")
    assert "loads code" in run("turn", "--missing-ok", "--game", imported, code=2).output
    run("trust", marks["loads code of a Python module"], "--game", imported)
    assert "evil_of_the_archive:Bot" in run("turn", "--missing-ok", "--game", imported, "--no-html").output
    assert trace.exists()


def test_at_a_terminal_each_is_asked_for(imported: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """14.A5: yes to one is no word about the others; no answer is no."""
    answers = iter([True, False, False, False])
    terminal = SimpleNamespace(
        stdin=SimpleNamespace(isatty=lambda: True), stdout=SimpleNamespace(encoding="utf-8")
    )
    monkeypatch.setattr("gm.cli.imported_commands.sys", terminal)
    monkeypatch.setattr("gm.cli.imported_commands.agreed", lambda *_, **__: next(answers))
    said = run("trust", "--game", imported, code=1).output
    assert "4 things in this game came with its archive" in said
    assert next(answers, None) is None
    assert len(waiting(run, imported)) == 3


def test_a_confirmed_password_goes_to_the_confirmed_server_alone(
    imported: Path, run: Run, trace: Path
) -> None:
    """14.A5: the same command with another server is another thing."""
    run("trust", *marks_of(run, imported).values(), "--game", imported)
    run("mail", "check", "--game", imported, code=2)
    trace.unlink(missing_ok=True)
    mail = imported / "mail.yaml"
    mail.write_text(mail.read_text(encoding="utf-8").replace('"localhost"', '"127.0.0.1"'), encoding="utf-8")
    assert "you have not confirmed" in run("mail", "check", "--game", imported, code=2).output
    assert not trace.exists()


def test_escapes_of_a_terminal_are_shown_as_numbers(ready: Path, run: Run, tmp_path: Path) -> None:
    """14.A5: no command can hide behind what a terminal makes of its characters."""
    hidden = Command(
        "players.yaml", "runs", {"bot": "program:rm -rf ~ \u001b[2K\u001b[1A\u202egood\rgood \\x1b"}
    )
    assert list(shown(hidden))[1] == r"    bot: program:rm -rf ~ \x1b[2K\x1b[1A\u202egood\rgood \\x1b"
    # nor do they come through the files
    players = ready / "players.yaml"
    text = players.read_text(encoding="utf-8").replace(
        "realm: POL,", 'realm: POL, bot: "program:a \\u200bb",'
    )
    players.write_text(text, encoding="utf-8")
    run("export", "--out", tmp_path / "a.zip")
    assert r"bot: program:a \u200bb" in run("import", tmp_path / "a.zip", tmp_path / "copy").output


@pytest.mark.slow
def test_an_archive_cannot_confirm_itself(imported: Path, run: Run, tmp_path: Path) -> None:
    """14.A5: confirmations go into no archive, and those in an archive that was made by hand count for
    nothing.
    """
    marks = marks_of(run, imported)
    run("trust", *marks.values(), "--game", imported)
    run("export", "--game", imported, "--out", tmp_path / "b.zip")
    assert IMPORTED_FILE not in zipfile.ZipFile(tmp_path / "b.zip").namelist()
    forged = with_files(tmp_path / "b.zip", {IMPORTED_FILE: imported_bytes(marks.values())})
    (tmp_path / "c.zip").write_bytes(forged)
    run("import", tmp_path / "c.zip", tmp_path / "again")
    assert marks_of(run, tmp_path / "again") == marks


@pytest.mark.parametrize(
    "name", [".change/change.json", ".Change/0", "turns/.turn-09.building/x", ".lock", "a//b"]
)
def test_no_archive_brings_a_change_that_is_half_done(
    archive: Path, run: Run, tmp_path: Path, name: str
) -> None:
    """14.A5: the next command would finish it, wherever it leads."""
    (tmp_path / "c.zip").write_bytes(with_files(archive, {name: b"{}"}))
    assert "not a place inside a game" in run("import", tmp_path / "c.zip", tmp_path / "again", code=2).output
    assert not (tmp_path / "again").exists()


@pytest.mark.slow
def test_a_script_says_that_it_trusts_an_archive(
    archive: Path, run: Run, tmp_path: Path, trace: Path
) -> None:
    """14.A5: --trust-commands confirms all and still shows them; a game begun here needs no word."""
    said = run("import", archive, tmp_path / "copy", "--trust-commands").output
    assert "bot: evil_of_the_archive:Bot" in said
    run("turn", "--missing-ok", "--game", tmp_path / "copy", "--no-html")
    assert trace.exists()
    assert "Nothing in this game needs your confirmation" in run("trust").output


def test_what_the_gm_types_himself_is_confirmed(imported: Path, run: Run, tmp_path: Path) -> None:
    """14.A5: a bot that the GM names in an imported game needs no second word."""
    run("seat", "LIT", "--bot", "program:true", "--game", imported)
    assert not any("true" in str(command["words"].get("bot")) for command in waiting(run, imported))


def waiting(run: Type, folder: Path) -> list[dict[str, dict[str, str]]]:
    commands: list[dict[str, dict[str, str]]] = json.loads(
        run("trust", "--json", "--game", folder, code=1).output
    )["commands"]
    return commands


def with_files(path: Path, more: dict[str, bytes]) -> bytes:
    """An archive with more files in it, as somebody makes it by hand."""
    with zipfile.ZipFile(path) as opened:
        files = {name: opened.read(name) for name in opened.namelist()} | more
    listed = json.loads(files["archive.json"])
    listed["files"] |= {name: hashlib.sha256(data).hexdigest() for name, data in more.items()}
    files["archive.json"] = json.dumps(listed).encode()
    return zipped(files)


pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")


@pytest.fixture(params=[0o000, 0o077], ids=["open umask", "close umask"])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def wide(folder: Path) -> list[str]:
    return [str(path) for path in (folder, *sorted(folder.rglob("*"))) if mode(path) & 0o077]


def test_every_file_of_a_game_is_its_owners_alone(umask: int, run: Run, tmp_path: Path) -> None:
    """14.A6: whatever the umask: a new game, its turn, what is taken back, edits, an export and what is
    imported.
    """
    run("new", "g", "--map", "minsk", "--player", "LIT=a@example.org", "--first", "2026-01-09", "--at", AT)
    os.chdir("g")
    run("amend", "gold", "LIT", "+5", "--why", "a test of files")
    run("turn", "--missing-ok", "--no-html")
    run("undo")
    run("turn", "--missing-ok", "--no-html")
    run("seat", "LIT", "--name", "Anna")
    run("export", "--out", tmp_path / "a.zip")
    run("import", tmp_path / "a.zip", tmp_path / "h")
    assert wide(tmp_path / "g") == wide(tmp_path / "h") == wide(tmp_path / "a.zip") == []
    assert "Others" not in run("status", "--at", AT).output


def test_nothing_is_open_for_a_moment(umask: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """14.A6: "from the first byte": at every write the file is closed to others, also where a killed run left
    one that was not.
    """
    seen: list[int] = []
    real = os.write

    def write(handle: int, data: bytes) -> int:
        seen.append(stat.S_IMODE(os.fstat(handle).st_mode) & 0o077)
        return real(handle, data)

    unfinished_name(tmp_path / "a").write_bytes(b"left")
    unfinished_name(tmp_path / "a").chmod(0o644)
    unfinished_name(tmp_path / "f").mkdir(0o755)
    unfinished_name(tmp_path / "f").chmod(0o755)
    reader = unfinished_name(tmp_path / "a").open("rb")
    monkeypatch.setattr(os, "write", write)
    write_file(tmp_path / "a", b"secret")
    append(tmp_path / "b", b"secret", 0)
    make_folder(tmp_path / "c" / "d")
    build_folder(tmp_path / "f", {"x/y": b"secret"})
    assert [len(seen), *seen] == [3, 0, 0, 0]
    assert reader.read() == b"left"
    reader.close()
    assert [name for name in "abcf" if wide(tmp_path / name)] == []


def test_a_file_of_an_older_gm_is_told_and_mended(ready: Path, run: Run) -> None:
    """14.A6: ``pbem status`` says when an existing one is wider, with the command that mends it."""
    (ready / "game.yaml").chmod(0o644)
    (ready / "turns").chmod(0o755)
    (ready / "handbook.html").chmod(0o644)
    (ready / "link").symlink_to("/etc/passwd")
    said = run("status", "--at", AT).output
    assert "Others on this machine can read 2 files and folders of the game, for example game.yaml" in said
    assert "pbem status --tighten" in said
    assert json.loads(run("status", "--json", "--at", AT).output)["open_to_others"] == ["game.yaml", "turns"]
    assert "Others" not in run("status", "--tighten", "--at", AT).output
    assert (mode(ready / "game.yaml"), mode(ready / "turns"), mode(ready / "handbook.html")) == (
        0o600,
        0o700,
        0o644,
    )
    assert "Others" not in run("status", "--at", AT).output
