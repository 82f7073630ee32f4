"""What the order writer says of a plan is what `gm check` says of it: a few hundred generated plans, tried by both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from examples.medieval import demo
from gm.games.medieval.atlas import Atlas
from gm.games.medieval.map_file import load_atlas
from gm.games.medieval.orders.grammar import all_words
from gm.games.medieval.orders.model import Hold, March, OrderSheet, PlanEntry, Sail, Written
from gm.games.medieval.orders.read import read_sheet
from gm.games.medieval.pipeline import play_turn
from gm.games.medieval.scenario import load_scenario, start_world
from gm.games.medieval.state import Unit, World
from gm.games.medieval.trial import place_of
from gm.games.medieval.turn import Fate
from gm.kernel.model import FrozenMap
from gm.resources import resource
from tests.browser.campaigns import orders
from tests.browser.oddities import ORDERS as ODD_ORDERS
from tests.browser.oddities import odd_world
from tests.browser.parity import GAME, KEY, Case, Comparison, Desk
from tests.medieval.order_files import as_file
from tests.medieval.ordering import sheets
from tests.medieval.positions import worlds
from tests.medieval.testland import atlas, rules

OPEN_PERCENT = 15
"""No more of the orders may be left to chance: a trial that promises nothing is never wrong."""

REASONS = 80
"""So many different reasons at least must be among the orders that were compared."""


# -- positions and orders ----------------------------------------------------------------------------------------------


def read(world: World, board: Atlas, realm: str, text: str) -> OrderSheet | None:
    """The orders of a file, as far as they can be understood."""
    sheet, _ = read_sheet(text.encode(), f"{realm}.yaml", world=world, rules=rules(), atlas=board, game=GAME)
    return sheet


def header(world: World, realm: str) -> str:
    return f"orders: 1\ngame: {GAME}\nrealm: {realm}\nturn: {world.turn + 1}\nkey: {KEY}\n"


def start(name: str) -> tuple[Atlas, World]:
    folder = resource("maps", "medieval", name)
    board = load_atlas(folder / "map.yaml", rules())
    return board, start_world(load_scenario(folder / "start.yaml", board, rules()), board, rules())


def positions(count: int, number: int, *, peace: bool) -> Iterator[Case]:
    """Any positions of the test map with any orders, tried as they are and as what a file can say of them."""
    drawn: dict[str, tuple[World, OrderSheet]] = {}

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def draw(data: st.DataObject) -> None:
        world = data.draw(worlds(peace=peace))
        sheet = data.draw(sheets(world, data.draw(st.sampled_from(sorted(world.realms)))))
        drawn[repr((world, sheet))] = (world, sheet)

    draw()
    for index, (world, sheet) in enumerate(drawn.values()):
        name = f"{'peace' if peace else 'any'} {number}.{index}"
        yield Case(name, name, world, atlas(), sheet)
        text = as_file(sheet)
        written = read(world, atlas(), sheet.realm, text)
        if written is not None:
            yield Case(f"{name} as a file", name, world, atlas(), written, text)


def games(name: str, turns: int, count: int) -> Iterator[Case]:
    """A game on a map of ours in which everybody gives orders; some realms' files of each turn are tried."""
    board, world = start(name)
    chance = Random(name)  # noqa: S311 - it plays, it guards nothing
    for turn in range(1, turns + 1):
        given: dict[str, OrderSheet] = {}
        texts: dict[str, str] = {}
        for realm in world.realms:
            texts[realm] = header(world, realm) + orders(world, board, rules(), realm, chance)
            sheet = read(world, board, realm, texts[realm])
            if sheet is not None:
                given[realm] = sheet
        for realm in chance.sample(sorted(given), min(count, len(given))):
            place = f"turn {turn} of {turns} on {name}, {count} files"
            yield Case(f"{name}, turn {turn}, {realm}", place, world, board, given[realm], texts[realm])
        world = play_turn(world, given, rules=rules(), atlas=board, seed=f"{name} {turn}").state


def campaign() -> Iterator[Case]:
    """The order files of the example campaign, turn by turn."""
    board, world = start("minsk")
    for turn in range(1, len(demo.RECEIVED) + 1):
        given: dict[str, OrderSheet] = {}
        for path in demo.mail(turn):
            data = path.read_bytes()
            sheet, _ = read_sheet(data, path.name, world=world, rules=rules(), atlas=board, game=demo.GAME)
            if sheet is not None:
                given[sheet.realm] = sheet
                text = data.decode("utf-8", "replace").replace(f"game: {demo.GAME}", f"game: {GAME}")
                yield Case(f"example, turn {turn}, {path.name}", f"example {turn}", world, board, sheet, text)
        world = play_turn(world, given, rules=rules(), atlas=board, seed=demo.SEED).state


