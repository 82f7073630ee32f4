"""A turn's events in sentences, by the part of the turn, and the outcomes of its orders (O2)."""

from collections.abc import Iterable, Mapping, Set
from decimal import Decimal
from enum import Enum
from functools import cache, partial
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import structs

from gm.core.values import GM, PUBLIC, Event
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.orders.model import Order, Orders
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled


class EventText(NamedTuple):
    """One event in words."""

    part: str  # the part of the turn in which it happened, in words
    heading: str  # the title of the rulebook's event; empty for none
    text: str
    audience: str
    concerns: frozenset[str]  # the codes of the realms that a public event is about
    battle: str  # the anchor of a battle's section; empty for other events

    @property
    def private(self) -> bool:
        """Whether only one realm may see it."""
        return self.audience != PUBLIC


def tell(
    result: MedievalResult, formatter: MedievalFormatter, battles: Iterable[BattleEntry]
) -> tuple[EventText, ...]:
    """Return every event that has a sentence, in the turn's order, without those for the game master alone.

    ``battles``: the texts about the turn's battles, in the order of their events.
    """
    # imported here, as the pipeline imports all steps
    from gm.games.medieval.pipeline import FINAL as FINAL_STAGE
    from gm.games.medieval.pipeline import STEPS

    titles = {step.name: formatter.translate(step.title) for step in STEPS}
    final_steps = {step.name for step in FINAL_STAGE.steps}
    realms = frozenset(filter(formatter.is_realm, formatter.names))
    entries = []
    after_movement = False
    entries_of_battles = iter(battles)
    for event in result.events:
        if event.audience == GM:
            continue
        after_movement = after_movement or event.phase > 0 or event.step in final_steps
        text = formatter.format_event(event)
        battle = next(entries_of_battles) if isinstance(event, BattleFought) else None
        if not text:
            continue
        named_parties = parties_named(event, formatter.free_text) if event.audience == PUBLIC else ()
        event_text = EventText(
            part=_part_of(event, formatter, after_movement=after_movement),
            heading=titles.get(event.step, ""),
            text=f"{text} {battle.result}" if battle else text,
            audience=event.audience,
            concerns=realms.intersection(named_parties),
            battle=battle.anchor if battle else "",
        )
        entries.append(event_text)
    return tuple(entries)


def _part_of(event: Event, formatter: MedievalFormatter, *, after_movement: bool) -> str:
    """Return the words for the part of the turn in which an event happened.

    ``after_movement``: whether movement was over then, if the event has no phase.
    """
    if event.phase:
        return formatter.fill_pattern("Movement, phase {phase}", event)
    return formatter.fill_pattern("Final Events" if after_movement else "First Events", event)


def arranged(event_texts: Iterable[EventText]) -> list[tuple[str, list[tuple[str, list[EventText]]]]]:
    """Return a list of (part of the turn, list of (heading, its event texts)), in the order of the events."""
    return [(part, _by_heading(inside)) for part, inside in groupby(event_texts, lambda entry: entry.part)]


def _by_heading(entries: Iterable[EventText]) -> list[tuple[str, list[EventText]]]:
    """Return a list of (heading, the consecutive event texts below it)."""
    return [(heading, list(group)) for heading, group in groupby(entries, lambda entry: entry.heading)]


def _subjects(realm: str, sheet: Orders, formatter: MedievalFormatter) -> dict[tuple[int, int], str]:
    """Return the unit of each order of a sheet, in words, by the order's (line, column)."""
    orders: list[tuple[str, Order]] = [(order.unit, order) for order in sheet.units]
    for unit, plan in sheet.plans.items():
        orders += [(unit, order) for order in plan]
    unit_name = cache(partial(formatter.own_unit, realm))
    return {(order.written.line, order.written.column): unit_name(unit) for unit, order in orders}


def fates_of(
    realm: str, events: Iterable[Event], sheet: Orders | None, formatter: MedievalFormatter
) -> dict[str, list[tuple[str, list[dict[str, Any]]]]]:
    """Return, by outcome, a list of (unit or headquarters, the rows of its orders) in the order of the file.

    ``events``: the realm's; ``sheet``: its orders. A row has the order's line, text, clause and, if it failed
    or was reduced, the reason ``why``.
    """
    subjects = _subjects(realm, sheet, formatter) if sheet else {}
    rows: dict[str, list[dict[str, Any]]] = {
        fate.value: [] for fate in (OrderOutcome.DONE, OrderOutcome.REDUCED, OrderOutcome.FAILED)
    }
    settled_orders = [
        event for event in events if isinstance(event, OrderSettled) and event.audience == realm
    ]
    for event in sorted(settled_orders, key=attrgetter("line")):
        clause, why = formatter.reason(event.reason, event.figures) if event.reason else ("", "")
        subject = subjects.get((event.line, event.column)) or formatter.translate("Headquarters")
        row = {"subject": subject, "line": event.line, "text": event.text, "why": why, "clause": clause}
        rows[event.fate.value].append(row)
    return {fate: _by_subject(lines) for fate, lines in rows.items()}


def _by_subject(rows: Iterable[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return a list of (subject, the consecutive rows about it)."""
    return [(subject, list(group)) for subject, group in groupby(rows, itemgetter("subject"))]


CODE = 3  # letters of a party's code; a unit's key is its party's code, a slash and its name
_NO_TEXT = (int, float, Decimal, Enum, type(None))


def parties_named(event: Event, free_text: Set[str]) -> frozenset[str]:
    """Return the codes in an event's own fields, however deep, without fields whose name is in ``free_text``.

    There may be other texts of the form of a code among them: the caller knows which parties there are.
    """
    names = [name for name in _fields(type(event), free_text) if name not in Event.__struct_fields__]
    codes: set[str] = set()
    waiting = [getattr(event, name) for name in names]
    for value in waiting:  # which grows while it is read, by what each value contains
        if isinstance(value, str):
            # a code, or the key of a unit, which begins with one
            if len(value) == CODE or value[CODE : CODE + 1] == "/":
                codes.add(value[:CODE])
        elif isinstance(value, tuple | frozenset):
            waiting += value
        elif isinstance(value, msgspec.Struct):
            waiting += [getattr(value, name) for name in _fields(type(value), free_text)]
        elif isinstance(value, Mapping):
            waiting += (*value, *value.values())
    return frozenset(codes)


@cache
def _fields(kind: type[msgspec.Struct], free_text: Set[str]) -> tuple[str, ...]:
    """Return the names of a class's fields that can hold a code, except those in ``free_text``."""
    fields = structs.fields(kind)
    return tuple(field.name for field in fields if field.name not in free_text and _has_text(field.type))


def _has_text(kind: Any) -> bool:
    """Return whether a value of this type can be a text or contain one."""
    inner = get_args(kind)
    if inner:
        return any(_has_text(part) for part in inner if part is not Ellipsis)
    return not (isinstance(kind, type) and issubclass(kind, _NO_TEXT))
