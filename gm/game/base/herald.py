"""The Herald: a turn as a newspaper that everybody reads.

News are weighed, the weightiest are chosen and told in sentences from a game's grammar
(``templates/KEY/herald.yaml``, over that of all games, ``templates/game``).

It is made of nothing but public events and the public position. A rumour of what neighbours "could see" is no
more than the units in the position that everybody has.

Which of a kind's sentences is taken depends on the game's id and on the turn's number: the same turn always
has the same words, following turns have others, and a page has none twice.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from math import gcd
from typing import Any

from gm.core.dice import Dice
from gm.core.values import Natural, Record, Value
from gm.core.yaml.models import load_data, value_at
from gm.resources import resource, resources
from gm.text.languages import SHARED
from gm.text.pages import capitalised
from gm.text.words import EventFormatter, Sentence, variant

_BEGUN = re.compile(r"(?<=[.!?] )t(?=he )")  # a sentence that begins with a name's article
FRONT = "articles"  # the section whose news have headlines


class Section(Value):
    """The least and greatest number of news in a section.

    Further news are taken only if they weigh ``enough``.
    """

    least: Natural = 0
    most: Natural
    enough: int = 0


class Kind(Value):
    """How news of a kind are weighed and told.

    ``each`` is multiplied by the news' size; every further one of the kind is worth ``again`` less.
    ``tells``: the sentences of its text in order, each in several forms. ``event`` and the fields below it
    select its public events (:mod:`gm.game.base.herald_events`).
    """

    section: str = FRONT
    clause: str = ""
    weight: int = 0
    each: int = 0
    again: int | None = None
    head: tuple[Any, ...] = ()
    tells: tuple[tuple[Any, ...], ...] = ()
    event: str = ""
    where: Mapping[str, tuple[str, ...]] = {}
    unless: Mapping[str, tuple[str, ...]] = {}
    by: tuple[str, ...] = ()
    places: str = ""
    sums: tuple[str, ...] = ()

    @property
    def slots(self) -> tuple[tuple[Any, ...], ...]:
        return (self.head, *self.tells) if self.head else self.tells

    @property
    def most(self) -> int:
        """The number of news of the kind that a page can have without a repeated sentence."""
        return min(map(len, self.slots))


class Grammar(Value):
    """The content of herald.yaml.

    ``again``: see :class:`Kind`; ``length``: the number of characters that are quoted of a letter; ``noun``:
    the word for a part of the map; ``without_article``: seas that take none.
    """

    again: int = 0
    length: Natural = 140
    noun: str = ""
    without_article: tuple[str, ...] = ()
    sections: Mapping[str, Section] = {}
    kinds: Mapping[str, Kind] = {}


@cache
def grammar(game: str) -> Grammar:
    """Return a game's grammar with the part that all games share; that part alone if the game has none.

    Raises ``SourceError`` for a malformed file.
    """
    shared, node = load_data(resource("templates", SHARED, "herald.yaml"))
    own: dict[str, Any] = {}
    for path in resources("templates", game, "herald.yaml"):
        own, node = load_data(path)
    whole = {**shared, **own, "kinds": {**shared["kinds"], **own.get("kinds", {})}}
    return value_at(node, whole, Grammar)


class Piece(Record):
    """One thing in a line: ``text``, a link to the page's ``anchor`` if it has one, and a plain ``note``."""

    text: str
    anchor: str = ""
    note: str = ""


class News(Record):
    """A possible article.

    ``size``: what it is weighed by; ``places``: the text for ``{places}``, linked; ``anchor`` and ``page``:
    its battle on a party's page, and as a file beside the Herald; ``clause``: of the rules, if not the
    kind's.
    """

    kind: str
    size: int
    figures: Mapping[str, Any]
    places: tuple[Piece, ...] = ()
    anchor: str = ""
    page: str = ""
    clause: str = ""


class Article(Record):
    """News in words: a headline and sentences in pieces.

    ``head``: the headline; ``text``: the sentences; ``number``: its place on the page.
    """

    kind: str
    section: str
    number: int
    head: tuple[Piece, ...]
    text: tuple[tuple[Piece, ...], ...]
    clause: str
    anchor: str = ""
    page: str = ""

    @property
    def headline(self) -> str:
        return plain(self.head)


