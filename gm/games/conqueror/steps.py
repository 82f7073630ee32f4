"""The turn of Conqueror!, in the rules' order and words (CQ-21.1)."""

from typing import Any

from gm.core.pipeline import Stage
from gm.game.base.events import OrderOutcome
from gm.games.conqueror import events, figures
from gm.games.conqueror.computer import plan_of
from gm.games.conqueror.figures import rush_price, why_not_make
from gm.games.conqueror.orders import BY_THE_NUMBER
from gm.games.conqueror.rules import RECRUIT
from gm.games.conqueror.seasons import cultural_influence, production, put_to_work, rebellion, winter_support
from gm.games.conqueror.state import Move, Province, Purchase
from gm.games.conqueror.workspace import Workspace, step


@step("Intake", "CQ-1.2", "CQ-1.6", "CQ-20.1", "CQ-22.6")
def intake(work: Workspace) -> None:
    """Record which players want to read of others' friendly moves, and which seats the computer takes over.

    Reads: orders.report, missed. Writes: shows_moves. Emits: ComputerPlays.
    """
    for code, player in work.living():
        shows_moves = work.orders(code).show_moves
        if shows_moves is not None:
            work.state = work.state.with_party(code, shows_moves=shows_moves)
        # told once, in the first of the turns for which the computer plans
        if player.human and player.missed == work.rules.limits.absent_after + 1:
            work.emit(events.ComputerPlays(party=code, missed=player.missed))


@step("Orders of the computer", "CQ-2.3", "CQ-18.1", "CQ-18.2", "CQ-18.3", "CQ-18.4", "CQ-18.5", "CQ-20.1")
def computer_orders(work: Workspace) -> None:
    """Plan for seats without orders that have no player, or whose player has been silent too long.

    Reads: everything. Writes: plans. Emits nothing. Draws: D5.
    """
    plans = {
        code: plan_of(work.state, code, work.board, work.rules, work.turn.dice(code, "D5 ties").below)
        for code, player in work.living()
        if code not in work.turn.orders
        and (not player.human or player.missed > work.rules.limits.absent_after)
    }
    work.state = work.state.evolve(plans=plans)


@step("Production is set", "CQ-1.5", "CQ-9.1", "CQ-9.3", "CQ-9.7", "CQ-9.11", "CQ-20.5")
def set_production(work: Workspace) -> None:
    """Change the work of own provinces as ordered.

    Reads: orders.production. Writes: item, target. Emits: LineSettled.
    """
    # the work of provinces that have to be won first is set when production runs (CQ-9.12)
    put_to_work(work, must_be_won=False)


@step(
    "Buying",
    *(
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
    ),
)
def buying(work: Workspace) -> None:
    """Carry out purchases, in the order of each player's list.

    Reads: orders.buy, gold, labour stored. Writes: gold, armies, works, population, culture, influence,
    levied. Emits: Bought, Improved, LineSettled.
    """
    levied: list[str] = []
    for code, _ in work.living():
        limited: set[str] = set()  # provinces that have bought an item of which one a turn is allowed
        bought = []
        for purchase in work.orders(code).buy:
            was_possible = _buy(work, code, purchase, limited)
            if was_possible:
                bought.append(purchase)
        # recruits cost control, however many are bought in a province (CQ-14.2)
        with_recruits = sorted({purchase.province for purchase in bought if purchase.item == RECRUIT})
        for province in with_recruits:
            work.shift(province, code, work.rules.items[RECRUIT].worked)
        levied += with_recruits
    work.state = work.state.evolve(levied=tuple(levied))


