"""What can be foreseen: the forecast of an order file, exact odds, and what ``pbem why`` knows of gold and
battles.
"""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.campaign.check import CheckContext, check_file
from gm.campaign.check_text import check_text
from gm.campaign.order_files import OrderReader
from gm.core.dice import Dice
from gm.game.answers import OddsQuestion
from gm.games.conqueror.events import Fought
from gm.games.conqueror.figures import chances_of, fought
from gm.games.conqueror.odds import odds, weighed
from gm.games.conqueror.spec import SPEC
from gm.games.conqueror.state import World
from tests.conqueror.turns import position, quiet, rules, table
from tests.examples import examples


def checked(world: World, *lines: str) -> list[str]:
    """What ``pbem check`` says of a file of Arden's, line by line."""
    text = "\n".join(["game: g", f"turn: {world.turn + 1}", "player: arden", *lines, ""])
    context = CheckContext(OrderReader(SPEC, table(), world, "g"), {}, "ARDEN")
    return [
        line.strip()
        for line in check_text(check_file(context, Path("o.yaml"), text.encode()), 100).splitlines()
    ]


@pytest.mark.clause("CQ-22.3", "CQ-15.2", "CQ-14.1")
def test_the_chance_of_rebellion_is_told_with_its_parts_as_the_orders_leave_it() -> None:
    world = quiet(CLUN={"owner": "ARDEN", "control": 31, "population": 3, "fresh": 2})
    assert "CLUN: 10% = 10% (restless, 30) × 1 rebel (3 of population, 2 in arms)" in checked(world)
    gone = checked(world, "moves:", "  - {from: CLUN, to: ARDEN, armies: all}")
    assert "CLUN: 30% = 10% (restless, 30) × 3 rebels (3 of population, 0 in arms)" in gone
    assert "CLUN: 31 → 30, restless" in gone
    crowded = quiet(CLUN={"owner": "ARDEN", "control": 5, "population": 9, "fresh": 0})
    assert any("CLUN: 90%, the most = 20% (rebellious, 4) × 9 rebels" in line for line in checked(crowded))


@pytest.mark.clause("CQ-22.3", "CQ-16.1", "CQ-16.3")
def test_cultural_power_is_told_and_whom_it_wins() -> None:
    lines = checked(position(ARDEN={"control": 95}))
    assert "ARDEN: 188, gains 28 in BRAY, 14 in CLUN" in lines
    assert any(line.startswith("BRAY, not yours: 40 → 68") for line in lines)
    assert "ARDEN: 78; above 160 it would win its neighbours" in checked(position(ARDEN={"control": 40}))


@pytest.mark.clause("CQ-22.3", "CQ-9.9", "CQ-9.5")
def test_turns_until_a_work_is_finished_are_told() -> None:
    lines = checked(quiet(), "production:", "  ARDEN: farms")
    assert "ARDEN: farms 12 of 16, ready in 1 turn at 12 a turn" in lines
    assert "ARDEN: advance 12 of 135, ready in 11 turns at 12 a turn" in checked(
        quiet(), "production: {ARDEN: advance}"
    )
    assert "ARDEN: 2 × recruit this turn; recruit 2 of 5, ready in 1 turn at 11 a turn" in checked(
        quiet(), "production: {ARDEN: recruit}"
    )


@pytest.mark.clause("CQ-22.3", "CQ-12.5", "CQ-12.6")
def test_winter_is_rehearsed_with_what_provinces_work_on() -> None:
    world = quiet(gold=0, CLUN={"owner": "ARDEN", "control": 100, "population": 1, "fresh": 6})
    recruits = checked(world, "production: {ARDEN: recruit, CLUN: farms}")
    winter = recruits.index("Winter (CQ-12.6)")
    assert recruits[winter + 1].startswith("In 3 more turns, if all goes on as it stands: the armies want ")
    assert any("would desert" in line for line in recruits[winter + 2 : winter + 4])
    saved = checked(world)
    assert not any("would desert" in line for line in saved)
    now = checked(quiet(turn=3, gold=1, ARDEN={"fresh": 50}))
    assert "This turn: the armies want 47 gold, 13 are paid, 0 are left" in now
    assert "34 armies of ARDEN would desert" in now


