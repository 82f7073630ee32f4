"""Asking for odds: forces typed in, a position with units moved on trial, and the answer for people and
programs.
"""

import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from decimal import Decimal
from itertools import chain
from typing import Any

import pytest

from gm.game.answers import OddsAnswer, OddsQuestion
from gm.game.values import GameData
from gm.games.medieval.analysis.odds.answer import odds
from gm.games.medieval.analysis.odds.supposed import supposed_setup, unit_meant
from gm.games.medieval.analysis.odds.typed import read_forces
from gm.games.medieval.state import World
from tests.medieval.order_reading import yaml_cases
from tests.medieval.testland import atlas, make_world, rules, unit

WAR = [("ENG", "FRA")]
CASES = yaml_cases("odds-cases")

# -- typed forces --------------------------------------------------------------------------------------------


def troops_of(text: str) -> list[dict[str, list[int]]]:
    units = chain.from_iterable(force.units for force in read_forces(text, rules()))
    return [unit.troops for unit in units]


@pytest.mark.parametrize("text", CASES["same forces"])
def test_forces_can_be_typed_in_many_ways(text: str) -> None:
    assert troops_of(text) == [{"Longbowmen": [30, 0, 0, 0, 0]}, {"Men-at-Arms": [40, 0, 0, 0, 0]}]


def test_ranks_leaders_options_units_and_allies_can_be_typed() -> None:
    text = (
        "9 Archers r2, 3 Archers @4, leader 46/20, commander cavalry 60 naval 5, retreat 2; "
        "4 Militia, garrison, outside and A7, retreat 3 vs 1/2/3 Militia, landing"
    )
    ours, allied, theirs = read_forces(text, rules())
    assert (ours.side, allied.side, theirs.side) == (0, 0, 1)
    first, second = ours.units
    assert first.troops == {"Archers": [0, 9, 0, 3, 0]}
    assert [
        (commander.infantry, commander.cavalry, commander.siege, commander.naval)
        for commander in first.commanders
    ] == [
        (46, 20, 0, 0),
        (0, 60, 0, 5),
    ]
    assert first.retreat_level == 2
    assert (second.garrison, second.inside) == (True, False)
    assert (allied.units[0].reference, allied.units[0].retreat_level) == ("A7", 3)
    assert theirs.units[0].troops == {"Militia": [1, 2, 3, 0, 0]}
    assert theirs.units[0].landing