def plain(pieces: Iterable[Piece]) -> str:
    """Return the pieces of a line as text, without links and notes."""
    return "".join(piece.text for piece in pieces)


class Letter(Record):
    """A letter to the editor: its writer and its text."""

    author: str
    text: str


class Herald(Record):
    """The newspaper of a turn. ``when``: the turn's name; ``leader``: the leading article, in Markdown."""

    game: str
    title: str
    number: int
    when: str
    articles: tuple[Article, ...] = ()
    letters: tuple[Letter, ...] = ()
    leader: str = ""

    def of(self, section: str) -> tuple[Article, ...]:
        """Return the articles of a section."""
        return tuple(each for each in self.articles if each.section == section)

    @property
    def headlines(self) -> tuple[str, ...]:
        """The headlines, the weightiest first."""
        return tuple(each.headline for each in self.of(FRONT))

    @property
    def lines(self) -> tuple[str, ...]:
        """The headlines, each with its first sentence, for letters and messages."""
        lines = list[str]()
        for article in self.of(FRONT):
            end = "" if article.headline.endswith((".", "!", "?")) else "."
            lines.append(f"{article.headline}{end} {plain(article.text[0])}")
        return tuple(lines)


def chosen(grammar: Grammar, news: Iterable[News]) -> list[News]:
    """Return the news that are printed, section by section, the weightiest first."""
    counts = Counter[str]()
    weighed = dict[str, list[tuple[int, News]]]()
    for item in sorted(news, key=lambda item: -item.size):
        kind = grammar.kinds[item.kind]
        again = grammar.again if kind.again is None else kind.again
        if counts[item.kind] < kind.most:
            weight = kind.weight + kind.each * item.size - again * counts[item.kind]
            weighed.setdefault(kind.section, []).append((weight, item))
        counts[item.kind] += 1
    printed = []
    for name, section in grammar.sections.items():
        weightiest = sorted(weighed.get(name, ()), key=lambda pair: -pair[0])[: section.most]
        for position, (weight, item) in enumerate(weightiest):
            if position < section.least or weight >= section.enough:
                printed.append(item)
    return printed


def written(
    grammar: Grammar, news: Iterable[News], formatter: EventFormatter, game: str, turn: int
) -> tuple[Article, ...]:
    """Return the articles of a turn in a formatter's language."""
    used = Counter[str]()
    articles = list[Article]()
    for item in chosen(grammar, news):
        kind = grammar.kinds[item.kind]
        sentences = []
        for number, slot in enumerate(kind.slots):
            variant_number = turn * _step(len(slot)) + used[item.kind]
            order = _order(len(slot), game, item.kind, number)
            sentences.append(tuple(_pieces(slot[order[variant_number % len(slot)]], item, formatter)))
        used[item.kind] += 1
        head = sentences.pop(0) if kind.head else ()
        text = tuple(filter(None, sentences))
        source = (item.clause or kind.clause, item.anchor, item.page)
        articles.append(Article(item.kind, kind.section, len(articles) + 1, head, text, *source))
    return tuple(articles)


def _step(count: int) -> int:
    """Return by how many forms the choice moves on from one turn to the next.

    It has no common divisor with ``count``, so that all forms are used before one comes again.
    """
    return next(step for step in (3, 2, 1) if gcd(step, count) == 1)


@cache
def _order(count: int, *label: object) -> list[int]:
    """Return the order in which a game uses the forms of a sentence."""
    return Dice("herald")(*label).sample(range(count), count)


def _pieces(pattern: Sentence, news: News, formatter: EventFormatter) -> Iterator[Piece]:
    """Yield a sentence of news in pieces; places are pieces with links."""
    chosen_one = variant(
        pattern, lambda name: news.figures.get(name, len(news.places) > 1 if name == "many" else None)
    )
    values = {name: formatter.words(value, name) for name, value in news.figures.items()}
    # no text of a player has such a character: what stands between two of them is the number of a place
    values["places"] = formatter.listed(f"\0{number}\0" for number in range(len(news.places)))
    text = _BEGUN.sub("T", capitalised(formatter.prose(chosen_one, **values)))
    for index, part in enumerate(text.split("\0")):
        if index % 2:
            place = news.places[int(part)]
            begins = index == 1 and text.startswith("\0")
            yield place.evolve(text=capitalised(place.text)) if begins else place
        elif part:
            yield Piece(part)
