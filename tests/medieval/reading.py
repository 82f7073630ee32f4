"""What a player reads on a page, sentence by sentence, and the pattern of a sentence without its names and
numbers.
"""

import re
from collections.abc import Collection, Iterator
from html.parser import HTMLParser

from gm.text.pages import SPELLED

SILENT = frozenset(
    {"script", "style", "svg", "table", "figure", "nav", "head", "button", "select", "textarea"}
)
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "header", "summary"})
BLOCKS = frozenset(
    {"p", "li", "div", "section", "article", "dt", "dd", "blockquote", "details", "ul", "ol", "dl"}
)
VOID = frozenset({"meta", "link", "br", "hr", "img", "input", "wbr", "col"})
LATER = re.compile(r"<div data-later>(?:(?!<template>).)*<template>(.*?)</template></div>", re.DOTALL)
CLAUSE = re.compile(r"(?:\s*\b(?:[A-Z]{1,2}\d+(?:\.\d+)?|the battle)\b)+\s*$")
NUMBER = rf"[−+±]?\d[\d.,]*%?|\b(?:{'|'.join(SPELLED)})\b"
LIST = re.compile(r"X(?:, X)* and X")


class Reader(HTMLParser):
    """Reads a page aloud: its blocks of text without tables, headings and pictures, each with the sections
    around it.

    A section is an id, or a class of an element that has none.
    """

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[tuple[frozenset[str], str]] = []
        self._around: list[tuple[str, str]] = []
        self._words: list[str] = []
        self.feed(LATER.sub(lambda match: match[1], page))
        self.close()
        self._end_block()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        if tag in BLOCKS or tag in SILENT or tag in HEADINGS:
            self._end_block()
        if tag == "li":
            self._leave("li", {"ul", "ol"})
        attributes = dict(attrs)
        self._around.append((tag, f"{attributes.get('id') or ''} {attributes.get('class') or ''}"))

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS or tag in SILENT or tag in HEADINGS:
            self._end_block()
        if any(name == tag for name, _ in self._around):
            while self._around.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not any(tag in SILENT or tag in HEADINGS for tag, _ in self._around):
            self._words.append(data)

    def _leave(self, tag: str, within: Collection[str]) -> None:
        """Close an element whose end tag is left out."""
        open_tags = [name for name, _ in self._around]
        if tag in open_tags and not within & {*open_tags[len(open_tags) - open_tags[::-1].index(tag) :]}:
            self.handle_endtag(tag)

    def _end_block(self) -> None:
        text = " ".join("".join(self._words).split())
        self._words = []
        if text:
            marks = frozenset(" ".join(names for _, names in self._around).split())
            tags = frozenset(tag for tag, names in self._around if "battle" in names.split())
            self.blocks.append((marks | {f"{tag}.battle" for tag in tags}, text))


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a block without the clauses behind them."""
    for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z“])", text):
        bare = CLAUSE.sub("", sentence).strip()
        if " " in bare:
            yield bare


def in_digits(text: str) -> str:
    """Return a text with its small numbers as figures."""
    for number, word in enumerate(SPELLED, 1):
        text = re.sub(rf"(?<!no )\b{word}\b", str(number), text, flags=re.IGNORECASE)
    return text


def pattern_of(sentence: str, names: Collection[str]) -> str:
    """Return a sentence with X for names and lists of them, and N for numbers."""
    longest_first = sorted(names, key=len, reverse=True)
    names_known = "|".join(map(re.escape, longest_first))
    pattern = re.sub(rf"\b(?:[Tt]he )?(?:{names_known})\b", "X", sentence)
    pattern = re.sub(r"\b[AFG]\d+(?: “[^”]*”)?(?: of X)?", "X", pattern)
    pattern = re.sub(r"\b(?:[Tt]he )?[Gg]arrison(?: of X)?|\b[Tt]he independents", "X", pattern)
    return LIST.sub("X", re.sub(NUMBER, "N", pattern))
