"""The texts of a game that are data, and its clauses as handbook and reports show them.

rules/KEY/clauses.yaml              clause ids with a title each, in the rules' order
rules/KEY/rulings.yaml              what the project decided where the rules are silent
rules/KEY/reasons/*.yaml            why a line of orders comes to nothing
rules/KEY/handbook/chapters.yaml    chapters of clauses
rules/KEY/handbook/clauses/*.yaml   each clause in our own words
rules/KEY/handbook/guide.yaml       how to play, for newcomers
templates/KEY/sentences/*.yaml      a sentence for each event
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from gm.core.codec import from_plain
from gm.core.values import Record, Value
from gm.core.yaml.models import load_folder, load_value
from gm.resources import resource
from gm.text.languages import Translate
from gm.text.markup import Anchors, Figures, html_of, line_of
from gm.text.words import Sentence, load_reasons, load_sentences

if TYPE_CHECKING:
    from markupsafe import Markup


_FIGURE = re.compile(r"\{\w+(?::([^|}]+)(?:\|([^}]+))?)?\}")


class Ruling(Value):
    """One decision of the project where the rules are silent or contradict themselves."""

    id: str
    clause: str
    ruling: str


class Clause(Value):
    """A clause of the rules: its title in our words; ``later`` if the game does not have it yet."""

    title: str
    later: bool = False


class Chapter(Value):
    """The clauses whose ids begin with ``id``, under a title and a line about their subject."""

    id: str
    title: str
    about: str = ""


class GuidePart(Value):
    """One section of the guide. ``text`` is in the markup of :mod:`gm.text.markup`."""

    id: str
    title: str
    text: str


class TextFile(Value):
    """A file of texts.

    One of clauses.yaml (by id a title, or a whole clause), a file of clauses/ (texts by id), rulings.yaml,
    chapters.yaml, or guide.yaml, whose ``summary`` says what the game is about.
    """

    clauses: Mapping[str, Any] = {}
    rulings: tuple[Ruling, ...] = ()
    chapters: tuple[Chapter, ...] = ()
    summary: str = ""
    parts: tuple[GuidePart, ...] = ()


@cache
def _text_file(game: str, *names: str) -> TextFile:
    return load_value(resource("rules", game, *names), TextFile)


@cache
def clauses(game: str) -> Mapping[str, Clause]:
    """Return every clause by id, in the rules' order."""
    wholes = _text_file(game, "clauses.yaml").clauses.items()
    return {
        key: Clause(title=clause) if isinstance(clause, str) else from_plain(clause, Clause)
        for key, clause in wholes
    }


@cache
def rulings(game: str) -> tuple[Ruling, ...]:
    """Return the rulings of a game; a game may have none."""
    return (
        _text_file(game, "rulings.yaml").rulings if resource("rules", game, "rulings.yaml").is_file() else ()
    )


def chapters(game: str) -> tuple[Chapter, ...]:
    """Return the chapters of its handbook."""
    return _text_file(game, "handbook", "chapters.yaml").chapters


@cache
def clause_texts(game: str) -> Mapping[str, str]:
    """Return the text of each clause. Raises ``ValueError`` for one that is in two files."""
    folder = resource("rules", game, "handbook", "clauses")
    return load_folder(folder, lambda path: load_value(path, TextFile).clauses)


def guide(game: str) -> TextFile:
    """Return the guide of its handbook."""
    return _text_file(game, "handbook", "guide.yaml")


@cache
def sentences(game: str) -> Mapping[str, Sentence]:
    """Return a sentence for each event of the game and of the core.

    Raises ``ValueError`` for an event that has two.
    """
    return {
        **load_sentences("templates", "game", "sentences"),
        **load_sentences("templates", game, "sentences"),
    }


class ClauseView(Record):
    """A clause: title, text and rulings, sentences of reports about it, and the orders that it governs."""

    id: str
    title: str
    later: bool
    text: "Markup"
    rulings: "tuple[Markup, ...]"
    reasons: tuple[str, ...]
    words: tuple[str, ...] = ()


class ChapterView(Record):
    """A chapter with its clauses."""

    id: str
    title: str
    about: "Markup"
    clauses: tuple[ClauseView, ...]


def chapter_views(
    game: str,
    figures: Figures,
    anchors: Anchors = str,
    words: Mapping[str, tuple[str, ...]] = {},
    translate: Translate = str,
) -> tuple[ChapterView, ...]:
    """Return all clauses in the rules' order.

    Raises ``KeyError`` for a missing text, ``ValueError`` for a wrong figure.
    """
    views: dict[str, list[ClauseView]] = {chapter.id: [] for chapter in chapters(game)}
    for key, clause in clauses(game).items():
        chapter = key[0] if key[0] in views else key.partition(".")[0]
        if chapter in views:
            own = (translate(ruling.ruling) for ruling in rulings(game) if ruling.clause == key)
            view = ClauseView(
                id=key,
                title=translate(clause.title),
                later=clause.later,
                text=html_of(translate(clause_texts(game)[key]), figures, anchors),
                rulings=tuple(line_of(ruling, figures, anchors) for ruling in own),
                reasons=_reasons(game, translate).get(key, ()),
                words=words.get(key, ()),
            )
            views[chapter].append(view)
    return tuple(
        ChapterView(
            chapter.id,
            translate(chapter.title),
            line_of(translate(chapter.about), figures, anchors),
            tuple(views[chapter.id]),
        )
        for chapter in chapters(game)
    )


@cache
def _reasons(game: str, translate: Translate) -> Mapping[str, tuple[str, ...]]:
    """Return the sentences of reports that cite a clause, with dots for names and figures."""
    texts: dict[str, dict[str, None]] = {}
    for reason in load_reasons(game).values():
        says = _FIGURE.sub(
            lambda match: f"… {match[2] or f'{match[1]}s'}" if match[1] else "…", translate(reason.says)
        )
        texts.setdefault(reason.clause, {})[says] = None
    return {clause: tuple(says) for clause, says in texts.items()}
