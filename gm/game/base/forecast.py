"""A forecast of a party's orders: they are tried in a turn, alone or with assumed orders of others.

``assume:`` in an order file contains orders of other players, each as in a file of their own. They are tried
here and nowhere else: a turn never reads them.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from gm.core.codec import to_plain
from gm.core.diagnostics import Diagnostic, SourceError, did_you_mean, nearest, says, shown
from gm.core.orders.reading import NameIndex
from gm.core.values import DiceRolled, Event
from gm.core.yaml.source import Mapping as MappingNode
from gm.core.yaml.source import Scalar, Source, read_tolerantly
from gm.game.answers import Explanation, Preview, TriedOrder
from gm.game.base.events import LineSettled, OrderOutcome, lines_in
from gm.game.base.hooks import Hooks, formatter_of
from gm.game.base.reading import BaseOrders, Body
from gm.game.values import GameData
from gm.text.languages import Translate
from gm.text.words import EventFormatter, Reason, load_reasons

ASSUME = "assume"
ASSUMED_LINES = 60  # So many outcomes of assumed orders are shown
# The seeds of the trials; since no game has them, a trial reveals nothing of a turn's dice
TRIALS = ("trial 1", "trial 2", "trial 3")
WOULD = {
    OrderOutcome.REDUCED: says("{0} would be reduced: {1}"),
    OrderOutcome.FAILED: says("{0} would fail: {1}"),
}
SKIPPED = says("{0} would be skipped: {1}")


def preview(
    spec: Hooks[Any],
    table: GameData,
    state: Any,
    realm: str,
    sheet: BaseOrders,
    source: Source,
    translate: Translate = str,
) -> Preview:
    """Return the forecast of a sheet: the outcome of each line, and what the game adds to it.

    ``source``: the file from which the sheet was read. A line that fails in all trials, each with other dice,
    gets a warning.
    """
    # a trial must not reveal what the party cannot know
    state = spec.seen(table, state, realm)
    others, findings = assumed(spec, table, state, realm, source)
    sheets = {realm: sheet} | {
        code: BaseOrders(code, sheet.turn, late=False, orders=other) for code, other in others.items()
    }
    first = spec.rehearsed(table, state, sheets, TRIALS[0])
    trials = [first]
    # without dice all trials come out the same
    if any(isinstance(event, DiceRolled) for event in first.events):
        trials += [spec.rehearsed(table, state, sheets, seed) for seed in TRIALS[1:]]
    formatter = formatter_of(spec, table, (state, first.state), translate)
    reasons = load_reasons(spec.key)
    orders = []
    for outcomes in _by_place([trial.events for trial in trials], realm):
        order = _outcome_over_trials(outcomes, formatter)
        orders.append(order)
        if all(_is_mistake(outcome, reasons) for outcome in outcomes):
            warning = _warning_about(order, source)
            if not spec.alternates(state):  # else nobody but this party gives orders in the turn
                warning = warning.evolve(suggestion=_how_tried(assumes=bool(others)))
            findings.append(warning)
    names = spec.names(table, state)
    return Preview(
        findings=tuple(findings),
        orders=tuple(orders),
        books=tuple(spec.books(table, state, realm, first)),
        course=(
            *_fates(first.events, others, formatter),
            *spec.forecast(table, state, first, realm, formatter),
        ),
        assumed=tuple(names.get(code, translate(state.parties[code].name)) for code in others),
    )


def _is_mistake(outcome: LineSettled, reasons: Mapping[str, Reason]) -> bool:
    """Return whether a line was not done as it was written, and was not meant to be skipped."""
    return outcome.fate is not OrderOutcome.DONE and not reasons[outcome.reason].planned


def _how_tried(*, assumes: bool) -> str:
    """Return in words how the orders were tried: with orders that the file ``assumes``, or alone."""
    if assumes:
        return says("tried with the orders that you assume")
    return says("tried without the orders of the others")


def _by_place(trials: list[tuple[Event, ...]], realm: str) -> Iterator[list[LineSettled]]:
    """Yield the outcomes of a party's line in all trials, line by line in the order of the file.

    ``trials``: the events of each.
    """
    lines_of_trials = [_lines_by_place(events, realm) for events in trials]
    places: set[tuple[int, int]] = set().union(*lines_of_trials)
    for place in sorted(places):
        yield [lines[place] for lines in lines_of_trials if place in lines]


def _lines_by_place(events: Iterable[Event], realm: str) -> dict[tuple[int, int], LineSettled]:
    """Return the outcome of each line of a party, by (line, column) in the file."""
    return {(line.line, line.column): line for line in lines_in(events, realm)}


def _outcome_over_trials(outcomes: list[LineSettled], formatter: EventFormatter) -> TriedOrder:
    """Return the outcome of a line over all trials: the first that is not ``done``, if there is one.

    ``outcomes``: the line's outcome in each trial. If they differ, the result says that it hangs on the dice.
    """
    decisive = next((outcome for outcome in outcomes if outcome.fate is not OrderOutcome.DONE), outcomes[0])
    clause, why = formatter.reason(decisive.reason, decisive.figures) if decisive.reason else ("", "")
    return TriedOrder(
        line=decisive.line,
        column=decisive.column,
        order=decisive.text,
        fate=decisive.fate.value,
        hangs_on=says("the dice") if len({outcome.fate for outcome in outcomes}) > 1 else "",
        reason=decisive.reason,
        figures=to_plain(decisive.figures),
        clause=clause,
        says=why,
    )


def _warning_about(order: TriedOrder, source: Source) -> Diagnostic:
    """Return the warning about a line that was not done in any trial."""
    message = says(WOULD.get(OrderOutcome(order.fate), SKIPPED), order.order, order.says)
    width = max(1, len(source.line(order.line).rstrip()) - order.column + 1)
    code = f"trial/{order.reason or order.fate}"
    return source.diagnostic(
        code, message, order.line, order.column, width, severity="warning", clause=order.clause
    )


def _fates(
    events: tuple[Event, ...], assumed: Mapping[str, Any], formatter: EventFormatter
) -> Iterator[Explanation]:
    """Yield the outcomes of the orders that a file assumes, a sentence each, of at most ``ASSUMED_LINES``.

    ``assumed``: the orders by party.
    """
    lines = (line for line in lines_in(events) if line.audience in assumed)
    for line in islice(lines, ASSUMED_LINES):
        clause, why = formatter.reason(line.reason, line.figures) if line.reason else ("", "")
        fate = formatter.translate(line.fate.value)
        text = f"{formatter.called(line.audience)}, “{line.text}”: {f'{fate}: {why}' if why else fate}."
        yield Explanation(text, clause, 1)


def assumed(
    spec: Hooks[Any], table: GameData, state: Any, realm: str, source: Source
) -> tuple[dict[str, Any], list[Diagnostic]]:
    """Return (orders under ``assume``, by party; findings in them).

    The findings are warnings, since no turn reads these orders. Where one side moves at a time, there are
    neither orders nor findings. ``realm``: the party whose file it is.
    """
    root, _ = read_tolerantly(source.text.encode(), source.file)
    node = root.get(ASSUME) if isinstance(root, MappingNode) and not spec.alternates(state) else None
    if node is None or (isinstance(node, Scalar) and node.is_null):
        return {}, []
    body = Body()
    orders = {}
    other_codes = [code for code in state.living if code != realm]
    names = {name: code for name, code in spec.also_called(state).items() if code in other_codes}
    players = NameIndex("player", other_codes, names)
    if not isinstance(node, MappingNode):
        body.expected(node, says("players with orders, as in 'blue: ...'"))
    if isinstance(node, MappingNode):
        for key, value in node:
            code = players.find(key.text)
            if code is None:
                message = says("no other player who is in the game is called {0}", shown(key.text))
                body.error(key, "assume/unknown-player", message, suggestion=players.suggestion(key.text))
            elif isinstance(value, MappingNode):
                findings, orders[code] = _orders_of(spec, table, state, code, value)
                body.diagnostics += findings
            else:
                body.expected(value, says("the lines that would follow the head of their file"))
    findings = [finding.evolve(severity="warning") for finding in body.diagnostics]
    return {code: value for code, value in orders.items() if value is not None}, findings


def _orders_of(
    spec: Hooks[Any], table: GameData, state: Any, code: str, node: MappingNode
) -> tuple[list[Diagnostic], Any]:
    """Return (findings in a player's assumed orders, the orders; None if they cannot be read).

    ``code``: the player's party.
    """
    body = Body()
    words = tuple(spec.order_model.model_fields)
    body.root = node
    body.realm = code
    for key in (key for key, _ in node if key.text not in words):
        message = says("{0} is unknown in this game and is ignored", shown(key.text))
        body.warn(key, "sheet/unknown-word", message, suggestion=did_you_mean(nearest(key.text, words)))
    try:
        orders = spec.read_body(body, table, state)
    except SourceError as error:
        return [*body.diagnostics, *error.diagnostics], None
    return list(body.diagnostics), orders
