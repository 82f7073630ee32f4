"""A command at work on a game: it opens, locks and recovers it, and records its changes in the journal."""

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

# by a command's name in the journal: the function of gm.mail.following that acts on its change afterwards
FOLLOWING = {
    "player replace": "queue_dossier",
    "deadline": "queue_deadline",
    "announce": "queue_announcement",
    "seat open": "queue_opening",
    "settings": "queue_settings",
    "undo": "finish_undo",
    "undo --reopen": "finish_undo",
}


def moment(at: str | None, zone: str) -> datetime:
    """Return the time of ``--at``; if that is None, the clock's time.

    ``zone``: the time zone of the result, and of an ``at`` without an offset. Raises ``click.BadParameter``
    for text that is no time.
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
    """Return the time of ``--at``, or the clock's, as :func:`moment` does with the game's time zone."""
    return moment(at, campaign.folder.settings.deadline.zone)


def acting() -> str:
    """Return the name of the person who runs the command, for the journal.

    It is that of ``--as``, else ``GM_NAME`` in the environment, else the login name.
    """
    context = click.get_current_context(silent=True)
    name = (context.find_root().params.get("as_name") if context else None) or os.environ.get("GM_NAME", "")
    if not name.strip():
        with suppress(OSError, KeyError, ImportError):  # an account may have no name
            name = getpass.getuser()
    return printable(" ".join(name.split()))[:60] or "unknown"


# -- opening -------------------------------------------------------------------------------------------------


def open_campaign(game_folder: Path | None, *, drawings: bool = True, recovering: bool = True) -> Campaign:
    """Return the game in a folder; without one, that of ``GM_GAME``, else that around the current directory.

    An interrupted command is recovered first if ``recovering``, unless another command is changing the game
    or nothing can be written. Without ``drawings``, the parts of the map that only drawings need are left
    out. Raises ``StoreError``, ``SourceError``.
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
    """Return the game's mail; None for a game without mail."""
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
    """Return a folder's game, ready for ``drawings`` or not. Raises ``Failure`` if its program is missing."""
    name = folder.settings.game
    why = why_unknown(name)
    if why:
        sentence = why if why.endswith("?") else says("{0}.", why)
        hint = says("Does it come with a package that is not installed?")
        raise Failure(says("{0}: {1} {2}", folder.path / "game.yaml", sentence, hint))
    spec = game_spec(name)
    use_words_of(spec.key, folder.settings.language)  # in all messages from now on
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
    """Complete or remove what an interrupted command left in a game's folder, and print what was done."""

    def follow(did: str, entry: Mapping[str, Any]) -> None:
        """Act on a change whose files the interrupted command has written."""
        _follow_up(did, _campaign(folder), entry)

    for line in recover(folder, clock.utc_now(), {did: partial(follow, did) for did in FOLLOWING}):
        warn(line, err=True)


