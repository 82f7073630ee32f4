"""CQ-19, CQ-20: what an order file may say, and what is said of one that does not."""

from __future__ import annotations

import pytest

from gm.games.conqueror.spec import SPEC
from tests.conqueror.turns import GAME, messages, opened, orders_in, quiet, read, table


@pytest.mark.clause("CQ-19.1")
def test_the_example_of_the_rules_reads() -> None:
    world = opened("europe859").evolve(turn=6)
    world = world.with_provinces(world.provinces["BRIT"].owned_by("WESS"), world.provinces["WESS"].evolve(culture=1))
    text = """key: any
moves:
  - {from: WESS, to: MERC, armies: 4}
  - {from: BRIT, to: WESS, armies: all}
production:
  WESS: develop
  MERC: recruit
buy:
  - {province: WESS, item: recruit, count: 2}
  - {province: BRIT, item: fort}
report: {show_internal_moves: false}
"""
    reading = read(world, "wessex", text, name="europe859")
    assert reading.diagnostics == ()
    orders = orders_in(reading)
    assert [(each.source, each.target, each.armies) for each in orders.moves] == [
        ("WESS", "MERC", 4),
        ("BRIT", "WESS", 2),
    ]
    assert [(each.province, each.item, each.taken) for each in orders.production] == [
        ("WESS", "develop", False),
        ("MERC", "recruit", True),
    ]
    assert [(each.province, each.item, each.count) for each in orders.buy] == [
        ("WESS", "recruit", 2),
        ("BRIT", "fort", 1),
    ]
    assert orders.show_moves is False


@pytest.mark.clause("CQ-19.1")
def test_provinces_are_called_by_id_or_name_in_any_case_and_all_parts_may_be_missing() -> None:
    reading = read(
        opened("europe859"), "wess", "moves: [{from: wessex, to: east anglia, armies: 1}]\n", name="europe859"
    )
    assert [(each.source, each.target) for each in orders_in(reading).moves] == [("WESS", "ANGL")]
    assert read(opened(), "arden", "").diagnostics == ()


@pytest.mark.clause("CQ-20.2")
@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("game: other\nturn: 3\nplayer: arden\n", GAME),
        (f"game: {GAME}\nturn: 4\nplayer: arden\n", "3"),
        (f"game: {GAME}\nturn: 3\nplayer: ardn\n", "arden"),
    ],
)
def test_a_file_for_something_else_is_refused_and_told_what_was_expected(head: str, expected: str) -> None:
    world = opened().evolve(turn=2)
    reading = SPEC.read_orders(table(), world, head.encode(), "arden.yaml", game=GAME, realm=None, key=None)
    assert reading.sheet is None
    assert {each.clause for each in reading.diagnostics} == {"CQ-20.2"}
    assert expected in " ".join(each.message + each.suggestion for each in reading.diagnostics).lower()


@pytest.mark.clause("CQ-20.1", "CQ-7.11")
def test_a_file_of_a_player_who_is_out_is_set_aside() -> None:
    world = quiet().with_party("ARDEN", out=True, status="eliminated", capital=None)
    reading = read(world, "arden", "moves: []\n")
    assert reading.sheet is None
    assert messages(reading) == ["error CQ-7.11: Arden is out of the game: eliminated"]
