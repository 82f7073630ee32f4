"""What is true of any turn of CONQUEST 0.0.2, with any orders (CS-3.6, CS-9.10, CS-9.16, CS-15.2)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.game.base.events import Written
from gm.game.base.reading import BaseOrders
from gm.game.values import NewGameRequest
from gm.games.conquest_structures.orders import Hold, Item, Move, Orders
from gm.games.conquest_structures.spec import SPEC
from gm.games.conquest_structures.state import NEUTRAL, Conquest, Unit
from tests.examples import examples

MAP = "cross-21"
CHOSEN = SPEC.maps()[MAP]
FOUNDED = SPEC.founded(NewGameRequest(map=CHOSEN, seed="p"))
TABLE = FOUNDED.table
START: Conquest = SPEC.start(TABLE, CHOSEN, None)
PLACES = TABLE.board.structures
PARTIES = (*START.parties, NEUTRAL)


@st.composite
def positions(draw: Any) -> Conquest:
    """Any owners and units that may be, also many units in the middle of the map."""
    owners = dict(
        zip(PLACES, draw(st.lists(st.sampled_from(PARTIES), min_size=21, max_size=21)), strict=True)
    )
    owners |= {home: code for code, home in zip(START.parties, TABLE.board.homes, strict=True)}
    units = []
    for place in PLACES:
        for kind, marks in draw(
            st.lists(st.tuples(st.sampled_from(["infantry", "tank"]), st.integers(0, 3)), max_size=3)
        ):
            came = draw(st.sampled_from([None, *TABLE.board.neighbours(place)]))
            number = len(units) + 1
            units.append(
                Unit(number=number, owner=owners[place], type=kind, place=place, marks=marks, came_from=came)
            )
    return START.with_owners(owners).with_units(units).evolve(next_unit=len(units) + 1)


@st.composite
def turns(draw: Any) -> tuple[Conquest, dict[str, BaseOrders]]:
    """A position, and an order for most of the units."""
    state: Conquest = draw(positions())
    sheets = {}
    for code in state.parties:
        lines: list[Move | Hold] = []
        for unit in state.units_of(code):
            target = draw(st.sampled_from([None, *TABLE.board.neighbours(unit.place)]))
            written = Written(len(lines) + 5, 5, f"{unit.id} to {target}")
            items = (Item(number=unit.number),)
            lines.append(
                Move(written, items, unit.place, target) if target else Hold(written, items, unit.place)
            )
        sheets[code] = BaseOrders(code, 1, False, Orders(tuple(lines)))
    return state, sheets


@pytest.mark.clause("CS-3.6", "CS-9.11", "CS-9.16")
@examples(60)
@given(turn=turns())
def test_the_rounds_end_and_no_structure_holds_units_of_two_parties(
    turn: tuple[Conquest, dict[str, BaseOrders]],
) -> None:
    state, sheets = turn
    outcome = SPEC.play(TABLE, state, sheets, "seed")
    assert list(SPEC.broken(TABLE, outcome.state)) == []
    rounds = [event.round for event in outcome.events if event.kind == "FoughtAt"]  # type: ignore[attr-defined]
    assert max(rounds, default=0) <= len(state.units) * len(PLACES)


@examples(40)
@given(turn=turns())
def test_units_are_only_lost_by_being_destroyed_and_never_multiply(
    turn: tuple[Conquest, dict[str, BaseOrders]],
) -> None:
    state, sheets = turn
    outcome = SPEC.play(TABLE, state, sheets, "seed")
    destroyed = [event.unit for event in outcome.events if event.kind == "Destroyed"]  # type: ignore[attr-defined]
    assert len(set(destroyed)) == len(destroyed)
    before = {unit.id for unit in state.units.values()}
    assert {unit.id for unit in outcome.state.units.values()} == before - set(destroyed)
    for unit in outcome.state.units.values():
        was = state.units[unit.number]
        assert unit.type == was.type
        assert abs(unit.marks - was.marks) <= 1


@pytest.mark.clause("CS-15.2", "CS-9.10", "CS-1.1")
@examples(30)
@given(turn=turns(), order=st.permutations(list(START.parties)))
def test_the_order_of_files_and_of_seats_does_not_matter(
    turn: tuple[Conquest, dict[str, BaseOrders]], order: list[str]
) -> None:
    state, sheets = turn
    one = SPEC.play(TABLE, state, sheets, "seed")
    other = SPEC.play(TABLE, state, {code: sheets[code] for code in order}, "another seed")
    assert SPEC.record(one.state) == SPEC.record(other.state)
    assert one.events == other.events


@examples(30)
@given(turn=turns())
def test_winners_hold_what_they_won_and_a_bump_never_leads_back(
    turn: tuple[Conquest, dict[str, BaseOrders]],
) -> None:
    state, sheets = turn
    outcome = SPEC.play(TABLE, state, sheets, "seed")
    left: dict[str, set[str]] = {}
    for event in outcome.events:
        if event.kind == "Bumped":
            move: Any = event
            assert move.target not in left.get(move.unit, set())
            left.setdefault(move.unit, set()).add(move.place)
            assert TABLE.board.graph.borders(move.place, move.target)
