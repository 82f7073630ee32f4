"""Provinces in Final Events: damage, annexation, gifts (L1, L6, L7, L12, L14)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from gm.core.events import Event
from gm.core.pipeline import step
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.final import (
    AnnexationEnded,
    DamageIncreased,
    DamageRepaired,
    ProvinceAnnexed,
    ProvinceCeded,
    ProvinceGiven,
)
from gm.games.medieval.orders.model import Annex, CedeProvince, GiveProvince
from gm.games.medieval.state import INDEPENDENTS, Province, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import enemy_troops_at
from gm.games.medieval.steps.conquest import hand_over
from gm.games.medieval.steps.diplomacy import why_not_deal_with
from gm.games.medieval.steps.turn import Outcome, Refusal, Turn, headquarters_orders, refuse, settled
from gm.games.medieval.steps.workspace import Ledger

# -- L1, L14 -----------------------------------------------------------------------------------------------------------


@step("Province Damage Increases", "L1")
def province_damage_increases(turn: Turn) -> Outcome:
    """Pillage, a land battle or conquest damages a province, once a turn.

    Reads: the turn's marks. Writes: damage. Emits: DamageIncreased.
    """
    world = turn.state
    changed = []
    for name, province in world.provinces.items():
        mark = world.progress.provinces[name]
        suffered = mark.pillaged or mark.battle or mark.conquered
        if suffered and province.damage < turn.rules.economy.damage_limit:
            changed.append(province.evolve(damage=province.damage + 1))
    events = (DamageIncreased(province=province.name, damage=province.damage) for province in changed)
    return Outcome(world.with_provinces(*changed), tuple(events))


@step("Province Damage Repaired", "L14", "W13")
def province_damage_repaired(turn: Turn) -> Outcome:
    """A province without battle, pillage and enemy troops recovers by one.

    Writes: damage. Emits: DamageRepaired.
    """
    world = turn.state
    changed = []
    for name, province in world.provinces.items():
        mark = world.progress.provinces[name]
        if not province.damage or mark.battle or mark.pillaged:
            continue
        if not enemy_troops_at(world, turn.rules, province.owner, name):
            changed.append(province.evolve(damage=province.damage - 1))
    events = (DamageRepaired(province=province.name, damage=province.damage) for province in changed)
    return Outcome(world.with_provinces(*changed), tuple(events))


# -- L6 ----------------------------------------------------------------------------------------------------------------


def annexation_price(province: str, atlas: Atlas) -> Decimal:
    """L6: the base revenue."""
    return atlas.locations[province].revenue


def why_not_annex(world: World, realm: str, province: str, annexed: int, rules: Rules) -> Refusal | None:
    """L6, V2 without the price: owned now and when the turn began, not annexed yet, and within the realm's limit."""
    land = world.provinces.get(province)
    if land is None or land.owner != realm:
        return refuse("annex-not-owner", province=province)
    if world.progress.provinces[province].owner_at_start != realm:
        return refuse("annex-too-soon", province=province)
    if land.annexed_to == realm:
        return refuse("annexed-already", province=province)
    limit = rules.statuses[world.realms[realm].status].annexed_provinces
    return refuse("annexation-limit", limit=limit, has=annexed) if annexed >= limit else None


@step("Provinces Annexed", "L6", "V2", "L3.1")
def provinces_annexed(turn: Turn) -> Outcome:
    """Realms make provinces of theirs a part of the realm; another realm's annexation of them ends.

    Writes: annexations, treasuries. Emits: ProvinceAnnexed, TreasuryChanged, OrderSettled.
    """
    world = turn.state
    events: list[Event] = []
    ledger = Ledger(world, events)
    annexed = annexed_counts(world)
    changed: dict[str, Province] = {}
    for realm, order in headquarters_orders(turn, Annex):
        refusal = why_not_annex(world, realm, order.province, annexed.get(realm, 0), turn.rules)
        if refusal is None and order.province in changed:
            refusal = refuse("annexed-already", province=order.province)
        if refusal is None:
            refusal = ledger.why_not_afford(realm, annexation_price(order.province, turn.board))
        events.append(settled(realm, order, refusal))
        if refusal is not None:
            continue
        land = world.provinces[order.province]
        formerly = land.annexed_to or ""
        if formerly:
            annexed[formerly] -= 1
        annexed[realm] = annexed.get(realm, 0) + 1
        changed[land.name] = land.evolve(annexed_to=realm, turns_away=0)
        events.append(ProvinceAnnexed(realm=realm, province=land.name, formerly=formerly))
        ledger.change(realm, -annexation_price(land.name, turn.board), "annexation", land.name)
    if not changed:
        return Outcome(world, tuple(events))
    world = world.with_provinces(*changed.values()).mark_provinces(changed, annexed=True)
    return Outcome(ledger.world(world), tuple(events))


