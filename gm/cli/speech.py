"""The language in which the commands of this process speak, and the game whose words they use.

``pbem --language CODE``, or ``GM_LANGUAGE`` in the environment, which the desk sets for what it runs;
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
_GETTEXT_VARIABLE = "LANGUAGE"  # of the environment, in which gettext looks for the language
# codes of languages: the one that was asked for, empty if none was; that of the game which a command opened
_language: ContextVar[str] = ContextVar("language", default="")
_of_game: ContextVar[str] = ContextVar("of_game", default=ENGLISH)
_game: ContextVar[str] = ContextVar("game", default=SHARED)  # the key of the game whose words are used
# the value of the variable before a command changed it, None if there was none; empty: no command has
_value_before: dict[str, str | None] = {}


def language() -> str:
    """Return the code of the commands' language: the one that was asked for, else the game's."""
    return _language.get() or _of_game.get()


def game() -> str:
    """Return the key of the game whose words are used."""
    return _game.get()


def translate(message: str) -> str:
    """Return an English message in the language of the commands; an empty one stays empty."""
    return message and translator(_game.get(), language())(message)


def worded(text: object) -> str:
    """Return a message (of :func:`says`) in the language of the commands, anything else as text."""
    return str(said(text, translate))


def use_words_of(game_key: str, game_language: str | None = None) -> None:
    """Use the words of a game from now on, and its language if no other was asked for.

    ``game_language``: the code of the language of the game's master; empty: English; None: there is no game
    in a folder, and the language stays.
    """
    _game.set(game_key)
    if game_language is None:
        return
    _of_game.set(game_language or ENGLISH)
    if not _language.get():
        _tell_click(game_language or ENGLISH)


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
    """Speak the language with this code, a known one, from now on, also in click's own messages."""
    _language.set(code)
    _tell_click(code)


def _tell_click(code: str) -> None:
    """Set the language of click's own messages."""
    _value_before.setdefault(_GETTEXT_VARIABLE, os.environ.get(_GETTEXT_VARIABLE))
    gettext.bindtextdomain(_DOMAIN, str(resource("rules", SHARED, "locale")))
    os.environ[_GETTEXT_VARIABLE] = code


def reset_language() -> None:
    """Forget language and game at the end of a command, and leave the environment as it was."""
    _language.set("")
    _of_game.set(ENGLISH)
    _game.set(SHARED)
    value = _value_before.pop(_GETTEXT_VARIABLE, os.environ.get(_GETTEXT_VARIABLE))
    os.environ.pop(_GETTEXT_VARIABLE, None)
    if value is not None:
        os.environ[_GETTEXT_VARIABLE] = value


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak the language with this code inside the block; click's own messages keep their language."""
    token = _language.set(code)
    try:
        yield
    finally:
        _language.reset(token)
