"""What the order writer on a drawing offers is what the game takes, and what it refuses the game refuses."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from gm.core.yaml.source import Source
from gm.game.base.events import OrderOutcome, lines_in
from gm.game.base.hooks import scene_of
from gm.game.base.writer import ASSUME, Choices, Here, Way, order_phrases
from gm.game.values import TurnResult
from tests.games.playing import GAME, KEY, Begun, begun

WRITTEN = {
    "conquest-structures": ("move", "orders: ['{start} > {end}']"),
    "conquestination": ("attack", "attacks: [{{from: {start}, to: {end}}}]"),
    "conqueror": ("move", "moves: [{{from: {start}, to: {end}, armies: all}}]"),
    "conquest-fields": ("move", "move: {start}-{end}"),
}


def offered(game: Begun) -> Iterator[tuple[Any, str, Choices]]:
    """(state, party, choices) of everybody who is asked, after some turns of bots."""
    spec: Any = game.spec
    for played in game.turns("choices", 2):
        for code in game.parties(played.after):
            result = TurnResult(
                game=GAME, before=played.after, after=played.after, events=(), keys={code: KEY}
            )
            if (choices := spec.choices(scene_of(spec, game.table, result, code))) is not None:
                yield played.after, code, choices


def head_of(game: Begun, state: Any, code: str, more: Mapping[str, object] = {}) -> dict[str, object]:
    return {"game": GAME, "turn": game.spec.quoted(state), "player": code, "key": KEY, **more}


def against(game: Begun, state: Any, code: str, line: str) -> bool:
    """Whether an order comes to nothing when it is all that happens: refused as it is read, or settled so."""
    text = "".join(f"{word}: {value}\n" for word, value in head_of(game, state, code).items()) + line
    read = game.read(text.encode(), code, state)
    if read.sheet is None or any(diagnostic.is_error for diagnostic in read.diagnostics):
        return True
    outcome = game.spec.play(game.table, state, {code: read.sheet}, "alone")
    mine = [
        line for line in lines_in(outcome.events, code) if line.reason not in ("bumped-back", "destroyed")
    ]
    return any(
        line.fate in (OrderOutcome.FAILED, OrderOutcome.SKIPPED) and line.reason != "too-few" for line in mine
    )


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_offered_is_taken_and_what_is_refused_is_refused(name: str) -> None:
    verb, pattern = WRITTEN[name]
    game = begun(name)
    tried = {True: 0, False: 0}
    for state, code, choices in offered(game):
        ways = choices.ways.get(verb, {})
        for start in [place for place in choices.own if place in ways][:2]:
            ends = ways[start]
            ends_offered = {} if isinstance(ends, Here) else dict(ends)
            far = next(place for place in choices.facts or ways if place not in (*ends_offered, start))
            for end, way in {**ends_offered, far: Way(why=choices.beyond.get(verb))}.items():
                closed = isinstance(ends, Here) or way.why is not None
                line = pattern.format(start=start, end=end)
                assert against(game, state, code, line) is closed, f"{code}: {line}"
                tried[closed] += 1
    assert min(tried.values()) > 2, tried


@pytest.mark.parametrize("name", WRITTEN)
def test_every_kind_of_order_is_said_in_words_and_not_in_those_of_the_file(name: str) -> None:
    """Issue 38, item 8: by one table, which the writer and the hints fill in."""
    phrases = order_phrases(name)
    kinds = set()
    for _, _, choices in offered(begun(name)):
        for verb in choices.verbs:
            kind, _, _ = verb.name.partition(" ")
            blanks = {"start", "end", "units", *(field.name for field in verb.fields)}
            assert set(re.findall(r"\{(\w+)\}", phrases[kind])) <= blanks, verb.name
            kinds.add(kind)
    assert len(kinds) > 1
    assert not [phrase for phrase in phrases.values() if re.search(r"[@>_\[\]]|\w:\w", phrase)]


@pytest.mark.parametrize(("name", "line"), [("conquest-structures", "{} > {}"), ("conqueror", "{} -> {}")])
def test_orders_of_others_are_offered_as_a_forecast_reads_them(name: str, line: str) -> None:
    game = begun(name)
    state, code, choices = next(offered(game))
    verbs = [verb for verb in choices.verbs if verb.mode == ASSUME and verb.way]
    assert {verb.section.split("/")[1].upper() for verb in verbs} == {*state.living} - {code}
    for verb in verbs:
        ways = {start: ends for start, ends in choices.ways[verb.name].items() if not isinstance(ends, Here)}
        start, ends = next(iter(ways.items()))
        _, other, word = verb.section.split("/")
        lines = {ASSUME: {other: {word: [line.format(start, next(iter(ends)))]}}}
        body = "".join(f"{key}: {value}\n" for key, value in head_of(game, state, code, lines).items())
        read = game.read(body.encode(), code, state)
        preview = game.spec.preview(game.table, state, code, read.sheet, Source("orders.yaml", body))
        assert (preview.findings, len(preview.assumed)) == ((), 1)
        assert any(line.text.endswith("done.") for line in preview.course), preview.course
