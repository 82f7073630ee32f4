"""A command at work on a game: it opens, locks and recovers it, and changes it with a journal line."""

import gc
import getpass
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm import __version__
from gm.campaign.guards import PINS, check_journals, pins_fingerprint, pins_problem
from gm.campaign.open import Campaign
from gm.campaign.pinning import (
    PINS_FILE,
    changed_rules,
    pins_bytes,
    pins_of,
    refusal,
    rules_in_force,
    same_files,
)
from gm.campaign.recovery import interrupted, needs_recovery, progress_mark, recover
from gm.cli import clock
from gm.cli.options import folder_or_default
from gm.cli.output import Failure, Refusal, echo, os_trouble, shown_path, stopped, warn
from gm.cli.speech import use_words_of
from gm.cli.table_cache import game_table, keep_templates
from gm.core.diagnostics import printable, says
from gm.game.values import Seat
from gm.games import game_spec, why_unknown
from gm.store import BrokenFolderError, FolderBusyError, NoGameFolderError, change
from gm.store.disk import locked, unfinished_name, write_file
from gm.store.folder import MAIL_FILE, GameFolder
from gm.store.journal import journal_of, note, post_ends
from gm.store.moments import fixed, local_moment

if TYPE_CHECKING:
    from gm.mail.game_mail import GameMail

GO_ON = says("To go on with the installed rules, if you are sure that you want that, run 'pbem upgrade'.")

FOLLOWING = {  # what is left to do after a command's change, as the journal names it, in gm.mail.following
    "player replace": "queue_dossier",
    "deadline": "queue_deadline",
    "announce": "queue_announcement",
    "seat open": "queue_opening",
    "settings": "queue_settings",
    "undo": "finish_undo",
    "undo --reopen": "finish_undo",
}


def moment(at: str | None, zone: str) -> datetime:
    """Return the time of ``--at``, in ``zone`` unless it has an offset of its own.

    Without one, the clock's time.
    """
    if at is None:
        return fixed(clock.utc_now(), zone)
    try:
        instant = datetime.fromisoformat(at.strip())
    except ValueError:
        raise click.BadParameter(
            says("{0!r} is not a time; write it like '2026-01-09 20:15'", at), param_hint="'--at'"
        ) from None
    return instant if instant.tzinfo else local_moment(instant, zone)


def game_time(campaign: Campaign, at: str | None) -> datetime:
    """Return the time of ``--at``, or the clock's, in a game's time zone."""
    return moment(at, campaign.folder.settings.deadline.zone)


def acting() -> str:
    """Return the name of the person at the keyboard, for the journal.

    ``--as NAME``, ``GM_NAME`` in the environment, or the login name.
    """
    context = click.get_current_context(silent=True)
    name = (context.find_root().params.get("as_name") if context else None) or os.environ.get("GM_NAME", "")
    if not name.strip():
        with suppress(OSError, KeyError, ImportError):  # an account may have no name
            name = getpass.getuser()
    return printable(" ".join(name.split()))[:60] or "unknown"


# -- opening -------------------------------------------------------------------------------------------------


def open_campaign(game_folder: Path | None, *, drawings: bool = True, recovering: bool = True) -> Campaign:
    """Return the game in a folder, or around the current directory.

    An interrupted command is recovered first, unless another command is changing the game or nothing can be
    written. Without ``drawings``, the parts of the map that only drawings need are left out. Raises
    ``StoreError``, ``SourceError``.
    """
    folder = GameFolder.find(folder_or_default(game_folder))
    if recovering and needs_recovery(folder):
        try:
            with suppress(FolderBusyError), locked(folder.path):
                _recover(folder)
        except OSError as error:
            echo(
                says("An earlier command was cut short, and cannot be completed now: {0}", os_trouble(error)),
                err=True,
            )
    return _campaign(GameFolder(folder.path), drawings=drawings)


