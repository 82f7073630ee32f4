"""How commands are declared: parameters by the function's signature, their help in ``templates/help/``."""

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import click
from click.shell_completion import CompletionItem

from gm.cli.helping import Helping, paragraphs
from gm.cli.output import print_json, with_stop
from gm.cli.speech import speaking, worded
from gm.core.diagnostics import says
from gm.game.spec import GameSpec
from gm.store.deadlines import NEVER, Clock, MoreTime, day_or_slot
from gm.store.settings import checked_address, checked_name
from gm.text.languages import ENGLISH

# makes the parameter of a command from the name of a parameter of its function
Declaration = Callable[[str], click.Parameter]


def option(*flags: str, **settings: Any) -> Declaration:
    """Return what makes an option for a command's signature: ``name: Annotated[str, option("--name")]``.

    The parameters are those of ``click.option``.
    """
    return lambda name: click.Option([*flags, name], **settings)


def argument(**settings: Any) -> Declaration:
    """Return what makes an argument for a command's signature: ``name: Annotated[str, argument()]``.

    The parameters are those of ``click.argument``.
    """
    return lambda name: click.Argument([name], **settings)


class ExplainedCommand(Helping):
    """A command whose help is in ``templates/help/``, in a file that is read when it is needed."""

    def __init__(self, name: str, *, module: str, **settings: Any) -> None:
        """Make the command. ``module``: its dotted name; the help is in the file called as its last part."""
        super().__init__(name, **settings)
        self.help_file = f"{module.rpartition('.')[2]}.yaml"

    def explain(self) -> None:
        """Fill in the help of the command and of those of its options that have none, once."""
        if self.help is not None:
            return  # it has been filled in already
        texts = _help_texts(self.help_file)[self.name]
        self.short_help = texts.get("short")
        self.help = paragraphs(texts["about"])
        for parameter in self.params:
            if isinstance(parameter, click.Option) and parameter.help is None:
                parameter.help = texts.get("options", {}).get(
                    next(flag for flag in parameter.opts if flag.startswith("--"))
                )

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; exit with the number that its function returns, None being 0."""
        collects = ctx.meta.get(_COLLECTS_TEXT)
        # what programs read is English
        in_language = speaking(ENGLISH) if collects or ctx.params.get("as_json") else nullcontext()
        with in_language, _text_as_json() if collects else nullcontext():
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


# whether ``--json`` was given to a command without JSON of its own, in click's ``Context.meta``
_COLLECTS_TEXT = "gm.said"


@contextmanager
def _text_as_json() -> Iterator[None]:
    """Collect what is printed inside the block; print it as a JSON document, also after an error."""
    output = io.StringIO()
    try:
        with redirect_stdout(output):
            yield
    finally:
        print_json({"said": output.getvalue().splitlines()})


class ExplainedGroup(ExplainedCommand, click.Group):
    """A group of commands whose help begins with an explanation and examples."""


@cache
def _help_texts(file: str) -> Any:
    """Return the content of a file in ``templates/help/``, by the names of commands."""
    from gm.core.yaml.models import load_data
    from gm.resources import resource

    return load_data(resource("templates", "help", file))[0]


def gm_command(
    name: str, parent: click.Group | None = None, *, document: bool = False, **settings: Any
) -> Callable[[Callable[..., int | None]], ExplainedCommand]:
    """Return a decorator that makes a function a command, below ``parent`` if there is one.

    The command's parameters are those of the signature, and ``--json``; ``document``: it has no ``--json``,
    because it prints a document of another format, or serves a person. ``settings``: for click.
    """

    def declare(function: Callable[..., int | None]) -> ExplainedCommand:
        """Return the click command of a function, with its parameters from the signature."""
        # those that click's own decorators declare; they are called from below
        params = list(reversed(getattr(function, "__click_params__", ())))
        for parameter_name, hint in get_type_hints(function, include_extras=True).items():
            params += _parameters(parameter_name, hint)
        if not document and not any(parameter.name == "as_json" for parameter in params):
            params.append(_plain_json())
        command = ExplainedCommand(
            name, module=function.__module__, callback=function, params=params, **settings
        )
        if parent is not None:
            parent.add_command(command)
        return command

    return declare


def _parameters(name: str, hint: Any) -> Iterator[click.Parameter]:
    """Yield click's parameters for a parameter of a function with this name and type hint.

    They are those in ``Annotated``. Without it, the type says whether it is a flag, an option or an argument;
    for any other type there is none.
    """
    flag = f"--{name.replace('_', '-')}"
    by_type: dict[Any, Declaration] = {
        bool: option(flag, is_flag=True),
        str | None: option(flag),
        str: argument(),
        Path: argument(type=FILE),
        Path | None: option(flag, type=NEW_FILE),
        tuple[str, ...]: argument(nargs=-1),
    }
    declarations = getattr(hint, "__metadata__", [by_type[hint]] if hint in by_type else ())
    for declaration in declarations:
        yield declaration(name)


# -- types and options that several commands have ------------------------------------------------------------

FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
NEW_FILE = click.Path(path_type=Path, dir_okay=False)

_JSON = "Print JSON, for scripts."
_HERE = (
    "The game's folder. Default: GM_GAME in the environment, else the current directory or the nearest above "
    "it."
)
_GAMES = (
    "A game's folder, or a folder of games; may be given more than once. Default: GM_GAME in the "
    "environment, else the game around the current directory."
)
_BOTS = "Write the reports of seats that bots play, too."
_AT = "What counts as now, e.g. '2026-01-09 20:15' in the game's time zone. Default: the clock."

Game = Annotated[Path | None, option("--game", "-g", metavar="FOLDER", type=FOLDER, help=_HERE)]
Games = Annotated[
    tuple[Path, ...], option("--game", "-g", metavar="FOLDER", multiple=True, type=FOLDER, help=_GAMES)
]
NewFolder = Annotated[Path, argument(type=click.Path(path_type=Path))]
Turn = Annotated[int | None, option("--turn", type=click.IntRange(min=0), metavar="N")]
Reason = Annotated[str, option("--why", default="", metavar="REASON")]
Results = Annotated[Path | None, option("--results", type=FILE, metavar="FILE")]
AsJson = Annotated[bool, option("--json", is_flag=True, help=_JSON)]


def _plain_json() -> click.Option:
    """Return the option ``--json`` for a command that has no JSON of its own: it prints its text as JSON."""
    keep = partial(_keep_flag, _COLLECTS_TEXT)
    return click.Option(["--json", "as_json"], is_flag=True, help=_JSON, expose_value=False, callback=keep)


def _keep_flag(name: str, ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click says it without its name
    """Store the value of a flag under ``name`` for the command, whose function does not get it."""
    ctx.meta[name] = value


Vacations = Annotated[int | None, option("--vacations", type=click.IntRange(0, 52), metavar="WEEKS")]
Clocks = Annotated[str | None, option("--clock", metavar="BANK+INCREMENT")]
BotReports = Annotated[bool, option("--bot-reports", is_flag=True, help=_BOTS)]
At = Annotated[str | None, option("--at", metavar="TIME", help=_AT)]


def folder_or_default(folder: Path | None = None) -> Path:
    """Return the folder that a command was given; if None, ``GM_GAME``'s, else the current directory."""
    return folder or Path(os.environ.get("GM_GAME") or Path.cwd())


