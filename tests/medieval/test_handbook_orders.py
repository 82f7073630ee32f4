"""What the handbook tells people to write is read by the real reader and comes to what it says."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from textwrap import indent
from typing import Any

import pytest

from gm.core.yaml.source import Source
from gm.game.values import GameData, OrderFile
from gm.games.medieval.combat.report import TroopCount
from gm.games.medieval.data.rules import Rules, TroopClass
from gm.games.medieval.handbook import texts
from gm.games.medieval.handbook.page import Lesson, lesson, order_file, read_file
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from tests.medieval.handbookland import Parsed, page
from tests.medieval.testland import make_world, unit
from tests.medieval.warfare import damage_caused, fought, report, rounds_of, sure_rules, troop

GAMES = 40
"""So many games are played with the tutorial's orders."""


@cache
def table() -> GameData:
    return SPEC.shipped_table("minsk")


@cache
def start() -> World:
    world: World = SPEC.start(table(), SPEC.maps()["minsk"], None)
    return world


@cache
def taught() -> Lesson:
    return lesson(texts.tutorial(), start(), table().rules, table().board)


def read(text: str, world: World | None = None) -> OrderFile:
    key = texts.tutorial().key
    return SPEC.read_orders(table(), world or start(), text.encode(), "t", game="minsk", realm="LIT", key=key)


HEAD = "orders: 1\ngame: minsk\nrealm: LIT\nturn: 1\nkey: swift-horse-47\n"


def examples() -> Iterator[tuple[str, str]]:
    """(word, an order file with its example)."""
    words = texts.words()
    for name, example in words.headquarters.items():
        yield name, f"{HEAD}headquarters:\n{indent(example.example, '  ')}\n"
    for name, example in words.unit.items():
        army = name in ("retreat_level", "follow", "marines", "defend_fortifications", "plan")
        maker = "  Minsk:\n" + ("    form: {A1: Wolves, A2: null}\n  A1:\n" if army else "")
        yield name, f"{HEAD}units:\n{maker}{indent(example.example, '    ')}\n"
    for name, example in words.plan.items():
        unit = {"load": "F1", "sail": "F1", "unload": "F1", "transfer": "Minsk", "pillage": "Vilna"}.get(
            name, "A1"
        )
        body = f"{HEAD}units:\n  Minsk:\n    form: {{A1: Wolves, A2: null, F1: Cogs}}\n"
        section = "" if unit == "Minsk" else f"  {unit}:\n"
        yield name, f"{body}{section}    plan:\n{indent(example.example, '      ')}\n"


@pytest.mark.clause("O3", "O4", "O5")
@pytest.mark.parametrize(("word", "text"), list(examples()), ids=[word for word, _ in examples()])
def test_the_example_of_a_word_is_read_without_a_finding(word: str, text: str) -> None:
    reading = read(text)
    assert [diagnostic.render() for diagnostic in reading.diagnostics] == []
    assert reading.sheet is not None
    orders = [order.written.text for order in reading.sheet.all_orders()]
    assert word == "plan" or any(word in order for order in orders), orders


def test_the_sample_of_a_file_is_read() -> None:
    text = next(part.text for part in texts.guide("orders").parts if part.id == "writing-file")
    sample = re.search(r"```\n(.*?)```", text, re.DOTALL)
    assert sample is not None
    reading = read(sample[1])
    assert reading.sheet is not None
    assert reading.diagnostics == ()


def test_the_sample_of_a_finding_is_what_the_reader_says() -> None:
    text = next(part.text for part in texts.guide("orders").parts if part.id == "writing-wrong")
    sample = re.search(r"```\n(.*?)```", text, re.DOTALL)
    assert sample is not None
    lines = (
        HEAD
        + "#\n" * (32 - HEAD.count("\n") - 4)
        + "units:\n  Minsk: {form: {A1: Wolves}}\n  A1:\n    plan:\n"
    )
    text = f"{lines}      - march: Zodzna\n"
    reading = SPEC.read_orders(
        table(), start(), text.encode(), "LIT.yaml", game="minsk", realm="LIT", key="swift-horse-47"
    )
    (finding,) = reading.diagnostics
    assert finding.render().splitlines() == sample[1].rstrip().splitlines()


# -- the first turn ------------------------------------------------------------------------------------------


def test_the_tutorials_file_is_made_of_its_steps_and_reads_without_a_finding() -> None:
    text = order_file(texts.tutorial())
    for step in texts.tutorial().steps:
        assert all(line in text.splitlines() for line in step.orders.splitlines())
    assert read(text).diagnostics == ()
    assert text.rstrip() in page()


def test_a_step_that_goes_nowhere_is_an_error() -> None:
    tutorial = texts.tutorial()
    lost = tutorial.steps[3].evolve(into="Atlantis")
    with pytest.raises(ValueError, match="Atlantis"):
        order_file(tutorial.evolve(steps=(*tutorial.steps[:3], lost)))


def test_a_tutorial_that_the_reader_finds_fault_with_is_an_error() -> None:
    with pytest.raises(ValueError, match="Minks"):
        read_file(
            texts.tutorial(),
            f"{HEAD}units:\n  Minks: {{recruit: {{Archers: 1}}}}\n",
            start(),
            *rules_and_map(),
        )


def rules_and_map() -> tuple[Any, Any]:
    return table().rules, table().board


