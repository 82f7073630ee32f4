"""CN-1, CN-5 to CN-9, CN-11, CN-12: whole runs."""

from __future__ import annotations

import pytest

from gm.game.values import NewGameRequest
from gm.games.conquestination.spec import SPEC
from tests.conquestination.campaigns import GAME, fates, of_kind, played, position, read, settings, table, units
from tests.conquestination.lands import shipped

SPLIT = "P1 red 5, P2 blue 1, P3 blue 1, Q1 red 2, Q2 blue 3"


def winning_seed(state_words: str, files: dict[str, str], wanted: dict[str, str], **given: object) -> str:
    """A seed with which the attacks come out as wanted: how each target's last battle ended."""
    for number in range(400):
        outcome = played(position(state_words, **given), files, seed=str(number))  # type: ignore[arg-type]
        found = {event.target: event.how for event in of_kind(outcome, "Fought")}
        if all(found.get(target) == how for target, how in wanted.items()):
            return str(number)
    raise AssertionError(f"no seed brings {wanted}")


# -- the frame -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CN-1.3", "CN-1.6", "CN-5.7", "CN-8.4", "CN-8.5", "CN-12.2", "CN-11.1")
def test_a_run_plays_a_turn_of_everybody_in_the_order_of_seats() -> None:
    outcome = played(position("P1 blue 1, P2 red 1, P3 blue 1, Q1 red 1, Q2 blue 1"), {})
    assert [event.owner for event in of_kind(outcome, "TurnBegan")] == ["BLUE", "RED"]
    assert [(event.phase, event.step) for event in of_kind(outcome, "TurnBegan")] == [
        (1, "reinforcement"),
        (2, "reinforcement"),
    ]


@pytest.mark.clause("CN-1.4", "CN-8.4", "CN-11.1")
def test_in_mode_single_a_run_plays_the_current_player_alone_and_passes_on() -> None:
    state = position(SPLIT, mode="single")
    assert state.current == "RED"
    assert SPEC.waiting(table(), state) == {"BLUE"}  # type: ignore[attr-defined]
    first = played(state, {})
    assert [event.owner for event in of_kind(first, "TurnBegan")] == ["RED"]
    assert first.state.current == "BLUE"
    assert played(first.state, {}).state.current == "RED"


@pytest.mark.clause("CN-11.2", "CN-1.4")
def test_in_mode_single_others_files_are_refused_and_told_whose_turn_it_is() -> None:
    reading = read(position(SPLIT, mode="single"), "blue", "attacks: []\n")
    assert reading.sheet is None
    assert [each.message for each in reading.diagnostics] == ["it is the turn of Red"]


@pytest.mark.clause("CN-1.2", "CN-12.1", "CN-5.5", "CN-5.1", "CN-3.5", "CN-3.1", "CN-3.3")
def test_a_new_game_is_dealt_and_deploys_in_run_0() -> None:
    four = table("four-shores")
    state = SPEC.opening(four, settings("four-shores", players=3), "seed")  # type: ignore[attr-defined]
    assert sorted(len(state.held(code)) for code in state.parties) == [4, 4, 5]
    assert [party.to_deploy for party in state.parties.values()] == [5, 6, 6]
    assert {each.units for each in state.countries.values()} == {1}
    first = {code: state.held(code)[0] for code in state.parties}
    files = {code.lower(): f"deploy: [{{country: {first[code]}, units: rest}}]\n" for code in state.parties}
    after = played(state, files, name="four-shores").state
    assert [after.units_of(code) for code in after.parties] == [10, 10, 10]
    assert all(after.countries[first[code]].units == 1 + state.parties[code].to_deploy for code in first)
    assert (after.turn, after.run) == (1, 1)


@pytest.mark.clause("CN-5.2", "CN-2.5", "CN-12.3", "CN-5.4")
def test_the_deal_is_drawn_and_seats_may_be_shuffled() -> None:
    four = table("four-shores")
    deals = {
        seed: SPEC.opening(four, settings("four-shores", players=4, seat_order=order), seed)  # type: ignore[attr-defined]
        for seed, order in (("1", "joined"), ("2", "joined"), ("3", "shuffled"), ("4", "shuffled"))
    }
    assert deals["1"].countries != deals["2"].countries
    assert list(deals["1"].parties) == list(deals["2"].parties) == ["RED", "BLUE", "GREEN", "YELLOW"]
    seats = {tuple(deals[seed].parties) for seed in ("3", "4")}
    assert len(seats | {("RED", "BLUE", "GREEN", "YELLOW")}) > 1


