"""Gold sent, spent on upkeep, lost to decay and earned, and what it buys (L2-L5, L8-L11, L13)."""

from decimal import Decimal
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gm.core.diagnostics import fold
from gm.core.dice import Dice
from gm.core.values import to_cents
from gm.games.medieval.analysis.forecast import forecast
from gm.games.medieval.events.final import FortificationRepaired, StructureRazed
from gm.games.medieval.orders.model import HireCommander, Orders, Proclamation, Recruit, Structure, Written
from gm.games.medieval.steps.construction import (
    construction_happens,
    razed_gold,
    repair_work,
    structures_razed,
    work_on,
)
from gm.games.medieval.steps.economy import (
    UpkeepLine,
    gold_sent,
    pay_in_order,
    proclamations_income,
    province_revenue,
    total_upkeep,
    upkeep_lines,
    within_gold_reach,
)
from gm.games.medieval.steps.recruiting import (
    affordable,
    commanders_hired,
    drawn_commander,
    free_names,
    troops_built,
)
from tests.medieval.marks import marked
from tests.medieval.testland import atlas, commander, make_world, read_orders, rules, run_steps, unit

HQ = "headquarters:\n"


def treasury(played, realm: str) -> Decimal:
    return played.world.realms[realm].treasury


def send(world, **orders: str):
    sheets = {realm: f"{HQ}  send_gold: {{{text}}}\n" for realm, text in orders.items()}
    return run_steps(world, [gold_sent], sheets, phase=0)


@pytest.mark.clause("L2", "H1")
def test_gold_may_go_to_a_garrison_of_one_s_own_and_only_the_fee_is_lost():
    """14.C25: an order like any other; it comes back too late to be sent on."""
    played = send(make_world(), ENG="ENG: 50, AQU: 50")
    assert played.fates("ENG") == [
        ("send_gold: ENG 50", "done", ""),
        ("send_gold: AQU 50", "failed", "gold-too-little"),
    ]
    assert treasury(played, "ENG") == 95
    sheet = read_orders(make_world(), {"ENG": f"{HQ}  send_gold: {{ENG: 50}}\n"})["ENG"]
    alone, sent = (
        forecast(make_world(), "ENG", orders, rules(), atlas()).surplus for orders in (None, sheet)
    )
    assert alone - sent == 5


@pytest.mark.clause("L2")
def test_gold_needs_a_way_of_seven_borders_at_most():
    # London - North Sea/Channel - Alborg Bight - Hanobukten - Baltic - Riga: five; Minsk: six, through Riga
    assert send(make_world(), ENG="TEU: 5").fate("ENG", "send_gold") == ("done", "")
    assert send(make_world(), ENG="LIT: 5").fate("ENG", "send_gold") == ("failed", "gold-no-way")
    through = make_world(realms={"TEU": {"passage": ["ENG"]}})
    assert send(through, ENG="LIT: 5").fate("ENG", "send_gold") == ("done", "")
    short = rules().evolve(economy=rules().economy.evolve(gold_reach=5))
    assert "Riga" in within_gold_reach(through, "ENG", short, atlas())
    assert "Minsk" not in within_gold_reach(through, "ENG", short, atlas())


@pytest.mark.clause("L3", "W10")
@given(
    st.lists(st.tuples(st.sampled_from(list(rules().troops)), st.integers(1, 99)), max_size=9),
    st.integers(0, 3),
)
def test_the_sum_of_all_upkeep_is_that_of_its_lines(troops: list[tuple[str, int]], leaders: int):
    units = [unit(f"ENG/A{number}", "Kent", {name: count}) for number, (name, count) in enumerate(troops, 1)]
    units.append(
        unit("ENG/G1", "London", commanders=[commander(f"Hugh {number}") for number in range(leaders)])
    )
    lines = upkeep_lines(units, rules())
    assert total_upkeep(units, rules()) == to_cents(sum((line.price for line in lines), Decimal(0)))
    assert pay_in_order(lines, total_upkeep(units, rules())) == (total_upkeep(units, rules()), [])


@pytest.mark.clause("L3", "W10")
def test_a_sum_that_is_rounded_down_is_all_that_is_to_be_paid():
    assert pay_in_order([UpkeepLine("ENG/A1", "Archers", "", 1, Decimal("0.334"))], Decimal("0.33"))[1] == []


