"""A player's forecast if the others do nothing: influence, rebels, works, winter (CQ-22.3).

It comes from the steps of a turn on trial, or of the turns up to winter; no rule is computed here.
"""

from collections.abc import Iterator
from typing import Any

from gm.core.pipeline import Outcome, Stage, Turn, run_stages
from gm.core.values import Event
from gm.game.answers import Explanation
from gm.game.base.hooks import Trial
from gm.game.values import GameData
from gm.games.conqueror.events import CultureSpread, Deserted, Improved, WinterPaid, Worked
from gm.games.conqueror.figures import labour, rebellion_percent, rebels, weights_of
from gm.games.conqueror.rules import TAXES, Rules
from gm.games.conqueror.seasons import rebellion
from gm.games.conqueror.state import Orders, Province, World
from gm.games.conqueror.steps import STAGES
from gm.text.words import EventFormatter


def _without_rebellion(stage: Stage) -> Stage:
    """Return a stage without its step of rebellion."""
    return Stage(stage.name, tuple(step for step in stage.steps if step is not rebellion))


CALM = tuple(map(_without_rebellion, STAGES))
"""The stages of a turn in which nobody rebels, with which the turns up to winter are tried."""


def course(
    table: GameData, before: World, trial: Trial[World], code: str, formatter: EventFormatter
) -> Iterator[Explanation]:
    """Yield the forecast of ``trial`` for a player: the title of each subject that has lines, then its lines.

    ``before``: the position before the turn on trial. Nothing if the game is over or the player is out.
    """
    rules: Rules = before.settings.applied(table.rules)
    if trial.state.winners is not None or not trial.state.parties[code].alive:
        return
    _ = formatter.translate
    subjects = {  # clause and lines, by title
        _("Your influence"): ("CQ-14.1", _influence(before, trial.state, code, rules, formatter)),
        _("Cultural power"): ("CQ-16.3", _culture(table, trial, code, rules, formatter)),
        _("The chance of rebellion"): ("CQ-15.2", _rebellion(trial, code, rules, formatter)),
        _("What your provinces work on"): ("CQ-9.9", _works(trial, code, rules, formatter)),
        _("Winter"): ("CQ-12.6", _winter(table, trial, code, rules, formatter)),
    }
    for title, (clause, lines) in subjects.items():
        texts = list(lines)
        if texts:
            yield Explanation(title, clause)
            yield from (Explanation(text, "", 1) for text in texts)


def _influence(
    before: World, after: World, code: str, rules: Rules, formatter: EventFormatter
) -> Iterator[str]:
    """Yield a line for each change of a player's influence, those in their own provinces first."""
    for is_own in (True, False):
        for place, province in after.provinces.items():
            was = before.provinces[place].influence.get(code, 0)
            now = province.influence.get(code, 0)
            if was != now and is_own == (province.owner == code):
                where = place if is_own else formatter.phrase("{place}, not yours", place=place)
                word = formatter.translate(rules.control_word(now, is_owner=is_own))
                yield f"{where}: {was} → {now}, {word}"


def _culture(
    table: GameData, trial: Trial[World], code: str, rules: Rules, formatter: EventFormatter
) -> Iterator[str]:
    """Yield lines about the power of a player's cultures, and the influence gained and lost by it.

    Provinces of the lowest level of culture are left out while their power is too small to gain anything.
    """
    world: World = trial.found["cultural_influence"]  # the position as this step of the turn begins
    weights = weights_of(world, table.board, rules)
    least = rules.culture_power.threshold
    spreads = [event for event in trial.events if isinstance(event, CultureSpread)]
    for own in world.owned(code):
        power = weights[own.code].power
        place = {"place": own.code, "power": power}
        won = ", ".join(f"{event.points} in {event.target}" for event in spreads if event.source == own.code)
        if power > least and won:
            yield formatter.phrase("{place}: {power}, gains {won}", **place, won=won)
        elif power > least:
            yield formatter.phrase("{place}: {power}, gains nothing beside", **place)
        elif own.culture > 1:
            yield formatter.phrase(
                "{place}: {power}; above {least} it would win its neighbours", **place, least=least
            )
    for event in spreads:
        if event.party != code and world.provinces[event.target].owner == code:
            figures = {"source": event.source, "points": event.points, "target": event.target}
            yield formatter.phrase("{source} gains {points} for another in {target}", **figures)


