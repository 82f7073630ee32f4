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


# a field in a pattern, with the noun that it counts, and the noun's plural if it has one of its own
_FIGURE = re.compile(r"\{\w+(?::(?P<noun>[^|}]+)(?:\|(?P<plural>[^}]+))?)?\}")


class Ruling(Value):
    """One decision of the project where the rules are silent or contradict themselves."""

    id: str
    clause: str
    ruling: str


class Clause(Value):
    """A clause of the rules: its title in our words."""

    title: str
    later: bool = False  # whether the program does not implement it yet


class Chapter(Value):
    """A chapter of the rules: the clauses whose ids begin with ``id``, a title, a line about the subject."""

    id: str
    title: str
    about: str = ""


class GuidePart(Value):
    """One section of the guide. ``text`` is in the markup of :mod:`gm.text.markup`."""

    id: str
    title: str
    text: str


class TextFile(Value):
    """The content of a file of texts, in which only some of these entries are."""

    # by id: in clauses.yaml the title, or the fields of a :class:`Clause`; in files of clauses/ the text
    clauses: Mapping[str, Any] = {}
    rulings: tuple[Ruling, ...] = ()  # in rulings.yaml
    chapters: tuple[Chapter, ...] = ()  # in chapters.yaml
    summary: str = ""  # in guide.yaml: what the game is about
    parts: tuple[GuidePart, ...] = ()  # in guide.yaml


@cache
def _text_file(game: str, *names: str) -> TextFile:
    """Return the content of the file below ``rules/GAME`` whose path consists of ``names``."""
    return load_value(resource("rules", game, *names), TextFile)


@cache
def clauses(game: str) -> Mapping[str, Clause]:
    """Return every clause by id, in the rules' order."""
    entries = _text_file(game, "clauses.yaml").clauses.items()
    # an entry that is only a text is the clause's title
    return {
        key: Clause(title=entry) if isinstance(entry, str) else from_plain(entry, Clause)
        for key, entry in entries
    }


@cache
def rulings(game: str) -> tuple[Ruling, ...]:
    """Return the rulings of a game; empty if it has none."""
    if not resource("rules", game, "rulings.yaml").is_file():
        return ()
    return _text_file(game, "rulings.yaml").rulings


def chapters(game: str) -> tuple[Chapter, ...]:
    """Return the chapters of a game's rules, in the order of the handbook."""
    return _text_file(game, "handbook", "chapters.yaml").chapters


@cache
def clause_texts(game: str) -> Mapping[str, str]:
    """Return the text of each clause, by id. Raises ``ValueError`` for a clause that is in two files."""
    folder = resource("rules", game, "handbook", "clauses")
    return load_folder(folder, lambda path: load_value(path, TextFile).clauses)


def guide(game: str) -> TextFile:
    """Return the guide of a game's handbook: ``summary`` and ``parts``."""
    return _text_file(game, "handbook", "guide.yaml")


@cache
def sentences(game: str) -> Mapping[str, Sentence]:
    """Return the sentence of each event of the game and of those that all games have, by name of its class.

    Raises ``ValueError`` for an event that is in two files of the game.
    """
    return {
        **load_sentences("templates", "game", "sentences"),
        **load_sentences("templates", game, "sentences"),
    }


class ClauseView(Record):
    """A clause as the handbook shows it."""

    id: str
    title: str
    later: bool  # whether the program does not implement it yet
    text: "Markup"
    rulings: "tuple[Markup, ...]"
    reasons: tuple[str, ...]  # the sentences of reports that cite it, with dots for names and figures
    words: tuple[str, ...] = ()  # the words of order files that it is about


class ChapterView(Record):
    """A chapter as the handbook shows it, with its clauses."""

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
    """Return the chapters with all clauses, in the rules' order.

    ``figures``: returns the figure for a name between braces; ``anchors``: returns the anchor of this page
    that a link leads to, empty if only its words are to be printed; ``words``: the words of order files that
    each clause is about, by the clause's id. Raises ``KeyError`` for a missing text, ``ValueError`` for a
    wrong figure.
    """
    views: dict[str, list[ClauseView]] = {chapter.id: [] for chapter in chapters(game)}
    for key, clause in clauses(game).items():
        # the id of a chapter is the letter of its clauses, or what is before the dot in theirs
        chapter = key[0] if key[0] in views else key.partition(".")[0]
        if chapter in views:
            clause_rulings = (translate(ruling.ruling) for ruling in rulings(game) if ruling.clause == key)
            view = ClauseView(
                id=key,
                title=translate(clause.title),
                later=clause.later,
                text=html_of(translate(clause_texts(game)[key]), figures, anchors),
                rulings=tuple(line_of(ruling, figures, anchors) for ruling in clause_rulings),
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
    """Return the sentences of reports that cite a clause, by its id, with dots for names and figures."""

    def dots(match: re.Match[str]) -> str:
        """Return the dots for a figure, with the plural of the noun that it counts, if there is one."""
        noun = match["noun"]
        plural = match["plural"]
        return f"… {plural or f'{noun}s'}" if noun else "…"

    texts: dict[str, dict[str, None]] = {}  # by clause; a dict as a set in order
    for reason in load_reasons(game).values():
        text = _FIGURE.sub(dots, translate(reason.says))
        texts.setdefault(reason.clause, {})[text] = None
    return {clause: tuple(of_clause) for clause, of_clause in texts.items()}
