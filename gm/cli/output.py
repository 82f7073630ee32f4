"""How commands print: sentences, JSON, diagnostics, tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from gm.core.diagnostics import Diagnostic, render_all
from gm.text.pages import aligned, capitalised
from gm.text.pages import counted as counted

if TYPE_CHECKING:
    from gm.campaign.open import Campaign


def with_stop(error: object) -> str:
    """The text of an error with a full stop, unless it ends with a question."""
    text = str(error)
    return text if text.endswith("?") else f"{text}."


def sentence(error: object) -> str:
    """The same with a capital letter."""
    return capitalised(with_stop(error))


def warn(text: str, *, err: bool = False) -> None:
    """A line in yellow."""
    click.secho(text, fg="yellow", err=err)


def complain(text: str) -> None:
    """Something that is wrong, in red, where cron sees it."""
    click.secho(text, fg="red", err=True)


def print_json(data: Any) -> None:
    """One JSON document."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def print_diagnostics(diagnostics: Sequence[Diagnostic], limit: int = 50) -> None:
    """Findings, in colour on a terminal."""
    if diagnostics:
        click.echo(render_all(diagnostics, colour=True, limit=limit))


def diagnostic_data(found: Diagnostic) -> dict[str, Any]:
    """A finding for ``--json``."""
    return structs.asdict(found)


def print_definitions(texts: Mapping[str, str], *, indent: str = "", width: int = 0) -> None:
    """Names with what they are, in two columns."""
    width = max([width, *map(len, texts)])
    for name, about in texts.items():
        click.echo(f"{indent}{name:{width}}  {about}")


def print_table(rows: Sequence[Sequence[object]], *, left: int = 1) -> None:
    """Rows in columns, the first row the heads; the first so many columns stand to the left."""
    click.echo("\n".join(aligned([list(map(str, row)) for row in rows], left)))


def shown_path(path: Path) -> str:
    """A path, relative to the current directory if it is below that."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def turn_title(turn: int, name: str) -> str:
    """A turn as a GM is told of it: by its number, which its folder has, and by what players call it."""
    return name if name == f"turn {turn}" else f"turn {turn} ({name})"


def outcome_of(campaign: Campaign) -> str:
    """How a game that is over has ended, in a sentence."""
    from gm.text.pages import listed

    names = {seat.code: seat.name for seat in campaign.seats}
    winners = [names.get(code, code) for code in campaign.winners or ()]
    return f"the game is over; {f'{listed(winners)} won' if winners else 'it is a draw'}."