@pytest.mark.clause("L3")
def test_commanders_are_paid_first_then_garrisons_armies_fleets_dearest_troops_first():
    units = [
        unit("ENG/A1", "Kent", {"Archers": 1, "Heavy Cavalry": 1}, commanders=[commander("Hugh")]),
        unit("ENG/A2", "Kent", {"Men-at-Arms": 1}),
        unit("ENG/F1", "Channel", {"Trading Cog": 1}),
        unit("ENG/G1", "London", {"Peasant Rabble": 1}),
    ]
    lines = upkeep_lines(units, rules())
    assert [(line.unit[4:], line.troop or line.commander) for line in lines] == [
        ("A1", "Hugh"),
        ("G1", "Peasant Rabble"),
        ("A1", "Heavy Cavalry"),
        ("A1", "Archers"),
        ("A2", "Men-at-Arms"),
        ("F1", "Trading Cog"),
    ]


@pytest.mark.clause("L3")
def test_the_first_who_cannot_be_paid_in_full_takes_the_rest_and_all_after_go_without():
    units = [unit("ENG/G1", "London", {"Heavy Cavalry": 3, "Peasant Rabble": 2})]  # 3 x 0.5, 2 x 0.2
    paid, unpaid = pay_in_order(upkeep_lines(units, rules()), Decimal("1.20"))
    # two knights in full, the third takes 0.20; the rabble, which 0.20 would have paid, gets nothing
    assert paid == Decimal("1.20")
    assert [(line.troop, line.count) for line in unpaid] == [("Heavy Cavalry", 1), ("Peasant Rabble", 2)]
    assert pay_in_order(upkeep_lines(units, rules()), Decimal("1.50"))[1] == unpaid[1:]


@pytest.mark.clause("X7", "L11", "T3", "W4")
@pytest.mark.parametrize(("damage", "gold"), [(0, 40), (1, 32), (2, 26), (3, 20)])
def test_damage_lowers_revenue(damage, gold):
    world = make_world(provinces={"Paris": {"damage": damage}})
    assert province_revenue(world.provinces["Paris"], atlas(), rules()) == gold


@pytest.mark.clause("L11")
def test_a_production_area_adds_to_the_base_before_damage():
    world = make_world(provinces={"Paris": {"damage": 1, "production_areas": 3}})
    assert province_revenue(world.provinces["Paris"], atlas(), rules()) == Decimal("36.80")


def proclaim(text: str, *, twice: bool = False, rejected: bool = False):
    order = Proclamation(Written(3, 1, "proclamation"), text)
    sheet = Orders("ENG", 1, headquarters=(order, order) if twice else (order,))
    sheet = replace(sheet, proclamation_rejected=rejected)
    return run_steps(make_world(), [proclamations_income], {"ENG": sheet}, phase=0)


@pytest.mark.clause("L13")
@pytest.mark.parametrize(
    ("text", "rejected", "reason"),
    [
        ("Peace.", True, "proclamation-rejected"),
        (" ", False, "proclamation-empty"),
        ("x" * 1001, False, "proclamation-too-long"),
    ],
)
def test_an_unsuitable_proclamation_is_neither_heard_nor_paid(text, rejected, reason):
    played = proclaim(text, rejected=rejected)
    assert [event.kind for event in played.events] == ["OrderSettled"]
    assert played.fate("ENG", "proclamation") == ("failed", reason)


HERE = Written(1, 1, "order")


@pytest.mark.clause("L4", "W5")
def test_only_garrisons_of_cities_recruit():
    world = make_world(unit("ENG/A1", "London", {"Archers": 1}), provinces={"Kent": {"fortification": 1}})
    fort = make_world(unit("ENG/G2", "Kent"), provinces={"Kent": {"fortification": 1}})
    for start, who in ((world, "A1"), (fort, "Kent")):
        sheet = Orders("ENG", 1, units=(Recruit(HERE, who, "Longbowmen", 1), HireCommander(HERE, who, 1)))
        played = run_steps(start, [troops_built, commanders_hired], {"ENG": sheet}, phase=0)
        assert [reason for *_, reason in played.fates("ENG")] == ["recruit-needs-city", "hire-needs-city"]


@pytest.mark.clause("L3.1", "L4")
def test_what_costs_nothing_needs_no_gold():
    assert affordable(3, Decimal(0), Decimal(0)) == 3