@pytest.mark.clause("CN-2.1", "CN-2.2")
@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("four-shores", {"players": 5}, "Four Shores is for 2 to 4 players, not for 5"),
        ("random", {"players": 9}, "A random map is for 2 to 8 players, not for 9"),
        ("small-random", {"players": 4, "countries": 3}, "for 2 to 3 players, not for 4"),
        ("test-5", {"countries": 9}, "'countries' is for a random map"),
    ],
)
def test_what_does_not_go_together_is_refused_at_creation(name: str, given: dict[str, int], message: str) -> None:
    wishes = NewGameRequest(
        map=SPEC.maps()[name], options={option: str(value) for option, value in given.items()}, seed="s"
    )
    with pytest.raises(ValueError, match=message):
        SPEC.founded(wishes)


@pytest.mark.clause("CN-5.6", "CN-6.8", "CN-5.3")
def test_units_a_deploy_list_does_not_place_go_by_the_default_rule() -> None:
    state = position("P1 red 1, P2 red 1, P3 blue 1, Q1 red 1, Q2 blue 1", turn=0).with_parties(
        {"RED": {"to_deploy": 3}, "BLUE": {"to_deploy": 2}}
    )
    outcome = played(
        state, {"red": "deploy: [{country: P1, units: 1}]\n", "blue": "deploy: [{country: P3, units: 9}]\n"}
    )
    red, blue = of_kind(outcome, "Deployed")
    # in the second round Q1 faces P3 and Q2, in the third P2 is pressed as much and comes first
    assert (dict(red.placed), red.by_default) == ({"P1": 1, "Q1": 1, "P2": 1}, 2)
    assert (dict(blue.placed), blue.by_default) == ({"P3": 2}, 0)
    assert fates(outcome, "blue") == [("reduced", "fewer-units")]


@pytest.mark.clause("CN-8.6", "CN-11.6")
def test_who_is_out_neither_plays_nor_orders() -> None:
    state = position("P1 red 5, P2 red 1, P3 green 1, Q1 red 2, Q2 green 3", name="test-5")
    state = state.evolve(
        parties=type(state.parties)({**state.parties, "BLUE": state.parties["RED"].evolve(code="BLUE", name="Blue")})
    ).with_party("BLUE", out=True, status="eliminated")
    assert [event.owner for event in of_kind(played(state, {}), "TurnBegan")] == ["RED", "GREEN"]
    reading = read(state, "blue", "attacks: []\n")
    assert [each.message for each in reading.diagnostics] == ["Blue is out of the game: eliminated"]


# -- reinforcement ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("CN-6.1", "CN-6.2", "CN-6.6", "CN-6.7", "CN-9.9")
def test_the_list_is_read_top_to_bottom_and_rest_takes_what_is_left() -> None:
    state = position("P1 red 1, P2 red 1, P3 red 1, Q1 blue 1, Q2 blue 1", min_reinforcement=5)
    orders = """reinforce:
  - {country: Q1, units: 1}
  - {country: P1, units: 1, if: {hold: [Q2]}}
  - {country: P1, units: 2, if: {hold: [P2]}}
  - {country: P3, units: rest}
"""
    outcome = played(state, {"red": orders})
    assert fates(outcome, "red") == [("skipped", "not-own"), ("skipped", "not-held"), ("done", ""), ("done", "")]
    assert units(outcome.state).startswith("P1 red 3, P2 red 1, P3 red 4")


@pytest.mark.clause("CN-6.7")
def test_entries_beyond_the_number_are_cut() -> None:
    state = position("P1 red 1, P2 red 1, P3 red 1, Q1 blue 1, Q2 blue 1")  # a third of three, and continent P
    orders = "reinforce: [{country: P1, units: 1}, {country: P2, units: 4}, {country: P3, units: 1}]\n"
    outcome = played(state, {"red": orders})
    assert fates(outcome, "red") == [("done", ""), ("reduced", "fewer-units"), ("failed", "none-left")]
    began = of_kind(outcome, "TurnBegan")[0]
    assert (began.units, began.for_countries, dict(began.for_continents)) == (2, 1, {"P": 1})


@pytest.mark.clause("CN-11.1", "CN-6.8", "CN-6.6")
def test_without_a_file_units_are_placed_by_default_and_nobody_attacks() -> None:
    outcome = played(position("P1 red 1, P2 red 1, P3 red 1, Q1 blue 9, Q2 blue 1"), {})
    reinforced = of_kind(outcome, "Reinforced")[0]
    assert (dict(reinforced.placed), reinforced.by_default) == ({"P3": 2}, 2)
    assert of_kind(outcome, "Fought") == []
    assert [event.party for event in of_kind(outcome, "OrdersMissing")] == ["BLUE", "RED"]


