"""The worked examples of the rules, one test each (CS-16)."""

from __future__ import annotations

import pytest

from gm.games.conquest_structures.orders import Build, Hold, Item, Move
from tests.conquest_structures.field import NEUTRAL, Field


@pytest.mark.clause("CS-16.1", "CS-9.5")
def test_a_tank_against_four_infantry_goes_back() -> None:
    field = Field({"R1": "BLUE"}).put("C1", "T").put("R1", "IIII").play(RED=["C1 > R1"])
    assert (field.at("C1"), field.at("R1"), field.owner("R1")) == ("RED T", "BLUE IIII", "BLUE")
    (fought,) = field.told("FoughtAt")
    assert dict(fought.strengths) == {"RED": 4, "BLUE": 4}


@pytest.mark.clause("CS-16.2")
def test_two_infantry_who_want_the_same_refinery_both_go_back() -> None:
    field = Field().put("C1", "I").put("C2", "I").play(RED=["C1 > R1"], BLUE=["C2 > R1"])
    assert (field.at("C1"), field.at("C2"), field.at("R1")) == ("RED I", "BLUE I", "")
    assert field.owner("R1") == NEUTRAL


@pytest.mark.clause("CS-16.3", "CS-9.1", "CS-9.16")
def test_who_loses_on_the_link_meets_the_winner_at_home_again() -> None:
    field = Field({"R1": "BLUE"}).put("C1", "T").put("R1", "I").play(RED=["C1 > R1"], BLUE=["R1 > C1"])
    assert (field.at("R1"), field.at("C2"), field.at("C1")) == ("RED T", "BLUE I", "")
    assert field.owner("R1") == "RED"
    assert [dict(each.strengths) for each in field.told("FoughtOnLink")] == [{"RED": 4, "BLUE": 1}]


@pytest.mark.clause("CS-16.4", "CS-9.6")
def test_in_a_tie_of_two_attackers_a_weak_defender_stays() -> None:
    field = Field({"R1": "GREEN"}, players=3).put("C1", "T").put("C2", "T").put("R1", "I")
    field.play(RED=["C1 > R1"], BLUE=["C2 > R1"])
    assert (field.at("C1"), field.at("C2"), field.at("R1")) == ("RED T", "BLUE T", "GREEN I")


@pytest.mark.clause("CS-16.5")
def test_equal_on_the_link_changes_nothing() -> None:
    field = Field({"R1": "BLUE"}).put("C1", "I").put("R1", "I")
    before = field.state.owners
    field.play(RED=["C1 > R1"], BLUE=["R1 > C1"])
    assert (field.at("C1"), field.at("R1")) == ("RED I", "BLUE I")
    assert field.state.owners == before
    assert field.told("FoughtAt") == []


@pytest.mark.clause("CS-16.6", "CS-9.13", "CS-9.14")
@pytest.mark.parametrize(("home", "ends"), [("RED", ("RED I", 0)), ("BLUE", ("", 1))])
def test_a_chain_of_bumps_ends_at_home_or_in_destruction(home: str, ends: tuple[str, int]) -> None:
    field = Field({"R1": "BLUE", "M1": "BLUE", "H1": home}).put("C1", "I").put("R1", "T").put("M1", "T")
    field.play(RED=["C1 > R1"], BLUE=["M1 > C1"])
    assert (field.at("H1"), len(field.told("Destroyed"))) == ends
    assert (field.at("C1"), field.owner("C1")) == ("BLUE T", "BLUE")
    assert [each.round for each in field.told("FoughtAt")] == [1, 2]


@pytest.mark.clause("CS-16.7")
def test_in_a_ring_everybody_arrives() -> None:
    owners = {"C1": "RED", "R1": "BLUE", "C2": "GREEN", "M1": "YELLOW"}
    field = Field(owners, players=4).put("C1", "I").put("R1", "T").put("C2", "I").put("M1", "T")
    field.play(RED=["C1 > R1"], BLUE=["R1 > C2"], GREEN=["C2 > M1"], YELLOW=["M1 > C1"])
    assert [field.owner(place) for place in ("R1", "C2", "M1", "C1")] == ["RED", "BLUE", "GREEN", "YELLOW"]
    assert field.told("FoughtAt") == field.told("FoughtOnLink") == []


@pytest.mark.clause("CS-16.8", "CS-9.17")
def test_an_immobile_unit_that_is_hit_is_destroyed() -> None:
    field = Field({"R1": "BLUE"}).put("C1", "I", marks=3).put("R1", "T").play(BLUE=["R1 > C1"])
    assert (field.at("C1"), field.owner("C1")) == ("BLUE T", "BLUE")
    (destroyed,) = field.told("Destroyed")
    assert destroyed.immobile


