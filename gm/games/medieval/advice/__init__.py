"""Reasons for advised orders, in the words of the order writer, with the figures that the bot compared.

Reasons are sentences of ``templates/medieval/advice.yaml``; each kind of order has a function that chooses
one and computes its figures: orders of the realm (``realm_reasons``), of a unit (``unit_reasons``), of a plan
(``plan_reasons``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gm.game.answers import Advice, TriedOrder
from gm.game.values import GameData
from gm.games.medieval.advice.grounds import Because, Grounds, Subject, because, reasons
from gm.games.medieval.advice.plan_reasons import PLAN_REASONS
from gm.games.medieval.advice.realm_reasons import REALM_REASONS
from gm.games.medieval.advice.together import Together
from gm.games.medieval.advice.unit_reasons import ON_LAND, UNIT_REASONS
from gm.games.medieval.orders.model import Order, Orders
from gm.games.medieval.orders.worded import sentence
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.state import World
from gm.text.languages import Translate

_TAKING = ("march empty", "march free", "march foreign", "march walls", "unload", "unload empty")
_DEALING = ("declare_war", "offer_peace", "offer_alliance", "cancel_alliance", "annex")
_GROWING = ("build fields", "recruit", "guarded", "way foreign")
WEIGHTS = dict.fromkeys(_TAKING, 3) | dict.fromkeys(_DEALING, 2) | dict.fromkeys(_GROWING, 1)
"""How much an order matters, by the name of its reason: land first, then treaties, then what is done at home.

The chance to win its battle is added."""

# (order, the unit that it is about, if any) by the order's line, column and text
Placed = dict[tuple[int, int, str], tuple[Order, Subject | None]]


def advice(
    spec: Any,
    table: GameData,
    state: World,
    party: str,
    sheet: Orders,
    orders: Sequence[TriedOrder],
    translate: Translate,
) -> Iterator[Advice]:
    """Yield the advice about each order of ``party``: the order in words, with its reason.

    ``sheet``: the advised orders; ``orders``: their results if no other realm gave any.
    """
    grounds = Grounds(table, state, party, sheet, MedievalFormatter(state, translate=translate))
    placed_orders = _orders_by_place(grounds, sheet)
    together = Together(grounds)
    for tried in orders:
        order, subject = placed_orders[(tried.line, tried.column, tried.order)]
        why = _because(grounds, order, subject)
        says = grounds.formatter.phrase(reasons()[why.name], **why.figures)
        words = f"{sentence(order, grounds.formatter)}."
        # the chance of a battle counts only for orders that have a weight
        weight = WEIGHTS[why.name] + why.share if why.name in WEIGHTS else 0
        about = _about(why, order, subject)
        rows = together.rows(order, subject)
        yield Advice(tried.line, tried.column, words, says, weight, about, rows)


def _about(why: Because, order: Order, subject: Subject | None) -> str:
    """Return what an order is about, which gets one hint: the province that it takes, else its unit's key.

    An order of headquarters is about itself: its text is returned.
    """
    if why.name in _TAKING:
        return why.figures["place"]
    return subject.unit.key if subject else order.written.text


def worded(state: World, sheet: Orders, translate: Translate) -> Mapping[tuple[int, int], str]:
    """Return each order in words, by its line and column in the file."""
    formatter = MedievalFormatter(state, translate=translate)
    orders = sheet.all_orders()
    return {(order.written.line, order.written.column): f"{sentence(order, formatter)}." for order in orders}


def _orders_by_place(grounds: Grounds, sheet: Orders) -> Placed:
    """Return each order with its subject, by :func:`_place`.

    Orders of headquarters and of unknown units have no subject.
    """
    placed: Placed = {}
    for order in sheet.headquarters:
        placed[_place(order)] = (order, None)
    for order in sheet.units:
        unit = grounds.unit(order.unit)
        placed[_place(order)] = (order, Subject(unit) if unit else None)
    for reference, entries in sheet.plans.items():
        unit = grounds.unit(reference)
        for number, entry in enumerate(entries):
            subject = Subject(unit, entries[:number], entries[number + 1 :]) if unit else None
            placed[_place(entry)] = (entry, subject)
    return placed


def _place(order: Order) -> tuple[int, int, str]:
    """Return the line, the column and the text of an order in the file."""
    written = order.written
    return written.line, written.column, written.text


def _because(grounds: Grounds, order: Order, subject: Subject | None) -> Because:
    """Return the reason for an order.

    It is ``other``, which has no figures, for an order of an unknown unit or kind, and for one that needs
    land if the unit is at sea.
    """
    kind = type(order)
    if kind in REALM_REASONS:
        return REALM_REASONS[kind](grounds, order)
    if subject is None:
        return because("other")
    if kind in ON_LAND and subject.unit.place not in grounds.world.provinces:
        return because("other")
    if kind in UNIT_REASONS:
        return UNIT_REASONS[kind](grounds, order, subject.unit)
    if kind in PLAN_REASONS:
        return PLAN_REASONS[kind](grounds, order, subject)
    return because("other")
