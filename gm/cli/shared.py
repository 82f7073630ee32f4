"""What the commands share: finding the game, the time that counts as now, and how things are printed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gm.cli.failures import Failure

if TYPE_CHECKING:
    from gm.kernel.campaign import Campaign
    from gm.kernel.diagnostics import Diagnostic

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


def at_option(function: F) -> F:
    """``--at TIME``: what counts as now."""
    return click.option(
        "--at",
        metavar="TIME",
        help="What counts as now, e.g. '2026-01-09 20:15' in the game's time zone. Default: the clock.",
    )(function)


def open_campaign(game_folder: Path | None) -> Campaign:
    """The game in a folder, or around the current directory. Raises ``StoreError``, ``SourceError``."""
    from gm.games import GAMES, game_spec
    from gm.kernel.campaign import Campaign
    from gm.kernel.store import GameFolder

    folder = GameFolder.find(game_folder or Path.cwd())
    name = folder.settings.game
    if name not in GAMES:
        raise Failure(f"{folder.path / 'game.yaml'}: this gm does not know the game {name!r}; it knows {_known()}.")
    return Campaign(folder, game_spec(name))


def _known() -> str:
    from gm.games import GAMES

    return ", ".join(sorted(GAMES))


def moment(at: str | None, zone: str) -> datetime:
    """The time that ``--at`` gives, in ``zone`` unless it has an offset of its own; the clock's time without."""
    from gm.kernel.store.deadlines import fixed, local_moment

    if at is None:
        return fixed(datetime.now(UTC).replace(microsecond=0), zone)
    try:
        given = datetime.fromisoformat(at.strip())
    except ValueError:
        raise click.BadParameter(f"{at!r} is no time; write it like '2026-01-09 20:15'", param_hint="'--at'") from None
    return given if given.tzinfo else local_moment(given.date(), given.time(), zone)


def note_action(campaign: Campaign, did: str, **more: Any) -> None:
    """Put what a command did into the GM's journal; the lock is held. Nothing secret goes in: no key, no address."""
    from gm.kernel.campaign.actions import note

    note(campaign.folder.path, did, moment(None, campaign.folder.settings.deadline.zone), **more)


def print_json(data: Any) -> None:
    """One JSON document."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def print_diagnostics(diagnostics: Sequence[Diagnostic], limit: int = 50) -> None:
    """Findings, in colour on a terminal."""
    from gm.kernel.diagnostics import render_all

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
