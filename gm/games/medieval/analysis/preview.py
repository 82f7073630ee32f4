"""What a player's orders would come to if nobody else gave any: played, not guessed (O2, H1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gm.core.codec import to_plain
from gm.core.diagnostics import Diagnostic
from gm.core.yaml.source import Source
from gm.game.answers import PhasePlan, Preview, TriedOrder
from gm.games.medieval.analysis.forecast import Forecast, Warned, foreseen, summed
from gm.games.medieval.analysis.forecast_lines import forecast_lines
from gm.games.medieval.analysis.trial import Trial, place_of, try_orders
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import FormUnit, Orders
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.state import World
from gm.games.medieval.steps.turn import Fate
from gm.text.pages import gold

TRIALS = ("trial 1", "trial 2", "trial 3")
"""Seeds of trials: never a game's own, so that a trial tells nobody what the dice will say."""

UNANSWERED = "offer-not-returned"  # The reason of L15 and L17 that a trial without the others cannot help giving
ALONE = "tried without the orders of the other realms"


def preview_orders(
    world: World, realm: str, sheet: Orders | None, rules: Rules, atlas: Atlas, data: bytes, file: str
) -> Preview:
    """What each order would come to and cost, the plan by phase, and the realm's books for the turn (H1).

    What would fail or be reduced is also a warning at its line. Where dice decide, an order is warned of only if it
    fails in every one of several trials.
    """
    entries = foreseen(world, realm, sheet, rules, atlas)
    books = summed(world, realm, entries, rules, atlas)
    low = _low(books, rules, file)
    lines = forecast_lines(books, entries, world, realm, rules)
    sums = (("headquarters", -books.hq_expenses), ("garrisons", -books.garrison_expenses), ("upkeep", -books.upkeep))
    if sheet is None:
        return Preview(findings=tuple(low), books=lines, sums=sums, figures=to_plain(books))
    # one trial; several when chance may decide what becomes of the orders
    first = try_orders(world, realm, sheet, rules, atlas, TRIALS[0])
    more = TRIALS[1:] if first.chance else ()
    trials = [first, *(try_orders(world, realm, sheet, rules, atlas, seed) for seed in more)]
    tried = tuple(_tried(trials, sheet, MedievalFormatter(world, sentences={})))
    source = Source(file, data.decode("utf-8", "replace"))
    return Preview(
        findings=(*(_finding(order, source) for order, fails in tried if fails), *low),
        orders=tuple(order for order, _ in tried),
        plan=first.plan,
        ordered=_ordered(realm, sheet, first.plan),
        books=lines,
        sums=sums,
        figures=to_plain(books),
    )


def _tried(trials: Sequence[Trial], sheet: Orders, formatter: MedievalFormatter) -> Iterator[tuple[TriedOrder, bool]]:
    """Every order of the sheet by its place in the file, and whether it is to be warned of.

    Where the trials differ, the order is open: it is told with what went wrong in one, and its cost when all went well.
    An offer is open too: nobody was there to return it.
    """
    for place in sorted({place_of(order) for order in sheet.all_orders()}):
        outcomes = [trial.orders[place] for trial in trials]
        done = [each for each in outcomes if each.event.fate is Fate.DONE]
        event = next((each.event for each in outcomes if each.event.fate is not Fate.DONE), outcomes[0].event)
        clause, says = formatter.reason(event.reason, event.figures) if event.reason else ("", "")
        cost = (done or outcomes)[0]
        offered = event.reason == UNANSWERED
        by_chance = len({each.event.fate for each in outcomes}) > 1
        order = TriedOrder(
            line=event.line,
            column=event.column,
            order=event.text,
            fate=event.fate.value,
            hangs_on="the others" if offered else "the dice" if by_chance else "",
            reason=event.reason,
            figures=to_plain(event.figures),
            clause=clause,
            says=says,
            gold=cost.gold,
            moves=cost.moves,
        )
        yield order, not done and not offered


def _finding(order: TriedOrder, source: Source) -> Diagnostic:
    would = "would be reduced" if order.fate == Fate.REDUCED.value else "would fail"
    return source.diagnostic(
        f"trial/{order.reason}",
        f"{order.order} {would}: {order.says}",
        order.line,
        order.column,
        len(source.line(order.line).rstrip()) - order.column + 1,
        severity="warning",
        suggestion=ALONE,
        clause=order.clause,
    )


def _ordered(realm: str, sheet: Orders, plan: Sequence[PhasePlan]) -> tuple[str, ...]:
    """The armies and fleets with a plan, those that the sheet forms, and those that are taken along by others."""
    named = {f"{realm}/{reference}" for reference, entries in sheet.plans.items() if entries}
    named |= {f"{realm}/{order.new_id}" for order in sheet.units if isinstance(order, FormUnit)}
    keys = dict.fromkeys(key for phase in plan for key in phase.units)

    def moved(key: str) -> bool:
        return len({(at.place, at.aboard) for phase in plan if (at := phase.units.get(key)) is not None}) > 1

    return tuple(key for key in keys if key in named or moved(key))


def _low(found: Forecast, rules: Rules, file: str) -> list[Diagnostic]:
    if found.warning is Warned.NONE:
        return []
    if found.warning is Warned.SHORT:
        code, message = "books/shortfall", f"these orders cost {gold(-found.surplus)} gold more than there is"
    else:
        margin = gold(rules.forecast.warn_below)
        code, message = "books/low", f"these orders leave {gold(found.surplus)} gold, less than {margin}"
    return [Diagnostic("warning", code, message, file, clause="H1")]