@pytest.mark.clause("CS-16.9", "CS-9.9")
def test_who_lost_on_the_link_helps_at_home() -> None:
    field = Field({"R1": "BLUE"}).put("C1", "TIII").put("R1", "TI")
    before = field.state.owners
    field.play(RED=["1 tank @ C1 > R1"], BLUE=["R1 > C1"])
    assert [dict(each.strengths) for each in field.told("FoughtOnLink")] == [{"RED": 4, "BLUE": 5}]
    assert [dict(each.strengths) for each in field.told("FoughtAt")] == [{"RED": 7, "BLUE": 5}]
    assert (field.at("C1"), field.at("R1"), field.state.owners) == ("RED IIIT", "BLUE IT", before)


@pytest.mark.clause("CS-16.10", "CS-9.8")
def test_with_fewer_at_home_it_is_a_tie_and_the_tank_moves_on() -> None:
    field = Field({"R1": "BLUE"}).put("C1", "TI").put("R1", "TI")
    field.play(RED=["1 tank @ C1 > R1"], BLUE=["R1 > C1"])
    assert (field.at("C1"), field.at("H1"), field.at("R1")) == ("RED I", "RED T", "BLUE IT")


@pytest.mark.clause("CS-16.11", "CS-7.2", "CS-7.5")
def test_what_does_not_fit_into_popcap_is_left_out_and_cheaper_units_are_tried() -> None:
    owners = {"C2": "RED", "H2": "RED", "C1": "RED", "H1": "RED", "R1": "BLUE"}
    field = Field(owners).put("C1", "TI")
    # two cities and two homes, of which one stands for the third city
    field.play(RED=["Build 1 Tank + 1 Infantry@H1"])
    assert field.at("H1") == "RED I"
    assert field.fates("RED") == [("reduced", "popcap-for-some")]


@pytest.mark.clause("CS-16.12", "CS-10.7", "CS-10.8", "CS-10.9")
@pytest.mark.parametrize(("priority", "short"), [((), ["u1"]), (("Tank",), ["u3"])])
def test_supply_that_falls_short_is_given_out_by_marks_or_by_the_players_list(
    priority: tuple[str, ...], short: list[str]
) -> None:
    owners = {"R1": "RED", "C2": "RED", "H2": "RED", "M1": "BLUE"}
    field = Field(owners).put("C1", "T").put("C1", "I", marks=2).put("C1", "I")
    field.play(RED=[], priority={"RED": list(priority)})
    (network,) = [each for each in field.told("NetworkSupplied") if each.owner == "RED"]
    assert (network.sources, network.needs) == (3, 4)
    assert list(network.short) == short
    marks = {unit.id: unit.marks for unit in field.state.units_of("RED")}
    assert marks == ({"u1": 1, "u2": 1, "u3": 0} if not priority else {"u1": 0, "u2": 1, "u3": 1})


@pytest.mark.clause("CS-16.13", "CS-11.1", "CS-11.2", "CS-11.3")
def test_three_marks_make_immobile_and_one_supplied_turn_frees() -> None:
    # far from any source
    field = Field({"M1": "RED", "C1": "BLUE", "C2": "BLUE"}).put("M1", "I", marks=2).play()
    assert field.state.units[1].marks == 3
    (mark,) = field.told("MarkTaken")
    assert mark.immobile
    field.state = field.state.with_owners({"C1": "RED"})
    field.play(RED=["M1 > C1"])
    assert field.fates("RED") == [("failed", "immobile")]
    assert field.state.units[1].marks == 2
    (lost,) = field.told("MarkLost")
    assert lost.freed
    assert field.play(RED=["M1 > C1"]).at("C1") == "RED I"


@pytest.mark.clause("CS-16.14", "CS-6.1", "CS-6.2", "CS-6.3", "CS-6.4")
def test_the_four_lines_of_the_source_are_read_as_they_are_meant() -> None:
    field = Field(map_name="duel-11")
    lines = ("Build 1 Tank@M1", "Hold@R2", "C2 > C3", "3 Infantry + 1 Tank @ C2 > C3")
    build, hold, move, some = field.orders("RED", *lines).lines
    tank, infantry = Item(count=1, type="tank"), Item(count=3, type="infantry")
    assert isinstance(build, Build)
    assert (build.items, build.place) == ((tank,), "M1")
    assert isinstance(hold, Hold)
    assert (hold.items, hold.place) == ((), "R2")
    assert isinstance(move, Move)
    assert (move.items, move.place, move.target) == ((), "C2", "C3")
    assert isinstance(some, Move)
    assert (some.items, some.place, some.target) == ((infantry, tank), "C2", "C3")
