"""Issue 38, item 4: one word means one thing, in every English message, help text and template that people
read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import pytest

from gm.core.yaml.models import load_data
from gm.games import GAMES
from gm.resources import resource
from gm.text.languages import SHARED
from tests.messages import ROOT, messages

SENTENCE = 3  # words from which a string of the code is a sentence

EVERYWHERE = {
    "set aside": "rejected",
    "overtaken": "superseded",
    r"mend(s|ed|ing)?": "repair",
    r"(hand|hands|handed) in": "submit",
    r"(send|sends|sent) in": "submit",
    "worked off": "played",
    "secret word": "key",
    r"[Ff]ree seats?": "open seat",
    r"seats? (is|are) free": "open seat",
    r"newcomers?": "replacement player, or new player",
    r"programs? (that|which) plays?": "bot",
    "what proves the dice": "proof of the dice",
    r"turn (is|was) taken back": "undone",
    "put right": "correct, amend",
    r"so many (turns|letters|games|hours|rolls|a day)": "a number",
    "where nothing is said": "default",
    "lies waste": "damaged",
    r"(page|file|report|letter|summary|receipt|form|map|table)s? (also )?(will )?tells?": "show",
}
"""What the glossary of CONTRIBUTING.md replaces, with what is said instead."""

OF_LETTERS_AND_COMMANDS = {
    r"(he|him|himself)": "they",
    r"his": "their",
    r"(is|are|was|were) told (of|that|nothing)": "show, list, report; a person is told by somebody",
    r"[Ss]omebody else": "someone else, a replacement player",
    "at the latest": "no later than",
    "in the place of": "instead of",
    r"pace": "turn schedule",
    r"stands? (for|here|still|already)": "is, counts",
    r"could not be (used|told)": "was rejected, could not be checked",
    r"a letter of (its|their) own": "a separate letter",
    r"as an answer to": "in reply to",
    r"[Nn]obody is told": "secret",
    (
        r"(?<![Tt]here )(is|are) no (\w+ )?"
        r"(file|folder|Maildir|game|date|time|text|unit|player)\b(?! in)"
    ): "is not a",
}
"""The same for what this test's other half reads: rules and handbooks have a place of their own for these
words."""

FROM_OUTSIDE = {
    "With --quiet you are told of each of these once": "the game master is a person",
    "the players are told of each change once": "players are persons",
}
"""Sentences that may say a word of the second list, with the reason."""


def _leaves(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield " ".join(data.split())
    elif isinstance(data, dict):
        for child in data.values():
            yield from _leaves(child)
    elif isinstance(data, list | tuple):
        for child in data:
            yield from _leaves(child)


def _spoken(text: str) -> str:
    """Return a template's text without its code, where names are not words."""
    return re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}|`[^`]*`|<[^>]*>", " ", text)


@cache
def help_texts() -> tuple[str, ...]:
    """Return the help of all commands and options."""
    folder = resource("templates", "help")
    return tuple(chain.from_iterable(_leaves(load_data(path)[0]) for path in sorted(folder.iterdir())))


@cache
def plain_templates() -> tuple[str, ...]:
    """Return the lines of letters and of the terminal, those for game masters too."""
    folders = (resource("templates", "mail"), resource("templates", "cli"))
    paths = chain.from_iterable(sorted(folder.iterdir()) for folder in folders)
    files = [path for path in paths if path.suffix == ".txt"]
    return tuple(map(_spoken, chain.from_iterable(path.read_text("utf-8").splitlines() for path in files)))


def _strings(tree: ast.Module) -> Iterator[str]:
    """Yield what the strings of a module say, without docstrings; figures are left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = ""
        elif isinstance(node, ast.JoinedStr):
            yield " ".join(
                str(constant.value) for constant in node.values if isinstance(constant, ast.Constant)
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@cache
def spoken_in_code() -> tuple[str, ...]:
    """Return the texts of commands and of the post, which are in English only: strings of several words."""
    files = list(
        chain.from_iterable(
            (ROOT / "gm" / part).glob("*.py") for part in ("cli", "mail", "campaign", "store")
        )
    )
    texts = chain.from_iterable(_strings(ast.parse(path.read_text("utf-8"))) for path in sorted(files))
    return tuple(text for text in texts if len(text.split()) >= SENTENCE)


def _complaints(texts: tuple[str, ...], terms: dict[str, str]) -> list[str]:
    complaints = []
    everything = "\n".join(texts)
    for pattern, instead in terms.items():
        word = re.compile(rf"\b(?:{pattern})\b")
        for text in texts if word.search(everything) else ():
            said = word.search(text)
            if said and not any(word in text for word in FROM_OUTSIDE):
                around = text[max(0, said.start() - 40) : said.end() + 40]
                complaints.append(f"{said[0]!r} (say: {instead}) in: {around!r}")
    return complaints


@pytest.mark.parametrize("key", [SHARED, *GAMES])
def test_messages_use_the_terms_of_the_glossary(key: str) -> None:
    """Issue 38, item 4: all messages of every game, rules and handbook too."""
    assert _complaints(tuple(map(_spoken, messages(key))), EVERYWHERE) == []


def test_what_is_shared_says_they_and_shows_things() -> None:
    """Issue 38, items 2 and 4: letters, errors and the table."""
    assert _complaints(tuple(map(_spoken, messages(SHARED))), OF_LETTERS_AND_COMMANDS) == []


@pytest.mark.parametrize("texts", [help_texts, plain_templates, spoken_in_code])
def test_commands_and_letters_use_the_terms_of_the_glossary(texts: Any) -> None:
    """Issue 38, items 2 and 4: help, letters to game masters, the terminal."""
    assert _complaints(texts(), EVERYWHERE | OF_LETTERS_AND_COMMANDS) == []


def test_the_test_finds_such_words() -> None:
    texts = (
        "your file was set aside",
        "this page tells what was secret",
        "whoever has lost his key",
        "all is well",
    )
    assert len(_complaints(texts, EVERYWHERE | OF_LETTERS_AND_COMMANDS)) == 3
