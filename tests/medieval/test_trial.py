"""The trial behind ``pbem check`` and the forecast: what does not stand in a case (cases/trial.yaml; O2,
H1).
"""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.games.medieval.analysis.forecast import FORMING, Warned, all_rich, forecast
from gm.games.medieval.analysis.trial import ORDERED_GOLD, place_of, try_orders
from gm.games.medieval.pipeline import play_turn
from gm.games.medieval.steps.construction import construction_happens
from gm.games.medieval.steps.economy import gold_sent, upkeep_paid
from gm.games.medieval.steps.outcomes import OrderSettled, TreasuryChanged
from gm.games.medieval.steps.provinces import provinces_annexed
from gm.games.medieval.steps.recruiting import commanders_hired, troops_built
from gm.games.medieval.steps.units import troops_disbanded
from tests.examples import examples
from tests.medieval.order_files import as_file
from tests.medieval.order_reading import read
from tests.medieval.ordering import sheets
from tests.medieval.positions import CODES, worlds
from tests.medieval.testland import atlas, make_world, read_orders, rules, run_steps, unit

STEPS = (
    *(*FORMING, troops_disbanded, gold_sent, upkeep_paid, troops_built, commanders_hired),
    *(provinces_annexed, construction_happens),
)

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
    forecast = plans(100)
    assert forecast.treasury == 100
    assert forecast.upkeep == 3  # the siege machine is gone before upkeep
    assert forecast.hq_expenses == 11 + 10
    assert forecast.garrison_expenses == 19 + 14
    assert forecast.surplus == 100 + 2 - 3 - 21 - 33  # 2 from the salvage
    assert forecast.expected_revenue == 20
    assert forecast.warning is Warned.NONE
    assert sum(line.amount for line in forecast.lines) == forecast.surplus
    assert forecast.decay == Decimal("3.15")


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
    forecast = plans(treasury)
    assert forecast.surplus == Decimal(treasury) - 55
    assert forecast.warning is warning


@pytest.mark.clause("H1")
def test_without_orders_upkeep_and_revenue_are_foreseen():
    forecast = plans(5, None)
    assert (forecast.upkeep, forecast.hq_expenses, forecast.garrison_expenses) == (Decimal("3.20"), 0, 0)
    assert forecast.surplus == Decimal("1.80")
    assert forecast.warning is Warned.LOW


@pytest.mark.clause("H1")
def test_the_turn_itself_agrees_with_the_forecast():
    world = make_world(
        unit("ENG/G1", "London", {"Longbowmen": 10, "Siege Machine": 1}),
        provinces={"Kent": {"annexed_to": None}},
    )
    sheets = read_orders(world, {"ENG": ORDERS})
    played = run_steps(world, STEPS, sheets, phase=0)
    assert (
        played.world.realms["ENG"].treasury == forecast(world, "ENG", sheets["ENG"], rules(), atlas()).surplus
    )


def test_other_realms_pay_their_upkeep_whatever_is_known_of_their_gold():
    # a player's results tell no other treasury: that must not make the others' troops desert in his trial
    mine = unit("ENG/A1", "London", {"Heavy Cavalry": 4})
    theirs = unit("FRA/A1", "Paris", {"Heavy Cavalry": 30})
    poor = make_world(mine, theirs, realms={"FRA": {"treasury": Decimal(0)}})
    sheet = read_orders(poor, {"ENG": "units: {A1: {plan: [march: Kent]}}\n"})["ENG"]
    assert not try_orders(poor, "ENG", sheet, rules(), atlas(), "any").chance


@pytest.mark.clause("O2", "W10")
@examples(60, derandomize=True)
@given(st.data())
def test_the_trial_is_the_turn_and_its_costs_add_up(data: st.DataObject):
    drawn = data.draw(worlds())
    realm = data.draw(st.sampled_from(CODES))
    text = as_file(data.draw(sheets(drawn, realm)))
    sheet, _ = read(text, world=drawn, realm=realm, turn=drawn.turn + 1, key=None)
    if sheet is None:
        return
    trial = try_orders(drawn, realm, sheet, rules(), atlas(), "seed")
    rich = all_rich(drawn, but=realm)
    events = play_turn(rich, {realm: sheet}, rules=rules(), atlas=atlas(), seed="seed").events
    fates = {place_of(event): event.fate for event in events if isinstance(event, OrderSettled)}
    assert fates == {place: order_trial.event.fate for place, order_trial in trial.orders.items()}
    moved = [event for event in events if isinstance(event, TreasuryChanged) and event.realm == realm]
    by_orders = sum((event.amount for event in moved if event.what in ORDERED_GOLD), Decimal(0))
    assert sum((order.gold for order in trial.orders.values()), Decimal(0)) == -by_orders
    phases = [step.phase for step in trial.plan]
    assert phases == list(range(len(phases)))
    assert {event.phase for event in events} <= set(phases)


# -- the treasury --------------------------------------------------------------------------------------------
