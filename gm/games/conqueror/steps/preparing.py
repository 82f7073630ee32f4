"""What comes before the first move: who plays each seat, what provinces are to work on, what gold buys (CQ-21.1)."""

from __future__ import annotations

from gm.core.pipeline import step
from gm.core.values import FrozenMap
from gm.game.base.events import Fate, settled
from gm.games.conqueror.computer import plan_of
from gm.games.conqueror.events import Bought, ComputerPlays
from gm.games.conqueror.labour import rush_price, why_not_make
from gm.games.conqueror.making import finished, without
from gm.games.conqueror.order_models import Purchase, Work, by_the_number
from gm.games.conqueror.rules import RECRUIT, Rules
from gm.games.conqueror.state import Plan, Province
from gm.games.conqueror.turn import Course, Outcome, Turn

LACKING = {"culture": "lacks-culture", "works": "lacks-works", "nothing": "there-already"}
"""The reason for each thing that a province can lack."""


@step("Intake", "CQ-1.2", "CQ-1.6", "CQ-20.1", "CQ-22.6")
def intake(turn: Turn) -> Outcome:
    """Who wants to be told of others' friendly moves, and whose seat the computer takes over.

    Reads: orders.report, missed. Writes: shows_moves. Emits: ComputerPlays.
    """
    course = Course(turn)
    for code, player in list(course.living()):
        wanted = turn.orders[code].show_moves if code in turn.orders else None
        if wanted is not None:
            course.parties[code] = player.evolve(shows_moves=wanted)
        if player.human and player.missed == course.rules.limits.absent_after + 1:
            course.tell(ComputerPlays(party=code, missed=player.missed))
    return course.outcome()


@step("Orders of the computer", "CQ-2.3", "CQ-18.1", "CQ-18.2", "CQ-18.3", "CQ-18.4", "CQ-18.5", "CQ-20.1")
def computer_orders(turn: Turn) -> Outcome:
    """The computer plans for the seats without a player, and for those whose player has been silent too long.

    Reads: everything. Writes: plans. Emits nothing. Draws: D5.
    """
    course = Course(turn)
    plans: dict[str, Plan] = {}
    for code, player in course.living():
        if code in turn.orders:
            continue
        if not player.human or player.missed > course.rules.limits.absent_after:
            ties = turn.dice(code, "D5 ties")
            plans[code] = plan_of(turn.state, code, course.land, course.rules, ties.below)
    return course.outcome(plans=FrozenMap(plans))


@step("Production is set", "CQ-1.5", "CQ-9.1", "CQ-9.3", "CQ-9.7", "CQ-9.11", "CQ-20.5")
def set_production(turn: Turn) -> Outcome:
    """Own provinces begin to work on what they are told to.

    Reads: orders.production. Writes: item, target. Emits: LineSettled.
    """
    course = Course(turn)
    for code, _ in course.living():
        for work in course.orders(code).production:
            # what has to be taken first is set when production runs (CQ-9.12)
            if not work.taken:
                put_to_work(course, code, work)
    return course.outcome()


def put_to_work(course: Course, code: str, work: Work) -> None:
    """A province works on something else, if it is the player's and can."""
    if course.provinces[work.province].owner != code:
        if work.written is not None:
            course.tell(settled(code, work.written, Fate.FAILED, "not-yours", province=work.province))
        return
    lacking = why_not_make(course.provinces[work.province], work.item, course.rules)
    if lacking is None:
        course.change(work.province, item=work.item, target=work.target)
    if work.written is None:
        return
    if lacking is None:
        course.tell(settled(code, work.written))
    else:
        level = {"province": work.province, "item": work.item, "level": lacking.level}
        course.tell(settled(code, work.written, Fate.FAILED, LACKING[lacking.what], **level))


@step(
    "Buying",
    "CQ-1.4",
    "CQ-11.1",
    "CQ-11.2",
    "CQ-11.3",
    "CQ-11.4",
    "CQ-11.5",
    "CQ-11.6",
    "CQ-11.7",
    "CQ-14.2",
    "CQ-20.6",
)
def buying(turn: Turn) -> Outcome:
    """Gold finishes what it is spent on, in the order of each player's list.

    Reads: orders.buy, gold, labour stored. Writes: gold, armies, works, population, culture, influence, levied.
    Emits: Bought, Improved, LineSettled.
    """
    course = Course(turn)
    levied: list[str] = []
    for code, _ in list(course.living()):
        works: set[str] = set()
        bought = [each for each in course.orders(code).buy if _buy(course, code, each, works)]
        recruited = sorted({each.province for each in bought if each.item == RECRUIT})
        for province in recruited:
            course.shift(province, code, course.rules.items[RECRUIT].worked)
        levied += recruited
    return course.outcome(levied=tuple(levied))


def _buy(course: Course, code: str, purchase: Purchase, works: set[str]) -> bool:
    """One purchase; ``works`` are the provinces in which something was bought of which one a turn is the limit."""
    province = course.provinces[purchase.province]
    lacking = why_not_make(province, purchase.item, course.rules)
    price, treasury = price_of(course.provinces[purchase.province], purchase, course.rules), course.parties[code].gold
    reason = ""
    if province.owner != code:
        reason = "not-yours"
    elif lacking is not None:
        reason = LACKING[lacking.what]
    elif not by_the_number(purchase.item) and purchase.province in works:
        reason = "one-a-turn"
    elif price > treasury:
        reason = "too-dear"
    if reason:
        if purchase.written is not None:
            figures = {"province": purchase.province, "item": purchase.item, "price": price, "treasury": treasury}
            figures["level"] = lacking.level if lacking else 0
            course.tell(settled(code, purchase.written, Fate.FAILED, reason, **figures))
        return False
    course.enrich(code, -price)
    for _ in range(purchase.count):
        course.change(purchase.province, stored=without(course.provinces[purchase.province].stored, purchase.item))
        finished(course, purchase.province, purchase.item, target=purchase.target, rushed=True)
    if not by_the_number(purchase.item):
        works.add(purchase.province)
    course.tell(
        Bought(
            audience=code,
            party=code,
            province=purchase.province,
            item=purchase.item,
            count=purchase.count,
            price=price,
            left=course.parties[code].gold,
        )
    )
    if purchase.written is not None:
        course.tell(settled(code, purchase.written))
    return True


def price_of(province: Province, purchase: Purchase, rules: Rules) -> int:
    """CQ-11.4: what a purchase costs; what is stored is used up by the first one."""
    first = rush_price(province, purchase.item, rules)
    bare = province.evolve(stored=without(province.stored, purchase.item))
    return first + (purchase.count - 1) * rush_price(bare, purchase.item, rules)
