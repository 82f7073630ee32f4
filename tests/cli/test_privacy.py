"""14.A6: what is secret in a game is its owner's alone, from its first byte on; what an older gm left open is told."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.store.disk import append, build_folder, make_folder, unfinished_name, write_file
from tests.cli.conftest import AT, Run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")


@pytest.fixture(params=[0o000, 0o077], ids=["open umask", "close umask"])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def wide(folder: Path) -> list[str]:
    return [str(each) for each in (folder, *sorted(folder.rglob("*"))) if mode(each) & 0o077]


def test_every_file_of_a_game_is_its_owners_alone(umask: int, run: Run, tmp_path: Path) -> None:
    """14.A6: whatever the umask: a new game, its turn, what is taken back, edits, an export and what is imported."""
    run("new", "g", "--map", "minsk", "--player", "LIT=a@example.org", "--first", "2026-01-09", "--at", AT)
    os.chdir("g")
    run("amend", "gold", "LIT", "+5", "--why", "a test of files")
    run("turn", "--missing-ok")
    run("undo")
    run("turn", "--missing-ok")
    run("seat", "LIT", "--name", "Anna")
    run("export", "--out", tmp_path / "a.zip")
    run("import", tmp_path / "a.zip", tmp_path / "h")
    assert wide(tmp_path / "g") == wide(tmp_path / "h") == wide(tmp_path / "a.zip") == []
    assert "Others" not in run("status", "--at", AT).output


def test_nothing_is_open_for_a_moment(umask: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """14.A6: "from the first byte": at every write the file is closed to others, also where a killed run left one that
    was not."""
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
    """14.A6: ``gm status`` says when an existing one is wider, with the command that mends it."""
    (ready / "game.yaml").chmod(0o644)
    (ready / "turns").chmod(0o755)
    (ready / "handbook.html").chmod(0o644)
    (ready / "link").symlink_to("/etc/passwd")
    said = run("status", "--at", AT).output
    assert "Others on this machine can read 2 files and folders of the game, for example game.yaml" in said
    assert "gm status --tighten" in said
    assert json.loads(run("status", "--json", "--at", AT).output)["open_to_others"] == ["game.yaml", "turns"]
    assert "Others" not in run("status", "--tighten", "--at", AT).output
    assert (mode(ready / "game.yaml"), mode(ready / "turns"), mode(ready / "handbook.html")) == (0o600, 0o700, 0o644)
    assert "Others" not in run("status", "--at", AT).output
