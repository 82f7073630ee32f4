"""Damage, annexation and gifts of provinces (L1, L6, L7, L12, L14)."""

from __future__ import annotations

import pytest

from gm.games.medieval.events.final import AnnexationEnded, DamageIncreased, ProvinceAnnexed, ProvinceGiven
from gm.games.medieval.state import INDEPENDENTS
from gm.games.medieval.steps.economy import province_revenue_gained
from gm.games.medieval.steps.provinces import (
    province_annexation_declines,
    province_damage_increases,
    province_damage_repaired,
    provinces_annexed,
    provinces_gifted,
)
from tests.medieval.marks import marked, taken
from tests.medieval.testland import commander, make_world, run_steps, unit

HQ = "headquarters:\n"


# -- L1, L14 -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("L1")
@pytest.mark.parametrize("mark", ["pillaged", "battle", "conquered"])
def test_pillage_battle_and_conquest_each_damage_a_province(mark):
    played = run_steps(make_world(), [marked("Kent", **{mark: True}), province_damage_increases], phase=0)
    assert played.world.provinces["Kent"].damage == 1
    assert played.world.provinces["London"].damage == 0
    assert [(event.province, event.damage) for event in played.only(DamageIncreased)] == [("Kent", 1)]


@pytest.mark.clause("L1", "W4")
def test_damage_rises_once_a_turn_and_to_three_at_most():
    world = make_world(provinces={"Kent": {"damage": 2}, "London": {"damage": 3}})
    all_of_it = {"pillaged": True, "battle": True, "conquered": True}
    played = run_steps(world, [marked("Kent", "London", **all_of_it), province_damage_increases], phase=0)
    assert [played.world.provinces[name].damage for name in ("Kent", "London")] == [3, 3]


@pytest.mark.clause("L14")
def test_damage_heals_by_one_only_in_peace():
    world = make_world(provinces={name: {"damage": 2} for name in ("London", "Kent", "Paris", "Flanders")})
    steps = [marked("London", battle=True), marked("Paris", pillaged=True), province_damage_repaired]
    played = run_steps(world, steps, phase=0)
    assert [played.world.provinces[name].damage for name in ("London", "Kent", "Paris", "Flanders")] == [2, 1, 2, 1]


@pytest.mark.clause("L14", "W13")
def test_enemy_troops_stop_the_healing_ships_and_neutrals_do_not():
    soldiers = unit("FRA/A1", "London", {"Archers": 1})
    ships = unit("FRA/F1", "London", {"War Dhow": 1})
    lone = unit("FRA/A1", "London", commanders=[commander()])
    damaged = {"London": {"damage": 2}}
    for guest, war, left in (
        (soldiers, True, 2),
        (lone, True, 2),
        (soldiers, False, 1),
        (ships, True, 1),
        (unit("FRA/A1", "London"), True, 1),
    ):
        world = make_world(guest, war=[("ENG", "FRA")] if war else [], provinces=damaged)
        played = run_steps(world, [province_damage_repaired], phase=0)
        assert played.world.provinces["London"].damage == left


@pytest.mark.clause("L14", "W7")
def test_intruders_stop_the_healing_of_independent_land_unless_permitted():
    guest = unit("FRA/A1", "Flanders", {"Archers": 1})
    for permissions, left in (([], 2), (["FRA"], 1)):
        world = make_world(guest, provinces={"Flanders": {"damage": 2, "permissions": permissions}})
        played = run_steps(world, [province_damage_repaired], phase=0)
        assert played.world.provinces["Flanders"].damage == left


# -- L6 ----------------------------------------------------------------------------------------------------------------


def annex(world, names: str, *before):
    return run_steps(world, [*before, provinces_annexed], {"ENG": f"{HQ}  annex: [{names}]\n"}, phase=0)


def unannexed(**realm):
    return make_world(provinces={"Kent": {"annexed_to": None}}, realms={"ENG": realm})


