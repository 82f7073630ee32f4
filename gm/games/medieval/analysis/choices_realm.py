"""What headquarters and each unit of a realm may choose, besides its plan's ways (O3-O5).

All tables of choices ask and answer with the turn as it opens, costs, and refusals in words, each once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cached_property, partial
from typing import Any

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.clauses_data import load_reasons
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders import forms
from gm.games.medieval.orders.grammar import HEADQUARTERS
from gm.games.medieval.orders.model import (
    Build,
    Follow,
    FormUnit,
    GiveProvince,
    GrantPermission,
    HireCommander,
    Raze,
    Recruit,
    Repair,
    RevokePermission,
    SendGold,
    Structure,
    Written,
)
from gm.games.medieval.report.turn_result import MedievalFormatter
from gm.games.medieval.state import Unit, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.steps import construction
from gm.games.medieval.steps.administration import why_not_follow
from gm.games.medieval.steps.bookkeeping import turn_opens
from gm.games.medieval.steps.conquest import why_not_pillage
from gm.games.medieval.steps.diplomacy import why_not_permission, why_not_say
from gm.games.medieval.steps.economy import province_revenue, why_not_send_gold, within_gold_reach
from gm.games.medieval.steps.provinces import (
    annexation_price,
    annexed_counts,
    why_not_annex,
    why_not_give,
    why_not_let_go,
)
from gm.games.medieval.steps.recruiting import city_of, why_not_hire, why_not_recruit
from gm.games.medieval.steps.turn import Refusal, Turn, refuse
from gm.games.medieval.steps.units import holds_ships, salvage, why_not_form
from gm.text.sentences import Said

Answer = int | str | None  # A cost, or the index of a refusal; none where nobody asks
Choices = dict[str, Any]
NOWHERE = Written(0, 0, "")

_FIGURE = re.compile(r"\{(\w+)(:[^}]+)?\}")


class Blank(str):
    """A figure that the reader of a table fills in."""

    __slots__ = ()


def cents(gold: Decimal) -> int:
    """Hundredths of gold."""
    return int(gold * 100)


class Answers:
    """Refusals in words, each once, by index; ``pools``: what several orders draw from, with the refusal when it is
    empty."""

    def __init__(self, formatter: MedievalFormatter) -> None:
        self._formatter = formatter
        self._found: dict[tuple[str, str], str] = {}
        self.pools: Choices = {}

    def __call__(self, refusal: Refusal | None, cost: int = 0, blanks: Mapping[str, str] | None = None) -> Answer:
        """The answer: ``cost`` without a refusal. ``blanks``: values of figures, with the blank for each."""
        if refusal is None:
            return cost
        known = load_reasons()[refusal.reason]

        def put(found: re.Match[str]) -> str:
            value, noun = refusal.figures[found[1]], found[2] or ""
            if blanks and isinstance(value, str) and value in blanks:
                return f"{{{blanks[value]}{noun}}}"
            if isinstance(value, Blank):
                return f"{{{value}{noun}}}"
            return format(Said(self._formatter.words(value, found[1])), noun[1:])

        return self._found.setdefault((known.clause, _FIGURE.sub(put, known.says)), str(len(self._found)))

    def table(self) -> list[tuple[str, str]]:
        """(clause, sentence) by index."""
        return list(self._found)


class ChoiceContext:
    """A turn as it opens, to ask its rules about. ``world``: the one before the turn."""

    def __init__(self, world: World, rules: Rules, atlas: Atlas) -> None:
        begun: Turn = Turn(state=world, number=world.turn + 1, rules=rules, board=atlas, orders={}, seed="")
        self.world: World = turn_opens(begun).state
        self.turn: Turn = replace(begun, state=self.world)
        self.rules, self.atlas = rules, atlas
        self.formatter = MedievalFormatter(world, sentences={})

    @cached_property
    def site(self) -> construction.Site:
        """Where works are asked about: as the turn comes to them if it stays at peace (L8)."""
        site = construction.Site(self.turn)
        construction.repair_in_peace(site)
        return site


OFFERS = ("offer_peace", "offer_alliance")  # What the other side has to offer too (L15, L17)


def headquarters_choices(turn: ChoiceContext, realm: str, says: Answers) -> Choices:
    """By word: ``of``, answers by realm, province or commander; ``pair``, by province and realm (``Kent/FRA``);
    ``pool``, of which it takes one; ``waits``: it hangs on the other side's offer."""
    world, rules, atlas = turn.world, turn.rules, turn.atlas
    others = [code for code in world.realms if code != realm]
    own = [land.name for land in world.owned_by(realm)]
    nobody: frozenset[str] = frozenset()
    reached = within_gold_reach(world, realm, rules, atlas)

    limit, annexed = rules.statuses[world.realms[realm].status].annexed_provinces, annexed_counts(world).get(realm, 0)

    def each(ask: Callable[[str], Refusal | None], names: Iterable[str]) -> Choices:
        return {"of": {name: says(ask(name)) for name in names}}

    def granted(code: str) -> Refusal | None:
        return why_not_permission(world, realm, GrantPermission(NOWHERE, own[0], code)) if own else None

    def given(code: str) -> Refusal | None:
        return why_not_give(world, realm, GiveProvince(NOWHERE, own[0], code), nobody) if own else None

    def annexing(name: str) -> Refusal | None:
        return why_not_annex(world, realm, name, min(annexed, limit - 1), rules)

    found: Choices = {
        word.name: each(partial(why_not_say, word.order, world, realm), others)
        for word in HEADQUARTERS.values()
        if word.form is forms.REALMS
    }
    for name in OFFERS:
        found[name]["waits"] = True
    found["grant_permission"] = each(granted, others)
    found["revoke_permission"] = {
        "pair": {
            f"{name}/{code}": says(why_not_permission(world, realm, RevokePermission(NOWHERE, name, code)))
            for name in own
            for code in sorted(world.provinces[name].permissions)
        }
    }
    found["send_gold"] = each(
        lambda code: why_not_send_gold(world, realm, SendGold(NOWHERE, code, Decimal(1)), reached), others
    )
    full = refuse("annexation-limit", limit=limit, has=max(limit, annexed))
    says.pools["annex"] = [max(0, limit - annexed), says(full)]
    found["annex"] = {
        "of": {name: says(annexing(name), cents(annexation_price(name, atlas))) for name in own},
        "pool": "annex",
    }
    found["cede_province"] = each(lambda name: why_not_let_go(world, realm, name, nobody), own)
    found["give_province"] = each(given, others)
    found["proclamation"] = {"of": {"": -cents(rules.economy.proclamation)}}
    found["rename_commander"] = {"of": {who.name: 0 for unit in world.of_realm(realm) for who in unit.commanders}}
    return found


