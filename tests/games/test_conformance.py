"""What every game of the registry must do, whatever its rules: played by its own bots, and attacked."""

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gm.core.codec import EventCodec, to_plain
from gm.core.values import PUBLIC
from gm.core.yaml.source import plain_data, read_yaml
from gm.game.base import texts
from gm.game.values import MapView, TurnResult
from gm.games import GAMES
from gm.store.formats import compact
from gm.text.layout import step_heading
from gm.text.words import load_reasons
from tests.examples import examples
from tests.games.playing import ALL, GAME, PLAIN, Begun, begun, secret_of
from tests.games.scanning import page_text, slips
from tests.handbook_marks import clauses_in

FROM_OUTSIDE = r"""<(?:script|img|link|iframe)[^>]+(?:src|href)=["'](?!data:|#)"""
EVIL = "<script>alert(1)</script>"


@pytest.fixture(scope="module", params=ALL)
def every(request: pytest.FixtureRequest) -> Begun:
    return begun(request.param)


@pytest.fixture(scope="module", params=PLAIN)
def small(request: pytest.FixtureRequest) -> Begun:
    return begun(request.param)


def some_turns(game: Begun) -> Iterator[TurnResult]:
    """Some turns between bots; of the slowest game fewer."""
    return game.turns("test", 2 if game.spec.key == "medieval" else 6)


# -- position and turn ---------------------------------------------------------------------------------------


def test_a_start_is_sound_and_comes_back_from_its_snapshot(every: Begun) -> None:
    spec = every.spec
    table = every.table
    state = every.state
    assert GAMES[spec.key] == f"gm.games.{spec.key.replace('-', '_')}.spec"
    assert spec.title
    assert list(spec.broken(table, state)) == []
    assert state.turn == 0
    assert spec.ended(table, state) is None
    seats = [seat.code for seat in spec.seats(table, state)]
    assert len(seats) >= 2
    assert seats == sorted(seats)
    alone = spec.start(table, spec.maps()[spec.default_map], None)
    assert all(seat.played and not seat.out and not seat.missed for seat in spec.seats(table, alone))


def test_a_snapshot_gives_the_same_bytes_again_with_a_line_for_each_thing(every: Begun) -> None:
    spec = every.spec
    for turn in some_turns(every):
        data = spec.snapshot.encode(spec.record(turn.after))
        back = spec.state(spec.snapshot.decode(data, "state.json"))
        assert back == turn.after
        assert spec.snapshot.encode(spec.record(back)) == data
        lines = data.decode().splitlines()
        record = spec.record(turn.after)
        for seat in record["realms"] if "realms" in record else record["parties"]:
            # a home province may be called like its power
            named = sum(seat in part for part in record.values() if isinstance(part, dict))
            assert sum(line.startswith(f'  "{seat}": {{') for line in lines) == named


def test_a_table_comes_back_from_its_packed_form(every: Begun) -> None:
    back = every.spec.unpacked_table(every.spec.packed_table(every.table))
    assert every.spec.packed_table(back) == every.spec.packed_table(every.table)
    assert every.spec.fingerprints(back) == every.spec.fingerprints(every.table)
    for junk in (b"", b"{}", b"[1]", b"\xff"):
        with pytest.raises(ValueError):  # noqa: PT011 - each game says it in its own words
            every.spec.unpacked_table(junk)


def test_turns_of_bots_stay_sound_and_every_event_comes_back_from_the_log(every: Begun) -> None:
    for number, turn in enumerate(some_turns(every), 1):
        assert all(reading.sheet is not None for reading in turn.readings.values()), turn.readings
        assert list(every.spec.broken(every.table, turn.after)) == []
        assert turn.after.turn == number
        for event in turn.events:
            logged = json.loads(compact(to_plain(event)))
            assert json.loads(compact(to_plain(every.spec.event(logged)))) == logged
    with pytest.raises(ValueError, match="knows no event 'Earthquake'"):
        every.spec.event({"event": "Earthquake"})


def test_the_same_orders_and_dice_give_the_same_turn_in_any_order_of_files(every: Begun) -> None:
    spec = every.spec
    before = compact(spec.record(every.state))
    for turn in some_turns(every):
        files = (turn.sheets, dict(reversed(turn.sheets.items())))
        one, two = (spec.play(every.table, turn.before, sheets, "one") for sheets in files)
        assert spec.record(one.state) == spec.record(two.state)
        assert one.events == two.events
    assert compact(spec.record(every.state)) == before, "playing changes nothing that it is given"


