"""CQ-1 to CQ-4, CQ-25: who plays when, what is chosen, what there is, how it begins."""

from __future__ import annotations

import pytest

from gm.game.base.position import NOBODY
from gm.game.values import GameData, NewGameRequest
from gm.games.conqueror.land import Board
from gm.games.conqueror.rules import Leader, Settings
from gm.games.conqueror.spec import SPEC
from gm.games.conqueror.state import NEUTRAL
from tests.conqueror.powers import board, rules
from tests.conqueror.turns import (
    of_kind,
    opened,
    page,
    played,
    position,
    read,
    table,
    turn_of,
)


@pytest.mark.clause("CQ-1.1", "CQ-1.3", "CQ-3.1")
def test_turns_are_seasons_from_the_spring_of_859_on() -> None:
    world = opened()
    assert SPEC.label(world) == "the start"  # type: ignore[attr-defined]
    labels = []
    for _ in range(5):
        world = played(world, {"arden": "", "lorn": ""}).state
        labels.append(SPEC.label(world))  # type: ignore[attr-defined]
    assert labels == [
        "turn 1, spring 859",
        "turn 2, summer 859",
        "turn 3, autumn 859",
        "turn 4, winter 859",
        "turn 5, spring 860",
    ]


@pytest.mark.clause("CQ-1.8", "CQ-2.3")
def test_nobody_waits_for_seats_of_the_computer() -> None:
    spec, where = SPEC, SPEC.maps()["europe859"]
    state = spec.start(table("europe859"), where, ["WESS", "DANE"])
    assert [seat.code for seat in spec.seats(table("europe859"), state) if seat.played] == ["DANE", "WESS"]
    assert len(state.parties) == 8


@pytest.mark.clause("CQ-2.1", "CQ-22.7")
def test_a_description_stands_on_every_page() -> None:
    world = opened(description="Just trying <out>")
    text = page(turn_of(world, {}), "ARDEN")
    assert "Just trying &lt;out&gt;" in text


@pytest.mark.clause("CQ-2.6", "CQ-2.7", "CQ-17.5", "CQ-17.6")
def test_at_the_last_turn_the_best_score_wins_and_equal_ones_share() -> None:
    start = position(given={"turns": 2, "neutrals_build": False})
    first = played(start, {"arden": "", "lorn": ""}).state
    assert first.winners is None
    shared = played(first, {"arden": "", "lorn": ""})
    assert shared.state.winners == ("ARDEN", "LORN")
    assert (shared.state.ended_by, of_kind(shared, "GameOver")[0].how) == ("turns", "turns")
    richer = played(first.with_party("LORN", gold=40), {"arden": "", "lorn": ""}).state
    assert richer.winners == ("LORN",)


@pytest.mark.clause("CQ-2.7")
def test_a_day_ends_the_game_once_the_command_has_said_it_is_there() -> None:
    world = opened(until="2026-05-01")
    before, _ = SPEC.amend(table(), world, ["date", "2026-04-30"], "the calendar")
    assert played(before, {"arden": "", "lorn": ""}).state.winners is None
    then, told = SPEC.amend(table(), world, ["date", "2026-05-01"], "the calendar")
    assert "it is 2026-05-01" in str(told[0])
    ended = played(then, {"arden": "", "lorn": ""}).state
    assert (ended.winners, ended.ended_by) == (("ARDEN", "LORN"), "date")
    with pytest.raises(ValueError, match="is no date"):
        SPEC.amend(table(), world, ["date", "tomorrow"], "the calendar")


@pytest.mark.clause("CQ-2.8", "CQ-3.2", "CQ-19.1")
def test_a_seat_is_a_country_and_its_colour_and_answers_to_both() -> None:
    world = opened("europe859", leaders={"white": {"name": "Judith", "sex": "she", "flag": "dragon"}})
    player = world.parties["WESS"]
    assert (player.name, player.tint, player.capital, player.gold) == ("Wessex", "white", "WESS", 20)
    for word in ("wessex", "WESS", "white", "Judith"):
        assert read(world, word, "", name="europe859").realm == "WESS"


@pytest.mark.clause("CQ-2.9", "CQ-21.3")
def test_homes_that_were_asked_for_are_played_and_the_others_are_drawn() -> None:
    chosen = {
        tuple(opened("europe859", max_players=4, homes=("Denmark", "white"), seed=str(n)).parties) for n in range(20)
    }
    assert all({"WESS", "DANE"} <= set(each) and len(each) == 4 for each in chosen)
    assert len(chosen) > 5
    same = [tuple(opened("europe859", max_players=4, seed="one").parties) for _ in range(2)]
    assert same[0] == same[1]


@pytest.mark.clause("CQ-2.10", "CQ-17.1")
def test_a_leaders_sex_picks_the_title_and_nothing_else() -> None:
    leader = {"ARDEN": Leader(name="Ada", sex="she", flag="rose")}
    one, two = opened(leaders=leader), opened()
    assert "Baroness Ada, rose" in page(turn_of(one, {}), "LORN")
    after = [played(each, {}).state.provinces for each in (one, two)]
    assert after[0] == after[1]
    with pytest.raises(ValueError, match="he or she"):
        Leader(sex="it")
    with pytest.raises(ValueError, match="at most 40 characters"):
        Leader(name="x" * 41)


