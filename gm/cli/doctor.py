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
from gm.cli.output import REFUSED, fields, os_trouble, print_json, print_text
from gm.cli.session import is_game
from gm.cli.speech import worded
from gm.core.diagnostics import joined, says
from gm.core.values import Record
from gm.store import FolderBusyError, StoreError, trust
from gm.store.disk import locked
from gm.store.folder import MAIL_FILE, GameFolder
from gm.store.journal import journal_of
from gm.text.words import Said

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
    findings = [*_installation(), *_starters(), _clock(place), _disk(place)]
    if is_in_game:
        findings += _game(GameFolder(place))
        if mail:
            findings.append(_post(place))
    elif mail:
        raise click.UsageError(
            says("--mail needs a game: change to its folder, or name it with --game FOLDER.")
        )
    faults = [finding for finding in findings if finding.state == "wrong"]
    if as_json:
        checks = [fields(finding, "what", "state", "says", "does") for finding in findings]
        print_json({"well": not faults, "game": str(place) if is_in_game else None, "checks": checks})
    else:
        print_text("doctor", found=findings, wrong=faults, place=place if is_in_game else None)
    return REFUSED if faults else 0


def _installation() -> Iterator[Finding]:
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
        return Finding(
            says("Python"), "note", python, says("It is newer than the versions that were tested.")
        )
    return Finding(says("Python"), "good", python, "")


def _libraries() -> Finding:
    """Return the finding about the installed versions of the required libraries."""
    program = f"{PROGRAM} {__version__}"
    try:
        required = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return Finding(
            says("libraries"),
            "note",
            says("{0} runs from {1}, not installed", program, Path(__file__).parents[2]),
        )
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
        return Finding(says("libraries"), "good", summary, "")
    advice = says("Reinstall it: pip install --force-reinstall {0}.", DISTRIBUTION)
    return Finding(says("libraries"), "wrong", says("{0}; missing: {1}", summary, ", ".join(missing)), advice)


def _extras() -> Finding:
    """Return the finding about the installed extras."""
    is_installed = {name: find_spec(module) is not None for name, module in _EXTRAS.items()}
    lacking = [name for name, is_there in is_installed.items() if not is_there]
    states = [says("{0} yes" if is_there else "{0} no", name) for name, is_there in is_installed.items()]
    extras = joined(states, ", ")
    if not lacking:
        return Finding(says("extras"), "good", extras, "")
    pattern = "Commands that need an extra say so. To add them: pip install '{0}[{1}]'"
    advice = says(pattern, DISTRIBUTION, ",".join(lacking))
    return Finding(says("extras"), "note", extras, advice)


def _starters() -> Iterator[Finding]:
    """Yield the findings about our two commands, ``pbem`` and ``gm``, on the path.

    Another program of the same name may come first there; nothing is said of a ``gm`` that is missing.
    """
    scripts = sysconfig.get_path("scripts")
    for name in (PROGRAM, "gm"):
        what = says("command {0}", name)
        paths = (shutil.which(name, path=folder) for folder in os.get_exec_path())
        programs = [Path(path) for path in paths if path]
        # the first one on the path that is not ours
        other_program = next((path for path in programs if OURS not in path.read_bytes()), None)
        if not programs:
            if name == PROGRAM:
                hint = says("Add {0} to PATH, or type: {1} -m gm", scripts, sys.executable)
                yield Finding(what, "note", says("there is no {0} on the path", name), hint)
        elif other_program is None or (name == PROGRAM and other_program != programs[0]):
            # another ``pbem`` does no harm if ours is the first on the path
            yield Finding(what, "good", str(programs[0]))
        elif name == PROGRAM:
            hint = says("Put {0} before it in PATH.", scripts)
            yield Finding(what, "wrong", says("{0} is another program of that name", other_program), hint)
        else:
            found_words = says("{0} is another program of that name", other_program)
            if other_program != programs[0]:
                found_words = says("{0}, and {1} comes before it", found_words, programs[0])
            hint = says("Type {0}, which does the same as our gm.", PROGRAM)
            yield Finding(what, "note", found_words, hint)


