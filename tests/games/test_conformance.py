"""What every game of the registry must do, whatever its rules: played by its own bots, and attacked."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gm.core.event_log import EventClasses
from gm.core.events import PUBLIC, event_record
from gm.core.yaml.source import plain_data, read_yaml
from gm.game.results import step_heading
from gm.game.values import MapView
from gm.games import game_spec
from gm.store.canonical import compact
from tests.examples import examples
from tests.games.playing import ALL, GAME, KEY, PLAIN, begun, orders_of, parties, played, read, secret_of, turns

TURNS = {"medieval": 2}
"""How many turns are played, where six would take long."""

every_game = pytest.mark.parametrize("name", ALL)
plain_game = pytest.mark.parametrize("name", PLAIN)


def some_turns(name: str) -> Any:
    return turns(name, "test", TURNS.get(name, 6))


# -- position and turn -------------------------------------------------------------------------------------------------


@every_game
def test_a_start_is_sound_and_comes_back_from_its_snapshot(name: str) -> None:
    game = begun(name)
    assert list(game.spec.broken(game.table, game.state)) == []
    record = json.loads(compact(game.spec.record(game.state)))
    assert game.spec.state(record) == game.state
    assert game.spec.turn_of(game.state) == 0
    assert game.spec.ended(game.table, game.state) is None
    assert len(game.spec.seats(game.table, game.state)) >= 2


@every_game
def test_a_table_comes_back_from_its_packed_form(name: str) -> None:
    game = begun(name)
    back = game.spec.unpacked_table(game.spec.packed_table(game.table))
    assert game.spec.packed_table(back) == game.spec.packed_table(game.table)
    assert game.spec.marks(back) == game.spec.marks(game.table)
    for junk in (b"", b"{}", b"[1]", b"\xff"):
        with pytest.raises(ValueError):  # noqa: PT011 - each game says it in its own words
            game.spec.unpacked_table(junk)


@every_game
def test_turns_of_bots_stay_sound_and_every_event_comes_back_from_the_log(name: str) -> None:
    spec, table = begun(name).spec, begun(name).table
    for turn in some_turns(name):
        assert all(reading.sheet is not None for reading in turn.readings.values()), turn.readings
        assert list(spec.broken(table, turn.after)) == []
        record = json.loads(compact(spec.record(turn.after)))
        assert spec.state(record) == turn.after
        for event in turn.events:
            logged = json.loads(compact(event_record(event)))
            assert json.loads(compact(event_record(spec.event(logged)))) == logged


@every_game
def test_the_same_orders_and_dice_give_the_same_turn_in_any_order_of_files(name: str) -> None:
    spec, table = begun(name).spec, begun(name).table
    for turn in some_turns(name):
        sheets = {code: each.sheet for code, each in reversed(turn.readings.items())}
        ordered = {code: each.sheet for code, each in turn.readings.items()}
        one, two = (spec.play(table, turn.before, each, "one") for each in (sheets, ordered))
        assert spec.record(one.state) == spec.record(two.state)
        assert one.events == two.events


@every_game
def test_playing_a_turn_changes_nothing_that_it_is_given(name: str) -> None:
    game = begun(name)
    before = compact(game.spec.record(game.state))
    turn = next(some_turns(name))
    assert compact(game.spec.record(game.state)) == before
    assert game.spec.turn_of(turn.after) == 1


@every_game
def test_a_turn_without_any_orders_can_be_played(name: str) -> None:
    game = begun(name)
    after = game.spec.play(game.table, game.state, {}, "seed").state
    assert list(game.spec.broken(game.table, after)) == []


# -- orders ------------------------------------------------------------------------------------------------------------


@every_game
def test_templates_read_without_a_finding_and_their_schemas_accept_them(name: str) -> None:
    spec, table = begun(name).spec, begun(name).table
    for turn in some_turns(name):
        files = spec.reports(table, turn, html=False)
        templates = sorted(each for each in files if re.fullmatch(r"next/\w+\.yaml", each))
        assert templates or spec.ended(table, turn.after) is not None
        for path in templates:
            code = path[5:-5]
            reading = read(spec, table, turn.after, files[path], code, secret_of(code))
            if code in parties(spec, table, turn.after):
                assert reading.sheet is not None, [each.render() for each in reading.diagnostics]
                assert reading.diagnostics == ()
            schema = json.loads(files[f"next/{code}.schema.json"])
            jsonschema.Draft202012Validator.check_schema(schema)
            jsonschema.validate(plain_data(read_yaml(files[path], path)), schema)


@every_game
def test_orders_of_bots_fit_the_schema(name: str) -> None:
    game = begun(name)
    for code in parties(game.spec, game.table, game.state)[:4]:
        for bot in game.spec.bots:
            data = orders_of(game.spec, game.table, game.state, code, bot, "schema")
            schema = json.loads(game.spec.realm_schema(game.table, game.state, GAME, code))
            jsonschema.validate(plain_data(read_yaml(data, "bot.yaml")), schema)


HEAD = {"player": "game: {game}\nturn: {turn}\nplayer: {code}\nkey: {key}\n"}


@every_game
@examples(40)
@given(data=st.one_of(st.binary(max_size=300), st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace"))))
@example(data=b"")
@example(data=b"[" * 5000)
@example(data=b"game: &a [*a]\n")
@example(data=b"x: " + b"y" * 2_000_000)
def test_whatever_a_file_holds_it_is_read_without_raising(name: str, data: bytes) -> None:
    game = begun(name)
    code = parties(game.spec, game.table, game.state)[0]
    found = read(game.spec, game.table, game.state, data, code)
    assert found.sheet is None
    assert found.diagnostics
    head = HEAD.get(game.spec.party_word, "").format(
        game=GAME, turn=game.spec.quoted(game.state), code=code.lower(), key=KEY
    )
    read(game.spec, game.table, game.state, head.encode() + data, code)


WRONG = (
    "7",
    "[1, 2]",
    "{a: b}",
    "[[[]]]",
    "{a: {b: [c]}}",
    "'<script>alert(1)</script>'",
    "[null, ~, '', 3.5]",
    "-1",
    "~",
)


@plain_game
@pytest.mark.parametrize("value", WRONG)
def test_wrong_types_below_any_word_are_reported_or_ignored(name: str, value: str) -> None:
    game = begun(name)
    spec: Any = game.spec
    code = parties(spec, game.table, game.state)[0]
    head = HEAD["player"].format(game=GAME, turn=spec.quoted(game.state), code=code, key=KEY)
    for word in spec.order_model.model_fields:
        for text in (f"{word}: {value}\n", f"{word}:\n  - {value}\n  - {value}\n"):
            found = read(spec, game.table, game.state, (head + text).encode(), code)
            if found.sheet is not None:
                outcome = spec.play(game.table, game.state, {code: found.sheet}, "seed")
                assert list(spec.broken(game.table, outcome.state)) == []


@every_game
def test_the_head_of_a_template_names_the_party_with_the_games_own_word(name: str) -> None:
    spec, table = begun(name).spec, begun(name).table
    files = spec.reports(table, next(some_turns(name)), html=False)
    template = next(data for path, data in files.items() if re.fullmatch(r"next/\w+\.yaml", path))
    assert spec.party_word in plain_data(read_yaml(template, "template.yaml"))


@plain_game
def test_a_file_for_another_game_turn_or_player_or_without_the_key_is_refused(name: str) -> None:
    game = begun(name)
    code = parties(game.spec, game.table, game.state)[0]
    other = next(seat.code for seat in game.spec.seats(game.table, game.state) if seat.code != code)
    right = {"game": GAME, "turn": game.spec.quoted(game.state), "code": code, "key": KEY}
    for wrong, expected in (
        ({"game": "another"}, GAME),
        ({"turn": right["turn"] + 1}, str(right["turn"])),
        ({"code": other}, code),
        ({"key": "wrong"}, "key"),
    ):
        data = HEAD["player"].format(**{**right, **wrong}).encode()
        found = read(game.spec, game.table, game.state, data, code)
        assert found.sheet is None
        assert any(expected in each.message for each in found.diagnostics)
        assert KEY not in "".join(each.render() for each in found.diagnostics if "key" not in wrong)


@plain_game
def test_an_unknown_word_is_ignored_with_a_warning_that_names_the_nearest(name: str) -> None:
    game = begun(name)
    spec: Any = game.spec
    code = parties(spec, game.table, game.state)[0]
    word = next(iter(spec.order_model.model_fields))
    head = HEAD["player"].format(game=GAME, turn=spec.quoted(game.state), code=code, key=KEY)
    found = read(spec, game.table, game.state, f"{head}{word}x: 3\nunheard-of: 4\n".encode(), code)
    unknown = [each for each in found.diagnostics if each.code == "sheet/unknown-word"]
    assert [each.severity for each in unknown] == ["warning", "warning"]
    assert word in unknown[0].suggestion


# -- reports -----------------------------------------------------------------------------------------------------------


@every_game
def test_every_page_is_self_contained_and_every_file_tells_its_own_secrets_only(name: str) -> None:
    spec, table = begun(name).spec, begun(name).table
    for turn in some_turns(name):
        files = spec.reports(table, turn)
        codes = [seat.code for seat in spec.seats(table, turn.after)]
        for path, data in files.items():
            text = data.decode()
            if path.endswith(".html"):
                assert "Content-Security-Policy" in text
                assert not re.search(r"""<(?:script|img|link|iframe)[^>]+(?:src|href)=["'](?!data:|#)""", text), path
            mine = re.match(r"(?:results|next)/(\w+)\.", path)
            for code in codes:
                if mine is None or mine[1] != code:
                    assert secret_of(code) not in text, (path, code)
        for code in codes:
            results = spec.results_data(files[f"results/{code}.yaml"], "results")
            assert {"game", "realm", "turn", "key", "next_deadline", "next_seal", "dice"} <= results.keys()
            private = [each for each in turn.events if each.audience not in (PUBLIC, code)]
            told = json.loads(compact(results["events"]))
            for event in private:
                record = {
                    key: each for key, each in event_record(event).items() if key not in ("audience", "phase", "step")
                }
                here = told.get(json.loads(step_heading(event.phase, event.step).strip()[:-1]), ())
                assert not any(record.items() <= each.items() for each in here), event