@pytest.mark.clause("H1")
def test_the_trial_comes_to_what_the_tutorial_says() -> None:
    fates = {order.order: order.fate for order in taught().preview.orders}
    assert {order for order, fate in fates.items() if fate != "done"} == {"offer_alliance: POL"}
    assert sum("march" in order for order in fates) == 2
    assert taught().preview.findings == ()
    assert {order.order for order in taught().preview.orders if order.hangs_on} == {"offer_alliance: POL"}
    figures_of = {
        name: taught().figures[f"tutorial.{name}"]
        for name in ("treasury", "upkeep", "cost", "surplus", "decay")
    }
    treasury, upkeep, cost, surplus, decay = map(Decimal, figures_of.values())
    assert treasury - upkeep - cost == surplus > 0
    assert decay == round(surplus * 7 / 100, 2)
    income = Decimal(taught().figures["tutorial.revenue"]) + table().rules.economy.proclamation
    (after,) = (
        line for line in taught().preview.books if line.says.startswith("in the treasury after the turn")
    )
    assert after.balance == surplus - decay + income


def test_the_tutorials_armies_are_much_stronger_than_their_enemies() -> None:
    of = taught().figures
    for army, target in (("A1", "Volodymir"), ("A2", "Samogitia")):
        assert of[f"tutorial.{army}.combat"] > 2 * of[f"tutorial.{target}.combat"]
        assert Decimal(of[f"tutorial.{army}.hit_points"]) > Decimal(of[f"tutorial.{target}.hit_points"])
        assert of[f"tutorial.{army}.pace"] >= table().rules.movement.march_enemy


@cache
def after_the_first_turn(game: int) -> World:
    sheet = read(order_file(texts.tutorial())).sheet
    world: World = SPEC.play(table(), start(), {"LIT": sheet}, f"tutorial {game}").state
    return world


def test_both_attacks_all_but_always_succeed() -> None:
    for name in ("Volodymir", "Samogitia"):
        taken = sum(after_the_first_turn(game).provinces[name].owner == "LIT" for game in range(GAMES))
        assert taken >= GAMES - 1


def test_the_second_file_is_carried_out_whole() -> None:
    for game in range(5):
        world = after_the_first_turn(game)
        text = texts.tutorial().next_turn
        sheet = read_file(texts.tutorial(), text, world, table().rules, table().board)
        preview = SPEC.preview(table(), world, "LIT", sheet, Source("t", text))
        assert [order.fate for order in preview.orders] == ["done", "done", "done"]
        after = SPEC.play(table(), world, {"LIT": sheet}, "t").state
        assert {after.provinces[name].annexed_to for name in ("Volodymir", "Samogitia")} == {"LIT"}
        assert world.realms["LIT"].treasury > Decimal(taught().figures["tutorial.annex"])


def test_the_tutorials_tables_show_the_position() -> None:
    texts = Parsed(page()).text
    assert "2 Light Spearmen, 1 Archer" in texts["first-neighbour"]
    assert [row.name for row in taught().neighbours if not row.enter] == ["Prussia", "Mazovia"]
    assert {row.owner for row in taught().neighbours if row.enter} == {""}
    assert "Crusader Knights" not in texts["first-recruit"]
    assert "<svg" in page()


# -- the fight -----------------------------------------------------------------------------------------------


def numbers_in(cell: str) -> list[int]:
    """Return the figures that stand in braces in a cell of a table."""
    return [int(number) for number in re.findall(r"\{(\d+)\}", cell)]


def rules_of_the_example() -> Rules:
    """Return rules without chance that have the example's two troops and its wall."""
    shipped = sure_rules()
    walls = shipped.fortifications[1].evolve(foot_combat=60, foot_hit_points=Decimal(1))
    types = (troop("Cavalry", 100, 3, kind=TroopClass.MOUNTED), troop("Infantry", 25, 1))
    return shipped.evolve(
        troops={**shipped.troops, **{troop.name: troop for troop in types}},
        fortifications=(shipped.fortifications[0], walls, *shipped.fortifications[2:]),
    )


@pytest.mark.clause("X15")
def test_the_example_battle_is_the_one_that_the_rules_fight() -> None:
    """The handbook's table has the luck, damage and losses of a battle that the engine fights."""
    table_of = next(part.table for part in texts.guide("fights").parts if part.id == "fights-example")
    assert table_of is not None
    rows = [list(map(numbers_in, row[:5])) for row in table_of.rows]
    by = rules_of_the_example()
    world = make_world(
        unit("ENG/A2", "Minsk", {"Cavalry": 2}),
        unit("LIT/G1", "Minsk", {"Infantry": 2}),
        war=[("ENG", "LIT")],
    )
    battles = (report(fought(world, by=by, seed=str(seed))) for seed in range(1000))
    luck = [row[2] for row in rows]
    battle = next(
        fought for fought in battles if [[damage_caused(one)] for one in rounds_of(fought, "LIT/G1")] == luck
    )
    cavalry = rounds_of(battle, "ENG/A2")
    infantry = rounds_of(battle, "LIT/G1")
    assert rows == [
        [
            [number],
            [damage_caused(rider)],
            [damage_caused(foot)],
            [rider.total_taken, battle.units[0].hit_points],
            [foot.total_taken, battle.units[1].hit_points],
        ]
        for number, (rider, foot) in enumerate(zip(cavalry, infantry, strict=True), 1)
    ]
    assert cavalry[1].casualties == (TroopCount(troop="Cavalry", count=1),)
    assert battle.winners == ("ENG",)
