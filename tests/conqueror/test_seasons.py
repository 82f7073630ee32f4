"""CQ-8 to CQ-17 in whole turns: production, gold, winter, rebellion, culture, rank."""

from __future__ import annotations

from typing import Any

import pytest

from gm.games.conqueror.figures import spreads
from gm.games.conqueror.state import NEUTRAL, World
from tests.conqueror.powers import land, rules
from tests.conqueror.turns import fates, first_turn, messages, of_kind, orders_in, played, position, quiet, read

# -- production --------------------------------------------------------------------------------------------------------


def after_work(item: str, *, stored: int = 0, **changes: object) -> tuple[World, World, list[object]]:
    """ARDEN works on an item for a turn: before, after, what is told of it."""
    world = quiet(ARDEN={"stored": {item: stored} if stored else {}, **changes})
    outcome = played(world, {"arden": f"production: {{ARDEN: {item}}}\n", "lorn": ""})
    return world, outcome.state, [each for each in of_kind(outcome, "Worked") if each.province == "ARDEN"]


@pytest.mark.clause("CQ-9.2", "CQ-14.1", "CQ-14.2", "CQ-8.4")
def test_taxes_make_gold_of_labour_and_cost_a_point() -> None:
    before, after, told = after_work("taxes")
    assert after.parties["ARDEN"].gold == before.parties["ARDEN"].gold + 12
    assert after.provinces["ARDEN"].control == 99
    assert told[0].labour == 12  # type: ignore[attr-defined]


@pytest.mark.clause("CQ-9.2", "CQ-9.9", "CQ-14.1")
def test_recruits_may_be_several_and_the_rest_is_stored() -> None:
    _, after, told = after_work("recruit", stored=4)
    assert after.provinces["ARDEN"].armies == 5 + 3
    assert dict(after.provinces["ARDEN"].stored) == {"recruit": 1}
    assert after.provinces["ARDEN"].control == 99
    assert told[0].made == 3  # type: ignore[attr-defined]


@pytest.mark.clause("CQ-9.2", "CQ-9.11", "CQ-14.3")
def test_diplomats_bring_control_where_they_are_made() -> None:
    _, after, _ = after_work("diplomat", control=60)
    # labour 6 * 1.6 = 9: one diplomat
    assert after.provinces["ARDEN"].control == 70
    assert after.provinces["ARDEN"].influence[NEUTRAL] == 30


@pytest.mark.clause("CQ-9.4", "CQ-9.5", "CQ-4.7")
def test_farms_feed_more_people_and_take_more_each_time() -> None:
    _, after, _ = after_work("farms", population=1, stored=3, resources=4)
    # labour 20 with 3 stored: 4, then 9; 10 are stored of the next 16
    assert after.provinces["ARDEN"].population == 3
    assert dict(after.provinces["ARDEN"].stored) == {"farms": 10}


@pytest.mark.clause("CQ-9.3", "CQ-9.10", "CQ-9.8", "CQ-14.1")
def test_works_are_finished_once_and_what_is_left_is_gold() -> None:
    before, after, _ = after_work("fort", stored=45, control=50)
    # labour 9: 54 of 50, and 4 gold
    arden = after.provinces["ARDEN"]
    assert (arden.fort, arden.item, dict(arden.stored)) == (1, "taxes", {})
    assert after.parties["ARDEN"].gold == before.parties["ARDEN"].gold + 4
    assert arden.control == 60


@pytest.mark.clause("CQ-9.6", "CQ-10.1", "CQ-10.2", "CQ-14.1")
@pytest.mark.parametrize(("item", "culture", "stored", "gain"), [("develop", 1, 59, 5), ("advance", 2, 130, 10)])
def test_culture_rises_by_a_level_and_brings_its_bonus_once(item: str, culture: int, stored: int, gain: int) -> None:
    _, after, _ = after_work(item, stored=stored, control=50, culture=culture)
    assert (after.provinces["ARDEN"].culture, after.provinces["ARDEN"].control) == (culture + 1, 50 + gain)


