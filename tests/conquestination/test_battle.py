"""CN-7: rolls and attacks."""

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.games.conquestination.battle import Retreat, attacked, compared
from tests.conquestination.lands import rules


@pytest.mark.clause("CN-14.4")
@pytest.mark.parametrize(
    ("attackers", "defenders", "defender_loses", "each_loses_one", "attacker_loses"),
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
    attackers: int, defenders: int, defender_loses: int, each_loses_one: int, attacker_loses: int
) -> None:
    outcomes = [
        compared(faces[:attackers], faces[attackers:])
        for faces in product(range(1, 7), repeat=attackers + defenders)
    ]
    assert sum(lost[0] == 0 for lost in outcomes) == defender_loses
    assert sum(lost == (1, 1) for lost in outcomes) == each_loses_one
    assert sum(lost[1] == 0 for lost in outcomes) == attacker_loses


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

    fight = attacked(engaged, defenders, Retreat(), rules().attack, die("A"), die("D"))
    assert 0 in (fight.engaged, fight.defenders)
    assert fight.engaged == engaged - sum(roll.attack_lost for roll in fight.rolls)
    assert fight.defenders == defenders - sum(roll.defence_lost for roll in fight.rolls)
    assert all(
        roll.attack_lost + roll.defence_lost == min(len(roll.attack), len(roll.defence))
        for roll in fight.rolls
    )
    # all of a roll's attack dice come before its defence dice
    assert "".join(drawn) == "".join("A" * len(roll.attack) + "D" * len(roll.defence) for roll in fight.rolls)
