"""How a planned attack is likely to end: the turn's own battle, fought many times on a field of its own (N2, B2-B12).

The dice of these fights come from a label, so that the same question always has the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gm.core.dice import SPAN, Stream
from gm.core.sampling import Source
from gm.game.spec import GameData
from gm.games.medieval.analysis.odds.scene import made_turn
from gm.games.medieval.analysis.odds.trials import NobodyFightsError, Trials
from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.field import Field
from gm.games.medieval.combat.setup import land_battle
from gm.games.medieval.state import INDEPENDENTS, Province, Realm, Unit, UnitKind, UnitProgress, World, in_order, pair
from gm.games.medieval.steps.turn import Turn

PHASE = 1


class OddsBook:
    """Answers about battles at places of one position, each worked out once.

    ``fights`` is how many times a battle is fought for an answer.
    """

    def __init__(self, world: World, table: GameData, fights: int) -> None:
        self._world = world
        self._table = table
        self._fights = fights
        self._known: dict[object, float] = {}

    def of_attack(
        self, realm: str, place: str, attackers: Sequence[Unit], defenders: Sequence[Unit], *, landed: bool = False
    ) -> float:
        """The chance of these armies to be the last at a place that ``defenders`` hold, from 0 to 1.

        Who else is there does not count. Without anybody to fight it is 1.
        """
        question = (
            realm,
            place,
            landed,
            tuple((unit.troops, unit.commanders, unit.leader, unit.retreat_level) for unit in attackers),
            tuple(unit.key for unit in defenders),
        )
        if question not in self._known:
            self._known[question] = self._fought(realm, place, attackers, defenders, landed)
        return self._known[question]

    def _fought(
        self, realm: str, place: str, attackers: Sequence[Unit], defenders: Sequence[Unit], landed: bool
    ) -> float:
        came = _arrived(realm, place, attackers)
        near = self._table.board.open_neighbours(place, sea=False)
        done = {}
        for unit, before in zip(came, attackers, strict=True):
            origin = before.place if before.place in near and not landed else None
            done[unit.key] = UnitProgress(
                came_from=origin, marched_phase=PHASE, landed=landed, landed_phase=PHASE * landed
            )
        turn = self._turn(realm, place, (*came, *defenders), done)

        def drawn_up(field: Field) -> Battle | None:
            return land_battle(field, place)

        try:
            trials = Trials(turn, drawn_up, _source(place, realm, len(self._known)))
        except NobodyFightsError:
            return 1.0
        tally = trials.run(self._fights)
        wins = sum(count for result, count in tally.results.items() if realm in result.split("+"))
        return wins / tally.fights

    def _turn(self, realm: str, place: str, units: Iterable[Unit], done: dict[str, UnitProgress]) -> Turn:
        """A turn in which only these units are anywhere: the realm is at war with all others there."""
        world = self._world
        land = world.provinces[place]
        everybody = in_order(units)
        codes = sorted({unit.realm for unit in everybody} | {realm, land.owner} - {INDEPENDENTS})
        others = [code for code in codes if code not in (realm, INDEPENDENTS)]
        wars = {pair(realm, other) for other in others}
        small = World(
            turn=world.turn,
            realms={code: _plain(world.realms[code]) for code in codes if code != INDEPENDENTS},
            provinces={place: land.evolve(permissions=frozenset()), **self._lands_around(place, codes)},
            units={unit.key: unit for unit in everybody},
            wars=frozenset(wars),
            alliances=frozenset(each for each in world.alliances if set(each) <= set(codes)) - wars,
        )
        return made_turn(small, self._table.rules, self._table.board, done)

    def _lands_around(self, place: str, codes: Sequence[str]) -> dict[str, Province]:
        """Where who is beaten may go: the lands next door of those who fight; everybody else's are closed."""
        around = self._table.board.open_neighbours(place, sea=False)
        owners = {name: self._world.provinces[name].owner for name in around}
        return {
            name: Province(name=name, owner=code if code in codes else INDEPENDENTS) for name, code in owners.items()
        }


def _plain(realm: Realm) -> Realm:
    return realm.evolve(passage=frozenset(), refuses=frozenset())


def _arrived(realm: str, place: str, attackers: Sequence[Unit]) -> list[Unit]:
    """The attackers as armies at the place: a detachment of a garrison that is still to be formed is one too."""
    return [
        unit.evolve(realm=realm, kind=UnitKind.ARMY, number=number, place=place, aboard=None, follow=None)
        for number, unit in enumerate(attackers, 1)
    ]


def _source(place: str, realm: str, number: int) -> Source:
    stream = Stream("what if", f"{realm} at {place} | {number}")

    def draw() -> float:
        return stream.draw() / SPAN

    return draw
