"""Languages: messages are the English sentences; gettext catalogues (``rules/GAME/locale``, shared ones in
``rules/game/locale``) translate them. ``python -m tests.messages`` collects and compiles them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from gettext import GNUTranslations, NullTranslations, translation

from gm.resources import resource

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
    own = _catalogue(game, language)
    if own is not None:
        shared = _catalogue(SHARED, language)
        if shared is not None:
            own.add_fallback(shared)
        return own.gettext
    return str


def _catalogue(game: str, language: str) -> NullTranslations | None:
    folder = resource("rules") / game / "locale"
    if not (folder / language / "LC_MESSAGES" / "messages.mo").is_file():
        return None
    return translation("messages", folder, languages=[language], class_=GNUTranslations)
