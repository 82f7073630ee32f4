"""A run in the rules' order (CN-12.1, CN-12.2): the deployment, or the turns of the seats one after another.

Each line is judged on the map as it is at that moment (CN-1, CN-5 to CN-9).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gm.core.events import Event
from gm.core.pipeline import Stage, step
from gm.game.base.events import Fate, LineSettled, settled
from gm.games.conquestination.battle import Attacked, attacked
from gm.games.conquestination.events import (
    Conquered,
    Deployed,
    Eliminated,
    Fought,
    Redeployed,
    Reinforced,
    TurnBegan,
    Won,
)
from gm.games.conquestination.orders import NO_ORDERS, AttackModel, DeployModel, If, Outcome, RedeployModel, Turn
from gm.games.conquestination.state import ELIMINATED, Campaign, Country, placed_by_default, reinforcements

Refusal = tuple[str, dict[str, Any]]
"""Why a line is skipped: a reason, empty for none, and its figures."""


@step("Deployment", "CN-5.3", "CN-5.5", "CN-5.6", "CN-6.8")
def deployment(turn: Turn) -> Outcome:
    """In run 0 every player places a unit in turn, round after round, until all are placed.
    Reads: orders.deploy, to_deploy. Writes: units, to_deploy. Emits: Deployed, LineSettled."""
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
            more = {plans[code][at]: 1} if planned else placed_by_default(code, 1, state.countries, turn.board)
            state = state.reinforced(more)
            placed[code].update(more)
    deployed = [
        Deployed(owner=code, placed=dict(placed[code]), by_default=max(0, units - len(plans[code])))
        for code, units in wanted.items()
    ]
    return Outcome(state.with_parties({code: {"to_deploy": 0} for code in wanted}), (*deployed, *events))


@step("Reinforcement", "CN-6.1", "CN-6.2", "CN-6.3", "CN-6.4", "CN-6.5", "CN-6.6", "CN-6.7", "CN-6.8", "CN-9.9")
def reinforcement(turn: Turn) -> Outcome:
    """The player whose turn it is gets units for what he holds, and places all of them.
    Reads: acting, orders.reinforce, countries. Writes: units. Emits: TurnBegan, Reinforced, LineSettled."""
    state, code = turn.state, turn.state.acting
    if code is None:
        return Outcome(state)
    held = state.held(code)
    share = reinforcements(held, turn.board, state.settings.applied(turn.rules).reinforcement)
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
    rest = placed_by_default(code, share.units - len(plan), state.countries, turn.board)
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
    """Who plays a turn in this run: everybody who is still in the game, or the current player alone.
    Reads: parties, current. Writes: queue. Emits nothing."""
    state = turn.state
    if state.run == 0:
        return Outcome(state)
    return Outcome(state.evolve(queue=state.living if state.current is None else (state.current,)))


@step("Next seat", "CN-8.4", "CN-8.5", "CN-8.6")
def next_seat(turn: Turn) -> Outcome:
    """The next of them; who has been eliminated meanwhile is passed over.
    Reads: queue, parties. Writes: acting, queue, acted. Emits nothing."""
    left = _still_to_play(turn.state)
    acted = (*turn.state.acted, *left[:1])
    acting = left[0] if left else None
    return Outcome(turn.state.evolve(acting=acting, queue=left[1:], acted=acted, won_lines={}))


@step("End of the run", "CN-8.4", "CN-8.6", "CN-8.7", "CN-8.8", "CN-8.9")
def end_of_run(turn: Turn) -> Outcome:
    """Who is next, what becomes of lines whose player never came to play them, and the count at the limit of rounds.
    Reads: settings, countries, orders, acted. Writes: current, winners. Emits: Won, LineSettled."""
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


@step("Attacks", "CN-7.1", "CN-7.2", "CN-7.3", "CN-7.9", "CN-7.10", "CN-7.11", "CN-7.13", "CN-8.7", "CN-8.8", "CN-9.1")
def attacks(turn: Turn) -> Outcome:
    """The lines of the player whose turn it is, from top to bottom, until they are worked off or he has won.
    Reads: acting, orders.attacks, countries. Writes: countries, parties, winners. Emits: Fought, Conquered, Eliminated,
    Won, LineSettled."""
    code = turn.state.acting
    return Outcome(turn.state) if code is None else _Acting(turn, code).attack_all()


@step("Redeployment", "CN-8.1", "CN-8.2", "CN-8.3", "CN-9.8")
def redeployment(turn: Turn) -> Outcome:
    """The first of his choices that can be done; it ends his turn.
    Reads: acting, orders.redeploy, countries, the outcome of attack lines. Writes: countries. Emits: Redeployed,
    LineSettled."""
    code = turn.state.acting
    return Outcome(turn.state) if code is None else _Acting(turn, code, dict(turn.state.won_lines)).redeploy()


@dataclass
class _Acting:
    """A player at his lines. ``won`` says of each named line so far whether it won (CN-9.6)."""

    turn: Turn
    code: str
    won: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.state: Campaign = self.turn.state
        self.events: list[Event] = []
        self.orders = self.turn.orders.get(self.code, NO_ORDERS)

    def attack_all(self) -> Outcome:
        for line in self.orders.attacks:
            reason, figures = self._why_not_attack(line)
            if reason:
                self.events.append(settled(self.code, line.written, Fate.SKIPPED, reason, **figures))
            victory = not reason and self._attack(line)
            if line.id and reason != "game-won":
                self.won[line.id] = victory
        # the redeployment asks for them; they are gone when the turn is over
        return Outcome(self.state.evolve(won_lines=self.won), tuple(self.events))

    def redeploy(self) -> Outcome:
        done = False
        for choice in self.orders.redeploy:
            reason, figures = self._why_not_redeploy(choice, done)
            if reason:
                self.events.append(settled(self.code, choice.written, Fate.SKIPPED, reason, **figures))
            else:
                done = True
                self._move(choice)
        return Outcome(self.state, tuple(self.events))

    def _settle(self, line: AttackModel | RedeployModel, units: int) -> None:
        """A line that was carried out with so many units."""
        wanted = line.strength.number
        if wanted is not None and wanted > units:
            self.events.append(settled(self.code, line.written, Fate.REDUCED, "cut-to", units=units, wanted=wanted))
        else:
            self.events.append(settled(self.code, line.written))

    def _attack(self, line: AttackModel) -> bool:
        source, target = self.state.countries[line.source], self.state.countries[line.target]
        engaged = self._engaged(line, source)
        fight = self._fought(line, engaged, target)
        self._settle(line, engaged)
        if fight.won:
            self._conquer(line, target, source.units - engaged, fight.engaged)
        else:
            left = source.units - engaged + fight.engaged
            changed = {line.source: source.evolve(units=left), line.target: target.evolve(units=fight.defenders)}
            self.state = self.state.with_countries(changed)
        return fight.won

    def _why_not_attack(self, line: AttackModel) -> Refusal:
        source, target = self.state.countries[line.source], self.state.countries[line.target]
        engaged = self._engaged(line, source)
        return _first(
            (self.state.winners is not None, "game-won", {}),
            (source.owner != self.code, "not-own", {"country": line.source, "owner": source.owner}),
            (target.owner == self.code, "own-target", {"country": line.target}),
            *self._conditions(line.condition or If(), line.source, line.target),
            (engaged < 1, "too-few", {"country": line.source, "units": source.units}),
            (line.until.holds(engaged, 0), "starts-broken-off", {"engaged": engaged, "keep": line.until.keep}),
        )

    def _engaged(self, line: AttackModel, source: Country) -> int:
        return int(line.strength.of(source.units, self.turn.rules.attack.stay_behind))

    def _fought(self, line: AttackModel, engaged: int, target: Country) -> Attacked:
        rules = self.turn.rules.attack
        attack, defence = (self.turn.dice(self.code, draw) for draw in ("D3 attack", "D4 defence"))
        fight = attacked(
            engaged,
            target.units,
            line.until,
            rules,
            lambda: attack.below(rules.die) + 1,
            lambda: defence.below(rules.die) + 1,
        )
        rolls = (" : ".join(" ".join(map(str, dice)) for dice in (roll.attack, roll.defence)) for roll in fight.rolls)
        self.events.append(
            Fought(
                owner=self.code,
                source=line.source,
                target=line.target,
                defender=target.owner,
                engaged=engaged,
                defenders=target.units,
                lost=engaged - fight.engaged,
                killed=target.units - fight.defenders,
                rolls=tuple(rolls),
                how="won" if fight.won else "broken" if fight.engaged else "beaten",
            )
        )
        return fight

    def _conquer(self, line: AttackModel, target: Country, left_behind: int, moved_in: int) -> None:
        source = self.state.countries[line.source].evolve(units=left_behind)
        taken = Country(owner=self.code, units=moved_in)
        self.state = self.state.with_countries({line.source: source, line.target: taken})
        self.events.append(Conquered(country=line.target, owner=self.code, formerly=target.owner, units=moved_in))
        if not self.state.held(target.owner):
            self.state = self.state.with_party(target.owner, out=True, status=ELIMINATED)
            self.events.append(Eliminated(owner=target.owner, by=self.code))
            if self.state.living == (self.code,):
                self.state = self.state.evolve(winners=(self.code,))
                self.events.append(Won(owners=(self.code,), how="last"))

    def _why_not_redeploy(self, choice: RedeployModel, done: bool) -> Refusal:
        source, target = self.state.countries[choice.source], self.state.countries[choice.target]
        units = choice.strength.of(source.units, self.turn.rules.redeploy.stay_behind)
        return _first(
            (self.state.winners is not None, "game-won", {}),
            (done, "another-choice", {}),
            (source.owner != self.code, "not-own", {"country": choice.source, "owner": source.owner}),
            (target.owner != self.code, "not-own", {"country": choice.target, "owner": target.owner}),
            *self._conditions(choice.condition or If(), choice.source, choice.target),
            (units < 1, "too-few", {"country": choice.source, "units": source.units}),
        )

    def _move(self, choice: RedeployModel) -> None:
        units = choice.strength.of(self.state.countries[choice.source].units, self.turn.rules.redeploy.stay_behind)
        self.state = self.state.reinforced({choice.source: -units, choice.target: units})
        self.events.append(Redeployed(owner=self.code, source=choice.source, target=choice.target, units=units))
        self._settle(choice, units)

    def _conditions(self, of: If, source: str, target: str) -> Iterator[tuple[bool, str, dict[str, Any]]]:
        """The parts of a condition, and whether each is not true (CN-9.6)."""
        start, goal, owner = self.state.countries[source].units, self.state.countries[target].units, of.owner or ""
        there = self.state.countries[target].owner
        yield bool(of.won) and not self.won.get(of.won or "", False), "if-won", {"id": of.won}
        yield bool(of.lost) and self.won.get(of.lost or "", False), "if-lost", {"id": of.lost}
        yield bool(owner) and there != owner, "if-owner", {"country": target, "owner": there}
        least, most = of.min_units or 0, of.max_defenders
        yield start < least, "if-min-units", {"country": source, "units": start, "least": least}
        yield most is not None and goal > most, "if-max-defenders", {"country": target, "units": goal, "most": most}
        for country in of.hold:
            held_by = self.state.countries[country].owner
            yield held_by != self.code, "not-held", {"country": country, "owner": held_by}


def _first(*reasons: tuple[bool, str, dict[str, Any]]) -> Refusal:
    """The first reason that holds, with its figures."""
    return next(((reason, figures) for holds, reason, figures in reasons if holds), ("", {}))


STAGES = (
    Stage("deployment", (deployment, seats)),
    Stage("turns", (reinforcement, attacks, redeployment), again=still_to_play, opens=next_seat),
    Stage("end", (end_of_run,)),
)
"""In the stage of turns a phase is one seat's turn."""