@every_game
def test_a_results_file_gives_back_what_its_reader_may_know(name: str) -> None:
    spec, table = begun(name).spec, begun(name).table
    for turn in some_turns(name):
        files = spec.reports(table, turn, html=False)
        for seat in spec.seats(table, turn.after):
            head, state = spec.results_state(files[f"results/{seat.code}.yaml"], "results")
            assert (head["game"], head["realm"], head["turn"]) == (GAME, seat.code, spec.turn_of(turn.after))
            assert head["key"] == secret_of(seat.code)
            assert spec.seats(table, state)[0].code == spec.seats(table, turn.after)[0].code
            again, own = spec.results_state(files[f"results/{seat.code}.yaml"], "results")
            assert spec.record(own) == spec.record(state)
            assert again == head


@plain_game
def test_text_of_players_reaches_no_page_unescaped(name: str) -> None:
    game = begun(name)
    spec: Any = game.spec
    code = parties(spec, game.table, game.state)[0]
    evil = "<script>alert(1)</script>"
    word = next(iter(spec.order_model.model_fields))
    head = HEAD["player"].format(game=GAME, turn=spec.quoted(game.state), code=code, key=KEY)
    data = f'{head}{word}:\n  - "{evil}"\n  - "{evil} > {evil}"\n"{evil}": 1\n'.encode()
    readings = {code: read(spec, game.table, game.state, data, code)}
    turn = played(spec, game.table, game.state, readings, "seed")
    for path, text in spec.reports(game.table, turn).items():
        assert not path.endswith(".html") or evil.encode() not in text, path


