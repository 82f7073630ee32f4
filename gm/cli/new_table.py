"""Begin the game of ``pbem play`` as ``pbem new`` does: people at the table, bots on the other seats.

``new_options`` are parameters of the command ``pbem new``, by name; those that it leaves out have defaults.
"""

import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from itertools import chain, count
from pathlib import Path
from typing import Any

import click

from gm.cli.new import command as new_game
from gm.cli.new import options_of
from gm.cli.options import bad_parameter
from gm.cli.output import echo, print_definitions
from gm.cli.positions import map_folder
from gm.cli.session import open_campaign
from gm.cli.speech import worded
from gm.core.diagnostics import says
from gm.core.orders.press import SIGNED
from gm.game.spec import GameSpec
from gm.game.values import NewGameRequest
from gm.play.practice import PRACTICE
from gm.play.practice import practice as practice_world
from gm.text.pages import listed


def begin_practice(new_options: Mapping[str, Any]) -> None:
    """Begin the practice world: realms that stand still, and the same dice for everybody."""
    world = practice_world()
    same_for_all = {"game_id": PRACTICE, "seed": PRACTICE, "key_secret": PRACTICE}
    _run_new({**new_options, "map_name": world.map, "play": (world.realm,), **same_for_all})


def begin(
    spec: GameSpec[Any],
    new_options: Mapping[str, Any],
    map_name: str | None,
    play: tuple[str, ...],
    bots: str,
    option_words: tuple[str, ...],
) -> None:
    """Begin a game in which bots play the seats without a person.

    ``play``: the codes of the realms that people play; ``option_words``: the words of ``--set``. A map or a
    realm that is missing is asked for on a terminal; elsewhere it is the game's default map, and the first
    realm that may write orders.
    """
    asks = sys.stdin.isatty()
    if map_name is None and len(spec.maps()) > 1 and asks and not play:
        map_name = click.prompt(
            worded(says("On which map")), type=click.Choice(list(spec.maps())), default=spec.default_map
        )
    map_name = map_name or spec.default_map
    if not play:
        folder = map_folder(spec, map_name)
        with bad_parameter("--set"):
            founded = spec.founded(NewGameRequest(map=folder, options=options_of(option_words), people=1))
        seats = spec.seats(founded.table, spec.start(founded.table, folder, None))
        code = next(seat.code for seat in seats if not seat.waiting)
        if asks:
            print_definitions({seat.code: seat.name for seat in seats}, indent="  ")
            code = click.prompt(worded(says("Which seat do you play")), default=code)
        play = (code.strip().upper(),)
    typed = {"map_name": map_name, "play": play, "bots": bots, "option_words": option_words}
    begin_game(spec, {**new_options, **typed})


def begin_game(spec: GameSpec[Any], new_options: Mapping[str, Any]) -> None:
    """Begin a game; with letters between players if its bots read letters."""
    _run_new({**new_options, "game_name": spec.key, "press": (SIGNED,) if spec.recall else ()})


def free_folder(folder: Path) -> Path:
    """Return the first folder, of this one and ``NAME-2``, ``NAME-3`` beside it, that is new or empty."""
    numbered = (folder.with_name(f"{folder.resolve().name}-{number}") for number in count(2))
    return next(path for path in chain([folder], numbered) if not (path.exists() and any(path.iterdir())))


def _run_new(new_options: Mapping[str, Any]) -> None:
    """Run ``pbem new`` with these options; print one line in place of its hints for games by mail."""
    with redirect_stdout(StringIO()):
        click.get_current_context().invoke(new_game, **new_options)
    folder = new_options["folder"]
    campaign = open_campaign(folder)
    own_seats = [seat.name for seat in campaign.seats if seat.played and not seat.bot]
    echo(says("A new game of {0} in {1}: you play {2}.", campaign.spec.title, folder, listed(own_seats)))
