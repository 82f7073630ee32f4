"""Bots among themselves: whole games in which no order is refused, wars are fought, and somebody wins or
is ahead.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from gm.core.values import Event
from gm.core.yaml.models import load_data
from gm.game.bots import bot_seed
from gm.game.values import GameData
from gm.games.medieval.data.clauses_data import load_reasons
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled
from tests.medieval.botland import TEMPERS, asked, illegal, sheet_of

DECIDED_BY_OTHERS = frozenset(load_data(Path(__file__).parent / "data" / "decided-by-others.yaml")[0])
"""Reasons for which an order of a bot may fail in a turn with others: what it does about its own affairs
never does."""


@dataclass(frozen=True)
class PlayedTurn:
    """A turn of a game of bots."""

    before: World
    after: World
    bots: Mapping[str, str]
    seeds: Mapping[str, str]
    events: tuple[Event, ...]


def game(map_name: str, turns: int, names: tuple[str, ...]) -> Iterator[PlayedTurn]:
    """The turns of a game until somebody has won; every answer is read without a finding."""
    table = table_of(map_name)
    world = SPEC.start(table, SPEC.maps()[map_name], None)
    bots = {code: names[at % len(names)] for at, code in enumerate(world.realms)}
    for turn in range(1, turns + 1):
        seeds = {code: bot_seed("test", map_name, turn, code) for code in bots}
        living = [code for code in bots if not world.realms[code].defeated]
        sheets = {code: sheet_of(asked(bots[code], world, code, seeds[code], table)) for code in living}
        outcome = SPEC.play(table, world, sheets, f"turn {turn}")
        yield PlayedTurn(world, outcome.state, bots, seeds, tuple(outcome.events))
        world = outcome.state
        if SPEC.ended(table, world) is not None:
            return


def failures(played: PlayedTurn) -> list[str]:
    settled = (event for event in played.events if isinstance(event, OrderSettled))
    return [order.reason for order in settled if order.fate is not OrderOutcome.DONE]


@cache
def table_of(map_name: str) -> GameData:
    """A map of the program's with its rules."""
    return SPEC.shipped_table(map_name)


@cache
def short_game(map_name: str) -> tuple[PlayedTurn, ...]:
    """A game that several tests look at."""
    return tuple(game(map_name, 10, TEMPERS))


@pytest.mark.parametrize("map_name", ["minsk", "hexland"])
@pytest.mark.parametrize("turn", [0, 2, 5])
def test_in_a_game_no_order_of_a_bot_is_illegal(map_name: str, turn: int) -> None:
    played = short_game(map_name)
    played_turn = played[min(turn, len(played) - 1)]
    for code, bot in played_turn.bots.items():
        assert illegal(bot, played_turn.before, code, played_turn.seeds[code], table_of(map_name)) == []


@pytest.mark.parametrize("map_name", ["minsk", "hexland"])
def test_what_fails_in_a_game_has_failed_because_of_others(map_name: str) -> None:
    reasons = list(chain.from_iterable(failures(played) for played in short_game(map_name)))
    assert set(reasons) <= DECIDED_BY_OTHERS, Counter(reasons)


def test_the_reasons_that_excuse_a_bot_are_reasons_of_the_game() -> None:
    assert set(load_reasons()) >= DECIDED_BY_OTHERS


def test_bots_expand_fight_declare_war_and_land_from_the_sea() -> None:
    all_events = chain.from_iterable(
        played.events for played in (*short_game("minsk"), *short_game("hexland"))
    )
    events = Counter(event.kind for event in all_events)
    for kind in (
        "ProvinceConquered",
        "ProvinceAnnexed",
        "BattleFought",
        "TroopsBuilt",
        "WarDeclared",
        "ArmyUnloaded",
    ):
        assert events[kind], events


def test_a_world_stays_sound_through_a_game_of_bots() -> None:
    for played in short_game("minsk"):
        assert SPEC.broken(table_of("minsk"), played.after) == []


def test_a_conqueror_overruns_local_forces_on_minsk() -> None:
    last = list(game("minsk", 30, ("conqueror", "local-forces", "local-forces", "local-forces")))[-1]
    assert SPEC.ended(table_of("minsk"), last.after) == ("LIT",)


@pytest.mark.clause("N1")
def test_local_forces_among_themselves_live_in_peace_and_lose_nothing() -> None:
    played = list(game("minsk", 6, ("local-forces",)))
    events = chain.from_iterable(turn.events for turn in played)
    kinds = Counter(event.kind for event in events)
    assert [kinds[kind] for kind in ("ProvinceConquered", "WarDeclared", "BattleFought")] == [0, 0, 0]
    figures = SPEC.figures(table_of("minsk"), played[-1].after)
    start = SPEC.figures(table_of("minsk"), played[0].before)
    assert all(figures[code]["provinces"] == start[code]["provinces"] for code in figures)
    assert all(figures[code]["hit points"] > start[code]["hit points"] for code in figures)


@pytest.mark.long(25)
@pytest.mark.slow
def test_forty_turns_of_europe_end_with_a_victor_or_a_score_and_without_an_illegal_order() -> None:
    table = table_of("europe-1320")
    kinds: Counter[str] = Counter()
    played = None
    for number, played in enumerate(game("europe-1320", 40, TEMPERS)):
        kinds.update(event.kind for event in played.events)
        # three realms a turn, so that each is looked at several times
        codes = [code for code in played.bots if not played.before.realms[code].defeated]
        for at in range(3):
            code = codes[(3 * number + at) % len(codes)]
            assert illegal(played.bots[code], played.before, code, played.seeds[code], table) == [], (
                number + 1,
                code,
            )
        assert set(failures(played)) <= DECIDED_BY_OTHERS
    assert played is not None
    figures = SPEC.figures(table, played.after)
    best = max(figures, key=lambda code: figures[code]["score"])
    assert SPEC.ended(table, played.after) or figures[best]["score"] > 30
    assert kinds["WarDeclared"] > 5
    assert kinds["ArmyUnloaded"] > 20
    assert kinds["ProvinceConquered"] > 100


def test_the_columns_of_the_figures_are_the_same_for_all_and_the_first_is_the_score() -> None:
    last = short_game("minsk")[-1].after
    figures = SPEC.figures(table_of("minsk"), last)
    assert {tuple(row) for row in figures.values()} == {tuple(figures["LIT"])}
    assert next(iter(figures["LIT"])) == "score"
    points = table_of("minsk").rules.victory
    for code, row in figures.items():
        assert row["score"] == row["provinces"] * points.score_province + row["cities"] * points.score_city
        assert row["provinces"] == len(last.owned_by(code))
