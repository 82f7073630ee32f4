"""The Herald of ten turns that were played once and are kept: which headline each turn has and of what, no
sentence twice on a page, and no name but of who and what was in the turn's events.
"""

import json
import lzma
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from gm.core.values import PUBLIC
from gm.core.yaml.models import load_data
from gm.game.base.herald import FRONT, Article, plain
from gm.game.values import TurnResult
from gm.text.languages import languages_of
from tests.games.playing import ALL, GAME, Begun, begun

TABLE: dict[str, Any] = load_data(Path(__file__).parent / "heralds.yaml")[0]
POSITION = ["standing", "rising", "falling", "powers", "quiet", "camp", "yield", "ruin", "weather"]
"""Kinds of news that tell how all stand, whatever happened."""


@cache
def turns(name: str) -> tuple[TurnResult, ...]:
    """The turns of a game as its folder would have them, states and logs: no bot and no die changes them."""
    spec = begun(name).spec
    kept = (Path(__file__).parent / "heralds" / f"{name}.json.xz").read_bytes()
    record = json.loads(lzma.decompress(kept))
    states = [spec.state(state) for state in record["states"]]
    logs = [map(spec.event, log) for log in record["events"]]
    return tuple(
        TurnResult(game=GAME, before=before, after=after, events=tuple(events))
        for before, after, events in zip(states, states[1:], logs, strict=False)
    )


def public_kinds(result: TurnResult) -> set[str]:
    return {event.kind for event in result.events if event.audience == PUBLIC}


@pytest.mark.parametrize("name", ALL)
def test_the_headline_of_each_turn_is_of_the_weightiest_that_happened(name: str) -> None:
    game = begun(name)
    expected = TABLE[name]
    headlines = [game.spec.herald(game.table, result).headlines[0] for result in turns(name)]
    assert headlines == [row["headline"] for row in expected["turns"]]
    for result, row in zip(turns(name), expected["turns"], strict=True):
        happened = public_kinds(result)
        assert row["event"] in happened, row
        above = [kind for kind in expected["above all"] if kind in happened]
        assert not above or row["event"] == above[0], row


@pytest.mark.parametrize(
    ("name", "language"), [(name, language) for name in ALL for language in languages_of(name)]
)
def test_no_page_says_a_sentence_twice(name: str, language: str) -> None:
    game = begun(name)
    for result in turns(name):
        paper = game.spec.herald(game.table, result, language)
        texts = chain.from_iterable((article.head, *article.text) for article in paper.articles)
        said = [plain(text) for text in texts if text]
        assert len(said) == len(set(said)), result.turn
        assert len(paper.of(FRONT)) >= 3


def strings(value: Any) -> Iterator[str]:
    """Every text anywhere in plain data; what names a unit begins with who has it."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, (list, tuple)):
        for child in value:
            yield from strings(child)
    elif isinstance(value, str):
        yield from (value, value.partition("/")[0])


def names_in(game: Begun, result: TurnResult, article: Article) -> Iterator[str]:
    """Names of parties and places in an article that are in none of the turn's public events."""
    spec = game.spec
    table = game.table
    called = dict(spec.names(table, result.after)) | {
        seat.code: seat.name for seat in spec.seats(table, result.after)
    }
    owners = [spec.owners(table, state) for state in (result.before, result.after)]
    changed = {
        place: [place_owners.get(place, "") for place_owners in owners]
        for place in {**owners[0], **owners[1]}
    }
    moved = {place: both for place, both in changed.items() if both[0] != both[1]}
    events = [to_builtins(event) for event in result.events if event.audience == PUBLIC]
    names_told = {called.get(text, text).casefold() for text in strings([moved, events])}
    names = "|".join(map(re.escape, sorted(called.values(), key=len, reverse=True)))
    text = " ".join(map(plain, (article.head, *article.text)))
    yield from {name for name in re.findall(rf"\b(?:{names})\b", text) if name.casefold() not in names_told}


@pytest.mark.parametrize("name", ALL)
def test_all_names_are_of_who_was_in_the_turns_events(name: str) -> None:
    game = begun(name)
    wrong = []
    for result in turns(name):
        for article in game.spec.herald(game.table, result).articles:
            if article.kind not in POSITION:
                wrong += [(result.turn, article.headline, name) for name in names_in(game, result, article)]
    assert wrong == []
