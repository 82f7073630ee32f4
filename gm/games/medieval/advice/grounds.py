"""The figures behind the reasons of advice, from the public position and the realm's orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cache, cached_property
from typing import Any

from gm.core.pipeline import run_stages
from gm.core.values import Record
from gm.core.yaml.models import load_data
from gm.game.values import GameData
from gm.games.medieval.analysis.forecast import TRIALS
from gm.games.medieval.analysis.odds.attacks import Attacks, Scenes, fights_for
from gm.games.medieval.analysis.odds.chances import Chances
from gm.games.medieval.bots.survey import NEAR, survey_of
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Orders, PlanEntry
from gm.games.medieval.pipeline import FIRST, OPENING
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.state import INDEPENDENTS, Unit, World
from gm.games.medieval.state.strength import soldiers, total_combat
from gm.games.medieval.steps.turn import Turn
from gm.resources import resource
from gm.text.pages import gold


@cache
def reasons() -> Mapping[str, str]:
    """Return the sentence of each reason by its name, as in ``templates/medieval/advice.yaml``."""
    reason_of: dict[str, str] = load_data(resource("templates", "medieval", "advice.yaml"))[0]
    return reason_of


class Because(Record):
    """The reason for an order: its name, and the figures of its sentence as text, by name.

    ``share``: the chance to win the order's battle, from 0 to 1; 1 if it takes enemy land without a battle; 0
    for any other order.
    """

    name: str
    figures: Mapping[str, str] = {}
    share: float = 0


def because(name: str, **figures: Any) -> Because:
    """Return a reason with these figures, which become text: a ``Decimal`` as an amount of gold."""
    texts = {
        key: gold(figure) if isinstance(figure, Decimal) else str(figure) for key, figure in figures.items()
    }
    return Because(name, texts)


class Subject(Record):
    """The unit of an order, and the other entries of its plan: those before the order and those after it."""

    unit: Unit
    earlier: tuple[PlanEntry, ...] = ()
    later: tuple[PlanEntry, ...] = ()


class Grounds:
    """What reasons for advice follow from: a realm's position before a turn, and after First Events.

    First Events are played with the realm's own orders alone.
    """

    def __init__(
        self, table: GameData, world: World, realm: str, sheet: Orders, formatter: MedievalFormatter
    ) -> None:
        """Prepare for a realm's orders and the position before the turn."""
        self.world = world
        self.realm = realm
        self.formatter = formatter
        self.rules: Rules = table.rules
        self.atlas: Atlas = table.board
        self.survey = survey_of(world, table)
        self.sheet = sheet

    @cached_property
    def after_first_events(self) -> World:
        """The world after First Events: units are formed, troops transferred, wars declared.

        Only the realm's own orders are carried out: those of others are not known.
        """
        turn: Turn = Turn(
            state=self.world,
            number=self.world.turn + 1,
            rules=self.rules,
            board=self.atlas,
            orders={self.realm: self.sheet},
            seed=TRIALS[0],
            collect_events=False,
        )
        return run_stages((OPENING, FIRST), turn).state

    def unit(self, reference: str) -> Unit | None:
        """Return the unit after First Events that a reference in the orders names. None if there is none."""
        return self.after_first_events.unit(self.realm, reference)

    @cached_property
    def arrivals(self) -> Mapping[str, Arrival]:
        """By unit id: the last arrival of each army that the orders move (M8, M9)."""
        return arrivals_of(self.sheet, self.unit)

    @cached_property
    def _attacks(self) -> Attacks:
        """The odds of attacks after First Events."""
        scenes = Scenes(self.after_first_events, self.rules, self.atlas, fights_for(self.world))
        return Attacks(scenes, self.formatter.translate)

    def comrades(self, unit: Unit) -> tuple[Arrival, ...]:
        """Return the arrivals of all armies that arrive where and when the unit does, its own among them.

        Empty for a unit that arrives nowhere.
        """
        own_arrival = self.arrivals.get(unit.id)
        if own_arrival is None:
            return ()
        return tuple(
            other
            for other in self.arrivals.values()
            if (other.place, other.phase) == (own_arrival.place, own_arrival.phase)
        )

    def chances(self, unit: Unit) -> Chances | None:
        """Return the odds of the battle at an army's target, with all armies that arrive with it (B2-B12).

        None without a battle.
        """
        together = self.comrades(unit)
        if not together:
            return None
        chances = self._attacks.chances([comrade.unit for comrade in together], together[0].place)
        # an army without troops takes no part in a battle that others fight there
        return chances if chances is not None and self.realm in chances.wins else None

    def chance_in_words(self, chances: Chances) -> str:
        """Return how often the realm wins: ``about 9 times in 10``."""
        return chances.words(self.realm, self.formatter.translate)

    def men_against(self, place: str) -> int:
        """Return the number of soldiers in a province that would fight the realm (W7, W13)."""
        return sum(soldiers(unit, self.rules) for unit in self._hostile_at(place))

    def combat(self, units: Iterable[Unit]) -> int:
        """Return the total combat of these units' soldiers and commanders (X1)."""
        return sum(total_combat(unit, self.rules) for unit in units)

    def sea_combat(self, units: Iterable[Unit]) -> int:
        """Return the total combat of these fleets' ships."""
        return sum(total_combat(unit, self.rules, ships_too=True, commanders=False) for unit in units)

    def combat_of(self, realm: str) -> int:
        """Return the total combat of a realm's armies and garrisons."""
        return self.combat(unit for unit in self.world.of_realm(realm) if not unit.is_fleet)

    def own_at(self, place: str) -> int:
        """Return the realm's total combat in a province before the turn."""
        return self.combat(unit for unit in self.survey.fighters(place) if unit.realm == self.realm)

    def near(self, place: str) -> int:
        """Return the total combat of other realms, except allies, within ``NEAR`` marches of a place."""
        combat = 0
        for other in self.atlas.around(place, NEAR):
            forces = self.survey.realm_forces.get(other, {})
            combat += sum(force.combat for code, force in forces.items() if self._is_stranger(code))
        return combat

    def _is_stranger(self, code: str) -> bool:
        """Return whether a realm is another one, and no ally; the independents are no realm."""
        return code not in (self.realm, INDEPENDENTS) and not self.world.allied(self.realm, code)

    def defenders(self, place: str) -> int:
        """Return the total combat of the units in a province that would fight the realm (W7, W13)."""
        return self.combat(self._hostile_at(place))

    def _hostile_at(self, place: str) -> list[Unit]:
        """Return the units in a province that would fight the realm after its declarations of war."""
        fighters = self.survey.fighters(place)
        return [unit for unit in fighters if self.after_first_events.hostile(self.realm, unit.realm, place)]

    def strange_sea_combat(self, place: str) -> int:
        """Return the total combat of the ships that other realms, except allies, have at a place."""
        return self.sea_combat(
            unit for unit in self.world.at(place) if unit.is_fleet and self._is_stranger(unit.realm)
        )

    def common_enemies(self, other: str) -> int:
        """Return the number of undefeated realms with which both this realm and the other are at war."""
        realms = (code for code, realm in self.after_first_events.realms.items() if not realm.defeated)
        return sum(
            self.after_first_events.at_war(self.realm, code) and self.after_first_events.at_war(other, code)
            for code in realms
        )

    def guarded(self, place: str) -> Because:
        """Return the reason to keep soldiers in a province: the strangers near, and the own strength."""
        threat = self.near(place)
        own_strength = self.own_at(place)
        if not threat:
            return because("quiet", place=place, own=own_strength)
        return because("guarded", place=place, threat=threat, own=own_strength)


