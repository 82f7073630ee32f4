"""The seas and ports that are safe for a realm's fleets this turn, and the ways over them (M4-M6)."""

from collections.abc import Iterator
from itertools import chain

from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.survey import ways_from
from gm.games.medieval.state import Unit
from gm.games.medieval.state.strength import storage, weight
from gm.games.medieval.steps.movement import homeless

NEAR_PORT = 2  # From so many marches away our armies may take a port this turn


class Waters:
    """The seas and ports from one realm's view; each question is answered once."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._safe: dict[str, bool] = {}
        self._restless: dict[str, bool] = {}
        self._ways: dict[tuple[str, int], dict[str, tuple[str, ...]]] = {}

    def within(self, start: str, steps: int) -> dict[str, tuple[str, ...]]:
        """Return the start and the safe seas within ``steps``, with the way there."""
        if (start, steps) not in self._ways:
            self._ways[start, steps] = ways_from(start, steps, self._command.survey.by_sea, self.is_safe)
        return self._ways[start, steps]

    def is_reliable(self, fleet: Unit) -> bool:
        """Return whether an own fleet is afloat or in a good harbour, with no enemy in sight or aboard."""
        command = self._command
        if not fleet.is_fleet or not fleet.troops or not self.is_safe(fleet.place):
            return False
        aboard = command.world.cargo(fleet.key)
        load = sum(weight(army, command.rules) for army in aboard)
        return all(army.realm == command.realm for army in aboard) and load <= storage(fleet, command.rules)

    def is_safe(self, place: str) -> bool:
        """Return whether a fleet meets no enemy at a place.

        Enemies are other fleets at sea, and in port soldiers or the lack of a harbour.
        """
        if place not in self._safe:
            self._safe[place] = self._found_safe(place)
        return self._safe[place]

    def _found_safe(self, place: str) -> bool:
        command = self._command
        if not command.atlas.is_sea(place):
            return command.world.provinces[place].harbour and command.may_pass(place)
        # a fleet without an anchorage flees to any sea next to it (M5)
        return not any(self._hostile_fleets(place)) and not any(
            map(self._may_turn_out, command.survey.shores[place])
        )

    def _hostile_fleets(self, place: str) -> Iterator[Unit]:
        fleets = (unit for unit in self._command.world.at(place) if unit.is_fleet)
        return (fleet for fleet in fleets if self._command.fights(fleet.realm, place))

    def _may_turn_out(self, port: str) -> bool:
        """Return whether an enemy fleet docked there has no anchorage, or loses it with the port."""
        if port not in self._restless:
            self._restless[port] = self._found_restless(port)
        return self._restless[port]

    def _found_restless(self, port: str) -> bool:
        """Return whether an enemy fleet in a port is homeless, or our units are near."""
        command = self._command
        docked = list(self._hostile_fleets(port))
        if any(homeless(command.world, command.atlas, unit) for unit in docked):
            return True
        near = command.survey.around(port, NEAR_PORT) if docked else ()
        units = chain.from_iterable(map(command.world.at, near))
        return any(unit.realm == command.realm for unit in units)
