"""``gm check``: one order file, read as the turn reads it and tried as the turn would carry it out."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import click

from gm.campaign.check import CheckContext, CheckResult, check_file, check_text
from gm.cli.failures import FAILED, REFUSED, Failure, as_failure
from gm.cli.options import FILE, FOLDER, AsJson, GameFolder, argument, gm_command, option
from gm.cli.output import diagnostic_data, print_json
from gm.cli.positions import results_context
from gm.cli.session import is_game, open_campaign
from gm.core.diagnostics import SourceError
from gm.store import StoreError

Stamp = tuple[int, int, int] | None
"""When a file was written last, its size and its inode; none while it is not there."""

INTERVAL = 0.2
"""Seconds between two looks at a watched file."""
SETTLING = 0.05
"""Seconds that files must stay as they are before a change counts: an editor may still be writing."""
PATIENCE = 40
"""How many times to wait for that, of a file that never rests."""


@gm_command("check")
def command(
    file: Annotated[Path, argument(type=FILE)],
    strict: Annotated[bool, option("--strict", is_flag=True)],
    results: Annotated[Path | None, option("--results", type=FILE, metavar="FILE")],
    map_folder: Annotated[Path | None, option("--map", type=FOLDER, metavar="FOLDER")],
    watch: Annotated[bool, option("--watch", is_flag=True)],
    game_folder: GameFolder,
    as_json: AsJson,
) -> None:
    if watch and as_json:
        raise click.UsageError("--watch is for people and --json for programs: choose one of them.")
    if map_folder is not None and results is None:
        raise click.UsageError("--map goes with --results; a game folder has its map in it.")

    def context() -> CheckContext:
        return results_context(results, map_folder) if results else _game_context(game_folder)

    if watch:
        code = _watch(file, results, context, strict)
    else:
        checked = check_file(context(), file)
        if as_json:
            print_json(_data(checked))
        else:
            click.echo(_text(checked))
        code = _exit_code(checked, strict)
    click.get_current_context().exit(code)


def _exit_code(checked: CheckResult, strict: bool) -> int:
    if checked.errors:
        return FAILED
    return REFUSED if strict and checked.diagnostics else 0


def _text(checked: CheckResult) -> str:
    return check_text(checked, shutil.get_terminal_size().columns, style=click.style, on_terminal=sys.stdout.isatty())


def _game_context(game_folder: Path | None) -> CheckContext:
    """What a GM checks against: his game folder, or the one around the current directory."""
    if not is_game(game_folder):
        raise Failure(
            "There is nothing to check against: give your last results with --results FILE, or the game with "
            "--game FOLDER."
        )
    campaign = open_campaign(game_folder, drawings=False)
    return CheckContext(campaign.spec, campaign.table, campaign.state, campaign.folder.settings.id, dict(campaign.keys))


def _data(checked: CheckResult) -> dict[str, Any]:
    """The check for ``--json``. Gold is text, exact to 1/100; below 0 an order brings some."""
    preview = checked.preview
    return {
        "file": str(checked.file),
        "realm": checked.reading.realm or None,
        "readable": checked.reading.sheet is not None,
        "errors": checked.errors,
        "warnings": checked.warnings,
        "diagnostics": [diagnostic_data(each) for each in checked.diagnostics],
        "orders": [
            {
                **{name: getattr(each, name) for name in ("line", "column", "order", "fate", "open", "reason")},
                "figures": dict(each.figures),
                "clause": each.clause,
                "says": each.says,
                "cost": {"gold": str(each.gold), "moves": each.moves},
            }
            for each in preview.orders
        ],
        "plan": [
            {
                "phase": phase.phase,
                "units": {
                    key: {"place": at.place, "aboard": at.aboard or None, "moves": at.moves}
                    for key, at in phase.units.items()
                },
            }
            for phase in preview.plan
        ],
        "forecast": dict(preview.figures) or None,
        "books": [
            {
                "says": line.says,
                "amount": None if line.amount is None else str(line.amount),
                "balance": str(line.balance),
            }
            for line in preview.books
        ],
    }


# -- watching ----------------------------------------------------------------------------------------------------------


def _watch(file: Path, results: Path | None, make_context: Callable[[], CheckContext], strict: bool) -> int:
    """Check at every save until Ctrl-C; the exit code of the last check. What cannot be used now may be mended soon."""
    code, context, made_from = 0, None, None
    try:
        for _ in changes([file, results] if results else [file]):
            try:
                # a player's position changes with his results only, a GM's game at any time
                at = stamp(results) if results else None
                if context is None or at is None or at != made_from:
                    context, made_from = make_context(), at
                checked = check_file(context, file)
                text, code = _text(checked), _exit_code(checked, strict)
            except click.ClickException as error:
                text, code = error.format_message(), FAILED
            except (OSError, SourceError, StoreError) as error:
                text, code = as_failure(error).format_message(), FAILED
            if sys.stdout.isatty():
                click.clear()
            click.echo(text)
            click.secho("Waiting for the next save; Ctrl-C ends.", dim=True)
    except KeyboardInterrupt:
        click.echo()
    return code


def stamp(path: Path) -> Stamp:
    """What changes when the file does."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def changes(paths: Sequence[Path], sleep: Callable[[float], None] = time.sleep) -> Iterator[None]:
    """Once at the start, then after every change of one of the files; never ends by itself.

    Editors write in place, replace by rename, or take a file away first: a file that vanishes counts as changed when
    it is there again.
    """
    seen: list[Stamp] | None = None
    while True:
        now = [stamp(path) for path in paths]
        if now != seen and None not in now:
            now = _settled(paths, now, sleep)
        if now != seen and None not in now:
            seen = now
            yield
        sleep(INTERVAL)


def _settled(paths: Sequence[Path], now: list[Stamp], sleep: Callable[[float], None]) -> list[Stamp]:
    for _ in range(PATIENCE):
        sleep(SETTLING)
        before, now = now, [stamp(path) for path in paths]
        if now == before:
            break
    return now
