"""Notation, phases, bots and pages: a game of Diplomacy as its players have it."""

import pytest
from gm_diplomacy.bots import BOTS
from gm_diplomacy.orders import Order
from gm_diplomacy.spec import SPEC
from gm_diplomacy.state import Diplomacy

from gm.game.bots import ask, bot_view
from gm.game.values import GameData, TurnResult
from tests.conftest import placed, played, read

SAME = {
    "A PAR - BUR": (
        "A Par -> Bur",
        "army Paris to Burgundy",
        "PAR-BUR",
        "a par – bur",
        "{unit: A PAR, to: BUR}",
        "A PAR moves to BUR",
    ),
    "A MAR S A PAR - BUR": (
        "Army Marseilles supports Army Paris to Burgundy",
        "mar s par-bur",
        "{unit: A MAR, supports: A PAR - BUR}",
    ),
    "A PAR H": ("Paris holds", "A PAR stands", "{unit: A PAR}"),
}
JUDGES = {
    "A PAR - BUR": (
        "A PAR BUR",
        "PAR BUR",
        "Army Paris Burgundy",
        "1. A PAR - BUR",
        "2) A PAR BUR",
        "3: A PAR - BUR",
        "• A PAR-BUR.",
        "A PAR - BUR;",
        "A PAR m BUR",
        "FRANCE: A PAR - BUR",
        "French Army in Paris moves to Burgundy.",
        "FRA A PAR - BUR",
        "A PAR moving to BUR",
    ),
    "A PAR H": (
        "A PAR HOLDS.",
        "1. A PAR",
        "A PAR",
        "A Paris to hold",
        "A PAR - H",
        "Army of Paris holds;",
        "4. A PAR H.",
    ),
    "A MAR S A MUN - BUR": (
        "A MAR S GER A MUN - BUR",
        "A MAR S German A MUN - BUR",
        "A MAR SUPPORTS GERMANY'S A MUN BUR.",
        "A MAR S A MUN BUR",
        "A MAR S MUN-BUR",
        "A MAR S: A MUN - BUR",
        "5. A MAR sup GER A MUN BUR",
        "A MAR supports A MUN moving to BUR",
    ),
    "A MAR S A PAR": (
        "A MAR S A PAR H",
        "A MAR S FRA A PAR to hold",
        "MAR supports PAR holds.",
        "A MAR S A PAR - H",
    ),
    "F BRE C A PAR - LON": (
        "F BRE C FRA A PAR LON",
        "F BRE CONVOYS A PAR - LON.",
        "F BRE C A PAR - ENG - LON",
    ),
    "A PAR - LON via convoy": ("A PAR - ENG - LON", "A PAR-ENG-LON", "A PAR - LON VIA"),
}


@pytest.mark.parametrize(
    ("plain", "other"), [(plain, other) for plain, others in SAME.items() for other in others]
)
def test_notation(plain: str, other: str, table: GameData, start: Diplomacy) -> None:
    expected = orders_of(table, start, plain)
    assert expected
    assert orders_of(table, start, other) == expected


def orders_of(table: GameData, state: Diplomacy, line: str) -> dict[str, Order]:
    """Return what a line of France orders, by area, apart from how it is written."""
    units = read(table, state, "FRANCE", [line]).sheet.orders.units
    return {area: order.evolve(written=None, unit="") for area, order in units.items()}


@pytest.mark.parametrize(
    ("plain", "other"), [(plain, other) for plain, others in JUDGES.items() for other in others]
)
def test_lines_as_judges_take_them(plain: str, other: str, table: GameData, start: Diplomacy) -> None:
    """They are numbered, without a dash, with a full stop, the power before the unit, over named seas."""
    test_notation(plain, other, table, start)


def test_winter_lines_as_judges_take_them(table: GameData, start: Diplomacy) -> None:
    """A unit alone is built where one may build, and goes where one must go."""
    for change, kind, lines in (
        (1, "build", ("A PAR", "1. BUILD A PAR.", "B A PAR", "A PAR B", "FRA: BUILD A PAR")),
        (-1, "disband", ("A PAR", "R A PAR", "1. REMOVE A PAR.", "A PAR D", "destroy A PAR")),
    ):
        state = start.evolve(
            phase="adjustments", season="autumn", asked="adjustments", change={"FRANCE": change}
        )
        for line in lines:
            reading = read(table, state, "FRANCE", [line])
            assert not reading.diagnostics, (line, reading.diagnostics)
            orders = reading.sheet.orders
            (order,) = (*orders.units.values(), *orders.builds)
            assert (order.kind, order.area) == (kind, "PAR"), line


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("A PAR - BURR", "no area is called 'BURR'"),
        ("A PAR - London Town", "no area is called"),
        ("A MUN - BUR", "you have no A MUN to order"),
        ("F PAR - BUR", "you have no F PAR to order"),
        ("BUILD A PAR", "build is no order for moves"),
        ("hello", "is not understood"),
        ("'" + "A PAR - " * 40 + "'", "expected"),
        ("{unit: A PAR, goes: BUR}", "goes"),
        ("[]", "expected"),
    ],
)
def test_what_cannot_be_read_is_told_and_the_rest_stands(
    line: str, says: str, table: GameData, start: Diplomacy
) -> None:
    reading = read(table, start, "FRANCE", [line, "F BRE - MAO"])
    findings = [finding.message + finding.suggestion for finding in reading.diagnostics]
    assert any(says in text for text in findings), findings
    assert "BRE" in reading.sheet.orders.units


