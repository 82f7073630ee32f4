"""Properties of every turn: any world, any orders, sensible, impossible or garbage."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.codec import encode, from_plain, to_plain
from gm.core.diagnostics import Diagnostic
from gm.games.medieval.state import World
from gm.games.medieval.steps.outcomes import TreasuryChanged
from tests.examples import examples
from tests.medieval.books import as_bytes, audit, run, upkeep_owed
from tests.medieval.order_files import as_file, broken_files, garbage
from tests.medieval.order_reading import read_sheet
from tests.medieval.ordering import all_orders, sheets
from tests.medieval.positions import CODES, worlds
from tests.medieval.testland import atlas, rules

SOME = examples(80, derandomize=True)
FEW = examples(20, derandomize=True)


@pytest.mark.clause("W5", "W10", "O2")
@examples(150, 5, derandomize=True)
@given(st.data())
def test_any_turn_keeps_its_books_and_settles_each_order_once(data: st.DataObject) -> None:
    world = data.draw(worlds())
    orders = data.draw(all_orders(world))
    before = encode(world)
    outcome = run(world, orders)
    assert audit(world, orders, outcome) == []
    assert encode(world) == before, "the world that was played from has changed"


@pytest.mark.slow
@examples(80, derandomize=True)
@given(st.data())
def test_campaigns_of_several_turns_keep_their_books(data: st.DataObject) -> None:
    """Worlds that turns lead to, not only drawn ones."""
    world = data.draw(worlds())
    for _ in range(4):
        orders = data.draw(all_orders(world))
        outcome = run(world, orders)
        assert audit(world, orders, outcome) == []
        world = outcome.state


@pytest.mark.clause("W12", "O1")
@FEW
@given(st.data())
def test_the_order_in_which_files_arrive_changes_nothing_and_a_replay_gives_equal_bytes(
    data: st.DataObject,
) -> None:
    world = data.draw(worlds())
    orders = data.draw(all_orders(world))
    shuffled = {realm: orders[realm] for realm in data.draw(st.permutations(sorted(orders)))}
    again = from_plain(to_plain(world), World)
    assert as_bytes(run(world, orders)) == as_bytes(run(again, shuffled))


@pytest.mark.clause("W12")
@FEW
@given(st.data())
def test_a_realm_without_units_or_orders_changes_nobody_elses_battles(data: st.DataObject) -> None:
    """Labels keep streams apart: an ambassador more changes no roll and no troop."""
    world = data.draw(worlds(peace=True))
    orders = data.draw(all_orders(world))
    silent = sorted(code for code, realm in world.realms.items() if code not in orders and not realm.defeated)
    if not silent:
        return
    sheet = data.draw(sheets(world, silent[0]))
    idle = {**orders, silent[0]: type(sheet)(realm=silent[0], turn=sheet.turn)}
    assert run(world, orders).state.units == run(world, idle).state.units


@pytest.mark.clause("W10")
@SOME
@given(worlds())
def test_a_world_survives_being_written_and_read(world: World) -> None:
    again = from_plain(to_plain(world), World)
    assert again == world
    assert list(again.units) == list(world.units)
    assert encode(again) == encode(world)


@pytest.mark.clause("O1", "L3", "L11")
@FEW
@given(worlds(peace=True), st.sampled_from(CODES))
def test_a_realm_without_orders_pays_upkeep_and_earns_revenue(world: World, code: str) -> None:
    events = run(world, {}).events
    gold = [event for event in events if isinstance(event, TreasuryChanged) and event.realm == code]
    paid = -sum(event.amount for event in gold if event.what == "upkeep")
    assert paid == min(upkeep_owed(world, code, events), world.realms[code].treasury)
    earning = {p.name for p in world.owned_by(code) if p.annexed_to == code}
    earning = {
        name for name in earning if atlas().locations[name].revenue + world.provinces[name].production_areas
    }
    assert {event.place for event in gold if event.what == "revenue"} == earning


@pytest.mark.clause("O7", "O9")
@SOME
@given(st.data())
def test_whatever_an_order_file_holds_it_is_read_or_refused_with_a_place(data: st.DataObject) -> None:
    world = data.draw(worlds())
    file = data.draw(broken_files(world, data.draw(st.sampled_from(CODES))) | garbage)
    sheet, findings = read_sheet(file, "x.yaml", world=world, rules=rules(), atlas=atlas(), game="test")
    assert sheet is not None or any(diagnostic.is_error for diagnostic in findings)
    for diagnostic in findings:
        check_diagnostic(diagnostic)


def check_diagnostic(diagnostic: Diagnostic) -> None:
    """A finding names its file, and has a code, a message and a form to print."""
    assert diagnostic.file == "x.yaml"
    assert diagnostic.code
    assert diagnostic.message
    assert diagnostic.line >= 0
    assert diagnostic.render().startswith("x.yaml")


@pytest.mark.clause("O7")
@examples(150, 4, derandomize=True)
@given(st.data())
def test_a_turn_plays_whatever_was_understood_of_broken_files(data: st.DataObject) -> None:
    """Files good and bad are read, what was understood is played, and the books are right."""
    world = data.draw(worlds())
    orders = {}
    for realm in data.draw(st.lists(st.sampled_from(CODES), max_size=3, unique=True)):
        file = data.draw(broken_files(world, realm))
        sheet, _ = read_sheet(
            file, "x.yaml", world=world, rules=rules(), atlas=atlas(), game="test", realm=realm
        )
        if sheet is not None:
            orders[realm] = sheet
    outcome = run(world, orders)
    assert audit(world, orders, outcome) == []


@pytest.mark.clause("O3", "O4", "O5")
@FEW
@given(st.data())
def test_orders_written_as_a_file_are_read_as_the_same_orders(data: st.DataObject) -> None:
    """What the reader understands of a generated file are orders of that sheet, word for word but for the
    text.
    """
    world = data.draw(worlds())
    realm = data.draw(st.sampled_from(CODES))
    sheet = data.draw(sheets(world, realm))
    read, _ = read_sheet(
        as_file(sheet).encode(), "x.yaml", world=world, rules=rules(), atlas=atlas(), game="test", realm=realm
    )
    if read is None:
        return
    for unit, entries in read.plans.items():
        given_kinds = list(
            map(
                type,
                chain.from_iterable(
                    sheet.plans.get(name, ()) for name in (unit, place_of(world, realm, unit))
                ),
            )
        )
        kinds = iter(given_kinds)
        assert all(type(entry) in kinds for entry in entries), f"{unit}: {entries} from {given_kinds}"


def place_of(world: World, realm: str, reference: str) -> str:
    """The province's name, by which a garrison is known too."""
    unit = world.unit(realm, reference)
    return unit.place if unit is not None and unit.is_garrison else "-"
