"""CQ-19, CQ-20: what an order file may say, and what is said of one that does not."""

from __future__ import annotations

import pytest

from gm.games.conqueror.spec import SPEC
from tests.conqueror.turns import GAME, fates, messages, opened, orders_in, played, position, quiet, read, table


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


@pytest.mark.clause("CQ-20.2")
def test_an_unknown_key_is_ignored_with_a_warning() -> None:
    reading = read(opened(), "arden", "move: []\n")
    assert messages(reading) == ["warning CQ-20.2: 'move' is nothing that this game knows; it is ignored"]
    assert reading.sheet is not None


@pytest.mark.clause("CQ-20.4", "CQ-20.5", "CQ-20.6", "CQ-9.12", "CQ-11.3", "CQ-11.5", "CQ-5.7")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("moves: [{from: ARDEM, to: BRAY, armies: 1}]", "error CQ-20.4: no province is called 'ARDEM'"),
        ("moves: [{from: BRAY, to: ARDEN, armies: 1}]", "error CQ-20.4: BRAY is not yours"),
        ("moves: [{from: ARDEN, to: ESK, armies: 1}]", "error CQ-20.4: ESK is not next to ARDEN"),
        ("moves: [{from: CLUN, to: BRAY, armies: 1}]", "error CQ-20.4: CLUN has nothing left to send"),
        ("moves: [{from: ARDEN, to: BRAY, armies: 9}]", "warning CQ-5.7: ARDEN has only 5 left to send; 9 is trimmed"),
        ("moves: [{from: ARDEN, to: BRAY, armies: 0}]", "error CQ-20.4: armies: expected a whole number"),
        ("moves: [{from: ARDEN, to: BRAY, armies: 1.5}]", "error CQ-20.4: armies: expected a whole number"),
        ("moves: [{from: ARDEN, to: BRAY, armies: most}]", "error CQ-20.4: armies: expected a whole number"),
        ("moves: [{from: ARDEN, to: BRAY}]", "error CQ-20.4: 'armies' is missing here"),
        ("moves: [ARDEN-BRAY]", "error CQ-20.4: expected {from: ..., to: ..., armies: ...}"),
        ("production: {ARDEN: banquet}", "error CQ-20.5: no item is called 'banquet'"),
        ("production: {ARDEN: keep}", "error CQ-20.5: ARDEN cannot work on keep: it needs a fort"),
        ("production: {ARDEN: develop}", "error CQ-20.5: ARDEN cannot work on develop: it has that already"),
        ("production: {CLUN: diplomat}", "error CQ-20.5: CLUN cannot work on diplomat: it needs developed culture"),
        ("production: {MOON: farms}", "error CQ-20.5: no province is called 'MOON'"),
        ("production: {ARDEN: farms, arden: fort}", "error : 'arden' stands here for the second time"),
        ("production: {ARDEN: [farms]}", "error CQ-20.5: expected an item"),
        ("production: farms", "error CQ-19.1: expected {PROVINCE: item}"),
        ("production: {BRAY: farms}", "error CQ-9.12: BRAY is not yours, and no move of yours attacks it"),
        ("buy: [{province: BRAY, item: recruit}]", "error CQ-20.6: BRAY is not yours"),
        ("buy: [{province: ARDEN, item: taxes}]", "error CQ-20.6: taxes cannot be bought"),
        ("buy: [{province: ARDEN, item: farms, count: 2}]", "error CQ-11.5: one farms at most"),
        ("buy: [{province: ARDEN, item: recruit, count: 0}]", "error CQ-20.6: count: expected a whole number"),
        ("buy: [{province: ARDEN, item: recrute}]", "error CQ-20.6: no item is called 'recrute'"),
        ("report: {show_internal_moves: perhaps}", "error CQ-22.6: show_internal_moves:"),
    ],
)
def test_what_is_said_of_a_bad_line_and_the_others_stand(text: str, said: str) -> None:
    world = quiet(CLUN={"owner": "ARDEN", "fresh": 0, "control": 50})
    reading = read(world, "arden", text + "\n")
    assert reading.sheet is not None
    assert messages(reading)[0].startswith(said), messages(reading)
    assert all(each.line == 4 and each.column > 1 for each in reading.diagnostics)


@pytest.mark.clause("CQ-20.6", "CQ-20.7")
def test_every_line_is_told_again_with_what_became_of_it() -> None:
    text = """moves:
  - {from: ARDEN, to: BRAY, armies: 2}
  - {from: ARDEN, to: NOWHERE, armies: 2}
  - {from: ARDEN, to: CLUN, armies: 9}
production:
  ARDEN: farms
buy:
  - {province: ARDEN, item: castle}
  - {province: ARDEN, item: fort}
"""
    reading = read(quiet(), "arden", text)
    assert [each.line for each in reading.diagnostics] == [6, 7]
    outcome = SPEC.play(table(), quiet(), {"ARDEN": reading.sheet}, "seed")
    assert fates(outcome, "ARDEN") == [
        ("done", ""),
        ("reduced", "fewer-armies"),
        ("done", ""),
        ("failed", "lacks-works"),
        ("failed", "too-dear"),
    ]


@pytest.mark.clause("CQ-20.1", "CQ-7.11")
def test_a_file_of_a_player_who_is_out_is_set_aside() -> None:
    world = quiet().with_party("ARDEN", out=True, status="eliminated", capital=None)
    reading = read(world, "arden", "moves: []\n")
    assert reading.sheet is None
    assert messages(reading) == ["error CQ-7.11: Arden is out of the game: eliminated"]


@pytest.mark.clause("CQ-20.3")
def test_refused_moves_do_not_count_toward_the_five() -> None:
    bad = "{from: ARDEN, to: ESK, armies: 1}, " * 3
    good = "{from: ARDEN, to: BRAY, armies: 1}, " * 5
    reading = read(position(ARDEN={"fresh": 9}), "arden", f"moves: [{bad}{good}]\n")
    assert len(orders_in(reading).moves) == 5
    assert reading.errors == 3


@pytest.mark.clause("CQ-20.1")
def test_without_a_file_production_stands_and_nothing_else_happens() -> None:
    world = quiet(ARDEN={"item": "fort"})
    after = played(world, {"lorn": ""})
    assert dict(after.state.provinces["ARDEN"].stored) == {"fort": 12}
    assert after.state.parties["ARDEN"].gold == world.parties["ARDEN"].gold


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["owner", "bray", "arden"], "BRAY belongs to Arden"),
        (["owner", "ARDEN", "neutral"], "ARDEN belongs to nobody"),
        (["armies", "bray", "7"], "BRAY has 7 armies"),
        (["gold", "lorn", "3"], "the treasury of Lorn is corrected"),
        (["influence", "bray", "lorn", "20"], "the influence in BRAY is corrected"),
    ],
)
def test_corrections_leave_a_position_that_can_be(words: list[str], said: str) -> None:
    after, told = SPEC.amend(table(), opened(), words, "a slip")
    assert SPEC.broken(table(), after) == []
    assert said in str(told[0])
    with pytest.raises(ValueError, match="have not so much influence to give"):
        SPEC.amend(table(), opened(), ["influence", "bray", "lorn", "90"], "a slip")