def _follow_up(did: str, campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Act on a change of the command ``did`` whose files are written; it may be called again after a crash.

    Returns how many letters were queued. ``entry``: the journal's line about the change.
    """
    queued: int = getattr(import_module("gm.mail.following"), FOLLOWING[did])(campaign, entry)
    return queued


@contextmanager
def making(folder: Path) -> Iterator[None]:
    """Print, after the block has made this folder, that an earlier run left it unfinished, if one did.

    Raises ``Failure`` for a folder that has no name of its own, such as ``..``.
    """
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
    """Yield a game to be changed inside the block, with its lock held and nothing unfinished in it.

    An error of the disk, or Ctrl-C, becomes an error that says whether the game was changed. ``by_steps``:
    the command makes many changes, each of which counts when it is done. Without ``drawings``, the parts of
    the map that only drawings need are left out, as in :func:`open_campaign`. Raises ``Refusal`` for a game
    whose rules are not those that it began with, unless ``any_rules``.
    """
    path = GameFolder.find(folder_or_default(game_folder)).path
    with locked(path), uncollected():
        _recover(GameFolder(path))
        folder = GameFolder(path)  # another object: recovery may have written files that the first has read
        before = progress_mark(folder)
        try:
            campaign = _campaign(folder, drawings=drawings)
            _keep_to_rules(campaign, any_rules=any_rules)
            before = progress_mark(folder)  # again: the rules may have been pinned
            yield campaign
        except BrokenPipeError:
            raise  # the reader of our output has gone: click ends quietly
        except OSError as error:
            effect = _effect_of_interrupted(path, before, by_steps=by_steps)
            raise Failure(says("{0} {1}", os_trouble(error), effect)) from error
        except (KeyboardInterrupt, click.Abort) as error:
            effect = _effect_of_interrupted(path, before, by_steps=by_steps)
            raise stopped(says("Stopped. {0}", effect), error) from error


def _effect_of_interrupted(path: Path, before: tuple[int, str], *, by_steps: bool) -> str:
    """Return a message: which part of an interrupted command took effect.

    ``path``: the game's folder; ``before``: its :func:`progress_mark` when the command began; ``by_steps``:
    the command makes many changes, each of which counts when it is done.
    """
    return says("What was done until then counts.") if by_steps else interrupted(GameFolder(path), before)


def _keep_to_rules(campaign: Campaign, *, any_rules: bool) -> None:
    """Raise ``Refusal`` for a game that began with other rules than the present ones, unless ``any_rules``.

    Its pins are the rules that it began with. A game without pins gets them, and one whose rules differ from
    its pins only in comments gets new ones. Raises ``StoreError`` for pins or journals that cannot be read,
    unless ``any_rules``. The caller holds the lock.
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
            _ = campaign.table  # rules that cannot be read raise an error with the place in the file
            raise Refusal(refusal(changes, pins))
        return
    # the game was begun by a version without pins, or nothing but comments has changed in the files
    program = pins.program if pins else __version__
    data = pins_bytes(spec, files, program)
    if journal_of(path).entries:
        noted: dict[str, Any] = {"program": program, PINS: pins_fingerprint(data)}
        carry_out(campaign, "pin", {path / PINS_FILE: data}, **noted)
    else:  # a game of a version without journals gets none
        write_file(path / PINS_FILE, data)


def pins_noted(campaign: Campaign) -> dict[str, str]:
    """Return the fingerprint of the pinned rules as an entry for a journal line; empty without pins."""
    path = campaign.folder.path / PINS_FILE
    return {PINS: pins_fingerprint(path.read_bytes())} if path.is_file() else {}


@contextmanager
def uncollected() -> Iterator[None]:
    """Suspend garbage collection inside the block: it takes 5% of a large turn's time and finds nothing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
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
    """Write files of a game, all or none, with a line in the journal; the caller holds the lock.

    Returns how many letters were queued about it. ``did``: the command's name in the journal; ``files``:
    contents by path, None to remove one; ``outside``: path and content of a file outside the folder, written
    with them; ``at``: the time of ``--at``, None for now; ``more``: plain data for the line, nothing secret:
    no key, no address.
    """
    queued = 0

    def following(entry: Mapping[str, Any]) -> None:
        """Act on the change, and keep how many letters were queued."""
        nonlocal queued
        queued = _follow_up(did, campaign.reopened(), entry)

    folder = campaign.folder.path
    contents = {path.relative_to(folder).as_posix(): data for path, data in files.items()}
    entry = {
        "at": game_time(campaign, at).isoformat(),
        "did": did,
        "by": acting(),
        **more,
        **post_ends(folder),  # so that lines that a mail journal loses show
    }
    acts = following if did in FOLLOWING else None
    change.carry_out(folder, contents, entry, following=acts, outside=outside)
    return queued


def note_action(campaign: Campaign, did: str, **more: Any) -> None:
    """Add a line about a command to the GM's journal; the caller holds the lock.

    ``did``: the command's name in the journal; ``more``: plain data for the line, nothing secret.
    """
    note(campaign.folder.path, did, game_time(campaign, None), by=acting(), **more)
