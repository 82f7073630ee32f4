"""Whose seat the computer plays, what provinces work on, what gold buys (CQ-8 to CQ-11, CQ-14, CQ-18, CQ-20)."""

from __future__ import annotations

from typing import Any

from gm.core.pipeline import step
from gm.game.base.events import Fate
from gm.games.conqueror.bots import SETTLED, plan_of
from gm.games.conqueror.course import Course, Outcome, Turn, finished
from gm.games.conqueror.events import Bought, ComputerPlays, NeutralsBuilt, Worked
from gm.games.conqueror.figures import labour, rush_price, why_not_make, with_stored
from gm.games.conqueror.orders import by_the_number
from gm.games.conqueror.rules import FARMS, RECRUIT, TAXES, Rules
from gm.games.conqueror.state import NEUTRAL, Orders, Province, Purchase

LACKING = {"culture": "lacks-culture", "works": "lacks-works", "nothing": "there-already"}
"""The reason for each thing that a province can lack."""


@step("Intake", "CQ-1.2", "CQ-1.6", "CQ-20.1", "CQ-22.6")
def intake(turn: Turn) -> Outcome:
    """Who wants to be told of others' friendly moves, and whose seat the computer takes over.
    Reads: orders.report, missed. Writes: shows_moves. Emits: ComputerPlays."""
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
    Reads: everything. Writes: plans. Emits nothing. Draws: D5."""
    course = Course(turn)
    plans: dict[str, Orders] = {}
    for code, player in course.living():
        absent = not player.human or player.missed > course.rules.limits.absent_after
        if absent and code not in turn.orders:
            ties = turn.dice(code, "D5 ties")
            plans[code] = plan_of(turn.state, code, course.land, course.rules, ties.below)
    return course.outcome(plans=plans)


@step("Production is set", "CQ-1.5", "CQ-9.1", "CQ-9.3", "CQ-9.7", "CQ-9.11", "CQ-20.5")
def set_production(turn: Turn) -> Outcome:
    """Own provinces begin to work on what they are told to.
    Reads: orders.production. Writes: item, target. Emits: LineSettled."""
    course = Course(turn)
    # what has to be taken first is set when production runs (CQ-9.12)
    _put_to_work(course, taken=False)
    return course.outcome()


def _put_to_work(course: Course, *, taken: bool) -> None:
    """Provinces work on something else, if they are the player's and can."""
    for code, _ in list(course.living()):
        for work in course.orders(code).production:
            if work.taken != taken:
                continue
            province = course.provinces[work.province]
            lacking = why_not_make(province, work.item, course.rules)
            if province.owner != code:
                course.settle(code, work, Fate.FAILED, "not-yours", province=work.province)
            elif lacking is not None:
                level = {"province": work.province, "item": work.item, "level": lacking.level}
                course.settle(code, work, Fate.FAILED, LACKING[lacking.what], **level)
            else:
                course.change(work.province, item=work.item, target=work.target)
                course.settle(code, work)


@step(
    "Buying",
    *("CQ-1.4", "CQ-11.1", "CQ-11.2", "CQ-11.3", "CQ-11.4", "CQ-11.5", "CQ-11.6", "CQ-11.7", "CQ-14.2", "CQ-20.6"),
)
def buying(turn: Turn) -> Outcome:
    """Gold finishes what it is spent on, in the order of each player's list.
    Reads: orders.buy, gold, labour stored. Writes: gold, armies, works, population, culture, influence, levied.
    Emits: Bought, Improved, LineSettled."""
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
    province, item, any_number = course.provinces[purchase.province], purchase.item, by_the_number(purchase.item)
    lacking = why_not_make(province, item, course.rules)
    price, treasury = price_of(province, purchase, course.rules), course.parties[code].gold
    reasons = {
        "not-yours": province.owner != code,
        LACKING[lacking.what] if lacking else "": lacking is not None,
        "one-a-turn": not any_number and province.code in works,
        "too-dear": price > treasury,
    }
    reason = next((each for each, holds in reasons.items() if holds), "")
    if reason:
        figures = {"province": province.code, "item": item, "price": price, "treasury": treasury}
        course.settle(code, purchase, Fate.FAILED, reason, **figures, level=lacking.level if lacking else 0)
        return False
    course.enrich(code, -price)
    for _ in range(purchase.count):
        stored = course.provinces[province.code].stored
        course.change(province.code, stored=with_stored(stored, item, 0))
        finished(course, province.code, item, target=purchase.target, rushed=True)
    if not any_number:
        works.add(province.code)
    what: dict[str, Any] = {"province": province.code, "item": item, "count": purchase.count, "price": price}
    course.tell(Bought(audience=code, party=code, **what, left=course.parties[code].gold))
    course.settle(code, purchase)
    return True