def _rebellion(trial: Trial[World], code: str, rules: Rules, formatter: EventFormatter) -> Iterator[str]:
    """Yield the chance of a rebellion in each of a player's provinces that can rebel, with its parts."""
    # the position as this step of the turn begins
    for province in trial.found["rebellion"].owned(code):
        percent = rebellion_percent(province, rules)
        if percent:
            word = rules.control_word(province.control)
            base = rules.rebellion.base_percent[word]
            rebel_count = rebels(province)
            figures = {
                "word": formatter.translate(word),
                "people": province.population,
                "armies": province.armies,
                "base": base,
            }
            why = formatter.phrase(
                "{base}% ({word}, {control}) × {risen:rebel} ({people} of population, {armies} in arms)",
                **figures,
                control=province.control,
                risen=rebel_count,
            )
            # the rules have a highest percentage, which the product may exceed
            most = f", {formatter.translate('the most')}" if base * rebel_count > percent else ""
            yield f"{province.code}: {percent}%{most} = {why}"


def _works(trial: Trial[World], code: str, rules: Rules, formatter: EventFormatter) -> Iterator[str]:
    """Yield what each own province finishes this turn, its work after it, and how long that takes."""
    after = trial.state
    # what is finished, in words, by province: farms, works and culture, and what is made in numbers
    ready = {}
    made = {}
    for event in trial.events:
        if isinstance(event, Improved):
            ready[event.province] = formatter.called(event.work)
        elif isinstance(event, Worked) and event.item != TAXES and event.made:
            made[event.province] = f"{event.made} × {formatter.called(event.item)}"
    for own in after.owned(code):
        done = made.get(own.code) or ready.get(own.code)
        parts = [formatter.phrase("{done} this turn", done=done)] if done else []
        if own.item != TAXES:
            parts.append(_work_left(own, labour(own, after.turn + 1, rules), rules, formatter))
        if parts:
            yield f"{own.code}: {'; '.join(parts)}"


def _work_left(province: Province, worked: int, rules: Rules, formatter: EventFormatter) -> str:
    """Return in words what a province works on, and how many turns that takes with the labour ``worked``."""
    price = rules.items[province.item].price(province.population)
    stored = province.stored.get(province.item, 0)
    turns = max(1, -(-(price - stored) // worked))  # rounded up
    figures = {
        "item": formatter.called(province.item),
        "stored": stored,
        "price": price,
        "turns": turns,
        "worked": worked,
    }
    return formatter.phrase("{item} {stored} of {price}, ready in {turns:turn} at {worked} a turn", **figures)


def _winter(
    table: GameData, trial: Trial[World], code: str, rules: Rules, formatter: EventFormatter
) -> Iterator[str]:
    """Yield a player's pay and deserters in the winter of this turn, or else of the next winter turn.

    To find the latter, turns without orders and without rebellions are played from the trial on.
    """
    outcome: Outcome[World] = trial
    # a winter comes within a year
    for later in range(len(rules.seasons)):
        paid = _of_player(WinterPaid, outcome.events, code)
        if paid:
            when = formatter.translate("This turn")
            if later:
                when = formatter.phrase("In {turns:more turn}, if all goes on as it stands", turns=later)
            yield formatter.phrase(
                "{when}: the armies want {due} gold, {left} are left"
                if paid[0].paid == paid[0].due
                else "{when}: the armies want {due} gold, {paid} are paid, {left} are left",
                when=when,
                due=paid[0].due,
                paid=paid[0].paid,
                left=paid[0].left,
            )
            for event in _of_player(Deserted, outcome.events, code):
                place = {"armies": event.armies, "place": event.province}
                yield formatter.phrase("{armies:army|armies} of {place} would desert", **place)
            return
        world = outcome.state
        orders = {party: Orders() for party in world.parties}
        turn: Turn[World, Any, Any, Any] = Turn(
            state=world,
            number=world.turn + 1,
            rules=table.rules,
            board=table.board,
            orders=orders,
            seed="calm",  # any will do: nothing is drawn without moves and rebellions
        )
        rehearsed = run_stages(CALM, turn)
        outcome = Outcome(rehearsed.state.evolve(turn=world.turn + 1), rehearsed.events)


def _of_player(kind: type[Any], events: tuple[Event, ...], code: str) -> list[Any]:
    """Return the events of a class that are about a player."""
    return [event for event in events if isinstance(event, kind) and event.party == code]
