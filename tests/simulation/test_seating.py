"""Who plays which realm: what can be typed, and that bots which take turns are spread evenly."""

import re
from collections import Counter
from itertools import product

import pytest

from gm.simulation.seating import Seating, read_seating, seats_of

BOTS = ("builder", "conqueror", "raider")
REALMS = tuple(f"R{number:02}" for number in range(23))


@pytest.mark.parametrize(
    ("typed", "rotating", "fixed"),
    [
        ("conqueror", ("conqueror",), {}),
        ("conqueror,builder", ("conqueror", "builder"), {}),
        (" conqueror , conqueror ", ("conqueror",), {}),
        ("raider,builder,raider", ("raider", "raider", "builder"), {}),
        ("raider * 2, builder, raider", ("raider", "raider", "raider", "builder"), {}),
        ("raider*2,builder*2", ("raider", "builder"), {}),
        ("rotate", BOTS, {}),
        ("rotate,raider", ("builder", "conqueror", "raider", "raider"), {}),
        ("R03=raider,builder", ("builder",), {"R03": "raider"}),
        ("r03=raider, R05 = builder, rotate", BOTS, {"R03": "raider", "R05": "builder"}),
    ],
)
def test_what_can_be_typed(typed: str, rotating: tuple[str, ...], fixed: dict[str, str]) -> None:
    seating = read_seating(typed, BOTS, REALMS)
    assert seating == Seating(rotating, fixed)
    assert read_seating(",".join(seating.bots), BOTS, REALMS) == seating


def test_bots_of_ones_own_are_typed_with_a_number_too_but_for_commands_that_may_have_a_star_in_them() -> None:
    typed = "my_bots:Careful*2,raider,program:python bot.py *2,program:python bot.py *2"
    seating = read_seating(typed, BOTS, REALMS, bool)
    assert Counter(seating.rotating) == {"my_bots:Careful": 2, "raider": 1, "program:python bot.py *2": 2}
    assert read_seating(",".join(seating.bots), BOTS, REALMS, bool) == seating


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("conquerer", "there is no bot 'conquerer'; did you mean 'conqueror'?"),
        ("zzz", "there is no bot 'zzz'; there are builder, conqueror, raider"),
        ("", "there is no bot ''"),
        ("R3=raider,builder", "this map has no realm 'R3'"),
        ("R03=rotate", "there is no bot 'rotate'"),
        ("raider*0", "a number from 1 to 23 says how often a bot plays, not '0'"),
        ("raider*24", "not '24'"),
        ("raider*", "not ''"),
        ("raider*x", "not 'x'"),
        ("raidre*2", "there is no bot 'raidre'; did you mean 'raider'?"),
        ("R03=raider*2,builder", "there is no bot 'raider*2'"),
        ("R03=raider,R03=builder,raider", "R03 gets two bots, raider and builder"),
        ("R03=raider", "nobody plays R00, R01"),
    ],
)
def test_what_cannot_be_typed_is_told_with_the_nearest_name(typed: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        read_seating(typed, BOTS, REALMS)


def test_bots_that_think_longer_play_where_they_are_named_and_do_not_rotate() -> None:
    assert read_seating("rotate,king", BOTS, REALMS, None, ("king",)) == Seating((*BOTS, "king"), {})
    assert read_seating("rotate", BOTS, REALMS, None, ("king",)) == Seating(BOTS, {})
    assert read_seating("all", BOTS, REALMS, None, ("king",)) == Seating((*BOTS, "king"), {})
    with pytest.raises(ValueError, match="did you mean 'king'"):
        read_seating("kong", BOTS, REALMS, None, ("king",))


def test_who_is_typed_more_often_plays_more_realms_and_every_realm_once_a_round() -> None:
    seating = read_seating("king,conqueror*22", BOTS, REALMS, None, ("king",))
    games = [seats_of(seating, REALMS, "s", number) for number in range(1, 24)]
    assert all(list(seats.values()).count("conqueror") == 22 for seats in games)
    assert sorted(code for seats in games for code, bot in seats.items() if bot == "king") == sorted(REALMS)


def test_all_seats_may_be_fixed() -> None:
    typed = ",".join(f"{code}=raider" for code in REALMS)
    seating = read_seating(typed, BOTS, REALMS)
    assert seats_of(seating, REALMS, "s", 1) == dict.fromkeys(REALMS, "raider")


def test_in_each_round_every_bot_plays_every_realm_once() -> None:
    seating = Seating(BOTS, {})
    for first in (1, 4, 7, 28):
        games = [seats_of(seating, REALMS, "s", number) for number in range(first, first + 3)]
        for realm in REALMS:
            assert sorted(game[realm] for game in games) == sorted(BOTS)


def test_in_each_game_the_bots_have_as_many_realms_as_each_other() -> None:
    for number in range(1, 20):
        counts = Counter(seats_of(Seating(BOTS, {}), REALMS, "s", number).values())
        assert set(counts) == set(BOTS)
        assert max(counts.values()) - min(counts.values()) <= 1


def test_neighbours_change_from_round_to_round_and_with_the_seed() -> None:
    seating = Seating(BOTS, {})
    games = [
        tuple(seats_of(seating, REALMS, seed, number).items())
        for seed, number in product("ab", (1, 4, 7, 10))
    ]
    assert len(set(games)) == len(games)
    assert games[0] == tuple(seats_of(seating, REALMS, "a", 1).items())


def test_fixed_seats_stay_and_the_others_take_turns() -> None:
    seating = Seating(("builder", "raider"), {"R00": "conqueror"})
    games = [seats_of(seating, REALMS, "s", number) for number in (1, 2)]
    assert [game["R00"] for game in games] == ["conqueror", "conqueror"]
    assert all({game[realm] for game in games} == {"builder", "raider"} for realm in REALMS[1:])
    assert list(games[0]) == list(REALMS)