def _clock(place: Path) -> Finding:
    """Return the finding about the clock: there are time zones, and it agrees with new files and the journal.

    ``place``: the folder in which a file is made; if a game is there, its journal is read.
    """
    now = f"{clock.utc_now():%Y-%m-%d %H:%M} UTC"
    does = says("Set the clock from the network (timedatectl set-ntp true).")
    try:
        ZoneInfo("Europe/Berlin")
    except ZoneInfoNotFoundError:
        return Finding(
            says("clock"), "wrong", says("there are no time zones on this machine"), "pip install tzdata"
        )
    try:
        with tempfile.TemporaryFile(dir=place if os.access(place, os.W_OK) else None) as file:
            drift = os.fstat(file.fileno()).st_mtime - datetime.now(UTC).timestamp()
    except OSError as error:
        return Finding(
            says("clock"),
            "note",
            says("{0}; it cannot be compared with the disk's: {1}", now, os_trouble(error)),
        )
    if abs(drift) > _DRIFT:
        return Finding(
            says("clock"), "wrong", says("{0}; files are dated {1:+.0f} seconds from it", now, drift), does
        )
    with suppress(StoreError, IndexError, KeyError, ValueError):
        newest = max(datetime.fromisoformat(entry["at"]) for entry in journal_of(place).entries)
        if newest > clock.utc_now() + timedelta(minutes=5):
            return Finding(
                says("clock"),
                "wrong",
                says("{0}; the game's journal was written at {1:%Y-%m-%d %H:%M}", now, newest),
                does,
            )
    return Finding(says("clock"), "good", now)


def _disk(place: Path) -> Finding:
    """Return the finding about the room on the disk that a folder is on."""
    free = shutil.disk_usage(place).free
    found_words = says("{0:.1f} GiB free where {1} is", free / 1024**3, place)
    if free > _ROOM:
        return Finding(says("disk"), "good", found_words)
    return Finding(says("disk"), "wrong", found_words, says("Make room."))


def _game(folder: GameFolder) -> Iterator[Finding]:
    """Yield the findings about a game's folder: its permissions, its lock, and an interrupted command."""
    path = folder.path
    readable_by_others = list(trust.open_to_others(path))
    if not os.access(path, os.W_OK):
        yield Finding(
            says("permissions"),
            "wrong",
            says("{0} cannot be written to", path),
            says("Look at its owner and its permissions."),
        )
    elif readable_by_others:
        found_words = says(
            "others can read {0:file or folder|files and folders} of the game", Said(len(readable_by_others))
        )
        yield Finding(
            says("permissions"), "wrong", found_words, says("{0} status --tighten corrects it.", PROGRAM)
        )
    else:
        yield Finding(says("permissions"), "good", says("the game's files are yours alone"))
    try:
        with locked(path):
            yield Finding(says("lock"), "good", says("nobody else is working on the game"))
    except FolderBusyError:
        yield Finding(
            says("lock"),
            "note",
            says("another {0} is working on the game", PROGRAM),
            says("If it hangs, end it: that releases its lock."),
        )
    except OSError as error:
        yield Finding(
            says("lock"),
            "wrong",
            os_trouble(error),
            says("Locks need a disk that has them: not every network disk does."),
        )
    if needs_recovery(folder):
        yield Finding(
            says("leftovers"),
            "note",
            says("a command was cut short"),
            says("The next command completes it or removes it."),
        )


def _post(place: Path) -> Finding:
    """Return the finding about a game's mailbox and sending server, after a login to both.

    Without mail settings it says that there are none.
    """
    if not (place / MAIL_FILE).is_file():
        return Finding(
            says("mail"),
            "note",
            says("the game has no mail settings"),
            says("{0} mail setup makes them.", PROGRAM),
        )
    from gm.cli.mail import tried

    try:
        return Finding(says("mail"), "good", joined(tried(place), " "))
    except (click.ClickException, StoreError) as error:
        found_words = worded(error.message if isinstance(error, click.ClickException) else error)
        return Finding(
            says("mail"),
            "wrong",
            found_words.rstrip("."),
            says("Look at mail.yaml, then try again: pbem mail check."),
        )