def price_of(province: Province, purchase: Purchase, rules: Rules) -> int:
    """CQ-11.4: what a purchase costs; what is stored is used up by the first one."""
    first = rush_price(province, purchase.item, rules)
    bare = province.evolve(stored=with_stored(province.stored, purchase.item, 0))
    return first + (purchase.count - 1) * rush_price(bare, purchase.item, rules)


@step(
    "Production",
    *("CQ-8.1", "CQ-8.4", "CQ-8.5", "CQ-8.7", "CQ-8.8", "CQ-9.2", "CQ-9.4", "CQ-9.5", "CQ-9.6", "CQ-9.8"),
    *("CQ-9.9", "CQ-9.10", "CQ-9.12", "CQ-10.2", "CQ-14.1", "CQ-14.2", "CQ-14.3", "CQ-18.6"),
)
def production(turn: Turn) -> Outcome:
    """Every province works on its item; taxes and recruiting cost control.
    Reads: item, population, resources, culture, control. Writes: gold, armies, labour stored, works, population,
    culture, influence. Emits: Worked, Improved, NeutralsBuilt, LineSettled."""
    course = Course(turn)
    _put_to_work(course, taken=True)
    raised: list[tuple[str, int]] = []
    farmed: list[tuple[str, int]] = []
    for code, before in list(course.provinces.items()):
        if before.owner != NEUTRAL:
            _work(course, code)
        elif course.rules.knobs.neutrals_build:
            after = _neutral_work(course, code)
            if after.armies > before.armies:
                raised.append((code, after.armies - before.armies))
            if after.population > before.population:
                farmed.append((code, after.population - before.population))
    if raised or farmed:
        course.tell(NeutralsBuilt(armies=tuple(raised), farms=tuple(farmed)))
    return course.outcome()


def _work(course: Course, code: str) -> None:
    """A player's province works for a turn."""
    province = course.provinces[code]
    if why_not_make(province, province.item, course.rules) is not None:
        # it was bought meanwhile, or the works were: CQ-9.8
        province = course.change(code, item=TAXES, target="")
    item, owner, worked = province.item, province.owner, labour(province, course.turn.number, course.rules)
    gold = made = 0
    rule = course.rules.items[item]
    if item == TAXES:
        gold = worked
    else:
        made = _complete(course, code, item, worked)
        if made and not rule.repeats:
            gold = course.provinces[code].stored.get(item, 0)
            course.change(code, stored=with_stored(province.stored, item, 0), item=TAXES, target="")
    course.enrich(owner, gold)
    if rule.worked and not (item == RECRUIT and code in course.state.levied):
        course.shift(code, owner, rule.worked)
    after = course.provinces[code]
    stored, needed = after.stored.get(item, 0), rule.price(after.population)
    what: dict[str, Any] = {
        "party": owner,
        "province": code,
        "item": item,
        "labour": worked,
        "made": made,
        "gold": gold,
    }
    course.tell(Worked(audience=owner, **what, stored=stored, needed=needed))


def _complete(course: Course, code: str, item: str, worked: int, most: int | None = None) -> int:
    """How many the labour finishes, with what was stored; the rest stays stored."""
    rule, made, province = course.rules.items[item], 0, course.provinces[code]
    course.change(code, stored=with_stored(province.stored, item, province.stored.get(item, 0) + worked))
    while most is None or made < most:
        province = course.provinces[code]
        left = province.stored.get(item, 0) - rule.price(province.population)
        if left < 0:
            break
        course.change(code, stored=with_stored(province.stored, item, left))
        finished(course, code, item, target=province.target)
        made += 1
        if not rule.repeats:
            break
    return made


def _neutral_work(course: Course, code: str) -> Province:
    """CQ-18.6: a province that nobody owns raises armies as it has people, then farms, then does nothing."""
    province = course.provinces[code]
    if province.armies < province.population:
        item, most = RECRUIT, province.population - province.armies
    elif province.population < SETTLED:
        item, most = FARMS, SETTLED - province.population
    else:
        return province
    course.change(code, item=item)
    _complete(course, code, item, labour(province, course.turn.number, course.rules), most)
    return course.provinces[code]
