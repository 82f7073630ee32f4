"""Start files, and the world that a game begins with (W11)."""

from pathlib import Path

import pytest

from gm.games.medieval.data.scenario import load_scenario, scenario_rules
from gm.games.medieval.data.start_world import start_world
from gm.games.medieval.state import INDEPENDENTS, Relation, Status
from gm.games.medieval.state.invariants import broken_invariants
from gm.store import NewerFormatError
from tests.medieval.mapland import MINSK, broken_copy, minsk, minsk_world
from tests.medieval.testland import rules


@pytest.mark.clause("W11")
def test_every_realm_starts_neutral_accepts_gifts_and_has_its_provinces_annexed() -> None:
    world = minsk_world()
    codes = list(world.realms)
    assert codes == sorted(codes) == ["LIT", "NOV", "POL", "TEU"]
    for realm in codes:
        for other in codes:
            if realm != other:
                assert world.relation(realm, other) is Relation.NEUTRAL
                assert world.accepts_gifts(realm, other)
        assert world.owned_by(realm)
        assert all(province.annexed_to == realm for province in world.owned_by(realm))
        assert all(unit.is_garrison for unit in world.of_realm(realm))


@pytest.mark.clause("W7", "W11")
def test_independents_hold_the_rest_with_troops_of_their_own() -> None:
    world = minsk_world()
    rest = [province for province in world.provinces.values() if province.owner == INDEPENDENTS]
    assert len(rest) == 10
    for province in rest:
        assert province.annexed_to is None
        assert any(unit.realm == INDEPENDENTS and unit.troop_count for unit in world.at(province.name))


@pytest.mark.clause("W5")
def test_every_city_and_fortification_has_one_garrison_of_its_owner_numbered_in_map_order() -> None:
    world = minsk_world()
    atlas = minsk()
    for name, province in world.provinces.items():
        garrisons = [unit for unit in world.at(name) if unit.is_garrison]
        garrisoned = atlas.city(name) is not None or province.fortification > 0
        assert [unit.realm for unit in garrisons] == ([province.owner] if garrisoned else [])
    for realm in (*world.realms, INDEPENDENTS):
        garrisons = [unit for unit in world.of_realm(realm) if unit.is_garrison]
        assert [unit.number for unit in garrisons] == list(range(1, len(garrisons) + 1))
        places = [atlas.place_order[unit.place] for unit in garrisons]
        assert places == sorted(places)


def test_the_start_breaks_no_invariant() -> None:
    assert list(broken_invariants(minsk_world(), rules(), minsk())) == []


@pytest.mark.clause("P1")
def test_the_scenario_gives_special_permissions_for_independent_provinces() -> None:
    assert minsk_world().has_permission("NOV", "Gotland")
    assert not minsk_world().has_permission("TEU", "Gotland")


@pytest.mark.clause("V2")
def test_status_and_treasury_come_from_the_file() -> None:
    lithuania = minsk_world().realms["LIT"]
    assert lithuania.status is Status.ROYALTY
    assert lithuania.treasury == 90
    assert lithuania.ruler == "Grand Prince Gediminas"


@pytest.mark.clause("W6")
def test_troops_stand_in_the_ranks_that_the_file_gives() -> None:
    garrison = minsk_world().garrison("Minsk")
    assert garrison is not None
    assert garrison.troops["Archers"] == (0, 0, 0, 4, 0)
    assert garrison.troops["Boyar Guards"] == (3, 0, 0, 0, 0)
    assert garrison.leader == "Algirdas"
    assert garrison.retreat_level == rules().units.retreat_level


@pytest.mark.clause("V1", "W9")
def test_a_scenario_may_set_the_goal_and_the_year(tmp_path: Path) -> None:
    more = "map: minsk\nyear: 1410\nvictory: {cities_percent: 60, turns: 3, last_turn: 20}"
    copy = broken_copy(tmp_path, "start.yaml", "map: minsk", more)
    changed = scenario_rules(load_scenario(copy / "start.yaml", minsk(), rules()), rules())
    assert changed.start_year == 1410
    assert changed.victory == rules().victory.evolve(cities_percent=60, turns=3, last_turn=20)
    assert scenario_rules(load_scenario(MINSK / "start.yaml", minsk(), rules()), rules()) == rules()


def test_a_start_may_begin_in_war_or_alliance_and_with_units_outside(tmp_path: Path) -> None:
    more = (
        "wars: [[TEU, LIT]]\nalliances: [[POL, LIT]]\nunits:\n"
        "  TEU:\n    F2: {place: Baltic, name: Herring Watch, troops: {Trading Cog: {2: 3}}}\n"
        "    A1: {place: Baltic, aboard: F2, troops: {Crossbowmen: 2}}\n"
    )
    copy = broken_copy(tmp_path, "start.yaml", "units:\n", more)
    world = start_world(load_scenario(copy / "start.yaml", minsk(), rules()), minsk(), rules())
    assert world.at_war("LIT", "TEU")
    assert world.allied("LIT", "POL")
    assert world.units["TEU/A1"].aboard == "TEU/F2"
    assert world.units["TEU/F2"].troops["Trading Cog"] == (0, 3, 0, 0, 0)
    assert list(broken_invariants(world, rules(), minsk())) == []


def test_a_start_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    copy = broken_copy(tmp_path, "start.yaml", "schema: 1", "schema: 2")
    with pytest.raises(NewerFormatError):
        load_scenario(copy / "start.yaml", minsk(), rules())
