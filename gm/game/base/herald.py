"""The Herald: a turn as a newspaper that everybody reads.

News are weighed, the weightiest are chosen and told in sentences from a game's grammar
(``templates/KEY/herald.yaml``, over that of all games, ``templates/game``).

It is made of nothing but public events and the public position. A rumour of what neighbours "could see" is no
more than the units in the position that everybody has.

Of each sentence there are several forms. Which is taken depends on the game's id and on the turn's number:
the same turn always has the same words, following turns have others, and a page has none twice.
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

_ARTICLE = re.compile(r"(?<=[.!?] )t(?=he )")  # the small letter of a name's article that begins a sentence
FRONT = "articles"  # the section whose news have headlines


class Section(Value):
    """How many news a section of the Herald has."""

    least: Natural = 0  # so many, if there are any, whatever they weigh
    most: Natural  # never more
    enough: int = 0  # the weight from which on those beyond ``least`` are taken


class Kind(Value):
    """How news of a kind are weighed and told, and which public events are such news."""

    section: str = FRONT
    clause: str = ""  # of the rules
    weight: int = 0  # that of news without size
    each: int = 0  # added for each unit of the size
    again: int | None = None  # so much less weighs each further one; none: as in the grammar
    head: tuple[Any, ...] = ()  # the forms of the headline
    tells: tuple[tuple[Any, ...], ...] = ()  # the sentences of the text in order, the forms of each
    event: str = ""  # the name of the event class; empty: the news are made in another way
    where: Mapping[str, tuple[str, ...]] = {}  # the possible contents of fields of the event, by name
    unless: Mapping[str, tuple[str, ...]] = {}  # the contents that fields must not have, by name
    by: tuple[str, ...] = ()  # events that are equal in these fields are one piece of news
    places: str = ""  # the field with the places for ``{places}``
    sums: tuple[str, ...] = ()  # the fields of which the sum is told

    @property
    def slots(self) -> tuple[tuple[Any, ...], ...]:
        """The headline, if there is one, and the sentences of the text: the forms of each."""
        return (self.head, *self.tells) if self.head else self.tells

    @property
    def most(self) -> int:
        """How many news of the kind a page can have without a repeated form."""
        return min(map(len, self.slots))


class Grammar(Value):
    """The content of herald.yaml."""

    again: int = 0  # that of kinds that have none, see :class:`Kind`
    length: Natural = 140  # so many characters of a letter are quoted
    noun: str = ""  # the word for a part of the map
    without_article: tuple[str, ...] = ()  # the names of seas that take no article
    sections: Mapping[str, Section] = {}  # by name, in the order of the page
    kinds: Mapping[str, Kind] = {}  # by name


@cache
def grammar(game: str) -> Grammar:
    """Return a game's grammar with the part that all games share; that part alone if the game has none.

    Raises ``SourceError`` for a malformed file.
    """
    shared, node = load_data(resource("templates", SHARED, "herald.yaml"))
    own: dict[str, Any] = {}
    for path in resources("templates", game, "herald.yaml"):
        own, node = load_data(path)  # findings name lines of this file then
    whole = {**shared, **own, "kinds": {**shared["kinds"], **own.get("kinds", {})}}
    return value_at(node, whole, Grammar)


class Piece(Record):
    """A part of a line."""

    text: str
    anchor: str = ""  # of a party's page, to which it is a link; empty: no link
    note: str = ""  # further text beside it, without a link


class News(Record):
    """A possible article."""

    kind: str  # the name of its kind
    size: int  # what it is weighed by
    figures: Mapping[str, Any]  # the values for its sentences, by name
    places: tuple[Piece, ...] = ()  # what stands for ``{places}``
    anchor: str = ""  # of its battle on a party's page
    page: str = ""  # the file beside the Herald with its battle
    clause: str = ""  # of the rules; empty: that of the kind


class Article(Record):
    """News in words, in pieces of lines."""

    kind: str
    section: str
    number: int  # its place on the page, from 1
    head: tuple[Piece, ...]  # the headline; empty: none
    text: tuple[tuple[Piece, ...], ...]  # the sentences
    clause: str  # of the rules; empty: none
    anchor: str = ""  # of its battle on a party's page; empty: none
    page: str = ""  # the file beside the Herald with its battle; empty: none

    @property
    def headline(self) -> str:
        """The headline without links and notes."""
        return plain(self.head)


def plain(pieces: Iterable[Piece]) -> str:
    """Return the pieces of a line as text, without links and notes."""
    return "".join(piece.text for piece in pieces)


class Letter(Record):
    """A letter to the editor: its writer and its text."""

    author: str
    text: str


class Herald(Record):
    """The newspaper of a turn."""

    game: str  # the game's id
    title: str
    number: int  # of the turn
    when: str  # the turn's name
    articles: tuple[Article, ...] = ()
    letters: tuple[Letter, ...] = ()
    leader: str = ""  # the leading article, in Markdown

    def of(self, section: str) -> tuple[Article, ...]:
        """Return the articles of a section, the weightiest first."""
        return tuple(article for article in self.articles if article.section == section)

    @property
    def headlines(self) -> tuple[str, ...]:
        """The headlines, the weightiest first."""
        return tuple(article.headline for article in self.of(FRONT))

    @property
    def lines(self) -> tuple[str, ...]:
        """The headlines of the front page for letters, each with the first sentence of its article."""
        lines = list[str]()
        for article in self.of(FRONT):
            end = "" if article.headline.endswith((".", "!", "?")) else "."
            lines.append(f"{article.headline}{end} {plain(article.text[0])}")
        return tuple(lines)


def chosen(grammar: Grammar, news: Iterable[News]) -> list[News]:
    """Return the news that are printed, section by section, the weightiest first.

    Of each kind at most ``most`` are printed, the largest ones, and each further one weighs ``again`` less. A
    section has at most ``most`` news; beyond its ``least``, only those that weigh ``enough``.
    """
    counts = Counter[str]()  # how many of each kind came so far
    weighed = dict[str, list[tuple[int, News]]]()  # (weight, news), by section
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
    """Return the articles of a turn in a formatter's language. ``game``: the game's id."""
    used = Counter[str]()  # how many articles of each kind are written
    articles = list[Article]()
    for item in chosen(grammar, news):
        kind = grammar.kinds[item.kind]
        sentences = []
        for number, forms in enumerate(kind.slots):
            # further articles of the turn, and those of the next turns, have other forms
            order = _form_order(len(forms), game, item.kind, number)
            place_in_order = turn * _form_step(len(forms)) + used[item.kind]
            form = forms[order[place_in_order % len(forms)]]
            sentences.append(tuple(_pieces(form, item, formatter)))
        used[item.kind] += 1
        head = sentences.pop(0) if kind.head else ()  # the first sentence, if the kind has a headline
        text = tuple(filter(None, sentences))
        source = (item.clause or kind.clause, item.anchor, item.page)
        articles.append(Article(item.kind, kind.section, len(articles) + 1, head, text, *source))
    return tuple(articles)


def _form_step(count: int) -> int:
    """Return by how many forms the choice moves on from one turn to the next.

    It has no common divisor with ``count``, so that all forms are used before one comes again.
    """
    return next(step for step in (3, 2, 1) if gcd(step, count) == 1)


@cache
def _form_order(count: int, *label: object) -> list[int]:
    """Return the order in which a game uses the ``count`` forms of a sentence, which ``label`` identifies."""
    return Dice("herald")(*label).sample(range(count), count)


def _pieces(pattern: Sentence, news: News, formatter: EventFormatter) -> Iterator[Piece]:
    """Yield a sentence of news in pieces; each of its places is a piece of its own."""
    # ``many`` is no figure: it asks whether there are several places
    fitting_pattern = variant(
        pattern, lambda name: news.figures.get(name, len(news.places) > 1 if name == "many" else None)
    )
    values = {name: formatter.words(value, name) for name, value in news.figures.items()}
    # for each place stands its number between two NULs, which no player's text has: there the text is divided
    values["places"] = formatter.listed(f"\0{number}\0" for number in range(len(news.places)))
    # ``the`` of a name that begins a second sentence gets its capital, too
    text = _ARTICLE.sub("T", capitalised(formatter.prose(fitting_pattern, **values)))
    for index, part in enumerate(text.split("\0")):
        if index % 2:
            place = news.places[int(part)]
            begins = index == 1 and text.startswith("\0")  # whether the sentence begins with the place
            yield place.evolve(text=capitalised(place.text)) if begins else place
        elif part:
            yield Piece(part)