def _buy(work: Workspace, code: str, purchase: Purchase, limited: set[str]) -> bool:
    """Carry out a purchase and return whether it was possible.

    ``limited``: the provinces for which an item with a limit of one a turn was bought; it is added to.
    """
    province = work.state.provinces[purchase.province]
    item = purchase.item
    any_number = purchase.item in BY_THE_NUMBER
    why, level = why_not_make(province, item, work.rules)
    # the first item uses up the labour stored for it (CQ-11.4)
    further_price = (purchase.count - 1) * rush_price(province.with_stored(item, 0), item, work.rules)
    price = rush_price(province, item, work.rules) + further_price
    treasury = work.state.parties[code].gold
    reasons = {
        "not-yours": province.owner != code,
        why: bool(why),  # the key of why the item cannot be made, if there is a reason
        "one-a-turn": not any_number and province.code in limited,
        "too-dear": price > treasury,
    }
    reason = next((reason_name for reason_name, holds in reasons.items() if holds), "")
    if reason:
        details = {
            "province": province.code,
            "item": item,
            "price": price,
            "treasury": treasury,
            "level": level,
        }
        work.settle(code, purchase, OrderOutcome.FAILED, reason, **details)
        return False
    work.put(province.with_stored(item, 0))
    for _ in range(purchase.count):
        work.finish(province.code, item, purchase.target, rushed=True)
    if not any_number:
        limited.add(province.code)
    fields: dict[str, Any] = {
        "province": province.code,
        "item": item,
        "count": purchase.count,
        "price": price,
    }
    work.emit(events.Bought(audience=code, party=code, **fields, left=work.enrich(code, -price)))
    work.settle(code, purchase)
    return True


@step(
    "Execution",
    *("CQ-5.1", "CQ-5.2", "CQ-5.3", "CQ-5.4", "CQ-5.5", "CQ-5.6", "CQ-5.7"),
    *("CQ-6.1", "CQ-6.2", "CQ-6.3", "CQ-6.4", "CQ-6.5", "CQ-6.6", "CQ-6.7", "CQ-6.8"),
    *("CQ-7.1", "CQ-7.2", "CQ-7.9", "CQ-7.10", "CQ-7.11", "CQ-20.7"),
)
def execution(work: Workspace) -> None:
    """Draw one of the players' stacks of moves and execute its top move, again and again until none is left.

    Reads: orders.moves. Writes: armies, owners, influence, labour stored, capitals. Draws: D2, D3. Emits:
    Moved, Fought, Conquered, Cancelled, CapitalMoved, LineSettled.
    """
    provinces_before = work.state.provinces
    stacks = {code: list(work.orders(code).moves) for code, _ in work.living()}
    draw = work.turn.dice("D2 stacks")
    attacked: set[str] = set()
    number = 0
    while waiting := [code for code, stack in stacks.items() if stack]:
        code = waiting[draw.below(len(waiting))]
        move = stacks[code].pop(0)
        number += 1
        was_own = provinces_before[move.target].owner == code
        _execute(work, code, move, number, attacked, was_own=was_own)


def _execute(
    work: Workspace, code: str, move: Move, number: int, attacked: set[str], *, was_own: bool
) -> None:
    """Carry out one move of a player in the present position, or cancel it if that is impossible by now.

    The line is settled, also as reduced if fewer armies than it wanted are left.

    ``number``: its place among the moves of the turn; ``attacked``: the provinces that were attacked this
    turn, to which the move adds its own (CQ-6.8); ``was_own``: whether the target was the player's as the
    turn began.
    """
    source = work.state.provinces[move.source]
    target = work.state.provinces[move.target]
    is_own = target.owner == code
    armies = source.fresh if move.everything else min(move.armies, source.fresh)
    reasons = {
        "source-lost": source.owner != code,
        "source-attacked": was_own and move.source in attacked,
        "target-lost": was_own and not is_own,
        "none-left": not armies,
    }
    ends: dict[str, Any] = {"source": move.source, "target": move.target}
    event_fields = {"number": number, "owner": code, **ends}
    why = next((reason for reason, holds in reasons.items() if holds), "")
    if why:
        work.emit(events.Cancelled(audience=code, **event_fields, armies=move.armies, why=why))
        work.settle(code, move, OrderOutcome.FAILED, why, **ends)
        return
    work.change(move.source, fresh=source.fresh - armies)
    if is_own:
        work.change(move.target, moved=target.moved + armies)
        work.emit(events.Moved(**event_fields, armies=armies))
    else:
        attacked.add(move.target)
        _attack(work, code, target, armies, event_fields)
    if armies < move.asked_armies:
        work.settle(
            code,
            move,
            OrderOutcome.REDUCED,
            "fewer-armies",
            armies=armies,
            wanted=move.asked_armies,
            source=move.source,
        )
    else:
        work.settle(code, move)


