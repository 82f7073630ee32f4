"""Gold of Final Events: sent, spent on upkeep, lost to decay, earned (L2, L3, L9, L11, L13)."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from gm.core.dice import Chance
from gm.core.values import GM, Event, Record, percent_of, to_cents
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events import final
from gm.games.medieval.orders.model import Proclamation, SendGold
from gm.games.medieval.state import Province, Unit, UnitKind, World
from gm.games.medieval.state.strength import ships, upkeep
from gm.games.medieval.steps.outcomes import Refusal, refuse, unit_changes, unless
from gm.games.medieval.steps.turn import Workspace, step


def within_gold_reach(world: World, realm: str, rules: Rules, atlas: Atlas) -> frozenset[str]:
    """Return the places that a realm's gold can reach from its garrisons (L2).

    It passes only through provinces that the realm's units may enter, and seas without enemy fleets.
    """

    def can_pass(place: str) -> bool:
        """Return whether the realm's gold can pass through a place."""
        if not atlas.is_sea(place):
            return world.has_permission(realm, place)
        fleets = (unit for unit in world.at(place) if ships(unit, rules))
        return not any(world.at_war(realm, fleet.realm) for fleet in fleets)

    garrisons = [unit.place for unit in world.of_realm(realm) if unit.is_garrison]
    return atlas.graph.reached(garrisons, rules.economy.gold_reach, can_pass)


def why_not_send_gold(world: World, realm: str, order: SendGold, reached: frozenset[str]) -> Refusal | None:
    """Return why gold cannot be sent, apart from the treasury (L2); None if it can.

    The receiver must be in the game, accept gifts, and have a garrison in one of the places ``reached``.
    """
    if order.other not in world.realms:
        return refuse("other-unknown", other=order.other)
    if world.realms[order.other].defeated:
        return refuse("other-is-out", other=order.other)
    if to_cents(order.amount) <= 0:
        return refuse("amount-not-positive", amount=order.amount)
    # a realm may send gold to itself
    if order.other != realm and not world.accepts_gifts(order.other, realm):
        return refuse("gifts-refused", other=order.other)
    near = any(unit.is_garrison and unit.place in reached for unit in world.of_realm(order.other))
    return unless(near, "gold-no-way", other=order.other)


@step("Gold Sent", "L2", "L3.1")
def gold_sent(work: Workspace) -> None:
    """Send gold to other realms, less the fee: first all sums are taken, then all are paid out.

    Reads: garrisons, fleets, rights. Writes: treasuries. Emits: GoldSent, GoldReceived, TreasuryChanged,
    OrderSettled.
    """
    reached: dict[str, frozenset[str]] = {}  # by realm: the places within reach of its gold
    arriving: list[tuple[str, str, Decimal]] = []  # (sender, receiver, amount)
    for realm, order in work.headquarters_orders(SendGold):
        if realm not in reached:
            reached[realm] = within_gold_reach(work.world, realm, work.rules, work.board)
        amount = to_cents(order.amount)
        fee = percent_of(amount, work.rules.economy.gold_fee_percent)
        refusal = why_not_send_gold(work.world, realm, order, reached[realm])
        if work.settle(realm, order, refusal or work.why_not_afford(realm, amount + fee)):
            work.emit(final.GoldSent(audience=realm, realm=realm, other=order.other, amount=amount, fee=fee))
            work.pay(realm, -(amount + fee), "gold sent")
            arriving.append((realm, order.other, amount))
    for realm, other, amount in arriving:
        work.emit(final.GoldReceived(audience=other, realm=realm, other=other, amount=amount))
        work.pay(other, amount, "gold received")


PAY_ORDER = {UnitKind.GARRISON: 0, UnitKind.ARMY: 1, UnitKind.FLEET: 2}
"""L3 pays garrisons before armies before fleets, unlike the order of all other things (W12)."""


class UpkeepLine(Record):
    """The upkeep of the troops of a type in a unit, or of one commander."""

    unit: str  # the key
    troop: str  # the type; empty for a commander
    commander: str  # the name; empty for troops
    count: int
    each: Decimal  # gold for one

    @property
    def price(self) -> Decimal:
        return self.each * self.count


def upkeep_lines(units: Iterable[Unit], rules: Rules) -> list[UpkeepLine]:
    """Return the upkeep of one realm's units in the order in which it is paid (L3).

    All commanders come first, then troops, each by kind and number of their unit; in a unit the types that
    are dearest to build come first.
    """
    units_in_order = sorted(units, key=lambda unit: (PAY_ORDER[unit.kind], unit.number))
    troop_order = {name: (-troop.cost, index) for index, (name, troop) in enumerate(rules.troops.items())}
    fee = rules.commanders.upkeep
    troops = rules.troops
    lines = [
        UpkeepLine(unit.key, "", name, 1, fee) for unit in units_in_order for name in unit.commander_names
    ]
    for unit in units_in_order:
        names = sorted(unit.troops, key=troop_order.__getitem__)
        lines += [UpkeepLine(unit.key, name, "", unit.count(name), troops[name].upkeep) for name in names]
    return lines


def total_upkeep(units: Iterable[Unit], rules: Rules) -> Decimal:
    """Return the upkeep of one realm's units in a turn, in gold; only the sum is rounded (W10)."""
    return to_cents(upkeep(units, rules))


