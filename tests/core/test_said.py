"""Messages: what a player can cause in an order file is said in his language, whatever he wrote into it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.diagnostics import Diagnostic, Message, said, says
from gm.games import GAMES
from gm.text.languages import SHARED
from tests.examples import examples
from tests.games.playing import GAME, begun
from tests.medieval.order_reading import gallery_world, read
from tests.messages import messages

GALLERY = Path(__file__).resolve().parent.parent / "errors"
OPEN, CLOSE = "⟦⟧"


def marked(pattern: str) -> str:
    """A language in which all that is translated can be told from what is not."""
    return f"{OPEN}{pattern}{CLOSE}"


def findings(key: str) -> Iterator[Diagnostic]:
    """What is found in the gallery of a game."""
    for path in sorted((GALLERY / key).glob("*.yaml")):
        if key == "medieval":
            yield from read(path.read_bytes(), path.name)[1]
        else:
            game = begun(key)
            to = {"game": GAME, "realm": game.parties()[0], "key": None}
            data = path.read_bytes().replace(b"TURN", str(game.spec.quoted(game.state)).encode())
            yield from game.spec.read_orders(game.table, game.state, data, path.name, **to).diagnostics


def party_names(key: str) -> set[str]:
    """The names in the positions of the gallery: data, of which a catalogue knows some."""
    if key == "medieval":
        return {realm.name for realm in gallery_world().realms.values()}
    game = begun(key)
    return {seat.name for seat in game.spec.seats(game.table, game.state)}


def patterns(text: object) -> Iterator[str]:
    """Every pattern in a message, but of those that only put others side by side."""
    if isinstance(text, Message):
        if re.sub(r"[{}\d,\s]", "", text.pattern):
            yield text.pattern
        for value in text.values:
            yield from patterns(value)


@pytest.mark.parametrize("key", GAMES)
def test_all_that_is_found_in_an_order_file_is_said_in_its_writers_language(key: str) -> None:
    """16.15: each finding of the gallery is made of messages that the catalogues have, and of what he
    wrote.
    """
    messages_known = {*messages(SHARED), *messages(key), *party_names(key)}
    count = 0
    for finding in findings(key):
        for text in filter(None, (finding.message, finding.suggestion)):
            count += 1
            assert set(patterns(text)) <= messages_known, (finding.file, text)
            assert said(text, marked).startswith(OPEN), (finding.file, text)
        head, *_ = finding.render(translate=marked).split("\n")
        assert f"{marked(finding.severity)}[{finding.code}]: {OPEN}" in head
        assert re.sub(f"[{OPEN}{CLOSE}]", "", finding.render(translate=marked)) == finding.render()
        assert not finding.clause or f"{OPEN}rule {finding.clause}{CLOSE}" in finding.render(translate=marked)
    assert count > 10


TEXTS = st.text(alphabet="{}%0!:[]()sd \\a", max_size=12)


@examples(300)
@given(TEXTS, TEXTS)
def test_what_a_player_wrote_is_never_taken_for_a_pattern(one: str, other: str) -> None:
    inner = says("the name of a {0}", one)
    text = says("no {0} is called {1}", inner, other)
    assert text == f"no the name of a {one} is called {other}"
    assert said(text, marked) == marked(f"no {marked(f'the name of a {one}')} is called {other}")
    assert said(one, marked) == one
    assert said(says("such as {A12: Kent}"), marked) == marked("such as {A12: Kent}")
