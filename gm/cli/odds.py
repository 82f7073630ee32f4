"""``gm odds``: how a battle is likely to go, by fighting it a few thousand times."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm.cli.failures import Failure
from gm.cli.options import FILE, NEW_FILE, game_option, json_option
from gm.cli.output import print_json, sentence, shown_path
from gm.cli.positions import game_with_map, results_context, unknown_map
from gm.cli.session import is_game, open_campaign

if TYPE_CHECKING:
    from gm.game.spec import GameSpec
    from gm.game.values import GameData

FIGHTS = 3000
MOST = 1_000_000
SEED = "odds"


@click.command(short_help="Reckon how a battle is likely to go.")
@click.argument("forces", nargs=-1, metavar="[FORCE vs FORCE ...]")
@click.option("--at", "place", metavar="PLACE", help="The battle at this place, between who stands there.")
@click.option("--march", "moves", multiple=True, metavar="UNIT:PLACE", help="What if it goes there? Repeatable.")
@click.option("--war", "wars", multiple=True, metavar="CODE:CODE", help="Suppose these two are at war. Repeatable.")
@click.option(
    "--fortification",
    "-f",
    type=click.IntRange(min=0),
    default=0,
    metavar="LEVEL",
    help="Typed forces: the last one defends walls of this level.",
)
@click.option("--sea", is_flag=True, help="Typed forces: at sea; soldiers named with ships are aboard them.")
@click.option("--border", is_flag=True, help="Typed forces: they meet at a border, marching towards each other.")
@click.option("--landing", is_flag=True, help="Typed forces: all but the last have just come ashore.")
@click.option("--fights", "-n", type=click.IntRange(1, MOST), default=FIGHTS, show_default=True, help="How often.")
@click.option("--seed", default=SEED, show_default=True, metavar="TEXT", help="The same seed gives the same figures.")
@click.option(
    "--results",
    type=FILE,
    metavar="FILE",
    help="A player's results file of the last turn: the position to look at.",
)
@click.option("--map", "map_name", metavar="MAP", help="By the rules of this map, a name or a folder.")
@click.option(
    "--out",
    "-o",
    type=NEW_FILE,
    metavar="FILE",
    help="Draw the odds too, into this SVG file.",
)
@game_option
@json_option
def command(
    forces: tuple[str, ...],
    place: str | None,
    moves: tuple[str, ...],
    wars: tuple[str, ...],
    fortification: int,
    sea: bool,
    border: bool,
    landing: bool,
    fights: int,
    seed: str,
    results: Path | None,
    map_name: str | None,
    out: Path | None,
    game_folder: Path | None,
    as_json: bool,
) -> None:
    """Fight a battle a few thousand times, with the very code of the turn, and count: who wins, what it costs, how long
    it takes, who retreats.

    The battle is one of a game's position (--results for a player, --game for the GM), as it stands or with units moved
    on trial, or one of forces that you type in. 'vs' parts enemies, 'and' allies, a semicolon the units of a force:

    \b
      gm odds "30 Longbowmen, 10 Heavy Cavalry" vs "40 Men-at-Arms"
      gm odds "20 Militia rank 1, 9 Archers rank 2, leader 46/20" vs "15 Heavy Infantry, garrison" -f 3
      gm odds "5 Trading Cog, 8 Men-at-Arms" vs "3 Light Dromond" --sea
      gm odds --results ENG-005.results.yaml --march A7:Gloucester
      gm odds --results ENG-005.results.yaml A7 vs FRA/A3 -f 2
      gm odds --game ~/games/minsk --at Minsk --war LIT:TEU --out odds.svg

    \b
    In a force:  30 Longbowmen         they stand in rank 1; 12/0/6 Archers: by rank
                 9 Archers rank 2      short: 9 Archers r2, 9 Archers @2
                 leader 46/20/12/8     infantry/cavalry/siege/naval; or leader cavalry 60
                 retreat 2             the unit's retreat level
                 garrison              it never retreats
                 outside               it does not defend the walls
                 A7, FRA/A3            a unit of the position
    """
    if sea and border:
        raise click.UsageError("--sea and --border exclude each other.")
    _check_forces(forces, place, moves, ground=bool(fortification or sea or border or landing))
    from gm.game.answers import OddsQuestion

    spec, table, state, party = _position(results, game_folder, map_name, needs_state=not forces)
    if spec.odds is None:
        raise Failure(f"{spec.title} has no battles to reckon here; 'gm check FILE' tries an order file out.")
    question = OddsQuestion(
        forces=" ".join(forces),
        place=place,
        moves=tuple(_halves(each, "--march", "A7:Gloucester") for each in moves),
        wars=tuple((a.upper(), b.upper()) for a, b in (_halves(each, "--war", "ENG:FRA") for each in wars)),
        party=party,
        fortification=fortification,
        kind="sea" if sea else "border" if border else "land",
        landing=landing,
        fights=fights,
    )
    # S311: nothing is decided by these numbers, they only estimate
    source = random.Random(seed).random  # noqa: S311
    try:
        answer = spec.odds(table, state, question, source)
    except ValueError as error:
        raise Failure(sentence(error)) from None
    if out is not None:
        from gm.store.disk import PUBLIC_FILE, make_folder, write_file

        make_folder(out.parent)
        write_file(out, answer.picture().encode(), mode=PUBLIC_FILE)
    if as_json:
        print_json({**answer.figures, "seed": seed})
    else:
        for line in answer.lines:
            click.echo(line)
        if out is not None:
            click.echo(f"\nThe picture is in {shown_path(out)}.")


def _check_forces(forces: tuple[str, ...], place: str | None, moves: tuple[str, ...], *, ground: bool) -> None:
    """Forces are typed in or come from a position."""
    if forces and (place is not None or moves):
        raise click.UsageError("--at and --march ask about a position: leave the typed forces out.")
    if not forces and ground:
        raise click.UsageError("--fortification, --sea, --border and --landing are for typed forces.")
    if not forces and place is None and not moves:
        raise click.UsageError(
            'Who fights? Type two forces, like "30 Longbowmen" vs "40 Men-at-Arms", or name a place with --at or a '
            "move with --march."
        )


def _halves(typed: str, option: str, example: str) -> tuple[str, str]:
    first, colon, second = typed.partition(":")
    if not (first.strip() and colon and second.strip()):
        raise click.BadParameter(f"{typed!r} is not like {example}", param_hint=f"'{option}'")
    return first.strip(), second.strip()


def _position(
    results: Path | None, game_folder: Path | None, map_name: str | None, *, needs_state: bool
) -> tuple[GameSpec[Any], GameData, Any, str | None]:
    """Rules and map, the position if there is one, and whose eyes it is seen with."""
    if results is not None and game_folder is not None:
        raise click.UsageError("--results and --game exclude each other.")
    if results is not None:
        context = results_context(results, _map_folder(map_name) if map_name is not None else None)
        return context.spec, context.table, context.state, context.realm
    if game_folder is None and not needs_state:
        return _of_map(map_name)
    if map_name is not None:
        raise click.UsageError("A game has its map: leave --map out.")
    if game_folder is None and not is_game(None):
        raise Failure(
            "There is no position to look at: give your last results with --results FILE, or the game with "
            "--game FOLDER."
        )
    campaign = open_campaign(game_folder, drawings=False)
    return campaign.spec, campaign.table, campaign.state, None


def _of_map(map_name: str | None) -> tuple[GameSpec[Any], GameData, None, None]:
    """The rules alone: those of a map, or as every map has them."""
    from gm.campaign.table_cache import shipped_table

    spec = game_with_map(map_name, None)
    known = spec.maps()
    name = map_name or min(known, key=lambda each: sum(path.stat().st_size for path in known[each].iterdir()))
    folder = None if name in known else _map_folder(name, tuple(known))
    return spec, shipped_table(spec, "" if folder else name, folder), None, None


def _map_folder(map_name: str, known: tuple[str, ...] = ()) -> Path:
    folder = Path(map_name)
    if not folder.is_dir():
        raise unknown_map(map_name, f"with gm come {', '.join(known)}" if known else "name its folder")
    return folder