@pytest.mark.clause("L5", "T5", "W12")
def test_each_tactic_is_the_lower_of_two_draws_and_some_commanders_are_better():
    stream = Dice("seed")("hired")
    drawn = [drawn_commander(stream, set(), rules()) for _ in range(500)]
    ratings = list(chain.from_iterable((who.infantry, who.cavalry, who.siege, who.naval) for who in drawn))
    assert min(ratings) == 1
    assert max(ratings) > 50
    # the lower of two draws of 1..60 is 20.5 on average; of 2000 the mean lies within 1.5 all but certainly
    assert abs(sum(ratings) / len(ratings) - 20.5) < 1.5
    check = Dice("seed")("hired")
    check.below(len(rules().commander_names))
    assert drawn[0].infantry == min(check.below(60), check.below(60)) + 1


@pytest.mark.clause("L5", "W6")
def test_names_are_unique_even_when_all_are_borne():
    names = rules().commander_names
    assert free_names(set(map(fold, names[1:])), rules()) == [names[0]]
    single = rules().evolve(commander_names=("Adam of Wark",))
    assert free_names({"adam of wark"}, single) == ["Adam of Wark 2"]
    nameless = rules().evolve(commander_names=())
    assert [free_names(taken, nameless) for taken in (set(), {"commander"})] == [
        ["Commander"],
        ["Commander 2"],
    ]


def orders(unit_id: str, line: str) -> dict[str, str]:
    return {"ENG": f"units:\n  {unit_id}:\n    {line}\n"}


def construct(world, line: str, *before, who: str = "A1"):
    return run_steps(world, [*before, construction_happens], orders(who, line), phase=0)


def at_kent(soldiers=6, **kent):
    return make_world(unit("ENG/A1", "Kent", {"Men-at-Arms": soldiers}), provinces={"Kent": kent})


@pytest.mark.clause("T4", "L8")
def test_costs_and_workers_of_structures():
    three = work_on(Structure.FORTIFICATION, 3, rules())
    assert (three.gold, three.workers) == (14, 3)
    assert [work_on(Structure.FORTIFICATION, level, rules()).gold for level in (1, 2, 12)] == [10, 12, 32]
    harbour, area = (
        work_on(structure, 0, rules()) for structure in (Structure.HARBOUR, Structure.PRODUCTION_AREA)
    )
    assert ((harbour.gold, harbour.workers), (area.gold, area.workers)) == ((20, 4), (8, 2))


@pytest.mark.clause("T2")
def test_the_table_of_fortifications():
    table = rules().fortifications
    assert [row.barracks for row in table] == [3 * level for level in range(1, 13)]
    assert (table[2].name, table[2].foot_combat, table[2].foot_hit_points) == (
        "Stone Tower",
        49,
        Decimal("1.0"),
    )
    assert (table[11].mounted_combat, table[11].mounted_hit_points) == (37, Decimal("1.8"))
    assert rules().fortification(0) is None


@pytest.mark.clause("L8.1")
def test_paid_repair_costs_half_the_level_and_works_after_a_battle():
    world = at_kent(fortification=3, fortification_damage=1)
    played = construct(world, "repair: yes", marked("Kent", battle=True))
    assert played.world.provinces["Kent"].fortification_damage == 0
    assert played.world.realms["ENG"].treasury == 93  # half of 14
    assert played.world.progress.workers["ENG/A1"] == 3
    assert [event.paid for event in played.only(FortificationRepaired)] == [True]
    assert repair_work(1, rules()).gold == 5


def raze(world, line: str, who: str = "A1"):
    return run_steps(world, [structures_razed], orders(who, f"raze: [{line}]"), phase=0)


@pytest.mark.clause("L10", "W10", "P8")
def test_razing_brings_a_third_of_the_cost_rounded_down_and_goes_in_order():
    world = make_world(
        unit("ENG/G1", "London", {"Men-at-Arms": 9}),
        provinces={"London": {"production_areas": 1, "fortification": 3}},
    )
    played = raze(world, "fortification, fortification, harbour, production area", who="London")
    # 14, 12, 20 and 8 gold were spent: 4.66 + 4 + 6.66, and nobody is left to work on the last
    assert [reason for *_, reason in played.fates("ENG")] == ["", "", "", "workers-too-few"]
    assert played.world.realms["ENG"].treasury == Decimal("115.32")
    land = played.world.provinces["London"]
    assert (land.fortification, land.harbour, land.production_areas) == (1, False, 1)
    assert razed_gold(Structure.PRODUCTION_AREA, 0, rules()) == Decimal("2.66")
    assert [event.level for event in played.only(StructureRazed)] == [2, 1, 0]
    assert played.world.done("ENG/G1").spent
