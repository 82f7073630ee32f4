"""The language in which the commands of this process speak, and the game whose words they use.

``pbem --language CODE``, or ``GM_LANGUAGE`` in the environment, which the desk sets for those that it runs;
else the language of the game that a command opens (``language`` in game.yaml). What programs read stays
English: ``--json`` and files. A command makes its messages with :func:`gm.core.diagnostics.says`; they are
translated where they are printed, also those of errors.
"""

import gettext
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from gm.core.diagnostics import nearest, said, says
from gm.resources import resource
from gm.text.languages import ENGLISH, SHARED, languages_of, translator

VARIABLE = "GM_LANGUAGE"
_DOMAIN = "messages"  # of Python's gettext, by which click translates its own messages
WISH = "LANGUAGE"  # the variable in which gettext looks for the language
_language: ContextVar[str] = ContextVar("language", default="")  # that was asked for
_of_game: ContextVar[str] = ContextVar("of_game", default=ENGLISH)  # that of the game at hand
_game: ContextVar[str] = ContextVar("game", default=SHARED)
_around: dict[str, str | None] = {}  # the variables as they were before a command spoke


def language() -> str:
    """Return the language's code."""
    return _language.get() or _of_game.get()


def game() -> str:
    """Return the key of the game whose words are used."""
    return _game.get()


def translate(message: str) -> str:
    """Return an English message in the language of the commands."""
    return message and translator(_game.get(), language())(message)


def worded(text: object) -> str:
    """Return a message in the language of the commands, anything else as text."""
    return str(said(text, translate))


def use_words_of(game: str, language: str) -> None:
    """Take the words of a game, by its key, from now on, and its master's language if none was asked for."""
    _game.set(game)
    _of_game.set(language or ENGLISH)
    if not _language.get():
        _tell_click(language or ENGLISH)


def why_not_spoken(code: str) -> str:
    """Return why nothing can be said in a language, as a message; empty for one that the program knows."""
    languages = languages_of(SHARED)
    if code in languages:
        return ""
    near = nearest(code, languages)
    if near:
        return says(
            "{0!r} is none of the languages {1}; did you mean '{2}'?", code, ", ".join(languages), near
        )
    return says("{0!r} is none of the languages {1}.", code, ", ".join(languages))


def speak(code: str) -> None:
    """Set the language from now on, for click's own messages as well. The code is a known one."""
    _language.set(code)
    _tell_click(code)


def _tell_click(code: str) -> None:
    """Set the language of click's own messages."""
    _around.setdefault(WISH, os.environ.get(WISH))
    gettext.bindtextdomain(_DOMAIN, str(resource("rules", SHARED, "locale")))
    os.environ[WISH] = code


def fall_silent() -> None:
    """Forget language and game at the end of a command, and leave the environment as it was."""
    _language.set("")
    _of_game.set(ENGLISH)
    _game.set(SHARED)
    wish = _around.pop(WISH, os.environ.get(WISH))
    os.environ.pop(WISH, None)
    if wish is not None:
        os.environ[WISH] = wish


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language for a while, without touching click's own messages."""
    before = _language.set(code)
    try:
        yield
    finally:
        _language.reset(before)
