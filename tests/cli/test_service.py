"""``pbem service``: what the system's timetables are given names the same folders, whatever stands in
their names.
"""

import plistlib
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gm.cli.service import Service, cron, launchd, service_of, systemd, windows
from tests.cli.conftest import Run

HOSTILE = ["a b", "100%", "%h", "it's", 'say "no"', "back\\slash\\", "$HOME", "ä;#&|<>`x`", "*?"]
PRINTED = "import sys; print(sys.argv[1:])"


def of(words: list[str]) -> Service:
    return Service("pbem-x", words, 5)


def test_a_line_for_cron_calls_what_was_meant() -> None:
    line = cron(of([sys.executable, "-c", PRINTED, *HOSTILE])).rstrip("\n")
    assert line.startswith("*/5 * * * *  ")
    # as cron does it: an escaped '%' is one, any other ends the command
    command = line.split(None, 5)[5].replace("\\%", "\0")
    assert "%" not in command
    done = subprocess.run(
        ["sh", "-c", command.replace("\0", "%")], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{HOSTILE}\n"


def test_a_property_list_holds_the_words() -> None:
    settings = plistlib.loads(launchd(of(HOSTILE)).encode())
    assert (settings["ProgramArguments"], settings["StartInterval"]) == (HOSTILE, 300)


def test_a_task_for_windows_is_xml_and_quotes_its_words() -> None:
    space = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"
    xml = windows(of(["C:\\my python\\python.exe", "--game=C:\\Söhne & Co\\a b\\"]))
    root = ElementTree.fromstring(xml)  # noqa: S314 - made above
    parts = {element.tag.removeprefix(space): element.text for element in root.iter()}
    assert parts["Command"] == "C:\\my python\\python.exe"
    assert parts["Arguments"] == '"--game=C:\\Söhne & Co\\a b\\\\"'
    assert parts["Interval"] == "PT5M"


def test_systemd_reads_the_words_as_they_were(tmp_path: Path) -> None:
    files = systemd(of([sys.executable, "-c", PRINTED, *HOSTILE]))
    (line,) = (line for line in files["pbem-x.service"].splitlines() if line.startswith("ExecStart="))
    # systemd's own rules: quotes as a shell has them without variables, then '%%' is '%'
    read = shlex.split(line.removeprefix("ExecStart=:").replace("$", "\\$").replace("`", "\\`"))
    assert [word.replace("%%", "%").replace("\\$", "$").replace("\\`", "`") for word in read][3:] == HOSTILE
    if shutil.which("systemd-analyze"):
        for name, text in files.items():
            (tmp_path / name).write_text(text, "utf-8")
        verify = ["systemd-analyze", "--user", "verify", *map(str, tmp_path.iterdir())]
        done = subprocess.run(verify, capture_output=True, text=True, env={"XDG_RUNTIME_DIR": str(tmp_path)})
        assert "pbem-x" not in done.stderr, done.stderr


def test_games_get_a_timer_of_their_own(
    office: object, game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(game.parent / "config"))
    monkeypatch.setattr(sys, "platform", "linux")
    said = run("service", "install", "--game", game, "--minutes", "10").output
    name = service_of([game], 10).name
    folder = game.parent / "config" / "systemd" / "user"
    assert {path.name for path in folder.iterdir()} == {f"{name}.service", f"{name}.timer"}
    assert f"--game={game}" in (folder / f"{name}.service").read_text("utf-8")
    assert "OnCalendar=*:0/10" in (folder / f"{name}.timer").read_text("utf-8")
    assert f"systemctl --user enable --now {name}.timer" in " ".join(said.split())
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "--print launchd" in run("service", "install", "--game", game, code=1).output
