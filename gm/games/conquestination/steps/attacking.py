"""Attacks and redeployment: each line is judged on the map as it is at that moment (CN-7, CN-8, CN-9)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gm.core.events import Event
from gm.core.pipeline import step
from gm.game.base.events import Fate, settled
from gm.games.conquestination.battle import Attacked, attacked
from gm.games.conquestination.events import Conquered, Eliminated, Fought, Redeployed, Won
from gm.games.conquestination.orders import NO_ORDERS, AttackModel, If, Outcome, RedeployModel, Turn
from gm.games.conquestination.state import ELIMINATED, Campaign, Country

Refusal = tuple[str, dict[str, Any]]
"""Why a line is skipped: a reason, empty for none, and its figures."""
NOTHING: Refusal = ("", {})


@step("Attacks", "CN-7.1", "CN-7.2", "CN-7.3", "CN-7.9", "CN-7.10", "CN-7.11", "CN-7.13", "CN-8.7", "CN-8.8", "CN-9.1")
def attacks(turn: Turn) -> Outcome:
    """The lines of the player whose turn it is, from top to bottom, until they are worked off or he has won."""
    code = turn.state.acting
    return Outcome(turn.state) if code is None else _Acting(turn, code).attack_all()


@step("Redeployment", "CN-8.1", "CN-8.2", "CN-8.3", "CN-9.8")
def redeployment(turn: Turn) -> Outcome:
    """The first of his choices that can be done; it ends his turn."""
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
        if self.state.winners is not None:
            return "game-won", {}
        source, target = self.state.countries[line.source], self.state.countries[line.target]
        if source.owner != self.code:
            return "not-own", {"country": line.source, "owner": source.owner}
        if target.owner == self.code:
            return "own-target", {"country": line.target}
        failed = self._why_not_if(line.condition or If(), line.source, line.target)
        if failed is not NOTHING:
            return failed
        engaged = self._engaged(line, source)
        if engaged < 1:
            return "too-few", {"country": line.source, "units": source.units}
        if line.until.holds(engaged, 0):
            return "starts-broken-off", {"engaged": engaged, "keep": line.until.keep}
        return NOTHING

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
        if self.state.winners is not None:
            return "game-won", {}
        if done:
            return "another-choice", {}
        for country in (choice.source, choice.target):
            owner = self.state.countries[country].owner
            if owner != self.code:
                return "not-own", {"country": country, "owner": owner}
        failed = self._why_not_if(choice.condition or If(), choice.source, choice.target)
        if failed is not NOTHING:
            return failed
        source = self.state.countries[choice.source]
        if choice.strength.of(source.units, self.turn.rules.redeploy.stay_behind) < 1:
            return "too-few", {"country": choice.source, "units": source.units}
        return NOTHING

    def _move(self, choice: RedeployModel) -> None:
        units = choice.strength.of(self.state.countries[choice.source].units, self.turn.rules.redeploy.stay_behind)
        self.state = self.state.reinforced({choice.source: -units, choice.target: units})
        self.events.append(Redeployed(owner=self.code, source=choice.source, target=choice.target, units=units))
        self._settle(choice, units)

    def _why_not_if(self, condition: If, source: str, target: str) -> Refusal:
        """The first part of a condition that is not true (CN-9.6)."""
        start, goal = self.state.countries[source], self.state.countries[target]
        if condition.won and not self.won.get(condition.won, False):
            return "if-won", {"id": condition.won}
        if condition.lost and self.won.get(condition.lost, False):
            return "if-lost", {"id": condition.lost}
        if condition.owner and goal.owner != condition.owner:
            return "if-owner", {"country": target, "owner": goal.owner}
        if condition.min_units is not None and start.units < condition.min_units:
            return "if-min-units", {"country": source, "units": start.units, "least": condition.min_units}
        if condition.max_defenders is not None and goal.units > condition.max_defenders:
            return "if-max-defenders", {"country": target, "units": goal.units, "most": condition.max_defenders}
        for country in condition.hold:
            owner = self.state.countries[country].owner
            if owner != self.code:
                return "not-held", {"country": country, "owner": owner}
        return NOTHING