@contextmanager
def bad_parameter(option: str) -> Iterator[None]:
    """Turn a ``ValueError`` about what was typed into a ``click.BadParameter`` that names the option."""
    try:
        yield
    except ValueError as error:
        raise click.BadParameter(with_stop(error), param_hint=f"'{option}'") from None


class _Checked(click.ParamType[str]):
    """A type of options and arguments: a text that a function checks, and may replace by another."""

    def __init__(self, name: str, check: Callable[[str], str]) -> None:
        """Make the type called ``name``; ``check``: returns the text to use, or raises ``ValueError``."""
        self.name = name
        self._check = check

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return self._check(str(value))
        except ValueError as error:
            self.fail(f"{worded(error)}.", param, ctx)


def _more_time(text: str) -> str:
    """Return an amount of time in the form of ``game.yaml``; empty for none. Raises ``ValueError``."""
    time = text.strip().lower()
    if time == NEVER:
        return ""
    MoreTime.of(time)
    return time


ADDRESS = _Checked("address", lambda text: checked_address(text) if text.strip() else "")
DATE = _Checked("date", day_or_slot)
MORE_TIME = _Checked("text", _more_time)
Date = Annotated[str, argument(type=DATE)]
GraceTime = Annotated[str | None, option("--grace", type=MORE_TIME, metavar="TIME")]
Extensions = Annotated[str | None, option("--extensions", type=MORE_TIME, metavar="TIME")]
PLAYER_NAME = _Checked("text", checked_name)  # a player's name, as ``players.yaml`` may hold it


def checked_clock(spec: GameSpec[Any], state: Any, text: str | None) -> str:
    """Return the clock that each player gets, in the form of ``game.yaml``; empty for none.

    ``text``: that of ``--clock``. Raises ``click.BadParameter`` for a text that is no clock, and in a game
    whose players do not move in turn.
    """
    clock = "" if (text or "").strip().lower() == "none" else (text or "").lower()
    with bad_parameter("--clock"):
        # ``Clock.of`` raises an error for a text that is no clock
        if clock and Clock.of(clock) and not spec.alternates(state):
            raise ValueError(
                says("here nobody waits for another's move: give the game a turn schedule with --every")
            )
    return clock
