"""A run in the rules' order (CN-12.1, CN-12.2): the deployment, or the seats' turns one after another."""

from collections import Counter
from itertools import chain

from gm.core.pipeline import Stage, step
from gm.games.conquestination import events as happened
from gm.games.conquestination.orders import Outcome, Turn
from gm.games.conquestination.player_turn import Acting
from gm.games.conquestination.state import placed_by_default, reinforcements
from gm.games.conquestination.turns import end_of_run, next_seat, seats, still_to_play


@step("Deployment", "CN-5.3", "CN-5.5", "CN-5.6", "CN-6.8")
def deployment(turn: Turn) -> Outcome:
    """Let every player place a unit in turn in run 0, round after round, until all are placed.

    Reads: orders.deploy, to_deploy. Writes: units, to_deploy. Emits: Deployed, LineSettled.
    """
    state = turn.state
    if state.run != 0:
        return Outcome(state)
    to_deploy = {code: player.to_deploy for code, player in state.parties.items()}
    players = {code: Acting(turn, code) for code in to_deploy}
    plans = {code: player.placings(player.orders.deploy, to_deploy[code]) for code, player in players.items()}
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

    A turn that goes on has had this already. Reads: acting, open, orders.reinforce, countries. Writes: units.
    Emits: TurnBegan, Reinforced, LineSettled.
    """
    state = turn.state
    code = turn.state.acting
    if code is None:
        return Outcome(state)
    if state.open is not None:
        late = Acting(turn, code)
        late.placings(late.orders.reinforce, 0)
        return Outcome(state, tuple(late.events))
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
    default_units = placed_by_default(code, by_default, state.countries, turn.board)
    placed.update(default_units)
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
    """Carry out the attack lines of the player whose turn it is, in order, to the end or victory.

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


STAGES = (  # In the stage of turns a phase is one seat's turn
    Stage("deployment", (deployment, seats)),
    Stage("turns", (reinforcement, attacks, redeployment), again=still_to_play, opens=next_seat),
    Stage("end", (end_of_run,)),
)
