"""Annexation, proclamations, limits, defeat, victory, missing players and the season (L15-L20, V1-V3, W9)."""

from decimal import Decimal
from itertools import chain, combinations
from typing import Any

import pytest
from msgspec.structs import replace

from gm.games.medieval.data.rules import season_of
from gm.games.medieval.events.final import GameScored, ProvinceAnnexed, SeasonEnded, VictoryNear, VictoryWon
from gm.games.medieval.orders.model import Annex, Orders, Proclamation, SendGold, Written
from gm.games.medieval.state import INDEPENDENTS, World, pair
from gm.games.medieval.steps.economy import flagged_words, why_not_proclaim, why_not_send_gold
from gm.games.medieval.steps.movement import march_cost, why_not_march
from gm.games.medieval.steps.outcomes import OrderSettled
from gm.games.medieval.steps.provinces import provinces_annexed
from gm.games.medieval.steps.realms import (
    CityCount,
    largest_alliances,
    scores,
    victory_checked,
    victory_turns,
)
from gm.games.medieval.steps.turn import Workspace
from tests.medieval.marks import taken
from tests.medieval.testland import (
    PROVINCES,
    REALMS,
    Played,
    atlas,
    make_turn,
    make_world,
    rules,
    run_steps,
    unit,
)

# seven cities: London, Paris, Bordeaux, Zeeland, Scania, Riga, Minsk; four are more than half
FOUR = {"Paris": "ENG", "Bordeaux": "ENG", "Zeeland": "ENG"}


def end_of_turns(world, count: int, *before):
    for _ in range(count):
        played = run_steps(world, [*before, victory_checked], phase=0)
        world = played.world.evolve(turn=played.world.turn + 1)
    return played


@pytest.mark.clause("V1")
def test_less_than_half_is_not_enough_and_a_lost_turn_starts_anew():
    three = make_world(owners={"Paris": "ENG", "Bordeaux": "ENG"})
    assert not end_of_turns(three, 3).events[0].kind.startswith("Victory")
    assert not end_of_turns(three, 3).world.winners
    near = end_of_turns(make_world(owners=FOUR), 1).world.evolve(turn=1)
    lost = run_steps(near, [taken("Paris", "FRA"), victory_checked], phase=0)
    assert not lost.world.victory_turns
    won_back = run_steps(lost.world.evolve(turn=2), [taken("Paris", "ENG"), victory_checked], phase=0)
    assert won_back.world.victory_turns == {"ENG": 1}
    assert not won_back.world.winners


@pytest.mark.clause("V1")
def test_a_fixed_last_turn_ends_the_game_with_scores():
    world = make_world(owners={"Paris": "ENG"})
    turn = make_turn(world)
    ending = rules().evolve(victory=rules().victory.evolve(last_turn=1, score_city=3, score_province=1))
    outcome = victory_checked(replace(turn, rules=ending))
    (scored,) = [event for event in outcome.events if isinstance(event, GameScored)]
    assert scored.scores[0] == ("ENG", 9)  # London, Kent and Paris, two of them with cities
    assert outcome.state.winners == ("ENG",)
    later = victory_checked(replace(turn, rules=ending.evolve(victory=ending.victory.evolve(last_turn=2))))
    assert not later.state.winners


@pytest.mark.clause("V1")
def test_all_largest_alliances_are_found():
    realms = frozenset("ABCDE")
    alliances = largest_alliances(realms, frozenset({("A", "B"), ("A", "C"), ("B", "C"), ("C", "D")}))
    assert [sorted(alliance) for alliance in alliances] == [["A", "B", "C"], ["C", "D"], ["E"]]


@pytest.mark.clause("W9", "L20")
def test_a_turn_is_a_season_four_a_year_from_1320():
    assert [season_of(turn, rules()) for turn in (1, 2, 4, 5)] == [
        ("spring", 1320),
        ("summer", 1320),
        ("winter", 1320),
        ("spring", 1321),
    ]
    (ended,) = run_steps(make_world(turn=3), [victory_checked], phase=0).only(SeasonEnded)
    assert (ended.season, ended.year, ended.next_season, ended.next_year) == ("winter", 1320, "spring", 1321)


HERE = Written(1, 1, "order")


