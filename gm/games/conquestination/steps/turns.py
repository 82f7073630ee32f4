"""Whose turn it is, how his units are placed, and how a game ends that is not won (CN-1, CN-5, CN-6, CN-8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from gm.core.events import Event
from gm.core.pipeline import step
from gm.game.base.events import Fate, LineSettled, settled
from gm.games.conquestination.events import Deployed, Reinforced, TurnBegan, Won
from gm.games.conquestination.orders import NO_ORDERS, DeployModel, Outcome, Turn
from gm.games.conquestination.state import Campaign, placed_by_default, reinforcements


@step("Deployment", "CN-5.3", "CN-5.5", "CN-5.6", "CN-6.8")
def deployment(turn: Turn) -> Outcome:
    """In run 0 every player places a unit in turn, round after round, until all are placed."""
    state = turn.state
    if state.run != 0:
        return Outcome(state)
    wanted = {code: player.to_deploy for code, player in state.parties.items()}
    plans: dict[str, list[str]] = {}
    events: list[Event] = []
    for code, units in wanted.items():
        plans[code], outcomes = _plan(state, code, turn.orders.get(code, NO_ORDERS).deploy, units)
        events += outcomes
    placed: dict[str, Counter[str]] = {code: Counter() for code in wanted}
    for at in range(max(wanted.values(), default=0)):
        for code in (each for each, units in wanted.items() if at < units):
            planned = at < len(plans[code])
            more = {plans[code][at]: 1} if planned else placed_by_default(code, 1, state.countries, turn.board.land)
            state = state.reinforced(more)
            placed[code].update(more)
    deployed = [
        Deployed(owner=code, placed=dict(placed[code]), by_default=max(0, units - len(plans[code])))
        for code, units in wanted.items()
    ]
    return Outcome(state.with_parties({code: {"to_deploy": 0} for code in wanted}), (*deployed, *events))


@step("Reinforcement", "CN-6.1", "CN-6.2", "CN-6.3", "CN-6.4", "CN-6.5", "CN-6.6", "CN-6.7", "CN-6.8", "CN-9.9")
def reinforcement(turn: Turn) -> Outcome:
    """The player whose turn it is gets units for what he holds, and places all of them."""
    state, code = turn.state, turn.state.acting
    if code is None:
        return Outcome(state)
    held = state.held(code)
    share = reinforcements(held, turn.board.land, state.settings.applied(turn.rules).reinforcement)
    began = TurnBegan(
        owner=code,
        held=len(held),
        for_countries=share.countries,
        for_continents=dict(share.continents),
        units=share.units,
    )
    plan, outcomes = _plan(state, code, turn.orders.get(code, NO_ORDERS).reinforce, share.units)
    placed = Counter(plan)
    state = state.reinforced(placed)
    rest = placed_by_default(code, share.units - len(plan), state.countries, turn.board.land)
    placed.update(rest)
    events: list[Event] = [began]
    if share.units:
        events.append(Reinforced(owner=code, placed=dict(placed), by_default=share.units - len(plan)))
    return Outcome(state.reinforced(rest), (*events, *outcomes))


def _plan(
    state: Campaign, code: str, entries: Sequence[DeployModel], units: int
) -> tuple[list[str], list[LineSettled]]:
    """The countries to which a player's list sends units, one by one, and what became of each entry."""
    plan: list[str] = []
    outcomes = []
    for entry in entries:
        left = units - len(plan)
        reason, figures = _why_not(state, code, entry, left)
        if reason:
            fate = Fate.FAILED if reason == "none-left" else Fate.SKIPPED
            outcomes.append(settled(code, entry.written, fate, reason, **figures))
            continue
        wanted = entry.units if isinstance(entry.units, int) else left
        plan += [entry.country] * min(wanted, left)
        if wanted > left:
            outcomes.append(settled(code, entry.written, Fate.REDUCED, "fewer-units", placed=left, wanted=wanted))
        else:
            outcomes.append(settled(code, entry.written))
    return plan, outcomes


def _why_not(state: Campaign, code: str, entry: DeployModel, left: int) -> tuple[str, dict[str, object]]:
    owner = state.countries[entry.country].owner
    if owner != code:
        return "not-own", {"country": entry.country, "owner": owner}
    for country in entry.hold:
        if state.countries[country].owner != code:
            return "not-held", {"country": country, "owner": state.countries[country].owner}
    return ("", {}) if left or entry.units == "rest" else ("none-left", {})


@step("Seats", "CN-1.3", "CN-1.4", "CN-1.6", "CN-8.4", "CN-8.6")
def seats(turn: Turn) -> Outcome:
    """Who plays a turn in this run: everybody who is still in the game, or the current player alone."""
    state = turn.state
    if state.run == 0:
        return Outcome(state)
    return Outcome(state.evolve(queue=state.living if state.current is None else (state.current,)))


@step("Next seat", "CN-8.4", "CN-8.5", "CN-8.6")
def next_seat(turn: Turn) -> Outcome:
    """The next of them; who has been eliminated meanwhile is passed over."""
    left = _still_to_play(turn.state)
    acted = (*turn.state.acted, *left[:1])
    acting = left[0] if left else None
    return Outcome(turn.state.evolve(acting=acting, queue=left[1:], acted=acted, won_lines={}))


@step("End of the run", "CN-8.4", "CN-8.6", "CN-8.7", "CN-8.8", "CN-8.9")
def end_of_run(turn: Turn) -> Outcome:
    """Who is next, what becomes of lines whose player never came to play them, and the count at the limit of rounds."""
    state = turn.state.evolve(acting=None, queue=(), acted=(), won_lines={})
    unplayed = tuple(_unplayed(turn))
    if state.current is not None and state.run > 0:
        state = state.evolve(current=state.after(state.current))
    limit = state.settings.max_rounds
    if state.winners is not None or limit is None or state.run < limit:
        return Outcome(state, unplayed)
    # CN-8.9: most countries, then most units, then shared
    counted = {code: (len(state.held(code)), state.units_of(code)) for code in state.living}
    winners = tuple(code for code, each in counted.items() if each == max(counted.values()))
    return Outcome(state.evolve(winners=winners), (*unplayed, Won(owners=winners, how="count")))


def still_to_play(turn: Turn) -> bool:
    """Whether somebody's turn is left in this run."""
    return turn.state.winners is None and bool(_still_to_play(turn.state))


def _unplayed(turn: Turn) -> Iterator[LineSettled]:
    """The lines of players whose turn did not come: the game was won before it, or they were out by then."""
    reason = "out-by-then" if turn.state.winners is None else "game-won"
    for code, orders in turn.orders.items():
        if turn.state.run > 0 and code not in turn.state.acted:
            yield from (settled(code, written, Fate.SKIPPED, reason) for written in orders.written)


def _still_to_play(state: Campaign) -> tuple[str, ...]:
    return tuple(code for code in state.queue if not state.parties[code].out)
