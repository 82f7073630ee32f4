"""The strategist: it plans with every profile, changes the best plans, and orders the best in trials.

Its levels differ in the number of turns that a trial plays; the lowest also lets few units go and saves gold.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache

from gm.core.values import Record, Value, to_cents
from gm.core.yaml.models import load_value
from gm.game.portfolio import improved, once
from gm.game.talk import Talk
from gm.game.values import Bot, View
from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.conversation import Conversation
from gm.games.medieval.bots.futures import Futures
from gm.games.medieval.bots.judgement import Judgement, ScoreOutlook, WinningChance
from gm.games.medieval.bots.plans import Changes, Plan, first_plans
from gm.games.medieval.bots.playing import drafted
from gm.games.medieval.bots.window import SMALL, within
from gm.games.medieval.data.clauses_data import bot_profiles
from gm.games.medieval.state import World
from gm.games.medieval.steps.economy import total_upkeep
from gm.resources import resource


class Level(Value):
    """The look-ahead of a level; every field is explained in ``rules/medieval/bots/strategist.yaml``."""

    about: str
    budget: int
    turns: int
    steps: int
    again: int = 0
    rounds: int = 1
    tries: int = 4
    glances: int = 4
    going: int | None = None
    purse: int | None = None


class StrategistFile(Value):
    """The content of ``strategist.yaml``: how the strategist searches and weighs."""

    levels: Mapping[str, Level]
    tempers: tuple[str, ...]
    fights: int
    judgement: WinningChance
    large: ScoreOutlook
    massing: Mapping[str, bool | int]

    def judgement_on(self, places: int) -> Judgement:
        """Return the judgement for a map with this number of places."""
        return self.judgement if places <= SMALL else self.large


@cache
def figures() -> StrategistFile:
    """Return the figures of all levels, as shipped. Raises ``SourceError`` when the file does not fit."""
    return load_value(resource("rules", "medieval", "bots") / "strategist.yaml", StrategistFile)


class Strategist(Record):
    """A bot of the level of this name."""

    name: str

    @property
    def about(self) -> str:
        return figures().levels[self.name].about

    def orders(self, view: View) -> bytes:
        """Return an order file, made of the public position, the realm's own treasury, and its talk alone."""
        command = Command(view, bot_profiles()[figures().tempers[0]].evolve(name=self.name))
        # trials are played in silence: all recall what was done, and nobody writes
        command.sheet = self.plan(view.evolve(talk=Talk(view.talk.dealings))).sheet.copy()
        command.foes.update(command.sheet.lists.get("declare_war", {}))
        if not view.state.realms[view.realm].defeated:
            talk = Conversation(command)
            talk.answer()
            talk.tell()
        return command.sheet.data()

    def plan(self, view: View) -> Plan:
        """Return the orders of the best plan."""
        settings = figures()
        level = figures().levels[self.name]
        places = len(view.table.board.locations)
        profiles = [bot_profiles()[name].evolve(name=self.name) for name in settings.tempers]
        tempers = [profile.evolve(**settings.massing) for profile in profiles] if places > SMALL else profiles
        if level.purse is not None:
            view = _saving(view, level.purse)
        if view.state.realms[view.realm].defeated:
            return Plan(drafted(view, tempers[0]))
        near = within(view, level.steps)
        judgement = settings.judgement_on(places)
        own, *guesses = (profile.evolve(odds_fights=settings.fights) for profile in (tempers[0], *profiles))
        futures = Futures(near, guesses, level.turns, judgement, whole=view, own=own)
        share = level.budget // (2 + 3 * level.rounds)
        deep = share // level.turns
        first, *others = plans = list(
            first_plans(near, tempers, level.again, wars=places <= SMALL, going=level.going)
        )
        best_plan_found = improved(first, once(others), futures.trial, level.tries, 2 * deep)
        for number in range(level.rounds):

            def offers(plan: Plan) -> Iterator[Plan]:
                return Changes(near, tempers[0], plan, plans).offers()

            def moves(plan: Plan, label: str = f"{number}") -> Iterator[Plan]:
                return Changes(near, tempers[0], plan, plans).moves(label)

            def fresh(plan: Plan, future: int, after: int = (number + 1) * level.tries) -> float:
                return futures.trial(plan, after + future)

            best_plan_found = improved(best_plan_found, offers, futures.trial, level.tries, deep)
            moved = improved(best_plan_found, moves, futures.glance, level.glances, share)
            best_plan_found = improved(best_plan_found, once([moved]), fresh, level.tries, deep)
        return best_plan_found


def _saving(view: View, percent: int) -> View:
    """Return the view as if the realm had only this percentage of its gold beyond the upkeep."""
    world: World = view.state
    own_realm = world.realms[view.realm]
    upkeep = total_upkeep(world.of_realm(view.realm), view.table.rules)
    spare = max(Decimal(0), own_realm.treasury - upkeep)
    gold = to_cents(own_realm.treasury - spare + spare * percent / 100)
    return view.evolve(state=world.with_realms(own_realm.evolve(treasury=gold)))


LEVELS: Mapping[str, Bot] = {name: Strategist(name) for name in figures().levels}
"""All levels, by name."""