@every_game
def test_summaries_digests_oddities_and_figures_are_made_for_every_turn(name: str) -> None:
    spec, table = begun(name).spec, begun(name).table
    for turn in some_turns(name):
        assert list(spec.summary(table, turn))
        digests = spec.digests(table, turn)
        assert set(digests) == {seat.code for seat in spec.seats(table, turn.after)}
        list(spec.warnings(table, turn))
        figures = spec.figures(table, turn.after)
        columns = {tuple(row) for row in figures.values()}
        assert len(columns) == 1
        assert set(figures) == set(digests)


@every_game
def test_the_map_can_be_drawn_and_a_wrong_place_is_named(name: str) -> None:
    game = begun(name)
    drawing = game.spec.draw(game.table, game.state, MapView())
    assert drawing.startswith("<svg")
    assert game.spec.draw(game.table, game.state, MapView()) == drawing
    with pytest.raises(ValueError, match="Nowhereland"):
        game.spec.draw(game.table, game.state, MapView(zoom="Nowhereland"))


@plain_game
def test_every_turn_can_be_explained_and_contrasted(name: str) -> None:
    spec, table = begun(name).spec, begun(name).table
    for turn in some_turns(name):
        assert spec.explain(table, turn, turn.before, ["turn"])
        for code in turn.readings:
            assert spec.explain(table, turn, turn.before, [code])
        with pytest.raises(ValueError, match="zzzz"):
            spec.explain(table, turn, turn.before, ["zzzz"])
        with pytest.raises(ValueError, match="no question"):
            spec.explain(table, turn, turn.before, [])
        same = spec.diff(table, turn, turn)
        assert [each.text for each in same] == ["Nothing: the turn comes out the same."]
        idle = played(spec, table, turn.before, {}, "other")
        assert spec.diff(table, turn, idle)


