"""A language that says each message that is collected in other letters, and no other: then only names, codes
and words of order files are in ours, and whatever else is was forgotten.
"""

import html
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import chain
from string import ascii_letters

import pytest

from gm.text import languages, pages
from tests.messages import messages

LANGUAGE = "xx"
FORMS = r"\{\{.*?\}\}|\{%.*?%\}|</?[A-Za-z](?:\{\{.*?\}\}|[^<>])*>|&\w+;|\$?\{(?:\{[^{}]*\}|[^{}])*\}"
MARKS = (
    r"```.*?```|`[^`]*`|\]\(#[^)]*\)|\[[A-Z]\d[^\]]*\]|\b[A-Z]\d+(?:\.\d)?\b"
    r"|\b[A-Z]{2}-\d+(?:\.\d+)?\b|%\+?[sd]|\\."
)
KEPT = re.compile(f"({FORMS}|{MARKS})", re.DOTALL)
"""What a translation leaves as it is: expressions, statements, tags, figures, order files and clauses."""
WORDED = re.compile(
    r'^\{\{.*"[^"]*[a-z]{2}[^"]*".*\}\}$|^\{[^{].*[:|](?:\+[a-z]*)? ?[A-Za-z]|^\$\{.*["`]', re.DOTALL
)
"""An expression that has words in it, which a translation says, too."""
LETTERS = str.maketrans(ascii_letters, "".join(chr(ord(letter) + 0xFEE0) for letter in ascii_letters))
BLOCKS = r"<(script|style|code|pre|blockquote)\b.*?</\1>"
CODES = r"⟦[^⟦⟧]*⟧|\{\w+\}|\b[A-Z]{2}-\d+"
SILENT = re.compile(rf'{BLOCKS}|<span class="?(?:order|rule)\b.*?</span>|{CODES}', re.DOTALL)
TOLD = re.compile(
    r"""\s(?:aria-label|title|alt|placeholder|data-(?:label|find|table|kinds?))=("[^"]*"|[^\s>]*)|--l\d+:'([^']*)'"""
)


class Letters:
    """The catalogue of a game."""

    def __init__(self, key: str) -> None:
        self.known = frozenset((*messages(key), *messages(languages.SHARED)))

    def gettext(self, text: str) -> str:
        if text not in self.known:
            return text
        parts = KEPT.split(text)
        parts[::2] = (part.translate(LETTERS) for part in parts[::2])
        parts[1::2] = (f"⟦{part}⟧" if WORDED.match(part) else part for part in parts[1::2])
        return "".join(parts)

    def add_fallback(self, other: object) -> None:
        """There is nothing that it lacks."""


@contextmanager
def spoken(key: str, *modules: str) -> Iterator[None]:
    """A game can be had in this language; ``modules`` know the languages by a name of their own."""
    catalogue = Letters(key)
    for module in modules:  # before anything is replaced
        import_module(module)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(languages, "translation", lambda *_, **__: catalogue)
        for module in ("gm.text.languages", *modules):
            patch.setattr(f"{module}.languages_of", lambda _: ("en", LANGUAGE))
        yield
    for cached_function in (languages.translator, pages.environment, pages.inlined_files):
        cached_function.cache_clear()


def ours(text: str, names: Collection[str]) -> set[str]:
    """The words of a text that are in our letters, but for names (in small letters)."""
    while (left := SILENT.sub(" ", text)) != text:
        text = left
    words = re.findall(r"(?<!\w)[A-Za-z]{2,}", html.unescape(text))
    return {word for word in words if word.lower() not in names}


def untold(page: str, names: Collection[str]) -> set[str]:
    """Such words of a page, those of its attributes with them."""
    page = SILENT.sub(" ", page)
    texts = [re.sub(r"<[^<>]*>", " ", page), *map("".join, TOLD.findall(page))]
    return set(chain.from_iterable(ours(text, names) for text in texts))
