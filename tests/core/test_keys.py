"""14.A1: keys that nobody finds by trying, that forgive how they are written and tell a slip in typing."""

from __future__ import annotations

import math
import string
from collections.abc import Iterator

import pytest

from gm.core.orders import keys
from gm.core.orders.keys import WORDS, key_slip, key_words, make_key, same_key, short_key
from tests.core.cases import cases

KEY = make_key("secret", "ENG", 1)
MANY = [make_key("secret", realm, turn) for realm in ("ENG", "FRA") for turn in range(1, 16)]


def slips(key: str) -> Iterator[str]:
    """The key with one character wrong, left out, doubled, or exchanged with its neighbour."""
    for at, char in enumerate(key):
        if char == "-":
            continue
        for other in string.digits if char.isdigit() else string.ascii_lowercase:
            if other != char:
                yield key[:at] + other + key[at + 1 :]
        yield key[:at] + key[at + 1 :]
        yield key[:at] + char + key[at:]
        if key[at + 1 : at + 2] not in ("", "-", char):
            yield key[:at] + key[at + 1] + char + key[at + 2 :]


def test_a_key_has_sixty_bits_and_more() -> None:
    assert len(set(key_words())) == len(key_words())
    assert WORDS * math.log2(len(key_words())) >= 60
    assert all(word.isascii() and word.islower() and 3 <= len(word) <= 7 for word in key_words())


def test_the_same_secret_makes_the_same_keys_in_every_version() -> None:
    """Whoever changes the list of words makes keys void that players have."""
    assert KEY == "volcano-monarch-hunter-kiosk-butter-adder-81"
    assert short_key("secret", "ENG", 1) == "worthy-otter-80"
    assert len({*MANY, make_key("other", "ENG", 1)}) == len(MANY) + 1


@cases("spellings")
def test_how_a_key_is_written_does_not_count(written: str) -> None:
    assert same_key(written, KEY)


@pytest.mark.parametrize("given", ["", "-", "---", KEY[:-1], KEY[:-3], f"{KEY}1", KEY.replace("monarch", "monark")])
def test_another_key_is_another_key(given: str) -> None:
    assert not same_key(given, KEY)
    assert not same_key(given, "")


def test_a_key_of_signs_alone_is_compared_as_it_is() -> None:
    assert same_key("?!", "?!")
    assert not same_key("!!", "?!")
    assert not same_key("", "?!")


def test_every_slip_of_one_letter_or_digit_is_told_from_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "nearest", lambda word, words: None)  # the search for the word that was meant takes long
    assert not any(key_slip(key) for key in MANY)
    assert all(key_slip(slip) for key in MANY for slip in slips(key))


@cases("slips")
def test_what_is_wrong_with_a_key_is_said_from_the_key_alone(given: str, said: str) -> None:
    assert key_slip(given) == said
    assert key_slip("x" * 5000) == ""