@pytest.mark.parametrize(("text", "says"), CASES["not understood"])
def test_what_cannot_be_understood_is_said_with_a_hint(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        read_forces(text, rules())


def ask(forces: str = "", state: World | None = None, fights: int = 60, **more: Any) -> OddsAnswer:
    question = OddsQuestion(forces=forces, fights=fights, **more)
    return odds(GameData(rules(), atlas()), state, question, random.Random(3).random)  # noqa: S311


def units_of(answer: OddsAnswer) -> dict[str, Mapping[str, Any]]:
    units = chain.from_iterable(side["units"] for side in answer.figures["sides"])
    return {unit["unit"]: unit for unit in units}


@pytest.mark.clause("B5.1")
def test_the_last_force_holds_the_walls() -> None:
    answer = ask(
        "9 Heavy Infantry vs 9 Men-at-Arms, garrison; 3 Longbowmen; 4 Longbowmen, outside", fortification=3
    )
    units = units_of(answer)
    assert answer.figures["fortification"] == 3
    assert {key: unit["defends"] for key, unit in units.items()} == {
        "ATT/A1": False,
        "DEF/G1": True,
        "DEF/A1": True,
        "DEF/A2": False,
    }
    assert "behind the walls" in "\n".join(answer.lines)


@pytest.mark.clause("B5.2", "B5.3")
def test_landings_and_decks_can_be_typed() -> None:
    plain = ask("10 Militia vs 5 Archers")
    landing = ask("10 Militia vs 5 Archers", landing=True)
    weaker = Decimal(units_of(landing)["ATT/A1"]["total_combat"]) / Decimal(
        units_of(plain)["ATT/A1"]["total_combat"]
    )
    assert weaker == Decimal("0.7")
    assert units_of(landing)["DEF/A1"]["total_combat"] == units_of(plain)["DEF/A1"]["total_combat"]
    sea = ask("5 Light Dromond, 6 Men-at-Arms vs 4 Light Dromond", kind="sea")
    assert sea.figures["kind"] == "sea"
    assert units_of(sea)["ATT/A1"]["role"] == "marines"
    assert units_of(sea)["ATT/A1"]["start"] == 6


@pytest.mark.clause("M11")
def test_forces_can_meet_at_a_border() -> None:
    answer = ask("8 Militia and 8 Archers vs 12 Heavy Infantry", kind="border")
    assert answer.figures["kind"] == "border"
    assert set(chain.from_iterable(result["winners"] for result in answer.figures["results"])) <= {
        "F01",
        "F02",
        "F03",
    }
    assert "Force 1 and Force 2 against Force 3" in answer.lines[0]


@pytest.mark.parametrize(("forces", "more", "says"), CASES["cannot meet"])
def test_forces_that_cannot_meet_are_refused(forces: str, more: Mapping[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ask(forces, **more)


# -- what if -------------------------------------------------------------------------------------------------

POSITION = make_world(
    unit("ENG/A1", "Flanders", {"Heavy Infantry": 9}, name="Royal Lions"),
    unit("ENG/A2", "Channel", {"Men-at-Arms": 6}, aboard="ENG/F1"),
    unit("ENG/F1", "Channel", {"Trading Cog": 4}),
    unit("FRA/A1", "Reims", {"Men-at-Arms": 7}),
    unit("FRA/F1", "North Sea", {"Light Dromond": 2}),
    unit("DEN/A1", "Schleswig", {"Men-at-Arms": 7}),
    unit("FRA/G1", "Paris", {"Longbowmen": 5}),
    war=WAR,
    owners={"Flanders": "ENG"},
)


@pytest.mark.clause("B9.1")
def test_a_unit_is_put_where_it_would_go_and_may_go_back() -> None:
    world = POSITION.with_units([POSITION.units["ENG/A1"].evolve(retreat_level=1)])
    answer = ask(state=world, moves=(("A1", "reims"),), party="ENG")
    assert "Land battle at Reims: Eng against Fra" in answer.lines[0]
    england = units_of(answer)["ENG/A1"]
    assert england["name"] == "A1 “Royal Lions”"
    assert {retreat["place"] for retreat in england["retreats_to"]} <= {"Flanders"}
    far = ask(state=world, moves=(("FRA/A1", "Schleswig"),), wars=(("FRA", "DEN"),), fights=5)
    assert any("not next to Schleswig" in line for line in far.lines)
    assert far.figures["notes"]


@pytest.mark.clause("B5.2", "B1")
def test_soldiers_aboard_land_and_walls_are_those_of_the_place() -> None:
    setup = supposed_setup(POSITION, rules(), atlas(), OddsQuestion(moves=(("ENG/A2", "Paris"),), fights=1))
    assert setup.turn.state.done("ENG/A2").landed_phase == 1
    answer = ask(state=POSITION, moves=(("ENG/A2", "Paris"), ("ENG/A1", "Paris")))
    assert answer.figures["fortification"] == 6
    assert units_of(answer)["FRA/G1"]["defends"]


@pytest.mark.clause("M11")
def test_enemies_that_march_towards_each_other_meet_at_the_border() -> None:
    answer = ask(state=POSITION, moves=(("ENG/A1", "Reims"), ("FRA/A1", "Flanders")), place="Reims")
    assert answer.figures["kind"] == "border"
    assert "between Reims and Flanders" in answer.lines[0]


@pytest.mark.clause("M6")
def test_fleets_take_their_armies_along() -> None:
    answer = ask(state=POSITION, moves=(("ENG/F1", "North Sea"),))
    assert answer.figures["kind"] == "sea"
    assert set(units_of(answer)) == {"ENG/F1", "ENG/A2", "FRA/F1"}


def test_a_war_can_be_supposed_and_its_lack_is_said() -> None:
    with pytest.raises(ValueError, match="suppose it with --war DEN:ENG"):
        ask(state=POSITION, moves=(("ENG/A1", "Schleswig"),))
    answer = ask(state=POSITION, moves=(("ENG/A1", "Schleswig"),), wars=(("ENG", "DEN"),))
    assert answer.figures["place"] == "Schleswig"
    assert not POSITION.at_war("ENG", "DEN")


def test_units_of_a_position_can_fight_typed_forces() -> None:
    answer = ask("A1 vs FRA/A1; 2 Archers", POSITION, party="ENG")
    units = units_of(answer)
    assert units["ATT/A1"]["troops"][0]["troop"] == "Heavy Infantry"
    assert [units[key]["start"] for key in ("DEF/A1", "DEF/A2")] == [7, 2]
    sea = ask("ENG/F1 vs 2 Light Dromond", POSITION, kind="sea")
    assert {"ATT/F1", "ATT/A1"} <= set(units_of(sea))
    with pytest.raises(ValueError, match="fights at sea"):
        ask("ENG/F1 vs 2 Archers", POSITION)


@pytest.mark.parametrize(("more", "says"), CASES["not there"])
def test_questions_about_what_is_not_there_are_refused(more: Mapping[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        ask(state=POSITION, **more)


def test_a_unit_without_troops_is_neither_meant_nor_suggested() -> None:
    """Its own id is no hint for whoever typed it, and it makes no other realm's unit ambiguous."""
    world = make_world(
        unit("ENG/G1", "London", {}),
        unit("ENG/A1", "Kent", {}),
        unit("FRA/A1", "Reims", {"Militia": 3}),
        unit("FRA/G1", "Paris", {"Militia": 3}),
    )
    for typed, party in (("G1", "ENG"), ("ENG/G1", ""), ("A1", "ENG")):
        with pytest.raises(ValueError, match=f"^there is no unit '{typed}' with troops") as caught:
            unit_meant(world, typed, party)
        assert f"did you mean '{typed}'" not in str(caught.value)
    assert unit_meant(world, "a1", "").key == "FRA/A1"
    assert unit_meant(world, "A1", "FRA").key == "FRA/A1"
    assert unit_meant(world, "fra/g1", "ENG").key == "FRA/G1"


# -- the answer ----------------------------------------------------------------------------------------------


def test_the_answer_fits_a_terminal_and_names_everything() -> None:
    answer = ask("9 Archers rank 2, 12 Militia, leader 40 vs 9 Heavy Infantry, retreat 1", fights=500)
    text = "\n".join(answer.lines)
    assert max(map(len, answer.lines)) <= 100
    for words in (
        "Attacker wins",
        "Archers",
        "Militia",
        "Commanders",
        "Rounds:",
        "on average",
        "95% confidence",
    ):
        assert words in text
    shares = [result["share"] for result in answer.figures["results"]]
    assert sum(shares) == pytest.approx(1, abs=1e-4)
    assert shares == sorted(shares, reverse=True)
    for result in answer.figures["results"]:
        assert result["low"] <= result["share"] <= result["high"]


def test_the_picture_is_whole_and_escapes_names() -> None:
    world = POSITION.with_realms(POSITION.realms["ENG"].evolve(name='<script>alert("x")</script> & Sons'))
    picture = ask(state=world, moves=(("ENG/A1", "Reims"),), fights=300).picture()
    root = ElementTree.fromstring(picture)  # noqa: S314 - our own
    assert root.get("role") == "img"
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert {"title", "desc", "rect", "text"} <= names
    assert "script" not in names
    assert "& Sons" in "".join(root.itertext())


def test_the_same_numbers_give_the_same_answer() -> None:
    assert ask("9 Archers vs 5 Militia").lines == ask("9 Archers vs 5 Militia").lines
