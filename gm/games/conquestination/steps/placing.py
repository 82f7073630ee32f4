"""Deployment and reinforcement: units are placed as a player's list says, the rest by the default rule (CN-5, CN-6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.core.events import Event
from gm.core.pipeline import step
from gm.game.base.events import Fate, LineSettled, settled
from gm.games.conquestination.events import Deployed, Reinforced, TurnBegan
from gm.games.conquestination.order_models import Orders, Placing
from gm.games.conquestination.reinforcing import placed_by_default, reinforcements
from gm.games.conquestination.state import Campaign
from gm.games.conquestination.turn import Outcome, Turn

NO_ORDERS = Orders()


@step("Deployment", "CN-5.3", "CN-5.5", "CN-5.6", "CN-6.8")
def deployment(turn: Turn) -> Outcome:
    """In run 0 every player places a unit in turn, round after round, until all are placed.

    Reads: orders.deploy, to_deploy. Writes: units, to_deploy. Emits: Deployed, LineSettled.
    """
    state = turn.state
    if turn.state.run != 0:
        return Outcome(state)
    plans: dict[str, list[str]] = {}
    events: list[Event] = []
    for code, player in state.parties.items():
        plan, told = _plan(state, code, turn.orders.get(code, NO_ORDERS).deploy, player.to_deploy)
        plans[code] = plan
        events += told
    placed: dict[str, dict[str, int]] = {code: {} for code in state.parties}
    defaulted = dict.fromkeys(state.parties, 0)
    for round_number in range(max((player.to_deploy for player in state.parties.values()), default=0)):
        for code, player in state.parties.items():
            if round_number >= player.to_deploy:
                continue
            if round_number < len(plans[code]):
                more = {plans[code][round_number]: 1}
            else:
                more = placed_by_default(code, 1, state.holdings, turn.board.land)
                defaulted[code] += 1
            state = state.reinforced(more)
            _add(placed[code], more)
    deployed = [Deployed(owner=code, placed=placed[code], by_default=defaulted[code]) for code in state.parties]
    return Outcome(state.with_parties({code: {"to_deploy": 0} for code in state.parties}), (*deployed, *events))


@step("Reinforcement", "CN-6.1", "CN-6.2", "CN-6.3", "CN-6.4", "CN-6.5", "CN-6.6", "CN-6.7", "CN-6.8", "CN-9.9")
def reinforcement(turn: Turn) -> Outcome:
    """The player whose turn it is gets units for what he holds, and places all of them.

    Reads: acting, orders.reinforce, countries. Writes: units. Emits: TurnBegan, Reinforced, LineSettled.
    """
    state, code = turn.state, turn.state.acting
    if code is None:
        return Outcome(state)
    held = state.held(code)
    rules = turn.rules.reinforcement
    least = state.settings.min_reinforcement
    share = reinforcements(held, turn.board.land, rules if least is None else rules.evolve(min_reinforcement=least))
    began = TurnBegan(
        owner=code,
        held=len(held),
        for_countries=share.countries,
        for_continents=dict(share.continents),
        units=share.units,
    )
    plan, told = _plan(state, code, turn.orders.get(code, NO_ORDERS).reinforce, share.units)
    placed: dict[str, int] = {}
    for country in plan:
        _add(placed, {country: 1})
    state = state.reinforced(placed)
    rest = placed_by_default(code, share.units - len(plan), state.holdings, turn.board.land)
    state = state.reinforced(rest)
    _add(placed, rest)
    events: list[Event] = [began]
    if share.units:
        events.append(Reinforced(owner=code, placed=placed, by_default=share.units - len(plan)))
    return Outcome(state, (*events, *told))


def _plan(state: Campaign, code: str, entries: Sequence[Placing], units: int) -> tuple[list[str], list[LineSettled]]:
    """The countries to which a player's list sends units, one by one, and what became of each entry."""
    plan: list[str] = []
    told = []
    for entry in entries:
        left = units - len(plan)
        reason, figures = _why_not(state, code, entry, left)
        if reason:
            fate = Fate.FAILED if reason == "none-left" else Fate.SKIPPED
            told.append(settled(code, entry.written, fate, reason, **figures))
            continue
        wanted = left if entry.units is None else entry.units
        plan += [entry.country] * min(wanted, left)
        if wanted > left:
            told.append(settled(code, entry.written, Fate.REDUCED, "fewer-units", placed=left, wanted=wanted))
        else:
            told.append(settled(code, entry.written))
    return plan, told


def _why_not(state: Campaign, code: str, entry: Placing, left: int) -> tuple[str, dict[str, object]]:
    owner = state.countries[entry.country].owner
    if owner != code:
        return "not-own", {"country": entry.country, "owner": owner}
    lost = [each for each in entry.hold if state.countries[each].owner != code]
    if lost:
        return "not-held", {"country": lost[0], "owner": state.countries[lost[0]].owner}
    if not left and entry.units is not None:
        return "none-left", {}
    return "", {}


def _add(total: dict[str, int], more: Mapping[str, int]) -> None:
    for country, units in more.items():
        total[country] = total.get(country, 0) + units
