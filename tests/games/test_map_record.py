"""Changes of the map in the records of turns, and the steps that a page has of them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.campaign.past import changed_until
from gm.core.values import PUBLIC
from gm.game.map_changes import ChangeKind, MapChange, map_changes
from gm.game.map_record import (
    CHANGED,
    MOST,
    SINGLE,
    Step,
    changes_record,
    compared_from,
    recorded_step,
    steps_for_page,
    together,
)
from gm.games import game_spec
from gm.games.conquest_structures.events import UnitsBuilt

OWNERS = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["LIT", "POL", "TEU"]))


def turn(number: int, hands: int, battles: int = 0) -> Step:
    """A turn with so many changes of hands and battles, each at a place of its own."""
    taken = (MapChange(ChangeKind.HANDS, (f"{number} {at}",), "POL", "LIT") for at in range(hands))
    fought = (MapChange(ChangeKind.BATTLE, (str(at),)) for at in range(battles))
    return Step(number - 1, (*taken, *fought))


def test_a_record_has_the_changes_and_things_in_words() -> None:
    record = {"hands": [["a", "", "LIT"]], "battles": [["a", "b"]], "built": [["a", "fort 2"]]}
    assert recorded_step(record, str.upper) == (
        MapChange(ChangeKind.HANDS, ("a",), "", "LIT"),
        MapChange(ChangeKind.BATTLE, ("a", "b")),
        MapChange(ChangeKind.BUILT, ("a",), what="FORT 2"),
    )


@given(st.lists(OWNERS, min_size=2))
def test_several_turns_together_are_the_comparison_of_the_first_position_with_the_last(
    positions: list[dict[str, str]],
) -> None:
    steps = [map_changes(before, after, ()) for before, after in pairwise(positions)]
    found = together(steps)
    assert {change.places: change for change in found} == {
        change.places: change for change in map_changes(positions[0], positions[-1], ())
    }


def test_turns_before_one_without_a_record_are_not_compared_with() -> None:
    """A game that an earlier version began."""
    changed = {number: {"hands": [], "name": f"turn {number}"} for number in (3, 4)}
    records = {1: {}, 2: {}} | {number: {CHANGED: record} for number, record in changed.items()}
    assert changed_until(4, records.__getitem__) == (changed[3], changed[4])
    assert changed_until(2, records.__getitem__) == ()


def test_all_turns_are_steps_while_there_is_room() -> None:
    turns = [turn(number, 3) for number in range(1, 301)]
    found = steps_for_page(turns[:-6], turns[-6:])
    assert [step.since for step in found] == list(range(300))
    assert compared_from(found) == 0


def test_a_battle_of_older_turns_is_told_the_last_time() -> None:
    turns = [turn(number, 0, 2) for number in range(1, 31)]
    found = steps_for_page(turns[:-6], turns[-6:])
    assert [len(step.changes) for step in found] == [0] * 23 + [2] * 7


def test_of_too_many_changes_the_last_turns_stay_whole_and_older_ones_are_tenths() -> None:
    turns = [turn(number, 30) for number in range(1, 301)]
    found = steps_for_page(turns[:-6], turns[-6:])
    since = [step.since for step in found]
    assert since[-SINGLE:] == list(range(300 - SINGLE, 300))
    assert since[:-SINGLE] == [240, 250, 260, 270][-len(since) + SINGLE :]
    assert len(since) > SINGLE
    assert sum(len(step.changes) for step in found) <= MOST
    assert found[-6:] == turns[-6:]
    assert compared_from(found) == 300 - SINGLE


def test_a_page_of_endless_wars_keeps_its_last_turns_alone() -> None:
    turns = [turn(number, MOST) for number in range(1, 31)]
    found = steps_for_page(turns[:-6], turns[-6:])
    assert found == turns[-6:]
    assert compared_from(found) == 24


def test_without_turns_there_is_nothing_to_compare_with() -> None:
    assert steps_for_page([], []) == []
    assert compared_from([]) == 0


@pytest.mark.parametrize(("audience", "built"), [(PUBLIC, [["H1", "infantry"]]), ("BLUE", [])])
def test_a_record_has_what_everybody_may_know_alone(audience: str, built: list[list[str]]) -> None:
    spec = game_spec("conquest-structures")
    table = spec.shipped_table(spec.default_map)
    start = spec.start(table, spec.maps()[spec.default_map], None)
    state = start.with_new("H1", ["infantry"], built_now=True)
    unit = next(iter(state.units.values()))
    event = UnitsBuilt(audience=audience, owner="BLUE", place="H1", units=(unit.id,))
    record = changes_record(spec, ({}, {"H1": "BLUE"}), [event], state)
    assert record == {"hands": [["H1", "", "BLUE"]], "battles": [], "built": built}
