"""What a player can foresee of his own, others standing: hearts, rebels, works, winter (CQ-22.3). All of it is what the
steps of a turn on trial found and made, or would make of the turns up to winter; no rule is reckoned here."""

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
from gm.games.conqueror.state import Orders, Province, World
from gm.games.conqueror.steps import STAGES, rebellion
from gm.text.pages import counted

CALM = tuple(Stage(each.name, tuple(step for step in each.steps if step is not rebellion)) for each in STAGES)
"""The turn in which nobody rebels: how the coming winter is rehearsed."""


def course(table: GameData, before: World, trial: Trial[World], code: str) -> Iterator[Explanation]:
    """Every matter of which there is something to tell, each under its title."""
    rules: Rules = before.settings.applied(table.rules)
    if trial.state.winners is not None or not trial.state.parties[code].alive:
        return
    told = {
        "Your influence": ("CQ-14.1", _influence(before, trial.state, code, rules)),
        "Cultural power": ("CQ-16.3", _culture(table, trial, code, rules)),
        "The chance of rebellion": ("CQ-15.2", _rebellion(trial, code, rules)),
        "What your provinces work on": ("CQ-9.9", _works(trial, code, rules)),
        "Winter": ("CQ-12.6", _winter(table, trial, code, rules)),
    }
    for title, (clause, lines) in told.items():
        if found := list(lines):
            yield Explanation(title, clause)
            yield from (Explanation(each, "", 1) for each in found)


def _influence(before: World, after: World, code: str, rules: Rules) -> Iterator[str]:
    """What changes of one's influence, in own provinces first."""
    for own in (True, False):
        for place, there in after.provinces.items():
            was, now = before.provinces[place].influence.get(code, 0), there.influence.get(code, 0)
            if was != now and own == (there.owner == code):
                yield f"{place}{'' if own else ', not yours'}: {was} → {now}, {rules.control_word(now, own=own)}"


def _culture(table: GameData, trial: Trial[World], code: str, rules: Rules) -> Iterator[str]:
    """The power of own cultures as the comparison finds it, whom they win, and what others win in own provinces."""
    found: World = trial.found["cultural_influence"]
    weights, least = weights_of(found, table.board, rules), rules.culture_power.threshold
    spread = [each for each in trial.events if isinstance(each, CultureSpread)]
    for own in found.owned(code):
        power = weights[own.code].power
        won = ", ".join(f"{each.points} in {each.target}" for each in spread if each.source == own.code)
        if power > least:
            yield f"{own.code}: {power}, {f'gains {won}' if won else 'gains nothing beside'}"
        elif own.culture > 1:
            yield f"{own.code}: {power}; above {least} it would win its neighbours"
    for each in spread:
        if each.party != code and found.provinces[each.target].owner == code:
            yield f"{each.source} gains {each.points} for another in {each.target}"


def _rebellion(trial: Trial[World], code: str, rules: Rules) -> Iterator[str]:
    """The chance in each province as the step finds it, with its parts."""
    for own in trial.found["rebellion"].owned(code):
        if percent := rebellion_percent(own, rules):
            word = rules.control_word(own.control)
            base, risen = rules.rebellion.base_percent[word], counted(rebels(own), "rebel")
            why = f"{base}% ({word}, {own.control}) × {risen} ({own.population} of population, {own.armies} in arms)"
            yield f"{own.code}: {percent}%{', the most' if base * rebels(own) > percent else ''} = {why}"


def _works(trial: Trial[World], code: str, rules: Rules) -> Iterator[str]:
    """What each own province has finished in the turn and works on after it, and how many turns that takes."""
    after, ready, made = trial.state, {}, {}
    for each in trial.events:
        if isinstance(each, Improved):
            ready[each.province] = each.work
        elif isinstance(each, Worked) and each.item != TAXES and each.made:
            made[each.province] = f"{each.made} × {each.item}"
    for own in after.owned(code):
        done = made.get(own.code) or ready.get(own.code)
        parts = [f"{done} this turn"] if done else []
        if own.item != TAXES:
            parts.append(_left(own, labour(own, after.turn + 1, rules), rules))
        if parts:
            yield f"{own.code}: {'; '.join(parts)}"


def _left(own: Province, worked: int, rules: Rules) -> str:
    price, stored = rules.items[own.item].price(own.population), own.stored.get(own.item, 0)
    turns = max(1, -(-(price - stored) // worked))
    return f"{own.item} {stored} of {price}, ready in {counted(turns, 'turn')} at {worked} a turn"


def _winter(table: GameData, trial: Trial[World], code: str, rules: Rules) -> Iterator[str]:
    """The winter of this turn, or the coming one if everybody goes on as he stands and nobody rebels."""
    outcome: Outcome[World] = trial
    for later in range(len(rules.seasons)):
        if paid := _of(WinterPaid, outcome.events, code):
            when = f"In {counted(later, 'more turn')}, if all goes on as it stands" if later else "This turn"
            short = "" if paid[0].paid == paid[0].due else f"{paid[0].paid} are paid, "
            yield f"{when}: the armies want {paid[0].due} gold, {short}{paid[0].left} are left"
            gone = _of(Deserted, outcome.events, code)
            yield from (f"{counted(each.armies, 'army', 'armies')} of {each.province} would desert" for each in gone)
            return
        world = outcome.state
        orders = {each: Orders() for each in world.parties}
        turn: Turn[World, Any, Any, Any] = Turn(
            state=world, number=world.turn + 1, rules=table.rules, board=table.board, orders=orders, seed="calm"
        )
        rehearsed = run_stages(CALM, turn)
        outcome = Outcome(rehearsed.state.evolve(turn=world.turn + 1), rehearsed.events)


def _of(kind: type[Any], events: tuple[Event, ...], code: str) -> list[Any]:
    """What happened of a kind to a player."""
    return [each for each in events if isinstance(each, kind) and each.party == code]