def annexing(limit: int, lands: dict[str, tuple[str, str | None]], **names: list[str]) -> Played:
    """``lands``: (owner, annexed to) of some provinces; all others are annexed to nobody."""
    everywhere = {name: {"annexed_to": None} for name in make_world().provinces}
    owned = {name: {"owner": owner, "annexed_to": to} for name, (owner, to) in lands.items()}
    world = make_world(provinces={**everywhere, **owned}, realms={code: {"treasury": 999} for code in names})
    sheets = {
        realm: Orders(realm, 1, headquarters=tuple(Annex(HERE, province) for province in provinces))
        for realm, provinces in names.items()
    }
    turn = make_turn(world, sheets)
    rows = {status: row.evolve(annexed_provinces=limit) for status, row in rules().statuses.items()}
    turn = replace(turn, rules=rules().evolve(statuses=rows))
    outcome = provinces_annexed(turn.at_step("annexing", 0))
    return Played(turn.state, outcome.state, outcome.events)


def reasons(played: Played, realm: str) -> list[str]:
    return [event.reason for event in played.only(OrderSettled) if event.audience == realm]


@pytest.mark.clause("L6", "V2")
def test_what_is_annexed_this_turn_counts_for_the_limit_of_the_next_order() -> None:
    played = annexing(2, {}, ENG=["London", "Kent", "London"])
    assert reasons(played, "ENG") == ["", "", "annexation-limit"]
    third = annexing(2, {"Savoy": ("ENG", None)}, ENG=["London", "Kent", "Savoy"])
    assert reasons(third, "ENG") == ["", "", "annexation-limit"]
    assert [event.formerly for event in third.only(ProvinceAnnexed)] == ["", ""]


@pytest.mark.clause("L6", "V2")
def test_who_loses_an_annexation_may_annex_another_province_in_its_place() -> None:
    played = annexing(1, {"Kent": ("ENG", "FRA")}, ENG=["Kent"], FRA=["Reims", "Paris"])
    assert reasons(played, "ENG") == [""]
    assert reasons(played, "FRA") == ["", "annexation-limit"]
    assert [event.formerly for event in played.only(ProvinceAnnexed)] == ["FRA", ""]


@pytest.mark.clause("L6")
def test_a_province_is_annexed_once() -> None:
    played = annexing(9, {}, ENG=["Kent", "Kent"])
    assert reasons(played, "ENG") == ["", "annexed-already"]
    assert played.world.realms["ENG"].treasury == 999 - atlas().locations["Kent"].revenue


@pytest.mark.clause("P4")
def test_what_a_march_costs_can_be_asked_before_a_turn_begins() -> None:
    assert march_cost(make_world(), rules(), "ENG", "Kent") == rules().movement.march_permitted


@pytest.mark.clause("M9")
def test_nobody_marches_off_a_fleet() -> None:
    army = unit("ENG/A1", "London", {"Men-at-Arms": 1}, aboard="ENG/F1")
    turn = make_turn(make_world(army, unit("ENG/F1", "London", {"Carrack": 1})))
    refusal = why_not_march(Workspace(turn), army, "Kent")
    assert refusal is not None
    assert refusal.reason == "aboard-fleet"


LIMIT = rules().economy.proclamation_length


@pytest.mark.clause("L13")
def test_a_proclamation_may_be_as_long_as_the_limit_and_no_longer() -> None:
    assert (
        why_not_proclaim(Proclamation(HERE, "x" * LIMIT), earlier=False, rejected=False, rules=rules())
        is None
    )
    refusal = why_not_proclaim(
        Proclamation(HERE, "x" * (LIMIT + 1)), earlier=False, rejected=False, rules=rules()
    )
    assert refusal is not None
    assert (refusal.reason, refusal.figures["has"]) == ("proclamation-too-long", LIMIT + 1)


@pytest.mark.clause("L13")
def test_words_are_flagged_whatever_stands_around_them() -> None:
    word = rules().economy.flagged_words[0]
    for text in (word, f"Oh,{word.upper()}!", f"({word})"):
        assert flagged_words(text, rules()) == (word,)
    assert flagged_words(f"{word}x", rules()) == ()