def test_a_turn_without_any_orders_can_be_played(every: Begun) -> None:
    after = every.spec.play(every.table, every.state, {}, "seed").state
    assert list(every.spec.broken(every.table, after)) == []


def test_standings_that_the_game_does_not_know_are_refused(every: Begun) -> None:
    code = every.spec.seats(every.table, every.state)[0].code
    assert every.spec.with_standings(every.state, {code: (None, None)}) == (every.state, ())
    for wrong in ({code: ("tsar", None)}, {code: (None, "robot")}, {"???": (None, None)}):
        with pytest.raises(ValueError, match=r"can be|has no realm"):
            every.spec.with_standings(every.state, wrong)


# -- orders --------------------------------------------------------------------------------------------------


def test_templates_read_without_a_finding_and_their_schemas_accept_them(every: Begun) -> None:
    spec = every.spec
    table = every.table
    for turn in some_turns(every):
        files = spec.reports(table, turn, html=False)
        templates = sorted(path for path in files if re.fullmatch(r"next/\w+\.yaml", path))
        assert templates or spec.ended(table, turn.after) is not None
        for path in templates:
            code = path[5:-5]
            reading = every.read(files[path], code, turn.after, secret_of(code))
            if code in every.parties(turn.after):
                assert reading.sheet is not None, [diagnostic.render() for diagnostic in reading.diagnostics]
                assert (reading.diagnostics, reading.realm, reading.key) == ((), code, secret_of(code))
            schema = json.loads(files[f"next/{code}.schema.json"])
            if turn.after.turn == 1:  # the others are alike but for names
                jsonschema.Draft202012Validator.check_schema(schema)
            content = plain_data(read_yaml(files[path], path))
            jsonschema.Draft202012Validator(schema).validate(content)
            assert spec.party_word in content


def test_orders_of_bots_fit_the_schema(every: Begun) -> None:
    assert json.loads(json.dumps(every.spec.schema(every.table, "x")))["properties"]["game"] == {"const": "x"}
    for code in every.parties()[:4]:
        schema = json.loads(every.spec.realm_schema(every.table, every.state, GAME, code))
        fits = jsonschema.Draft202012Validator(schema)
        for bot in every.spec.bots:
            fits.validate(
                plain_data(read_yaml(every.orders_of(every.state, code, bot, "schema"), "bot.yaml"))
            )


@examples(40)
@given(
    data=st.one_of(
        st.binary(max_size=300), st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace"))
    )
)
@example(data=b"")
@example(data=b"[" * 5000)
@example(data=b"game: &a [*a]\n")
@example(data=b"x: " + b"y" * 2_000_000)
def test_whatever_a_file_holds_it_is_read_without_raising(every: Begun, data: bytes) -> None:
    reading = every.read(data, every.parties()[0])
    assert reading.sheet is None
    assert reading.errors
    assert every.read(data, None, key=None).errors
    head = every.head() if every.spec.party_word == "player" else ""
    every.read(head.encode() + data, every.parties()[0])


WRONG = ("7", "[1, 2]", "{a: b}", "[[[]]]", "{a: {b: [c]}}", f"'{EVIL}'", "[null, ~, '', 3.5]", "-1", "~")


@pytest.mark.parametrize("value", WRONG)
def test_wrong_types_below_any_word_are_reported_or_ignored(small: Begun, value: str) -> None:
    code = small.parties()[0]
    for word in small.words:
        for text in (f"{word}: {value}\n", f"{word}:\n  - {value}\n  - {value}\n"):
            reading = small.read((small.head() + text).encode(), code)
            if reading.sheet is not None:
                after = small.play(small.state, {code: reading}, "seed").after
                assert list(small.spec.broken(small.table, after)) == []


def test_a_file_for_another_game_turn_or_player_or_without_the_key_is_refused(small: Begun) -> None:
    code = small.parties()[0]
    turn = small.spec.quoted(small.state)
    other = next(seat.code for seat in small.spec.seats(small.table, small.state) if seat.code != code)
    for wrong, value, expected in (
        ("game", "another", GAME),
        ("turn", turn + 1, str(turn)),
        ("player", other, code),
        ("key", "wrong", "key"),
    ):
        reading = small.read(small.head(**{wrong: value}).encode(), code)
        assert reading.sheet is None
        assert any(expected in diagnostic.message for diagnostic in reading.diagnostics)
        assert "sly-newt" not in "".join(
            diagnostic.render() for diagnostic in reading.diagnostics if wrong != "key"
        )


