"""A run in the rules' order (CN-12.1, CN-12.2): the deployment, or the seats' turns one after another."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from gm.core.pipeline import Stage, step
from gm.game.base.events import LineSettled, OrderOutcome, settled
from gm.games.conquestination import events as happened
from gm.games.conquestination.orders import Outcome, Turn
from gm.games.conquestination.player_turn import Acting
from gm.games.conquestination.state import Campaign, placed_by_default, reinforcements


@step("Deployment", "CN-5.3", "CN-5.5", "CN-5.6", "CN-6.8")
def deployment(turn: Turn) -> Outcome:
    """Place all players' units in run 0: one of each player in turn, round after round.

    Units that a player has not placed go where the rules place them.

    Reads: orders.deploy, to_deploy. Writes: units, to_deploy. Emits: Deployed, LineSettled.
    """
    state = turn.state
    if state.run != 0:
        return Outcome(state)
    to_deploy = {code: player.to_deploy for code, player in state.parties.items()}
    players = {code: Acting(turn, code) for code in to_deploy}
    plans = {code: player.placings(player.orders.deploy, to_deploy[code]) for code, player in players.items()}
    # by player: the number of units in each country, those of the plan and those placed by default
    placed: dict[str, Counter[str]] = {code: Counter() for code in to_deploy}
    for round_number in range(max(to_deploy.values(), default=0)):
        for code, units in to_deploy.items():
            if round_number >= units:
                continue
            if round_number < len(plans[code]):
                placing = {plans[code][round_number]: 1}
            else:
                placing = placed_by_default(code, 1, state.countries, turn.board)
            state = state.reinforced(placing)
            placed[code].update(placing)
    deployed = [
        happened.Deployed(owner=code, placed=dict(placed[code]), by_default=max(0, units - len(plans[code])))
        for code, units in to_deploy.items()
    ]
    lines = chain.from_iterable(player.events for player in players.values())
    return Outcome(state.with_parties({code: {"to_deploy": 0} for code in to_deploy}), (*deployed, *lines))


@step(
    "Reinforcement", "CN-6.1", "CN-6.2", "CN-6.3", "CN-6.4", "CN-6.5", "CN-6.6", "CN-6.7", "CN-6.8", "CN-9.9"
)
def reinforcement(turn: Turn) -> Outcome:
    """Give the player whose turn it is their new units, and place all of them.

    In a turn that goes on from an earlier run there are none: placings fail. Reads: acting, open,
    orders.reinforce, countries. Writes: units. Emits: TurnBegan, Reinforced, LineSettled.
    """
    state = turn.state
    code = turn.state.acting
    if code is None:
        return Outcome(state)
    if state.open is not None:
        player = Acting(turn, code)
        player.placings(player.orders.reinforce, 0)
        return Outcome(state, tuple(player.events))
    player = Acting(turn, code)
    countries = state.held(code)
    share = reinforcements(countries, turn.board, state.settings.applied(turn.rules).reinforcement)
    continents = dict(share.continents)
    units = share.units
    began = happened.TurnBegan(
        owner=code, held=len(countries), for_countries=share.countries, for_continents=continents, units=units
    )
    plan = player.placings(player.orders.reinforce, units)
    placed = Counter(plan)
    by_default = units - len(plan)
    state = state.reinforced(placed)
    # after those of the plan, which count when the others look for where they are needed
    default_units = placed_by_default(code, by_default, state.countries, turn.board)
    placed.update(default_units)  # added to those of the plan
    events = [happened.Reinforced(owner=code, placed=dict(placed), by_default=by_default)] if units else []
    return Outcome(state.reinforced(default_units), (began, *events, *player.events))


@step(
    "Attacks",
    "CN-7.1",
    "CN-7.2",
    "CN-7.3",
    "CN-7.9",
    "CN-7.10",
    "CN-7.11",
    "CN-7.13",
    "CN-8.7",
    "CN-8.8",
    "CN-9.1",
)
def attacks(turn: Turn) -> Outcome:
    """Carry out the attack lines of the player whose turn it is, in the file's order, up to a victory.

    Reads: acting, orders.attacks, countries. Writes: countries, parties, winners. Emits: Fought, Conquered,
    Eliminated, Won, LineSettled.
    """
    code = turn.state.acting
    return Outcome(turn.state) if code is None else Acting(turn, code).attack()


@step("Redeployment", "CN-8.1", "CN-8.2", "CN-8.3", "CN-9.8")
def redeployment(turn: Turn) -> Outcome:
    """Carry out the player's first possible redeployment, which ends their turn; none while the turn goes on.

    Reads: acting, orders.redeploy, countries, the outcome of attack lines. Writes: countries. Emits:
    Redeployed, LineSettled.
    """
    code = turn.state.acting
    return Outcome(turn.state) if code is None else Acting(turn, code).redeploy()


@step("Seats", "CN-1.3", "CN-1.4", "CN-1.6", "CN-8.4", "CN-8.6")
def seats(turn: Turn) -> Outcome:
    """Queue the players of this run: all who are still in the game, or the current player alone.

    In run 0 nobody is queued.

    Reads: parties, current. Writes: queue. Emits nothing.
    """
    state = turn.state
    if state.run == 0:
        return Outcome(state)
    return Outcome(state.evolve(queue=state.living if state.current is None else (state.current,)))


@step("Next seat", "CN-8.4", "CN-8.5", "CN-8.6")
def next_seat(turn: Turn) -> Outcome:
    """Give the turn to the next player in the queue, or to nobody when none is left.

    Who was eliminated meanwhile is skipped.

    Reads: queue, parties. Writes: acting, queue, acted; clears won_lines. Emits nothing.
    """
    state = turn.state
    seats_left = _still_to_play(state)
    if not seats_left:
        return Outcome(state.evolve(acting=None, queue=(), won_lines={}))
    acting, *queue = seats_left
    acted = (*state.acted, acting)
    return Outcome(state.evolve(acting=acting, queue=tuple(queue), acted=acted, won_lines={}))


@step("End of the run", "CN-8.4", "CN-8.6", "CN-8.7", "CN-8.8", "CN-8.9")
def end_of_run(turn: Turn) -> Outcome:
    """Settle the lines of players whose turn never came; in mode ``single`` set the next player.

    ``max_rounds`` limits the runs that ended a turn: at the limit the game is counted out (CN-8.9).

    Reads: settings, parties, countries, orders, acted, current, open, kept_open, winners. Writes: current,
    open, kept_open, winners; clears acting, queue, acted, won_lines. Emits: Won, LineSettled.
    """
    state = turn.state.evolve(acting=None, queue=(), acted=(), won_lines={})
    unplayed = tuple(_unplayed_lines(turn))
    # mode ``single``: each run after the deployment in run 0 is the turn of one player
    if state.current is not None and state.run > 0:
        if state.open is not None and state.winners is None:  # the player's turn goes on in the next run
            return Outcome(state.evolve(kept_open=state.kept_open + 1), unplayed)
        state = state.evolve(current=state.after(state.current), open=None)
    turns_ended = state.run - state.kept_open
    limit = state.settings.max_rounds
    if state.winners is not None or limit is None or turns_ended < limit:
        return Outcome(state, unplayed)
    # CN-8.9: most countries win, then most units; equals share the victory
    counts = {code: (len(state.held(code)), state.units_of(code)) for code in state.living}
    highest = max(counts.values())
    winners = tuple(code for code, count in counts.items() if count == highest)
    return Outcome(state.evolve(winners=winners), (*unplayed, happened.Won(owners=winners, how="count")))


def still_to_play(turn: Turn) -> bool:
    """Return whether a player's turn is left in this run."""
    return turn.state.winners is None and bool(_still_to_play(turn.state))


def _unplayed_lines(turn: Turn) -> Iterator[LineSettled]:
    """Yield an outcome, skipped, for each line of players whose turn did not come in this run.

    The game was won, or they were out by then. In run 0 all players act.
    """
    reason = "out-by-then" if turn.state.winners is None else "game-won"
    for code, orders in turn.orders.items():
        if turn.state.run > 0 and code not in turn.state.acted:
            yield from (settled(code, written, OrderOutcome.SKIPPED, reason) for written in orders.written)


def _still_to_play(state: Campaign) -> tuple[str, ...]:
    """Return the players in the queue who are still in the game."""
    return tuple(code for code in state.queue if not state.parties[code].out)


STAGES = (  # In the stage of turns a phase is one seat's turn
    Stage("deployment", (deployment, seats)),
    Stage("turns", (reinforcement, attacks, redeployment), again=still_to_play, opens=next_seat),
    Stage("end", (end_of_run,)),
)
