"""The texts of our letters: a template for each, in plain text, and the same as HTML made out of it.

In a template, paragraphs stand between empty lines, lines that begin with ``* `` are a list, and lines that begin with
two spaces stay as they are. Whatever a player wrote has become one printable line before it comes here.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from gm.resources import resource
from gm.text.pages import render

if TYPE_CHECKING:
    from jinja2 import Environment

WIDTH = 76
"""Characters in a line of plain text."""

Block = tuple[str, Any]
"""("text", a paragraph), ("list", its items) or ("plain", lines that stay as they are)."""


@cache
def _environment() -> Environment:
    """For plain text: nothing is escaped, because nothing of it is markup."""
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(resource("templates", "mail")),
        autoescape=False,  # noqa: S701 - plain text has no markup
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def written(template: str, values: Mapping[str, Any]) -> list[Block]:
    """A letter's blocks from ``templates/mail/NAME.txt``. Raises ``jinja2.UndefinedError`` for a missing value."""
    return list(_blocks(_environment().get_template(f"{template}.txt").render(values)))


def _blocks(text: str) -> Iterator[Block]:
    """The blocks of a text. Lines that stay as they are go together over empty ones between them."""
    plain: list[str] = []
    for part in text.strip("\n").split("\n\n"):
        lines = part.strip("\n").split("\n")
        if all(line.startswith("  ") or not line for line in lines) and any(lines):
            plain += ["", *lines] if plain else lines
            continue
        if plain:
            yield "plain", textwrap.dedent("\n".join(plain))
            plain = []
        if lines[0].startswith("* "):
            yield "list", tuple(" ".join(item.split()) for item in part.strip("\n")[2:].split("\n* "))
        elif any(lines):
            yield "text", " ".join(" ".join(lines).split())
    if plain:
        yield "plain", textwrap.dedent("\n".join(plain))


def plain_text(blocks: list[Block]) -> str:
    """The letter for programs that show no HTML."""
    parts = []
    for kind, content in blocks:
        if kind == "plain":
            parts.append(textwrap.indent(content, "  "))
        elif kind == "list":
            wrapped = (_filled(item, initial_indent="* ", subsequent_indent="  ") for item in content)
            parts.append("\n".join(wrapped))
        else:
            parts.append(_filled(content))
    return "\n\n".join(parts) + "\n"


def _filled(text: str, **indents: str) -> str:
    """A paragraph in lines; names of files and addresses stay whole."""
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False, **indents)  # type: ignore[arg-type]


def html_text(blocks: list[Block], subject: str, game: str) -> str:
    """The letter for those that do."""
    return render(resource("templates"), "mail/letter.html", {"blocks": blocks, "subject": subject, "game": game})


def indented(text: str) -> str:
    """A text that stays as it is when it comes into a template."""
    return "\n".join(f"  {line}" if line else "" for line in text.splitlines())
