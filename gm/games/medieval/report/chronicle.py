"""The turn in sentences, by its parts and the rulebook's events, and what became of each order (O2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from gm.core.events import GM, PUBLIC, Event
from gm.core.values import Record
from gm.games.medieval.orders.model import Order, Orders
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.report.views import realm_name
from gm.games.medieval.state import World
from gm.games.medieval.steps.turn import Fate, OrderSettled

FIRST, FINAL = "First Events", "Final Events"


class Told(NamedTuple):
    """One event in words. ``part`` is where in the turn it belongs, ``heading`` the rulebook's event; ``battle`` is the
    anchor of a battle's report or empty; ``concerns`` the realms that appear in it."""

    part: str
    heading: str
    text: str
    audience: str
    concerns: frozenset[str]
    battle: str

    @property
    def private(self) -> bool:
        return self.audience != PUBLIC


class Part(NamedTuple):
    """A part of the turn and what happened in it, by heading."""

    title: str
    headings: tuple[tuple[str, tuple[Told, ...]], ...]


def tell(events: Iterable[Event], speaker: MedievalFormatter, battles: Mapping[int, BattleEntry]) -> tuple[Told, ...]:
    """Every event that has a sentence, in order, the GM's own left out. ``battles``: by their events' indexes."""
    from gm.games.medieval.pipeline import FINAL as FINAL_STAGE
    from gm.games.medieval.pipeline import STAGES

    titles = {each.name: each.title for stage in STAGES for each in stage.steps}
    final = {each.name for each in FINAL_STAGE.steps}
    found = []
    after_movement = False
    for index, event in enumerate(events):
        if event.audience == GM:
            continue
        after_movement = after_movement or event.phase > 0 or event.step in final
        text = speaker.say(event)
        battle = battles.get(index)
        if text:
            part = f"Movement, phase {event.phase}" if event.phase else FINAL if after_movement else FIRST
            found.append(
                Told(
                    part=part,
                    heading=titles.get(event.step, ""),
                    text=f"{text} {battle.result}" if battle else text,
                    audience=event.audience,
                    concerns=frozenset(codes_in(event, speaker.is_realm)),
                    battle=battle.anchor if battle else "",
                )
            )
    return tuple(found)


def arranged(told: Iterable[Told]) -> tuple[Part, ...]:
    """The same, by part and heading, for a page."""
    return tuple(
        Part(
            title,
            tuple((heading, tuple(group)) for heading, group in groupby(inside, lambda each: each.heading)),
        )
        for title, inside in groupby(told, lambda each: each.part)
    )


def seen_by(told: Iterable[Told], realm: str) -> tuple[Told, ...]:
    """What a realm may read and what is about it."""
    return tuple(each for each in told if each.audience == realm or (not each.private and realm in each.concerns))


def codes_in(value: Any, is_realm: Callable[[str], bool]) -> Iterable[str]:
    """The realms that an event names, by code or by a unit's key, however deep."""
    if isinstance(value, str):
        code = value.partition("/")[0]
        if is_realm(code):
            yield code
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from codes_in(key, is_realm)
            yield from codes_in(item, is_realm)
    elif isinstance(value, (tuple, list, frozenset)):
        for item in value:
            yield from codes_in(item, is_realm)
    elif isinstance(value, Record):
        for name in value.__struct_fields__:
            yield from codes_in(getattr(value, name), is_realm)


def provinces_changed(before: World, after: World) -> list[tuple[str, str, str]]:
    """(province, owner before, owner after) where the owner is another."""
    return [
        (name, realm_name(before, land.owner), realm_name(after, after.provinces[name].owner))
        for name, land in before.provinces.items()
        if land.owner != after.provinces[name].owner
    ]


# -- orders -----------------------------------------------------------------------------------------------------------

HEADQUARTERS = "Headquarters"


class OrderRow(NamedTuple):
    """One order and its outcome. ``subject`` is the unit in words, or headquarters; ``why`` may be empty."""

    subject: str
    line: int
    text: str
    fate: str
    why: str
    clause: str


class OrderGroup(NamedTuple):
    """All orders of one fate to one unit, in file order."""

    subject: str
    orders: tuple[OrderRow, ...]


class Fates(NamedTuple):
    """A realm's orders by fate and unit."""

    failed: tuple[OrderGroup, ...]
    reduced: tuple[OrderGroup, ...]
    done: tuple[OrderGroup, ...]

    @property
    def counts(self) -> list[int]:
        """How many were done, reduced and failed."""
        return [sum(len(group.orders) for group in groups) for groups in (self.done, self.reduced, self.failed)]


def fates_of(realm: str, events: Iterable[Event], sheet: Orders | None, speaker: MedievalFormatter) -> Fates:
    """The outcomes among ``events`` that belong to ``realm``."""
    subjects = _subjects(realm, sheet, speaker)
    rows = sorted(
        (
            _row(event, subjects.get((event.line, event.column), HEADQUARTERS), speaker)
            for event in events
            if isinstance(event, OrderSettled) and event.audience == realm
        ),
        key=lambda row: row.line,
    )
    failed, reduced, done = (
        _grouped(row for row in rows if row.fate == fate.value) for fate in (Fate.FAILED, Fate.REDUCED, Fate.DONE)
    )
    return Fates(failed, reduced, done)


def _row(event: OrderSettled, subject: str, speaker: MedievalFormatter) -> OrderRow:
    clause, why = speaker.reason(event.reason, event.figures) if event.reason else ("", "")
    return OrderRow(subject, event.line, event.text, event.fate.value, why, clause)


def _grouped(rows: Iterable[OrderRow]) -> tuple[OrderGroup, ...]:
    return tuple(OrderGroup(subject, tuple(found)) for subject, found in groupby(rows, lambda row: row.subject))


def _subjects(realm: str, sheet: Orders | None, speaker: MedievalFormatter) -> dict[tuple[int, int], str]:
    """Which unit each order of the sheet was for, by where it is written."""
    if sheet is None:
        return {}
    found: list[tuple[str, Order]] = [(order.unit, order) for order in sheet.units]
    found += [(reference, entry) for reference, entries in sheet.plans.items() for entry in entries]
    return {(order.written.line, order.written.column): speaker.own_unit(realm, unit) for unit, order in found}
