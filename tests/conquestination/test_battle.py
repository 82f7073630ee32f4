"""CN-7: rolls and attacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.games.conquestination.battle import Retreat, attacked, compared, rolled
from tests.conquestination.lands import rules

ATTACK = rules().attack
NEVER = Retreat()


def dice(*faces: int) -> Callable[[], int]:
    """A die that shows these faces one after the other."""
    faces_left: Iterator[int] = iter(faces)
    return lambda: next(faces_left)


@pytest.mark.clause("CN-14.4")
@pytest.mark.parametrize(
    ("attackers", "defenders", "defender_loses", "each", "attacker_loses"),
    [
        (1, 1, 15, 0, 21),
        (2, 1, 125, 0, 91),
        (1, 2, 55, 0, 161),
        (3, 1, 855, 0, 441),
        (2, 2, 295, 420, 581),
        (3, 2, 2890, 2611, 2275),
    ],
)
def test_the_odds_of_a_roll_by_full_count(
    attackers: int, defenders: int, defender_loses: int, each: int, attacker_loses: int
) -> None:
    outcomes = [
        compared(faces[:attackers], faces[attackers:]) for faces in product(range(1, 7), repeat=attackers + defenders)
    ]
    assert sum(lost[0] == 0 for lost in outcomes) == defender_loses
    assert sum(lost == (1, 1) for lost in outcomes) == each
    assert sum(lost[1] == 0 for lost in outcomes) == attacker_loses


@pytest.mark.clause("CN-7.5", "CN-7.4")
@pytest.mark.parametrize(
    ("engaged", "defenders", "dice_of_each"), [(1, 1, (1, 1)), (2, 5, (2, 2)), (3, 2, (3, 2)), (9, 9, (3, 2))]
)
def test_so_many_dice_are_rolled(engaged: int, defenders: int, dice_of_each: tuple[int, int]) -> None:
    roll = rolled(engaged, defenders, ATTACK, lambda: 4, lambda: 4)
    assert (len(roll.attack), len(roll.defence)) == dice_of_each


@pytest.mark.clause("CN-14.5", "CN-7.9")
def test_six_engaged_units_lose_two_and_four_win() -> None:
    fight = attacked(6, 2, NEVER, ATTACK, dice(1, 1, 1, 6, 6, 6), dice(2, 2, 1, 1))
    assert (fight.won, fight.engaged) == (True, 4)
    assert [roll.attack_lost for roll in fight.rolls] == [2, 0]


@pytest.mark.clause("CN-14.6", "CN-9.4")
def test_an_attack_that_keeps_two_is_broken_off_after_two_losses() -> None:
    fight = attacked(4, 3, Retreat(keep=2), ATTACK, dice(1, 1, 1), dice(2, 2))
    assert (fight.won, fight.engaged, fight.defenders, len(fight.rolls)) == (False, 2, 3, 1)


@pytest.mark.clause("CN-9.4")
def test_an_attack_that_would_start_broken_off_rolls_nothing() -> None:
    assert attacked(2, 3, Retreat(keep=2), ATTACK, dice(), dice()).rolls == ()


@pytest.mark.clause("CN-9.5")
def test_whichever_limit_comes_first_ends_it() -> None:
    by_rolls = attacked(9, 9, Retreat(keep=1, rolls=2), ATTACK, lambda: 6, lambda: 1)
    assert len(by_rolls.rolls) == 2
    by_losses = attacked(4, 9, Retreat(keep=2, rolls=5), ATTACK, lambda: 1, lambda: 6)
    assert (len(by_losses.rolls), by_losses.engaged) == (1, 2)


@pytest.mark.clause("CN-9.5", "CN-7.7")
def test_victory_ends_it_first() -> None:
    fight = attacked(3, 1, Retreat(rolls=1), ATTACK, lambda: 6, lambda: 1)
    assert fight.won


@pytest.mark.clause("CN-7.7", "CN-7.8", "CN-12.4")
@given(st.integers(1, 12), st.integers(1, 12), st.lists(st.integers(1, 6), min_size=60, max_size=60))
def test_it_goes_on_until_one_side_is_gone_and_every_loss_is_in_a_roll(
    engaged: int, defenders: int, faces: list[int]
) -> None:
    drawn: list[str] = []

    def die(side: str) -> Callable[[], int]:
        def roll() -> int:
            drawn.append(side)
            return faces[len(drawn) % len(faces)]

        return roll

    fight = attacked(engaged, defenders, NEVER, ATTACK, die("A"), die("D"))
    assert 0 in (fight.engaged, fight.defenders)
    assert fight.engaged == engaged - sum(roll.attack_lost for roll in fight.rolls)
    assert fight.defenders == defenders - sum(roll.defence_lost for roll in fight.rolls)
    assert all(roll.attack_lost + roll.defence_lost == min(len(roll.attack), len(roll.defence)) for roll in fight.rolls)
    # all of a roll's attack dice come before its defence dice
    assert "".join(drawn) == "".join("A" * len(roll.attack) + "D" * len(roll.defence) for roll in fight.rolls)