@pytest.mark.clause("CQ-9.1", "CQ-9.9")
def test_an_item_lasts_and_labour_survives_a_change_of_it() -> None:
    first = played(quiet(), {"arden": "production: {ARDEN: fort}\n"}).state
    second = played(first, {"arden": ""}).state
    assert dict(second.provinces["ARDEN"].stored) == {"fort": 24}
    third = played(second, {"arden": "production: {ARDEN: taxes}\n"}).state
    assert dict(third.provinces["ARDEN"].stored) == {"fort": 24}
    assert third.provinces["ARDEN"].item == "taxes"


@pytest.mark.clause("CQ-9.11")
def test_a_diplomat_may_go_next_door_where_the_settings_say_so() -> None:
    changes: dict[str, Any] = {
        "CLUN": {"owner": "ARDEN", "control": 50},
        "ARDEN": {"stored": {"diplomat": 4}, "control": 50},
    }
    text = "production: {ARDEN: {item: diplomat, target: clun}}\n"
    assert messages(read(quiet(**changes), "arden", text)) == [
        "error CQ-9.11: in this game a diplomat serves the province that sends him"
    ]
    world = position(given={"diplomat_range": 1, "neutrals_build": False}, **changes)
    outcome = played(world, {"arden": text, "lorn": ""})
    # 4 stored and 9 worked: two diplomats for CLUN, which pays its point of taxes
    assert outcome.state.provinces["CLUN"].control == 50 + 20 - 1
    bought = played(world, {"arden": "buy: [{province: ARDEN, item: diplomat, target: CLUN}]\n", "lorn": ""})
    assert bought.state.provinces["CLUN"].control == 50 + 10 - 1
    for wrong, said in (
        ("production: {ARDEN: {item: farms, target: CLUN}}\n", "only diplomats go elsewhere"),
        ("production: {ARDEN: {item: diplomat, target: BRAY}}\n", "BRAY is no province of yours"),
    ):
        assert said in messages(read(world, "arden", wrong))[0]
    at_home = read(world, "arden", "production: {ARDEN: {item: diplomat, target: ARDEN}}\n")
    assert (at_home.diagnostics, orders_in(at_home).production[0].target) == ((), "")


@pytest.mark.clause("CQ-9.12", "CQ-20.5")
def test_production_of_what_is_to_be_taken_counts_if_it_is_taken() -> None:
    orders = "moves: [{from: ARDEN, to: BRAY, armies: 4}]\nproduction: {BRAY: farms}\n"
    taken = played(quiet(BRAY={"fresh": 0}), {"arden": orders})
    assert taken.state.provinces["BRAY"].item == "farms"
    assert fates(taken, "ARDEN") == [("done", ""), ("done", "")]
    held = played(quiet(BRAY={"fresh": 60}), {"arden": orders})
    assert fates(held, "ARDEN") == [("done", ""), ("failed", "not-yours")]
    unable = played(quiet(BRAY={"fresh": 0}), {"arden": orders.replace("farms", "keep")})
    assert fates(unable, "ARDEN")[1] == ("failed", "lacks-works")
    assert messages(read(quiet(), "arden", "production: {BRAY: farms}\n")) == [
        "error CQ-9.12: BRAY is not yours, and no move of yours attacks it"
    ]


@pytest.mark.clause("CQ-18.6", "CQ-8.7")
def test_provinces_without_an_owner_raise_armies_then_farms_then_nothing() -> None:
    world = position(BRAY={"population": 2, "fresh": 1, "stored": {"recruit": 4}}, CLUN={"population": 2, "fresh": 2})
    outcome = played(world, {"arden": "", "lorn": ""})
    assert outcome.state.provinces["BRAY"].armies == 2
    assert outcome.state.provinces["CLUN"].stored["farms"] > 0
    full = position(BRAY={"population": 3, "fresh": 3}, given=None)
    after = played(full, {"arden": "", "lorn": ""}).state
    assert dict(after.provinces["BRAY"].stored) == {}
    still = played(quiet(BRAY={"population": 2, "fresh": 1, "stored": {"recruit": 4}}), {"arden": ""}).state
    assert still.provinces["BRAY"].armies == 1


@pytest.mark.clause("CQ-18.6")
def test_what_neutrals_would_make_too_much_stays_stored() -> None:
    world = position(BRAY={"population": 2, "fresh": 1, "resources": 30})
    after = played(world, {"arden": "", "lorn": ""}).state
    assert (after.provinces["BRAY"].armies, after.provinces["BRAY"].population) == (2, 2)
    assert after.provinces["BRAY"].stored["recruit"] == 25 - 5  # half of 32 * 1.6