# -- attacks ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CN-7.1", "CN-7.2", "CN-7.9", "CN-9.3", "CN-14.5")
def test_who_wins_moves_in_with_all_that_survived() -> None:
    where = "P1 red 1, P2 blue 1, P3 blue 2, Q1 red 7, Q2 red 1"
    orders = {"red": "attacks: [{from: Q1, to: P3}]\n"}
    seed = winning_seed(where, orders, {"P3": "won"}, min_reinforcement=0)
    outcome = played(position(where), orders, seed=seed)
    fight = of_kind(outcome, "Fought")[0]
    taken = of_kind(outcome, "Conquered")[0]
    assert (fight.engaged, fight.killed) == (6, 2)
    assert (taken.owner, taken.formerly, taken.units) == ("RED", "BLUE", fight.engaged - fight.lost)
    assert outcome.state.countries["Q1"].units == 1


@pytest.mark.clause("CN-7.7", "CN-7.8", "CN-7.10", "CN-14.6", "CN-9.4")
def test_who_does_not_win_is_back_in_his_country() -> None:
    where = "P1 red 7, P2 blue 6, P3 blue 1, Q1 blue 1, Q2 blue 1"
    orders = {"red": "attacks: [{from: P1, to: P2, with: 4, until: {keep: 2}}]\n"}
    seed = winning_seed(where, orders, {"P2": "broken"})
    outcome = played(position(where), orders, seed=seed)
    fight = of_kind(outcome, "Fought")[0]
    assert fight.engaged == 4
    assert fight.lost in (2, 3)
    assert outcome.state.countries["P1"].units == 7 - fight.lost
    assert outcome.state.countries["P1"].owner == "RED"


@pytest.mark.clause("CN-7.3", "CN-9.2")
@pytest.mark.parametrize(
    ("strength", "engaged", "fate"),
    [
        ("2", 2, ("done", "")),
        ("9", 4, ("reduced", "cut-to")),
        ("max", 4, ("done", "")),
        ("{leave: 2}", 3, ("done", "")),
        ("{leave: 5}", None, ("skipped", "too-few")),
        ("{leave: 9}", None, ("skipped", "too-few")),
    ],
)
def test_so_many_units_attack(strength: str, engaged: int | None, fate: tuple[str, str]) -> None:
    outcome = played(position(SPLIT), {"red": f"attacks: [{{from: P1, to: P2, with: {strength}}}]\n"})
    assert [event.engaged for event in of_kind(outcome, "Fought")] == ([] if engaged is None else [engaged])
    assert fates(outcome, "red") == [fate]


@pytest.mark.clause("CN-7.11", "CN-7.12", "CN-7.13", "CN-9.1", "CN-9.7")
def test_lines_run_from_top_to_bottom_on_the_map_as_it_is_by_then() -> None:
    where = "P1 red 9, P2 blue 1, P3 blue 1, Q1 blue 1, Q2 blue 3"
    orders = {
        "red": "attacks: [{from: P2, to: P3}, {from: P1, to: P2}, {from: P2, to: P3}, {from: P1, to: P2}]\n",
    }
    seed = winning_seed(where, orders, {"P2": "won", "P3": "won"})
    outcome = played(position(where), orders, seed=seed)
    assert fates(outcome, "red") == [("skipped", "not-own"), ("done", ""), ("done", ""), ("skipped", "own-target")]


@pytest.mark.clause("CN-9.6")
@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ("won: a", "if-won"),
        ("lost: b", "if-lost"),
        ("owner: red", "if-owner"),
        ("min_units: 6", "if-min-units"),
        ("max_defenders: 0", None),
        ("max_defenders: 2", "if-max-defenders"),
        ("hold: [P1, Q2]", "not-held"),
        ("hold: Q2", "not-held"),
        ("won: b, lost: a, owner: blue, min_units: 2, max_defenders: 3, hold: [P1, Q1]", ""),
    ],
)
def test_every_condition_must_be_true(condition: str, reason: str | None) -> None:
    """Line a is skipped, line b wins; the third attacks Q2 with 3 defenders from Q1 with 5."""
    where = "P1 red 9, P2 blue 1, P3 red 1, Q1 red 5, Q2 blue 3"
    text = (
        "attacks:\n- {id: a, from: P2, to: P3}\n- {id: b, from: P1, to: P2}\n"
        f"- {{from: Q1, to: Q2, until: {{rolls: 1}}, if: {{{condition}}}}}\n"
    )
    if reason is None:
        assert read(position(where), "red", text).errors == 1
        return
    seed = winning_seed(where, {"red": text}, {"P2": "won"})
    outcome = played(position(where), {"red": text}, seed=seed)
    assert fates(outcome, "red")[2] == (("skipped", reason) if reason else ("done", ""))


