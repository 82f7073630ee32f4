"""How commands are declared, and which game, map or position is meant by what was typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import click
from click.shell_completion import CompletionItem

from gm.campaign.check import CheckContext, read_limited
from gm.cli.output import Failure, with_stop
from gm.core.orders.keys import NO_KEY
from gm.games import GAMES, game_spec
from gm.store.settings import checked_address, checked_name

Declaration = Callable[[str], click.Parameter]  # makes the parameter of a command out of the function's by its name


def option(*flags: str, **settings: Any) -> Declaration:
    """An option as ``click.option`` makes it: ``name: Annotated[str, option("--name")]`` in a command's signature."""
    return lambda name: click.Option([*flags, name], **settings)


def argument(**settings: Any) -> Declaration:
    """An argument as ``click.argument`` makes it."""
    return lambda name: click.Argument([name], **settings)


class ExplainedCommand(click.Command):
    """A command whose help stands in ``templates/help/``, in the file of its module: read when somebody asks."""

    def __init__(self, name: str, *, module: str, **settings: Any) -> None:
        super().__init__(name, **settings)
        self.help_file = f"{module.rpartition('.')[2]}.yaml"

    def explain(self) -> None:
        """Fill in the help of the command and of its own options."""
        if self.help is not None:
            return
        texts = _help_texts(self.help_file)[self.name]
        self.short_help = texts.get("short")
        # what stands in lines of its own is not filled
        parts = texts["about"].strip().split("\n\n")
        self.help = "\n\n".join(f"\b\n{part}" if "\n  " in f"\n{part}" else part for part in parts)
        for each in self.params:
            if isinstance(each, click.Option) and each.help is None:
                each.help = texts.get("options", {}).get(next(flag for flag in each.opts if flag.startswith("--")))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; the number that it returns is the exit code."""
        code = super().invoke(ctx)
        if isinstance(code, int) and code:
            ctx.exit(code)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.explain()
        super().format_help(ctx, formatter)

    def get_short_help_str(self, limit: int = 45) -> str:
        self.explain()
        return super().get_short_help_str(limit)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        self.explain()
        return super().shell_complete(ctx, incomplete)


class ExplainedGroup(ExplainedCommand, click.Group):
    """The same for a command with commands below it."""


@cache
def _help_texts(file: str) -> Any:
    from gm.core.yaml.models import load_data
    from gm.resources import resource

    return load_data(resource("templates", "help", file))[0]


def gm_command(
    name: str, parent: click.Group | None = None, **settings: Any
) -> Callable[[Callable[..., int | None]], ExplainedCommand]:
    """The command that runs a function, below ``parent`` if there is one; its parameters are those of the signature."""

    def declared(function: Callable[..., int | None]) -> ExplainedCommand:
        hints = get_type_hints(function, include_extras=True)
        written = reversed(getattr(function, "__click_params__", ()))  # by click's own decorators
        params = [*written, *(each for pair in hints.items() for each in _parameters(*pair))]
        made = ExplainedCommand(name, module=function.__module__, callback=function, params=params, **settings)
        if parent is not None:
            parent.add_command(made)
        return made

    return declared


def _parameters(name: str, hint: Any) -> Iterator[click.Parameter]:
    """What is declared by ``Annotated``; else by its type: a flag or an option of this name, or an argument."""
    flag = f"--{name.replace('_', '-')}"
    plain: dict[Any, Declaration] = {bool: option(flag, is_flag=True), str | None: option(flag), str: argument()}
    plain |= {Path: argument(type=FILE), Path | None: option(flag, type=NEW_FILE), tuple[str, ...]: argument(nargs=-1)}
    yield from (make(name) for make in getattr(hint, "__metadata__", [plain[hint]] if hint in plain else ()))


# -- types and options that several commands have ----------------------------------------------------------------------

FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
NEW_FILE = click.Path(path_type=Path, dir_okay=False)

_HERE = "The game's folder. Default: the current directory or the nearest above it that holds a game."
_GAMES = (
    "A game's folder, or a folder of games; may be given more than once. Default: the game around the current "
    "directory."
)
_BOTS = "Write the reports of seats that bots play, too."
_AT = "What counts as now, e.g. '2026-01-09 20:15' in the game's time zone. Default: the clock."

Game = Annotated[Path | None, option("--game", "-g", metavar="FOLDER", type=FOLDER, help=_HERE)]
Games = Annotated[tuple[Path, ...], option("--game", "-g", metavar="FOLDER", multiple=True, type=FOLDER, help=_GAMES)]
NewFolder = Annotated[Path, argument(type=click.Path(path_type=Path))]
Turn = Annotated[int | None, option("--turn", type=click.IntRange(min=0), metavar="N")]
Reason = Annotated[str, option("--why", default="", metavar="REASON")]
Results = Annotated[Path | None, option("--results", type=FILE, metavar="FILE")]
AsJson = Annotated[bool, option("--json", is_flag=True, help="Print JSON, for scripts.")]
BotReports = Annotated[bool, option("--bot-reports", is_flag=True, help=_BOTS)]
At = Annotated[str | None, option("--at", metavar="TIME", help=_AT)]


@contextmanager
def bad_parameter(option: str) -> Iterator[None]:
    """A ``ValueError`` about what was typed becomes a ``click.BadParameter`` that names the option."""
    try:
        yield
    except ValueError as error:
        raise click.BadParameter(with_stop(error), param_hint=f"'{option}'") from None


class _Checked(click.ParamType[str]):
    """A text that may be refused with a ``ValueError``."""

    def __init__(self, name: str, check: Callable[[str], str]) -> None:
        self.name, self._check = name, check

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return self._check(str(value))
        except ValueError as error:
            self.fail(f"{error}.", param, ctx)


ADDRESS = _Checked("address", lambda text: checked_address(text) if text.strip() else "")
PLAYER_NAME = _Checked("text", checked_name)  # a player's name, as ``players.yaml`` may hold it


if TYPE_CHECKING:
    from gm.game.spec import GameSpec
    from gm.store.formats import JsonObject

RESULTS_LIMIT = 64 * 1024 * 1024  # bytes that a results file may have

_GAME_NAME_HELP = f"For which game the map is, if its name does not say it: {', '.join(GAMES)}."
GameName = Annotated[str | None, option("--game-name", metavar="GAME", help=_GAME_NAME_HELP)]


def named_game(name: str, option: str = "--game-name") -> GameSpec[Any]:
    """The game of this name. Raises ``click.BadParameter`` for one that there is not."""
    if name not in GAMES:
        raise click.BadParameter(f"no game is called {name!r}; there is {', '.join(GAMES)}", param_hint=f"'{option}'")
    return game_spec(name)


def game_with_map(map_name: str | None, game_name: str | None) -> GameSpec[Any]:
    """The named game, else the one with a map of this name, else the first. Raises ``click.BadParameter``."""
    return named_game(game_name or (map_name and game_of_map(map_name)) or next(iter(GAMES)))


def game_of_map(map_name: str) -> str | None:
    """The game of whose maps one has this name, or lies at this path."""
    path = Path(map_name).resolve()
    for key in GAMES:
        maps = game_spec(key).maps()
        if map_name in maps or any(path in (folder, folder / "map.yaml") for folder in maps.values()):
            return key
    return None


def unknown_map(map_name: str, hint: str) -> click.BadParameter:
    """The error for a map that there is not."""
    return click.BadParameter(f"no map is called {map_name!r}; {hint}", param_hint="'--map'")


def results_context(results: Path, map_folder: Path | None) -> CheckContext:
    """What a player checks against: position and key from his results, rules and map as they come with the program."""
    from gm.cli.table_cache import shipped_table

    data, problem = read_limited(results, RESULTS_LIMIT), ""
    for name in GAMES:
        spec = game_spec(name)
        try:
            head, state = spec.results_state(data, str(results))
        except ValueError as error:
            problem = problem or str(error)
            continue
        chosen = str(head.get("map") or "")
        own = spec.results_table(data, str(results)) if map_folder is None else None
        if own is None and map_folder is None and chosen not in spec.maps():
            hint = "get its folder from the GM and name it with --map"
            raise Failure(f"The map {chosen!r} does not come with gm: {hint}.")
        realm, key = str(head["realm"]), str(head["key"])
        table = own or shipped_table(spec, chosen, map_folder)
        # results that came by mail hold no key
        return CheckContext(spec, table, state, str(head["game"]), {} if key == NO_KEY else {realm: key}, realm)
    raise Failure(f"{problem}.")


def results_record(path: Path) -> JsonObject:
    """A realm's results of whichever game as plain data. Raises ``Failure``."""
    data, problem = whole_file(path), f"{path} is no results file"
    for name in GAMES:
        try:
            found = game_spec(name).results_data(data, str(path))
        except ValueError as error:
            problem = str(error)
            continue
        if "realm" in found and "turn" in found:
            return found
    raise Failure(f"{problem}.")


def whole_file(path: Path) -> bytes:
    """What is in a file. Raises ``Failure`` for one that is too large."""
    data = read_limited(path, RESULTS_LIMIT)
    if len(data) > RESULTS_LIMIT:
        raise Failure(f"{path} is larger than any file of a game.")
    return data
