"""What holds in any game, whatever is ordered."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.pipeline import Outcome
from gm.game.base.events import LineSettled
from gm.game.base.position import NOBODY
from gm.game.values import GameData, View
from gm.games.conqueror.spec import SPEC
from gm.games.conqueror.state import ALL_INFLUENCE, NEUTRAL, World
from tests.conqueror.turns import GAME, opened, table
from tests.examples import examples
from tests.games.sound import played_soundly


def sheets_of(state: World, at: GameData, bots: dict[str, str], seed: str) -> dict[str, Any]:
    """What the bots of this position order, read like anybody's file."""
    sheets = {}
    for code in state.living:
        if not state.parties[code].human:
            continue
        visible = SPEC.seen(at, state, code)
        view = View(
            game=GAME, realm=code, turn=state.turn + 1, key="", seed=f"{seed} {code}", table=at, state=visible
        )
        data = SPEC.bots[bots.get(code, "random")].orders(view)
        reading = SPEC.read_orders(at, state, data, f"{code}.yaml", game=GAME, realm=code, key=None)
        assert reading.sheet is not None, (data, reading.diagnostics)
        if bots.get(code) == "steward":
            assert reading.diagnostics == (), (data, reading.diagnostics)
        sheets[code] = reading.sheet
    return sheets


def check_gold(before: World, outcome: Outcome[World]) -> None:
    """Every piece of gold that came or went was told."""
    change = Counter[str]()
    event: Any
    for event in outcome.events:
        if event.kind == "Bought":
            change[event.party] -= event.price
        elif event.kind == "Worked":
            change[event.party] += event.gold
        elif event.kind == "WinterPaid":
            change[event.party] -= event.paid
    for code, player in outcome.state.parties.items():
        assert player.gold == before.parties[code].gold + change[code], code


def check_provinces(before: World, after: World) -> None:
    """Influence adds up; what was built and who lives there never gets less."""
    for code, province in after.provinces.items():
        was = before.provinces[code]
        assert sum(province.influence.values()) == ALL_INFLUENCE
        assert province.population >= was.population
        assert province.culture >= was.culture
        assert province.fort >= was.fort
        assert province.resources == was.resources


def check_lines(sheets: Mapping[str, Any], outcome: Outcome[World]) -> None:
    """Every line of every party is settled once."""
    for code, sheet in sheets.items():
        orders = sheet.orders
        lines = [order.written.line for order in (*orders.moves, *orders.production, *orders.buy)]
        settled_lines = [
            event.line
            for event in outcome.events
            if isinstance(event, LineSettled) and event.audience == code
        ]
        assert sorted(lines) == sorted(settled_lines)


def check_armies(before: World, outcome: Outcome[World]) -> None:
    """Every army that came, went or fell was told."""
    total = sum(province.armies for province in before.provinces.values())
    event: Any
    for event in outcome.events:
        if event.kind == "Bought" and event.item == "recruit":
            total += event.count
        elif event.kind == "Worked" and event.item == "recruit":
            total += event.made
        elif event.kind == "NeutralsBuilt":
            total += sum(count for _, count in event.armies)
        elif event.kind == "Fought":
            total -= sum(event.field) + sum(event.siege)
        elif event.kind == "Rebelled":
            total += event.left if event.won else 0
            total -= event.field[1] + event.siege[1]
        elif event.kind == "Deserted":
            total -= event.armies
    assert total == sum(province.armies for province in outcome.state.provinces.values())


@examples(50)
@given(
    st.sampled_from(["duchies", "duchies", "europe859"]),
    st.text("abc", min_size=1, max_size=5),
    st.integers(1, 10),
    st.booleans(),
    st.sampled_from([{}, {"rush_armies_can_move": True, "diplomat_range": 1}, {"influence_cap": 3}]),
)
@pytest.mark.clause("CQ-3.4", "CQ-4.7", "CQ-4.8", "CQ-5.3", "CQ-14.6", "CQ-21.3")
def test_in_any_game_gold_armies_and_influence_add_up(
    name: str, seed: str, turns: int, alone: bool, given_settings: dict[str, Any]
) -> None:
    at = table(name)
    state = opened(name, seed=seed, **given_settings)
    first, second = list(state.parties)[:2]
    bots = {first: "steward"}
    if alone:
        state = state.with_party(second, controller=NOBODY)
    for _ in range(turns):
        sheets = sheets_of(state, at, bots, seed)
        outcome = played_soundly(SPEC, at, state, sheets, seed)
        after = outcome.state
        check_gold(state, outcome)
        check_armies(state, outcome)
        check_provinces(state, after)
        check_lines(sheets, outcome)
        if after.winners is not None:
            break
        state = after


@examples(25)
@given(st.text("abc", min_size=1, max_size=5), st.integers(1, 8))
@pytest.mark.clause("CQ-22.2")
def test_what_a_player_sees_is_a_position_like_any_other(seed: str, turns: int) -> None:
    at = table()
    state = opened(seed=seed)
    for _ in range(turns):
        state = SPEC.play(at, state, sheets_of(state, at, {}, seed), seed).state
        if state.winners is not None:
            break
    for code in state.parties:
        visible = SPEC.seen(at, state, code)
        assert SPEC.seen(at, visible, code) == visible
        assert SPEC.state(SPEC.record(visible)) == visible
        assert all(
            sum(province.influence.values()) == ALL_INFLUENCE for province in visible.provinces.values()
        )
        assert all(
            province.control == state.provinces[name].control for name, province in visible.provinces.items()
        )


@pytest.mark.clause("CQ-18.4", "CQ-18.2")
def test_the_program_plays_as_the_computer_does() -> None:
    """A seat that the bot plays by files, and one that the computer plays, do the same where nothing is
    tied.
    """
    at = table()
    state = opened(seed="x")
    by_file = SPEC.play(
        at, state, sheets_of(state, at, dict.fromkeys(state.parties, "steward"), "x"), "dice"
    ).state
    alone = state.with_party("LORN", controller=NOBODY)
    by_itself = SPEC.play(at, alone, sheets_of(alone, at, {"ARDEN": "steward"}, "x"), "dice").state
    assert by_file.provinces == by_itself.provinces


@pytest.mark.slow
def test_stewards_fight_and_somebody_comes_out_on_top() -> None:
    at = table("europe859")
    state = opened("europe859", seed="long")
    for turn in range(40):
        if state.winners is not None:
            break
        sheets = sheets_of(state, at, dict.fromkeys(state.parties, "steward"), f"long {turn}")
        state = SPEC.play(at, state, sheets, f"long {turn}").state
    assert state.winners
    assert max(len(state.owned(code)) for code in state.parties) > 8
    assert any(province.owner != NEUTRAL for province in state.provinces.values())