def test_an_unknown_word_is_ignored_with_a_warning_that_names_the_nearest(small: Begun) -> None:
    word = small.words[0]
    reading = small.read(f"{small.head()}{word}x: 3\nunheard-of: 4\n".encode(), small.parties()[0])
    unknown = [diagnostic for diagnostic in reading.diagnostics if diagnostic.code == "sheet/unknown-word"]
    assert [diagnostic.severity for diagnostic in unknown] == ["warning", "warning"]
    assert word in unknown[0].suggestion


# -- reports -------------------------------------------------------------------------------------------------


Reported = list[tuple[TurnResult, dict[str, bytes]]]


@pytest.fixture(scope="module")
def reported(every: Begun) -> Reported:
    """Some turns with all their files."""
    return [(turn, dict(every.spec.reports(every.table, turn))) for turn in some_turns(every)]


def test_pages_speak_of_their_own_game(every: Begun, reported: Reported) -> None:
    """14.D32: every page and template of some turns between bots, the handbook, the summaries."""
    spec = every.spec
    texts = [page_text(every.spec.handbook(every.table))]
    for played, files in reported:
        for path, data in files.items():
            if path.endswith(".html"):
                texts.append(page_text(data.decode()))
            elif path.endswith(".txt") or (path.startswith("next/") and path.endswith(".yaml")):
                texts.append(data.decode())
        texts += [" ".join(lines) for lines in spec.digests(every.table, played).values()]
    assert sorted(set(chain.from_iterable(slips(spec.key, text) for text in texts))) == []


