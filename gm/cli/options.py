"""Options and types of arguments that several commands have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from gm.cli.output import with_stop

F = TypeVar("F", bound=Callable[..., Any])

FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
"""A file that is there."""
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
"""A folder that is there."""
NEW_FILE = click.Path(path_type=Path, dir_okay=False)

game_option = click.option(
    "--game",
    "-g",
    "game_folder",
    metavar="FOLDER",
    type=FOLDER,
    help="The game's folder. Default: the current directory or the nearest above it that holds a game.",
)
games_option = click.option(
    "--game",
    "-g",
    "game_folders",
    metavar="FOLDER",
    multiple=True,
    type=FOLDER,
    help="A game's folder, or a folder of games; may be given more than once. Default: the game around the current "
    "directory.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for scripts.")
bot_reports_option = click.option("--bot-reports", is_flag=True, help="Write the reports of seats that bots play, too.")
at_option = click.option(
    "--at",
    metavar="TIME",
    help="What counts as now, e.g. '2026-01-09 20:15' in the game's time zone. Default: the clock.",
)


@contextmanager
def bad_parameter(option: str) -> Iterator[None]:
    """A ``ValueError`` about what was typed becomes a ``click.BadParameter`` that names the option."""
    try:
        yield
    except ValueError as error:
        raise click.BadParameter(with_stop(error), param_hint=f"'{option}'") from None


class Address(click.ParamType[str]):
    """One e-mail address, as it is written to."""

    name = "address"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from gm.core.addresses import checked_address

        if not str(value).strip():
            return ""
        try:
            return checked_address(str(value))
        except ValueError as error:
            self.fail(f"{error}.", param, ctx)


ADDRESS = Address()


def emails_option(help_: str, *, required: bool = False) -> Callable[[F], F]:
    """``--email ADDRESS``, again for each further address of the same player."""
    return click.option("--email", "emails", multiple=True, type=ADDRESS, required=required, help=help_)


def name_option(help_: str, default: str | None = None) -> Callable[[F], F]:
    """``--name NAME``: a player's name, refused when ``players.yaml`` may not hold it."""
    return click.option("--name", default=default, callback=_checked_name, help=help_)


def _checked_name(_context: click.Context, _option: click.Parameter | None, text: str | None) -> str | None:
    from gm.store.settings import checked_name

    try:
        return text and checked_name(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None