@pytest.mark.clause("L6", "L11")
def test_annexing_costs_the_base_revenue_needs_no_troops_and_pays_from_next_turn():
    played = run_steps(
        unannexed(), [provinces_annexed, province_revenue_gained], {"ENG": f"{HQ}  annex: [Kent]\n"}, phase=0
    )
    assert played.world.provinces["Kent"].annexed_to == "ENG"
    assert played.world.realms["ENG"].treasury == 100 - 10 + 20  # London's revenue only
    assert len(played.only(ProvinceAnnexed)) == 1


@pytest.mark.clause("L6")
def test_the_province_must_be_owned_now_and_when_the_turn_began():
    assert annex(unannexed(), "Kent", marked("Kent", owner_at_start="FRA")).fate("ENG", "Kent")[1] == "annex-too-soon"
    assert annex(unannexed(), "Kent", taken("Kent", "FRA")).fate("ENG", "Kent")[1] == "annex-not-owner"
    assert annex(make_world(), "Kent").fate("ENG", "Kent") == ("failed", "annexed-already")
    # lost and won back within the turn is fine
    assert annex(unannexed(), "Kent", marked("Kent", changed_owner=True)).fate("ENG", "Kent") == ("done", "")


@pytest.mark.clause("L6")
def test_annexing_ends_another_realms_annexation():
    world = make_world(provinces={"Kent": {"annexed_to": "FRA", "turns_away": 2}})
    played = annex(world, "Kent")
    land = played.world.provinces["Kent"]
    assert (land.annexed_to, land.turns_away) == ("ENG", 0)
    assert played.only(ProvinceAnnexed)[0].formerly == "FRA"


@pytest.mark.clause("L6", "L3.1")
def test_what_is_too_dear_fails_and_a_cheaper_province_is_still_annexed():
    world = make_world(
        provinces={"Kent": {"annexed_to": None}, "London": {"annexed_to": None}}, realms={"ENG": {"treasury": 15}}
    )
    played = annex(world, "London, Kent")
    assert played.fate("ENG", "London") == ("failed", "gold-too-little")
    assert played.fate("ENG", "Kent") == ("done", "")


@pytest.mark.clause("L6", "V2")
def test_a_commoner_has_seven_annexed_provinces_at_most_and_royalty_more():
    mine = ("London", "Kent", "Reims", "Slavinia", "Schleswig", "Pomerania", "Minsk", "Zodzina")
    owners = dict.fromkeys(mine, "ENG")
    for status, fate in (("commoner", ("failed", "annexation-limit")), ("royalty", ("done", ""))):
        world = make_world(
            owners=owners, provinces={"Zodzina": {"annexed_to": None}}, realms={"ENG": {"status": status}}
        )
        assert annex(world, "Zodzina").fate("ENG", "Zodzina") == fate


# -- L7 ----------------------------------------------------------------------------------------------------------------


def decline(world, *before):
    return run_steps(world, [*before, province_annexation_declines], phase=0)


@pytest.mark.clause("L7")
def test_a_lost_province_is_annexed_to_nobody_in_the_third_turn_after_the_loss():
    world = make_world(owners={"Kent": "FRA"}, provinces={"Kent": {"annexed_to": "ENG"}})
    played = decline(world, marked("Kent", owner_at_start="ENG"))
    assert played.world.provinces["Kent"].turns_away == 0  # the turn of loss
    for turn in (1, 2):
        played = decline(played.world)
        assert (played.world.provinces["Kent"].annexed_to, played.world.provinces["Kent"].turns_away) == ("ENG", turn)
    played = decline(played.world)
    assert played.world.provinces["Kent"].annexed_to is None
    assert [(event.realm, event.cause) for event in played.only(AnnexationEnded)] == [("ENG", "declined")]


@pytest.mark.clause("L7")
def test_the_turn_of_loss_is_turn_0_also_where_an_older_count_is_left():
    # given back to its realm after the count of the turn before (L12), and lost again in this one
    world = make_world(owners={"Kent": "FRA"}, provinces={"Kent": {"annexed_to": "ENG", "turns_away": 2}})
    played = decline(world, marked("Kent", owner_at_start="ENG"))
    assert (played.world.provinces["Kent"].annexed_to, played.world.provinces["Kent"].turns_away) == ("ENG", 0)


