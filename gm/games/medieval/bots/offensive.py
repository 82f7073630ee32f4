"""The common part of attacks by land and by sea: worth, the odds of the battle, the march (N2, B2-B12)."""

from collections.abc import Callable, Collection, Iterable, Sequence
from decimal import Decimal
from itertools import chain
from typing import NamedTuple

import msgspec

from gm.core.dice import uniform
from gm.games.medieval.analysis.odds.trials import PHASE, NobodyFightsError, Trials, made_turn
from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.groups import Group, Shares
from gm.games.medieval.bots.survey import Force, edge
from gm.games.medieval.combat.fight import winners_of
from gm.games.medieval.combat.setup import land_battle
from gm.games.medieval.data.clauses_data import BotProfile
from gm.games.medieval.state import (
    INDEPENDENTS,
    Province,
    Unit,
    UnitKind,
    UnitProgress,
    World,
    in_order,
    pair,
)
from gm.games.medieval.steps.turn import Turn

CERTAIN_EDGE = 4.0  # A superiority at which nobody needs to reckon
ENOUGH_EDGE = 2.5  # More than this is better used elsewhere
REMEMBERED = 5_000  # So many answers to earlier questions


class Approach(NamedTuple):
    """A group's way to a target: its provinces, the target last. It strikes in phase ``arrival``."""

    group: Group
    path: tuple[str, ...]

    @property
    def arrival(self) -> int:
        return len(self.path)


