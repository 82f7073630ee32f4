"""``gm schema``: what editors need to help with order files."""

from __future__ import annotations

from pathlib import Path

import click

from gm.cli.shared import game_option, open_campaign, print_json
from gm.games import GAMES, game_spec
from gm.kernel.store import GameFolder, NoGameFolderError


@click.group(short_help="Print the JSON Schema of order files.")
def command() -> None:
    """Print the JSON Schema of the files that players write."""


@command.command()
@click.option("--map", "map_name", help="Without a game: the map that the schema's names come from.")
@click.option("--game-name", default="medieval", show_default=True, help="Without a game: for which one.")
@game_option
def orders(map_name: str | None, game_name: str, game_folder: Path | None) -> None:
    """Print the JSON Schema of order files, with the names of the game's map in it.

    \b
    Examples:
      gm schema orders > orders.schema.json
      gm schema orders --map minsk > orders.schema.json

    In an editor that knows YAML schemas, the first line of an order file then is:
      # yaml-language-server: $schema=orders.schema.json
    """
    if map_name is None and _in_game(game_folder):
        campaign = open_campaign(game_folder)
        print_json(campaign.spec.schema(campaign.table, campaign.folder.settings.id))
        return
    if game_name not in GAMES:
        raise click.BadParameter(f"no game is called {game_name!r}", param_hint="'--game-name'")
    spec = game_spec(game_name)
    if map_name is None or map_name not in spec.maps():
        known = ", ".join(spec.maps())
        raise click.UsageError(f"Say whose names to use: --game FOLDER for a game, or --map with one of {known}.")
    print_json(spec.schema(spec.shipped_table(map_name), None))


def _in_game(game_folder: Path | None) -> bool:
    try:
        GameFolder.find(game_folder or Path.cwd())
    except NoGameFolderError:
        return False
    return True
