"""What a party's orders would come to if nobody else gave any: played, not guessed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gm.core.codec import to_plain
from gm.core.diagnostics import Diagnostic
from gm.core.events import DiceRolled, Event
from gm.core.yaml.source import Source
from gm.game.base.events import Fate, LineSettled
from gm.game.base.hooks import Hooks, formatter_of
from gm.game.base.reading import BaseOrders
from gm.game.preview import Preview, TriedOrder
from gm.game.values import GameData
from gm.text.words import load_reasons

TRIALS = ("trial 1", "trial 2", "trial 3")
"""Seeds of trials: never a game's own, so that a trial tells nobody what the dice will say."""
WOULD = {Fate.REDUCED: "would be reduced", Fate.FAILED: "would fail", Fate.SKIPPED: "would be skipped"}
ALONE = "tried without the orders of the others"


def preview(spec: Hooks[Any], table: GameData, state: Any, sheet: BaseOrders, data: bytes, file: str) -> Preview:
    """What each line would come to: a warning where it would not be done; where dice decide, only if every trial
    fails."""
    realm = sheet.realm
    played = [spec.play(table, state, {realm: sheet}, TRIALS[0])]
    if any(isinstance(each, DiceRolled) for each in played[0].events):
        played += [spec.play(table, state, {realm: sheet}, seed) for seed in TRIALS[1:]]
    trials = [_settled(outcome.events, realm) for outcome in played]
    words = formatter_of(spec, table, (state,))
    source = Source(file, data.decode("utf-8", "replace"))
    orders, findings = [], []
    for place in sorted({place for settled in trials for place in settled}):
        outcomes = [settled[place] for settled in trials if place in settled]
        worst = next((each for each in outcomes if each.fate is not Fate.DONE), outcomes[0])
        clause, says = words.reason(worst.reason, worst.figures) if worst.reason else ("", "")
        order = TriedOrder(
            line=worst.line,
            column=worst.column,
            order=worst.text,
            fate=worst.fate.value,
            hangs_on="the dice" if len({each.fate for each in outcomes}) > 1 else "",
            reason=worst.reason,
            figures=to_plain(worst.figures),
            clause=clause,
            says=says,
        )
        orders.append(order)
        reasons = load_reasons(spec.key)
        if all(each.fate is not Fate.DONE and not reasons[each.reason].planned for each in outcomes):
            findings.append(_finding(order, source))
    books = tuple(spec.books(table, state, realm, played[0]))
    return Preview(findings=tuple(findings), orders=tuple(orders), books=books)


def _settled(events: Iterable[Event], realm: str) -> dict[tuple[int, int], LineSettled]:
    """The outcome of each line by its place."""
    lines = (each for each in events if isinstance(each, LineSettled) and each.audience == realm)
    return {(each.line, each.column): each for each in lines}


def _finding(order: TriedOrder, source: Source) -> Diagnostic:
    would = WOULD[Fate(order.fate)]
    return source.diagnostic(
        f"trial/{order.reason or order.fate}",
        f"{order.order} {would}: {order.says}",
        order.line,
        order.column,
        max(1, len(source.line(order.line).rstrip()) - order.column + 1),
        severity="warning",
        suggestion=ALONE,
        clause=order.clause,
    )
