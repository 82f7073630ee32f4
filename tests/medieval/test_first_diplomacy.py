"""War, gifts, passage and permission: the first things of a turn (F0-F4)."""

from __future__ import annotations

import pytest

from gm.core.events import GM
from gm.games.medieval.events.first import (
    GiftsAccepted,
    GiftsRefused,
    PalaceCoup,
    PassageGranted,
    PassageRevoked,
    RealmStandsStill,
    RightsEnded,
    WarDeclared,
)
from gm.games.medieval.orders.model import DeclareWar, Orders, Written
from gm.games.medieval.state import Controller, Relation
from gm.games.medieval.steps.diplomacy import (
    acceptance_changed,
    passage_rights_changed,
    special_permission_changed,
    war_declared,
)
from gm.games.medieval.steps.realms import palace_coup
from tests.medieval.testland import make_world, run_steps, unit

HQ = "headquarters:\n"
COUP = """headquarters:
  give_province: {London: FRA}
  cede_province: [Kent]
  declare_war: [FRA]
units:
  A1:
    disband: {Men-at-Arms: 3}
    plan:
      - transfer: {to: FRA/A1, troops: {Archers: 2}}
"""


FRENCH = unit("FRA/A1", "Reims", {"Men-at-Arms": 1})


def army_and_host():
    return (
        unit("ENG/A1", "Reims", {"Men-at-Arms": 3, "Archers": 2}),
        FRENCH,
    )


@pytest.mark.clause("F0", "V3")
def test_a_file_that_gives_up_all_land_and_all_troops_is_void():
    played = run_steps(make_world(*army_and_host()), [palace_coup, war_declared], {"ENG": COUP}, phase=0)
    assert played.world.progress.void == {"ENG"}
    assert played.world.realms["ENG"].controller is Controller.NOBODY
    assert [event.audience for event in played.only(PalaceCoup)] == [GM]
    assert {(fate, reason) for _, fate, reason in played.fates("ENG")} == {("failed", "palace-coup")}
    assert len(played.fates("ENG")) == 5
    assert not played.world.at_war("ENG", "FRA")


@pytest.mark.clause("F0")
@pytest.mark.parametrize(
    ("kept", "instead"),
    [
        ("  cede_province: [Kent]\n", ""),
        ("{Men-at-Arms: 3}", "{Men-at-Arms: 2}"),
        ("{Archers: 2}", "{Archers: 1}"),
        ("to: FRA/A1", "to: A2"),
    ],
)
def test_who_keeps_a_province_or_a_troop_makes_no_palace_coup(kept, instead):
    world = make_world(*army_and_host(), unit("ENG/A2", "Reims"))
    played = run_steps(world, [palace_coup], {"ENG": COUP.replace(kept, instead)}, phase=0)
    assert not played.world.progress.void
    assert not played.fates("ENG")


@pytest.mark.clause("F0")
@pytest.mark.parametrize(
    ("there", "orders", "coup"),
    [
        ("Reims", "A1: {disband: {Archers: 6}}", False),
        ("Reims", "A1: {disband: {Archers: 1}}, A2: {disband: {Archers: 5}}", True),
        ("Reims", "A1: {disband: {Archers: 6}}, A2: {plan: [transfer: {to: A1, troops: {Archers: 5}}]}", True),
        ("Paris", "A1: {disband: {Archers: 6}}, A2: {plan: [transfer: {to: A1, troops: {Archers: 5}}]}", False),
        ("Paris", "A1: {disband: {Archers: 1}}, A2: {plan: [transfer: {to: FRA/A9, troops: {Archers: 6}}]}", True),
        (
            "Paris",
            "A1: {plan: [transfer: {to: A2, troops: {Archers: 1}}]}, "
            "A2: {plan: [march: Reims, transfer: {to: FRA/A1, troops: {Archers: 6}}]}",
            True,
        ),
        ("Reims", "A1: {form: {A3: }, disband: {Archers: 6}}, A2: {disband: {Archers: 4}}", False),
    ],
)
def test_what_each_unit_has_counts_for_a_palace_coup(there: str, orders: str, coup: bool) -> None:
    """14.C23: to order six archers dismissed where one stands keeps the five elsewhere."""
    world = make_world(unit("ENG/A1", "Reims", {"Archers": 1}), unit("ENG/A2", there, {"Archers": 5}), FRENCH)
    sheet = f"{HQ}  cede_province: [London, Kent]\nunits: {{{orders}}}\n"
    assert bool(run_steps(world, [palace_coup], {"ENG": sheet}, phase=0).world.progress.void) is coup


