"""The strategist: it plans with every profile, changes the best plans, and orders what does best in trials.

Its levels differ in the number of turns that a trial plays; the lowest also lets few units go and saves gold.
"""

from collections.abc import Iterator, Mapping, Sequence
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
from gm.games.medieval.data.clauses_data import BotProfile, bot_profiles
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
    """The content of ``strategist.yaml``, where each field is explained."""

    levels: Mapping[str, Level]
    tempers: tuple[str, ...]
    fights: int
    judgement: WinningChance
    large: ScoreOutlook
    massing: Mapping[str, bool | int]

    def judgement_on(self, places: int) -> Judgement:
        """Return the judgement for a map with this number of places; large maps have one of their own."""
        return self.judgement if places <= SMALL else self.large


@cache
def figures() -> StrategistFile:
    """Return the content of ``strategist.yaml``. Raises ``SourceError`` when the file does not fit."""
    return load_value(resource("rules", "medieval", "bots") / "strategist.yaml", StrategistFile)


class Strategist(Record):
    """A bot that plays by the level of this name."""

    name: str

    @property
    def about(self) -> str:
        """What the level is like, in a sentence of the rules data."""
        return figures().levels[self.name].about

    def orders(self, view: View) -> bytes:
        """Return an order file, made of the public position and the realm's own treasury and talk alone."""
        # the first temper is the bot's own
        command = Command(view, bot_profiles()[figures().tempers[0]].evolve(name=self.name))
        # trials are played in silence: all recall what was done, and nobody writes
        command.sheet = self.plan(view.evolve(talk=Talk(view.talk.dealings))).sheet.copy()
        # the wars of the plan count when proposals are answered
        command.foes.update(command.sheet.lists.get("declare_war", {}))
        if not view.state.realms[view.realm].defeated:
            talk = Conversation(command)
            talk.answer()
            talk.tell()
        return command.sheet.data()

    def plan(self, view: View) -> Plan:
        """Return the best plan that was found: the first plans are tried, and the best of them is changed.

        A defeated realm gets an empty plan.
        """
        settings = figures()
        level = settings.levels[self.name]
        places = len(view.table.board.locations)
        profiles = [bot_profiles()[name].evolve(name=self.name) for name in settings.tempers]
        # on a large map the realm itself masses troops; the others are guessed to play as they are
        tempers = [profile.evolve(**settings.massing) for profile in profiles] if places > SMALL else profiles
        if level.purse is not None:  # the percentage that it may spend of its gold beyond the upkeep
            view = _saving(view, level.purse)
        if view.state.realms[view.realm].defeated:
            return Plan(drafted(view, tempers[0]))
        near = within(view, level.steps)
        judgement = settings.judgement_on(places)
        # in trials a battle is fought out on paper fewer times
        own, *guesses = (profile.evolve(odds_fights=settings.fights) for profile in (tempers[0], *profiles))
        futures = Futures(near, guesses, level.turns, judgement, whole=view, own=own)
        plans = list(first_plans(near, tempers, level.again, wars=places <= SMALL, going=level.going))
        refinement = _Refinement(near, tempers[0], plans, futures, level)
        # the first choice has two shares of the budget
        plan = improved(plans[0], once(plans[1:]), futures.trial, level.tries, 2 * refinement.deep_budget)
        for number in range(level.rounds):
            plan = refinement.round(plan, number)
        return plan


class _Refinement:
    """The rounds in which the best plan is changed.

    ``temper``: the profile of the realm; ``plans``: all first plans. The budget is counted in turns that are
    played for trial. It has equal shares, two for the first choice and three for each round: ``near_budget``
    is how many trials of one turn a share pays for, ``deep_budget`` how many of several turns.
    """

    def __init__(
        self, view: View, temper: BotProfile, plans: Sequence[Plan], futures: Futures, level: Level
    ) -> None:
        """Divide the level's budget among its rounds."""
        self._view = view
        self._temper = temper
        self._plans = plans
        self._futures = futures
        self._level = level
        # two shares for the first choice, three for each round
        self.near_budget = level.budget // (2 + 3 * level.rounds)
        self.deep_budget = self.near_budget // level.turns

    def round(self, plan: Plan, number: int) -> Plan:
        """Return the plan, improved by offers and then by moves, in the round of this number, from 0.

        Moves are chosen in trials of one turn, and must prove better in trials of several turns too, in
        futures of this round alone.
        """
        tries = self._level.tries
        trial = self._futures.trial
        plan = improved(plan, self._offers, trial, tries, self.deep_budget)

        def moves(plan: Plan) -> Iterator[Plan]:
            return self._changes(plan).moves(f"{number}")

        def fresh_trial(plan: Plan, future: int) -> float:
            # the first ``tries`` futures are those of the offers, each round has the next ones
            return trial(plan, (number + 1) * tries + future)

        moved = improved(plan, moves, self._futures.glance, self._level.glances, self.near_budget)
        return improved(plan, once([moved]), fresh_trial, tries, self.deep_budget)

    def _offers(self, plan: Plan) -> Iterator[Plan]:
        """Yield the changes of a plan by one offer."""
        return self._changes(plan).offers()

    def _changes(self, plan: Plan) -> Changes:
        return Changes(self._view, self._temper, plan, self._plans)


def _saving(view: View, percent: int) -> View:
    """Return the view as if the realm had, beyond its upkeep, only this percentage of its other gold."""
    world: World = view.state
    own_realm = world.realms[view.realm]
    upkeep = total_upkeep(world.of_realm(view.realm), view.table.rules)
    beyond_upkeep = max(Decimal(0), own_realm.treasury - upkeep)
    gold = to_cents(own_realm.treasury - beyond_upkeep + beyond_upkeep * percent / 100)
    return view.evolve(state=world.with_realms(own_realm.evolve(treasury=gold)))


LEVELS: Mapping[str, Bot] = {name: Strategist(name) for name in figures().levels}
"""The bots of all levels, by name."""
