"""``gm odds``: how a battle is likely to go, by fighting it a few thousand times."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from gm.cli.failures import Failure
from gm.cli.options import FILE, NEW_FILE, AsJson, GameFolder, argument, gm_command, option
from gm.cli.output import print_json, sentence, shown_path
from gm.cli.positions import game_with_map, results_context, unknown_map
from gm.cli.session import is_game, open_campaign

if TYPE_CHECKING:
    from gm.game.spec import GameSpec
    from gm.game.values import GameData

FIGHTS = 3000
MOST = 1_000_000
SEED = "odds"


@gm_command("odds")
def command(
    forces: Annotated[tuple[str, ...], argument(nargs=-1, metavar="[FORCE vs FORCE ...]")],
    place: Annotated[str | None, option("--at", metavar="PLACE")],
    moves: Annotated[tuple[str, ...], option("--march", multiple=True, metavar="UNIT:PLACE")],
    wars: Annotated[tuple[str, ...], option("--war", multiple=True, metavar="CODE:CODE")],
    fortification: Annotated[
        int, option("--fortification", "-f", type=click.IntRange(min=0), default=0, metavar="LEVEL")
    ],
    sea: Annotated[bool, option("--sea", is_flag=True)],
    border: Annotated[bool, option("--border", is_flag=True)],
    landing: Annotated[bool, option("--landing", is_flag=True)],
    fights: Annotated[int, option("--fights", "-n", type=click.IntRange(1, MOST), default=FIGHTS, show_default=True)],
    seed: Annotated[str, option("--seed", default=SEED, show_default=True, metavar="TEXT")],
    results: Annotated[Path | None, option("--results", type=FILE, metavar="FILE")],
    map_name: Annotated[str | None, option("--map", metavar="MAP")],
    out: Annotated[Path | None, option("--out", "-o", type=NEW_FILE, metavar="FILE")],
    game_folder: GameFolder,
    as_json: AsJson,
) -> None:
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
