"""The worked examples of CQ-23 and the figures around them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.dice import Dice
from gm.games.conqueror.figures import (
    Lacking,
    Weight,
    base_labour,
    bill,
    cultural_gain,
    cultural_power,
    defender_wins,
    fought,
    gained,
    in_field_and_siege,
    labour,
    lost,
    new_capital,
    rebellion_percent,
    rebels,
    rush_price,
    score,
    support,
    why_not_make,
    winter,
    with_losses,
)
from gm.games.conqueror.state import NEUTRAL, Player
from tests.conqueror.powers import board, province, rules

# -- labour and gold -------------------------------------------------------------------------------------------------


@pytest.mark.clause("CQ-23.1", "CQ-8.1", "CQ-8.2")
def test_base_labour() -> None:
    assert base_labour(province()) == 6
    assert base_labour(province(resources=2)) == 10
    assert base_labour(province(culture=1)) * 2 == base_labour(province())


@pytest.mark.clause("CQ-23.2", "CQ-8.3", "CQ-8.4", "CQ-8.5", "CQ-8.6")
def test_control_doubles_it_and_conquest_halves_it() -> None:
    assert [labour(province(resources=more), 5, rules()) for more in (0, 2)] == [12, 20]
    conquered = [province(resources=more, control=0, conquered_on=5) for more in (0, 2)]
    assert [labour(each, 5, rules()) for each in conquered] == [3, 5]
    assert [labour(each, 6, rules()) for each in conquered] == [3, 5]
    assert [labour(each, 7, rules()) for each in conquered] == [6, 10]


@pytest.mark.clause("CQ-8.4", "CQ-13.3")
def test_control_below_twenty_adds_nothing() -> None:
    assert labour(province(population=10, control=19), 1, rules()) == 20
    assert labour(province(population=10, control=20), 1, rules()) == 24


@pytest.mark.clause("CQ-8.7", "CQ-8.8")
def test_a_neutral_province_works_half_and_every_province_works_a_little() -> None:
    assert labour(province(owner=NEUTRAL), 1, rules()) == 6
    assert labour(province(population=0, control=0), 1, rules()) == 1
    assert labour(province(population=1, culture=1, control=50), 1, rules()) == 1  # 1.5, rounded down


@pytest.mark.clause("CQ-8.9")
def test_words_for_productivity() -> None:
    words = [rules().productivity_word(many) for many in (1, 4, 5, 9, 10, 14, 15, 19, 20, 99)]
    assert words == [word for word in ("barely", "somewhat", "moderately", "highly", "extremely") for _ in range(2)]


@pytest.mark.clause("CQ-9.5", "CQ-9.4")
def test_farms_cost_the_square_of_the_population_they_lead_to() -> None:
    assert [rules().items["farms"].price(population) for population in (1, 2, 3)] == [4, 9, 16]


@pytest.mark.clause("CQ-23.8", "CQ-11.2", "CQ-11.4")
def test_what_gold_pays_for_at_once() -> None:
    primitive = province(culture=1, stored={"fort": 20})
    assert rush_price(primitive, "fort", rules()) == 60
    assert [rush_price(province(culture=level), "recruit", rules()) for level in (1, 2, 3)] == [10, 8, 7]
    assert rush_price(province(stored={"recruit": 9}), "recruit", rules()) == 0


@pytest.mark.clause("CQ-9.3", "CQ-9.6", "CQ-9.7", "CQ-20.5")
@pytest.mark.parametrize(
    ("item", "culture", "fort", "lacks"),
    [
        ("taxes", 1, 0, None),
        ("fort", 1, 0, None),
        ("fort", 1, 1, Lacking("nothing", 1)),
        ("keep", 2, 0, Lacking("works", 1)),
        ("keep", 1, 1, Lacking("culture", 2)),
        ("keep", 2, 1, None),
        ("castle", 3, 2, None),
        ("castle", 2, 2, Lacking("culture", 3)),
        ("diplomat", 1, 0, Lacking("culture", 2)),
        ("develop", 1, 0, None),
        ("develop", 2, 0, Lacking("nothing", 2)),
        ("advance", 1, 0, Lacking("culture", 2)),
        ("advance", 2, 0, None),
        ("advance", 3, 0, Lacking("nothing", 3)),
    ],
)
def test_what_a_province_may_make(item: str, culture: int, fort: int, lacks: Lacking | None) -> None:
    assert why_not_make(province(culture=culture, fort=fort), item, rules()) == lacks


# -- battles ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CQ-23.3", "CQ-7.5", "CQ-7.8")
def test_eight_defenders_of_a_castle_stand_five_in_the_field_and_three_inside() -> None:
    assert in_field_and_siege(8, 3, rules()) == (5, 3)
    assert in_field_and_siege(2, 3, rules()) == (0, 2)
    assert in_field_and_siege(4, 0, rules()) == (4, 0)


@pytest.mark.clause("CQ-7.3", "CQ-7.4", "CQ-7.6", "CQ-7.7")
def test_the_defender_wins_eleven_of_twenty_one_and_more_behind_walls() -> None:
    def share(fort: int) -> Fraction:
        faces = rules().duel.attacker + rules().duel.defender[fort]
        wins = sum(defender_wins(fort, rules(), lambda n, at=at: at) for at in range(faces))  # type: ignore[misc]
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


@pytest.mark.clause("CQ-7.8", "CQ-5.4")
def test_armies_that_have_moved_fall_first() -> None:
    fallen = with_losses(province(fresh=3, moved=2), 3)
    assert (fallen.fresh, fallen.moved) == (2, 0)


@pytest.mark.clause("CQ-15.2", "CQ-15.3", "CQ-15.1")
def test_people_without_troops_among_them_may_rebel() -> None:
    crowded = province(population=4, fresh=1, control=10)
    assert (rebels(crowded), rebellion_percent(crowded, rules())) == (3, 60)
    assert rebellion_percent(province(population=9, fresh=0, control=10), rules()) == 90
    assert rebellion_percent(province(population=4, fresh=1, control=20), rules()) == 30
    assert rebellion_percent(province(population=4, fresh=1, control=40), rules()) == 0
    assert rebellion_percent(province(population=4, fresh=4, control=0), rules()) == 0


# -- influence -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CQ-13.1", "CQ-13.2", "CQ-13.3")
def test_words_for_influence() -> None:
    own = [rules().control_word(points) for points in (0, 19, 20, 40, 60, 80, 100)]
    assert own == ["rebellious", "rebellious", "restless", "content", "supportive", "devoted", "devoted"]
    foreign = [rules().control_word(points, own=False) for points in (0, 20, 40, 60, 80)]
    assert foreign == ["hostile", "suspicious", "neutral", "sympathetic", "friendly"]


@pytest.mark.clause("CQ-23.5", "CQ-14.3", "CQ-14.4")
def test_a_diplomat_among_five_players_costs_the_others_two_each() -> None:
    seats = ("a", "b", "c", "d", "e")
    before = {NEUTRAL: 20, "a": 20, "b": 15, "c": 15, "d": 15, "e": 15}
    assert gained(before, "a", 10, seats) == {NEUTRAL: 18, "a": 30, "b": 13, "c": 13, "d": 13, "e": 13}


@pytest.mark.clause("CQ-14.4")
def test_who_has_nothing_is_passed_over_and_the_local_leaders_pay_first() -> None:
    assert gained({NEUTRAL: 3, "a": 90, "b": 0, "c": 7}, "a", 7, ("a", "b", "c")) == {
        NEUTRAL: 0,
        "a": 97,
        "b": 0,
        "c": 3,
    }
    assert gained({NEUTRAL: 2, "a": 97, "b": 1}, "a", 1, ("a", "b")) == {NEUTRAL: 1, "a": 98, "b": 1}


@pytest.mark.clause("CQ-14.5", "CQ-14.6")
def test_what_is_lost_goes_to_the_local_leaders_and_stops_at_nothing() -> None:
    assert lost({NEUTRAL: 0, "a": 4, "b": 96}, "a", 10) == {NEUTRAL: 4, "a": 0, "b": 96}
    assert lost({NEUTRAL: 100}, NEUTRAL, 10) == {NEUTRAL: 100}


@pytest.mark.clause("CQ-3.4", "CQ-14.4")
@given(
    st.lists(st.integers(0, 100), min_size=4, max_size=4).filter(any),
    st.integers(0, 140),
    st.sampled_from([NEUTRAL, "a", "b", "c"]),
)
def test_influence_always_adds_up_and_is_paid_point_by_point(shares: list[int], points: int, party: str) -> None:
    seats = ("a", "b", "c")
    before = dict(zip((NEUTRAL, *seats), shares, strict=True))
    after = gained(before, party, points, seats)
    assert sum(after.values()) == sum(before.values())
    assert min(after.values()) >= 0
    # the clause's own words, one point at a time round the cycle
    slow, left = dict(before), points
    for payer in (each for _ in count() for each in (NEUTRAL, *seats)):
        if not left or sum(slow.values()) == slow[party]:
            break
        if payer != party and slow[payer]:
            slow[payer] -= 1
            slow[party] += 1
            left -= 1
    assert after == slow
    assert sum(lost(before, party, points).values()) == sum(before.values())


@pytest.mark.clause("CQ-23.6", "CQ-16.1")
def test_cultural_power() -> None:
    assert cultural_power(2, 100, 0, rules()) == 200
    assert cultural_power(1, 50, 2, rules()) == 40


@pytest.mark.clause("CQ-23.7", "CQ-16.3", "CQ-16.4")
def test_what_one_culture_gains_in_the_next() -> None:
    assert cultural_gain(1, Weight(400, 1, 3), Weight(100, 1, 3), rules()) == 4
    assert cultural_gain(1, Weight(400, 1, 3), Weight(100, 2, 3), rules()) == 2
    assert cultural_gain(1, Weight(200, 3, 3), Weight(-10, 1, 1), rules()) == 100  # as far as the cap
    gentle = rules().evolve(knobs=rules().knobs.evolve(influence_cap=10))
    assert cultural_gain(6, Weight(200, 3, 3), Weight(10, 1, 1), gentle) == 10


# -- books -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CQ-23.4", "CQ-12.3")
def test_armies_beyond_the_population_cost_more_the_farther_away() -> None:
    assert support(province(fresh=6), 1) == 6
    assert support(province(fresh=3), 1) == support(province(population=9, fresh=9), 4) == 0
    assert support(province(fresh=6), 0) == 3


@pytest.mark.clause("CQ-12.5", "CQ-12.6", "CQ-12.4")
def test_unpaid_armies_leave_from_the_farthest_excess_first() -> None:
    owned = [
        province("ARDEN", fresh=5),
        province("BRAY", fresh=4, population=1),
        province("ESK", fresh=3, population=1),
    ]
    # 2 at 1 each, 3 at 2 each, 2 at 3 each
    assert bill("ARDEN", owned, board()) == 14
    assert winter("ARDEN", 14, owned, board()) == (14, {})
    assert winter("ARDEN", 9, owned, board()) == (8, {"ESK": 2})
    assert winter("ARDEN", 3, owned, board()) == (2, {"ESK": 2, "BRAY": 3})
    assert winter("ARDEN", 0, owned, board()) == (0, {"ESK": 2, "BRAY": 3, "ARDEN": 2})


@pytest.mark.clause("CQ-12.6")
def test_at_equal_distance_the_larger_excess_leaves_first() -> None:
    owned = [province("BRAY", fresh=4), province("CLUN", fresh=5), province("ARDEN", fresh=0)]
    assert winter("ARDEN", 4, owned, board()).deserted == {"CLUN": 1}
    assert winter("ARDEN", 2, owned, board()).deserted == {"CLUN": 1, "BRAY": 1}


@pytest.mark.clause("CQ-23.8", "CQ-17.3", "CQ-17.4")
def test_a_fresh_players_score() -> None:
    player = Player(code="ARDEN", name="Arden", colour="#b3261e", capital="ARDEN", gold=20)
    assert score(player, [province()], rules()) == 54
    assert score(player.evolve(gold=21), [province(fort=2, resources=1)], rules()) == 58
    assert score(player.evolve(capital=None), [], rules()) == 0


@pytest.mark.clause("CQ-7.11")
def test_a_fallen_capital_moves_to_the_best_province_left() -> None:
    owned = [province("ESK", fresh=1), province("BRAY"), province("CLUN")]
    assert new_capital(owned, rules()) == "BRAY"
    assert new_capital([], rules()) is None


@pytest.mark.clause("CQ-17.1", "CQ-17.2")
def test_prestige_follows_provinces() -> None:
    ranks = [rules().prestige_of(many) for many in (0, 1, 3, 4, 7, 8, 11, 12, 16, 17, 22, 23, 44)]
    assert ranks == [1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]


@pytest.mark.clause("CQ-1.1", "CQ-1.3")
def test_four_seasons_make_a_year() -> None:
    assert [(rules().season(turn), rules().year(turn)) for turn in (1, 4, 5)] == [
        ("spring", 859),
        ("winter", 859),
        ("spring", 860),
    ]
    assert [turn for turn in range(1, 9) if rules().is_winter(turn)] == [4, 8]


# -- maps ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CQ-25.1", "CQ-2.2")
def test_the_map_of_europe() -> None:
    europe = board("europe859")
    assert (len(europe.provinces), sum(map(len, europe.neighbours.values())) // 2, len(europe.homes)) == (44, 77, 8)
    homes = list(europe.homes)
    assert min(europe.steps_from(one)[other] for one in homes for other in homes if one != other) >= 2
    assert Counter(each.culture for code, each in europe.provinces.items() if code not in homes)[1] == 33


@pytest.mark.clause("CQ-25.1", "CQ-12.4")
def test_steps_are_counted_over_any_land() -> None:
    assert board().steps_from("ARDEN") == {"ARDEN": 0, "BRAY": 1, "CLUN": 1, "DEAN": 2, "ESK": 2, "LORN": 3}