def test_every_page_is_self_contained_and_every_file_tells_its_own_secrets_only(
    every: Begun, reported: Reported
) -> None:
    spec = every.spec
    table = every.table
    for turn, files in reported:
        codes = [seat.code for seat in spec.seats(table, turn.after)]
        for path, data in files.items():
            text = data.decode()
            assert re.fullmatch(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*(\.[a-z]+)+", path)
            if path.endswith(".html"):
                assert "Content-Security-Policy" in text
                assert not re.search(FROM_OUTSIDE, text), path
            mine = re.match(r"(?:results|next)/(\w+)\.", path)
            for code in codes:
                if mine is None or mine[1] != code:
                    assert secret_of(code) not in text, (path, code)
        for code in codes:
            results = spec.results_data(files[f"results/{code}.yaml"], "results")
            assert {"game", "realm", "turn", "key", "next_deadline", "next_seal", "dice"} <= results.keys()
            steps = json.loads(compact(results["events"]))
            for event in (event for event in turn.events if event.audience not in (PUBLIC, code)):
                common = ("audience", "phase", "step")
                record = {key: field for key, field in to_plain(event).items() if key not in common}
                here = steps.get(json.loads(step_heading(event.phase, event.step).strip()[:-1]), ())
                assert not any(record.items() <= entry.items() for entry in here), event


def test_a_results_file_gives_back_what_its_reader_may_know(every: Begun) -> None:
    spec = every.spec
    table = every.table
    for turn in some_turns(every):
        files = spec.reports(table, turn, html=False)
        for seat in spec.seats(table, turn.after):
            (head, state), (again, own) = (
                spec.results_state(files[f"results/{seat.code}.yaml"], "results") for _ in range(2)
            )
            assert (head["game"], head["realm"], head["turn"]) == (GAME, seat.code, turn.after.turn)
            assert head["key"] == secret_of(seat.code)
            assert spec.seats(table, state)[0].code == spec.seats(table, turn.after)[0].code
            assert spec.record(own) == spec.record(state)
            assert again == head


def test_text_of_players_reaches_no_page_unescaped(small: Begun) -> None:
    code = small.parties()[0]
    data = f'{small.head()}{small.words[0]}:\n  - "{EVIL}"\n  - "{EVIL} > {EVIL}"\n"{EVIL}": 1\n'
    turn = small.play(small.state, {code: small.read(data.encode(), code)}, "seed")
    for path, text in small.spec.reports(small.table, turn).items():
        assert not path.endswith(".html") or EVIL.encode() not in text, path


def test_summaries_digests_warnings_and_figures_are_made_for_every_turn(every: Begun) -> None:
    spec = every.spec
    table = every.table
    for turn in some_turns(every):
        assert list(spec.summary(table, turn))
        list(spec.warnings(table, turn))
        assert all(map(str.strip, spec.herald(table, turn).lines))
        figures = spec.figures(table, turn.after)
        digests = spec.digests(table, turn)
        assert len({tuple(row) for row in figures.values()}) == 1
        assert set(figures) == set(digests) == {seat.code for seat in spec.seats(table, turn.after)}


def test_the_map_can_be_drawn_and_a_wrong_place_is_named(every: Begun) -> None:
    drawing = every.spec.draw(every.table, every.state, MapView())
    assert drawing.startswith("<svg")
    assert "<script" not in drawing
    assert every.spec.draw(every.table, every.state, MapView()) == drawing
    with pytest.raises(ValueError, match="Nowhereland"):
        every.spec.draw(every.table, every.state, MapView(zoom="Nowhereland"))


def test_every_turn_can_be_explained_and_compared(small: Begun) -> None:
    spec = small.spec
    table = small.table
    for turn in some_turns(small):
        for asked in ("turn", *turn.readings):
            assert spec.explain(table, turn, turn.before, [asked])
        for wrong, message in ((["zzzz"], "zzzz"), ([], "no question")):
            with pytest.raises(ValueError, match=message):
                spec.explain(table, turn, turn.before, wrong)
        assert [line.text for line in spec.diff(table, turn, turn)] == [
            "Nothing: the turn comes out the same."
        ]
        assert spec.diff(table, turn, small.play(turn.before, {}, "other"))
        assert [line.text for line in spec.diff(table, turn, turn, "de")] == [
            "Nichts: Der Zug geht genauso aus."
        ]


def test_maps_that_ship_are_sound(every: Begun) -> None:
    assert every.spec.default_map in every.spec.maps()
    for folder in every.spec.maps().values():
        assert [finding.render() for finding in every.spec.check_map(folder) if finding.is_error] == []
        assert every.spec.map_balance(folder)


def test_a_handbook_is_one_page_without_anything_from_outside(every: Begun) -> None:
    page = every.spec.handbook(every.table)
    assert page.startswith("<!DOCTYPE html>")
    assert page.rstrip().endswith("</html>")
    assert "default-src 'none'" in page
    assert not re.search(FROM_OUTSIDE, page)
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", page)


# -- texts ---------------------------------------------------------------------------------------------------


def test_every_clause_has_a_text_and_every_text_a_clause(small: Begun) -> None:
    spec: Any = small.spec
    name = spec.key
    clauses = set(texts.clauses(spec.key))
    assert set(texts.clause_texts(name)) == clauses
    assert {key.partition(".")[0] for key in clauses} == {chapter.id for chapter in texts.chapters(name)}
    assert {text.clause for text in (*texts.rulings(name), *load_reasons(name).values())} <= clauses
    prose = (*texts.clause_texts(name).values(), *(part.text for part in texts.guide(name).parts))
    assert set(chain.from_iterable(clauses_in(text) for text in prose)) <= clauses
    assert {clause for stage in spec.stages for step in stage.steps for clause in step.clauses} <= clauses
    page = spec.handbook(small.table)
    for clause in clauses:
        assert f'id="rule-{clause}"' in page


def test_every_event_of_the_game_has_a_sentence_and_a_clause_that_exists(small: Begun) -> None:
    spec: Any = small.spec
    classes: EventCodec = spec.event_classes
    package = type(spec).__module__.rpartition(".")[0]
    sentences = texts.sentences(spec.key)
    clauses = set(texts.clauses(spec.key))
    assert set(classes.classes) <= set(sentences)
    for kind in classes.classes.values():
        if kind.__module__.startswith(package):
            clause = kind.__dict__.get("clause", "")
            assert not isinstance(clause, str) or clause in clauses, kind
    # a variant that asks for a field which an event does not have would only fail when it happens
    for event, sentence in sentences.items():
        if event in classes.classes:
            assert set(_fields(sentence)) <= set(classes.classes[event].__struct_fields__), event


def _fields(sentence: Any) -> set[str]:
    if isinstance(sentence, str):
        return set(re.findall(r"{(\w+)", sentence))
    fields = {str(sentence["by"])}
    for key, part in sentence.items():
        fields |= _fields(part) if key != "by" else set()
    return fields


def test_every_reason_that_a_line_can_fail_for_has_a_sentence_with_its_figures(small: Begun) -> None:
    seen = False
    for turn in small.turns("reasons", 12):
        seen |= any(event.kind == "LineSettled" for event in turn.events)
        small.spec.reports(small.table, turn, html=False)
    assert seen