@pytest.mark.clause("F0")
def test_giving_away_all_provinces_alone_is_allowed():
    orders = HQ + "  give_province: {London: FRA, Kent: FRA}\n"
    for units in ((), army_and_host()):
        assert not run_steps(make_world(*units), [palace_coup], {"ENG": orders}, phase=0).world.progress.void


@pytest.mark.clause("F0")
def test_one_soldier_who_stays_is_enough_against_a_palace_coup():
    world = make_world(*army_and_host(), unit("ENG/A2", "Reims", {"Militia": 1}))
    assert not run_steps(world, [palace_coup], {"ENG": COUP}, phase=0).world.progress.void


@pytest.mark.clause("F0")
def test_who_has_no_land_may_dismiss_his_last_troops():
    world = make_world(unit("ENG/A1", "Reims", {"Archers": 2}), owners={"London": "FRA", "Kent": "FRA"})
    orders = {"ENG": "units:\n  A1:\n    disband: {Archers: 2}\n"}
    assert not run_steps(world, [palace_coup], orders, phase=0).world.progress.void


@pytest.mark.clause("W1", "O1", "V3")
def test_a_realm_without_orders_stands_still_and_the_log_says_so():
    world = make_world(realms={"FRA": {"controller": Controller.NOBODY}})
    played = run_steps(world, [palace_coup], {"ENG": ""}, phase=0)
    still = {event.realm: event.controller for event in played.only(RealmStandsStill)}
    assert "ENG" not in still
    assert still["FRA"] == "nobody"
    assert still["DEN"] == "player"


@pytest.mark.clause("W1", "L19")
def test_orders_of_a_defeated_realm_all_fail():
    world = make_world(realms={"ENG": {"defeated": True}})
    played = run_steps(world, [palace_coup, war_declared], {"ENG": HQ + "  declare_war: [FRA]\n"}, phase=0)
    assert [(fate, reason) for _, fate, reason in played.fates("ENG")] == [("failed", "realm-is-out")]


@pytest.mark.clause("F1", "W1")
def test_one_word_turns_neutral_into_war_for_both():
    played = run_steps(make_world(), [war_declared], {"ENG": HQ + "  declare_war: [FRA]\n"}, phase=0)
    assert played.world.relation("FRA", "ENG") is Relation.WAR
    assert played.world.relation("ENG", "FRA") is Relation.WAR
    assert played.fate("ENG", "declare_war") == ("done", "")
    assert [(event.realm, event.other) for event in played.only(WarDeclared)] == [("ENG", "FRA")]


@pytest.mark.clause("F1")
def test_war_on_an_ally_or_an_enemy_fails():
    world = make_world(war=[("ENG", "DEN")], allied=[("ENG", "FRA")])
    played = run_steps(world, [war_declared], {"ENG": HQ + "  declare_war: [FRA, DEN]\n"}, phase=0)
    assert [reason for *_, reason in played.fates("ENG")] == ["war-on-ally", "war-already"]
    assert played.world.wars == world.wars


@pytest.mark.clause("F1")
def test_both_may_declare_war_on_each_other_in_one_turn():
    orders = {"ENG": HQ + "  declare_war: [FRA]\n", "FRA": HQ + "  declare_war: [ENG]\n"}
    played = run_steps(make_world(), [war_declared], orders, phase=0)
    assert [fate for realm in orders for _, fate, _ in played.fates(realm)] == ["done", "done"]
    assert len(played.only(WarDeclared)) == 2
    assert len(played.world.wars) == 1


@pytest.mark.clause("F1", "P1")
def test_war_ends_passage_and_special_permission_both_ways_and_only_between_the_two():
    world = make_world(
        realms={"ENG": {"passage": ["FRA", "DEN"]}, "FRA": {"passage": ["ENG"]}},
        provinces={"London": {"permissions": ["FRA", "DEN"]}, "Paris": {"permissions": ["ENG"]}},
    )
    played = run_steps(world, [war_declared], {"FRA": HQ + "  declare_war: [ENG]\n"}, phase=0)
    assert played.world.realms["ENG"].passage == {"DEN"}
    assert played.world.realms["FRA"].passage == frozenset()
    assert played.world.provinces["London"].permissions == {"DEN"}
    assert played.world.provinces["Paris"].permissions == frozenset()
    ended = {(event.realm, event.other): event.provinces for event in played.only(RightsEnded)}
    assert ended == {("ENG", "FRA"): ("London",), ("FRA", "ENG"): ("Paris",)}