# -- gold --------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CQ-11.1", "CQ-11.3", "CQ-11.4", "CQ-11.6")
def test_bought_recruits_defend_and_do_not_move() -> None:
    world = quiet(gold=60, ARDEN={"fresh": 1}, BRAY={"owner": "LORN", "control": 100, "fresh": 9})
    orders = {
        "arden": "moves: [{from: ARDEN, to: CLUN, armies: all}]\nbuy: [{province: ARDEN, item: recruit, count: 4}]\n",
        "lorn": "moves: [{from: BRAY, to: ARDEN, armies: 9}]\n",
    }
    outcome = first_turn(world, orders, lambda each: of_kind(each, "Fought")[0].owner == "LORN")
    assert of_kind(outcome, "Fought")[0].defenders == 1 + 4
    assert of_kind(outcome, "Bought")[0].price == 32
    late = first_turn(world, orders, lambda each: of_kind(each, "Fought")[0].owner == "ARDEN")
    assert of_kind(late, "Fought")[0].armies == 1


@pytest.mark.clause("CQ-11.6")
def test_bought_recruits_move_where_the_settings_allow_it() -> None:
    world = position(gold=60, given={"rush_armies_can_move": True, "neutrals_build": False}, ARDEN={"fresh": 1})
    text = "moves: [{from: ARDEN, to: CLUN, armies: all}]\nbuy: [{province: ARDEN, item: recruit, count: 4}]\n"
    outcome = played(world, {"arden": text, "lorn": ""})
    assert of_kind(outcome, "Fought")[0].armies == 5
    poor = played(world.with_party("ARDEN", gold=0), {"arden": text.replace("all", "5"), "lorn": ""})
    assert fates(poor, "ARDEN") == [("reduced", "fewer-armies"), ("failed", "too-dear")]


@pytest.mark.clause("CQ-11.4", "CQ-11.5", "CQ-14.2")
def test_what_is_stored_is_used_up_and_labour_runs_on() -> None:
    world = quiet(gold=100, ARDEN={"stored": {"recruit": 4, "fort": 40}})
    buy = "buy: [{province: ARDEN, item: recruit, count: 2}, {province: ARDEN, item: fort}]\n"
    text = f"production: {{ARDEN: recruit}}\n{buy}"
    outcome = played(world, {"arden": text, "lorn": ""})
    # ceil(1 * 1.5) + 8 for the recruits, 15 for the fort; then the province works 11 on two more, for recruiting took
    # a point after the fort had brought control to the full again
    assert [each.price for each in of_kind(outcome, "Bought")] == [10, 15]
    arden = outcome.state.provinces["ARDEN"]
    assert (arden.armies, arden.fort, dict(arden.stored)) == (5 + 2 + 2, 1, {"recruit": 1})
    assert arden.control == 99
    assert outcome.state.parties["ARDEN"].gold == 75


@pytest.mark.clause("CQ-14.2")
def test_recruiting_costs_a_point_once_whether_bought_or_made() -> None:
    calm = {"ARDEN": {"control": 50}}
    both = "production: {ARDEN: recruit}\nbuy: [{province: ARDEN, item: recruit}]\n"
    for text, control in (
        (both, 49),
        ("buy: [{province: ARDEN, item: recruit}]\n", 48),  # and taxes were its item
        ("production: {ARDEN: farms}\nbuy: [{province: ARDEN, item: recruit}]\n", 49),
        ("production: {ARDEN: farms}\n", 50),
    ):
        assert played(quiet(**calm), {"arden": text, "lorn": ""}).state.provinces["ARDEN"].control == control


@pytest.mark.clause("CQ-11.5", "CQ-11.7", "CQ-20.6")
def test_purchases_run_line_by_line_without_credit() -> None:
    text = """buy:
  - {province: ARDEN, item: recruit, count: 3}
  - {province: ARDEN, item: farms}
  - {province: ARDEN, item: diplomat}
  - {province: ARDEN, item: recruit}
"""
    outcome = played(quiet(gold=20), {"arden": text, "lorn": ""})
    assert [reason for _, reason in fates(outcome, "ARDEN")] == ["too-dear", "too-dear", "", ""]
    settled = [each for each in of_kind(outcome, "LineSettled") if each.reason]
    assert [(each.figures["price"], each.figures["treasury"]) for each in settled] == [(24, 20), (24, 20)]
    twice = "buy: [{province: ARDEN, item: farms}, {province: ARDEN, item: fort}]\n"
    assert fates(played(quiet(gold=500), {"arden": twice}), "ARDEN") == [("done", ""), ("failed", "one-a-turn")]


