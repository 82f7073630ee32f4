"""What the commands share: finding the game, the time that counts as now, and how things are printed."""

from __future__ import annotations

import gc
import getpass
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gm.cli.failures import Failure, os_trouble

if TYPE_CHECKING:
    from gm.campaign.open import Campaign
    from gm.core.diagnostics import Diagnostic
    from gm.store.change import Following, Outside
    from gm.store.folder import GameFolder

F = TypeVar("F", bound=Callable[..., Any])


def game_option(function: F) -> F:
    """``--game FOLDER``: the game folder; without it, the one around the current directory."""
    return click.option(
        "--game",
        "-g",
        "game_folder",
        metavar="FOLDER",
        type=click.Path(path_type=Path, file_okay=False, exists=True),
        help="The game's folder. Default: the current directory or the nearest above it that holds a game.",
    )(function)


def json_option(function: F) -> F:
    """``--json``: print one JSON document for scripts."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for scripts.")(function)


def bot_reports_option(function: F) -> F:
    """``--bot-reports``: write what nobody reads, too."""
    return click.option("--bot-reports", is_flag=True, help="Write the reports of seats that bots play, too.")(function)


def name_option(says: str, default: str | None = None) -> Callable[[F], F]:
    """``--name NAME``: a player's name, refused when it is none that ``players.yaml`` may hold."""
    return click.option("--name", default=default, callback=player_name, help=says)


