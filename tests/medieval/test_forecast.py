"""The headquarters forecast (H1)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gm.games.medieval.analysis.forecast import STEPS, Warned, forecast
from tests.medieval.testland import atlas, make_world, read_orders, rules, run_steps, unit

ORDERS = """headquarters:
  send_gold: {AQU: 10}
  annex: [Kent]
units:
  London:
    recruit: {Longbowmen: 3, Trading Cog: 1}
    build: [fortification]
    disband: {Siege Machine: 1}
"""


def plans(treasury: int | str, orders: str | None = ORDERS, status: str = "commoner"):
    world = make_world(
        unit("ENG/G1", "London", {"Longbowmen": 10, "Siege Machine": 1}),
        provinces={"Kent": {"annexed_to": None}},
        realms={"ENG": {"treasury": Decimal(treasury), "status": status}},
    )
    sheet = read_orders(world, {"ENG": orders})["ENG"] if orders is not None else None
    return forecast(world, "ENG", sheet, rules(), atlas())


@pytest.mark.clause("H1")
def test_all_expenses_are_foreseen_by_kind():
    found = plans(100)
    assert found.treasury == 100
    assert found.upkeep == 3  # the siege machine is gone before upkeep
    assert found.hq_expenses == 11 + 10
    assert found.garrison_expenses == 19 + 14
    assert found.surplus == 100 + 2 - 3 - 21 - 33  # 2 from the salvage
    assert found.expected_revenue == 20
    assert found.warning is Warned.NONE
    assert sum(line.amount for line in found.lines) == found.surplus
    assert found.decay == Decimal("3.15")


@pytest.mark.clause("H1")
@pytest.mark.parametrize(
    ("treasury", "warning"),
    [
        ("57.00", Warned.NONE),
        ("56.99", Warned.LOW),
        ("55.00", Warned.LOW),
        ("54.99", Warned.SHORT),
        ("0", Warned.SHORT),
    ],
)
def test_below_two_gold_a_warning_and_below_nothing_a_stronger_one(treasury, warning):
    found = plans(treasury)
    assert found.surplus == Decimal(treasury) - 55
    assert found.warning is warning


@pytest.mark.clause("H1")
def test_without_orders_upkeep_and_revenue_are_foreseen():
    found = plans(5, None)
    assert (found.upkeep, found.hq_expenses, found.garrison_expenses) == (Decimal("3.20"), 0, 0)
    assert found.surplus == Decimal("1.80")
    assert found.warning is Warned.LOW


@pytest.mark.clause("H1")
def test_what_the_rules_forbid_costs_nothing():
    assert plans(100, "units:\n  London:\n    hire_commander: 2\n").garrison_expenses == 0
    assert plans(100, "units:\n  London:\n    hire_commander: 2\n", "royalty").garrison_expenses == 30


@pytest.mark.clause("H1")
def test_the_turn_itself_agrees_with_the_forecast():
    world = make_world(
        unit("ENG/G1", "London", {"Longbowmen": 10, "Siege Machine": 1}), provinces={"Kent": {"annexed_to": None}}
    )
    sheets = read_orders(world, {"ENG": ORDERS})
    played = run_steps(world, STEPS, sheets, phase=0)
    assert played.world.realms["ENG"].treasury == forecast(world, "ENG", sheets["ENG"], rules(), atlas()).surplus
