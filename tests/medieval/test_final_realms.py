"""Peace, alliances, limits, defeat, victory, missing players and the season (L15-L20, V1-V3, W9)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.games.medieval.data.rules import season_of
from gm.games.medieval.events.final import (
    GameScored,
    SeasonEnded,
)
from gm.games.medieval.steps.realms import (
    largest_alliances,
    victory_checked,
)
from tests.medieval.marks import taken
from tests.medieval.testland import make_turn, make_world, rules, run_steps

# -- L20, V1 -----------------------------------------------------------------------------------------------------------

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
    found = largest_alliances(realms, frozenset({("A", "B"), ("A", "C"), ("B", "C"), ("C", "D")}))
    assert [sorted(each) for each in found] == [["A", "B", "C"], ["C", "D"], ["E"]]


# -- V3, W9 ------------------------------------------------------------------------------------------------------------


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
