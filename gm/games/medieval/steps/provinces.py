"""Provinces in Final Events: damage, annexation, gifts (L1, L6, L7, L12, L14)."""

from collections import Counter
from collections.abc import Container, Iterator
from decimal import Decimal

from gm.core.values import Event
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events import final
from gm.games.medieval.orders.model import Annex, CedeProvince, GiveProvince
from gm.games.medieval.state import INDEPENDENTS, World
from gm.games.medieval.state.strength import enemy_troops_at
from gm.games.medieval.steps.conquest import hand_over
from gm.games.medieval.steps.diplomacy import why_not_deal_with
from gm.games.medieval.steps.outcomes import Refusal, refuse, unless
from gm.games.medieval.steps.turn import Workspace, step


@step("Province Damage Increases", "L1")
def province_damage_increases(work: Workspace) -> None:
    """Add 1 damage to each province that was pillaged, fought over on land or conquered, up to the limit.

    Reads: the provinces' progress in the turn. Writes: damage. Emits: DamageIncreased.
    """
    for name, land in work.world.provinces.items():
        progress = work.world.progress.provinces[name]
        if (
            progress.pillaged or progress.battle or progress.conquered
        ) and land.damage < work.rules.economy.damage_limit:
            work.put_province(land.evolve(damage=land.damage + 1))
            work.emit(final.DamageIncreased(province=name, damage=land.damage + 1))


@step("Province Damage Repaired", "L14", "W13")
def province_damage_repaired(work: Workspace) -> None:
    """Repair one damage of each province without battle and pillage this turn, and without enemy troops."""
    for name, land in work.world.provinces.items():
        progress = work.world.progress.provinces[name]
        if not land.damage or progress.battle or progress.pillaged:
            continue
        if not enemy_troops_at(work.world, work.rules, land.owner, name):
            work.put_province(land.evolve(damage=land.damage - 1))
            work.emit(final.DamageRepaired(province=name, damage=land.damage - 1))


def annexation_price(province: str, atlas: Atlas) -> Decimal:
    """Return the price of annexing a province in gold: its revenue on the map (L6)."""
    return atlas.locations[province].revenue


def why_not_annex(world: World, realm: str, province: str, annexed: int, rules: Rules) -> Refusal | None:
    """Return why a realm cannot annex a province, apart from the price (L6, V2); None if it can.

    The realm must own the province now and at the turn's start, and must not have annexed it yet; and its
    status must allow it more provinces than the ``annexed`` ones that it has.
    """
    land = world.provinces.get(province)
    if land is None or land.owner != realm:
        return refuse("annex-not-owner", province=province)
    if world.progress.provinces[province].owner_at_start != realm:
        return refuse("annex-too-soon", province=province)
    if land.annexed_to == realm:
        return refuse("annexed-already", province=province)
    limit = rules.statuses[world.realms[realm].status].annexed_provinces
    return unless(annexed < limit, "annexation-limit", limit=limit, has=annexed)


@step("Provinces Annexed", "L6", "V2", "L3.1")
def provinces_annexed(work: Workspace) -> None:
    """Annex provinces to the realms that own them and pay; this ends another realm's annexation of them."""
    world = work.world
    annexed = annexed_counts(world)
    annexed_here: set[str] = set()  # provinces that this step has annexed
    for realm, order in work.headquarters_orders(Annex):
        name = order.province
        refusal = why_not_annex(world, realm, name, annexed[realm], work.rules)
        refusal = refusal or unless(name not in annexed_here, "annexed-already", province=name)
        refusal = refusal or work.why_not_afford(realm, annexation_price(name, work.board))
        if not work.settle(realm, order, refusal):
            continue
        land = world.provinces[name]
        annexed[land.annexed_to] -= 1
        annexed[realm] += 1
        annexed_here.add(name)
        work.put_province(land.evolve(annexed_to=realm, turns_away=0), annexed=True)
        work.emit(final.ProvinceAnnexed(realm=realm, province=name, formerly=land.annexed_to or ""))
        work.pay(realm, -annexation_price(name, work.board), "annexation", name)


def annexed_counts(world: World) -> Counter[str | None]:
    """Return the number of provinces annexed to each realm, by code, whoever owns them (V2).

    The count under None is of provinces that are annexed to nobody.
    """
    return Counter([land.annexed_to for land in world.provinces.values()])


@step("Province Annexation Declines", "L7")
def province_annexation_declines(work: Workspace) -> None:
    """Count one more turn for each province that is annexed to a realm that does not own it.

    The turn in which the realm lost it does not count. After enough turns the annexation ends; if the realm
    owns the province again, the count begins anew.
    """
    for name, land in work.world.provinces.items():
        if land.annexed_to is None:
            continue
        # the turn in which the realm lost it does not count
        owned_at_start = work.world.progress.provinces[name].owner_at_start == land.annexed_to
        turns_away = 0 if owned_at_start or land.annexed_to == land.owner else land.turns_away + 1
        if turns_away >= work.rules.economy.annexation_turns:
            work.put_province(land.evolve(annexed_to=None, turns_away=0))
            work.emit(final.AnnexationEnded(realm=land.annexed_to, province=name, cause="declined"))
        elif turns_away != land.turns_away:
            work.put_province(land.evolve(turns_away=turns_away))


def why_not_let_go(world: World, realm: str, province: str, gone: Container[str]) -> Refusal | None:
    """Return why a realm cannot give up a province (L12); None if it can.

    The realm must own the province in ``world``, the position before the step: what it was just given it
    cannot pass on. ``gone``: the provinces that were given up in the step already.
    """
    land = world.provinces.get(province)
    if land is None or land.owner != realm:
        return refuse("give-not-owner", province=province)
    return unless(province not in gone, "province-gone", province=province)


def why_not_give(world: World, realm: str, order: GiveProvince, gone: Container[str]) -> Refusal | None:
    """Return why a province cannot be given to another realm (L12); None if it can.

    The realm must be able to give it up (:func:`why_not_let_go`); the other must be in the game and accept
    its gifts. War is no obstacle. ``gone``: the provinces that were given up in the step already.
    """
    return (
        why_not_let_go(world, realm, order.province, gone)
        or why_not_deal_with(world, realm, order.other)
        or unless(world.accepts_gifts(order.other, realm), "gifts-refused", other=order.other)
    )


@step("Provinces Gifted", "L12")
def provinces_gifted(work: Workspace) -> None:
    """Carry out gifts and cessions of provinces; the old garrison's troops leave as an army and a fleet.

    Reads: owners when the step begins. Writes: provinces, units. Emits: ProvinceGiven, ProvinceCeded, the
    turning out of garrisons, OrderSettled.
    """
    world = work.world
    given_away: set[str] = set()
    orders: Iterator[tuple[str, GiveProvince | CedeProvince]] = work.headquarters_orders(
        GiveProvince, CedeProvince
    )
    for realm, order in orders:
        name = order.province
        event: Event
        if isinstance(order, GiveProvince):
            owner = order.other
            refusal = why_not_give(world, realm, order, given_away)
            event = final.ProvinceGiven(realm=realm, other=owner, province=name)
        else:
            owner = INDEPENDENTS
            refusal = why_not_let_go(world, realm, name, given_away)
            event = final.ProvinceCeded(realm=realm, province=name)
        if work.settle(realm, order, refusal):
            given_away.add(name)
            work.emit(event)
            hand_over(work, name, owner)
