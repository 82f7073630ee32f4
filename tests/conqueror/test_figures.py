"""The worked examples of CQ-23 and the figures around them."""

from collections import Counter
from fractions import Fraction
from itertools import chain, count, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.dice import Dice
from gm.games.conqueror.figures import fought, gained, in_field_and_siege
from gm.games.conqueror.state import NEUTRAL
from tests.conqueror.turns import board, rules


@pytest.mark.clause("CQ-7.3", "CQ-7.4", "CQ-7.6", "CQ-7.7")
def test_the_defender_wins_eleven_of_twenty_one_and_more_behind_walls() -> None:
    def share(fort: int) -> Fraction:
        faces = rules().duel.attacker + rules().duel.defender[fort]
        wins = sum(not fought(1, 1, fort, rules(), lambda n, at=at: at).taken for at in range(faces))  # type: ignore[misc]
        return Fraction(wins, faces)

    assert [share(fort) for fort in range(4)] == [
        Fraction(11, 21),
        Fraction(16, 26),
        Fraction(21, 31),
        Fraction(31, 41),
    ]


@pytest.mark.clause("CQ-7.1", "CQ-7.2", "CQ-7.5")
def test_the_field_falls_first_and_then_the_siege_begins() -> None:
    asked: list[int] = []

    def attackers_always_win(faces: int) -> int:
        asked.append(faces)
        return faces - 1

    fight = fought(9, 5, 2, rules(), attackers_always_win)
    assert asked == [21, 21, 21, 31, 31]
    assert (fight.taken, fight.attackers, fight.field, fight.siege) == (True, 9, (0, 3), (0, 2))


@pytest.mark.clause("CQ-5.6", "CQ-7.9")
def test_an_empty_province_falls_without_a_duel() -> None:
    fight = fought(1, 0, 3, rules(), lambda faces: pytest.fail("no duel is fought"))
    assert fight.taken


@pytest.mark.clause("CQ-7.1", "CQ-7.2")
@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 3), st.integers())
def test_a_battle_ends_when_one_side_is_gone_and_every_loss_is_told(
    attackers: int, armies: int, fort: int, seed: int
) -> None:
    fight = fought(attackers, armies, fort, rules(), Dice(str(seed))("battle").below)
    assert 0 in (fight.attackers, fight.defenders) or attackers == armies == 0
    assert fight.attackers == attackers - fight.field[0] - fight.siege[0]
    assert fight.defenders == armies - fight.field[1] - fight.siege[1]
    assert fight.siege == (0, 0) or fight.field[1] == in_field_and_siege(armies, fort, rules())[0]
    assert fight.taken == (fight.defenders == 0 and fight.attackers > 0)


@pytest.mark.clause("CQ-3.4", "CQ-14.4")
@given(
    st.lists(st.integers(0, 100), min_size=4, max_size=4).filter(any),
    st.integers(0, 140),
    st.sampled_from([NEUTRAL, "a", "b", "c"]),
)
def test_influence_always_adds_up_and_is_paid_point_by_point(
    shares: list[int], points: int, party: str
) -> None:
    seats = ("a", "b", "c")
    before = dict(zip((NEUTRAL, *seats), shares, strict=True))
    after = gained(before, party, points, seats)
    assert sum(after.values()) == sum(before.values())
    assert min(after.values()) >= 0
    # the clause's own words, one point at a time round the cycle
    slow = dict(before)
    left = points
    for payer in chain.from_iterable((NEUTRAL, *seats) for _ in count()):
        if not left or sum(slow.values()) == slow[party]:
            break
        if payer != party and slow[payer]:
            slow[payer] -= 1
            slow[party] += 1
            left -= 1
    assert after == slow
    assert sum(gained(before, NEUTRAL, points, (party,)).values()) == sum(before.values())


@pytest.mark.clause("CQ-25.1", "CQ-2.2")
def test_the_map_of_europe() -> None:
    europe = board("europe859")
    assert (len(europe.provinces), sum(map(len, europe.neighbours.values())) // 2, len(europe.homes)) == (
        44,
        77,
        8,
    )
    homes = list(europe.homes)
    assert min(europe.steps[one][other] for one, other in permutations(homes, 2)) >= 2
    assert (
        Counter(province.culture for code, province in europe.provinces.items() if code not in homes)[1] == 33
    )
