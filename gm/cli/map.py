"""``pbem map``: look at the map of a game, or at one that somebody is making."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import click

from gm.cli.options import FILE, NEW_FILE, AsJson, ExplainedGroup, Game, Turn, argument, gm_command, option
from gm.cli.output import (
    FAILED,
    REFUSED,
    Failure,
    echo,
    print_diagnostics,
    print_json,
    print_table,
    write_page,
)
from gm.cli.positions import GameName, game_with_map
from gm.cli.session import known_turn, open_campaign
from gm.core.diagnostics import Diagnostic, did_you_mean, message_of, nearest, says
from gm.game.spec import GameSpec
from gm.game.values import GameData, MapView
from gm.games import GAMES, game_spec
from gm.text.words import Said

PNG_WIDTH = 2400


@dataclass(frozen=True)
class _Drawing:
    """A map with a position, to be drawn."""

    spec: GameSpec[Any]
    table: GameData
    state: Any
    game: str = ""  # the game's id; empty for a map without a game


command = ExplainedGroup("map", module=__name__)


@gm_command("show", command, document=True)
def show(
    map_name: Annotated[str | None, argument(metavar="[MAP]", required=False)],
    out: Annotated[Path | None, option("--out", "-o", type=NEW_FILE, metavar="FILE")],
    realm: Annotated[str | None, option("--realm", metavar="CODE")],
    *,
    no_troops: bool,
    patterns: bool,
    zoom: Annotated[str | None, option("--zoom", metavar="PLACE")],
    turn: Turn,
    moves: bool,
    orders: Annotated[Path | None, option("--orders", type=FILE, metavar="FILE")],
    width: Annotated[
        int, option("--width", type=click.IntRange(100, 20000), default=PNG_WIDTH, show_default=True)
    ],
    game_folder: Game,
    game_name: GameName,
) -> None:
    """Draw the map of a game, or another map, as SVG or PNG; or write its graph."""
    if out is None and sys.stdout.isatty():
        raise Failure(
            says(
                "The map is a drawing: name a file for it with --out map.svg, or redirect it with > map.svg."
            )
        )
    if out is not None and out.suffix.lower() == ".graphml":
        table = (
            open_campaign(game_folder).table
            if map_name is None
            else _start_drawing(map_name, game_name).table
        )
        _write_graph(table, out)
        return
    view = MapView(troops=not no_troops, patterns=patterns, zoom=zoom)
    if map_name is None:
        drawing, view = _game_drawing(game_folder, turn, moves=moves, view=view)
    else:
        if game_folder is not None or turn is not None or moves or orders is not None:
            raise click.UsageError(
                says("--game, --turn, --moves and --orders are for the map of a game: leave MAP out.")
            )
        drawing = _start_drawing(map_name, game_name)
    if orders is not None:
        view = view.evolve(sheet=_sheet(drawing, orders))
    try:
        text = drawing.spec.draw(drawing.table, drawing.state, view.evolve(party=_code(drawing, realm)))
    except ValueError as error:  # the place to zoom to is all that a drawing can refuse
        raise click.BadParameter(message_of(error), param_hint="'--zoom'") from None
    text = text.removesuffix("\n") + "\n"
    if out is None:
        click.echo(text, nl=False)
        return
    write_page(out, _png(text, width) if out.suffix.lower() == ".png" else text.encode())
    echo(says("The map is drawn in {0}: open it in a browser.", out))


def _write_graph(table: GameData, out: Path) -> None:
    """Write a map's graph as GraphML, and print where it is."""
    from gm.core.map_graph import graphml

    write_page(out, graphml(table.board.graph.graph).encode())
    echo(says("The map's graph is in {0}, for graph programs.", out))


def _png(text: str, width: int) -> bytes:
    """Return an SVG drawing (its ``text``) as PNG, ``width`` pixels wide.

    Raises ``Failure`` without the library for that.
    """
    from gm.text.pictures import png_of

    try:
        return png_of(text, width)
    except ImportError:
        raise Failure(
            says("PNG needs an extra: install pbem-gm[png], or write an SVG, which every browser shows.")
        ) from None


def _game_drawing(
    game_folder: Path | None, turn: int | None, *, moves: bool, view: MapView
) -> tuple[_Drawing, MapView]:
    """Return (the map of the game in a folder after a turn, how to draw it).

    The second is ``view``, with the turn's events if ``moves``. ``turn``: None for the newest position.
    Raises ``Failure`` for a turn that is not played yet, and if ``moves`` for the start position.
    """
    campaign = open_campaign(game_folder)
    number = known_turn(campaign, turn)
    if moves and number == 0:
        raise Failure(says("No turn has been played yet, so nobody has moved."))
    state = campaign.state if turn is None else campaign.state_after(turn)
    if moves:
        records = campaign.folder.log(number)
        view = view.evolve(events=tuple(campaign.spec.event(record) for record in records))
    return _Drawing(campaign.spec, campaign.table, state, campaign.folder.settings.id), view


def _start_drawing(map_name: str, game_name: str | None) -> _Drawing:
    """Return a map with its start position.

    ``map_name``: its name, its folder or a file in that; ``game_name``: the key of its game, None to find it.
    Raises ``Failure`` for an unknown map, and for the folder of a game.
    """
    spec, folder = _map_source(map_name, game_name)
    table = spec.shipped_table(folder.name, folder)
    return _Drawing(spec, table, spec.start(table, folder, None))


