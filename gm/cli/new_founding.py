"""``gm new --set``: what a game lets its GM choose when it begins."""

from __future__ import annotations

from typing import Any

import click

from gm.game.founding import Founded, NewGameRequest
from gm.game.spec import GameSpec


def options_of(wishes: tuple[str, ...]) -> dict[str, str]:
    """``NAME=VALUE`` words by name. Raises ``click.BadParameter`` for one without an equals sign."""
    found: dict[str, str] = {}
    for each in wishes:
        name, equals, value = each.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"{each!r} is not of the form NAME=VALUE", param_hint="'--set'")
        found[name.strip()] = value.strip()
    return found


def show_options(spec: GameSpec[Any]) -> None:
    """Print what can be chosen when a game begins."""
    if not spec.options:
        click.echo(f"{spec.title} has no options but its map: {', '.join(spec.maps())}.")
        return
    width = max(map(len, spec.options))
    click.echo(f"What can be set when a game of {spec.title} begins, with --set NAME=VALUE:")
    for name, about in spec.options.items():
        click.echo(f"  {name:{width}}  {about}")
    click.echo(f"Maps, with --map: {', '.join(spec.maps())}.")


def begun(spec: GameSpec[Any], wishes: NewGameRequest) -> Founded:
    """The beginning of a game. Raises ``click.BadParameter`` for options that do not fit, and ``SourceError``."""
    from gm.core.diagnostics import SourceError

    try:
        return spec.founded(wishes)
    except SourceError:
        raise
    except ValueError as error:
        text = str(error)
        raise click.BadParameter(f"{text}{'' if text.endswith('?') else '.'}", param_hint="'--set'") from None