def unit_choices(turn: ChoiceContext, unit: Unit, says: Answers) -> Choices:
    """By word: an answer for all that it may be about, or ``of``, answers by troop, structure, unit and so on.
    ``pool``: of which each one ordered takes one, as far as there is any (``part``) or not at all. ``workers``: how
    many a structure takes. ``ships``: the garrison may hold ships."""
    found = _troops(turn, unit, says)
    world, rules, atlas = turn.world, turn.rules, turn.atlas
    if unit.is_garrison:
        found["ships"] = holds_ships(world.provinces[unit.place], atlas)
    else:
        draft = Draft(world)
        same = [each for each in world.of_realm(unit.realm) if each.kind is unit.kind and each.key != unit.key]
        asked = {each.id: why_not_follow(unit, each, Follow(NOWHERE, unit.id, each.id), draft) for each in same}
        found["follow"] = {"of": {"": 0} | {name: says(refusal) for name, refusal in asked.items()}}
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


def _works(turn: ChoiceContext, unit: Unit, says: Answers) -> Choices:
    """L8, L8.1, L10, after the walls have been repaired for a turn of peace."""
    rules, site = turn.rules, turn.site
    if turn.atlas.is_sea(unit.place):
        refusal = construction.why_not_work(site, unit)
        return {word: says(refusal) for word in ("build", "repair", "raze")}
    land = site.province(unit.place)

    def built(order: Build | Repair) -> Answer:
        gold = cents(construction.work_of(order, land, rules).gold)
        return says(construction.why_not_work(site, unit) or construction.why_not_construct(site, unit, order), gold)

    def razed(order: Raze) -> Answer:
        gold = cents(construction.razed_gold(order.structure, land.fortification, rules))
        return says(construction.why_not_work(site, unit) or construction.why_not_raze(site, unit, order), -gold)

    builds = {each.value: Build(NOWHERE, unit.id, each) for each in Structure}
    return {
        "build": {
            "of": {name: built(order) for name, order in builds.items()},
            "workers": {name: construction.work_of(order, land, rules).workers for name, order in builds.items()},
        },
        "repair": built(Repair(NOWHERE, unit.id)),
        "raze": {"of": {each.value: razed(Raze(NOWHERE, unit.id, each)) for each in Structure}},
    }