def player_name(_context: click.Context, _option: click.Parameter | None, text: str | None) -> str | None:
    """A player's name as it was typed. Raises ``click.BadParameter``."""
    from gm.store.settings import checked_name

    try:
        return text and checked_name(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


def at_option(function: F) -> F:
    """``--at TIME``: what counts as now."""
    return click.option(
        "--at",
        metavar="TIME",
        help="What counts as now, e.g. '2026-01-09 20:15' in the game's time zone. Default: the clock.",
    )(function)


def open_campaign(game_folder: Path | None, *, drawings: bool = True, recover: bool = True) -> Campaign:
    """The game in a folder, or around the current directory. What a run that was cut short has left is put right first,
    and told, unless not to ``recover``. Without ``drawings``, what only those need of the map is left out. Raises
    ``StoreError``, ``SourceError``.
    """
    from gm.store.folder import GameFolder

    folder = GameFolder.find(game_folder or Path.cwd())
    if recover:
        _look_after(folder)
    return _campaign(GameFolder(folder.path), drawings)


@contextmanager
def changing(
    game_folder: Path | None, *, by_steps: bool = False, drawings: bool = True, any_rules: bool = False
) -> Iterator[Campaign]:
    """The same for a command that changes the game: the lock is held, and nothing unfinished is there.

    An error of the disk comes out as a ``Failure`` that says whether the game was changed. ``by_steps``: what the
    command does is many things, each of which counts when it is done. A game that was begun by other rules than would
    be played now is a ``Refusal``, but for commands that are to work with ``any_rules``.
    """
    from gm.campaign.recovery import interrupted, progress_mark
    from gm.cli.upgrade import keep_to_rules
    from gm.store.folder import GameFolder
    from gm.store.lock import locked

    path = GameFolder.find(game_folder or Path.cwd()).path
    with locked(path), uncollected():
        _settle(GameFolder(path))
        folder = GameFolder(path)
        before = progress_mark(folder)
        try:
            campaign = _campaign(folder, drawings)
            keep_to_rules(campaign, any_rules=any_rules)
            before = progress_mark(folder)
            yield campaign
        except BrokenPipeError:
            raise  # the reader of our output has gone: click ends quietly
        except OSError as error:
            stands = "What was done until then stands." if by_steps else interrupted(GameFolder(path), before)
            raise Failure(f"{os_trouble(error)} {stands}") from error


def _campaign(folder: GameFolder, drawings: bool = True) -> Campaign:
    from gm.campaign.open import Campaign
    from gm.cli.table_cache import game_table, keep_templates
    from gm.games import GAMES, game_spec

    name = folder.settings.game
    if name not in GAMES:
        raise Failure(f"{folder.path / 'game.yaml'}: this gm does not know the game {name!r}; it knows {_known()}.")
    spec = game_spec(name)
    if drawings:
        keep_templates()
    return Campaign(folder, spec, lambda path: game_table(spec, path, drawings=drawings))


def _look_after(folder: GameFolder) -> None:
    """Settle what is to be settled, unless somebody else is just changing the game or nothing can be written."""
    from gm.campaign.recovery import needs_recovery
    from gm.store import FolderBusyError
    from gm.store.lock import locked

    if not needs_recovery(folder):
        return
    try:
        with locked(folder.path):
            _settle(folder)
    except FolderBusyError:
        return
    except OSError as error:
        click.echo(f"An earlier command was cut short, and cannot be put right now: {os_trouble(error)}", err=True)


def _settle(folder: GameFolder) -> None:
    from gm.campaign.recovery import recover

    for each in recover(folder, datetime.now(UTC).replace(microsecond=0), _followings(folder)):
        click.echo(click.style(each, fg="yellow"), err=True)


@contextmanager
def making(folder: Path) -> Iterator[None]:
    """For a command that makes this folder: say afterwards that an earlier run was to make it and was cut short."""
    from gm.store.disk import unfinished_name

    found = unfinished_name(folder).exists()
    yield
    if found:
        said = f"{shown_path(folder)} was not finished before: nothing of that counted, and it was cleared away."
        click.echo(click.style(said, fg="yellow"), err=True)


def _followings(folder: GameFolder) -> dict[str, Following]:
    """What commands do after their files are in place, by their name in the journal."""

    def replaced(entry: Mapping[str, Any]) -> None:
        from gm.cli.player import queue_dossier

        queue_dossier(_campaign(folder), entry)

    def deadline_changed(entry: Mapping[str, Any]) -> None:
        from gm.mail.news import queue_deadline

        queue_deadline(_campaign(folder), entry)

    def announced(entry: Mapping[str, Any]) -> None:
        from gm.mail.news import queue_announcement

        queue_announcement(_campaign(folder), entry)

    def undone(entry: Mapping[str, Any]) -> None:
        from gm.cli.undo import take_back

        take_back(_campaign(folder, drawings=False), entry)

    changed = {"deadline": deadline_changed, "announce": announced, "undo": undone, "undo --reopen": undone}
    return {"player replace": replaced, **changed}


def carry_out(
    campaign: Campaign,
    did: str,
    files: Mapping[Path, bytes | None],
    *,
    following: Following | None = None,
    outside: Outside | None = None,
    now: str | None = None,
    **more: Any,
) -> None:
    """Write what a command makes of files of a game, by place, whole or not at all, with its line in the journal; the
    lock is held. ``now``: as :func:`moment` takes it. ``more``: plain data for that line, nothing secret: no key, no
    address.
    """
    from gm.store.change import carry_out as carry_out_change
    from gm.store.journal import post_ends

    folder = campaign.folder.path
    names = {path.relative_to(folder).as_posix(): data for path, data in files.items()}
    at = moment(now, campaign.folder.settings.deadline.zone).isoformat()
    entry = {"at": at, "did": did, "by": acting(), **more, **post_ends(folder)}
    carry_out_change(folder, names, entry, following=following, outside=outside)


def _known() -> str:
    from gm.games import GAMES

    return ", ".join(sorted(GAMES))


def moment(at: str | None, zone: str) -> datetime:
    """The time that ``--at`` gives, in ``zone`` unless it has an offset of its own; the clock's time without."""
    from gm.store.deadlines import fixed, local_moment

    if at is None:
        return fixed(datetime.now(UTC).replace(microsecond=0), zone)
    try:
        given = datetime.fromisoformat(at.strip())
    except ValueError:
        raise click.BadParameter(f"{at!r} is no time; write it like '2026-01-09 20:15'", param_hint="'--at'") from None
    return given if given.tzinfo else local_moment(given.date(), given.time(), zone)


def acting() -> str:
    """Who types the commands, for the journal: ``gm --as NAME``, ``GM_NAME`` in the environment, or the login name."""
    from gm.core.diagnostics import printable

    context = click.get_current_context(silent=True)
    named = context.find_root().params.get("as_name") if context else None
    name = named or os.environ.get("GM_NAME", "")
    if not name.strip():
        try:
            name = getpass.getuser()
        except (OSError, KeyError, ImportError):  # an account without a name
            name = ""
    return printable(" ".join(name.split()))[:60] or "unknown"


def note_action(campaign: Campaign, did: str, **more: Any) -> None:
    """Put what a command did into the GM's journal; the lock is held. Nothing secret goes in: no key, no address."""
    from gm.store.journal import note

    note(campaign.folder.path, did, moment(None, campaign.folder.settings.deadline.zone), by=acting(), **more)


def last_turn_words(campaign: Campaign) -> str:
    """What the journal tells of the newest turn: when it was played or taken back; empty for a game without one."""
    from gm.campaign.recovery import UNDO, last_turn
    from gm.store.deadlines import fixed

    entry = last_turn(campaign.folder.path)
    if entry is None:
        return ""
    what = "taken back" if entry["did"] == UNDO else "played"
    at = fixed(datetime.fromisoformat(entry["at"]), campaign.folder.settings.deadline.zone)
    return f"Turn {entry['turn']} was {what} on {at:%Y-%m-%d %H:%M}."


@contextmanager
def uncollected() -> Iterator[None]:
    """Do not look for garbage meanwhile: a large turn keeps what it makes to its end, and looking through that takes a
    twentieth of it."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def named(turn: int, name: str) -> str:
    """A turn as a GM is told of it: by its number, which its folder has, and by what players call it."""
    return name if name == f"turn {turn}" else f"turn {turn} ({name})"


def over(campaign: Campaign) -> str:
    """How a game that is over has ended, in a sentence."""
    from gm.text.pages import listed

    names = {seat.code: seat.name for seat in campaign.seats}
    winners = [names.get(code, code) for code in campaign.winners or ()]
    return f"the game is over; {f'{listed(winners)} won' if winners else 'it is a draw'}."


def print_json(data: Any) -> None:
    """One JSON document."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def print_diagnostics(diagnostics: Sequence[Diagnostic], limit: int = 50) -> None:
    """Findings, in colour on a terminal."""
    from gm.core.diagnostics import render_all

    if diagnostics:
        click.echo(render_all(diagnostics, colour=True, limit=limit))


def diagnostic_data(found: Diagnostic) -> dict[str, Any]:
    """A finding for ``--json``."""
    from dataclasses import asdict

    return asdict(found)


def counted(count: int, word: str, plural: str = "") -> str:
    """``1 warning``, ``2 warnings``."""
    return f"{count} {word if count == 1 else plural or word + 's'}"


def shown_path(path: Path) -> str:
    """A path as short as it can be said from here."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
