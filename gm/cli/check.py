"""``gm check``: one order file, read as the turn reads it and tried as the turn would carry it out."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import click

from gm.cli.check_text import check_text
from gm.cli.checking import Checked, Desk, check_data, check_file, game_desk, results_desk
from gm.cli.failures import FAILED, as_failure
from gm.cli.shared import game_option, json_option, print_json


@click.command(short_help="Check one order file.")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--strict", is_flag=True, help="Exit with 1 when there are warnings.")
@click.option(
    "--results",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="A player's results file of the last turn: the position to check against.",
)
@click.option(
    "--map",
    "map_folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="With --results: the map's folder, for a game on a map that does not come with gm.",
)
@click.option("--watch", is_flag=True, help="Check again whenever the file is saved, until Ctrl-C.")
@game_option
@json_option
def command(
    file: Path,
    strict: bool,
    results: Path | None,
    map_folder: Path | None,
    watch: bool,
    game_folder: Path | None,
    as_json: bool,
) -> None:
    """Check one order file: it is read as the turn reads it, then tried in a turn without the other realms' orders.

    What cannot be read is an error; what would fail or be reduced is a warning, with the rule and the figures. Then
    come each order's fate and cost, who is where in each phase, and the treasury line by line. Nothing is changed
    anywhere.

    \b
    Examples:
      gm check orders.yaml --results LIT.yaml           for a player, with his last results
      gm check orders.yaml --results LIT.yaml --watch   again at every save, while writing
      gm check orders.yaml --game ~/games/minsk         for the GM
      gm check orders.yaml --strict && mail ...

    Exit codes: 0 clean (or only warnings), 1 warnings with --strict, 2 errors.
    """
    if watch and as_json:
        raise click.UsageError("--watch is for people and --json for programs: choose one of them.")
    if map_folder is not None and results is None:
        raise click.UsageError("--map goes with --results; a game folder has its map in it.")

    def desk() -> Desk:
        return results_desk(results, map_folder) if results else game_desk(game_folder)

    if watch:
        code = _watch(file, results, desk, strict)
    else:
        checked = check_file(desk(), file)
        if as_json:
            print_json(check_data(checked))
        else:
            click.echo(_text(checked))
        code = checked.code(strict)
    click.get_current_context().exit(code)


def _text(checked: Checked) -> str:
    return check_text(checked, shutil.get_terminal_size().columns, on_terminal=sys.stdout.isatty())


def _watch(file: Path, results: Path | None, make_desk: Callable[[], Desk], strict: bool) -> int:
    """Check at every save until Ctrl-C; the exit code of the last check. What cannot be used now may be mended soon."""
    from gm.cli.watching import changes, stamp
    from gm.core.diagnostics import SourceError
    from gm.store import StoreError

    code, desk, made_from = 0, None, None
    try:
        for _ in changes([file, results] if results else [file]):
            try:
                # a player's position changes with his results only, a GM's game at any time
                at = stamp(results) if results else None
                if desk is None or at is None or at != made_from:
                    desk, made_from = make_desk(), at
                checked = check_file(desk, file)
                text, code = _text(checked), checked.code(strict)
            except click.ClickException as error:
                text, code = error.format_message(), FAILED
            except (OSError, SourceError, StoreError) as error:
                text, code = as_failure(error).format_message(), FAILED
            if sys.stdout.isatty():
                click.clear()
            click.echo(text)
            click.echo(click.style("Waiting for the next save; Ctrl-C ends.", dim=True))
    except KeyboardInterrupt:
        click.echo()
    return code
