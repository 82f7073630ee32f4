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

Reason = tuple[str, dict[str, Any]]  # (key of the reason why a line is not carried out, its figures)


class Acting:
    """A player's turn in progress. ``state``: the position as its lines have changed it so far."""

    def __init__(
        self, turn: Turn, code: str, state: Campaign | None = None, won: Mapping[str, bool] | None = None
    ) -> None:
        """Begin a player's turn. ``state``, ``won``: by default those of ``turn``."""
        self.turn = turn
        self.code = code
        self.state = state or turn.state
        # whether each attack with an id so far was won, by id (CN-9.6)
        self.won = dict(self.state.won_lines if won is None else won)
        self.orders = turn.orders.get(code, NO_ORDERS)
        self.goes_on = self.orders.go_on and self.state.current == code  # the turn stays open after this run
        self.events: list[Event] = []

    def placings(self, entries: Sequence[DeployModel], units: int) -> list[str]:
        """Return the country of each of at most ``units`` units that a list places; settle its entries."""
        countries: list[str] = []
        for entry in entries:
            units_left = units - len(countries)
            reason = self._settle_refused(entry, self._why_not_place(entry, units_left))
            if reason:
                continue
            asked_units = entry.units if isinstance(entry.units, int) else units_left
            countries += [entry.country] * min(asked_units, units_left)
            self._settle(entry, asked_units, "fewer-units", placed=units_left)
        return countries

    def attack(self) -> Outcome:
        """Carry out all attacks; in a turn that goes on, a single roll of the first possible one."""
        before = self.state
        for line in self.orders.attacks:
            has_rolled = self.state is not before  # a roll costs somebody a unit, and so makes a new state
            if self.goes_on and has_rolled:
                self._settle_later(line)
                continue
            engaged, reason = self.engaged(line)
            victory = False
            if not reason:
                victory = self._fight(line, engaged)
            # a line that comes after the end of the game is neither won nor lost
            if line.id and reason != "game-won":
                self.won[line.id] = victory
        self._leave_open(rolled=self.state is not before)
        # conditions of redeployments ask for ``won_lines``; the next seat and the end of the run clear them
        return Outcome(self.state.evolve(won_lines=self.won), tuple(self.events))

    def _leave_open(self, *, rolled: bool) -> None:
        """Leave the turn open if its player wants that, and it begins now or a roll was made; else end it.

        Each roll costs somebody a unit, so that the turn ends at some time.
        """
        is_first = self.turn.state.open is None
        if not self.goes_on or not (rolled or is_first):
            self.state = self.state.evolve(open=None)
        elif not rolled:  # after a roll it is open already
            self.state = self.state.evolve(open=OpenTurn())

    def _settle_later(self, line: Line) -> None:
        """Settle a line that the next run will carry out."""
        if self.turn.collect_events:
            self.events.append(settled(self.code, line.written, OrderOutcome.SKIPPED, "goes-on"))

    def engaged(self, line: AttackModel) -> tuple[int, str]:
        """Return (units that a line sends now, reason why it cannot be carried out, else empty).

        A line that cannot be carried out is settled.
        """
        units = self.state.countries[line.source].units
        engaged = line.strength.of(units, self.turn.rules.attack.stay_behind)
        return engaged, self._settle_refused(line, self._why_not_fight(line, engaged))

    def moved(self, choice: RedeployModel, *, done: bool) -> tuple[int, str]:
        """Return (units that a choice moves now, reason why it cannot be carried out, else empty).

        A choice that cannot be carried out is settled. ``done``: whether another one was carried out before.
        """
        units = self.state.countries[choice.source].units
        moved = choice.strength.of(units, self.turn.rules.redeploy.stay_behind)
        return moved, self._settle_refused(choice, self._why_not_move(choice, moved, done=done))

    def redeploy(self) -> Outcome:
        """Carry out the first possible one of the player's choices; none while the turn stays open.

        All of them are settled.
        """
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

    def _why_not_place(self, entry: DeployModel, units_left: int) -> Iterator[Reason]:
        """Yield each reason why units of an entry cannot be placed, with its figures.

        The country, or one under ``hold``, is not the player's, or no units are left for an entry with a
        number instead of ``rest``.
        """
        yield from self._foreign(entry.country)
        for country in entry.hold:
            yield from self._foreign(country, "not-held")
        if not units_left and entry.units != "rest":
            yield "none-left", {}

    def _why_not_fight(self, line: AttackModel, engaged: int) -> Iterator[Reason]:
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

    def _why_not_move(self, choice: RedeployModel, moved: int, *, done: bool) -> Iterator[Reason]:
        """Yield each reason why units cannot be redeployed now, with its figures.

        ``done``: whether another choice was carried out before; ``moved``: the units that the choice moves.
        """
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
        """Yield ``reason`` if a country is not the player's."""
        owner = self.state.countries[country].owner
        if owner != self.code:
            yield reason, {"country": country, "owner": owner}

    def _conditions(self, line: AttackModel | RedeployModel) -> Iterator[Reason]:
        """Yield a reason for each part of a line's condition that is not true (CN-9.6)."""
        condition = line.condition
        if condition is None:
            return
        source = self.state.countries[line.source]
        target = self.state.countries[line.target]
        most = condition.max_defenders
        if condition.won and not self.won.get(condition.won, False):
            yield "if-won", {"id": condition.won}
        if condition.lost and self.won.get(condition.lost, False):
            yield "if-lost", {"id": condition.lost}
        if condition.owner not in (None, "", target.owner):
            yield "if-owner", {"country": line.target, "owner": target.owner}
        least = condition.min_units
        if source.units < (least or 0):
            yield "if-min-units", {"country": line.source, "units": source.units, "least": least}
        if most is not None and target.units > most:
            yield "if-max-defenders", {"country": line.target, "units": target.units, "most": most}
        for country in condition.hold:
            yield from self._foreign(country, "not-held")

    def _settle_refused(self, line: Line, reasons: Iterator[Reason]) -> str:
        """Settle a line that cannot be carried out with the first of the reasons, and return its key.

        Empty, and nothing is settled, without a reason. Nor is it settled if the turn collects no events.
        """
        reason, figures = next(reasons, ("", {}))
        if reason and self.turn.collect_events:
            # CN-9.7: a line that has become impossible is skipped; to place units when none are left fails
            fate = OrderOutcome.FAILED if reason == "none-left" else OrderOutcome.SKIPPED
            self.events.append(settled(self.code, line.written, fate, reason, **figures))
        return reason

    def _settle(self, line: Line, wanted: int | None, reason: str, **given: int) -> None:
        """Settle a line that was carried out, as reduced if more units were ``wanted`` than there were.

        ``given``: the number that there were, under the name that it has in the sentence of ``reason``.
        """
        if not self.turn.collect_events:
            return
        (number_given,) = given.values()
        if wanted is not None and wanted > number_given:
            self.events.append(
                settled(self.code, line.written, OrderOutcome.REDUCED, reason, **given, wanted=wanted)
            )
        else:
            self.events.append(settled(self.code, line.written))

    def _fight(self, line: AttackModel, engaged: int) -> bool:
        """Carry out an attack with ``engaged`` units, and return whether it was won.

        In a turn that goes on, only one roll is made; the attack stays open if it is not decided.
        """
        rules = self.turn.rules.attack
        target = self.state.countries[line.target]
        until = Retreat(rolls=1) if self.goes_on else line.until
        fight = attacked(engaged, target.units, until, rules, self._die("D3 attack"), self._die("D4 defence"))
        if self.turn.collect_events:
            self._tell(line, engaged, fight)
        self._settle(line, line.strength.number, "cut-to", units=engaged)
        self.end(line, engaged, fight.engaged, fight.defenders)
        if self.goes_on:
            assault = None
            if fight.engaged and fight.defenders:
                assault = Assault(source=line.source, target=line.target, engaged=fight.engaged)
            self.state = self.state.evolve(open=OpenTurn(assault=assault))
        return fight.won

    def _die(self, draw: str) -> Die:
        """Return a die, rolled with the player's dice for a draw of the rules such as ``D3 attack``."""
        below = self.turn.dice(self.code, draw).below
        faces = self.turn.rules.attack.die
        return lambda: below(faces) + 1

    def _tell(self, line: AttackModel, engaged: int, fight: Attacked) -> None:
        """Emit the course of an attack that ``engaged`` units began; ``fight``: how it went."""
        target = self.state.countries[line.target]
        rolls = (f"{_faces(roll.attack)} : {_faces(roll.defence)}" for roll in fight.rolls)
        how = "broken" if fight.engaged else "beaten"  # broken off with units left
        if fight.won:
            how = "won"
        sides: dict[str, Any] = {"source": line.source, "target": line.target, "defender": target.owner}
        sides |= {"engaged": engaged, "defenders": target.units}
        losses: dict[str, Any] = {"lost": engaged - fight.engaged, "killed": target.units - fight.defenders}
        self.events.append(happened.Fought(owner=self.code, **sides, **losses, rolls=tuple(rolls), how=how))

    def end(self, line: AttackModel, engaged: int, units: int, defenders: int) -> None:
        """Change the map after an attack with ``engaged`` units, of which ``units`` are left.

        ``defenders``: how many of them are left; without any, the units move in. In that case it
        emits Conquered, Eliminated if the defender has no country left, and Won for the last party.
        """
        source = self.state.countries[line.source]
        target = self.state.countries[line.target]
        if defenders:
            source_after = source.evolve(units=source.units - engaged + units)
            target_after = target.evolve(units=defenders)
        else:
            source_after = source.evolve(units=source.units - engaged)
            target_after = Country(owner=self.code, units=units)
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
    """Return the dice of a side as text, ``6 3 1``."""
    return " ".join(map(str, dice))
