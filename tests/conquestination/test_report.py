"""CN-13: what the pages and results tell."""

import re
from itertools import chain, combinations
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gm.game.values import MapView, NewGameRequest, TurnResult
from gm.games.conquestination.cells import beside
from gm.games.conquestination.report import Picture
from gm.games.conquestination.spec import SPEC
from tests.conquestination.campaigns import of_kind, played, position, read, table
from tests.conquestination.lands import board
from tests.examples import examples

WHERE = "P1 red 6, P2 blue 1, P3 red 1, Q1 blue 5, Q2 blue 3"
ORDERS = "attacks: [{id: a, from: P1, to: P2, until: {rolls: 3}}, {from: P3, to: Q1}]\n"


def page(party: str = "RED") -> str:
    state = position(WHERE)
    reading = read(state, "red", ORDERS)
    outcome = played(state, {"red": ORDERS})
    turn = TurnResult(
        game="cn-demo",
        before=state,
        after=outcome.state,
        events=outcome.events,
        readings={"RED": reading},
        keys={},
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
    assert [land.continents[country] for country in "ABCD"] == ["Arden", "Brume", "Corrin", "Dunmar"]
    assert land.continent("A") == ("A1", "A2", "A3")


@pytest.mark.clause("CN-13.3", "CN-13.4")
def test_the_turn_is_told_in_seat_order_and_says_who_is_next() -> None:
    north = "A1 red 9, A2 blue 1, A3 green 7, B1 blue 5, B2 red 1, B3 green 1"
    south = "C1 blue 2, C2 red 1, C3 red 1"
    state = position(f"{north}, {south}, C4 green 1, C5 blue 1, C6 blue 1, D1 green 2", name="four-shores")
    files = {"red": "attacks: [{from: Ashford, to: A2}]\n", "green": "attacks: [{from: A3, to: A2}]\n"}
    outcome = played(state, files, name="four-shores")
    turn = TurnResult(game="cn-demo", before=state, after=outcome.state, events=outcome.events, keys={})
    text = SPEC.reports(table("four-shores"), turn)["results/RED.html"].decode()
    turns = [text.index(f"The turn of {name}") for name in ("Red", "Blue", "Green")]
    assert turns == sorted(turns)
    attacked = text.index("Red attacks A2 Alby from A1 Ashford with 8 against 1 of Blue")
    assert turns[0] < attacked < turns[1]
    assert "Red, Blue, Green to move" in text
    # who sees no colours has hatchings, and every country its name
    assert all(f'url(#cn-h{number})"' in text for number in (1, 2, 3))
    assert all(f"{code} {name}" in text for code, name in board("four-shores").names.items())
    lines = [line.text for line in SPEC.explain(table("four-shores"), turn, state, ["alby"])]
    assert any("8 against 1 win in" in line for line in lines)


# How wide letters of DejaVu Sans Bold are, in 2048ths of their size: no other font that the map names has
# wider ones.
WIDE = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        (
            *(
                1585,
                1561,
                1503,
                1700,
                1399,
                1399,
                1681,
                1714,
                762,
                762,
                1587,
                1305,
                2038,
                1714,
                1741,
                1501,
                1741,
                1577,
            ),
            *(
                1475,
                1397,
                1663,
                1585,
                2259,
                1579,
                1483,
                1485,
                1382,
                1466,
                1214,
                1466,
                1389,
                891,
                1466,
                1458,
                702,
                702,
            ),
            *(1362, 702, 2134, 1458, 1407, 1466, 1466, 1010, 1219, 979, 1458, 1335, 1892, 1321, 1335, 1192),
        ),
        strict=True,
    )
)
LABEL = re.compile(
    r'<circle class="badge" cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"'
    r'|<text x="([\d.]+)" y="([\d.]+)" font-size="([\d.]+)" class="(?:name|called)"[^>]*>(\w+)<'
)


def labels(svg: str) -> list[list[tuple[float, float, float, float]]]:
    """The boxes (left, upper, right, lower end) of each country's badge, number and name."""
    boxes: list[list[tuple[float, float, float, float]]] = []
    for cx, cy, r, x, y, size, text in LABEL.findall(svg):
        if cx:
            at = float(cx)
            up = float(cy)
            far = float(r) + 1
            boxes.append([(at - far, up - far, at + far, up + far)])
        else:
            half = float(size) * sum(WIDE.get(letter, 1425) for letter in text) / 4096
            tail = 0.24 if set("gpqy") & set(text) else 0.13 if "Q" in text else 0.0
            left = float(x) - half
            up = float(y) - 0.76 * float(size)
            boxes[-1].append((left, up, float(x) + half, float(y) + tail * float(size)))
    return boxes


@pytest.mark.parametrize(
    "options", ["random", "small-random", "symmetric", "random sea_gap=0 links=no players=8"]
)
@examples(60, 3)
@example(number=448)  # one country of a cell above another
@given(number=st.integers(0, 100_000))
def test_no_label_of_a_random_map_covers_that_of_another_country_or_is_cut_off(
    options: str, number: int
) -> None:
    name, *words = options.split()
    given_too = dict(word.split("=") for word in words)
    table = SPEC.founded(
        NewGameRequest(map=SPEC.maps()[name], options=given_too, seed=f"label {number}")
    ).table
    svg = SPEC.draw(table, SPEC.start(table, Path(), None), MapView())
    wide, high = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)[0])
    boxes = labels(svg)
    assert len(boxes) == len(table.board.countries)
    assert sum(map(len, boxes)) > 2.5 * len(boxes), "most countries have a name"
    for one, other in combinations(boxes, 2):
        for a in one:
            assert all(a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3] for b in other)
    ends = list(chain.from_iterable(boxes))
    entries = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*text-anchor:start">([^<]+)<', svg)
    ends += [(float(x), float(y) - 11, float(x) + 8.5 * len(text), float(y) + 4) for x, y, text in entries]
    assert all(a[0] >= 0 and a[1] >= 0 and a[2] <= wide and a[3] <= high for a in ends)


@pytest.mark.parametrize("name", sorted(SPEC.maps()))
def test_no_code_hides_the_badge_of_another_country(name: str) -> None:
    """Item 37: where countries lie close, a code stands beside its badge."""
    table = SPEC.shipped_table(name)
    picture = Picture(table, SPEC.start(table, SPEC.maps()[name], None), MapView())
    wide = 13 + picture.badge - 2
    high = 7 + picture.badge - 2  # from the middle of a code to that of a badge
    hidden = [
        (code, other)
        for code, (x, y) in picture.codes.items()
        for other, (left, top) in picture.places.items()
        if other != code and abs(x - left) < wide and abs(y - 4 - (top - 7)) < high
    ]
    assert hidden == []
