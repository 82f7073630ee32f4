"""Symbols that a map shows again and again, written into the picture once: a third of its size less."""

from __future__ import annotations

from gm.games.medieval.report.map_symbols import (
    BANNER,
    CAPITAL,
    CITY,
    DAMAGE,
    FORTIFICATION,
    HARBOUR,
    MINIATURES,
    MOUNTAIN,
    ROCK,
)

SHARED = {
    "capital": CAPITAL,
    "city": CITY,
    "tower": FORTIFICATION,
    "anchor": HARBOUR,
    "flame": DAMAGE,
    "peak": MOUNTAIN,
    "rock": ROCK,
    "banner": BANNER,
    **{f"figure-{kind.value}": drawing for kind, drawing in MINIATURES.items()},
}


def reference(name: str, prefix: str) -> str:
    """What stands in the picture in place of the symbol of this name."""
    return f'<use href="#{prefix}-{name}"/>'


def drawn_once(picture: str, prefix: str) -> str:
    """The picture with each of these symbols among its definitions, if it is there, and references to it elsewhere."""
    definitions = []
    for name, drawing in SHARED.items():
        if drawing in picture:
            picture = picture.replace(drawing, reference(name, prefix))
            definitions.append(f'<g id="{prefix}-{name}">{drawing}</g>')
    return picture.replace("<defs>", f"<defs>{''.join(definitions)}", 1)
