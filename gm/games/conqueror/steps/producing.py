"""Production: what provinces work, and what it does to control (CQ-8, CQ-9, CQ-14, CQ-18.6)."""

from __future__ import annotations

from gm.core.pipeline import step
from gm.games.conqueror.computer import SETTLED
from gm.games.conqueror.events import NeutralsBuilt, Worked
from gm.games.conqueror.labour import labour, why_not_make
from gm.games.conqueror.making import finished, with_stored
from gm.games.conqueror.rules import FARMS, RECRUIT, TAXES
from gm.games.conqueror.state import NEUTRAL, Province
from gm.games.conqueror.steps.preparing import put_to_work
from gm.games.conqueror.turn import Course, Outcome, Turn


@step(
    "Production",
    *("CQ-8.1", "CQ-8.4", "CQ-8.5", "CQ-8.7", "CQ-8.8", "CQ-9.2", "CQ-9.4", "CQ-9.5", "CQ-9.6", "CQ-9.8"),
    *("CQ-9.9", "CQ-9.10", "CQ-9.12", "CQ-10.2", "CQ-14.1", "CQ-14.2", "CQ-14.3", "CQ-18.6"),
)
def production(turn: Turn) -> Outcome:
    """Every province works on its item; taxes and recruiting cost control.

    Reads: item, population, resources, culture, control. Writes: gold, armies, labour stored, works, population,
    culture, influence. Emits: Worked, Improved, NeutralsBuilt, LineSettled.
    """
    course = Course(turn)
    _set_what_was_taken(course)
    raised: dict[str, int] = {}
    farmed: dict[str, int] = {}
    for code in list(course.provinces):
        if course.provinces[code].owner != NEUTRAL:
            _work(course, code)
        elif course.rules.knobs.neutrals_build:
            before = course.provinces[code]
            after = _neutral_work(course, code)
            if after.armies > before.armies:
                raised[code] = after.armies - before.armies
            if after.population > before.population:
                farmed[code] = after.population - before.population
    if raised or farmed:
        course.tell(NeutralsBuilt(armies=tuple(raised.items()), farms=tuple(farmed.items())))
    return course.outcome()


def _set_what_was_taken(course: Course) -> None:
    """CQ-9.12: orders for provinces that were not the player's as the turn began."""
    for code, _ in list(course.living()):
        for work in course.orders(code).production:
            if work.taken:
                put_to_work(course, code, work)


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
        course.change(code, stored=with_stored(province.stored, item, province.stored.get(item, 0) + worked))
        made = _complete(course, code, item)
        if made and not rule.repeats:
            gold = course.provinces[code].stored.get(item, 0)
            course.change(code, stored=with_stored(province.stored, item, 0), item=TAXES, target="")
    if gold:
        course.enrich(owner, gold)
    if rule.worked and not (item == RECRUIT and code in course.state.levied):
        course.shift(code, owner, rule.worked)
    after = course.provinces[code]
    course.tell(
        Worked(
            audience=owner,
            party=owner,
            province=code,
            item=item,
            labour=worked,
            made=made,
            gold=gold,
            stored=after.stored.get(item, 0),
            needed=rule.price(after.population),
        )
    )


def _complete(course: Course, code: str, item: str, most: int | None = None) -> int:
    """How many the stored labour finishes; the rest stays stored."""
    rule, made = course.rules.items[item], 0
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
    worked = labour(province, course.turn.number, course.rules)
    stored = with_stored(province.stored, item, province.stored.get(item, 0) + worked)
    course.change(code, item=item, stored=stored)
    _complete(course, code, item, most)
    return course.provinces[code]
