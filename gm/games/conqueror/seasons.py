"""The season of Conqueror! after the moves: production, winter, rebellion, culture (CQ-9, 12, 15, 16)."""

from math import inf
from typing import Any

from gm.game.base.events import OrderOutcome
from gm.games.conqueror import events, figures
from gm.games.conqueror.computer import SETTLED
from gm.games.conqueror.figures import labour, why_not_make
from gm.games.conqueror.rules import FARMS, RECRUIT, TAXES
from gm.games.conqueror.state import NEUTRAL, Province, Work
from gm.games.conqueror.workspace import Workspace, step


def put_to_work(work: Workspace, *, must_be_won: bool) -> None:
    """Change the work of provinces as ordered, if they are the player's and can do it.

    ``must_be_won``: whether to carry out the orders for provinces that had to be won first, or the others.
    """
    for code, _ in work.living():
        for order in work.orders(code).production:
            if order.must_be_won is must_be_won:
                _set_work(work, code, order)


def _set_work(work: Workspace, code: str, order: Work) -> None:
    """Carry out one order of a player about a province's work, or say why not."""
    place = order.province
    item = order.item
    reason, level = why_not_make(work.state.provinces[place], item, work.rules)
    if work.state.provinces[place].owner != code:
        work.settle(code, order, OrderOutcome.FAILED, "not-yours", province=place)
    elif reason:
        work.settle(code, order, OrderOutcome.FAILED, reason, province=place, item=item, level=level)
    else:
        work.change(place, item=item, target=order.target)
        work.settle(code, order)


@step(
    "Production",
    *("CQ-8.1", "CQ-8.4", "CQ-8.5", "CQ-8.7", "CQ-8.8", "CQ-9.2", "CQ-9.4", "CQ-9.5", "CQ-9.6", "CQ-9.8"),
    *("CQ-9.9", "CQ-9.10", "CQ-9.12", "CQ-10.2", "CQ-14.1", "CQ-14.2", "CQ-14.3", "CQ-18.6"),
)
def production(work: Workspace) -> None:
    """Let every province of a player work on its item; taxes and recruiting cost control.

    Provinces without an owner work, too, if the rules say so.
    """
    put_to_work(work, must_be_won=True)  # the moves have shown which provinces were won
    built: dict[str, list[tuple[str, int]]] = {RECRUIT: [], FARMS: []}  # by item: (province, how many)
    for code in work.board.by_id:
        province = work.state.provinces[code]
        if province.owner != NEUTRAL:
            _work(work, code)
        elif work.rules.knobs.neutrals_build:
            item, made = _work_without_owner(work, province)
            if made:
                built[item].append((code, made))
    if any(built.values()):
        work.emit(events.NeutralsBuilt(armies=tuple(built[RECRUIT]), farms=tuple(built[FARMS])))


def _work_without_owner(work: Workspace, province: Province) -> tuple[str, int]:
    """Carry out the work of a province that nobody owns; return the item, and how many were finished.

    It raises armies until it has as many as people, then farms until it has ``SETTLED`` people, and then does
    nothing more (CQ-18.6).
    """
    item = RECRUIT
    most = province.population - province.armies
    if most <= 0:
        item = FARMS
        most = SETTLED - province.population
    if most <= 0:
        return item, 0
    work.change(province.code, item=item)
    return item, _complete(work, province.code, labour(province, work.turn.number, work.rules), most)


def _work(work: Workspace, code: str) -> None:
    """Carry out the work of a player's province for a turn."""
    province = work.state.provinces[code]
    reason, _ = why_not_make(province, province.item, work.rules)
    if reason:
        # it can no longer be made, since it or better works were bought this turn (CQ-9.8)
        province = work.change(code, item=TAXES, target="")
    item = province.item
    owner = province.owner
    worked = labour(province, work.turn.number, work.rules)
    rule = work.rules.items[item]
    finished = 0
    gold = worked  # for ``TAXES`` labour is gold
    if item != TAXES:
        finished = _complete(work, code, worked)
        gold = 0
        if finished and not rule.repeats:
            # the labour left over is paid out, as nothing more of this can be made
            done = work.state.provinces[code]
            gold = done.stored.get(item, 0)
            work.put(done.with_stored(item, 0).evolve(item=TAXES, target=""))
    work.enrich(owner, gold)
    # recruiting costs control once a turn: buying recruits has already cost it
    if item != RECRUIT or code not in work.state.levied:
        work.shift(code, owner, rule.worked)
    after = work.state.provinces[code]
    fields: dict[str, Any] = {
        "province": code,
        "item": item,
        "labour": worked,
        "made": finished,
        "gold": gold,
    }
    store: dict[str, Any] = {"stored": after.stored.get(item, 0), "needed": rule.price(after.population)}
    work.emit(events.Worked(audience=owner, party=owner, **fields, **store))


