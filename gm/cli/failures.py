"""Errors as a GM sees them: a sentence and what to do; for a bug, where the report about it lies."""

from __future__ import annotations

import errno
import tempfile
import traceback
from pathlib import Path

import click

REFUSED = 1
"""Exit code: the command understood and said no, or something needs attention."""
FAILED = 2
"""Exit code: wrong usage, or files that cannot be used."""


class Refusal(click.ClickException):
    """The command says no; nothing was changed."""

    exit_code = REFUSED


class Failure(click.ClickException):
    """The command cannot do its work with what it was given."""

    exit_code = FAILED


class _LocatedFailure(Failure):
    """A file does not fit; the diagnostics stand on lines of their own."""

    def show(self, file: object = None) -> None:
        click.echo(self.format_message(), err=True)


def as_failure(error: Exception) -> click.ClickException:
    """What to raise in place of an error that a command let through."""
    # the store is not imported before there is an error: a command that needs no game folder starts faster
    from gm.core.diagnostics import SourceError
    from gm.store import FolderBusyError, StoreError

    if isinstance(error, FolderBusyError):
        return Refusal(str(error))
    if isinstance(error, StoreError):
        return Failure(str(error))
    if isinstance(error, SourceError):
        return _LocatedFailure("\n".join(each.render(colour=True) for each in error.diagnostics))
    if isinstance(error, OSError):
        return Failure(os_trouble(error))
    return bug(error)


_ADVICE = {
    errno.ENOSPC: "The disk is full: make room, then run the command again.",
    getattr(errno, "EDQUOT", -1): "Your share of the disk is full: make room, then run the command again.",
    errno.EFBIG: "A file may not become that large here: raise the limit, then run the command again.",
    errno.EROFS: "The disk can only be read.",
    errno.EACCES: "You may not do that there: look at the owner and the permissions.",
    errno.EPERM: "You may not do that there: look at the owner and the permissions.",
    errno.EIO: "The disk may be failing: make a copy of the game before you go on.",
}


def os_trouble(error: OSError) -> str:
    """An error of the system as a sentence: what it is about, and what to do."""
    where = f"{error.filename}: " if error.filename else ""
    advice = _ADVICE.get(error.errno or 0)
    return f"{where}{error.strerror or error}.{' ' + advice if advice else ''}"


def bug(error: BaseException, folder: Path | None = None, doing: str = "") -> Failure:
    """The failure for an error of the program itself. The details go to a file in ``folder``, or a temporary one."""
    from gm import __version__
    from gm.store.disk import write_file

    details = f"gm {__version__}{' ' + doing if doing else ''}\n\n{''.join(traceback.format_exception(error))}"
    try:
        path = _crash_file(folder, details)
        write_file(path, details.encode("utf-8", "replace"))
    except OSError:
        return Failure(f"This is an error in gm itself, and nothing was changed:\n{details}")
    return Failure(
        f"This is an error in gm itself, not in your game; nothing was changed. The details are in {path}: please send "
        "that file to whoever maintains gm."
    )


def _crash_file(folder: Path | None, details: str) -> Path:
    """Where the details go: the same error, met again in every run, fills no disk."""
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="gm-crash-"))
    number = 1
    while (path := folder / f"crash-{number}.txt").exists() and path.read_text(encoding="utf-8") != details:
        number += 1
    return path
