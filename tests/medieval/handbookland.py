"""The handbook for tests: a page taken apart, and every text of it."""

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import chain

from gm.games.medieval.data.clauses_data import load_rulings
from gm.games.medieval.handbook import texts
from gm.games.medieval.spec import SPEC

VOID = frozenset({"meta", "br", "hr", "img", "input", "link", "wbr", "col"})


class Parsed(HTMLParser):
    """A page's ids, local links and what is wrong with its nesting."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: list[str] = []
        self.links: list[str] = []
        self.problems: list[str] = []
        self.outside: list[str] = []
        self.text: dict[str, str] = {}
        self._open: list[str] = []
        self._inside: list[str] = []
        self.feed(page)
        self.close()
        self.problems += [f"<{tag}> is never closed" for tag in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if len(attributes) != len(attrs):
            self.problems.append(f"<{tag}> has an attribute twice, line {self.getpos()[0]}")
        self._note(attributes)
        if tag not in VOID:
            self._open.append(tag)
            self._inside.append(attributes.get("id") or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1] != tag:
            inside = self._open[-1] if self._open else "nothing"
            self.problems.append(f"</{tag}> inside <{inside}>, line {self.getpos()[0]}")
            return
        self._open.pop()
        self._inside.pop()

    def handle_data(self, data: str) -> None:
        for anchor in self._inside:
            if anchor:
                self.text[anchor] = self.text.get(anchor, "") + data

    def _note(self, attributes: dict[str, str | None]) -> None:
        if attributes.get("id"):
            self.ids.append(str(attributes["id"]))
        link = attributes.get("href") or attributes.get("xlink:href") or ""
        if link.startswith("#"):
            self.links.append(link[1:])
        elif link or attributes.get("src"):
            self.outside.append(link or str(attributes["src"]))


@cache
def page(map_name: str = "minsk") -> str:
    """The handbook with the shipped rules on a shipped map."""
    return SPEC.handbook(SPEC.shipped_table(map_name))


def all_texts() -> Iterator[tuple[str, str]]:
    """(where, text) of every text that has marks."""
    for key, text in texts.clause_texts().items():
        yield f"clause {key}", text
    for chapter in texts.chapters():
        yield f"chapter {chapter.id}", f"{chapter.title}\n\n{chapter.about}"
    for name in texts.GUIDES:
        guide = texts.guide(name)
        yield guide.id, f"{guide.title}\n\n{guide.lead}"
        for part in guide.parts:
            cells = list(chain.from_iterable(part.table.rows)) if part.table else []
            yield part.id, "\n\n".join((part.title, part.text, *cells, part.after))
    for key, text in texts.remarks().items():
        yield f"event {key}", text
    yield "tutorial", texts.tutorial().lead
    for step in texts.tutorial().steps:
        yield step.id, f"{step.title}\n\n{step.text}\n\n{step.after}"
    yield from lists_of_texts()


def lists_of_texts() -> Iterator[tuple[str, str]]:
    """The same of what is no chapter: words, questions, terms, rulings."""
    for section in (texts.words().headquarters, texts.words().unit, texts.words().plan):
        yield from ((f"word {name}", example.note) for name, example in section.items())
    for topic in texts.topics():
        for question in topic.questions:
            yield question.id, f"{question.asks}\n\n{question.answer}"
    for term in texts.terms():
        yield f"term {term.term}", f"{term.term}\n\n{term.says}"
    for ruling in load_rulings():
        yield f"ruling {ruling.id}", ruling.ruling
