"""``pbem service``: have the system call ``pbem week`` every few minutes; writes or prints a timer."""

import plistlib
import re
import shlex
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated
from xml.etree import ElementTree

import click

from gm import PROGRAM
from gm.cli.options import ExplainedGroup, Games, gm_command, option
from gm.cli.output import Failure, Refusal, echo, shown_path
from gm.cli.visits import found_games
from gm.core.diagnostics import says
from gm.core.values import Record
from gm.store.disk import PUBLIC_FILE, make_folder, write_file
from gm.store.folder import MAIL_FILE

command = ExplainedGroup("service", module=__name__)
MINUTES = ("1", "2", "3", "5", "10", "15", "20", "30")  # parts of an hour: every hour is the same


class Service(Record):
    """A command that the system calls at regular times."""

    name: str  # in the system's lists
    words: list[str]  # the command line
    minutes: int  # from one call to the next


def service_of(games: list[Path], minutes: int) -> Service:
    """Return the service that runs the week of these games; the same folders give the same name.

    Raises ``Failure`` for a game without mail settings, and for a path with a control character.
    """
    without = [game for game in games if not (game / MAIL_FILE).is_file()]
    if without:
        raise Failure(says("{0} has no mail settings: '{1} mail setup' makes them.", without[0], PROGRAM))
    paths = [str(game.resolve()) for game in games]
    if any(re.search(r"[\x00-\x1f\x7f]", path) for path in (*paths, sys.executable)):
        raise Failure(
            says("A folder whose name has a line break or another control character cannot be scheduled.")
        )
    paths_hash = zlib.crc32("\0".join(paths).encode("utf-8", "surrogateescape"))
    readable = re.sub(r"[^A-Za-z0-9]+", "-", games[0].resolve().name).strip("-")[:40]
    words = [sys.executable, "-m", "gm", "week", "--quiet", *(f"--game={path}" for path in paths)]
    return Service("-".join(filter(None, (PROGRAM, readable, f"{paths_hash:08x}"))), words, minutes)


def _quoted(word: str) -> str:
    """Return a word of a command line, quoted for a systemd unit file."""
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%") + '"'


def systemd(service: Service) -> dict[str, str]:
    """Return the texts of the unit files of a systemd user timer, by file name."""
    unit = f"[Unit]\nDescription=The week of {service.name}\n\n[Service]\nType=oneshot\n"
    unit += f"ExecStart=:{' '.join(map(_quoted, service.words))}\n"  # the colon: '$' means nothing special
    timer = f"[Unit]\nDescription=The week of {service.name}, every {service.minutes} minutes\n\n"
    timer += (
        f"[Timer]\nOnCalendar=*:0/{service.minutes}\nPersistent=true\n\n[Install]\nWantedBy=timers.target\n"
    )
    return {f"{service.name}.service": unit, f"{service.name}.timer": timer}


def cron(service: Service) -> str:
    """Return a line for ``crontab -e``, with '%' escaped, which would end the command."""
    return f"*/{service.minutes} * * * *  {shlex.join(service.words)}".replace("%", "\\%") + "\n"


def launchd(service: Service) -> str:
    """Return a property list for ``~/Library/LaunchAgents``."""
    entries = {"Label": service.name, "ProgramArguments": service.words, "RunAtLoad": True}
    return plistlib.dumps({**entries, "StartInterval": service.minutes * 60}).decode()


def windows(service: Service) -> str:
    """Return a task for ``schtasks /create /xml``.

    Raises ``Failure`` for a command line with text between two '%', a variable for Windows.
    """
    arguments = subprocess.list2cmdline(service.words[1:])
    if re.search("%.*%", f"{service.words[0]} {arguments}"):
        raise Failure(says("Windows takes text between two '%' for a variable: rename the folder."))
    task = ElementTree.Element(
        "Task", version="1.2", xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task"
    )
    trigger = ElementTree.SubElement(ElementTree.SubElement(task, "Triggers"), "TimeTrigger")
    ElementTree.SubElement(
        ElementTree.SubElement(trigger, "Repetition"), "Interval"
    ).text = f"PT{service.minutes}M"
    ElementTree.SubElement(trigger, "StartBoundary").text = "2026-01-01T00:00:00"  # any moment in the past
    settings = ElementTree.SubElement(task, "Settings")
    ElementTree.SubElement(settings, "MultipleInstancesPolicy").text = "IgnoreNew"
    ElementTree.SubElement(settings, "StartWhenAvailable").text = "true"
    action = ElementTree.SubElement(ElementTree.SubElement(task, "Actions"), "Exec")
    ElementTree.SubElement(action, "Command").text = service.words[0]
    ElementTree.SubElement(action, "Arguments").text = arguments
    ElementTree.indent(task)
    text: bytes = ElementTree.tostring(task, "us-ascii", xml_declaration=False)
    return f"{text.decode()}\n"


# what --print shows of a service, by the name of the system that would call it
PRINTED: dict[str, Callable[[Service], str]] = {
    "cron": cron,
    "launchd": launchd,
    "windows": windows,
    "systemd": lambda service: "\n".join(f"# {name}\n{text}" for name, text in systemd(service).items()),
}


@gm_command("install", command)
def install(
    games: Games,
    minutes: Annotated[str, option("--minutes", type=click.Choice(MINUTES), default="5", show_default=True)],
    printed: Annotated[str | None, option("--print", type=click.Choice([*PRINTED]))],
) -> None:
    """Write a systemd user timer that calls 'pbem week', and show how to start it."""
    service = service_of(found_games(games), int(minutes))
    if printed:
        click.echo(PRINTED[printed](service), nl=False)
        return
    if not sys.platform.startswith("linux"):
        kind = "windows" if sys.platform == "win32" else "launchd"
        raise Refusal(
            says("pbem writes timers only for systemd: '--print {0}' prints what your system needs.", kind)
        )
    folder = Path(click.get_app_dir("systemd")) / "user"
    make_folder(folder)
    for name, text in systemd(service).items():
        write_file(folder / name, text.encode("utf-8", "surrogateescape"), mode=PUBLIC_FILE)
        echo(says("{0} is written.", shown_path(folder / name)))
    echo(
        says(
            "It begins with:  systemctl --user daemon-reload && systemctl --user enable --now {0}.timer",
            service.name,
        )
    )
    echo(says("So that it runs while you are not logged in:  loginctl enable-linger"))
