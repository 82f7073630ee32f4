"""Names find their unit when the order is carried out: garrisons that are lost, won, won back in one turn
(O5, O8).
"""

import pytest

from gm.games.medieval.events.movement import TroopsTransferred
from gm.games.medieval.state import Unit, World
from tests.medieval.order_reading import read_sheet
from tests.medieval.testland import atlas, commander, make_world, play, rules, unit

FOOT = {"Heavy Infantry": 9}
RETAKE = "A1: {plan: [hold, march: London, transfer: {to: London, troops: {Heavy Infantry: 3}}]}"
BACK = "{plan: [transfer: {to: A1, troops: {Heavy Infantry: 1}}]}"


def raided(*units: Unit) -> World:
    """French horsemen stand in an open and empty London, and take it in phase 1.

    English foot stands in Kent.
    """
    return make_world(
        *(
            unit("ENG/G1", "London"),
            unit("ENG/A1", "Kent", FOOT),
            unit("FRA/A9", "London", {"Heavy Cavalry": 2}),
            *units,
        ),
        war=[("ENG", "FRA"), ("FRA", "TEU")],
        provinces={"London": {"fortification": 0, "harbour": False}, "Paris": {"fortification": 0}},
        realms={"ENG": {"passage": frozenset(("TEU",))}},
    )


def garrison(world: World, place: str) -> Unit:
    unit = world.garrison(place)
    assert unit is not None
    return unit


@pytest.mark.clause("O8", "M1")
def test_a_city_lost_and_retaken_in_one_turn_answers_to_its_name() -> None:
    """14.C20: a transfer and an order of Final Events reach the garrison that is there by then."""
    played = play(raided(), {"ENG": f"units: {{{RETAKE}, London: {{raze: [production area]}}}}"})
    assert played.fate("ENG", "transfer") == ("done", "")
    assert played.fate("ENG", "raze") == ("failed", "nothing-to-raze")
    retaken = garrison(played.world, "London")
    assert (retaken.realm, retaken.id != "G1", retaken.count("Heavy Infantry")) == ("ENG", True, 3)


@pytest.mark.clause("O8", "O5")
@pytest.mark.parametrize(("name", "fate"), [("London", ("done", "")), ("G1", ("failed", "province-lost"))])
def test_its_plan_goes_on_under_its_name_and_ends_under_its_id(name: str, fate: tuple[str, str]) -> None:
    """14.C20: what stands under the province's name is for the garrison that is there."""
    assert play(raided(), {"ENG": f"units: {{{RETAKE}, {name}: {BACK}}}"}).fate("ENG", "to A1") == fate


@pytest.mark.clause("O8", "M1")
def test_another_realm_s_garrison_is_found_by_its_province_too() -> None:
    """14.C20: the ally's gift reaches London though it is another garrison than at the start of the turn."""
    give = (
        "units: {A2: {plan: [hold, march: London, transfer: {to: ENG/London, troops: {Heavy Infantry: 2}}]}}"
    )
    played = play(
        raided(unit("TEU/A2", "Kent", {"Heavy Infantry": 5})),
        {"ENG": "units: {A1: {plan: [hold, march: London]}}", "TEU": give},
    )
    (transfer,) = played.only(TroopsTransferred)
    assert (transfer.realm, transfer.receiver) == ("TEU", garrison(played.world, "London").key)


@pytest.mark.clause("O8", "M1")
def test_a_gift_reaches_the_garrison_that_an_ally_wins_this_turn() -> None:
    """As 14.C20: nobody has to know a garrison's number before it is there; the file is only warned of."""
    world = raided(unit("TEU/A2", "Reims", FOOT), unit("ENG/A2", "Reims", {"Heavy Infantry": 3}))
    world = world.with_units([world.units["TEU/A2"].add("Heavy Infantry", (5, 0, 0, 0, 0))])
    give = "{march: Paris}, {transfer: {to: TEU/Paris, troops: {Heavy Infantry: 3}}}"
    played = play(
        world, {"TEU": "units: {A2: {plan: [march: Paris]}}", "ENG": f"units: {{A2: {{plan: [{give}]}}}}"}
    )
    assert played.fate("ENG", "transfer") == ("done", "")
    assert garrison(played.world, "Paris").realm == "TEU"


@pytest.mark.clause("O8", "F7")
@pytest.mark.parametrize(
    "renames", ['{Joe: "a\\u200bb"}', "{Joe: Joseph, JOE: Jo}"], ids=["invisible", "twice"]
)
def test_a_renaming_that_is_refused_changes_nobody_s_name_in_other_orders(renames: str) -> None:
    """As 14.C20: a new name holds once the order that gives it stands, and the first of two stands."""
    body = f"headquarters: {{rename_commander: {renames}}}\nunits: {{A1: {{leader: Joe}}}}\n"
    world = make_world(unit("ENG/A1", "Kent", commanders=[commander("Joe")]))
    head = "orders: 1\ngame: test\nrealm: ENG\nturn: 1\nkey: test-key\n"
    read, findings = read_sheet(
        (head + body).encode(), "x", world=world, rules=rules(), atlas=atlas(), game="test"
    )
    assert read is not None
    assert len([finding for finding in findings if finding.is_error]) == 1
    assert play(world, {"ENG": read}).fate("ENG", "leader") == ("done", "")


@pytest.mark.clause("O5", "O8")
def test_the_plan_of_a_garrison_that_an_army_founds_in_phase_one_is_carried_out() -> None:
    """14.C22: the city is taken in phase 1; in phase 2 its garrison is manned and gives somebody back."""
    take = "A1: {plan: [march: Paris, transfer: {to: Paris, troops: {Heavy Infantry: 3}}]}"
    world = raided().with_units([unit("ENG/A1", "Reims", FOOT)])
    played = play(world, {"ENG": f"units: {{{take}, Paris: {BACK}}}"})
    assert played.fate("ENG", "to Paris") == played.fate("ENG", "to A1") == ("done", "")
    assert garrison(played.world, "Paris").count("Heavy Infantry") == 2


@pytest.mark.clause("O5", "O8")
@pytest.mark.parametrize(
    ("place", "reason"), [("Paris", "no-garrison"), ("Kent", "no-garrison"), ("London", "province-lost")]
)
def test_a_plan_for_a_garrison_that_never_comes_is_settled_at_the_end(place: str, reason: str) -> None:
    """14.C22: the reason says whether there was one before."""
    assert play(raided(), {"ENG": f"units: {{{place}: {BACK}}}"}).fate("ENG", "to A1") == ("failed", reason)
