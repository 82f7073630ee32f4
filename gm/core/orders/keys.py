"""Keys: six words (60 bits) and two check digits that prove whose orders a file holds.

Each turn has keys of its own, made from a secret of each seat: an old key is worth nothing. The digits follow
from the letters: they tell a typing slip from another key, and nothing about the right one.
"""

import base64
import hmac
import re
from functools import cache, reduce
from pathlib import Path

from gm.core.diagnostics import nearest, says
from gm.core.dice import Dice

WORDS = 6  # so many words has a key
# the name in a turn's record under which it says how many words the keys have that it announced; without it,
# they are short ones
KEYS_OF = "key_words"
NO_KEY = "put-your-key-here"  # stands for the key in what is sent to a player and may be shown to others
# a prime: two keys that differ in one letter, or by two exchanged neighbours, have different check digits
_CHECK = 97
_SHOWN = 20  # letters of an unknown word that a message repeats; a longer one is like no word of a key


# the form of tokens; a program that breaks a long subject in two may leave a space after a hyphen
TOKEN = r"[a-z2-7]{4}-\s?[a-z2-7]{4}-\s?[a-z2-7]{4}"  # noqa: S105 - the form, no token


def make_token(secret: str, about: str) -> str:
    """Return a token such as ``kq3v-x5tm-2a7c`` (60 bits).

    Only somebody who knows the secret can make the one that proves the text ``about``.
    """
    letters = base64.b32encode(hmac.digest(secret.encode(), about.encode(), "sha256")).decode().lower()
    return "-".join(letters[at : at + 4] for at in (0, 4, 8))


def same_token(token: str, expected: str) -> bool:
    """Return whether a token is the expected one, even if a line break splits it.

    The comparison takes the same time for right and wrong ones.
    """
    return hmac.compare_digest("".join(token.split()), expected)


def player_secret(secret: str, realm: str) -> str:
    """Return the secret of a realm's seat, 32 hex digits, derived from the secret of the whole game."""
    return hmac.digest(secret.encode(), f"player secret\n{realm}".encode(), "sha256").hex()[:32]


def make_key(secret: str, realm: str, turn: int) -> str:
    """Return a realm's key for one turn's orders, such as ``otter-lemon-castle-pine-radio-brisk-41``.

    ``secret``: that of the realm's seat.
    """
    stream = Dice(secret)("key of words", realm, f"turn {turn}")
    words = [stream.choice(key_words()) for _ in range(WORDS)]
    return f"{'-'.join(words)}-{_digits(words)}"


def short_key(secret: str, realm: str, turn: int) -> str:
    """Return a realm's key for one turn's orders as earlier versions made it, such as ``brave-otter-71``.

    Turns that they announced still accept it. ``secret``: that of the realm's seat.
    """
    stream = Dice(secret)("key", realm, f"turn {turn}")
    adjectives, creatures = (words.split() for words in _text("short_key_words.txt").split("\n\n"))
    # each draws from the stream, so their order decides the key
    adjective = stream.choice(adjectives)
    creature = stream.choice(creatures)
    return f"{adjective}-{creature}-{stream.choice(range(10, 100))}"


def same_key(key: str, expected: str) -> bool:
    """Return whether a key is the expected one, whatever its capitals and the signs between its words.

    The comparison takes the same time for right and wrong ones. No key is the same as an empty one.
    """
    typed = _bare(key)
    right = _bare(expected)
    if not right:  # a key without letters and digits is compared as it is
        typed = key
        right = expected
    return bool(right) and hmac.compare_digest(typed.encode(), right.encode())


def could_be(key: str, expected: str) -> bool:
    """Return whether a wrong key could be a guess, and not the expected one with a typing slip.

    It is no slip if its check digits fit its letters. Nothing can be said of slips where the expected key is
    a short one, which has no check digits.
    """
    return _has_check_digits(_bare(key)) or not _has_check_digits(_bare(expected))


def _has_check_digits(bare: str) -> bool:
    """Return whether a key, bare of signs, ends with the two digits that follow from its letters."""
    # six words of at least three letters, and digits
    match = re.fullmatch(r"(?P<letters>[a-z]{18,80})(?P<digits>[0-9]{2})", bare)
    return match is not None and match["digits"] == _digits([match["letters"]])


def key_slip(key: str) -> str:
    """Return what is wrong with a mistyped key, in words, as far as the key itself shows it.

    Empty for a key that may be right, and for a text that is no key at all.
    """
    if _bare(key) == _bare(NO_KEY):
        return says("the key has not been filled in")
    parts = re.findall(r"[a-z]+|[0-9]+", key[:200].lower())
    words = [part for part in parts if part.isalpha()]
    digits = parts[-1] if parts and parts[-1].isdigit() else ""
    unknown = [word for word in words if word not in key_words()]
    if len(unknown) == len(words) or abs(len(words) - WORDS) > 2:  # this was never meant for a key
        return ""
    if unknown:
        return _unknown_word(unknown[0])
    if len(words) != WORDS or not digits:
        return says("a key has {0} words and two digits", WORDS)
    return "" if digits == _digits(words) else says("its words and its digits do not match")


def _unknown_word(word: str) -> str:
    """Return the message about a word that no key has; it names the nearest word of a key, if one is near."""
    near = nearest(word, key_words()) if len(word) <= _SHOWN else None
    pattern = "{0} is not a word of a key; did you mean {1}?" if near else "{0} is not a word of a key"
    return says(pattern, repr(word[:_SHOWN]), repr(near))


def _digits(words: list[str]) -> str:
    """Return the two check digits of words: their letters as one number to the base 26, modulo 97."""
    letters = (ord(letter) - ord("a") for letter in "".join(words))
    return f"{reduce(lambda number, letter: (number * 26 + letter) % _CHECK, letters, 0):02}"


def _bare(key: str) -> str:
    """Return the letters and digits of a key, in small letters."""
    return "".join(char for char in key.casefold() if char.isalnum())


@cache
def key_words() -> tuple[str, ...]:
    """Return the words of which keys are made.

    A change of the list makes the keys void that players of running games have.
    """
    return tuple(_text("key_words.txt").split())


def _text(name: str) -> str:
    """Return the text of a file beside this module."""
    return Path(__file__).with_name(name).read_text(encoding="ascii")
