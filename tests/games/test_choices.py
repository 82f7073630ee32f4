"""What the order writer on a drawing offers is what the game takes, and what it refuses the game refuses."""

from collections.abc import Iterator
from typing import Any

import pytest

from gm.game.base.events import Fate, lines_in
from gm.game.base.hooks import scene_of
from gm.game.base.writer import Choices, Here, Way
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
            result = TurnResult(game=GAME, before=played.after, after=played.after, events=(), keys={code: KEY})
            if (found := spec.choices(scene_of(spec, game.table, result, code))) is not None:
                yield played.after, code, found


def against(game: Begun, state: Any, code: str, line: str) -> bool:
    """Whether an order comes to nothing when it is all that happens: refused as it is read, or settled so."""
    head = {"game": GAME, "turn": game.spec.quoted(state), "player": code, "key": KEY}
    text = "".join(f"{word}: {value}\n" for word, value in head.items()) + line
    read = game.read(text.encode(), code, state)
    if read.sheet is None or any(each.is_error for each in read.diagnostics):
        return True
    outcome = game.spec.play(game.table, state, {code: read.sheet}, "alone")
    mine = [each for each in lines_in(outcome.events, code) if each.reason not in ("bumped-back", "destroyed")]
    return any(each.fate in (Fate.FAILED, Fate.SKIPPED) and each.reason != "too-few" for each in mine)


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_offered_is_taken_and_what_is_refused_is_refused(name: str) -> None:
    verb, pattern = WRITTEN[name]
    game, tried = begun(name), {True: 0, False: 0}
    for state, code, choices in offered(game):
        ways = choices.ways.get(verb, {})
        for start in [each for each in choices.own if each in ways][:2]:
            ends = ways[start]
            known = {} if isinstance(ends, Here) else dict(ends)
            far = next(each for each in choices.facts or ways if each not in (*known, start))
            for end, way in {**known, far: Way(why=choices.beyond.get(verb))}.items():
                closed = isinstance(ends, Here) or way.why is not None
                line = pattern.format(start=start, end=end)
                assert against(game, state, code, line) is closed, f"{code}: {line}"
                tried[closed] += 1
    assert min(tried.values()) > 2, tried
