"""What a party's orders would come to if nobody else gave any: played, not guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gm.kernel.diagnostics import Diagnostic
from gm.kernel.events import DiceRolled
from gm.kernel.game import Table
from gm.kernel.plain.events import Fate, LineSettled
from gm.kernel.plain.reading import PlainSheet
from gm.kernel.plain.scene import teller
from gm.kernel.plain_data import plain
from gm.kernel.preview import Preview, TriedOrder
from gm.kernel.source import Source

if TYPE_CHECKING:
    from gm.kernel.plain.game import PlainGame

TRIALS = ("trial 1", "trial 2", "trial 3")
"""Seeds of trials: never a game's own, so that a trial tells nobody what the dice will say."""
ALONE = "tried without the orders of the others"


def preview(
    spec: PlainGame[Any], table: Table, state: Any, realm: str, sheet: PlainSheet | None, data: bytes, file: str
) -> Preview:
    """What each line would come to. What would fail or be reduced is a warning at its line; where dice decide, only
    what fails in every one of several trials."""
    if sheet is None:
        return Preview()
    trials = [_tried(spec, table, state, realm, sheet, TRIALS[0])]
    if trials[0][1]:
        trials += [_tried(spec, table, state, realm, sheet, seed) for seed in TRIALS[1:]]
    words = teller(spec, table, (state,))
    source = Source(file, data.decode("utf-8", "replace"))
    orders, findings = [], []
    for place in sorted({place for settled, _ in trials for place in settled}):
        outcomes = [settled[place] for settled, _ in trials if place in settled]
        worst = next((each for each in outcomes if each.fate is not Fate.DONE), outcomes[0])
        clause, says = words.reason(worst.reason, worst.figures) if worst.reason else ("", "")
        order = TriedOrder(
            line=worst.line,
            column=worst.column,
            order=worst.text,
            fate=worst.fate.value,
            hangs_on="the dice" if len({each.fate for each in outcomes}) > 1 else "",
            reason=worst.reason,
            figures=plain(worst.figures),
            clause=clause,
            says=says,
        )
        orders.append(order)
        if all(each.fate is not Fate.DONE for each in outcomes):
            findings.append(_finding(order, source))
    return Preview(findings=tuple(findings), orders=tuple(orders))


def _tried(
    spec: PlainGame[Any], table: Table, state: Any, realm: str, sheet: PlainSheet, seed: str
) -> tuple[dict[tuple[int, int], LineSettled], bool]:
    """The outcome of each line by its place, and whether dice were rolled."""
    outcome = spec.play(table, state, {realm: sheet}, seed)
    settled = (e for e in outcome.events if isinstance(e, LineSettled) and e.audience == realm)
    return {(each.line, each.column): each for each in settled}, any(
        isinstance(each, DiceRolled) for each in outcome.events
    )


def _finding(order: TriedOrder, source: Source) -> Diagnostic:
    would = "would be reduced" if order.fate == Fate.REDUCED.value else "would fail"
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
