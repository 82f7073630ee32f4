"""CN-1.7, CN-10, CN-11: what an order file may say, and what is said of one that does not."""

import pytest

from gm.games.conquestination.battle import Retreat
from gm.games.conquestination.orders import Strength
from gm.games.conquestination.spec import SPEC
from tests.conquestination.campaigns import GAME, messages, position, read, table

FOUR = (
    "A1 red 4, A2 red 3, A3 red 6, B1 blue 2, B2 blue 1, B3 blue 1, "
    "C1 blue 2, C2 blue 1, C3 blue 1, C4 blue 1, C5 blue 1, C6 blue 1, D1 blue 1"
)


@pytest.mark.clause("CN-10.1", "CN-1.5", "CN-1.7")
def test_the_example_of_the_rules_reads() -> None:
    text = """reinforce:
  - {country: A2, units: 2}
  - {country: A1, units: rest}
attacks:
  - {id: gate, from: A1, to: C1, with: max, until: won}
  - {from: C1, to: C2, with: {leave: 2}, until: {keep: 3}, if: {won: gate}}
  - {from: A3, to: B1, with: 4, until: {rolls: 2}, if: {min_units: 6, max_defenders: 3, owner: blue}}
redeploy:
  - {from: A2, to: A1, units: max, if: {lost: gate}}
  - {from: A2, to: A3, units: {leave: 1}}
"""
    reading = read(position(FOUR, turn=3, name="four-shores"), "red", text, name="four-shores")
    assert reading.diagnostics == ()
    orders = reading.sheet.orders
    assert [line.units for line in orders.reinforce] == [2, "rest"]
    assert [attack.strength for attack in orders.attacks] == [
        Strength(),
        Strength(leave=2),
        Strength(number=4),
    ]
    assert [attack.until for attack in orders.attacks] == [Retreat(), Retreat(keep=3), Retreat(rolls=2)]
    assert (orders.attacks[2].condition.owner, orders.attacks[1].condition.won) == ("BLUE", "gate")
    assert [line.condition.lost for line in orders.redeploy] == ["gate", None]


@pytest.mark.clause("CN-10.1", "CN-5.5")
def test_the_example_of_a_deployment_reads() -> None:
    text = "deploy: [{country: A2, units: 3}, {country: c1, units: rest}]\n"
    reading = read(position(FOUR, turn=0, name="four-shores"), "RED", text, name="four-shores")
    assert [(line.country, line.units) for line in reading.sheet.orders.deploy] == [("A2", 3), ("C1", "rest")]
    assert messages(reading) == ["warning CN-11.4: C1 is Blue's now; unless that changes, this is skipped"]


@pytest.mark.clause("CN-11.2")
@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("game: other\nturn: 3\nplayer: red\n", GAME),
        (f"game: {GAME}\nturn: 4\nplayer: red\n", "3"),
        (f"game: {GAME}\nturn: 3\nplayer: rad\n", "red"),
    ],
)
def test_a_file_for_something_else_is_refused_and_told_what_was_expected(head: str, expected: str) -> None:
    state = position(FOUR, turn=3, name="four-shores")
    reading = SPEC.read_orders(
        table("four-shores"), state, head.encode(), "red.yaml", game=GAME, realm=None, key=None
    )
    assert reading.sheet is None
    said = " ".join(diagnostic.message + diagnostic.suggestion for diagnostic in reading.diagnostics).lower()
    assert expected.lower() in said