def _map_source(map_name: str, game_name: str | None) -> tuple[GameSpec[Any], Path]:
    """Return the game and the folder of a map.

    ``map_name``: its name, its folder or a file in that; ``game_name``: the key of its game, None to find it.
    Raises ``Failure`` for an unknown map, and for the folder of a game.
    """
    spec = game_with_map(map_name, game_name)
    path = Path(map_name)
    named_folder = path.parent if path.is_file() else path
    folder = named_folder if named_folder.is_dir() else spec.maps().get(map_name)
    if folder is None:
        maps_of_games = {key: game_spec(key).maps() for key in ([spec.key] if game_name else GAMES)}
        near = did_you_mean(nearest(map_name, chain.from_iterable(maps_of_games.values())))
        all_names = "; ".join(f"{key}: {', '.join(maps)}" for key, maps in maps_of_games.items())
        hint = near or f"{all_names}."
        raise Failure(
            says("There is no folder {0}, and no map of that name comes with pbem: {1}", map_name, hint)
        )
    if (folder / "game.yaml").is_file():
        board = open_campaign(folder).table.board.name
        raise Failure(
            says("{0} is the folder of a game on the map {1!r}: name a map or its folder.", map_name, board)
        )
    return spec, folder


def _code(drawing: _Drawing, realm: str | None) -> str | None:
    """Return the code of a realm as the game writes it; None if none is given (``realm``: None).

    Raises ``click.BadParameter`` for an unknown one.
    """
    codes = [seat.code for seat in drawing.spec.seats(drawing.table, drawing.state)]
    if realm is not None and realm.upper() not in codes:
        raise click.BadParameter(
            says("this game has no realm {0}; it has {1}", realm, ", ".join(codes)), param_hint="'--realm'"
        )
    return realm.upper() if realm is not None else None


def _sheet(drawing: _Drawing, orders: Path) -> Any:
    """Return the orders in a file, whichever realm and key it names.

    Errors in single orders are not told; ``pbem check`` does that. Raises ``Failure`` for a file that cannot
    be read at all.
    """
    reading = drawing.spec.read_orders(
        drawing.table,
        drawing.state,
        orders.read_bytes(),
        str(orders),
        game=drawing.game,
        realm=None,
        key=None,
    )
    if reading.sheet is None:
        print_diagnostics(reading.diagnostics)
        raise Failure(says("{0} cannot be read as an order file.", orders))
    return reading.sheet


def _interval(row: Mapping[str, Any]) -> str:
    """Return in words the interval of a seat's share of games. ``row`` has the bounds ``low``, ``high``."""
    return f"{row['low']:.1%} – {row['high']:.1%}"


def _unfair(row: Mapping[str, Any]) -> str:
    """Return a sentence about a seat that is first in more or fewer games than is fair."""
    pattern = "{0} wins less than its fair share of {1:.1%}: {2} of {3} games"
    if row["first"] > row["fair"]:
        pattern = "{0} wins more than its fair share of {1:.1%}: {2} of {3} games"
    return says(pattern, row["seat"], row["fair"], _interval(row), row["games"])


@gm_command("check", command)
def check(
    map_name: Annotated[str, argument(metavar="MAP")],
    *,
    game_name: GameName,
    games: Annotated[int, option("--games", "-n", type=click.IntRange(0), default=0, metavar="N")],
    turns: Annotated[
        int, option("--turns", type=click.IntRange(1), default=40, show_default=True, metavar="N")
    ],
    bots: Annotated[str | None, option("--bots", metavar="BOTS")],
    option_words: Annotated[tuple[str, ...], option("--set", multiple=True, metavar="NAME=VALUE")],
    seed: Annotated[str, option("--seed", default="simulation", show_default=True, metavar="TEXT")],
    jobs: Annotated[int | None, option("--jobs", "-j", type=click.IntRange(1), metavar="N")],
    as_json: AsJson,
) -> int:
    """Check a map and its start position."""
    spec, folder = _map_source(map_name, game_name)
    findings = list(spec.check_map(folder))
    errors = sum(finding.is_error for finding in findings)
    balance = [] if errors else spec.map_balance(folder)
    seat_shares: list[dict[str, Any]] = []
    if games and not errors:
        from gm.cli.simulate import shares

        bots = bots or spec.strongest or next(iter(spec.bots))
        seat_shares = shares(spec, folder, games, bots, turns, seed, option_words, jobs)
        findings += [
            Diagnostic("warning", "map/unfair-seat", _unfair(row), str(folder))
            for row in seat_shares
            if row["unfair"]
        ]
    if as_json:
        print_json(
            {
                "map": str(folder),
                "errors": errors,
                "diagnostics": findings,
                "balance": balance,
                "played": seat_shares,
            }
        )
    else:
        print_diagnostics(findings)
        _print_figures(balance, seat_shares)
        pattern = "{0}: {1:error}, {2:warning}." if findings else "{0}: no problems found."
        echo(says(pattern, folder.name, Said(errors), Said(len(findings) - errors)))
    if errors:
        return FAILED
    return REFUSED if findings else 0


def _print_figures(balance: Sequence[Mapping[str, Any]], seat_shares: Sequence[Mapping[str, Any]]) -> None:
    """Print a line for each seat of a map: what it has at the start, then how often it was first in games.

    ``balance``: the columns of the first table, by head; ``seat_shares``: what ``simulate.shares`` returns,
    for the second table.
    """
    if balance:
        print_table([list(balance[0]), *(list(row.values()) for row in balance)])
        click.echo()
    if seat_shares:
        rows = [
            [row["seat"], row["games"], f"{row['first']:.1%}", _interval(row), f"{row['fair']:.1%}"]
            for row in seat_shares
        ]
        print_table([["seat", "games", "first", "95% interval", "fair share"], *rows])
        click.echo()