def oddities() -> Iterator[Case]:
    """Orders for the rarer clauses."""
    world = odd_world()
    for index, (realm, text) in enumerate(ODD_ORDERS, 1):
        whole = header(world, realm) + text.lstrip("\n")
        sheet = read(world, atlas(), realm, whole)
        assert sheet is not None
        yield Case(f"oddity {index}", "oddities", world, atlas(), sheet, whole)


def cases() -> Iterator[Case]:
    yield from oddities()
    yield from positions(80, 1, peace=False)
    yield from positions(80, 2, peace=True)
    yield from games("minsk", 10, 4)
    yield from games("hexland", 10, 4)
    yield from games("europe-1320", 3, 10)
    yield from campaign()


# -- both sides --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def desk(browser: Any) -> Iterator[Desk]:
    """A page with the scripts, which must not complain."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda each: complaints.append(str(each)))
    page.on("console", lambda each: complaints.append(each.text))
    yield Desk(page)
    context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def compared(desk: Desk) -> Comparison:
    """Every case, tried by the program and in the page."""
    found = Comparison()
    for case in cases():
        found.add(case, desk.tried(case))
    return found


def report(problems: list[str]) -> str:
    return f"{len(problems)} differences, such as\n" + "\n".join(problems[:5])


@pytest.mark.clause("O2")
def test_every_order_ends_as_the_program_says(compared: Comparison) -> None:
    assert compared.fates == [], report(compared.fates)


def test_files_are_read_alike(compared: Comparison) -> None:
    assert compared.read == [], report(compared.read)


def test_orders_cost_what_the_program_says(compared: Comparison) -> None:
    assert compared.costs == [], report(compared.costs)


@pytest.mark.clause("M0")
def test_units_are_where_the_program_says_in_every_phase(compared: Comparison) -> None:
    assert compared.places == [], report(compared.places)
    assert compared.counts["places"] > 10 * compared.counts["cases"]


@pytest.mark.clause("H1")
def test_the_forecast_agrees_to_the_hundredth(compared: Comparison) -> None:
    assert compared.books == [], report(compared.books)


def test_little_is_left_to_chance(compared: Comparison) -> None:
    assert compared.counts["cases"] >= 300
    assert 0 < compared.counts["open"] * 100 < OPEN_PERCENT * compared.counts["orders"], compared.counts


def test_the_plans_are_of_every_kind(compared: Comparison) -> None:
    assert {word.name for word in all_words()} <= compared.words.keys()
    assert {fate.value for fate in Fate} <= compared.counts.keys()
    assert len(compared.reasons) - 1 >= REASONS, sorted(compared.reasons)


# -- what a unit may do next -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["minsk", "hexland"])
def test_choices_are_what_the_program_would_do_next(desk: Desk, name: str) -> None:
    """Each march, sail and hold that the page offers after a plan is tried by the program as well."""
    tried = 0
    for case in list(games(name, 4, 2))[-2:]:
        for unit in [each for each in case.world.of_realm(case.sheet.realm) if not each.is_garrison][:4]:
            for word, choices in desk.choices(case, unit.key, tuple(MOVES)).items():
                for choice in (each for each in choices if not each.get("open")):
                    outcomes = set(with_one_more(case, unit, MOVES[word](choice["value"])))
                    assert outcomes == {(choice["allowed"], choice["reason"])}, (case.name, unit.key, choice)
                    tried += 1
    assert tried > 10


LAST = Written(9_999, 1, "one more")
MOVES: dict[str, Callable[[str], PlanEntry]] = {
    "march": lambda place: March(LAST, place),
    "sail": lambda place: Sail(LAST, place),
    "hold": lambda _: Hold(LAST),
}


def with_one_more(case: Case, unit: Unit, entry: PlanEntry) -> Iterator[tuple[bool, str]]:
    """Whether another entry behind a unit's plan comes off, and why not: in each trial of the program."""
    plans = {**case.sheet.plans, unit.id: (*case.sheet.plans.get(unit.id, ()), entry)}
    for trial in replace(case, sheet=replace(case.sheet, plans=FrozenMap(plans))).trials():
        event = trial.orders[place_of(entry)].event
        yield event.fate is not Fate.FAILED, event.reason