def test_a_year(table: GameData, start: Diplomacy) -> None:
    """DP-1.2, DP-7.1, DP-8.2: nobody is asked in phases without anything to order."""
    spring, _ = played(table, start, {"FRANCE": ["A PAR - PIC", "A MAR - SPA", "F BRE - MAO"]})
    assert (spring.state.season, spring.state.phase) == ("autumn", "moves")
    autumn, _ = played(table, spring.state, {"FRANCE": ["A PIC - BEL", "F MAO - POR"]})
    assert (autumn.state.phase, autumn.state.change) == ("adjustments", {"FRANCE": 3})
    assert SPEC.waiting(table, autumn.state) == frozenset(start.parties) - {"FRANCE"}
    winter, fates = played(
        table, autumn.state, {"FRANCE": ["BUILD F BRE", "BUILD A PAR", "WAIVE", "BUILD A MAR"]}
    )
    assert list(fates.values()) == ["done", "done", "done", "failed"]
    assert (winter.state.year, winter.state.season, len(winter.state.units_of("FRANCE"))) == (
        1902,
        "spring",
        5,
    )


def test_eighteen_centres_win(table: GameData, start: Diplomacy) -> None:
    """DP-9.1."""
    owners = dict.fromkeys(table.board.centres[:17], "TURKEY") | {"CON": "TURKEY", "SMY": "TURKEY"}
    state = placed(
        start, {"TURKEY": ["A SMY"]}, owners=owners, season="autumn", phase="retreats", asked="retreats"
    )
    assert played(table, state, {})[0].state.winners == ("TURKEY",)


def test_a_last_year_is_a_draw(table: GameData, start: Diplomacy) -> None:
    """DP-9.2."""
    state = start.evolve(settings=start.settings.evolve(last_year=1901), season="autumn")
    assert set(played(table, state, {})[0].state.winners or ()) == set(start.parties)


@pytest.mark.parametrize("name", BOTS)
def test_bots_play_years_by_the_rules(name: str, table: GameData, start: Diplomacy) -> None:
    state = start
    for _ in range(20):
        sheets = {}
        for seat in SPEC.seats(table, state):
            if seat.waiting or seat.out:
                continue
            seed = f"{name} {seat.code}"
            view = bot_view(SPEC, table, state, seat.code, game="g", key="k", seed=seed)
            answer = ask(SPEC, BOTS[name], view)
            assert not answer.trouble
            assert not answer.reading.diagnostics, (answer.data.decode(), answer.reading.diagnostics)
            sheets[seat.code] = answer.reading.sheet
        outcome = SPEC.play(table, state, sheets, "seed")
        assert not SPEC.broken(table, outcome.state)
        assert SPEC.state(SPEC.record(outcome.state)) == outcome.state
        state = outcome.state
        if state.winners is not None:
            break
    assert state.year >= 1903


def test_pages_of_every_phase(table: GameData, start: Diplomacy) -> None:
    """A player's page has the board, what its reader may order now, and the order writer."""
    units = {"AUSTRIA": ["A TYR", "A TRI"], "ITALY": ["A VEN", "F ROM"], "FRANCE": ["A SPA"]}
    state = placed(start, units, season="autumn")
    outcome, _ = played(table, state, {"AUSTRIA": ["A TRI - VEN", "A TYR S A TRI - VEN"]})
    phases = []
    for _ in range(3):
        result = TurnResult(game="g", before=state, after=outcome.state, events=outcome.events)
        pages = SPEC.reports(table, result)
        assert b"<svg" in pages["results/ITALY.html"]
        phases.append(outcome.state.phase)
        state = outcome.state
        outcome = played(table, state, {})[0]
    assert phases == ["retreats", "adjustments", "moves"]


def test_a_page_offers_orders_in_the_order_of_units(table: GameData, start: Diplomacy) -> None:
    """The same position makes the same bytes, whatever the seed of Python's hashes."""
    result = TurnResult(game="g", before=start, after=start, events=())
    page = SPEC.reports(table, result)["results/FRANCE.html"]
    assert b'"hold":{"BRE":{},"MAR":{},"PAR":{}}' in page