@pytest.mark.clause("CQ-2.11", "CQ-2.12", "CQ-3.2")
def test_a_person_takes_a_seat_of_the_computer_over_between_turns() -> None:
    world = SPEC.start(table(), SPEC.maps()["duchies"], ["ARDEN"])
    assert not world.parties["LORN"].human
    after, _ = SPEC.with_standings(world, {"LORN": (None, "player")})
    assert after.parties["LORN"].human
    assert "LORN" in played(world, {}).state.provinces
    assert [event.audience for event in of_kind(played(after, {}), "OrdersMissing")] == ["ARDEN", "LORN"]


@pytest.mark.clause("CQ-3.5")
def test_the_handbook_says_what_a_point_of_population_is() -> None:
    assert "ten thousand people" in SPEC.handbook(table())


@pytest.mark.clause("CQ-4.4", "CQ-4.5")
def test_influence_at_the_start() -> None:
    world = opened()
    found = {code: dict(each.influence) for code, each in world.provinces.items()}
    assert found["ARDEN"] == {"ARDEN": 100}
    assert found["BRAY"] == {NEUTRAL: 60, "ARDEN": 40}
    assert found["DEAN"] == {NEUTRAL: 60, "LORN": 40}
    # three capitals beside one province have a third of it each
    squeezed = Board(
        name="x",
        title="x",
        homes={"A": "red", "B": "blue", "C": "green"},
        provinces={code: board().provinces["BRAY"] for code in "ABCM"},
        borders=("A-M B-M C-M",),
    )
    two = SPEC.opening(GameData(rules(), squeezed), Settings(max_players=2, homes=("A", "C")), "").provinces["M"]
    assert dict(two.influence) == {NEUTRAL: 20, "A": 40, "C": 40}
    all_three = SPEC.opening(GameData(rules(), squeezed), Settings(max_players=3), "").provinces["M"]
    assert dict(all_three.influence) == {NEUTRAL: 1, "A": 33, "B": 33, "C": 33}


@pytest.mark.clause("CQ-4.6")
def test_a_home_without_a_seat_belongs_to_its_local_leaders() -> None:
    world = opened("europe859", max_players=2, homes=("WESS", "DANE"))
    home = world.provinces["NEUS"]
    assert (home.owner, dict(home.influence), home.armies, home.status) == (NEUTRAL, {NEUTRAL: 100}, 5, "neutral")
    # also where a capital is next to it
    beside = board().evolve(homes={"ARDEN": "red", "LORN": "blue", "BRAY": "green"})
    world = SPEC.opening(GameData(rules(), beside), Settings(max_players=2, homes=("ARDEN", "LORN")), "")
    assert dict(world.provinces["BRAY"].influence) == {NEUTRAL: 100}


@pytest.mark.clause("CQ-2.7", "CQ-2.10")
def test_settings_come_from_the_command_line() -> None:
    options = {"leaders": "{Arden: {name: Ada, sex: she}}", "until": "2026-05-01", "influence_cap": "10", "turns": "12"}
    founded = SPEC.founded(NewGameRequest(map=SPEC.maps()["duchies"], options=options, seed="x"))
    state = SPEC.start(founded.table, SPEC.maps()["duchies"], None)
    assert state.parties["ARDEN"].leader == Leader(name="Ada", sex="she")
    assert (state.settings.turns, str(state.settings.until), state.settings.influence_cap) == (12, "2026-05-01", 10)
    assert state.settings.applied(rules()).knobs.influence_cap == 10
    assert SPEC.state(SPEC.record(state)) == state


@pytest.mark.clause("CQ-17.6")
def test_without_a_person_the_game_is_over() -> None:
    world = opened().with_parties({code: {"controller": NOBODY} for code in ("ARDEN", "LORN")})
    assert played(world).state.ended_by == "machines"


@pytest.mark.clause("CQ-2.7")
def test_a_game_with_until_ends_at_the_first_turn_due_on_that_day_or_after() -> None:
    """14.D28: nobody has to say what day it is."""
    world = opened(until="2026-05-01")
    assert SPEC.dated
    assert played(SPEC.on_day(world, "2026-04-30"), {"arden": "", "lorn": ""}).state.winners is None
    ended = played(SPEC.on_day(world, "2026-05-02"), {"arden": "", "lorn": ""}).state
    assert ended.ended_by == "date"


@pytest.mark.clause("CQ-2.8", "CQ-2.9")
def test_homes_that_are_asked_for_are_in_the_game_whatever_the_draw() -> None:
    """14.D27: ``--play WESS --set max_players=5`` never fails."""
    chosen = SPEC.maps()["europe859"]
    for seed in map(str, range(12)):
        wishes = NewGameRequest(map=chosen, options={"max_players": "3"}, seed=seed, parties=("WESS",))
        founded = SPEC.founded(wishes)
        codes = [seat.code for seat in SPEC.seats(founded.table, SPEC.start(founded.table, chosen, None))]
        assert "WESS" in codes
        assert len(codes) == 3
    with pytest.raises(ValueError, match="there are 2 seats"):
        SPEC.founded(NewGameRequest(map=chosen, options={"max_players": "2"}, parties=("WESS", "DANE", "LOMB")))
