"""CN-13: what the pages and results tell."""

import re

import pytest

from gm.game.values import TurnResult
from gm.games.conquestination.cells import beside
from gm.games.conquestination.spec import SPEC
from tests.conquestination.campaigns import of_kind, played, position, read, table
from tests.conquestination.lands import board

WHERE = "P1 red 6, P2 blue 1, P3 red 1, Q1 blue 5, Q2 blue 3"
ORDERS = "attacks: [{id: a, from: P1, to: P2, until: {rolls: 3}}, {from: P3, to: Q1}]\n"


def page(party: str = "RED") -> str:
    state = position(WHERE)
    reading = read(state, "red", ORDERS)
    outcome = played(state, {"red": ORDERS})
    turn = TurnResult(
        game="cn-demo", before=state, after=outcome.state, events=outcome.events, readings={"RED": reading}, keys={}
    )
    return SPEC.reports(table(), turn)[f"results/{party}.html"].decode()


@pytest.mark.clause("CN-13.3", "CN-13.4", "CN-3.4", "CN-1.1")
def test_a_page_tells_lines_battles_tables_and_the_number_to_quote() -> None:
    text = page()
    outcome = played(position(WHERE), {"red": ORDERS})
    for roll in of_kind(outcome, "Fought")[0].rolls:
        assert f">{roll.partition(' : ')[0]}<" in text
    assert "too few to send any" in text
    assert "order files quote turn 3" in text
    for country in outcome.state.countries:
        assert re.search(rf">\s*{country}\b", text)
    assert "Pell" in text
    assert "(link)" in text


@pytest.mark.clause("CN-13.2", "CN-13.3")
def test_others_do_not_read_his_lines() -> None:
    assert "until: {rolls: 3}" in page("RED")
    assert "until: {rolls: 3}" not in page("BLUE")
    assert "attacks P2 from P1" in page("BLUE") or "P1 → P2" in page("BLUE")


@pytest.mark.clause("CN-4.2", "CN-1.1")
def test_cells_have_four_neighbours_and_countries_make_continents() -> None:
    assert beside((3, 5)) == ((2, 5), (3, 4), (3, 6), (4, 5))
    land = board("four-shores")
    assert [land.continents[each] for each in "ABCD"] == ["Arden", "Brume", "Corrin", "Dunmar"]
    assert land.continent("A") == ("A1", "A2", "A3")