def test_no_forecast_tells_what_a_rival_keeps_secret() -> None:
    """What a rival works on and has in his treasury changes nothing of what the trial says."""
    near: dict[str, Any] = {"owner": "LORN", "control": 100, "culture": 1, "population": 9}
    one = position(DEAN=near, BRAY={"owner": "ARDEN", "control": 40})
    other = position(
        gold=999,
        DEAN={**near, "item": "develop", "stored": {"develop": 59}},
        BRAY={"owner": "ARDEN", "control": 40},
    )
    assert checked(one)[:-1] == checked(other.with_party("ARDEN", gold=20))[:-1]


@pytest.mark.clause("CQ-7.1", "CQ-7.2", "CQ-7.4", "CQ-7.5")
def test_the_chances_of_a_battle_are_exact() -> None:
    def of(attackers: int, armies: int, fort: int = 0) -> Fraction:
        ends = chances_of(attackers, armies, fort, rules())
        assert sum(ends.values()) == 1
        return Fraction(sum(share for (_, defenders), share in ends.items() if not defenders))

    assert of(1, 1) == Fraction(10, 21)
    assert of(1, 1, 3) == Fraction(10, 41)
    # two of the first two or three duels
    assert of(2, 2) == Fraction(10, 21) ** 2 * (1 + 2 * Fraction(11, 21))
    # the one in the field, then the one in the fort, with two attackers: all their losses in one order or the
    # other
    field = Fraction(10, 21)
    fort = Fraction(10, 26)
    assert of(2, 2, 1) == field * fort * (1 + (1 - fort) + (1 - field))
    assert of(3, 0) == 1


@examples(200, 20)
@given(st.integers(1, 7), st.integers(1, 7), st.integers(0, 3), st.integers())
def test_no_battle_ends_as_it_cannot_by_the_chances(
    attackers: int, armies: int, fort: int, seed: int
) -> None:
    fight = fought(attackers, armies, fort, rules(), Dice(str(seed))("battle").below)
    assert chances_of(attackers, armies, fort, rules())[fight.attackers, fight.defenders] > 0


def asked(world: World | None = None, **question: Any) -> list[str]:
    return list(
        odds(
            table(), world, OddsQuestion(fights=1, **question), lambda: pytest.fail("nothing is drawn")
        ).lines
    )


@pytest.mark.clause("CQ-6.3", "CQ-6.7", "CQ-7.4")
def test_odds_are_reckoned_for_typed_armies_and_for_those_of_a_position() -> None:
    assert "  It is taken   47.6%  ███████████" in asked(forces="1 vs 1")
    # the second attack meets what the first has left; if nothing is, it moves in
    stack = asked(forces="1 and 1 vs 1")
    assert "  It is taken   72.6%  █████████████████" in stack
    assert "  2   47.6%  ███████████" in stack
    world = position(BRAY={"owner": "ARDEN", "fresh": 3})
    one = asked(world, moves=(("ARDEN", "clun"), ("2 BRAY", "Clun")))
    assert one[0].startswith("Clun, from ARDEN and then BRAY: 5 and then 2 armies against 2.")
    assert asked(world, place="CLUN", party="ARDEN")[0].startswith(
        "Clun, from ARDEN and then BRAY: 5 and then 3 armies"
    )
    picture = odds(
        table(), None, OddsQuestion(fights=1, forces="8 vs 5", fortification=2), lambda: 0.0
    ).picture()
    assert picture.startswith("<svg")
    assert "8 armies against 5 behind a keep" in picture


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ({"forces": "8"}, "who attacks and who defends"),
        ({"forces": "8 vs cows"}, "armies are written as numbers"),
        ({"forces": "8 vs 5", "fortification": 4}, "1 fort, 2 keep, 3 castle"),
        ({"forces": "999 vs 5"}, "up to 300 armies"),
        ({"moves": (("ARDEN", "LORN"),)}, "not next to LORN"),
        ({"moves": (("ARDEN", "BRAY"), ("ARDEN", "CLUN"))}, "one target at a time"),
        ({"place": "BRUY"}, "did you mean 'BRAY'"),
    ],
)
def test_what_cannot_be_asked_is_answered(question: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        asked(position(), **question)


def test_why_tells_what_was_to_be_expected_of_a_battle() -> None:
    order: dict[str, Any] = {"number": 1, "owner": "ARDEN", "source": "ARDEN", "target": "BRAY"}
    losses: dict[str, Any] = {"field": (0, 1), "siege": (0, 0), "draws": ("14/21",), "taken": True}
    fight = Fought(**order, **losses, defender="neutral", armies=1, defenders=1, fort=0)
    assert weighed(rules(), fight) == "Of such battles the attacker wins 47.6%."
