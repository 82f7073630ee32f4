"""``gm map``: look at the map of a game, or at one that somebody is making."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from gm.cli.failures import FAILED, REFUSED, Failure
from gm.cli.shared import (
    counted,
    diagnostic_data,
    game_option,
    json_option,
    open_campaign,
    print_diagnostics,
    print_json,
)
from gm.games import GAMES, game_spec


@click.group(short_help="Draw a game's map, or check a map.")
def command() -> None:
    """Draw the map of a game, or check the files of a map."""


@command.command()
@click.option(
    "--out", "-o", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write to this file."
)
@click.option("--realm", metavar="CODE", help="As one realm sees it: its own lands and wars stand out.")
@click.option("--no-troops", is_flag=True, help="Without troops.")
@click.option("--turn", type=click.IntRange(min=0), metavar="N", help="After which turn. Default: the newest.")
@game_option
def show(out: Path | None, realm: str | None, no_troops: bool, turn: int | None, game_folder: Path | None) -> None:
    """Draw the map of a game as SVG, which every browser shows.

    \b
    Examples:
      gm map show --out map.svg
      gm map show --realm LIT --no-troops > lithuania.svg
    """
    if out is None and sys.stdout.isatty():
        raise Failure("The map is a drawing: name a file for it with --out map.svg, or send it on with > map.svg.")
    campaign = open_campaign(game_folder)
    if turn is not None and turn > campaign.newest_turn:
        raise Failure(f"Turn {turn} has not been played; the newest is turn {campaign.newest_turn}.")
    if realm is not None and campaign.seat(realm.upper()) is None:
        codes = ", ".join(seat.code for seat in campaign.seats)
        raise click.BadParameter(f"this game has no realm {realm}; it has {codes}", param_hint="'--realm'")
    state = campaign.state if turn is None else campaign.state_after(turn)
    drawing = campaign.spec.draw(campaign.table, state, realm=realm.upper() if realm else None, troops=not no_troops)
    if out is None:
        click.echo(drawing)
    else:
        out.write_text(drawing if drawing.endswith("\n") else drawing + "\n", encoding="utf-8")
        click.echo(f"The map is drawn in {out}: open it in a browser.")


@command.command()
@click.argument("map_name", metavar="MAP")
@click.option("--game-name", "game_name", default="medieval", show_default=True, help="For which game.")
@json_option
def check(map_name: str, game_name: str, as_json: bool) -> None:
    """Check a map and its start position: MAP is a map's folder, or the name of one that comes with gm.

    \b
    Examples:
      gm map check minsk
      gm map check ~/maps/iberia

    Exit codes: 0 nothing found, 1 only warnings, 2 errors.
    """
    if game_name not in GAMES:
        raise click.BadParameter(f"no game is called {game_name!r}", param_hint="'--game-name'")
    spec = game_spec(game_name)
    folder = Path(map_name)
    folder = folder.parent if folder.is_file() else folder
    chosen = folder if folder.is_dir() else spec.maps().get(map_name)
    if chosen is None:
        raise Failure(
            f"There is no folder {map_name}, and no map of that name comes with gm: {', '.join(spec.maps())}."
        )
    findings = list(spec.check_map(chosen))
    errors = sum(each.is_error for each in findings)
    if as_json:
        print_json({"map": str(chosen), "errors": errors, "diagnostics": [diagnostic_data(each) for each in findings]})
    else:
        print_diagnostics(findings)
        warnings = len(findings) - errors
        verdict = (
            f"{counted(errors, 'error')}, {counted(warnings, 'warning')}" if findings else "nothing to complain about"
        )
        click.echo(f"{chosen.name}: {verdict}.")
    if findings:
        click.get_current_context().exit(FAILED if errors else REFUSED)
