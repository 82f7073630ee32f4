"""A game's own words, as data: what letters and commands say of it, why orders come to nothing, and its languages.

Messages are the English sentences themselves; gettext catalogues (``rules/GAME/locale``, shared ones in
``rules/game/locale``) translate them. ``python -m tests.messages`` collects and compiles them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from gettext import GNUTranslations, translation

from gm.core.values import Value
from gm.core.yaml.models import load_folder, load_value, load_values
from gm.resources import resource


class GameWords(Value):
    """words.yaml. ``silence``: what becomes of who sends no orders; ``report``: what a report shows; ``writes_orders``:
    whether it writes order files too; ``lesson``: what the handbook holds besides the rules; ``empty_file``: how a
    template becomes a file without orders; ``statuses`` that a GM can give; ``replacement``: the clause about abandoned
    seats; ``settings``: what each is, ``unless_chosen``: what holds for those
    that nobody chose where neither their model nor the rules say it."""

    silence: str
    report: str
    empty_file: str
    writes_orders: bool = False
    lesson: str = ""
    statuses: Mapping[str, str] = {}
    controllers: tuple[str, ...]
    replacement: str = ""
    settings: Mapping[str, str] = {}
    unless_chosen: Mapping[str, str] = {}


@cache
def game_words(game: str) -> GameWords:
    """The words of a game. Raises ``SourceError`` for a file that does not fit."""
    return load_value(resource("rules", game, "words.yaml"), GameWords)


class Reason(Value):
    """Why an order can fail: the clause and the sentence with the refusal's figures. ``planned``: skipping it is no
    mistake."""

    clause: str
    says: str
    planned: bool = False


@cache
def load_reasons(game: str) -> Mapping[str, Reason]:
    """Every reason of a game (rules/GAME/reasons), by key. Raises ``ValueError`` when two files have the same key."""
    return load_folder(resource("rules", game, "reasons"), lambda path: load_values(path, Reason))


ENGLISH = "en"
SHARED = "game"
"""The name under which the program keeps its own catalogues, where a game has its."""

Translate = Callable[[str], str]


@cache
def languages_of(game: str) -> tuple[str, ...]:
    """The languages that a game can be had in, English first."""
    folder = resource("rules") / game / "locale"
    found = sorted(path.parent.parent.name for path in folder.glob("*/LC_MESSAGES/messages.mo"))
    return (ENGLISH, *(each for each in found if each != ENGLISH))


@cache
def translator(game: str, language: str) -> Translate:
    """What turns an English message of a game into a language's; English for a language that there is not."""
    if language == ENGLISH or language not in languages_of(game):
        return str
    own, shared = (
        translation("messages", resource("rules") / each / "locale", [language], GNUTranslations, fallback=True)
        for each in (game, SHARED)
    )
    own.add_fallback(shared)
    return own.gettext
