"""The seas and ports that are safe for a realm's fleets this turn, and the ways over them (M4-M6)."""

from collections.abc import Iterator
from itertools import chain

from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.survey import ways_from
from gm.games.medieval.state import Unit
from gm.games.medieval.state.strength import storage, weight
from gm.games.medieval.steps.movement import is_homeless

NEAR_PORT = 2  # From so many marches away our armies may take a port this turn


class Waters:
    """The seas and ports from one realm's view; each answer is computed once."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._safe: dict[str, bool] = {}  # by place
        self._may_put_to_sea: dict[str, bool] = {}  # by port: whether an enemy fleet in it may
        self._ways: dict[tuple[str, int], dict[str, tuple[str, ...]]] = {}  # by start and steps

    def within(self, start: str, steps: int) -> dict[str, tuple[str, ...]]:
        """Return the way to each safe sea within so many steps of a start, by the sea's name.

        A way has all seas after the start; the start is among the keys, with an empty way.
        """
        if (start, steps) not in self._ways:
            self._ways[start, steps] = ways_from(start, steps, self._command.survey.by_sea, self.is_safe)
        return self._ways[start, steps]

    def is_reliable(self, fleet: Unit) -> bool:
        """Return whether an own unit is a fleet that can be counted on.

        It has ships and a safe place, no more aboard than it can carry, and nobody else's armies aboard.
        """
        command = self._command
        if not fleet.is_fleet or not fleet.troops or not self.is_safe(fleet.place):
            return False
        aboard = command.world.cargo(fleet.key)
        load = sum(weight(army, command.rules) for army in aboard)
        return all(army.realm == command.realm for army in aboard) and load <= storage(fleet, command.rules)

    def is_safe(self, place: str) -> bool:
        """Return whether an own fleet can be at a place without meeting enemies.

        At sea, enemies are fleets that are there or may have to come out of a port. A province is safe
        if it has a harbour and own armies may pass it.
        """
        if place not in self._safe:
            self._safe[place] = self._found_safe(place)
        return self._safe[place]

    def _found_safe(self, place: str) -> bool:
        """Return, computed anew, whether an own fleet can be at a place without meeting enemies."""
        command = self._command
        if not command.atlas.is_sea(place):
            return command.world.provinces[place].harbour and command.may_pass(place)
        if any(self._hostile_fleets(place)):
            return False
        # a fleet without an anchorage flees to any sea next to it (M5)
        return not any(map(self._is_fleet_coming_from, command.survey.shores[place]))

    def _hostile_fleets(self, place: str) -> Iterator[Unit]:
        """Return the fleets at a place that would fight ours."""
        fleets = (unit for unit in self._command.world.at(place) if unit.is_fleet)
        return (fleet for fleet in fleets if self._command.fights(fleet.realm, place))

    def _is_fleet_coming_from(self, port: str) -> bool:
        """Return whether an enemy fleet in a port may have to put to sea this turn.

        It has no anchorage there, or loses it if our units nearby take the port.
        """
        if port not in self._may_put_to_sea:
            self._may_put_to_sea[port] = self._found_fleet_coming_from(port)
        return self._may_put_to_sea[port]

    def _found_fleet_coming_from(self, port: str) -> bool:
        """Return, computed anew, whether an enemy fleet in a port may have to put to sea this turn.

        It may if it has no anchorage there, or if an own unit is near enough to take the port.
        """
        command = self._command
        docked = list(self._hostile_fleets(port))
        if any(is_homeless(command.world, command.atlas, unit) for unit in docked):
            return True
        near = command.survey.around(port, NEAR_PORT) if docked else ()
        units = chain.from_iterable(map(command.world.at, near))
        return any(unit.realm == command.realm for unit in units)