def pay_in_order(lines: Sequence[UpkeepLine], gold: Decimal) -> tuple[Decimal, list[UpkeepLine]]:
    """Return (gold that is paid, unpaid lines).

    Lines are paid in their order. If ``gold`` runs out, all of it is paid. If it covers a part of a line, the
    troops of that line that it does not cover are among the unpaid lines.
    """
    total = to_cents(sum((line.price for line in lines), Decimal(0)))
    if total <= gold:
        return total, []
    gold_left = gold
    for index, line in enumerate(lines):
        if line.price > gold_left:
            unpaid = line.count - int(gold_left // line.each)
            return gold, [
                UpkeepLine(line.unit, line.troop, line.commander, unpaid, line.each),
                *lines[index + 1 :],
            ]
        gold_left -= line.price
    return total, []  # not reached: ``gold`` is in whole cents


@step("Upkeep Paid", "L3", "L3.1", "W7")
def upkeep_paid(work: Workspace) -> None:
    """Pay each realm's commanders, then troops; those without full pay may be lost.

    Independents pay nothing. Reads: units. Writes: treasuries, units. Emits: TreasuryChanged, UpkeepShort,
    UnpaidLeft, TroopsChanged, CommandersChanged.
    """
    for code, realm in work.world.realms.items():
        if realm.defeated:
            continue
        units = work.world.of_realm(code)
        gold = work.balance(code)
        needed = total_upkeep(units, work.rules)
        if needed <= gold:
            work.pay(code, -needed, "upkeep")
            continue
        paid, unpaid = pay_in_order(upkeep_lines(units, work.rules), gold)
        work.pay(code, -paid, "upkeep")
        count = sum(line.count for line in unpaid)
        work.emit(final.UpkeepShort(audience=code, realm=code, needed=needed, paid=paid, unpaid=count))
        _unpaid_leave(work, code, unpaid)


def _unpaid_leave(work: Workspace, realm: str, unpaid: Iterable[UpkeepLine]) -> None:
    """Roll for each troop and commander without full upkeep whether it leaves (L3)."""
    # private: the number of rolls tells how much gold the realm lacked
    dice = work.turn.dice.private(realm, realm, "unpaid")
    chance = Chance(Fraction(work.rules.economy.unpaid_loss_percent, 100))
    # who left, and the events of that
    troops: dict[str, int] = {}
    commanders: list[str] = []
    changes: list[Event] = []
    for line in unpaid:
        lost = dice.successes(chance, line.count)
        if not lost:
            continue
        unit = work.unit(line.unit)
        if line.commander:
            unit, _ = unit.without_commander(line.commander)
            commanders.append(line.commander)
            changes += unit_changes(unit, "unpaid", -1, who=[line.commander])
        else:
            unit, _ = unit.take(line.troop, lost)
            troops[line.troop] = troops.get(line.troop, 0) + lost
            changes += unit_changes(unit, "unpaid", -1, {line.troop: lost})
        work.put(unit)
    if changes:
        work.emit(final.UnpaidLeft(realm=realm, troops=troops, commanders=tuple(commanders)), *changes)


@step("Gold Decay", "L9", "W10")
def gold_decays(work: Workspace) -> None:
    """Take the rules' share of every treasury."""
    for code, realm in work.world.realms.items():
        work.pay(code, -percent_of(realm.treasury, work.rules.economy.decay_percent), "decay")


def province_revenue(province: Province, atlas: Atlas, rules: Rules) -> Decimal:
    """Return the gold that a province brings in a turn at its present damage, rounded to 1/100.

    It is its revenue on the map and that of its production areas (T3, L11, M14, X7).
    """
    economy = rules.economy
    whole = (
        atlas.locations[province.name].revenue + economy.production_area_revenue * province.production_areas
    )
    return percent_of(whole, economy.revenue_percent[province.damage])


@step("Province Revenue Gained", "L11", "W4")
def province_revenue_gained(work: Workspace) -> None:
    """Let provinces pay their owner if annexed to it, but not if annexed or pillaged this turn.

    Reads: provinces after L10. Writes: treasuries. Emits: TreasuryChanged for each province.
    """
    for name, province in work.world.provinces.items():
        progress = work.world.progress.provinces[name]
        if province.owner == province.annexed_to and not progress.annexed and not progress.pillaged:
            work.pay(province.owner, province_revenue(province, work.board, work.rules), "revenue", name)


def why_not_proclaim(order: Proclamation, *, earlier: bool, rejected: bool, rules: Rules) -> Refusal | None:
    """Return why a proclamation is not published (L13); None if it is.

    ``earlier``: the realm has made one this turn already; ``rejected``: by the GM.
    """
    limit = rules.economy.proclamation_length
    has = len(order.text)
    return (
        unless(not earlier, "proclaimed-already")
        or unless(order.text.strip(), "proclamation-empty")
        or unless(has <= limit, "proclamation-too-long", limit=limit, has=has)
        or unless(not rejected, "proclamation-rejected")
    )


def flagged_words(text: str, rules: Rules) -> tuple[str, ...]:
    """Return the words of a proclamation that the GM should look at (L13); they decide nothing."""
    words = "".join(letter if letter.isalnum() else " " for letter in text.casefold()).split()
    return tuple(word for word in rules.economy.flagged_words if word.casefold() in words)


@step("Proclamations' Income Gained", "L13")
def proclamations_income(work: Workspace) -> None:
    """Publish the first suitable proclamation of each realm, and pay its income.

    The GM is told of one with words that the rules list.
    """
    proclaimed: set[str] = set()  # the realms that have made one
    for realm, order in work.headquarters_orders(Proclamation):
        rejected = work.turn.orders[realm].proclamation_rejected
        if not work.settle(
            realm,
            order,
            why_not_proclaim(order, earlier=realm in proclaimed, rejected=rejected, rules=work.rules),
        ):
            continue
        proclaimed.add(realm)
        work.emit(final.Proclaimed(realm=realm, text=order.text))
        words = flagged_words(order.text, work.rules)
        if words:
            work.emit(final.ProclamationFlagged(audience=GM, realm=realm, words=words, text=order.text))
        work.pay(realm, work.rules.economy.proclamation, "proclamation")
