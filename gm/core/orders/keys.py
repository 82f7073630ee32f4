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
# in the record of a turn: so many words have the keys that it announced; once they were short
KEYS_OF = "key_words"
NO_KEY = "put-your-key-here"  # stands for the key in what is sent to a player and may be shown to others
# a prime: of two keys that differ in one letter, or have two neighbours exchanged, one has other digits
_CHECK = 97
_SHOWN = 20  # a longer word was never meant for one of a key


# of letters that prove themselves; a program that breaks a long subject in two may leave a space behind a
# hyphen
TOKEN = r"[a-z2-7]{4}-\s?[a-z2-7]{4}-\s?[a-z2-7]{4}"  # noqa: S105 - what each looks like


def make_token(secret: str, about: str) -> str:
    """Return a text about something that only the owner of a secret can make: 60 bits, ``kq3v-x5tm-2a7c``."""
    letters = base64.b32encode(hmac.digest(secret.encode(), about.encode(), "sha256")).decode().lower()
    return "-".join(letters[at : at + 4] for at in (0, 4, 8))


def same_token(token: str, expected: str) -> bool:
    """Return whether a token is the right one, even if a line break splits it.

    The comparison takes the same time for each.
    """
    return hmac.compare_digest("".join(token.split()), expected)


def player_secret(secret: str, realm: str) -> str:
    """Return the secret of one seat of a game, 32 hex digits, from the one that starts the whole game."""
    return hmac.digest(secret.encode(), f"player secret\n{realm}".encode(), "sha256").hex()[:32]


def make_key(secret: str, realm: str, turn: int) -> str:
    """Return a realm's key for one turn's orders, which follows from its secret alone.

    For example ``otter-lemon-castle-pine-radio-brisk-41``.
    """
    stream = Dice(secret)("key of words", realm, f"turn {turn}")
    words = [stream.choice(key_words()) for _ in range(WORDS)]
    return f"{'-'.join(words)}-{_digits(words)}"


def short_key(secret: str, realm: str, turn: int) -> str:
    """Return the key that versions before this one made, such as ``brave-otter-71``.

    It is good for turns that they announced.
    """
    stream = Dice(secret)("key", realm, f"turn {turn}")
    moods, creatures = _text("short_key_words.txt").split("\n\n")
    return (
        f"{stream.choice(moods.split())}-{stream.choice(creatures.split())}-{stream.choice(range(10, 100))}"
    )


def same_key(key: str, expected: str) -> bool:
    """Return whether a key is the right one, however its words are separated and written.

    The comparison takes the same time for each.
    """
    bare = _bare(expected)
    typed, right = (_bare(key), bare) if bare else (key, expected)
    return bool(right) and hmac.compare_digest(typed.encode(), right.encode())


def could_be(key: str, expected: str) -> bool:
    """Return whether a wrong key is a guess and no typing slip.

    It is a guess if its digits follow from its letters, or if those of ``expected`` do not.
    """
    return _checks(_bare(key)) or not _checks(_bare(expected))


def _checks(bare: str) -> bool:
    match = re.fullmatch(r"([a-z]{18,80})([0-9]{2})", bare)
    return match is not None and match[2] == _digits([match[1]])


def key_slip(key: str) -> str:
    """Return what is wrong with a mistyped key, as far as the key itself shows it.

    Empty for a whole key and for a text that is no key at all.
    """
    if _bare(key) == _bare(NO_KEY):
        return says("the key has not been filled in")
    parts = re.findall(r"[a-z]+|[0-9]+", key[:200].lower())
    words = [part for part in parts if part.isalpha()]
    digits = parts[-1] if parts and parts[-1].isdigit() else ""
    unknown = [word for word in words if word not in key_words()]
    if len(unknown) == len(words) or abs(len(words) - WORDS) > 2:
        return ""
    if unknown:
        return _unknown_word(unknown[0])
    if len(words) != WORDS or not digits:
        return says("a key has {0} words and two digits", WORDS)
    return "" if digits == _digits(words) else says("its words and its digits do not match")


def _unknown_word(word: str) -> str:
    """Return the message about a word that no key has, with the word that was probably meant."""
    near = nearest(word, key_words()) if len(word) <= _SHOWN else None
    pattern = "{0} is not a word of a key; did you mean {1}?" if near else "{0} is not a word of a key"
    return says(pattern, repr(word[:_SHOWN]), repr(near))


def _digits(words: list[str]) -> str:
    letters = (ord(letter) - ord("a") for letter in "".join(words))
    return f"{reduce(lambda number, letter: (number * 26 + letter) % _CHECK, letters, 0):02}"


def _bare(key: str) -> str:
    return "".join(char for char in key.casefold() if char.isalnum())


@cache
def key_words() -> tuple[str, ...]:
    """Return the words of keys.

    A change of the list makes the keys void that players of running games have.
    """
    return tuple(_text("key_words.txt").split())


def _text(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="ascii")
