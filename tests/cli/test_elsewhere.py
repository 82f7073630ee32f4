"""Windows and macOS: nothing needs what only POSIX has.

Names, line ends and letters are fit for every system.
"""

import codecs
import io
import os
import re
import subprocess
import sys
from collections import Counter
from itertools import chain
from pathlib import Path
from types import SimpleNamespace

import pytest

from gm.cli import console
from gm.store import trust
from tests.cli.conftest import Run
from tests.examples import sweep
from tests.test_structure import ROOT

WITHOUT = """
import asyncio, concurrent.futures, multiprocessing.pool, os, signal
import subprocess, sys, tempfile, types, warnings

warnings.simplefilter("ignore", EncodingWarning)
warnings.filterwarnings("error", category=EncodingWarning, module=r"gm\\.")

import click, xml.etree.ElementTree, zipfile, webbrowser

# what Windows has not: modules, functions and signals
for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "syslog"):
    sys.modules[name] = None
for name in (
    "fork", "geteuid", "getuid", "getgid", "killpg", "getpgid", "setsid", "sched_getaffinity", "mkfifo"
):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGALRM", "SIGHUP", "SIGUSR1", "SIGCHLD", "SIGQUIT", "alarm", "setitimer"):
    if hasattr(signal, name):
        delattr(signal, name)
locked = []
sys.modules["msvcrt"] = types.SimpleNamespace(
    LK_NBLCK=2, locking=lambda handle, mode, count: locked.append(handle)
)

import gm.store.disk
gm.store.disk.sys = types.SimpleNamespace(platform="win32")

import importlib, pkgutil
import gm.cli
for each in pkgutil.walk_packages(gm.__path__, "gm."):
    if each.name not in ("gm.__main__", "gm.simulation.cluster"):  # it needs an extra that asks for Linux
        importlib.import_module(each.name)

from gm.cli.app import gm as command
for words in sys.argv[1:]:
    try:
        command(words.split(), prog_name="pbem", standalone_mode=False)
    except SystemExit as ended:
        assert not ended.code, (words, ended.code)
assert locked, "the game was locked the other way"
"""
RESERVED = re.compile(
    r"(CON|PRN|AUX|NUL|COM\d|LPT\d)(\..*)?|.*[<>:\"|?*\\].*|.*[. ]", re.IGNORECASE | re.DOTALL
)
"""Names that Windows gives no file."""


@pytest.mark.slow
def test_a_turn_is_played_where_there_is_nothing_of_posix_and_every_file_names_its_encoding(
    tmp_path: Path,
) -> None:
    typed = (
        "new game --seed x --play LIT --bots",
        "turn --game game --missing-ok",
        "status --game game",
        "verify --game game",
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "cp1252:strict",
        "PYTHONUTF8": "0",
    }
    command = [sys.executable, "-X", "warn_default_encoding", "-c", WITHOUT, *typed]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, timeout=600)
    assert done.returncode == 0, (done.stdout + done.stderr).decode("cp1252", "replace")[-4000:]
    assert (tmp_path / "game" / "turns" / "turn-01" / "results" / "LIT.html").is_file()
    # what is written is the same on every system
    files = [path for path in (tmp_path / "game").rglob("*") if path.is_file()]
    assert [file.name for file in files if b"\r\n" in file.read_bytes()] == []
    names = [path.name for path in (tmp_path / "game").rglob("*")]
    assert [name for name in names if RESERVED.fullmatch(name)] == []


LACKING = ("ascii", "latin-1", "cp437", "cp850", "cp1252", "cp866")
"""Encodings of consoles, each of which lacks some of what the program prints."""


@pytest.mark.parametrize("encoding", sweep(LACKING, "ascii"))
@pytest.mark.slow
def test_a_console_shows_stand_ins_for_what_it_lacks(encoding: str, tmp_path: Path) -> None:
    """item 20: a minus, a bar, an arrow, quotes, a name: never an escape, and never an end of the command."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}

    def printed(*words: str, code: int = 0) -> str:
        command = [sys.executable, "-m", "gm", *words]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, timeout=120)
        output = (done.stdout + done.stderr).decode(encoding)
        assert done.returncode == code, output
        assert not re.search(r"\\[uxU][0-9a-f]{2}", output), output
        return output

    assert "d" in printed("new", "Łódź", "--play", "LIT", "--bots", "--seed", "x")
    book = printed("check", "Łódź/turns/turn-00/next/LIT.yaml", "--game", "Łódź")
    assert re.search(r"-\d+\.\d\d", book), book  # upkeep, with its minus
    printed("odds", "30 Longbowmen", "vs", "40 Men-at-Arms")
    assert "nowhere" in printed("status", "--game", "nowhere–“här”", code=2)


@pytest.mark.parametrize(
    ("character", "stand_in"),
    [
        *(
            ("−", "-"),
            ("→", "->"),
            ("█", "#"),
            ("▃", "#"),
            ("✓", "ok"),
            ("“", '"'),
            ("’", "'"),
            ("…", "..."),
            ("│", "|"),
        ),
        *(("ü", "u"), ("Ж", "Zh"), ("\udce4", "\\xe4"), ("\U000f0000", "?")),
    ],
)
def test_each_character_has_a_stand_in(character: str, stand_in: str) -> None:
    """item 20."""
    codecs.register_error(console.STAND_IN, console.stood_in)
    assert character.encode("ascii", console.STAND_IN).decode() == stand_in
    assert f"a{character}{character}b".encode("ascii", console.STAND_IN).decode() == f"a{stand_in}{stand_in}b"


def test_who_chose_another_way_keeps_it() -> None:
    """item 20."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="replace")
    console.prepare(stream)
    assert stream.errors == "replace"
    console.prepare(None)


def test_names_of_our_files_are_possible_and_distinct_on_every_system() -> None:
    tops = [ROOT / name for name in ("gm", "rules", "maps", "templates", "examples", "tests", "bench")]
    all_paths = chain.from_iterable(top.rglob("*") for top in tops)
    paths = [path for path in all_paths if "__pycache__" not in path.parts]
    assert len(paths) > 1000
    assert [path for path in paths if RESERVED.fullmatch(path.name)] == []
    folded = Counter(path.relative_to(ROOT).as_posix().casefold() for path in paths)
    assert [name for name, times in folded.items() if times > 1] == []


def test_a_realm_whose_files_windows_could_not_hold_is_refused(tmp_path: Path, run: Run) -> None:
    for path in (ROOT / "maps" / "medieval" / "minsk").glob("*.yaml"):
        (tmp_path / path.name).write_text(re.sub(r"\bNOV\b", "CON", path.read_text("utf-8")), "utf-8")
    assert "no file can have this name on Windows" in run("map", "check", tmp_path, code=2).output


def test_a_command_keeps_the_backslashes_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = r'"C:\Program Files\pass.exe" show mail\gm'
    assert trust.words_of("pass show 'mail gm'") == ["pass", "show", "mail gm"]
    monkeypatch.setattr(trust, "os", SimpleNamespace(name="nt"))
    assert trust.words_of(typed) == [r"C:\Program Files\pass.exe", "show", r"mail\gm"]
