"""Attacks and redeployment: each line is judged on the map as it is at that moment (CN-7, CN-8, CN-9)."""

from __future__ import annotations

from dataclasses import dataclass, field

from gm.core.events import Event
from gm.core.pipeline import step
from gm.core.values import FrozenMap
from gm.game.base.events import Fate, settled
from gm.games.conquestination.battle import Attacked, Roll, attacked
from gm.games.conquestination.events import Conquered, Eliminated, Fought, Redeployed, Won
from gm.games.conquestination.order_models import Attack, Condition, Redeploy
from gm.games.conquestination.state import ELIMINATED, Campaign, Country
from gm.games.conquestination.steps.placing import NO_ORDERS
from gm.games.conquestination.turn import Outcome, Turn

Refusal = tuple[str, dict[str, object]]
"""Why a line is skipped: a reason and its figures."""


@step("Attacks", "CN-7.1", "CN-7.2", "CN-7.3", "CN-7.9", "CN-7.10", "CN-7.11", "CN-7.13", "CN-8.7", "CN-8.8", "CN-9.1")
def attacks(turn: Turn) -> Outcome:
    """The lines of the player whose turn it is, from top to bottom, until they are worked off or he has won.

    Reads: acting, orders.attacks, countries. Writes: countries, parties, winners. Emits: Fought, Conquered, Eliminated,
    Won, LineSettled.
    """
    code = turn.state.acting
    if code is None:
        return Outcome(turn.state)
    return _Acting(turn, code).attack_all()