@every_game
def test_maps_that_ship_are_sound(name: str) -> None:
    spec = game_spec(name)
    assert spec.default_map in spec.maps()
    for folder in spec.maps().values():
        assert [each.render() for each in spec.check_map(folder) if each.is_error] == []
        assert spec.map_balance(folder)


@every_game
def test_a_handbook_is_one_page_without_anything_from_outside(name: str) -> None:
    game = begun(name)
    page = game.spec.handbook(game.table)
    assert not re.search(r"""<(?:script|img|link)[^>]+(?:src|href)=["'](?!data:|#)""", page)
    assert "Content-Security-Policy" in page


# -- texts -------------------------------------------------------------------------------------------------------------


@plain_game
def test_every_clause_has_a_text_and_every_text_a_clause(name: str) -> None:
    from gm.game.base import texts
    from gm.text.words import load_reasons
    from tests.handbook_marks import clauses_in

    known = set(texts.clauses(name))
    assert set(texts.clause_texts(name)) == known
    assert {key.partition(".")[0] for key in known} == {each.id for each in texts.chapters(name)}
    assert {each.clause for each in texts.rulings(name)} <= known
    assert {each.clause for each in load_reasons(name).values()} <= known
    linked = {found for text in texts.clause_texts(name).values() for found in clauses_in(text)}
    linked |= {found for part in texts.guide(name).parts for found in clauses_in(part.text)}
    assert linked <= known
    spec: Any = game_spec(name)
    of_steps = {clause for stage in spec.stages for each in stage.steps for clause in each.clauses}
    assert of_steps <= known
    page = spec.handbook(begun(name).table)
    for clause in known:
        assert f'id="rule-{clause}"' in page


@plain_game
def test_every_event_of_the_game_has_a_sentence_and_a_clause_that_exists(name: str) -> None:
    from gm.game.base import texts

    spec: Any = game_spec(name)
    classes: EventClasses = spec.event_classes
    package = type(spec).__module__.rpartition(".")[0]
    sentences, known = texts.sentences(name), set(texts.clauses(name))
    assert set(classes.all()) <= set(sentences)
    for kind in classes.all().values():
        if kind.__module__.startswith(package):
            clause = kind.__dict__.get("clause", "")
            assert not isinstance(clause, str) or clause in known, kind
    # a variant that asks for a field which an event does not have would only fail when it happens
    for event, sentence in sentences.items():
        if event in classes.all():
            assert set(_fields(sentence)) <= set(classes.all()[event].__dataclass_fields__), event


def _fields(sentence: Any) -> set[str]:
    if isinstance(sentence, str):
        return set(re.findall(r"{(\w+)", sentence))
    found = {str(sentence["by"])}
    for key, each in sentence.items():
        found |= _fields(each) if key != "by" else set()
    return found


@plain_game
def test_every_reason_that_a_line_can_fail_for_has_a_sentence_with_its_figures(name: str) -> None:
    spec, table = begun(name).spec, begun(name).table
    seen = False
    for turn in turns(name, "reasons", 12):
        for event in turn.events:
            if event.kind == "LineSettled":
                seen = True
        spec.reports(table, turn, html=False)
    assert seen
