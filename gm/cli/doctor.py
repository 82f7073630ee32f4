"""``pbem doctor``: check that everything that the program and a game need works, with advice where not."""

import os
import platform
import re
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from gm import PROGRAM, __version__
from gm.campaign.recovery import needs_recovery
from gm.cli import clock
from gm.cli.options import AsJson, Game, folder_or_default, gm_command
from gm.cli.output import REFUSED, counted, fields, os_trouble, print_json, print_text
from gm.cli.session import is_game
from gm.core.values import Record
from gm.store import FolderBusyError, StoreError, trust
from gm.store.disk import locked
from gm.store.folder import MAIL_FILE, GameFolder
from gm.store.journal import journal_of

DISTRIBUTION = "pbem-gm"
OURS = b"gm.cli"  # what the script that starts a command of ours imports
_NEWEST_PYTHON = (3, 14)
_EXTRAS = {  # the extras that users can install: by name, a module that comes with each
    "play": "uvicorn",
    "png": "resvg_py",
    "film": "PIL",
    "league": "openskill",
    "parquet": "pyarrow",
    "cluster": "distributed",
}
_ROOM = 200 * 1024**2  # bytes that have to be free, for a few turns of a large map with all pages
_DRIFT = 5.0  # seconds by which the time of new files may differ from the clock


class Finding(Record):
    """The result of one check."""

    what: str  # what was checked: ``clock``
    state: Literal["good", "note", "wrong"]
    says: str  # what was found
    does: str = ""  # what to do about it, a sentence


@gm_command("doctor")
def command(*, mail: bool, game_folder: Game, as_json: AsJson) -> int:
    """Check the installation and a game for problems, and show what to do about each."""
    is_in_game = game_folder is not None or is_game(None)
    place = GameFolder.find(folder_or_default(game_folder)).path if is_in_game else Path.cwd()
    findings = [*_program(), *_starters(), _clock(place), _disk(place)]
    if is_in_game:
        findings += _game(GameFolder(place))
        if mail:
            findings.append(_post(place))
    elif mail:
        raise click.UsageError("--mail needs a game: change to its folder, or name it with --game FOLDER.")
    faults = [finding for finding in findings if finding.state == "wrong"]
    if as_json:
        checks = [fields(finding, "what", "state", "says", "does") for finding in findings]
        print_json({"well": not faults, "game": str(place) if is_in_game else None, "checks": checks})
    else:
        print_text("doctor", found=findings, wrong=faults, place=place if is_in_game else None)
    return REFUSED if faults else 0


def _program() -> Iterator[Finding]:
    """Yield three findings: about Python, the libraries and the extras."""
    yield _python()
    yield _libraries()
    yield _extras()


def _python() -> Finding:
    """Return the finding about the version of Python that runs this."""
    python = (
        f"{platform.python_implementation()} {platform.python_version()} on {platform.platform(terse=True)}"
    )
    if sys.version_info[:2] > _NEWEST_PYTHON:
        return Finding("Python", "note", python, "It is newer than the versions that were tested.")
    return Finding("Python", "good", python, "")


def _libraries() -> Finding:
    """Return the finding about the installed versions of the required libraries."""
    program = f"{PROGRAM} {__version__}"
    try:
        required = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return Finding("libraries", "note", f"{program} runs from {Path(__file__).parents[2]}, not installed")
    missing = []
    versions = []
    for requirement in required:
        if "extra ==" in requirement:
            continue
        name = re.split(r"[^\w.-]", requirement)[0]
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(name)
    summary = f"{program}, {', '.join(versions)}"
    if not missing:
        return Finding("libraries", "good", summary, "")
    advice = f"Reinstall it: pip install --force-reinstall {DISTRIBUTION}."
    return Finding("libraries", "wrong", f"{summary}; missing: {', '.join(missing)}", advice)


def _extras() -> Finding:
    """Return the finding about the installed extras."""
    is_installed = {name: find_spec(module) is not None for name, module in _EXTRAS.items()}
    lacking = [name for name, is_there in is_installed.items() if not is_there]
    extras = ", ".join(f"{name} {'yes' if is_there else 'no'}" for name, is_there in is_installed.items())
    if not lacking:
        return Finding("extras", "good", extras, "")
    advice = (
        f"Commands that need an extra say so. To add them: pip install '{DISTRIBUTION}[{','.join(lacking)}]'"
    )
    return Finding("extras", "note", extras, advice)