@pytest.mark.clause("CQ-11.6", "CQ-8.4")
def test_bought_diplomats_count_before_production() -> None:
    world = quiet(gold=20, ARDEN={"control": 10})
    outcome = played(world, {"arden": "buy: [{province: ARDEN, item: diplomat}]\n", "lorn": ""})
    told = next(each for each in of_kind(outcome, "Worked") if each.province == "ARDEN")
    assert told.labour == 7  # 6 * 1.2; with control 10 it would be 6


@pytest.mark.clause("CQ-9.8", "CQ-11.1")
def test_a_province_whose_item_was_bought_pays_taxes() -> None:
    world = quiet(gold=500, ARDEN={"item": "fort"})
    outcome = played(world, {"arden": "buy: [{province: ARDEN, item: fort}]\n", "lorn": ""})
    assert next(each for each in of_kind(outcome, "Worked") if each.province == "ARDEN").item == "taxes"
    assert outcome.state.provinces["ARDEN"].fort == 1
    assert [(each.work, each.level) for each in of_kind(outcome, "Improved")] == [("fort", 1)]


# -- winter ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CQ-12.1", "CQ-12.2", "CQ-12.5", "CQ-14.1")
def test_troops_are_paid_when_winter_closes_and_its_taxes_help() -> None:
    world = quiet(turn=3, gold=0, ARDEN={"fresh": 17})
    outcome = played(world, {"arden": "", "lorn": ""})
    paid = of_kind(outcome, "WinterPaid")[0]
    # 14 too many in the capital, and 12 gold of taxes: two desert
    assert (paid.due, paid.paid, paid.left) == (14, 12, 0)
    assert [(each.province, each.armies) for each in of_kind(outcome, "Deserted")] == [("ARDEN", 2)]
    assert outcome.state.provinces["ARDEN"].armies == 15
    assert outcome.state.provinces["ARDEN"].control == 100 - 1 - 10
    autumn = played(quiet(turn=2, gold=0, ARDEN={"fresh": 17}), {"arden": "", "lorn": ""})
    assert of_kind(autumn, "WinterPaid") == []


@pytest.mark.clause("CQ-12.6")
def test_armies_that_nobody_owns_need_no_pay() -> None:
    world = quiet(turn=3, BRAY={"fresh": 30})
    assert played(world, {"arden": "", "lorn": ""}).state.provinces["BRAY"].armies == 30


# -- rebellion ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CQ-15.1", "CQ-15.2", "CQ-15.3", "CQ-15.4")
def test_rebels_who_win_own_themselves_and_those_who_lose_are_gone() -> None:
    crowded = {"owner": "ARDEN", "control": 0, "population": 6, "fresh": 2, "stored": {"farms": 3}}
    world = quiet(ESK=crowded)
    won = first_turn(world, {"arden": "", "lorn": ""}, lambda each: any(e.won for e in of_kind(each, "Rebelled")))
    told = of_kind(won, "Rebelled")[0]
    assert (told.rebels, told.armies, told.percent) == (4, 2, 80)
    assert 1 <= told.draw <= 80
    esk = won.state.provinces["ESK"]
    assert (esk.owner, esk.armies, dict(esk.stored), esk.conquered_on) == (NEUTRAL, told.left, {}, None)
    assert dict(esk.influence) == {"ARDEN": 0, NEUTRAL: 100}
    lost = first_turn(world, {"arden": "", "lorn": ""}, lambda each: any(not e.won for e in of_kind(each, "Rebelled")))
    assert lost.state.provinces["ESK"].owner == "ARDEN"
    assert lost.state.provinces["ESK"].armies == 2 - of_kind(lost, "Rebelled")[0].field[1]


