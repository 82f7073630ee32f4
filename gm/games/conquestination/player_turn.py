"""A player's turn in progress: each line is judged on the map as it is then (CN-1, CN-5 to CN-9)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gm.core.values import Event
from gm.game.base.events import OrderOutcome, settled
from gm.game.base.reading import Line
from gm.games.conquestination import events as happened
from gm.games.conquestination.battle import Attacked, Die, Retreat, attacked
from gm.games.conquestination.orders import NO_ORDERS, AttackModel, DeployModel, Outcome, RedeployModel, Turn
from gm.games.conquestination.state import Assault, Campaign, Country, OpenTurn

Reason = tuple[str, dict[str, Any]]  # What keeps a line from being carried out: its name and figures


class Acting:
    """A player's turn in progress. ``won``: for each named attack so far, whether it won (CN-9.6)."""

    def __init__(
        self, turn: Turn, code: str, state: Campaign | None = None, won: Mapping[str, bool] | None = None
    ) -> None:
        """Begin a player's turn. ``state``, ``won``: by default those of ``turn``."""
        self.turn = turn
        self.code = code
        self.state = state or turn.state
        self.won = dict(self.state.won_lines if won is None else won)
        self.orders = turn.orders.get(code, NO_ORDERS)
        self.goes_on = self.orders.go_on and self.state.current == code
        self.events: list[Event] = []

    def placings(self, entries: Sequence[DeployModel], units: int) -> list[str]:
        """Return the countries to which a list sends units, one by one."""
        plan: list[str] = []
        for entry in entries:
            units_left = units - len(plan)
            if not self._refused(entry, self._unplaced(entry, units_left)):
                asked_units = entry.units if isinstance(entry.units, int) else units_left
                plan += [entry.country] * min(asked_units, units_left)
                self._settle(entry, asked_units, "fewer-units", placed=units_left)
        return plan

    def attack(self) -> Outcome:
        """Carry out all attacks; in a turn that goes on, a single roll of the first possible one."""
        before = self.state
        for line in self.orders.attacks:
            if self.goes_on and self.state is not before:
                self._settle_later(line)
                continue
            engaged, reason = self.engaged(line)
            victory = not reason and self._fought(line, engaged)
            if line.id and reason != "game-won":
                self.won[line.id] = victory
        self._leave_open(rolled=self.state is not before)
        # the redeployment asks for them; they are gone when the turn is over
        return Outcome(self.state.evolve(won_lines=self.won), tuple(self.events))

    def _leave_open(self, *, rolled: bool) -> None:
        """Leave the turn open if its player wants that and has made a roll.

        Each run costs somebody a unit, so that the turn ends at some time.
        """
        is_first = self.turn.state.open is None
        if not self.goes_on or not (rolled or is_first):
            self.state = self.state.evolve(open=None)
        elif not rolled:
            self.state = self.state.evolve(open=OpenTurn())

    def _settle_later(self, line: Line) -> None:
        """Settle a line that the next run will carry out."""
        if self.turn.collect_events:
            self.events.append(settled(self.code, line.written, OrderOutcome.SKIPPED, "goes-on"))

    def engaged(self, line: AttackModel) -> tuple[int, str]:
        """Return the number of units that a line sends now, and the reason if it cannot be carried out."""
        engaged = line.strength.of(
            self.state.countries[line.source].units, self.turn.rules.attack.stay_behind
        )
        return engaged, self._refused(line, self._unfought(line, engaged))

    def moved(self, choice: RedeployModel, *, done: bool) -> tuple[int, str]:
        """Return the number of units that a choice moves now, and the reason if it cannot."""
        units = self.state.countries[choice.source].units
        moved = choice.strength.of(units, self.turn.rules.redeploy.stay_behind)
        return moved, self._refused(choice, self._unmoved(choice, moved, done=done))

    def redeploy(self) -> Outcome:
        """Carry out the first possible one of the player's choices."""
        done = False
        for choice in self.orders.redeploy:
            if self.state.open is not None:
                self._settle_later(choice)
                continue
            moved, reason = self.moved(choice, done=done)
            if not reason:
                done = True
                self.state = self.state.reinforced({choice.source: -moved, choice.target: moved})
                source = choice.source
                target = choice.target
                self.events.append(
                    happened.Redeployed(owner=self.code, source=source, target=target, units=moved)
                )
                self._settle(choice, choice.strength.number, "cut-to", units=moved)
        return Outcome(self.state, tuple(self.events))

    def _unplaced(self, entry: DeployModel, units_left: int) -> Iterator[Reason]:
        """Yield the reasons why units of an entry were not placed: foreign countries, or no units left."""
        yield from self._foreign(entry.country)
        for country in entry.hold:
            yield from self._foreign(country, "not-held")
        if not units_left and entry.units != "rest":
            yield "none-left", {}

    def _unfought(self, line: AttackModel, engaged: int) -> Iterator[Reason]:
        """Yield each reason why an attack cannot be made now, with its figures."""
        if self.state.winners is not None:
            yield "game-won", {}
        yield from self._foreign(line.source)
        if self.state.countries[line.target].owner == self.code:
            yield "own-target", {"country": line.target}
        yield from self._conditions(line)
        if engaged < 1:
            yield "too-few", {"country": line.source, "units": self.state.countries[line.source].units}
        if line.until.holds(engaged, 0):
            yield "starts-broken-off", {"engaged": engaged, "keep": line.until.keep}

    def _unmoved(self, choice: RedeployModel, moved: int, *, done: bool) -> Iterator[Reason]:
        """Yield each reason why units cannot be redeployed now, with its figures."""
        if self.state.winners is not None:
            yield "game-won", {}
        if done:
            yield "another-choice", {}
        yield from self._foreign(choice.source)
        yield from self._foreign(choice.target)
        yield from self._conditions(choice)
        if moved < 1:
            yield "too-few", {"country": choice.source, "units": self.state.countries[choice.source].units}

    def _foreign(self, country: str, reason: str = "not-own") -> Iterator[Reason]:
        owner = self.state.countries[country].owner
        if owner != self.code:
            yield reason, {"country": country, "owner": owner}

    def _conditions(self, line: AttackModel | RedeployModel) -> Iterator[Reason]:
        """Yield the parts of a condition that are not true (CN-9.6)."""
        of = line.condition
        if of is None:
            return
        start = self.state.countries[line.source]
        goal = self.state.countries[line.target]
        most = of.max_defenders
        if of.won and not self.won.get(of.won, False):
            yield "if-won", {"id": of.won}
        if of.lost and self.won.get(of.lost, False):
            yield "if-lost", {"id": of.lost}
        if of.owner not in (None, "", goal.owner):
            yield "if-owner", {"country": line.target, "owner": goal.owner}
        if start.units < (of.min_units or 0):
            yield "if-min-units", {"country": line.source, "units": start.units, "least": of.min_units}
        if most is not None and goal.units > most:
            yield "if-max-defenders", {"country": line.target, "units": goal.units, "most": most}
        for country in of.hold:
            yield from self._foreign(country, "not-held")

    def _refused(self, line: Line, reasons: Iterator[Reason]) -> str:
        """Return the first of the reasons, with which the line is settled; empty: it can be carried out."""
        reason, figures = next(reasons, ("", {}))
        if reason and self.turn.collect_events:
            fate = OrderOutcome.FAILED if reason == "none-left" else OrderOutcome.SKIPPED
            self.events.append(settled(self.code, line.written, fate, reason, **figures))
        return reason

    def _settle(self, line: Line, wanted: int | None, reason: str, **given: int) -> None:
        """Settle a line that was carried out, with ``given`` units where more were wanted."""
        if not self.turn.collect_events:
            return
        if wanted is not None and wanted > min(given.values()):
            self.events.append(
                settled(self.code, line.written, OrderOutcome.REDUCED, reason, **given, wanted=wanted)
            )
        else:
            self.events.append(settled(self.code, line.written))

    def _fought(self, line: AttackModel, engaged: int) -> bool:
        """Carry out one attack; return whether it was won."""
        rules = self.turn.rules.attack
        target = self.state.countries[line.target]
        until = Retreat(rolls=1) if self.goes_on else line.until
        fight = attacked(engaged, target.units, until, rules, self._die("D3 attack"), self._die("D4 defence"))
        if self.turn.collect_events:
            self._tell(line, engaged, fight)
        self._settle(line, line.strength.number, "cut-to", units=engaged)
        self.end(line, engaged, fight.engaged, fight.defenders)
        if self.goes_on:
            again = fight.engaged and fight.defenders
            assault = (
                Assault(source=line.source, target=line.target, engaged=fight.engaged) if again else None
            )
            self.state = self.state.evolve(open=OpenTurn(assault=assault))
        return fight.won

    def _die(self, draw: str) -> Die:
        below = self.turn.dice(self.code, draw).below
        faces = self.turn.rules.attack.die
        return lambda: below(faces) + 1

    def _tell(self, line: AttackModel, engaged: int, fight: Attacked) -> None:
        """Emit the course of an attack."""
        target = self.state.countries[line.target]
        rolls = (f"{_faces(roll.attack)} : {_faces(roll.defence)}" for roll in fight.rolls)
        units = fight.engaged
        how = "broken" if fight.engaged else "beaten"
        if fight.won:
            how = "won"
        sides: dict[str, Any] = {"source": line.source, "target": line.target, "defender": target.owner}
        sides |= {"engaged": engaged, "defenders": target.units}
        losses: dict[str, Any] = {"lost": engaged - units, "killed": target.units - fight.defenders}
        self.events.append(happened.Fought(owner=self.code, **sides, **losses, rolls=tuple(rolls), how=how))

    def end(self, line: AttackModel, engaged: int, units: int, defenders: int) -> None:
        """Change the map after an attack that left these engaged units and defenders."""
        source = self.state.countries[line.source]
        target = self.state.countries[line.target]
        source_after = source.evolve(units=source.units - engaged + (units if defenders else 0))
        target_after = target.evolve(units=defenders) if defenders else Country(owner=self.code, units=units)
        self.state = self.state.with_countries({line.source: source_after, line.target: target_after})
        if defenders:
            return
        defender = target.owner
        self.events.append(
            happened.Conquered(country=line.target, owner=self.code, formerly=defender, units=units)
        )
        if not any(country.owner == defender for country in self.state.countries.values()):
            self.state = self.state.eliminated(defender)
            self.events.append(happened.Eliminated(owner=defender, by=self.code))
            if self.state.living == (self.code,):
                self.state = self.state.evolve(winners=(self.code,))
                self.events.append(happened.Won(owners=(self.code,), how="last"))


def _faces(dice: Iterable[int]) -> str:
    """Return the dice of a side as text."""
    return " ".join(map(str, dice))
