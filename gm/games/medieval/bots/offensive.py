"""The common part of attacks by land and by sea: worth, the odds of the battle, the march (N2, B2-B12)."""

from collections.abc import Callable, Collection, Iterable, Sequence
from decimal import Decimal
from itertools import chain
from typing import NamedTuple

import msgspec

from gm.core.dice import uniform
from gm.games.medieval.analysis.odds.trials import PHASE, NobodyFightsError, Trials, made_turn
from gm.games.medieval.bots.command import SMALL_POWER, Command
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

CERTAIN_EDGE = 4.0  # With such a superiority a battle is won for certain
ENOUGH_EDGE = 2.5  # More than such a superiority is better used elsewhere
REMEMBERED = 5_000  # So many answers to earlier questions


class Approach(NamedTuple):
    """A group's way to a target. ``path``: the provinces that it enters, the target last."""

    group: Group
    path: tuple[str, ...]

    @property
    def arrival(self) -> int:
        """The first phase in which the group can strike."""
        return len(self.path)


class Offensive:
    """The common part of attacks by land and by sea.

    ``wanted``: whether a place is a target; ``prize``: what it is worth to have it.
    """

    questions: int = 0  # so many more battles may be fought out on paper
    certain: float = CERTAIN_EDGE  # with such a superiority a battle need not be fought out

    def __init__(
        self,
        command: Command,
        groups: list[Group],
        wanted: Callable[[str], bool],
        prize: Callable[[str], float],
    ) -> None:
        """Prepare for attacks of these groups of troops.

        ``wanted`` returns whether a place, by name, is a target, ``prize`` what it is worth to have it.
        """
        self._command = command
        self._groups = groups
        self._wanted = wanted
        self._prize = prize
        self._asked: dict[object, bool] = {}  # whether we win, by all that a battle depends on
        self._worths: dict[str, float] = {}  # of attacks, by place

    def _defence(self, place: str, armies: Sequence[Unit] = ()) -> Force:
        """Return the force of a place's defenders.

        ``armies``: the attackers. If the bot's profile counts on siege machines, theirs have broken levels of
        the walls (B2).
        """
        command = self._command
        types = self._command.rules.troops
        with_machines = armies if command.profile.siege_walls else ()
        counts = chain.from_iterable(army.counts().items() for army in with_machines)
        # in percent: as many levels as machines succeed on average
        siege_power = sum(types[name].siege_power * count for name, count in counts)
        return command.survey.defence_of(place, command.hostile_at(place), siege_power // 100)

    def worth(self, place: str) -> float:
        """Return the worth of an attack: the prize, divided by the defenders' power plus a small constant."""
        if place not in self._worths:
            self._worths[place] = self._prize(place) / (SMALL_POWER + self._defence(place).power)
        return self._worths[place]

    def _likely(self, place: str, force: Force, armies: Sequence[Unit], *, landed: int = 0) -> bool:
        """Return whether the bot expects armies of this force to win at a place.

        By their superiority, they are certain to win or too weak; between, the battle is fought out on paper,
        as long as ``questions`` are left. The first ``landed`` of the armies come by sea.
        """
        superiority = edge(force, self._defence(place, armies))
        if superiority >= self.certain:
            return True
        if superiority < self._command.profile.edge_percent / 100:
            return False
        self.questions -= 1
        return self.questions >= 0 and self._wins(place, armies, landed)

    def _wins(self, place: str, attackers: Sequence[Unit], landed: int) -> bool:
        """Return whether these armies win a battle at a place as often as the bot's profile demands.

        It is fought out many times, against the enemies at the place alone. The first ``landed`` of the
        armies come by sea.
        """
        defenders = self._command.hostile_at(place)
        armies = tuple(
            (frozenset(unit.troops.items()), unit.commanders, unit.leader, unit.retreat_level)
            for unit in attackers
        )
        question = (place, landed, armies, tuple(unit.key for unit in defenders))
        if question not in self._asked:
            self._asked[question] = self._wins_in_trials(place, attackers, defenders, landed)
        return self._asked[question]

    def _wins_in_trials(
        self, place: str, attackers: Sequence[Unit], defenders: Sequence[Unit], landed: int
    ) -> bool:
        """Return whether the attackers win as many trials of the battle as the profile demands.

        The first ``landed`` of them come by sea.
        """
        realm = self._command.realm
        profile = self._command.profile
        near = self._command.atlas.open_neighbours(place, sea=False)
        armies = []
        progress = {}  # by the armies' keys
        for number, attacker in enumerate(attackers, 1):
            # what a garrison sends is an army when it comes
            army = attacker.evolve(
                realm=realm, kind=UnitKind.ARMY, number=number, place=place, aboard=None, follow=None
            )
            armies.append(army)
            over_sea = number <= landed
            progress[army.key] = UnitProgress(
                came_from=attacker.place if attacker.place in near and not over_sea else None,
                marched_phase=PHASE,
                landed=over_sea,
                landed_phase=PHASE * over_sea,
            )
        turn = self._turn(place, (*armies, *defenders), progress)
        # the label of the dice names the question: it always has the same answer
        label = f"{realm} at {place} | {len(self._asked)}"
        # the whole state, in the order of its mappings: dice are rolled in that order
        question = (label, profile.odds_fights, profile.odds_percent, msgspec.json.encode(turn.state))
        return _answers.of(turn, question, lambda: _wins_often(turn, realm, place, label, profile))

    def _march(self, approach: Approach, shares: Shares, phase: int) -> None:
        """Order these troops along their way, to strike in that phase, if an army can be formed of them.

        The phase is the first in which they can strike, or the one after it.
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
        """Return the provinces next to a place, by name, as a battle there sees them: only owners count.

        Those that none of ``realms`` owns are independent.
        """
        provinces = self._command.world.provinces
        near = [provinces[name] for name in self._command.atlas.open_neighbours(place, sea=False)]
        owners = {
            neighbour.name: neighbour.owner if neighbour.owner in realms else INDEPENDENTS
            for neighbour in near
        }
        return {name: Province(name=name, owner=code) for name, code in owners.items()}

    def _turn(self, place: str, units: Iterable[Unit], progress: dict[str, UnitProgress]) -> Turn:
        """Return a turn with only these units: the realm is at war with all others there.

        Beaten units may retreat to neighbouring provinces of the realms that fight, and to no others.
        ``progress``: what units have done this turn, by key.
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
        # without what does not matter in the battle, so that equal battles are the same question
        small_world = World(
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
        return made_turn(small_world, command.rules, command.atlas, progress)


def _wins_often(turn: Turn, realm: str, place: str, label: str, profile: BotProfile) -> bool:
    """Return whether the realm wins as large a part of the fights at a place as its profile demands.

    No more are fought than are needed to know. ``label``: of the dice.
    """
    draws = uniform(label.encode())
    fights = profile.odds_fights

    def enough(won: int) -> bool:
        """Return whether the profile is content with this number of fights ``won``."""
        return won / fights * 100 >= profile.odds_percent

    try:
        trials = Trials(turn, lambda field: land_battle(field, place), draws.__next__)
    except NobodyFightsError:
        return enough(fights)  # nobody resists: all are won
    won = 0
    for fights_left in reversed(range(fights)):
        won += realm in winners_of(trials.fought())
        is_decided = enough(won) or not enough(won + fights_left)
        if is_decided:
            break
    return enough(won)


class _Answers:
    """A cache of the last answers for one map and its rules: trials of a turn repeat most questions."""

    def __init__(self) -> None:
        # the rules and the map that the answers hold for
        self._rules: object = None
        self._board: object = None
        self._answer_to: dict[object, bool] = {}  # by question

    def of(self, turn: Turn, question: object, answer: Callable[[], bool]) -> bool:
        """Return the answer to a question; ``answer`` finds it if it is not in the cache.

        The question names all that the answer depends on, besides rules and map.
        """
        is_same_game = self._rules is turn.rules and self._board is turn.board
        if not is_same_game or len(self._answer_to) >= REMEMBERED:
            self._rules = turn.rules
            self._board = turn.board
            self._answer_to = {}
        if question not in self._answer_to:
            self._answer_to[question] = answer()
        return self._answer_to[question]


_answers = _Answers()