@pytest.mark.clause("CQ-15.2")
def test_a_province_rises_when_the_number_is_the_chance_itself() -> None:
    restive = {"owner": "ARDEN", "control": 0, "population": 5, "fresh": 0}
    world = quiet(BRAY=restive, CLUN=restive, DEAN=restive, ESK=restive)
    outcome = first_turn(
        world, {"arden": "", "lorn": ""}, lambda each: any(e.draw == e.percent for e in of_kind(each, "Rebelled"))
    )
    assert {each.percent for each in of_kind(outcome, "Rebelled")} == {rules().rebellion.cap_percent}


@pytest.mark.clause("CQ-15.2", "CQ-21.3")
def test_one_number_is_drawn_for_each_province_with_an_owner() -> None:
    world = quiet(BRAY={"owner": "ARDEN", "control": 100})
    outcome = played(world, {"arden": "", "lorn": ""})
    rolled = next(each for each in of_kind(outcome, "DiceRolled") if "D4" in each.label)
    assert rolled.asked == (("100", 3),)
    assert rolled.label.startswith("turn 1 | ")


@pytest.mark.clause("CQ-15.4", "CQ-7.11")
def test_a_capital_may_fall_to_rebels() -> None:
    world = quiet(ARDEN={"control": 0, "population": 6, "fresh": 0}, BRAY={"owner": "ARDEN", "control": 100})
    outcome = first_turn(world, {"arden": "", "lorn": ""}, lambda each: bool(of_kind(each, "Rebelled")))
    assert outcome.state.parties["ARDEN"].capital == "BRAY"


# -- culture -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CQ-16.2", "CQ-16.5", "CQ-16.6")
def test_great_cultures_act_on_every_lesser_neighbour_the_largest_gain_first() -> None:
    world = position(BRAY={"owner": "ARDEN", "control": 50}, DEAN={"culture": 3, "population": 3})
    found = spreads(world, land(), rules())
    # ARDEN 200 on BRAY 45 inside the realm, LORN on DEAN no: its local leaders' power is 3 * 60 = 180
    points = {(each.source, each.target): (each.party, each.points) for each in found}
    assert points["ARDEN", "BRAY"] == ("ARDEN", int(200 / 45 * 3))
    # a province that nobody owns acts at prestige 1 and distance 0 for its local leaders: 180 / 45 * 3 * 1 / 3
    assert points["DEAN", "BRAY"] == (NEUTRAL, 4)
    assert [each.points for each in found] == sorted((each.points for each in found), reverse=True)
    outcome = played(world, {"arden": "", "lorn": ""})
    assert all(each.audience in (each.party, "gm") for each in of_kind(outcome, "CultureSpread"))


@pytest.mark.clause("CQ-16.2")
def test_a_power_of_a_hundred_and_sixty_is_not_enough() -> None:
    for control, acts in ((80, False), (81, True)):
        world = position(ARDEN={"control": control})
        assert any(each.source == "ARDEN" for each in spreads(world, land(), rules())) == acts


@pytest.mark.clause("CQ-16.4")
def test_a_gentle_game_caps_what_culture_gains() -> None:
    world = position(given={"influence_cap": 2, "neutrals_build": False})
    outcome = played(world, {"arden": "", "lorn": ""})
    assert {each.points for each in of_kind(outcome, "CultureSpread")} == {2}


# -- rank and score ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("CQ-17.1", "CQ-17.2", "CQ-17.3", "CQ-17.4")
def test_rank_follows_provinces_and_scores_are_counted_at_the_end() -> None:
    own = {"owner": "ARDEN", "control": 100, "population": 3, "fresh": 3}
    world = quiet(BRAY=own, CLUN=own, DEAN=own)
    outcome = played(world, {"arden": "", "lorn": ""})
    told = of_kind(outcome, "RankChanged")[0]
    assert (told.party, told.title, told.prestige, told.rose) == ("ARDEN", "Count", 2, True)
    state = outcome.state
    gold = state.parties["ARDEN"].gold
    expected = 5 + 9 + 10 + 20 + 3 * (3 + 9 + 5) + 2 * (1 + 0 + 2) + gold // 2
    assert state.parties["ARDEN"].score == expected
    fallen = played(state.with_provinces(state.provinces["DEAN"].owned_by(NEUTRAL)), {"arden": "", "lorn": ""})
    assert not of_kind(fallen, "RankChanged")[0].rose