@pytest.mark.clause("CN-9.4", "CN-9.6")
def test_an_attack_that_would_start_broken_off_is_skipped_and_counts_as_lost() -> None:
    text = "attacks: [{id: a, from: P1, to: P2, with: 2, until: {keep: 2}}, {from: P1, to: P2, if: {lost: a}}]\n"
    outcome = played(position(SPLIT), {"red": text})
    assert fates(outcome, "red") == [("skipped", "starts-broken-off"), ("done", "")]


@pytest.mark.clause("CN-9.5")
def test_rolls_can_be_limited() -> None:
    where = "P1 red 20, P2 blue 20, P3 blue 1, Q1 blue 1, Q2 blue 3"
    outcome = played(position(where), {"red": "attacks: [{from: P1, to: P2, until: {rolls: 2, keep: 1}}]\n"})
    assert len(of_kind(outcome, "Fought")[0].rolls) == 2


@pytest.mark.clause("CN-12.4", "CN-12.3")
def test_the_log_has_every_die_of_both_sides() -> None:
    outcome = played(position(SPLIT), {"red": "attacks: [{from: P1, to: P2}]\n"})
    fight = of_kind(outcome, "Fought")[0]
    logged = {event.label.rpartition(" | ")[2]: event.outcomes for event in of_kind(outcome, "DiceRolled")}
    attack = [sorted(map(int, roll.partition(" : ")[0].split())) for roll in fight.rolls]
    at, found = 0, []
    for dice in attack:
        found.append(sorted(face + 1 for face in logged["D3 attack"][at : at + len(dice)]))
        at += len(dice)
    assert found == attack
    assert set(logged) == {"D3 attack", "D4 defence"}


# -- elimination and victory -----------------------------------------------------------------------------------------


@pytest.mark.clause("CN-8.6", "CN-8.4")
def test_who_loses_his_last_country_is_out_and_passed_over() -> None:
    where = "P1 red 9, P2 blue 1, P3 green 1, Q1 green 1, Q2 green 1"
    orders = {"red": "attacks: [{from: P1, to: P2}]\n", "blue": "reinforce: [{country: P2, units: rest}]\n"}
    seed = winning_seed(where, orders, {"P2": "won"})
    outcome = played(position(where), orders, seed=seed)
    assert fates(outcome, "blue") == [("skipped", "out-by-then")]
    assert of_kind(outcome, "Eliminated")[0].owner == "BLUE"
    assert (outcome.state.parties["BLUE"].out, outcome.state.parties["BLUE"].status) == (True, "eliminated")
    assert [event.owner for event in of_kind(outcome, "TurnBegan")] == ["RED", "GREEN"]
    assert SPEC.broken(table(), outcome.state) == []


@pytest.mark.clause("CN-8.7", "CN-8.8")
def test_the_last_to_hold_a_country_wins_at_once() -> None:
    where = "P1 red 20, P2 blue 1, P3 red 9, Q1 red 2, Q2 red 3"
    orders = {"red": "attacks: [{from: P1, to: P2}, {from: P3, to: Q1}]\nredeploy: [{from: P3, to: Q1}]\n"}
    seed = winning_seed(where, orders, {"P2": "won"})
    outcome = played(position(where), orders, seed=seed)
    assert outcome.state.winners == ("RED",)
    assert of_kind(outcome, "Won")[0].how == "last"
    assert of_kind(outcome, "GameOver")[0].winners == ("RED",)
    assert fates(outcome, "red") == [("done", ""), ("skipped", "game-won"), ("skipped", "game-won")]
    assert of_kind(outcome, "Redeployed") == []
    assert [event.owner for event in of_kind(outcome, "TurnBegan")] == ["RED"]
    assert read(outcome.state, "red", "attacks: []\n").diagnostics[0].message == "the game is over: Red won"


@pytest.mark.clause("CN-8.9", "CN-2.5")
@pytest.mark.parametrize(
    ("where", "winners"),
    [
        ("P1 red 1, P2 blue 5, P3 red 1, Q1 red 1, Q2 blue 9", ("RED",)),
        ("P1 red 3, P2 blue 3, P3 red 1, Q1 blue 2, Q2 green 1", ("BLUE",)),
        ("P1 red 3, P2 blue 2, P3 red 1, Q1 blue 2, Q2 green 1", ("RED", "BLUE")),
    ],
)
def test_at_the_limit_countries_count_then_units(where: str, winners: tuple[str, ...]) -> None:
    before_limit = played(position(where, turn=1, max_rounds=2), {})
    assert before_limit.state.winners is None
    outcome = played(position(where, turn=2, max_rounds=2), {})
    assert outcome.state.winners == winners
    assert of_kind(outcome, "Won")[0].how == "count"


