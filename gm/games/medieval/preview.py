"""What a player's orders would come to if nobody else gave any: played, not guessed (O2, H1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gm.games.medieval.atlas import Atlas
from gm.games.medieval.forecast import Forecast, Warned, forecast
from gm.games.medieval.orders.model import OrderSheet
from gm.games.medieval.pipeline import play_turn
from gm.games.medieval.report.sentences import Speaker
from gm.games.medieval.rules import Rules
from gm.games.medieval.state import World
from gm.games.medieval.turn import Fate, OrderSettled
from gm.kernel.diagnostics import Diagnostic
from gm.kernel.events import DiceRolled, Event, plain
from gm.kernel.game import Preview
from gm.kernel.reports import gold
from gm.kernel.source import Source

TRIALS = ("trial 1", "trial 2", "trial 3")
"""Seeds of trials: never a game's own, so that a trial tells nobody what the dice will say."""

ALONE = "tried without the orders of the other realms"


def preview_orders(
    world: World, realm: str, sheet: OrderSheet | None, rules: Rules, atlas: Atlas, data: bytes, file: str
) -> Preview:
    """What would fail or be reduced, each as a warning at its line, and the realm's books for the turn (H1).

    Where dice decide, an order is warned of only if it fails in every one of several trials.
    """
    findings: list[Diagnostic] = []
    if sheet is not None:
        source = Source(file, data.decode("utf-8", "replace"))
        findings = [_finding(each, source, world) for each in _failures(world, realm, sheet, rules, atlas)]
    low, lines, figures = _books(world, realm, sheet, rules, atlas, file)
    return Preview((*findings, *low), lines, figures)


def _failures(world: World, realm: str, sheet: OrderSheet, rules: Rules, atlas: Atlas) -> list[OrderSettled]:
    found: list[OrderSettled] = []
    for trial in TRIALS:
        events = play_turn(world, {realm: sheet}, rules=rules, atlas=atlas, seed=trial).events
        failed = _not_done(events, realm)
        found = failed if trial == TRIALS[0] else [each for each in found if _where(each) in set(map(_where, failed))]
        if not found or not any(isinstance(event, DiceRolled) for event in events):
            break
    return found


def _not_done(events: Iterable[Event], realm: str) -> list[OrderSettled]:
    return [
        event
        for event in events
        if isinstance(event, OrderSettled) and event.audience == realm and event.fate is not Fate.DONE
    ]


def _where(event: OrderSettled) -> tuple[int, int, str]:
    return event.line, event.column, event.text


def _finding(event: OrderSettled, source: Source, world: World) -> Diagnostic:
    clause, says = Speaker(world).reason(event.reason, event.figures)
    would = "would be reduced" if event.fate is Fate.REDUCED else "would fail"
    width = len(source.line(event.line).rstrip()) - event.column + 1
    return source.diagnostic(
        f"trial/{event.reason}",
        f"{event.text} {would}: {says}",
        event.line,
        event.column,
        width,
        severity="warning",
        suggestion=ALONE,
        clause=clause,
    )


def _books(
    world: World, realm: str, sheet: OrderSheet | None, rules: Rules, atlas: Atlas, file: str
) -> tuple[list[Diagnostic], tuple[str, ...], Mapping[str, Any]]:
    """The forecast H1: a warning when it is low, its lines for people, its figures for programs."""
    found = forecast(world, realm, sheet, rules, atlas)
    lines = (
        f"{'treasury now':<22}{gold(found.treasury):>12}",
        f"{'upkeep':<22}{gold(-found.upkeep):>12}",
        f"{'headquarters':<22}{gold(-found.hq_expenses):>12}",
        f"{'garrisons':<22}{gold(-found.garrison_expenses):>12}",
        *(f"{each.what:<22}{gold(each.amount):>12}" for each in found.lines if each.what in _INCOME),
        f"{'surplus' if found.surplus >= 0 else 'shortfall':<22}{gold(found.surplus):>12}",
        f"{'lost to decay':<22}{gold(-found.decay):>12}",
        f"{'revenue at its end':<22}{gold(found.expected_revenue):>12}",
    )
    return _low(found, rules, file), lines, plain(found)


_INCOME = ("salvage", "gold received")


def _low(found: Forecast, rules: Rules, file: str) -> list[Diagnostic]:
    if found.warning is Warned.NONE:
        return []
    if found.warning is Warned.SHORT:
        code, message = "books/shortfall", f"these orders cost {gold(-found.surplus)} gold more than there is"
    else:
        margin = gold(rules.forecast.warn_below)
        code, message = "books/low", f"these orders leave {gold(found.surplus)} gold, less than {margin}"
    return [Diagnostic("warning", code, message, file, clause="H1")]