@pytest.mark.clause("L2")
def test_gold_reaches_a_garrison_and_not_an_army() -> None:
    world = make_world(unit("LIT/A1", "Kent", {"Men-at-Arms": 1}))
    order = SendGold(HERE, "LIT", Decimal(1))
    refusal = why_not_send_gold(world, "ENG", order, frozenset({"Kent", "London"}))
    assert refusal is not None
    assert refusal.reason == "gold-no-way"
    assert why_not_send_gold(world, "ENG", order, frozenset({"Minsk"})) is None


ENG = frozenset({"ENG"})
BOTH = frozenset({"AQU", "ENG"})

"""With London more than half of the seven cities."""


def checked(world: World, **victory: Any) -> Played:
    turn = make_turn(world)
    outcome = victory_checked(replace(turn, rules=rules().evolve(victory=rules().victory.evolve(**victory))))
    return Played(turn.state, outcome.state, outcome.events)


@pytest.mark.clause("V1")
@pytest.mark.parametrize(
    ("cities", "total", "enough"), [(4, 8, True), (50, 101, False), (3, 7, False), (0, 0, False)]
)
def test_half_of_all_cities_is_enough_and_half_of_none_is_not(
    cities: int, total: int, *, enough: bool
) -> None:
    assert CityCount({"ENG": cities}, frozenset(), total).suffices(ENG, rules()) is enough


@pytest.mark.clause("V1")
def test_cities_count_together_for_allies_only() -> None:
    cities = {"ENG": 4, "AQU": 4}
    assert CityCount(cities, frozenset({pair("AQU", "ENG")}), 8).suffices(BOTH, rules())
    assert not CityCount(cities, frozenset(), 8).suffices(BOTH, rules())


@pytest.mark.clause("V1")
def test_the_largest_alliances_are_those_that_a_search_through_all_sets_finds() -> None:
    codes = "ABCDE"
    every = list(map(frozenset, chain.from_iterable(combinations(codes, size) for size in range(1, 6))))
    pairs = list(combinations(codes, 2))
    for drawn in range(0, 1 << len(pairs), 3):
        allied = frozenset(pair for index, pair in enumerate(pairs) if drawn >> index & 1)
        whole = [
            group
            for group in every
            if all(combination in allied for combination in combinations(sorted(group), 2))
        ]
        largest = [group for group in whole if not any(group < other for other in whole)]
        assert largest_alliances(frozenset(codes), allied) == sorted(largest, key=sorted)


@pytest.mark.clause("V1", "L20")
def test_turns_are_counted_for_an_alliance_as_for_a_realm_and_told_in_one_order() -> None:
    now = CityCount({"ENG": 4, "AQU": 4}, frozenset({pair("AQU", "ENG")}), 8)
    world = make_world(victory_turns={"AQU+ENG": 3, "ENG": 1, "AQU": 2}, allied=[("AQU", "ENG")])
    turns = victory_turns(world, now, None, rules())
    assert list(turns.items()) == [(BOTH, 4), (frozenset({"AQU"}), 3), (ENG, 2)]


@pytest.mark.clause("V1")
def test_a_game_that_is_won_is_won_by_nobody_else() -> None:
    played = checked(make_world(owners=FOUR, winners=("FRA",), victory_turns={"ENG": 5}))
    assert played.world.winners == ("FRA",)
    assert not played.only(VictoryNear)
    assert not played.only(VictoryWon)


@pytest.mark.clause("V1", "L20")
def test_who_has_won_by_cities_is_not_scored_against_others_in_the_last_turn() -> None:
    played = checked(make_world(owners=FOUR, victory_turns={"ENG": 5}), last_turn=1)
    assert [event.realms for event in played.only(VictoryWon)] == [("ENG",)]
    assert not played.only(GameScored)


@pytest.mark.clause("V1")
def test_equal_scores_win_together_and_stand_in_the_order_of_their_codes() -> None:
    nobodys = make_world(
        owners={name: INDEPENDENTS for name, *_ in PROVINCES}, realms={"TEU": {"defeated": True}}
    )
    world = nobodys.evolve(realms=dict(reversed(nobodys.realms.items())))
    living = sorted(REALMS.keys() - {"TEU"})
    assert scores(world, atlas(), rules()) == tuple((code, 0) for code in living)
    played = checked(world, last_turn=1)
    assert [event.realms for event in played.only(VictoryWon)] == [tuple(living)]
