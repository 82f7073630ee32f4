"""What one unit may choose besides its plan's ways (O4, O5): answers by word for the unit as it stands now."""

from __future__ import annotations

from gm.games.medieval.analysis.choices_context import NOWHERE, Answer, Answers, ChoiceContext, Choices, cents
from gm.games.medieval.orders.model import Build, Follow, FormUnit, HireCommander, Raze, Recruit, Repair, Structure
from gm.games.medieval.state import Unit
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.steps.administration import why_not_follow
from gm.games.medieval.steps.conquest import why_not_pillage
from gm.games.medieval.steps.construction import (
    razed_gold,
    why_not_construct,
    why_not_raze,
    why_not_work,
    work_of,
)
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.forming import holds_ships
from gm.games.medieval.steps.recruiting import city_of, why_not_hire, why_not_recruit
from gm.games.medieval.steps.turn import Refusal, refuse
from gm.games.medieval.steps.units import salvage, why_not_form


def unit_choices(turn: ChoiceContext, unit: Unit, says: Answers) -> Choices:
    """By word: an answer for all that it may be about, or ``of``, answers by troop, structure, unit and so on.

    ``pool``: of which each one ordered takes one, as far as there is any (``part``) or not at all. ``workers``: how
    many a structure takes. ``ships``: the garrison may hold ships.
    """
    found = _troops(turn, unit, says)
    world, rules, atlas = turn.world, turn.rules, turn.atlas
    if unit.is_garrison:
        found["ships"] = holds_ships(world.provinces[unit.place], atlas)
    else:
        found["follow"] = {"of": {"": 0} | _followed(turn, unit, says)}
    if not unit.is_fleet:
        found |= _works(turn, unit, says)
        if not atlas.is_sea(unit.place):
            gold = cents(province_revenue(world.provinces[unit.place], atlas, rules))
            found["pillage"] = says(why_not_pillage(world, rules, unit, already=False), -gold)
    return found


def _troops(turn: ChoiceContext, unit: Unit, says: Answers) -> Choices:
    """Forming, recruiting, hiring, sending home."""
    world, rules, atlas = turn.world, turn.rules, turn.atlas
    at_sea = atlas.is_sea(unit.place)

    def forms(kind: str) -> Answer:
        return says(why_not_form(turn.site, unit, FormUnit(NOWHERE, unit.id, f"{kind}1", None), taken=False))

    def recruits(name: str) -> Refusal | None:
        return why_not_recruit(world, unit, Recruit(NOWHERE, unit.id, name, 1), rules, atlas)

    found: Choices = {
        "form": {"of": {kind: forms(kind) for kind in "AF"}},
        "disband": {"of": {name: -cents(salvage(rules.troops[name], at_sea, rules)) for name in unit.troops}},
    }
    if not unit.is_garrison:
        return found
    city = city_of(unit, atlas)
    if city is None:
        found["recruit"] = says(recruits(""))
    else:
        offered = [name for name in city.recruits if name in rules.troops]
        prices = {name: says(recruits(name), cents(rules.troops[name].cost)) for name in offered}
        found["recruit"] = {"of": prices, "pool": unit.place, "part": True}
        blanks = {"left": "left", "ordered": "ordered"}
        short = refuse("resource-too-little", ordered="ordered", left="left", place=unit.place)
        says.pools[unit.place] = [city.resource, says(short, blanks=blanks)]
    serving = sum(len(each.commanders) for each in world.of_realm(unit.realm))
    limit = rules.statuses[world.realms[unit.realm].status].commanders
    says.pools["commanders"] = [max(0, limit - serving), says(refuse("commanders-limit", limit=limit, has=serving))]
    hired = why_not_hire(world, unit, HireCommander(NOWHERE, unit.id, 1), min(serving, limit - 1), rules, atlas)
    found["hire_commander"] = {"of": {"": says(hired, cents(rules.commanders.price))}, "pool": "commanders"}
    return found


def _followed(turn: ChoiceContext, unit: Unit, says: Answers) -> dict[str, Answer]:
    world = turn.world
    draft = Draft(world)
    return {
        each.id: says(why_not_follow(unit, each, Follow(NOWHERE, unit.id, each.id), draft))
        for each in world.of_realm(unit.realm)
        if each.kind is unit.kind and each.key != unit.key
    }


def _works(turn: ChoiceContext, unit: Unit, says: Answers) -> Choices:
    """L8, L8.1, L10, after the walls have been repaired for a turn of peace."""
    rules = turn.rules
    site = turn.site
    if turn.atlas.is_sea(unit.place):
        refusal = why_not_work(site, unit)
        return {word: says(refusal) for word in ("build", "repair", "raze")}
    land = site.province(unit.place)

    def built(order: Build | Repair) -> Answer:
        gold = cents(work_of(order, land, rules).gold)
        return says(why_not_work(site, unit) or why_not_construct(site, unit, order), gold)

    def razed(order: Raze) -> Answer:
        gold = cents(razed_gold(order.structure, land.fortification, rules))
        return says(why_not_work(site, unit) or why_not_raze(site, unit, order), -gold)

    builds = {each.value: Build(NOWHERE, unit.id, each) for each in Structure}
    return {
        "build": {
            "of": {name: built(order) for name, order in builds.items()},
            "workers": {name: work_of(order, land, rules).workers for name, order in builds.items()},
        },
        "repair": built(Repair(NOWHERE, unit.id)),
        "raze": {"of": {each.value: razed(Raze(NOWHERE, unit.id, each)) for each in Structure}},
    }