def _starters() -> Iterator[Finding]:
    """Yield the findings about our two commands, ``pbem`` and ``gm``, on the path.

    Another program of the same name may come first there; nothing is said of a ``gm`` that is missing.
    """
    scripts = sysconfig.get_path("scripts")
    for name in (PROGRAM, "gm"):
        paths = (shutil.which(name, path=folder) for folder in os.get_exec_path())
        programs = [Path(path) for path in paths if path]
        # the first one on the path that is not ours
        other_program = next((path for path in programs if OURS not in path.read_bytes()), None)
        if not programs:
            if name == PROGRAM:
                hint = f"Add {scripts} to PATH, or type: {sys.executable} -m gm"
                yield Finding(f"command {name}", "note", f"there is no {name} on the path", hint)
        elif other_program is None or (name == PROGRAM and other_program != programs[0]):
            # another ``pbem`` does no harm if ours is the first on the path
            yield Finding(f"command {name}", "good", str(programs[0]))
        elif name == PROGRAM:
            hint = f"Put {scripts} before it in PATH."
            yield Finding(
                f"command {name}", "wrong", f"{other_program} is another program of that name", hint
            )
        else:
            says = f"{other_program} is another program of that name"
            if other_program != programs[0]:
                says += f", which {programs[0]} stands before"
            yield Finding(f"command {name}", "note", says, f"Type {PROGRAM}, which does the same as our gm.")


def _clock(place: Path) -> Finding:
    """Return the finding about the clock: there are time zones, and it agrees with new files and the journal.

    ``place``: the folder in which a file is made; if a game is there, its journal is read.
    """
    says = f"{clock.utc_now():%Y-%m-%d %H:%M} UTC"
    does = "Set the clock from the network (timedatectl set-ntp true)."
    try:
        ZoneInfo("Europe/Berlin")
    except ZoneInfoNotFoundError:
        return Finding("clock", "wrong", "there are no time zones on this machine", "pip install tzdata")
    try:
        with tempfile.TemporaryFile(dir=place if os.access(place, os.W_OK) else None) as file:
            drift = os.fstat(file.fileno()).st_mtime - datetime.now(UTC).timestamp()
    except OSError as error:
        return Finding("clock", "note", f"{says}; it cannot be compared with the disk's: {os_trouble(error)}")
    if abs(drift) > _DRIFT:
        return Finding("clock", "wrong", f"{says}; files are dated {drift:+.0f} seconds from it", does)
    with suppress(StoreError, IndexError, KeyError, ValueError):
        newest = max(datetime.fromisoformat(entry["at"]) for entry in journal_of(place).entries)
        if newest > clock.utc_now() + timedelta(minutes=5):
            return Finding(
                "clock", "wrong", f"{says}; the game's journal was written at {newest:%Y-%m-%d %H:%M}", does
            )
    return Finding("clock", "good", says)


def _disk(place: Path) -> Finding:
    """Return the finding about the room on the disk that a folder is on."""
    free = shutil.disk_usage(place).free
    says = f"{free / 1024**3:.1f} GiB free where {place} is"
    return Finding("disk", "good", says) if free > _ROOM else Finding("disk", "wrong", says, "Make room.")


def _game(folder: GameFolder) -> Iterator[Finding]:
    """Yield the findings about a game's folder: its permissions, its lock, and an interrupted command."""
    path = folder.path
    readable_by_others = list(trust.open_to_others(path))
    if not os.access(path, os.W_OK):
        yield Finding(
            "permissions", "wrong", f"{path} cannot be written to", "Look at its owner and its permissions."
        )
    elif readable_by_others:
        paths_in_words = counted(len(readable_by_others), "file or folder", "files and folders")
        says = f"others can read {paths_in_words} of the game"
        yield Finding("permissions", "wrong", says, f"{PROGRAM} status --tighten corrects it.")
    else:
        yield Finding("permissions", "good", "the game's files are yours alone")
    try:
        with locked(path):
            yield Finding("lock", "good", "nobody else is working on the game")
    except FolderBusyError:
        yield Finding(
            "lock",
            "note",
            f"another {PROGRAM} is working on the game",
            "If it hangs, end it: that releases its lock.",
        )
    except OSError as error:
        yield Finding(
            "lock",
            "wrong",
            os_trouble(error),
            "Locks need a disk that has them: not every network disk does.",
        )
    if needs_recovery(folder):
        yield Finding(
            "leftovers", "note", "a command was cut short", "The next command completes it or removes it."
        )


def _post(place: Path) -> Finding:
    """Return the finding about a game's mailbox and sending server, after a login to both."""
    if not (place / MAIL_FILE).is_file():
        return Finding("mail", "note", "the game has no mail settings", f"{PROGRAM} mail setup makes them.")
    from gm.cli.mail import tried

    try:
        return Finding("mail", "good", " ".join(tried(place)))
    except (click.ClickException, StoreError) as error:
        says = error.message if isinstance(error, click.ClickException) else str(error)
        return Finding(
            "mail", "wrong", says.rstrip("."), "Look at mail.yaml, then try again: pbem mail check."
        )