@step("Redeployment", "CN-8.1", "CN-8.2", "CN-8.3", "CN-9.8")
def redeployment(turn: Turn) -> Outcome:
    """The first of his choices that can be done; it ends his turn.

    Reads: acting, orders.redeploy, countries, the outcome of attack lines. Writes: countries. Emits: Redeployed,
    LineSettled.
    """
    code = turn.state.acting
    if code is None:
        return Outcome(turn.state)
    return _Acting(turn, code, dict(turn.state.won_lines)).redeploy()


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
            if self.state.winners is not None:
                self.events.append(settled(self.code, line.written, Fate.SKIPPED, "game-won"))
                continue
            victory = self._attack(line)
            if line.id:
                self.won[line.id] = victory
        # the redeployment asks for them; they are gone when the turn is over
        return Outcome(self.state.evolve(won_lines=FrozenMap(self.won)), tuple(self.events))

    def redeploy(self) -> Outcome:
        done = False
        for choice in self.orders.redeploy:
            refusal = self._why_not_redeploy(choice, done)
            if refusal is not None:
                self.events.append(settled(self.code, choice.written, Fate.SKIPPED, refusal[0], **refusal[1]))
                continue
            done = True
            self._move(choice)
        return Outcome(self.state, tuple(self.events))

    # -- attacks -----------------------------------------------------------------------------------------------------

    def _attack(self, line: Attack) -> bool:
        refusal = self._why_not_attack(line)
        if refusal is not None:
            self.events.append(settled(self.code, line.written, Fate.SKIPPED, refusal[0], **refusal[1]))
            return False
        source, target = self.state.countries[line.source], self.state.countries[line.target]
        engaged = self._engaged(line, source)
        fight = self._fought(line, engaged, target.units)
        self._tell(line, target, engaged, fight)
        if line.strength.number is not None and line.strength.number > engaged:
            cut = {"units": engaged, "wanted": line.strength.number}
            self.events.append(settled(self.code, line.written, Fate.REDUCED, "cut-to", **cut))
        else:
            self.events.append(settled(self.code, line.written))
        left_behind = source.units - engaged
        if fight.won:
            self._conquer(line, target, left_behind, fight.engaged)
        else:
            self.state = self.state.with_countries(
                {
                    line.source: source.evolve(units=left_behind + fight.engaged),
                    line.target: target.evolve(units=fight.defenders),
                }
            )
        return fight.won

    def _why_not_attack(self, line: Attack) -> Refusal | None:
        source, target = self.state.countries[line.source], self.state.countries[line.target]
        if source.owner != self.code:
            return "not-own", {"country": line.source, "owner": source.owner}
        if target.owner == self.code:
            return "own-target", {"country": line.target}
        failed = self._why_not_if(line.condition, line.source, line.target)
        if failed is not None:
            return failed
        engaged = self._engaged(line, source)
        if engaged < 1:
            return "too-few", {"country": line.source, "units": source.units}
        if line.until.holds(engaged, 0):
            return "starts-broken-off", {"engaged": engaged, "keep": line.until.keep}
        return None

    def _engaged(self, line: Attack, source: Country) -> int:
        return line.strength.of(source.units, self.turn.rules.attack.stay_behind)

    def _fought(self, line: Attack, engaged: int, defenders: int) -> Attacked:
        die = self.turn.rules.attack.die
        attack = self.turn.dice(self.code, "D3 attack")
        defence = self.turn.dice(self.code, "D4 defence")
        return attacked(
            engaged,
            defenders,
            line.until,
            self.turn.rules.attack,
            lambda: attack.below(die) + 1,
            lambda: defence.below(die) + 1,
        )

    def _tell(self, line: Attack, target: Country, engaged: int, fight: Attacked) -> None:
        how = "won" if fight.won else "broken" if fight.engaged else "beaten"
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
                rolls=tuple(map(_words, fight.rolls)),
                how=how,
            )
        )

    def _conquer(self, line: Attack, target: Country, left_behind: int, moved_in: int) -> None:
        source = self.state.countries[line.source]
        self.state = self.state.with_countries(
            {
                line.source: source.evolve(units=left_behind),
                line.target: Country(owner=self.code, units=moved_in),
            }
        )
        self.events.append(Conquered(country=line.target, owner=self.code, formerly=target.owner, units=moved_in))
        if not self.state.held(target.owner):
            self.state = self.state.with_party(target.owner, out=True, status=ELIMINATED)
            self.events.append(Eliminated(owner=target.owner, by=self.code))
            if self.state.living == (self.code,):
                self.state = self.state.evolve(winners=(self.code,))
                self.events.append(Won(owners=(self.code,), how="last"))

    # -- redeployment ------------------------------------------------------------------------------------------------

    def _why_not_redeploy(self, choice: Redeploy, done: bool) -> Refusal | None:
        if self.state.winners is not None:
            return "game-won", {}
        if done:
            return "another-choice", {}
        for country in (choice.source, choice.target):
            owner = self.state.countries[country].owner
            if owner != self.code:
                return "not-own", {"country": country, "owner": owner}
        failed = self._why_not_if(choice.condition, choice.source, choice.target)
        if failed is not None:
            return failed
        source = self.state.countries[choice.source]
        if choice.strength.of(source.units, self.turn.rules.redeploy.stay_behind) < 1:
            return "too-few", {"country": choice.source, "units": source.units}
        return None

    def _move(self, choice: Redeploy) -> None:
        source, target = self.state.countries[choice.source], self.state.countries[choice.target]
        units = choice.strength.of(source.units, self.turn.rules.redeploy.stay_behind)
        self.state = self.state.with_countries(
            {
                choice.source: source.evolve(units=source.units - units),
                choice.target: target.evolve(units=target.units + units),
            }
        )
        self.events.append(Redeployed(owner=self.code, source=choice.source, target=choice.target, units=units))
        wanted = choice.strength.number
        if wanted is not None and wanted > units:
            self.events.append(settled(self.code, choice.written, Fate.REDUCED, "cut-to", units=units, wanted=wanted))
        else:
            self.events.append(settled(self.code, choice.written))

    # -- conditions --------------------------------------------------------------------------------------------------

    def _why_not_if(self, condition: Condition, source: str, target: str) -> Refusal | None:
        """The first part of a condition that is not true (CN-9.6)."""
        countries = self.state.countries
        if condition.won and not self.won.get(condition.won, False):
            return "if-won", {"id": condition.won}
        if condition.lost and self.won.get(condition.lost, False):
            return "if-lost", {"id": condition.lost}
        if condition.owner and countries[target].owner != condition.owner:
            return "if-owner", {"country": target, "owner": countries[target].owner}
        if condition.min_units is not None and countries[source].units < condition.min_units:
            return "if-min-units", {"country": source, "units": countries[source].units, "least": condition.min_units}
        if condition.max_defenders is not None and countries[target].units > condition.max_defenders:
            return "if-max-defenders", {
                "country": target,
                "units": countries[target].units,
                "most": condition.max_defenders,
            }
        for country in condition.hold:
            if countries[country].owner != self.code:
                return "not-held", {"country": country, "owner": countries[country].owner}
        return None


def _words(roll: Roll) -> str:
    return f"{' '.join(map(str, roll.attack))} : {' '.join(map(str, roll.defence))}"