def _complete(work: Workspace, code: str, worked: int, most: float = inf) -> int:
    """Spend a province's labour and its stored labour on its item; return how many items are finished.

    ``worked``: the labour of this turn; ``most``: the largest number of items, where more than one can be
    made in a turn. Labour left over is stored.
    """
    province = work.state.provinces[code]
    finished = 0
    item = province.item
    rule = work.rules.items[province.item]
    labour_left = province.stored.get(item, 0) + worked
    while finished < (most if rule.repeats else 1):
        price = rule.price(work.state.provinces[code].population)
        if price > labour_left:
            break
        work.finish(code, item, province.target)
        labour_left -= price
        finished += 1
    work.put(work.state.provinces[code].with_stored(item, labour_left))
    return finished


@step("Winter support", "CQ-12.1", "CQ-12.2", "CQ-12.3", "CQ-12.4", "CQ-12.5", "CQ-12.6", "CQ-14.1")
def winter_support(work: Workspace) -> None:
    """Pay the armies at the end of a winter turn; those that cannot be paid go home.

    Reads: armies, population, capitals. Writes: gold, armies, influence. Emits: WinterPaid, Deserted.
    """
    if work.rules.turns_to_winter(work.turn.number) == 1:  # this turn is the winter
        for code, player in work.living():
            if player.capital is None:
                continue
            owned = work.state.owned(code)
            due = figures.bill(player.capital, owned, work.board)
            paid, deserted = figures.winter(player.capital, player.gold, owned, work.board)
            gold_left = work.enrich(code, -paid)
            work.emit(events.WinterPaid(audience=code, party=code, due=due, paid=paid, left=gold_left))
            for place, armies in sorted(deserted.items()):
                work.put(work.state.provinces[place].with_losses(armies))
                work.shift(place, code, work.rules.control.desertion * armies)
                work.emit(events.Deserted(party=code, province=place, armies=armies))


@step("Rebellion", "CQ-15.1", "CQ-15.2", "CQ-15.3", "CQ-15.4")
def rebellion(work: Workspace) -> None:
    """Draw whether provinces under low control with too few armies rebel, and fight the rebellions.

    Reads: control, population, armies. Writes: armies, owners, capitals. Draws: D4, D3. Emits: Rebelled,
    CapitalMoved.
    """
    dice = work.turn.dice("D4 rebellion")
    for code, province in list(work.state.provinces.items()):
        if province.owner == NEUTRAL:
            continue
        percent = figures.rebellion_percent(province, work.rules)
        percent_drawn = dice.below(100) + 1
        if percent_drawn <= percent:
            rebels = figures.rebels(province)
            armies = province.armies
            fight, losses_and_draws = work.battle(code, rebels)
            figures_of_event = {
                "rebels": rebels,
                "armies": armies,
                "percent": percent,
                "draw": percent_drawn,
                "left": fight.attackers,
                **losses_and_draws,
            }
            work.emit(
                events.Rebelled(owner=province.owner, province=code, won=fight.taken, **figures_of_event)
            )
            if fight.taken:
                work.put(province.owned_by(NEUTRAL).evolve(fresh=fight.attackers, moved=0, conquered_on=None))
                work.capital_fell(province.owner, code)


@step("Cultural influence", "CQ-16.1", "CQ-16.2", "CQ-16.3", "CQ-16.4", "CQ-16.5", "CQ-16.6", "CQ-16.7")
def cultural_influence(work: Workspace) -> None:
    """Let great cultures gain influence in their neighbours.

    Reads: culture, control, population, capitals, prestige. Writes: influence. Emits: CultureSpread.
    """
    # the events of all gains, computed before any of them changes the influence
    for spread in figures.spreads(work.state, work.board, work.rules):
        before = work.state.provinces[spread.target].influence.get(spread.party, 0)
        work.shift(spread.target, spread.party, spread.points)
        # fewer points than the culture could gain, if the others there had no more
        gained = work.state.provinces[spread.target].influence.get(spread.party, 0) - before
        if gained:
            work.emit(spread.evolve(points=gained))
