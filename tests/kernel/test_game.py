"""Every game that the program knows keeps the promises of GameSpec."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.events import event_record
from gm.game.spec import GameSpec
from gm.game.turn_result import TurnResult
from gm.game.values import GameData, MapView
from gm.games import GAMES, game_spec
from gm.store.canonical import compact
from gm.store.folder import log_bytes, read_state, state_bytes
from tests.examples import examples

KEY = "brave-otter-71"


@pytest.fixture(scope="module", params=sorted(GAMES))
def spec(request: pytest.FixtureRequest) -> GameSpec[Any]:
    return game_spec(request.param)


@pytest.fixture(scope="module")
def table(spec: GameSpec[Any]) -> GameData:
    return spec.shipped_table(min(spec.maps(), key=lambda name: (name != "minsk", name)))


@pytest.fixture(scope="module")
def start(spec: GameSpec[Any], table: GameData) -> Any:
    folder = spec.maps().get("minsk") or next(iter(spec.maps().values()))
    return spec.start(table, folder, None)


def test_a_game_is_known_by_its_key(spec: GameSpec[Any]) -> None:
    assert GAMES[spec.key] == f"gm.games.{spec.key.replace('-', '_')}.spec"
    assert spec.title
    assert spec.maps()


def test_the_start_is_sound_and_everybody_plays(spec: GameSpec[Any], table: GameData, start: Any) -> None:
    assert list(spec.broken(table, start)) == []
    assert spec.turn_of(start) == 0
    seats = spec.seats(table, start)
    assert [seat.code for seat in seats] == sorted(seat.code for seat in seats)
    assert all(seat.played and not seat.out and not seat.missed for seat in seats)


def test_a_snapshot_reads_back_and_gives_the_same_bytes(
    spec: GameSpec[Any], table: GameData, start: Any, tmp_path: Path
) -> None:
    after = spec.play(table, start, {}, "seed").state
    for state in (start, after):
        data = state_bytes(spec.snapshot, spec.record(state))
        (tmp_path / "state.json").write_bytes(data)
        back = spec.state(read_state(tmp_path, spec.snapshot))
        assert back == state
        assert state_bytes(spec.snapshot, spec.record(back)) == data


def test_a_snapshot_has_a_line_for_each_thing(spec: GameSpec[Any], start: Any) -> None:
    lines = state_bytes(spec.snapshot, spec.record(start)).decode().splitlines()
    record = spec.record(start)
    seats = record["realms"] if "realms" in record else record["parties"]
    assert seats
    for seat in seats:
        # a home province may be called like its power
        named = sum(seat in part for part in record.values() if isinstance(part, dict))
        assert sum(line.startswith(f'  "{seat}": {{') for line in lines) == named


def test_a_played_turn_has_one_more_turn_and_is_repeatable(spec: GameSpec[Any], table: GameData, start: Any) -> None:
    one, two = (spec.play(table, start, {}, "seed") for _ in range(2))
    assert spec.turn_of(one.state) == 1
    assert list(spec.broken(table, one.state)) == []
    assert one.state == two.state
    assert log_bytes("x", 1, map(event_record, one.events)) == log_bytes("x", 1, map(event_record, two.events))


def test_reports_are_made_of_names_inside_the_turns_folder(spec: GameSpec[Any], table: GameData, start: Any) -> None:
    outcome = spec.play(table, start, {}, "seed")
    played = TurnResult(game="x", before=start, after=outcome.state, events=outcome.events, keys={})
    files = spec.reports(table, played)
    codes = [seat.code for seat in spec.seats(table, start)]
    # who has nothing to order next time gets no template
    asked = [seat.code for seat in spec.seats(table, outcome.state) if not seat.waiting]
    assert asked
    assert {f"results/{code}.yaml" for code in codes} | {f"next/{code}.yaml" for code in asked} <= set(files)
    for name, data in files.items():
        assert name.isascii()
        assert ".." not in name
        assert not name.startswith("/")
        assert isinstance(data, bytes)
    assert spec.summary(table, played)


def test_an_order_template_stands_as_it_is(spec: GameSpec[Any], table: GameData, start: Any) -> None:
    keys = {seat.code: KEY for seat in spec.seats(table, start) if not seat.waiting}
    files = spec.reports(table, TurnResult(game="x", before=start, after=start, events=(), keys=keys))
    for code in keys:
        reading = spec.read_orders(table, start, files[f"next/{code}.yaml"], "t", game="x", realm=code, key=KEY)
        assert reading.sheet is not None
        assert (reading.diagnostics, reading.realm, reading.key) == ((), code, KEY)


@examples(60)
@given(data=st.binary(max_size=300))
def test_no_order_file_makes_the_reader_stumble(spec: GameSpec[Any], table: GameData, start: Any, data: bytes) -> None:
    reading = spec.read_orders(table, start, data, "x.yaml", game="x", realm=None, key=None)
    assert reading.sheet is not None or reading.errors


def test_every_event_in_a_log_comes_back(spec: GameSpec[Any], table: GameData, start: Any) -> None:
    for event in spec.play(table, start, {}, "seed").events:
        record = json.loads(compact(event_record(event)))
        assert spec.event(record) == event
    with pytest.raises(ValueError, match="knows no event 'Earthquake'"):
        spec.event({"event": "Earthquake"})


def test_standings_that_the_game_does_not_know_are_refused(spec: GameSpec[Any], table: GameData, start: Any) -> None:
    code = spec.seats(table, start)[0].code
    assert spec.with_standings(start, {code: (None, None)}) == (start, ())
    for wrong in ({code: ("tsar", None)}, {code: (None, "robot")}, {"???": (None, None)}):
        with pytest.raises(ValueError, match=r"can be|has no realm"):
            spec.with_standings(start, wrong)


def test_the_schema_and_the_drawing_are_made(spec: GameSpec[Any], table: GameData, start: Any) -> None:
    assert json.loads(json.dumps(spec.schema(table, "x")))["properties"]["game"] == {"const": "x"}
    drawing = spec.draw(table, start, MapView())
    assert drawing.startswith("<svg")
    assert "<script" not in drawing


def test_the_handbook_is_one_page_that_asks_for_nothing_else(spec: GameSpec[Any], table: GameData) -> None:
    text = spec.handbook(table)
    assert text.startswith("<!DOCTYPE html>")
    assert text.rstrip().endswith("</html>")
    assert "default-src 'none'" in text
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", text)