def annexed_counts(world: World) -> dict[str, int]:
    """How many provinces are annexed to each realm, those that it has lost for now included (V2)."""
    counts: dict[str, int] = {}
    for province in world.provinces.values():
        if province.annexed_to is not None:
            counts[province.annexed_to] = counts.get(province.annexed_to, 0) + 1
    return counts


# -- L7 ----------------------------------------------------------------------------------------------------------------


@step("Province Annexation Declines", "L7")
def province_annexation_declines(turn: Turn) -> Outcome:
    """A province that its realm does not own counts a turn; after enough of them it is annexed to nobody.

    Writes: annexations and their counts. Emits: AnnexationEnded.
    """
    world = turn.state
    changed: list[Province] = []
    events: list[Event] = []
    for name, land in world.provinces.items():
        if land.annexed_to is None:
            continue
        if land.annexed_to == land.owner:
            if land.turns_away:
                changed.append(land.evolve(turns_away=0))
            continue
        if world.progress.provinces[name].owner_at_start == land.annexed_to:
            # the turn of loss is turn 0
            changed.append(land.evolve(turns_away=0))
        elif land.turns_away + 1 < turn.rules.economy.annexation_turns:
            changed.append(land.evolve(turns_away=land.turns_away + 1))
        else:
            changed.append(land.evolve(annexed_to=None, turns_away=0))
            events.append(AnnexationEnded(realm=land.annexed_to, province=name, cause="declined"))
    return Outcome(world.with_provinces(*changed), tuple(events))


# -- L12 ---------------------------------------------------------------------------------------------------------------


def why_not_let_go(world: World, realm: str, province: str, gone: frozenset[str] | set[str]) -> Refusal | None:
    """L12: the realm owned it when the step began (no gift chains) and has not let it go already."""
    land = world.provinces.get(province)
    if land is None or land.owner != realm:
        return refuse("give-not-owner", province=province)
    return refuse("province-gone", province=province) if province in gone else None


def why_not_give(world: World, realm: str, order: GiveProvince, gone: frozenset[str] | set[str]) -> Refusal | None:
    """L12: a province of one's own, to a realm that takes one's gifts. War is no bar."""
    if found := why_not_let_go(world, realm, order.province, gone) or why_not_deal_with(world, realm, order.other):
        return found
    return None if world.accepts_gifts(order.other, realm) else refuse("gifts-refused", other=order.other)


@step("Provinces Gifted", "L12")
def provinces_gifted(turn: Turn) -> Outcome:
    """Realms give provinces away or let them go; the old garrison's troops leave it as an army and a fleet.

    Reads: owners when the step begins. Writes: provinces, units.
    Emits: ProvinceGiven, ProvinceCeded, the turning out of garrisons, OrderSettled.
    """
    world, rules = turn.state, turn.rules
    events: list[Event] = []
    draft = Draft(world)
    gone: set[str] = set()
    orders: Iterator[tuple[str, GiveProvince | CedeProvince]] = headquarters_orders(turn, GiveProvince, CedeProvince)
    for realm, order in orders:
        if isinstance(order, GiveProvince):
            refusal = why_not_give(world, realm, order, gone)
        else:
            refusal = why_not_let_go(world, realm, order.province, gone)
        events.append(settled(realm, order, refusal))
        if refusal is not None:
            continue
        gone.add(order.province)
        if isinstance(order, GiveProvince):
            owner = order.other
            events.append(ProvinceGiven(realm=realm, other=owner, province=order.province))
        else:
            owner = INDEPENDENTS
            events.append(ProvinceCeded(realm=realm, province=order.province))
        events += hand_over(draft, rules, turn.board, order.province, owner)
    return Outcome(draft.finish(), tuple(events))
