"""The inputs of a command without a game's folder: a game, a map, or the position in a player's results."""

from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any

import click

from gm.campaign.check import CheckContext, read_limited
from gm.campaign.order_files import OrderReader
from gm.cli.options import option
from gm.cli.output import Failure, with_stop
from gm.cli.speech import use_words_of
from gm.core.diagnostics import did_you_mean, nearest, says
from gm.core.orders.keys import NO_KEY
from gm.game.spec import GameSpec
from gm.games import GAMES, game_spec, known_games, why_unknown
from gm.store.formats import JsonObject

RESULTS_LIMIT = 64 * 1024 * 1024  # bytes that a results file may have

_GAME_NAME_HELP = "The game that the map is for, if its name does not show it; 'pbem games' lists them."
GameName = Annotated[str | None, option("--game-name", metavar="GAME", help=_GAME_NAME_HELP)]


def named_game(name: str, option: str = "--game-name") -> GameSpec[Any]:
    """Return the game with this key, and use its words from now on.

    Raises ``click.BadParameter``, for ``option``, if there is none.
    """
    why = why_unknown(name)
    if why:
        raise click.BadParameter(why, param_hint=f"'{option}'")
    spec = game_spec(name)
    use_words_of(spec.key)
    return spec


def game_with_map(map_name: str | None, game_name: str | None) -> GameSpec[Any]:
    """Return the game with this key; without one, the game with this map; else pbem's first game.

    Its words are used from now on. Raises ``click.BadParameter`` for an unknown key.
    """
    name = game_name
    if not name and map_name:
        name = game_of_map(map_name)
    return named_game(name or next(iter(GAMES)))


def game_of_map(map_name: str) -> str | None:
    """Return the key of the game that has a map of this name or at this path; None if none has."""
    path = Path(map_name).resolve()
    for key in known_games():
        maps = game_spec(key).maps()
        if map_name in maps or any(path in (folder, folder / "map.yaml") for folder in maps.values()):
            return key
    return None


def map_folder(spec: GameSpec[Any], map_name: str) -> Path:
    """Return the folder of a game's map, by the map's name or by the folder's path.

    Raises ``click.BadParameter`` if there is neither.
    """
    maps = spec.maps()
    if map_name in maps:
        return maps[map_name]
    if Path(map_name).is_dir():
        return Path(map_name)
    home = game_of_map(map_name)
    if home:
        message = says("{0!r} is a map of another game: say '--game {1}' too", map_name, home)
        raise click.BadParameter(message, param_hint="'--map'")
    raise unknown_map(map_name, maps, or_folder=True)


def unknown_map(map_name: str, names: Collection[str], *, or_folder: bool = False) -> click.BadParameter:
    """Return the error for an unknown map. Its hint is the nearest of ``names``, else all of them.

    Without names the hint is to name the map's folder. ``or_folder``: a folder would do as well.
    """
    listed_names = ", ".join(names)
    near = nearest(map_name, names)
    if near:
        hint = did_you_mean(near)
    elif not names:
        hint = says("name its folder")
    elif or_folder:
        hint = says("with pbem come {0}, or name a map's folder", listed_names)
    else:
        hint = says("with pbem come {0}", listed_names)
    return click.BadParameter(says("no map is called {0!r}; {1}", map_name, hint), param_hint="'--map'")


def results_context(results: Path, map_folder: Path | None) -> CheckContext:
    """Return the position, key, rules and map that a player's order file is checked against.

    Position and key are from the player's results. The map is that of ``map_folder``; if that is None, the
    one in the results, if they hold it, else the one that comes with the program. The words of the game are
    used from now on. Raises ``Failure`` for a file that is no results, and for a map that is missing or does
    not fit them.
    """
    from gm.cli.table_cache import shipped_table

    data = read_limited(results, RESULTS_LIMIT)
    problem: ValueError | None = None  # the first game's, for a file that no game can read
    for name in known_games():
        spec = game_spec(name)
        try:
            head, state = spec.results_state(data, str(results))
        except ValueError as error:
            if problem is None:
                problem = error
                use_words_of(name)
            continue
        use_words_of(name)
        map_name = str(head.get("map") or "")
        own_table = spec.results_table(data, str(results)) if map_folder is None else None
        if own_table is None and map_folder is None and map_name not in spec.maps():
            hint = says("get its folder from the GM and name it with --map")
            raise Failure(says("The map {0!r} does not come with pbem: {1}.", map_name, hint))
        realm = str(head["realm"])
        key = str(head["key"])
        table = own_table or shipped_table(spec, map_name, map_folder)
        violations = () if own_table is not None else spec.broken(table, state)
        if violations:  # the map was changed after the game began
            hint = says("get the game's map from the GM and name its folder with --map")
            raise Failure(
                says(
                    "{0} does not fit the map {1!r} ({2}): {3}.",
                    results.name,
                    table.board.name,
                    violations[0],
                    hint,
                )
            )
        # results that came by mail hold no key
        reader = OrderReader(spec, table, state, str(head["game"]))
        return CheckContext(reader, {} if key == NO_KEY else {realm: key}, realm)
    raise Failure(with_stop(problem))


def results_record(path: Path) -> JsonObject:
    """Return a realm's results, of any game, as plain data, and use the game's words from now on.

    Raises ``Failure`` for another file.
    """
    data = whole_file(path)
    problem: object = says("{0} is not a results file", path)
    for name in known_games():
        try:
            record = game_spec(name).results_data(data, str(path))
        except ValueError as error:
            problem = error
            continue
        finally:
            use_words_of(name)
        if "realm" in record and "turn" in record:
            return record
    raise Failure(with_stop(problem))


def whole_file(path: Path) -> bytes:
    """Return the content of a file. Raises ``Failure`` for one that is too large."""
    data = read_limited(path, RESULTS_LIMIT)
    if len(data) > RESULTS_LIMIT:
        raise Failure(says("{0} is larger than any file of a game.", path))
    return data
