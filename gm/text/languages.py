"""The languages of a game: its catalogues of messages.

The catalogues are in ``rules/GAME/locale``, those that games share in ``rules/game/locale``; ``python -m
tests.messages`` collects and compiles them. Templates and scripts are translated by
:mod:`gm.text.localised`.
"""

from functools import cache
from gettext import translation
from itertools import chain

from gm.core.diagnostics import Translate as Translate
from gm.resources import resources

ENGLISH = "en"
SHARED = "game"  # the name under which the program keeps its own catalogues, where a game has its


@cache
def languages_of(game: str) -> tuple[str, ...]:
    """Return the codes of the languages in which a game can be read, English first."""
    folders = resources("rules", game, "locale")
    catalogues = chain.from_iterable(folder.glob("*/LC_MESSAGES/messages.mo") for folder in folders)
    languages = sorted(path.parent.parent.name for path in catalogues)
    return (ENGLISH, *(language for language in languages if language != ENGLISH))


@cache
def translator(game: str, language: str) -> Translate:
    """Return the function that translates a game's English messages into a language.

    For English and an unknown language it returns each message as it is.
    """
    if language == ENGLISH or language not in languages_of(game):
        return str
    own, shared = (
        translation(
            "messages", next(resources("rules", catalogue, "locale"), None), [language], fallback=True
        )
        for catalogue in (game, SHARED)
    )
    own.add_fallback(shared)
    return own.gettext