def _attack(work: Workspace, code: str, target: Province, armies: int, event_fields: dict[str, Any]) -> None:
    """Fight one attack, and let the attackers move in if they win (CQ-7).

    The conqueror then gains influence there, and the loser may need another capital.

    ``event_fields``: those of the event that are the same for every move.
    """
    place = target.code
    defender = target.owner
    fight, losses_and_draws = work.battle(place, armies)
    sides: dict[str, Any] = {
        "defender": defender,
        "armies": armies,
        "defenders": target.armies,
        "fort": target.fort,
    }
    work.emit(events.Fought(**event_fields, **sides, **losses_and_draws, taken=fight.taken))
    if fight.taken:
        # CQ-7.9, CQ-7.10
        conquered = target.owned_by(code)
        work.put(conquered.evolve(fresh=0, moved=fight.attackers, conquered_on=work.turn.number))
        work.shift(place, code, work.rules.control.conquest)
        work.emit(events.Conquered(province=place, owner=code, formerly=defender, armies=fight.attackers))
        work.capital_fell(defender, place)


@step("Prestige and elimination", "CQ-17.1", "CQ-17.2", "CQ-7.11", "CQ-14.6")
def prestige(work: Workspace) -> None:
    """Set ranks by the provinces held; a player without any is out.

    Reads: owners. Writes: prestige, status. Emits: RankChanged, Eliminated.
    """
    for code, player in work.living():
        if not player.alive:
            work.state = work.state.eliminated(code)
            work.emit(events.Eliminated(party=code))
            continue
        rank = work.rules.prestige_of(len(work.state.owned(code)))
        if rank != player.prestige:
            work.state = work.state.with_party(code, prestige=rank)
            title = work.rules.title_of(rank, player.leader.sex)
            work.emit(events.RankChanged(party=code, title=title, prestige=rank, rose=rank > player.prestige))


@step("Score and end", "CQ-2.6", "CQ-2.7", "CQ-17.3", "CQ-17.4", "CQ-17.5", "CQ-17.6")
def score_and_end(work: Workspace) -> None:
    """Set scores, and end the game if it is over.

    Reads: everything. Writes: score, winners, ended_by. Emits nothing: the program announces the end.
    """
    for code, player in work.state.parties.items():
        points = figures.score(player, work.state.owned(code), work.rules)
        work.state = work.state.with_party(code, score=points)
    living = dict(work.living())
    settings = work.state.settings
    reasons = {
        "alone": len(living) <= 1,
        "machines": not any(player.human for player in living.values()),
        "turns": work.turn.number >= work.rules.limits.turns,
        "date": settings.until is not None and work.state.today >= settings.until.isoformat(),
    }
    reason = next((reason_name for reason_name, holds in reasons.items() if holds), "")
    if reason:
        best_score = max((player.score for player in living.values()), default=0)
        winners = tuple(code for code, player in living.items() if player.score == best_score)
        work.state = work.state.evolve(winners=winners, ended_by=reason)


@step("Calendar", "CQ-1.3", "CQ-5.4")
def calendar(work: Workspace) -> None:
    """Make all armies fresh again, and end the season.

    Reads: armies. Writes: armies, season, year, plans, levied. Emits nothing.
    """
    for province in [province for province in work.state.provinces.values() if province.moved]:
        work.put(province.evolve(fresh=province.armies, moved=0))
    season = work.rules.season(work.turn.number)
    year = work.rules.year(work.turn.number)
    # the computer's plans and where recruits were bought count in this turn alone
    work.state = work.state.evolve(plans={}, levied=(), season=season, year=year)


STAGES = (
    Stage("before", (intake, computer_orders, set_production, buying)),
    Stage("moves", (execution,)),
    Stage("season", (production, winter_support, rebellion, cultural_influence)),
    Stage("after", (prestige, score_and_end, calendar)),
)
