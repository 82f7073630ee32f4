"""``gm check``: one order file, read as the turn reads it and tried as the turn would carry it out."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from gm.campaign.check import CheckContext, CheckResult, check_file, read_limited
from gm.campaign.check_text import check_text
from gm.cli.failures import FAILED, REFUSED, Failure, as_failure
from gm.cli.shared import diagnostic_data, game_option, json_option, open_campaign, print_json
from gm.core.orders.keys import NO_KEY

RESULTS_LIMIT = 64 * 1024 * 1024
"""Bytes that a results file may have."""


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

    def context() -> CheckContext:
        return results_context(results, map_folder) if results else game_context(game_folder)

    if watch:
        code = _watch(file, results, context, strict)
    else:
        checked = check_file(context(), file)
        if as_json:
            print_json(check_data(checked))
        else:
            click.echo(_text(checked))
        code = _exit_code(checked, strict)
    click.get_current_context().exit(code)


def _exit_code(checked: CheckResult, strict: bool) -> int:
    """2 for errors, 1 for warnings if ``strict``, else 0."""
    if checked.errors:
        return FAILED
    return REFUSED if strict and checked.diagnostics else 0


def _text(checked: CheckResult) -> str:
    return check_text(checked, shutil.get_terminal_size().columns, style=click.style, on_terminal=sys.stdout.isatty())


def _watch(file: Path, results: Path | None, make_context: Callable[[], CheckContext], strict: bool) -> int:
    """Check at every save until Ctrl-C; the exit code of the last check. What cannot be used now may be mended soon."""
    from gm.cli.watching import changes, stamp
    from gm.core.diagnostics import SourceError
    from gm.store import StoreError

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
            click.echo(click.style("Waiting for the next save; Ctrl-C ends.", dim=True))
    except KeyboardInterrupt:
        click.echo()
    return code


def game_context(game_folder: Path | None) -> CheckContext:
    """What a GM checks against: his game folder, or the one around the current directory."""
    from gm.store import NoGameFolderError
    from gm.store.folder import GameFolder

    try:
        GameFolder.find(game_folder or Path.cwd())
    except NoGameFolderError:
        raise Failure(
            "There is nothing to check against: give your last results with --results FILE, or the game with "
            "--game FOLDER."
        ) from None
    campaign = open_campaign(game_folder, drawings=False)
    return CheckContext(campaign.spec, campaign.table, campaign.state, campaign.folder.settings.id, dict(campaign.keys))


def results_context(results: Path, map_folder: Path | None) -> CheckContext:
    """What a player checks against: position and key from his results, rules and map as they come with the program."""
    from gm.cli.table_cache import shipped_table
    from gm.games import GAMES, game_spec

    data, said = read_limited(results, RESULTS_LIMIT), "no game is installed"
    for name in GAMES:
        spec = game_spec(name)
        try:
            head, state = spec.results_state(data, str(results))
        except ValueError as error:
            said = str(error) if name == next(iter(GAMES)) else said
            continue
        chosen = str(head.get("map") or "")
        own = spec.results_table(data, str(results)) if map_folder is None else None
        if own is None and map_folder is None and chosen not in spec.maps():
            raise Failure(
                f"The map {chosen!r} does not come with gm: get its folder from the GM and name it with --map."
            )
        realm = str(head["realm"])
        table = own or shipped_table(spec, chosen, map_folder)
        # results that came by mail hold no key
        key = str(head["key"])
        return CheckContext(spec, table, state, str(head["game"]), {} if key == NO_KEY else {realm: key}, realm)
    raise Failure(f"{said}.")


def check_data(checked: CheckResult) -> dict[str, Any]:
    """The same for programs. Gold is text, exact to 1/100; below 0 an order brings some."""
    preview = checked.preview
    orders = [
        {
            "line": each.line,
            "column": each.column,
            "order": each.order,
            "fate": each.fate,
            "open": each.open,
            "reason": each.reason,
            "figures": dict(each.figures),
            "clause": each.clause,
            "says": each.says,
            "cost": {"gold": str(each.gold), "moves": each.moves},
        }
        for each in preview.orders
    ]
    plan = [
        {
            "phase": phase.phase,
            "units": {
                key: {"place": at.place, "aboard": at.aboard or None, "moves": at.moves}
                for key, at in phase.units.items()
            },
        }
        for phase in preview.plan
    ]
    books = [
        {
            "says": line.says,
            "amount": None if line.amount is None else str(line.amount),
            "balance": str(line.balance),
        }
        for line in preview.books
    ]
    return {
        "file": str(checked.file),
        "realm": checked.reading.realm or None,
        "readable": checked.reading.sheet is not None,
        "errors": checked.errors,
        "warnings": checked.warnings,
        "diagnostics": [diagnostic_data(each) for each in checked.diagnostics],
        "orders": orders,
        "plan": plan,
        "forecast": dict(preview.figures) or None,
        "books": books,
    }
