"""What one unit may choose besides its plan's ways (O4, O5): answers by word for the unit as it stands now."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gm.games.medieval.analysis.choices_headquarters import NOWHERE
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
from gm.games.medieval.steps.turn import refuse
from gm.games.medieval.steps.units import salvage, why_not_form

if TYPE_CHECKING:
    from gm.games.medieval.analysis.choices import TurnChoices
    from gm.games.medieval.analysis.choices_text import Answer, GameData, Sayings


def unit_choices(all_realms: TurnChoices, unit: Unit, says: Sayings, pools: GameData) -> GameData:
    """By word: an answer for all that it may be about, or ``of``, answers by troop, structure, unit and so on.

    ``pool``: of which each one ordered takes one, as far as there is any (``part``) or not at all. ``workers``: how
    many a structure takes. ``ships``: the garrison may hold ships.
    """
    found = _troops(all_realms, unit, says, pools)
    world, rules, atlas = all_realms.world, all_realms.rules, all_realms.atlas
    if unit.is_garrison:
        found["ships"] = holds_ships(world.provinces[unit.place], atlas)
    else:
        found["follow"] = {"of": {"": 0} | _followed(all_realms, unit, says)}
    if not unit.is_fleet:
        found |= _works(all_realms, unit, says)
        if not atlas.is_sea(unit.place):
            gold = int(province_revenue(world.provinces[unit.place], atlas, rules) * 100)
            found["pillage"] = says(why_not_pillage(world, rules, unit, already=False), -gold)
    return found


def _troops(all_realms: TurnChoices, unit: Unit, says: Sayings, pools: GameData) -> GameData:
    """Forming, recruiting, hiring, sending home."""
    world, rules, atlas = all_realms.world, all_realms.rules, all_realms.atlas
    found: GameData = {
        "form": {
            "of": {
                kind: says(
                    why_not_form(all_realms.site, unit, FormUnit(NOWHERE, unit.id, f"{kind}1", None), taken=False)
                )
                for kind in "AF"
            }
        },
        "disband": {
            "of": {
                name: -int(salvage(rules.troops[name], atlas.is_sea(unit.place), rules) * 100) for name in unit.troops
            }
        },
    }
    if not unit.is_garrison:
        return found
    city = city_of(unit, atlas)
    if city is None:
        found["recruit"] = says(why_not_recruit(world, unit, Recruit(NOWHERE, unit.id, "", 1), rules, atlas))
    else:
        found["recruit"] = {
            "of": {
                name: says(
                    why_not_recruit(world, unit, Recruit(NOWHERE, unit.id, name, 1), rules, atlas),
                    int(rules.troops[name].cost * 100),
                )
                for name in city.recruits
                if name in rules.troops
            },
            "pool": unit.place,
            "part": True,
        }
        blanks = {"left": "left", "ordered": "ordered"}
        short = refuse("resource-too-little", ordered="ordered", left="left", place=unit.place)
        pools[unit.place] = [city.resource, says(short, blanks=blanks)]
    serving = sum(len(each.commanders) for each in world.of_realm(unit.realm))
    limit = rules.statuses[world.realms[unit.realm].status].commanders
    pools["commanders"] = [max(0, limit - serving), says(refuse("commanders-limit", limit=limit, has=serving))]
    hired = why_not_hire(world, unit, HireCommander(NOWHERE, unit.id, 1), min(serving, limit - 1), rules, atlas)
    found["hire_commander"] = {"of": {"": says(hired, int(rules.commanders.price * 100))}, "pool": "commanders"}
    return found


def _followed(all_realms: TurnChoices, unit: Unit, says: Sayings) -> dict[str, Answer]:
    world = all_realms.world
    draft = Draft(world)
    return {
        each.id: says(why_not_follow(unit, each, Follow(NOWHERE, unit.id, each.id), draft))
        for each in world.of_realm(unit.realm)
        if each.kind is unit.kind and each.key != unit.key
    }


def _works(all_realms: TurnChoices, unit: Unit, says: Sayings) -> GameData:
    """L8, L8.1, L10, after the walls have been repaired for a turn of peace."""
    rules = all_realms.rules
    site = all_realms.site
    if all_realms.atlas.is_sea(unit.place):
        refusal = why_not_work(site, unit)
        return {word: says(refusal) for word in ("build", "repair", "raze")}
    land = site.province(unit.place)

    def built(order: Build | Repair) -> Answer:
        gold = int(work_of(order, land, rules).gold * 100)
        return says(why_not_work(site, unit) or why_not_construct(site, unit, order), gold)

    def razed(order: Raze) -> Answer:
        gold = int(razed_gold(order.structure, land.fortification, rules) * 100)
        return says(why_not_work(site, unit) or why_not_raze(site, unit, order), -gold)

    each_structure: Callable[[Callable[[Structure], Any]], GameData] = lambda ask: {  # noqa: E731
        structure.value: ask(structure) for structure in Structure
    }
    return {
        "build": {
            "of": each_structure(lambda structure: built(Build(NOWHERE, unit.id, structure))),
            "workers": each_structure(
                lambda structure: work_of(Build(NOWHERE, unit.id, structure), land, rules).workers
            ),
        },
        "repair": built(Repair(NOWHERE, unit.id)),
        "raze": {"of": each_structure(lambda structure: razed(Raze(NOWHERE, unit.id, structure)))},
    }
