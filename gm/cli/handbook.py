"""``gm handbook``: the rulebook that a GM mails to new players."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gm.cli.game_names import game_name_option, game_with_map
from gm.cli.shared import game_option, open_campaign, shown_path
from gm.game.spec import GameData, GameSpec
from gm.store import NoGameFolderError
from gm.store.disk import PRIVATE_FILE, PUBLIC_FILE, make_folder, write_file
from gm.store.folder import GameFolder

FILE = "handbook.html"


@click.command(short_help="Write the players' rulebook.")
@click.option("--map", "map_name", help="Without a game: the map whose realms, cities and figures it shows.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    help=f"Where to write it. Default: {FILE}, in the game's folder if it is for a game.",
)
@game_name_option
@game_option
def command(map_name: str | None, out: Path | None, game_name: str | None, game_folder: Path | None) -> None:
    """Write the players' handbook: the rules in plain words, a first turn to play along, the order of events and the
    troop table on a sheet each, every word of an order file, questions and answers. One HTML file for screen and paper.

    Its figures are those of the game: write it again when you have changed your own rules. 'gm new' writes the first.

    \b
    Examples:
      gm handbook                        for the game around the current directory
      gm handbook --map europe-1320      before there is a game
      gm handbook --game minsk --out rules.html
    """
    if map_name is not None and game_folder is not None:
        raise click.UsageError("--map is for a handbook without a game: leave --game out.")
    spec, table, state, folder = (
        _of_map(map_name, game_name) if map_name is not None else _of_game(game_folder, game_name)
    )
    path = out or folder / FILE
    make_folder(path.parent)
    write_file(path, spec.handbook(table, state).encode(), mode=PUBLIC_FILE if out else PRIVATE_FILE)
    click.echo(f"The handbook is in {shown_path(path)}: open it in a browser, or mail it.")


def _of_map(map_name: str, game_name: str | None) -> tuple[GameSpec[Any], GameData, Any, Path]:
    spec = game_with_map(map_name, game_name)
    if map_name not in spec.maps():
        known = ", ".join(spec.maps())
        raise click.BadParameter(f"no map is called {map_name!r}; with gm come {known}", param_hint="'--map'")
    return spec, spec.shipped_table(map_name), None, Path()


def _of_game(game_folder: Path | None, game_name: str | None) -> tuple[GameSpec[Any], GameData, Any, Path]:
    """The game's own rules and map, and its folder."""
    try:
        found = GameFolder.find(game_folder or Path.cwd())
    except NoGameFolderError:
        if game_folder is not None:
            raise
        known = ", ".join(game_with_map(None, game_name).maps())
        raise click.UsageError(
            f"There is no game here: --game FOLDER names one; without a game, say --map and one of {known}."
        ) from None
    campaign = open_campaign(found.path)
    return campaign.spec, campaign.table, campaign.snapshot, found.path
