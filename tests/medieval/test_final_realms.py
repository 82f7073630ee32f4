"""Peace, alliances, limits, defeat, victory, missing players and the season (L15-L20, V1-V3, W9)."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from gm.core.events import GM
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.events.final import (
    AllianceCancelled,
    AllianceFormed,
    AnnexationEnded,
    CommanderLeft,
    GameScored,
    PeaceMade,
    PlayerMissing,
    RealmDefeated,
    SeasonEnded,
    VictoryNear,
    VictoryWon,
)
from gm.games.medieval.events.ledger import CommandersChanged
from gm.games.medieval.state import INDEPENDENTS, Relation
from gm.games.medieval.steps.bookkeeping import turn_closes
from gm.games.medieval.steps.diplomacy import alliances_cancelled, alliances_formed, peace_established, war_declared
from gm.games.medieval.steps.realms import (
    defeated_realms_removed,
    largest_alliances,
    palace_coup,
    realm_limits_checked,
    victory_checked,
)
from gm.games.medieval.steps.turn import TreasuryChanged
from tests.medieval.marks import taken
from tests.medieval.testland import REALMS, commander, make_turn, make_world, rules, run_steps, unit

END = [peace_established, alliances_cancelled, alliances_formed]


def say(word: str, *others: str) -> str:
    return f"headquarters:\n  {word}: [{', '.join(others)}]\n"


# -- L15-L17 -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("L15")
def test_peace_needs_both_offers_and_makes_them_neutral():
    world = make_world(war=[("ENG", "FRA")])
    offers = {"ENG": say("offer_peace", "FRA"), "FRA": say("offer_peace", "ENG")}
    played = run_steps(world, END, offers, phase=0)
    assert played.world.relation("ENG", "FRA") is Relation.NEUTRAL
    assert len(played.only(PeaceMade)) == 1
    assert played.fate("FRA", "offer_peace") == ("done", "")
    alone = run_steps(world, END, {"ENG": offers["ENG"]}, phase=0)
    assert alone.world.at_war("ENG", "FRA")
    assert alone.fate("ENG", "offer_peace") == ("failed", "offer-not-returned")


@pytest.mark.clause("L15", "F1")
def test_a_war_declared_this_turn_cannot_end_in_it():
    offers = {
        "ENG": "headquarters:\n  declare_war: [FRA]\n  offer_peace: [FRA]\n",
        "FRA": say("offer_peace", "ENG"),
    }
    played = run_steps(make_world(), [war_declared, *END], offers, phase=0)
    assert played.world.at_war("ENG", "FRA")
    assert played.fate("ENG", "offer_peace") == ("failed", "peace-without-war")


@pytest.mark.clause("L16")
def test_one_word_ends_an_alliance():
    world = make_world(allied=[("ENG", "FRA")])
    played = run_steps(world, END, {"ENG": say("cancel_alliance", "FRA", "DEN")}, phase=0)
    assert played.world.relation("ENG", "FRA") is Relation.NEUTRAL
    assert [(event.realm, event.other) for event in played.only(AllianceCancelled)] == [("ENG", "FRA")]
    assert played.fate("ENG", "DEN") == ("failed", "alliance-not-there")


@pytest.mark.clause("L17")
def test_neutral_realms_that_both_offer_it_are_allies():
    offers = {"ENG": say("offer_alliance", "FRA", "DEN"), "FRA": say("offer_alliance", "ENG")}
    played = run_steps(make_world(), END, offers, phase=0)
    assert played.world.allied("ENG", "FRA")
    assert len(played.only(AllianceFormed)) == 1
    assert played.fate("ENG", "DEN") == ("failed", "offer-not-returned")


@pytest.mark.clause("L17", "L15", "L16")
def test_from_war_to_alliance_takes_two_turns():
    both = "headquarters:\n  offer_peace: [{0}]\n  offer_alliance: [{0}]\n"
    offers = {"ENG": both.format("FRA"), "FRA": both.format("ENG")}
    first = run_steps(make_world(war=[("ENG", "FRA")]), END, offers, phase=0)
    assert first.world.relation("ENG", "FRA") is Relation.NEUTRAL
    assert first.fate("ENG", "offer_alliance") == ("failed", "alliance-with-enemy")
    assert run_steps(first.world, END, offers, phase=0).world.allied("ENG", "FRA")


@pytest.mark.clause("L17", "F1")
def test_no_alliance_with_whom_war_was_declared_this_turn_or_with_an_ally():
    offers = {
        "ENG": "headquarters:\n  declare_war: [FRA]\n  offer_alliance: [FRA]\n",
        "FRA": say("offer_alliance", "ENG"),
    }
    played = run_steps(make_world(), [war_declared, *END], offers, phase=0)
    assert played.world.at_war("ENG", "FRA")
    allied = run_steps(make_world(allied=[("ENG", "FRA")]), END, {"FRA": offers["FRA"]}, phase=0)
    assert allied.fate("FRA", "offer_alliance") == ("failed", "alliance-already")


# -- L18, V2 -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("L18", "V2")
def test_a_commoners_surplus_provinces_of_least_revenue_are_released():
    mine = ("London", "Kent", "Flanders", "Reims", "Slavinia", "Schleswig", "Pomerania", "Minsk", "Zodzina")
    world = make_world(owners=dict.fromkeys(mine, "ENG"))
    played = run_steps(world, [realm_limits_checked], phase=0)
    released = [event.province for event in played.only(AnnexationEnded)]
    assert released == ["Slavinia", "Zodzina"]  # six gold each, the others more
    assert played.world.provinces["Slavinia"].annexed_to is None
    assert played.world.provinces["Slavinia"].owner == "ENG"
    royal = make_world(owners=dict.fromkeys(mine, "ENG"), realms={"ENG": {"status": "royalty"}})
    assert not run_steps(royal, [realm_limits_checked], phase=0).events


@pytest.mark.clause("L18", "V2")
def test_surplus_commanders_leave_the_least_skilled_first():
    skills = [commander(f"C{skill}", infantry=skill) for skill in (30, 10, 50, 20, 60, 40)]
    army = unit("ENG/A1", "Kent", commanders=skills, leader="C10")
    royal = run_steps(make_world(army, realms={"ENG": {"status": "royalty"}}), [realm_limits_checked], phase=0)
    assert [event.commander for event in royal.only(CommanderLeft)] == ["C10"]
    assert royal.unit("ENG/A1").leader is None
    commoner = run_steps(make_world(army), [realm_limits_checked], phase=0)
    assert not commoner.unit("ENG/A1").commanders
    assert sum(event.count for event in commoner.only(CommandersChanged)) == -6


# -- L19 ---------------------------------------------------------------------------------------------------------------


def without_land(*units, **more):
    return make_world(*units, owners={"London": "FRA", "Kent": "FRA"}, **more)


@pytest.mark.clause("L19", "W1")
def test_a_realm_without_province_and_troop_is_out_and_what_is_left_turns_independent():
    world = without_land(
        unit("ENG/A1", "Reims", commanders=[commander()]),
        unit("ENG/A2", "Reims"),
        unit("IND/A1", "Flanders", commanders=[commander()]),
        war=[("ENG", "DEN")],
        allied=[("ENG", "FRA")],
        realms={"FRA": {"passage": ["ENG"], "refuses": ["ENG"]}},
        provinces={"Kent": {"annexed_to": "ENG"}, "Reims": {"permissions": ["ENG"]}},
    )
    played = run_steps(world, [defeated_realms_removed], phase=0)
    realm = played.world.realms["ENG"]
    assert (realm.defeated, realm.treasury) == (True, 0)
    assert [event.realm for event in played.only(RealmDefeated)] == ["ENG"]
    assert not played.world.of_realm("ENG")
    _, left = [each for each in played.world.of_realm(INDEPENDENTS) if each.is_army]
    assert (left.place, [who.name for who in left.commanders]) == ("Reims", ["Sir John 2"])
    assert sum(event.count for event in played.only(CommandersChanged)) == 0
    assert [event.amount for event in played.only(TreasuryChanged)] == [Decimal(-100)]
    assert not played.world.wars
    assert not played.world.alliances
    assert played.world.provinces["Kent"].annexed_to is None
    assert not played.world.provinces["Reims"].permissions
    assert not played.world.realms["FRA"].passage
    assert not played.world.realms["FRA"].refuses


@pytest.mark.clause("L19")
def test_one_troop_or_one_province_keeps_a_realm_in_the_game():
    for world in (without_land(unit("ENG/F1", "Channel", {"Trading Cog": 1})), make_world(owners={"London": "FRA"})):
        assert not run_steps(world, [defeated_realms_removed], phase=0).only(RealmDefeated)


@pytest.mark.clause("L19")
def test_commanders_of_a_defeated_realm_at_sea_are_lost():
    world = without_land(unit("ENG/F1", "Channel", commanders=[commander()]))
    played = run_steps(world, [defeated_realms_removed], phase=0)
    assert [(event.count, event.cause) for event in played.only(CommandersChanged)] == [(-1, "lost")]


# -- L20, V1 -----------------------------------------------------------------------------------------------------------

# seven cities: London, Paris, Bordeaux, Zeeland, Scania, Riga, Minsk; four are more than half
FOUR = {"Paris": "ENG", "Bordeaux": "ENG", "Zeeland": "ENG"}


def end_of_turns(world, count: int, *before):
    for _ in range(count):
        played = run_steps(world, [*before, victory_checked], phase=0)
        world = played.world.evolve(turn=played.world.turn + 1)
    return played


@pytest.mark.clause("V1", "L20")
def test_half_of_all_cities_at_the_end_of_two_turns_running_wins():
    world = make_world(owners=FOUR)
    first = end_of_turns(world, 1)
    assert not first.world.winners
    assert [(event.realms, event.cities, event.total) for event in first.only(VictoryNear)] == [(("ENG",), 4, 7)]
    second = end_of_turns(world, 2)
    assert second.world.winners == ("ENG",)
    assert [event.realms for event in second.only(VictoryWon)] == [("ENG",)]


@pytest.mark.clause("V1")
def test_less_than_half_is_not_enough_and_a_lost_turn_starts_anew():
    three = make_world(owners={"Paris": "ENG", "Bordeaux": "ENG"})
    assert not end_of_turns(three, 3).events[0].kind.startswith("Victory")
    assert not end_of_turns(three, 3).world.winners
    near = end_of_turns(make_world(owners=FOUR), 1).world.evolve(turn=1)
    lost = run_steps(near, [taken("Paris", "FRA"), victory_checked], phase=0)
    assert not lost.world.victory_turns
    won_back = run_steps(lost.world.evolve(turn=2), [taken("Paris", "ENG"), victory_checked], phase=0)
    assert won_back.world.victory_turns == {"ENG": 1}
    assert not won_back.world.winners


@pytest.mark.clause("V1")
def test_allies_win_together_only_when_all_are_allied_with_each_other():
    owners = {"Paris": "FRA", "Bordeaux": "AQU", "London": "ENG", "Scania": "ENG"}
    chain = make_world(owners=owners, allied=[("ENG", "FRA"), ("FRA", "AQU")])
    assert not end_of_turns(chain, 2).world.winners
    ring = make_world(owners=owners, allied=[("ENG", "FRA"), ("FRA", "AQU"), ("AQU", "ENG")])
    assert end_of_turns(ring, 2).world.winners == ("AQU", "ENG", "FRA")


@pytest.mark.clause("V1")
def test_an_ally_who_joins_or_leaves_late_does_not_stop_those_who_had_enough_already():
    world = make_world(owners=FOUR, allied=[("ENG", "LIT")])
    first = end_of_turns(world, 1).world.evolve(turn=1)
    assert first.victory_turns == {"ENG+LIT": 1}
    alone = first.evolve(alliances=frozenset())
    assert end_of_turns(alone, 1).world.winners == ("ENG",)
    joined = end_of_turns(make_world(owners=FOUR), 1).world.evolve(turn=1, alliances=world.alliances)
    assert "ENG" in end_of_turns(joined, 1).world.winners


@pytest.mark.clause("V1")
def test_a_fixed_last_turn_ends_the_game_with_scores():
    world = make_world(owners={"Paris": "ENG"})
    turn = make_turn(world)
    ending = rules().evolve(victory=rules().victory.evolve(last_turn=1, score_city=3, score_province=1))
    outcome = victory_checked(replace(turn, rules=ending))
    (scored,) = [event for event in outcome.events if isinstance(event, GameScored)]
    assert scored.scores[0] == ("ENG", 9)  # London, Kent and Paris, two of them with cities
    assert outcome.state.winners == ("ENG",)
    later = victory_checked(replace(turn, rules=ending.evolve(victory=ending.victory.evolve(last_turn=2))))
    assert not later.state.winners


@pytest.mark.clause("V1")
def test_all_largest_alliances_are_found():
    realms = frozenset("ABCDE")
    found = largest_alliances(realms, frozenset({("A", "B"), ("A", "C"), ("B", "C"), ("C", "D")}))
    assert [sorted(each) for each in found] == [["A", "B", "C"], ["C", "D"], ["E"]]


# -- V3, W9 ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V3", "L20")
def test_no_file_on_the_first_turn_is_flagged_to_the_game_master():
    everybody = dict.fromkeys(REALMS, "")
    del everybody["ENG"]
    played = run_steps(make_world(), [victory_checked], everybody, phase=0)
    assert [(event.realm, event.audience) for event in played.only(PlayerMissing)] == [("ENG", GM)]
    assert played.world.realms["ENG"].missed_turns == 1
    assert played.world.realms["FRA"].missed_turns == 0


@pytest.mark.clause("V3")
def test_later_two_turns_running_without_a_file_are_flagged():
    world = make_world(turn=4)
    first = run_steps(world, [victory_checked], phase=0)
    assert not first.only(PlayerMissing)
    second = run_steps(first.world.evolve(turn=5), [victory_checked], {"ENG": ""}, phase=0)
    assert {event.realm for event in second.only(PlayerMissing)} == set(REALMS) - {"ENG"}
    assert second.world.realms["ENG"].missed_turns == 0


@pytest.mark.clause("V3", "F0")
def test_realms_without_a_player_are_not_missed():
    world = make_world(realms={"ENG": {"controller": "nobody"}})
    played = run_steps(world, [palace_coup, victory_checked], phase=0)
    assert "ENG" not in {event.realm for event in played.only(PlayerMissing)}


@pytest.mark.clause("W9", "L20")
def test_a_turn_is_a_season_four_a_year_from_1320():
    assert [season_of(turn, rules()) for turn in (1, 2, 4, 5)] == [
        ("spring", 1320),
        ("summer", 1320),
        ("winter", 1320),
        ("spring", 1321),
    ]
    (ended,) = run_steps(make_world(turn=3), [victory_checked], phase=0).only(SeasonEnded)
    assert (ended.season, ended.year, ended.next_season, ended.next_year) == ("winter", 1320, "spring", 1321)


@pytest.mark.clause("L19", "M7")
@pytest.mark.parametrize(("place", "ashore"), [("Riga", True), ("Baltic", False)])
def test_guests_aboard_a_defeated_realms_last_fleet_go_ashore_or_are_lost(place, ashore):
    world = make_world(
        unit("NOR/F1", place, commanders=[commander("Haakon")]),
        unit("AQU/A1", place, commanders=[commander("Amanieu")], aboard="NOR/F1"),
        owners={"Scania": "DEN"},
    )
    played = run_steps(world, [defeated_realms_removed, turn_closes], phase=0)
    assert played.world.realms["NOR"].defeated
    assert "NOR/F1" not in played.world.units
    guests = [each for each in played.world.of_realm("AQU") if each.commanders]
    assert [(each.place, each.aboard) for each in guests] == ([("Riga", None)] if ashore else [])
    lost = [event.commander for event in played.only(CommandersChanged) if event.realm == "AQU" and event.count < 0]
    assert lost == ([] if ashore else ["Amanieu"])


@pytest.mark.clause("L19")
def test_two_realms_go_out_together_while_one_is_the_others_guest_at_sea():
    world = make_world(
        unit("DEN/F1", "Hanobukten", {}, commanders=[commander("Olaf")]),
        unit("NOR/A1", "Hanobukten", {}, commanders=[commander("Knut")], aboard="DEN/F1"),
        owners={"Zeeland": INDEPENDENTS, "Slavinia": INDEPENDENTS, "Schleswig": INDEPENDENTS, "Scania": INDEPENDENTS},
    )
    played = run_steps(world, [defeated_realms_removed], phase=0)
    assert {event.realm for event in played.only(RealmDefeated)} == {"DEN", "NOR"}
    assert not {"DEN/F1", "NOR/A1"} & played.world.units.keys()
    lost = {event.commander: event.cause for event in played.only(CommandersChanged)}
    assert lost == {"Olaf": "lost", "Knut": "lost"}
