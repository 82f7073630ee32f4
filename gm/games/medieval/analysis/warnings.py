"""Rare results of a turn that a GM should look at before it is published; none of them is an error."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

from gm.core.diagnostics import says
from gm.core.values import PhaseLimitReached
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled
from gm.text.names import subject, the
from gm.text.pages import gold, signed

FEW_PROVINCES = 3  # A realm with fewer loses half of them easily
JUMP = Decimal(2)  # A treasury that grows or shrinks by more than this many times a turn's revenue
FEW_ORDERS = 5  # A sheet with fewer may well fail as a whole


def warnings(result: MedievalResult) -> tuple[str, ...]:
    """Return a sentence for each rare result of a turn."""
    was_ended = any(isinstance(event, PhaseLimitReached) for event in result.events)
    limit = says("Movement Events were ended by the guard on the number of phases, which should never happen")
    hints = (*_lands(result), *_treasuries(result), *_stillness(result), *_failures(result))
    return (*hints, limit) if was_ended else hints


def _lands(result: MedievalResult) -> Iterator[str]:
    """Yield a warning for each realm that lost more than half of its provinces, or more than doubled them.

    A loss counts if the realm had at least ``FEW_PROVINCES``, a gain if it is at least so many.
    """
    before = Counter(province.owner for province in result.before.provinces.values())
    after = Counter(province.owner for province in result.after.provinces.values())
    for code, realm in result.after.realms.items():
        if before[code] >= FEW_PROVINCES and after[code] * 2 < before[code]:
            lost = "{0} lost more than half of its provinces: {1} before, {2} now"
            yield says(lost, subject(realm.name), before[code], after[code])
        elif after[code] > before[code] * 2 and after[code] - before[code] >= FEW_PROVINCES:
            won = "{0} more than doubled its provinces: {1} before, {2} now"
            yield says(won, subject(realm.name), before[code], after[code])


def _treasuries(result: MedievalResult) -> Iterator[str]:
    """Yield a warning for each treasury that changed by many times the realm's revenue."""
    for code, realm in result.after.realms.items():
        lands = result.after.owned_by(code)
        revenue = sum((province_revenue(land, result.atlas, result.rules) for land in lands), Decimal(0))
        change = realm.treasury - result.before.realms[code].treasury
        # without revenue the least change would be a jump
        if abs(change) > JUMP * max(revenue, Decimal(1)):
            jumped = "the treasury of {0} jumped by {1} to {2}"
            yield says(jumped, the(realm.name), signed(change), gold(realm.treasury))


def _stillness(result: MedievalResult) -> Iterator[str]:
    """Yield a warning if no unit changed its place in a turn for which there were orders."""
    before = result.before.units
    after = result.after.units
    moved = any(after[key].place != before[key].place for key in before.keys() & after)
    if result.turn and result.sheets and not moved:
        yield says("not a single unit changed its place")


def _failures(result: MedievalResult) -> Iterator[str]:
    """Yield a warning for each realm whose orders all failed, if they were not few."""
    settled = [event for event in result.events if isinstance(event, OrderSettled)]
    order_counts = Counter(event.audience for event in settled)
    failed = Counter(event.audience for event in settled if event.fate is OrderOutcome.FAILED)
    for code in sorted(order_counts):
        if order_counts[code] >= FEW_ORDERS and failed[code] == order_counts[code]:
            name = the(result.after.realms[code].name)
            yield says("all {0} orders of {1} failed", order_counts[code], name)