def post_of(campaign: Campaign) -> "GameMail | None":
    """Return the game's mail, if it has one."""
    if not (campaign.folder.path / MAIL_FILE).is_file():
        return None
    from gm.mail.game_mail import GameMail

    return GameMail(campaign)


def is_game(folder: Path | None) -> bool:
    """Return whether there is a game in a folder, or around the current directory."""
    with suppress(NoGameFolderError):
        return bool(GameFolder.find(folder_or_default(folder)))
    return False


def _campaign(folder: GameFolder, *, drawings: bool = True) -> Campaign:
    """Return the game of a folder. Raises ``Failure`` if the program for it is not installed."""
    name = folder.settings.game
    why = why_unknown(name)
    if why:
        sentence = why if why.endswith("?") else says("{0}.", why)
        hint = says("Does it come with a package that is not installed?")
        raise Failure(says("{0}: {1} {2}", folder.path / "game.yaml", sentence, hint))
    spec = game_spec(name)
    use_words_of(spec.key, folder.settings.language)
    if drawings:
        keep_templates()
    return Campaign(folder, spec, lambda path: game_table(spec, path, drawings=drawings))


def known_seat(campaign: Campaign, realm: str) -> Seat:
    """Return the seat of a realm. Raises ``Failure`` for an unknown realm."""
    seat = campaign.seat(realm.upper())
    if seat is None:
        raise Failure(
            says(
                "This game has no realm {0}; it has {1}.",
                realm,
                ", ".join(seat.code for seat in campaign.seats),
            )
        )
    return seat


def known_turn(campaign: Campaign, turn: int | None) -> int:
    """Return a played turn; None means the newest. Raises ``Failure`` for one that was not played."""
    newest = campaign.newest_turn
    if turn is not None and turn > newest:
        raise Failure(says("Turn {0} has not been played; the newest is turn {1}.", turn, newest))
    return newest if turn is None else turn


# -- interrupted commands ------------------------------------------------------------------------------------


def _recover(folder: GameFolder) -> None:
    def follow(did: str, entry: Mapping[str, Any]) -> None:
        _follow_up(did, _campaign(folder), entry)

    for line in recover(folder, clock.utc_now(), {did: partial(follow, did) for did in FOLLOWING}):
        warn(line, err=True)