# -- redeployment ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("CN-8.1", "CN-8.2", "CN-9.8", "CN-9.6")
def test_the_first_choice_that_can_be_done_is_done() -> None:
    where = "P1 red 4, P2 red 3, P3 blue 1, Q1 red 2, Q2 blue 3"
    orders = """attacks: [{id: a, from: Q2, to: Q1}]
redeploy:
  - {from: P1, to: P2, if: {won: a}}
  - {from: P2, to: P3}
  - {from: P2, to: P1, units: {leave: 3}}
  - {from: P2, to: P1, units: 8, if: {lost: a}}
  - {from: P1, to: P2}
"""
    outcome = played(position(where), {"red": orders})
    assert fates(outcome, "red")[1:] == [
        ("skipped", "if-won"),
        ("skipped", "not-own"),
        ("skipped", "too-few"),
        ("reduced", "cut-to"),
        ("skipped", "another-choice"),
    ]
    moved = of_kind(outcome, "Redeployed")
    assert [(event.source, event.target, event.units) for event in moved] == [("P2", "P1", 2)]
    assert outcome.state.countries["P2"].units == 1


@pytest.mark.clause("CN-8.3")
def test_links_serve_for_redeployment_unless_the_settings_say_otherwise() -> None:
    where = "P1 blue 4, P2 blue 3, P3 red 3, Q1 red 2, Q2 blue 3"
    orders = "redeploy: [{from: P3, to: Q1, units: 1}]\n"
    assert of_kind(played(position(where), {"red": orders}), "Redeployed")[0].units == 1
    strict = position(where, links_allow_redeploy=False)
    assert [each.message for each in read(strict, "red", orders).diagnostics] == ["Q1 is no neighbour of P3"]


@pytest.mark.clause("CN-7.2", "CN-3.2")
def test_a_link_is_a_way_but_no_border() -> None:
    land = shipped("test-5")
    assert land.neighbours["P3"] == ("P2", "Q1")
    assert land.by_land["P3"] == ("P2",)


@pytest.mark.clause("CN-9.6")
def test_a_line_that_was_refused_is_lost_for_those_that_ask() -> None:
    """14.D29: a contingency on a line that never ran counts as lost, not as won."""
    state = position("P1 red 5, P2 red 5, P3 blue 1, Q1 blue 1, Q2 blue 1")
    text = """\
attacks:
  - {id: gate, from: P1, to: Q2}
  - {from: P2, to: P3, with: max, if: {lost: gate}}
"""
    reading = read(state, "red", text)
    assert reading.errors == 1
    assert reading.sheet is not None
    outcome = SPEC.play(table(), state, {"RED": reading.sheet}, "seed")
    assert [fate for fate, _ in fates(outcome, "red")] == ["done"]


@pytest.mark.clause("CN-13.3")
def test_fallback_lines_are_skipped_and_the_check_does_not_warn_of_them() -> None:
    """14.D29: a line for another case is skipped, in the report and in the check; one that cannot be is warned of."""
    state = position("P1 red 5, P2 red 9, P3 blue 1, Q1 blue 1, Q2 blue 1")
    text = """\
redeploy:
  - {from: P2, to: P1, units: {leave: 1}}
  - {from: P1, to: P2, units: 1}
"""
    reading = read(state, "red", text)
    outcome = SPEC.play(table(), state, {"RED": reading.sheet}, "seed")
    assert fates(outcome, "red")[1] == ("skipped", "another-choice")
    head = f"game: {GAME}\nturn: {state.run}\nplayer: red\n"
    preview = SPEC.preview(table(), state, "RED", reading.sheet, (head + text).encode(), "red.yaml")
    assert [each.fate for each in preview.orders] == ["done", "skipped"]
    assert preview.findings == ()
    few = "attacks:\n  - {from: P1, to: Q1, with: 2, until: {keep: 2}}\n"
    tried = read(state, "red", few.replace("P1, to: Q1", "P2, to: P3"))
    preview = SPEC.preview(table(), state, "RED", tried.sheet, (head + few).encode(), "red.yaml")
    assert [each.fate for each in preview.orders] == ["skipped"]
    assert "would be skipped" in preview.findings[0].message
