"""What a page of a small game is made of; the templates under ``templates/game`` put it on the page and escape it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Cell:
    """One field of a table. ``tone``: good, bad, warn or soft; ``colour``: of a chip before the text; ``clause``: the
    rule behind it; ``code``: it is written as in an order file."""

    text: str
    tone: str = ""
    colour: str = ""
    clause: str = ""
    code: bool = False


Shown: TypeAlias = "Cell | str | int"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; the first column names the row, those in ``numbers`` stand to the right, ``nothing`` stands for no rows.
    On a narrow screen each row becomes a card."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Shown]]
    caption: str = ""
    numbers: Sequence[str] = ()
    nothing: str = "none"
    """What is said in the place of a table without rows."""
    kind: str = "grid"

    @property
    def cells(self) -> list[list[Cell]]:
        """The rows, everything in them a cell."""
        return [[each if isinstance(each, Cell) else Cell(str(each)) for each in row] for row in self.rows]


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing. ``svg`` is made and escaped by the program; ``about`` says in words what it shows."""

    svg: str
    about: str
    caption: str = ""
    kind: str = "picture"


@dataclass(frozen=True, slots=True)
class Story:
    """Sentences under a heading, each with the clause behind it (empty: none)."""

    title: str
    sentences: Sequence[tuple[str, str]]
    nothing: str = ""
    """What is said when there are none; empty: the heading is left out."""
    kind: str = "story"


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs."""

    lines: Sequence[str]
    tone: str = ""
    kind: str = "prose"


@dataclass(frozen=True, slots=True)
class Listing:
    """A text as it is in a file."""

    text: str
    kind: str = "listing"


@dataclass(frozen=True, slots=True)
class Ready:
    """HTML that a template has made."""

    html: Markup
    kind: str = "ready"


Part: TypeAlias = "Grid | Picture | Story | Prose | Listing | Ready"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page with a heading, to which the bar at the top leads. ``id`` is its anchor."""

    id: str
    title: str
    parts: Sequence[Part]


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure at the top of the page: ``small`` says more of it."""

    label: str
    value: str
    small: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A whole page. ``styles`` and ``scripts`` name files below ``templates/`` that it carries with it; ``data``:
    values that its scripts find under their names."""

    title: str
    over: str
    under: str
    sections: Sequence[Section]
    colour: str = "#7c1d1d"
    facts: Sequence[Fact] = ()
    banner: Sequence[str] = ()
    foot: Sequence[str] = ()
    language: str = "en"
    styles: Sequence[str] = ()
    scripts: Sequence[str] = ()
    data: Mapping[str, object] = field(default_factory=dict)