@pytest.mark.clause("L7")
def test_recaptured_in_the_third_turn_the_annexation_is_whole_again():
    world = make_world(owners={"Kent": "FRA"}, provinces={"Kent": {"annexed_to": "ENG", "turns_away": 2}})
    played = decline(world, taken("Kent", "ENG"))
    land = played.world.provinces["Kent"]
    assert (land.annexed_to, land.turns_away) == ("ENG", 0)


# -- L12 ---------------------------------------------------------------------------------------------------------------


def gift(world, **orders: str):
    sheets = {realm: HQ + "".join(f"  {line}\n" for line in text.split(";")) for realm, text in orders.items()}
    return run_steps(world, [provinces_gifted], sheets, phase=0)


@pytest.mark.clause("L12", "L8.2", "L7")
def test_a_gift_changes_hands_and_the_old_garrison_moves_out():
    world = make_world(
        unit("ENG/G1", "London", {"Longbowmen": 3, "Trading Cog": 2}, commanders=[commander()]),
        provinces={"London": {"damage": 1, "permissions": ["DEN"]}},
    )
    played = gift(world, ENG="give_province: {London: FRA}")
    land = played.world.provinces["London"]
    assert (land.owner, land.annexed_to, land.fortification, land.harbour) == ("FRA", "ENG", 2, True)
    army, fleet = played.unit("ENG/A1"), played.unit("ENG/F1")
    assert (army.place, army.count("Longbowmen"), len(army.commanders)) == ("London", 3, 1)
    assert (fleet.place, fleet.count("Trading Cog")) == ("London", 2)
    garrison = played.world.garrison("London")
    assert garrison is not None
    assert (garrison.realm, garrison.empty) == ("FRA", True)
    assert "ENG/G1" not in played.world.units
    assert len(played.only(ProvinceGiven)) == 1


@pytest.mark.clause("X21", "L12")
def test_an_invader_who_accepts_gifts_may_be_bought_off_with_land():
    world = make_world(unit("FRA/A1", "Reims", {"Archers": 1}), war=[("ENG", "FRA")])
    assert gift(world, ENG="give_province: {Kent: FRA}").world.provinces["Kent"].owner == "FRA"
    refusing = make_world(war=[("ENG", "FRA")], realms={"FRA": {"refuses": ["ENG"]}})
    played = gift(refusing, ENG="give_province: {Kent: FRA}")
    assert played.world.provinces["Kent"].owner == "ENG"
    assert played.fate("ENG", "give_province") == ("failed", "gifts-refused")


@pytest.mark.clause("L12")
def test_there_are_no_gift_chains():
    played = gift(make_world(), ENG="give_province: {Kent: FRA}", FRA="give_province: {Kent: DEN, Reims: DEN}")
    assert played.world.provinces["Kent"].owner == "FRA"
    assert played.fate("FRA", "Kent") == ("failed", "give-not-owner")
    assert played.world.provinces["Reims"].owner == "DEN"


@pytest.mark.clause("L12")
def test_a_province_goes_once():
    played = gift(make_world(), ENG="give_province: {Kent: FRA};cede_province: [Kent]")
    assert played.world.provinces["Kent"].owner == "FRA"
    assert played.fate("ENG", "cede_province") == ("failed", "province-gone")


@pytest.mark.clause("L12", "W7")
def test_a_ceded_province_is_independent_and_raises_no_troops():
    world = make_world(unit("ENG/G1", "London", {"Longbowmen": 3}))
    played = gift(world, ENG="cede_province: [London, Kent]")
    assert {played.world.provinces[name].owner for name in ("London", "Kent")} == {INDEPENDENTS}
    garrison = played.world.garrison("London")
    assert garrison is not None
    assert (garrison.realm, garrison.empty) == (INDEPENDENTS, True)
    assert played.unit("ENG/A1").count("Longbowmen") == 3
