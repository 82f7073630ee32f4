"""Who wants to play a new game, as ``gm new`` is told: by options, or in a GM's list."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from gm.cli.new_files import read_entrants
from gm.core.addresses import checked_address
from gm.store.settings import checked_name


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who will play; ``realm`` is empty until it is drawn."""

    realm: str = ""
    name: str = ""
    email: Any = ""
    """One address as a text, or several as a tuple."""
    language: str = ""
    bot: str = ""


def read_all(options: tuple[str, ...], file: Path | None) -> list[Entrant]:
    """Everybody who wants to play, those of the file first."""
    listed = [Entrant(**each) for each in read_entrants(file)] if file else []
    return [*listed, *(_entrant(option) for option in options)]


def _entrant(option: str) -> Entrant:
    """``LIT=Anna <anna@example.org>``, each part but the address optional."""
    realm, equals, rest = option.partition("=")
    if not equals:
        realm, rest = "", option
    name, bracket, address = rest.partition("<")
    if not bracket:
        name, address = "", rest
    try:
        checked_name(name.strip())
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'--player'") from None
    if "@" not in address:
        raise click.BadParameter(f"{option!r} holds no e-mail address", param_hint="'--player'")
    try:
        found = checked_address(address.strip().removesuffix(">"))
    except ValueError as error:
        raise click.BadParameter(f"{option!r}: {error}.", param_hint="'--player'") from None
    return Entrant(realm.strip().upper(), name.strip(), found)
