"""``gm schema``: what editors need to help with order files."""

from __future__ import annotations

import json
from pathlib import Path

import click

from gm.cli.game_names import game_name_option, game_with_map
from gm.cli.shared import game_option, open_campaign, print_json


@click.group(short_help="Print the JSON Schema of order files.")
def command() -> None:
    """Print the JSON Schema of the files that players write."""


@command.command()
@click.option(
    "--results",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="A player's results file: the schema of his next orders, with what he may name now.",
)
@click.option("--realm", metavar="CODE", help="With a game: the schema of this realm's next orders.")
@click.option(
    "--map",
    "map_name",
    metavar="NAME",
    help="Without either: the map that the schema's names come from. With --results: the folder of a map that does "
    "not come with gm.",
)
@game_name_option
@game_option
def orders(
    results: Path | None, realm: str | None, map_name: str | None, game_name: str | None, game_folder: Path | None
) -> None:
    """Print the JSON Schema of order files: of one realm's next orders, or of all files on a map.

    \b
    Examples:
      gm schema orders --results LIT.yaml > LIT.schema.json   a player's own
      gm schema orders --game ~/games/minsk --realm LIT       the same for the GM
      gm schema orders --map minsk > orders.schema.json       any realm and turn

    In an editor that knows YAML schemas, the first line of an order file then is:
      # yaml-language-server: $schema=LIT.schema.json
    Every template has that line, and its schema comes with it.
    """
    if results is not None:
        if realm:
            raise click.UsageError("--results says by itself which realm it is.")
        _print_own(results, map_name)
    elif map_name is None and (realm or _in_game(game_folder)):
        _print_of_game(game_folder, realm)
    elif realm:
        raise click.UsageError("--realm needs a game: a map alone does not say how the realm stands.")
    else:
        _print_of_map(game_name, map_name)


def _print_own(results: Path, map_folder: str | None) -> None:
    from gm.cli.check import results_context

    if map_folder is not None and not Path(map_folder).is_dir():
        raise click.BadParameter(f"with --results it is a map's folder; {map_folder!r} is none", param_hint="'--map'")
    context = results_context(results, Path(map_folder) if map_folder else None)
    if context.realm is not None:
        print_json(json.loads(context.spec.realm_schema(context.table, context.state, context.game, context.realm)))


def _print_of_game(game_folder: Path | None, realm: str | None) -> None:
    campaign = open_campaign(game_folder)
    spec, game = campaign.spec, campaign.folder.settings.id
    if realm is None:
        print_json(spec.schema(campaign.table, game))
        return
    seat = campaign.seat(realm.upper())
    if seat is None:
        known = ", ".join(seat.code for seat in campaign.seats)
        raise click.BadParameter(f"no realm has the code {realm!r}; there are {known}", param_hint="'--realm'")
    print_json(json.loads(spec.realm_schema(campaign.table, campaign.state, game, seat.code)))


def _print_of_map(game_name: str | None, map_name: str | None) -> None:
    spec = game_with_map(map_name, game_name)
    if map_name is None or map_name not in spec.maps():
        known = ", ".join(spec.maps())
        raise click.UsageError(
            "Say whose names to use: --results FILE for a player, --game FOLDER for a game, or --map with one of "
            f"{known}."
        )
    print_json(spec.schema(spec.shipped_table(map_name), None))


def _in_game(game_folder: Path | None) -> bool:
    from gm.store import NoGameFolderError
    from gm.store.folder import GameFolder

    try:
        GameFolder.find(game_folder or Path.cwd())
    except NoGameFolderError:
        return False
    return True