def _follow_up(did: str, campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Carry out the consequences of a change whose files are written, for the first time or again.

    Returns how many letters were queued. ``entry``: the journal's line about it.
    """
    queued: int = getattr(import_module("gm.mail.following"), FOLLOWING[did])(campaign, entry)
    return queued


@contextmanager
def making(folder: Path) -> Iterator[None]:
    """Print, after a command made this folder, that an earlier run was interrupted while it made it."""
    if folder.name in ("", ".."):
        raise Failure(says("{0} is a folder that may be in use: name a new one.", folder))
    leftover = unfinished_name(folder).exists()
    yield
    if leftover:
        what = says(
            "{0} was not finished before: nothing of it counted, and it was removed.", shown_path(folder)
        )
        warn(what, err=True)


# -- changing ------------------------------------------------------------------------------------------------


@contextmanager
def changing(
    game_folder: Path | None, *, by_steps: bool = False, drawings: bool = True, any_rules: bool = False
) -> Iterator[Campaign]:
    """Open a game to change it, with its lock held and nothing unfinished in it.

    An error of the disk is raised as a ``Failure`` that says whether the game was changed. ``by_steps``: the
    command makes many changes, each of which counts when it is done. Without ``drawings``, the parts of the
    map that only drawings need are left out, as in :func:`open_campaign`. A game whose rules are not those
    that it began with is a ``Refusal``, except with ``any_rules``.
    """
    path = GameFolder.find(folder_or_default(game_folder)).path
    with locked(path), uncollected():
        _recover(GameFolder(path))
        folder = GameFolder(path)
        before = progress_mark(folder)
        try:
            campaign = _campaign(folder, drawings=drawings)
            _keep_to_rules(campaign, any_rules=any_rules)
            before = progress_mark(folder)
            yield campaign
        except BrokenPipeError:
            raise  # the reader of our output has gone: click ends quietly
        except OSError as error:
            stands = _what_stands(path, before, by_steps=by_steps)
            raise Failure(says("{0} {1}", os_trouble(error), stands)) from error
        except (KeyboardInterrupt, click.Abort) as error:
            stands = _what_stands(path, before, by_steps=by_steps)
            raise stopped(says("Stopped. {0}", stands), error) from error


def _what_stands(path: Path, before: tuple[int, str], *, by_steps: bool) -> str:
    """Return which part of an interrupted change took effect.

    ``before``: the game's progress when the change began.
    """
    return says("What was done until then counts.") if by_steps else interrupted(GameFolder(path), before)


def _keep_to_rules(campaign: Campaign, *, any_rules: bool) -> None:
    """Raise ``Refusal`` for a game that began with other rules, ``StoreError`` for pins that cannot be read.

    A game without pins gets them; the lock is held.
    """
    path = campaign.folder.path
    spec = campaign.spec
    if not any_rules:
        check_journals(campaign.folder)
    problem = pins_problem(path)
    if problem:
        if any_rules:
            return
        raise BrokenFolderError(says("{0}. Restore it from a backup. {1}", problem, GO_ON))
    pins = pins_of(path)
    files = rules_in_force(spec, path)
    if pins is not None and same_files(pins, spec, files):
        return
    changes = changed_rules(campaign)
    if changes:
        if not any_rules:
            _ = campaign.table  # what cannot be read at all is told with its place
            raise Refusal(refusal(changes, pins))
        return
    # a game that is older than its pins, or files in which nothing but remarks has changed
    program = pins.program if pins else __version__
    data = pins_bytes(spec, files, program)
    if journal_of(path).entries:
        noted: dict[str, Any] = {"program": program, PINS: pins_fingerprint(data)}
        carry_out(campaign, "pin", {path / PINS_FILE: data}, **noted)
    else:
        write_file(path / PINS_FILE, data)


def pins_noted(campaign: Campaign) -> dict[str, str]:
    """Return the journal line's entries about the rules that the game is played by."""
    path = campaign.folder.path / PINS_FILE
    return {PINS: pins_fingerprint(path.read_bytes())} if path.is_file() else {}


@contextmanager
def uncollected() -> Iterator[None]:
    """Suspend garbage collection: a large turn holds its objects, and collecting takes 5% of its time."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def carry_out(
    campaign: Campaign,
    did: str,
    files: Mapping[Path, bytes | None],
    *,
    outside: tuple[Path, bytes] | None = None,
    at: str | None = None,
    **more: Any,
) -> int:
    """Write files of a game, whole or not at all, with a line in the journal; the lock is held.

    Returns how many letters were queued about it. ``did``: the command's name in the journal; ``at``: as for
    :func:`moment`; ``more``: plain data for the line, nothing secret: no key, no address.
    """
    queued = 0

    def following(entry: Mapping[str, Any]) -> None:
        nonlocal queued
        queued = _follow_up(did, campaign.reopened(), entry)

    folder = campaign.folder.path
    names = {path.relative_to(folder).as_posix(): data for path, data in files.items()}
    entry = {
        "at": game_time(campaign, at).isoformat(),
        "did": did,
        "by": acting(),
        **more,
        **post_ends(folder),
    }
    change.carry_out(folder, names, entry, following=following if did in FOLLOWING else None, outside=outside)
    return queued


def note_action(campaign: Campaign, did: str, **more: Any) -> None:
    """Add a line about a command to the GM's journal; the lock is held.

    The line must hold nothing secret: no key, no address.
    """
    note(campaign.folder.path, did, game_time(campaign, None), by=acting(), **more)
