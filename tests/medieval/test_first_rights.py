"""Rights and agreements: what is told, in which order, and that a refused order changes nothing (F1-F4, L15, W12)."""

from __future__ import annotations

import pytest

from gm.core.pipeline import Step
from gm.games.medieval.events.first import (
    GiftsRefused,
    PassageGranted,
    PassageRevoked,
    PermissionGranted,
    PermissionRevoked,
    RightsEnded,
)
from gm.games.medieval.orders.model import (
    DeclareWar,
    GrantPassage,
    GrantPermission,
    OfferPeace,
    Order,
    Orders,
    RefuseGifts,
    RevokePassage,
    RevokePermission,
    Written,
)
from gm.games.medieval.steps.diplomacy import (
    acceptance_changed,
    passage_rights_changed,
    peace_established,
    special_permission_changed,
    war_declared,
)
from tests.medieval.testland import REALMS, Played, make_world, run_steps

HERE = Written(1, 1, "order")
OTHERS = [code for code in sorted(REALMS) if code != "FRA"]


def ordered(step: Step, world=None, **orders: list[Order]) -> Played:
    sheets = {realm: Orders(realm, 1, headquarters=tuple(given)) for realm, given in orders.items()}
    return run_steps(world or make_world(), [step], sheets, phase=0)


def reasons(played: Played, realm: str = "ENG") -> list[str]:
    return [reason for *_, reason in played.fates(realm)]


@pytest.mark.clause("F1", "W12")
def test_rights_that_war_ends_are_told_realm_by_realm() -> None:
    world = make_world(realms={code: {"passage": frozenset(REALMS) - {code}} for code in REALMS})
    played = ordered(
        war_declared,
        world,
        TEU=[DeclareWar(HERE, "AQU")],
        ENG=[DeclareWar(HERE, each) for each in ("NOR", "DEN", "LIT")],
    )
    assert [(each.realm, each.other) for each in played.only(RightsEnded)] == [
        ("AQU", "TEU"),
        ("DEN", "ENG"),
        ("ENG", "DEN"),
        ("ENG", "LIT"),
        ("ENG", "NOR"),
        ("LIT", "ENG"),
        ("NOR", "ENG"),
        ("TEU", "AQU"),
    ]


@pytest.mark.clause("F1", "W12")
def test_special_permissions_that_war_ends_are_told_by_name() -> None:
    enemies = [code for code in OTHERS if code != "ENG"]
    world = make_world(provinces={"Kent": {"permissions": frozenset(enemies)}})
    played = ordered(war_declared, world, ENG=[DeclareWar(HERE, each) for each in reversed(enemies)])
    assert [(each.other, each.provinces) for each in played.only(RightsEnded)] == [
        (each, ("Kent",)) for each in enemies
    ]


@pytest.mark.clause("F2")
def test_refusing_ones_own_gifts_changes_nothing_and_stops_nothing() -> None:
    played = ordered(acceptance_changed, ENG=[RefuseGifts(HERE, "ENG"), RefuseGifts(HERE, "FRA")])
    assert [each.other for each in played.only(GiftsRefused)] == ["FRA"]
    assert played.world.realms["ENG"].refuses == {"FRA"}
    assert [fate for _, fate, _ in played.fates("ENG")] == ["failed", "done"]


@pytest.mark.clause("F3")
def test_passage_is_revoked_only_from_another_who_has_it_and_granted_only_to_one_who_has_not() -> None:
    world = make_world(realms={"ENG": {"passage": frozenset({"FRA"})}})
    orders: list[Order] = [
        RevokePassage(HERE, "ENG"),
        RevokePassage(HERE, "DEN"),
        GrantPassage(HERE, "FRA"),
        GrantPassage(HERE, "NOR"),
    ]
    played = ordered(passage_rights_changed, world, ENG=orders)
    own, missing, *granted = reasons(played)
    assert own not in ("", "passage-not-granted")
    assert (missing, granted) == ("passage-not-granted", ["", ""])
    assert not played.only(PassageRevoked)
    assert [each.other for each in played.only(PassageGranted)] == ["NOR"]


@pytest.mark.clause("F4")
def test_special_permission_is_revoked_only_where_it_is_and_granted_only_where_it_is_not() -> None:
    world = make_world(provinces={"Kent": {"permissions": frozenset({"FRA"})}})
    orders: list[Order] = [
        RevokePermission(HERE, "Reims", "FRA"),
        RevokePermission(HERE, "Kent", "ENG"),
        RevokePermission(HERE, "Kent", "DEN"),
        GrantPermission(HERE, "Reims", "NOR"),
        GrantPermission(HERE, "Kent", "FRA"),
        GrantPermission(HERE, "Kent", "NOR"),
    ]
    played = ordered(special_permission_changed, world, ENG=orders)
    found = reasons(played)
    assert [found[0], *found[2:]] == ["permission-not-owner", "permission-not-granted", "permission-not-owner", "", ""]
    assert found[1] not in ("", "permission-not-granted")
    assert not played.only(PermissionRevoked)
    assert [(each.other, each.province) for each in played.only(PermissionGranted)] == [("NOR", "Kent")]
    assert played.world.provinces["Kent"].permissions == {"FRA", "NOR"}


@pytest.mark.clause("L15", "W12")
def test_peace_is_told_pair_by_pair() -> None:
    world = make_world(war=[("FRA", each) for each in OTHERS])
    orders: dict[str, list[Order]] = {each: [OfferPeace(HERE, "FRA")] for each in OTHERS}
    orders["FRA"] = [OfferPeace(HERE, each) for each in reversed(OTHERS)]
    played = ordered(peace_established, world, **orders)
    made = [tuple(sorted((event.realm, event.other))) for event in played.events if type(event).__name__ == "PeaceMade"]
    assert made == sorted(tuple(sorted(("FRA", each))) for each in OTHERS)
