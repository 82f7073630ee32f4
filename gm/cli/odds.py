"""``pbem odds``: how a battle is likely to go, of typed forces or of a position."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import click

from gm.cli.check import game_needed
from gm.cli.options import NEW_FILE, AsJson, Game, Results, argument, gm_command, option
from gm.cli.output import Failure, echo, print_json, sentence, shown_path, write_page
from gm.cli.positions import game_with_map, map_folder, results_context, unknown_map
from gm.cli.table_cache import shipped_table
from gm.core.diagnostics import says
from gm.game.answers import OddsForms, OddsMaker, OddsQuestion
from gm.game.spec import GameSpec
from gm.game.values import GameData


@gm_command("odds")
def odds(
    forces: Annotated[tuple[str, ...], argument(nargs=-1, metavar="[FORCE vs FORCE ...]")],
    place: Annotated[str | None, option("--at", metavar="PLACE")],
    moves: Annotated[tuple[str, ...], option("--march", multiple=True, metavar="UNIT:PLACE")],
    wars: Annotated[tuple[str, ...], option("--war", multiple=True, metavar="CODE:CODE")],
    fortification: Annotated[
        int, option("--fortification", "-f", type=click.IntRange(0), default=0, metavar="LEVEL")
    ],
    *,
    sea: bool,
    border: bool,
    landing: bool,
    fights: Annotated[
        int, option("--fights", "-n", type=click.IntRange(1, 10**6), default=3000, show_default=True)
    ],
    seed: Annotated[str, option("--seed", default="odds", show_default=True, metavar="TEXT")],
    results: Results,
    map_name: Annotated[str | None, option("--map", metavar="MAP")],
    out: Annotated[Path | None, option("--out", "-o", type=NEW_FILE, metavar="FILE")],
    game_folder: Game,
    as_json: AsJson,
) -> None:
    """Estimate the odds of a battle."""
    ground = {"fortification": fortification, "sea": sea, "border": border, "landing": landing}
    names_place = place is not None or bool(moves)
    _refuse_contradictions(ground, forces=bool(forces), names_place=names_place)
    spec, table, state, party = _position(results, game_folder, map_name, needs_state=names_place)
    maker, forms = _maker_of(spec, {"war": wars, **ground}, fighters=bool(forces) or names_place)
    enemies = (_halves(war, "--war", "ENG:FRA") for war in wars)
    question = OddsQuestion(
        forces=" ".join(forces),
        place=place,
        moves=tuple(_halves(move, "--march", forms.march) for move in moves),
        wars=tuple((one.upper(), other.upper()) for one, other in enemies),
        party=party,
        fortification=fortification,
        kind=_kind_of(sea=sea, border=border),
        landing=landing,
        fights=fights,
    )
    source = random.Random(seed).random  # noqa: S311 - nothing is decided by these numbers, they only estimate
    try:
        answer = maker(table, state, question, source)
    except ValueError as error:
        raise Failure(sentence(error)) from None
    if out is not None:
        write_page(out, answer.picture().encode())
    if as_json:
        print_json({**answer.figures, "seed": seed})
        return
    click.echo("\n".join(answer.lines))
    if out is not None:
        echo(says("\nThe picture is in {0}.", shown_path(out)))


def _refuse_contradictions(ground: Mapping[str, object], *, forces: bool, names_place: bool) -> None:
    """Raise ``click.UsageError`` where options exclude each other.

    ``ground``: the values of the options for typed forces, by name; ``forces``: forces were typed;
    ``names_place``: a place or a move was named.
    """
    if ground["sea"] and ground["border"]:
        raise click.UsageError(says("--sea and --border exclude each other."))
    if forces and names_place:
        raise click.UsageError(says("--at and --march ask about a position: leave the typed forces out."))
    if names_place and any(ground.values()):
        raise click.UsageError(says("--fortification, --sea, --border and --landing are for typed forces."))


def _kind_of(*, sea: bool, border: bool) -> str:
    """Return the kind of battle that typed forces fight: ``sea``, ``border`` or ``land``."""
    if sea:
        return "sea"
    return "border" if border else "land"


def _maker_of(
    spec: GameSpec[Any], options: Mapping[str, object], *, fighters: bool
) -> tuple[OddsMaker, OddsForms]:
    """Return (the function that estimates a game's odds, the forms of question that the game takes).

    ``options``: the values of options that not every game has, by name; ``fighters``: forces, a place or a
    move were named. Raises ``click.ClickException`` for a question that the game does not take.
    """
    if spec.odds is None:
        hint = says("'pbem check FILE' checks an order file; see 'pbem check --help'")
        raise Failure(
            says("{0} has no odds to estimate, since its battles use no dice; {1}.", spec.title, hint)
        )
    forms = spec.odds_forms
    unknown = [f"--{name}" for name, value in options.items() if value and name not in forms.more]
    if unknown:
        raise click.UsageError(says("{0} does not take {1}.", spec.title, ", ".join(unknown)))
    if not fighters:
        question = says(
            "Who fights? Type two forces, like {0}, or name a place with --at or a move with --march {1}.",
            forms.forces,
            forms.march,
        )
        raise click.UsageError(question)
    return spec.odds, forms


def _halves(typed: str, option: str, example: str) -> tuple[str, str]:
    """Return the texts before and after the colon in ``typed``.

    Raises ``click.BadParameter``, with an ``example`` for the ``option``, if either is missing.
    """
    first, colon, second = typed.partition(":")
    if not (first.strip() and colon and second.strip()):
        raise click.BadParameter(
            says("{0!r} does not have the form {1}", typed, example), param_hint=f"'{option}'"
        )
    return first.strip(), second.strip()


def _position(
    results: Path | None, game_folder: Path | None, map_name: str | None, *, needs_state: bool
) -> tuple[GameSpec[Any], GameData, Any, str | None]:
    """Return (the game, its table, the position, the code of the party that reads it).

    They are those of a player's ``results``, of a map, or of the game in a folder. The position of a map is
    None; the party is None unless there are results. ``needs_state``: a position is needed. Raises
    ``click.UsageError`` for options that exclude each other.
    """
    from gm.cli.session import is_game

    if results is not None and game_folder is not None:
        raise click.UsageError(says("--results and --game exclude each other."))
    if results is not None:
        context = results_context(results, _named_folder(map_name) if map_name is not None else None)
        return context.spec, context.reader.table, context.reader.state, context.realm
    # the question needs no position, and a map is named, or there is no game here
    if game_folder is None and not needs_state and (map_name is not None or not is_game(None)):
        # the rules of the map that was named, else of the smallest one, which is read fastest
        spec = game_with_map(map_name, None)
        maps = spec.maps()
        name = map_name or min(maps, key=lambda key: _size(maps[key]))
        if name in maps:
            return spec, shipped_table(spec, name, None), None, None
        return spec, shipped_table(spec, "", map_folder(spec, name)), None, None
    if map_name is not None:
        raise click.UsageError(says("A game has its map: leave --map out."))
    campaign = game_needed(game_folder, "" if game_folder else "no position to look at")
    return campaign.spec, campaign.table, campaign.state, None


def _size(folder: Path) -> int:
    """Return how many bytes a folder's files have."""
    return sum(path.stat().st_size for path in folder.iterdir())


def _named_folder(path_text: str) -> Path:
    """Return the map's folder at this path. Raises ``click.BadParameter`` if there is none."""
    folder = Path(path_text)
    if not folder.is_dir():
        raise unknown_map(path_text, names=())  # no names of maps are suggested: only a folder will do
    return folder