class Arrival(Record):
    """The arrival of an army in a province in a phase.

    ``unit``: the army as it is before: in the province, or aboard the fleet, that it comes from.
    """

    unit: Unit
    place: str
    phase: int


FindUnit = Callable[[str], Unit | None]  # An own unit by its reference in the orders


def arrivals_of(sheet: Orders, find: FindUnit) -> Mapping[str, Arrival]:
    """Return the last arrival of each army that the orders move, by its id.

    An army that marches and is landed too arrives by its march.
    """
    arrivals: dict[str, Arrival] = {}
    for reference, entries in sheet.plans.items():
        unit = find(reference)
        if unit is not None and unit.is_fleet:
            landed = {arrival.unit.id: arrival for arrival in _landings(unit, entries, find)}
            arrivals = landed | arrivals  # those known already stay
        elif unit is not None:
            marched = _march(unit, entries)
            if marched:
                arrivals[unit.id] = marched
    return arrivals


def _landings(fleet: Unit, entries: tuple[PlanEntry, ...], find: FindUnit) -> Iterator[Arrival]:
    """Yield the arrivals of armies that a fleet's plan lands, each in the phase of its entry."""
    for number, entry in enumerate(_moves(entries), 1):
        if not isinstance(entry, model.Unload):
            continue
        for reference, place in entry.landings.items():
            army = find(reference)
            if army is not None:
                # as it will be then: the plan may load it first
                yield Arrival(army.evolve(aboard=fleet.key), place, number)


def _march(army: Unit, entries: tuple[PlanEntry, ...]) -> Arrival | None:
    """Return the last arrival of an army that marches; None if it does not."""
    place = army.place
    arrival = None
    for number, entry in enumerate(_moves(entries), 1):
        if isinstance(entry, model.March):
            arrival = Arrival(army.evolve(place=place), entry.province, number)
            place = entry.province
    return arrival


def _moves(entries: tuple[PlanEntry, ...]) -> list[PlanEntry]:
    """Return the entries that take a phase of their own; a transfer of troops takes none (M1)."""
    return [entry for entry in entries if not isinstance(entry, model.Transfer)]