class Offensive:
    """The common part of attacks by land and by sea.

    ``wanted``: the possible targets; ``prize``: the worth of each.
    """

    questions: int = 0  # So many battles may be fought out on paper
    certain: float = CERTAIN_EDGE  # With such a superiority none needs to be

    def __init__(
        self,
        command: Command,
        groups: list[Group],
        wanted: Callable[[str], bool],
        prize: Callable[[str], float],
    ) -> None:
        """Prepare for attacks of these groups."""
        self._command = command
        self._groups = groups
        self._wanted = wanted
        self._prize = prize
        self._asked: dict[object, bool] = {}
        self._worths: dict[str, float] = {}

    def _defence(self, place: str, armies: Sequence[Unit] = ()) -> Force:
        """Return the defenders of a place, behind walls as siege machines are expected to leave them (B2)."""
        command = self._command
        types = self._command.rules.troops
        reckoned = armies if command.profile.siege_walls else ()
        counts = chain.from_iterable(army.counts().items() for army in reckoned)
        power = sum(types[name].siege_power * count for name, count in counts)
        return command.survey.defence_of(place, command.hostile_at(place), power // 100)

    def worth(self, place: str) -> float:
        """Return the worth of an attack: the prize, for each unit of power there."""
        if place not in self._worths:
            self._worths[place] = self._prize(place) / (4.0 + self._defence(place).power)
        return self._worths[place]

    def _likely(self, place: str, force: Force, armies: Sequence[Unit], *, landed: int = 0) -> bool:
        """Return whether the bot expects armies of this force to win there.

        ``landed``: how many of them, the first, come by sea.
        """
        profile = self._command.profile
        odds = edge(force, self._defence(place, armies))
        if odds < profile.edge_percent / 100 or odds >= self.certain:
            return odds >= self.certain
        self.questions -= 1
        return self.questions >= 0 and self._wins(place, armies, landed)

    def _wins(self, place: str, attackers: Sequence[Unit], landed: int) -> bool:
        """Return whether these armies hold a place often enough.

        The turn's own battle is fought many times on a field of its own. Units other than their enemies do
        not count.
        """
        defenders = self._command.hostile_at(place)
        armies = tuple(
            (frozenset(unit.troops.items()), unit.commanders, unit.leader, unit.retreat_level)
            for unit in attackers
        )
        question = (place, landed, armies, tuple(unit.key for unit in defenders))
        if question not in self._asked:
            self._asked[question] = self._fought(place, attackers, defenders, landed)
        return self._asked[question]

    def _fought(self, place: str, attackers: Sequence[Unit], defenders: Sequence[Unit], landed: int) -> bool:
        """Return whether the attackers win often enough in trials."""
        realm = self._command.realm
        profile = self._command.profile
        near = self._command.atlas.open_neighbours(place, sea=False)
        came = []
        progress = {}
        for number, before in enumerate(attackers, 1):
            # a detachment of a garrison that is still to be formed is an army too
            unit = before.evolve(
                realm=realm, kind=UnitKind.ARMY, number=number, place=place, aboard=None, follow=None
            )
            came.append(unit)
            over_sea = number <= landed
            progress[unit.key] = UnitProgress(
                came_from=before.place if before.place in near and not over_sea else None,
                marched_phase=PHASE,
                landed=over_sea,
                landed_phase=PHASE * over_sea,
            )
        turn = self._turn(place, (*came, *defenders), progress)
        # the label of the dice names the question: it always has the same answer
        label = f"{realm} at {place} | {len(self._asked)}"
        # all of the state, in its own order: who comes first in a mapping may be rolled for first
        question = (label, profile.odds_fights, profile.odds_percent, msgspec.json.encode(turn.state))
        return _answers.of(turn, question, lambda: _wins_often(turn, realm, place, label, profile))

    def _march(self, approach: Approach, shares: Shares, phase: int) -> None:
        """Order these troops along their way, to strike in that phase.

        It is at most one phase later than the earliest in which they could strike.
        """
        command = self._command
        target = approach.path[-1]
        heads = sum(sum(troops.values()) for troops in shares.values())
        enemies = sum(command.survey.force(unit).heads for unit in command.hostile_at(target))
        lead = approach.group.gather(shares, f"to take {target}")
        if lead is None:
            return
        orders = command.sheet.unit(lead)
        if approach.arrival < phase:
            orders.then("hold", None, f"so that all strike {target} in phase {phase}")
        for place in approach.path:
            orders.then("march", place, f"{heads} against {enemies}" if place == target else "")

    def _lands_around(self, place: str, realms: Collection[str]) -> dict[str, Province]:
        """Return the provinces next to a place, those of other realms as unowned."""
        provinces = self._command.world.provinces
        near = [provinces[name] for name in self._command.atlas.open_neighbours(place, sea=False)]
        owners = {
            neighbour.name: neighbour.owner if neighbour.owner in realms else INDEPENDENTS
            for neighbour in near
        }
        return {name: Province(name=name, owner=code) for name, code in owners.items()}

    def _turn(self, place: str, units: Iterable[Unit], done: dict[str, UnitProgress]) -> Turn:
        """Return a turn with only these units: the realm is at war with all others there.

        Beaten units may retreat to neighbouring provinces of the realms that fight; all others are closed.
        """
        command = self._command
        world = self._command.world
        land = world.provinces[place]
        present_units = {unit.key: unit for unit in in_order(units)}
        realms = sorted(
            {*(unit.realm for unit in present_units.values()), command.realm, land.owner} - {INDEPENDENTS}
        )
        wars = frozenset(pair(command.realm, other) for other in realms if other != command.realm)
        around = self._lands_around(place, realms)
        nobody: frozenset[str] = frozenset()
        small = World(
            realms={
                code: world.realms[code].evolve(treasury=Decimal(0), passage=nobody, refuses=nobody)
                for code in realms
            },
            provinces={place: land.evolve(permissions=nobody), **around},
            units=present_units,
            wars=wars,
            alliances=frozenset(alliance for alliance in world.alliances if set(alliance) <= set(realms))
            - wars,
        )
        return made_turn(small, command.rules, command.atlas, done)


def _wins_often(turn: Turn, realm: str, place: str, label: str, profile: BotProfile) -> bool:
    """Return whether the realm wins as many of the fights as its profile demands.

    No more are fought than are needed to know.
    """
    draws = uniform(label.encode())
    fights = profile.odds_fights

    def enough(won: int) -> bool:
        return won / fights * 100 >= profile.odds_percent

    try:
        trials = Trials(turn, lambda field: land_battle(field, place), draws.__next__)
    except NobodyFightsError:
        return enough(fights)
    won = 0
    for fights_left in reversed(range(fights)):
        won += realm in winners_of(trials.fought())
        if enough(won) or not enough(won + fights_left):
            break
    return enough(won)


class _Answers:
    """A cache of the last answers for one map and its rules: trials of a turn repeat most questions."""

    def __init__(self) -> None:
        self._on: tuple[object, object] = (None, None)
        self._known: dict[object, bool] = {}

    def of(self, turn: Turn, question: object, answer: Callable[[], bool]) -> bool:
        """Return the answer to a question, which names all that it depends on, besides rules and map."""
        if self._on[0] is not turn.rules or self._on[1] is not turn.board or len(self._known) >= REMEMBERED:
            self._on = (turn.rules, turn.board)
            self._known = {}
        if question not in self._known:
            self._known[question] = answer()
        return self._known[question]


_answers = _Answers()