@pytest.mark.clause("F1", "F3", "F4")
def test_nothing_is_granted_to_an_enemy_not_even_a_new_one():
    orders = {
        "ENG": HQ + "  declare_war: [FRA]\n",
        "FRA": HQ + "  grant_passage: [ENG]\n  grant_permission: {Paris: [ENG]}\n",
    }
    steps = [war_declared, passage_rights_changed, special_permission_changed]
    played = run_steps(make_world(), steps, orders, phase=0)
    assert [reason for *_, reason in played.fates("FRA")] == ["grant-to-enemy", "grant-to-enemy"]
    assert not played.world.has_permission("ENG", "Paris")


@pytest.mark.clause("F1", "L19")
def test_nobody_deals_with_himself_with_strangers_or_with_the_dead():
    here = Written(1, 1, "declare_war")
    sheet = Orders(
        "ENG",
        1,
        headquarters=tuple(DeclareWar(here, other) for other in ("ENG", "XXX", "DEN")),
    )
    world = make_world(realms={"DEN": {"defeated": True}})
    played = run_steps(world, [war_declared], {"ENG": sheet}, phase=0)
    assert [reason for *_, reason in played.fates("ENG")] == ["other-is-self", "other-unknown", "other-is-out"]


@pytest.mark.clause("F2", "W1")
def test_gifts_are_accepted_until_they_are_refused_and_again_after():
    world = make_world()
    assert world.accepts_gifts("ENG", "FRA")
    played = run_steps(world, [acceptance_changed], {"ENG": HQ + "  refuse_gifts: [FRA]\n"}, phase=0)
    assert not played.world.accepts_gifts("ENG", "FRA")
    assert played.world.accepts_gifts("ENG", "DEN")
    assert len(played.only(GiftsRefused)) == 1
    again = run_steps(played.world, [acceptance_changed], {"ENG": HQ + "  accept_gifts: [FRA]\n"}, phase=0)
    assert again.world.accepts_gifts("ENG", "FRA")
    assert len(again.only(GiftsAccepted)) == 1


@pytest.mark.clause("F3", "P1")
def test_passage_counts_at_once_for_all_lands_of_the_realm():
    played = run_steps(make_world(), [passage_rights_changed], {"ENG": HQ + "  grant_passage: [FRA]\n"}, phase=0)
    assert played.world.has_permission("FRA", "London")
    assert played.world.has_permission("FRA", "Kent")
    assert not played.world.has_permission("ENG", "Paris")
    assert len(played.only(PassageGranted)) == 1


@pytest.mark.clause("F3")
def test_revokes_come_before_grants():
    world = make_world(realms={"ENG": {"passage": ["FRA", "DEN"]}})
    orders = HQ + "  grant_passage: [FRA]\n  revoke_passage: [FRA, DEN, NOR]\n"
    played = run_steps(world, [passage_rights_changed], {"ENG": orders}, phase=0)
    assert played.world.realms["ENG"].passage == {"FRA"}
    assert [event.other for event in played.only(PassageRevoked)] == ["FRA", "DEN"]
    assert played.fate("ENG", "revoke_passage: NOR") == ("failed", "passage-not-granted")


@pytest.mark.clause("F4", "P1")
def test_special_permission_is_for_one_own_province():
    orders = HQ + "  grant_permission: {London: [FRA], Paris: [FRA]}\n"
    played = run_steps(make_world(), [special_permission_changed], {"ENG": orders}, phase=0)
    assert played.world.has_permission("FRA", "London")
    assert not played.world.has_permission("FRA", "Kent")
    assert played.fate("ENG", "Paris") == ("failed", "permission-not-owner")
    revoke = HQ + "  revoke_permission: {London: [FRA, DEN]}\n"
    after = run_steps(played.world, [special_permission_changed], {"ENG": revoke}, phase=0)
    assert not after.world.has_permission("FRA", "London")
    assert [reason for *_, reason in after.fates("ENG")] == ["", "permission-not-granted"]
