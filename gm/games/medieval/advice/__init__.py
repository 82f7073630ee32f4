"""Why orders are advised: each in the words of the order writer, with a reason of figures that its program compared.

Reasons are sentences of ``templates/medieval/advice.yaml``; each kind of order has a function that chooses one and
counts its figures: of the realm (``realm_reasons``), of a unit (``unit_reasons``), of a plan (``plan_reasons``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gm.game.answers import Advice, TriedOrder
from gm.game.values import GameData
from gm.games.medieval.advice.grounds import Because, Grounds, Subject, because, reasons, titles
from gm.games.medieval.advice.plan_reasons import PLAN_REASONS
from gm.games.medieval.advice.realm_reasons import REALM_REASONS
from gm.games.medieval.advice.unit_reasons import ON_LAND, UNIT_REASONS
from gm.games.medieval.data.clauses_data import numbered
from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Order, Orders
from gm.games.medieval.report.turn_result import MedievalFormatter
from gm.games.medieval.state import World
from gm.text.languages import Translate

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
    """Yield each order in words, with its reason."""
    grounds = Grounds(table, state, party, sheet, MedievalFormatter(state, translate=translate))
    placed = _placed(grounds, sheet)
    for tried in orders:
        head, word, text = _parts(tried.order)
        title = translate(titles().get(word, word.replace("_", " ").capitalize()))
        order, subject = placed.get((tried.line, tried.column, tried.order), (None, None))
        what = _object(grounds, order, text)
        done = f"{title} – {what}." if what else f"{title}."
        why = _because(grounds, order, subject)
        says = grounds.formatter.phrase(reasons()[why.name], **why.figures)
        yield Advice(tried.line, tried.column, f"{head}: {done}" if head else done, says)


def _parts(written: str) -> tuple[str, str, str]:
    """Return who is ordered, the word of the order, and what stands behind it: ``A1 march: Kent``."""
    subject, _, text = written.partition(": ")
    head, _, word = subject.rpartition(" ")
    return head, word.removesuffix(":"), text


def _placed(grounds: Grounds, sheet: Orders) -> Placed:
    """Return each order and whom it is for, by its place in the file and its text."""
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
    written = order.written
    return written.line, written.column, written.text


def _because(grounds: Grounds, order: Order | None, subject: Subject | None) -> Because:
    """Return the reason for an order; one without figures where nothing is known of it."""
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


def _object(grounds: Grounds, order: Order | None, text: str) -> str:
    """Return what an order is about, in words; the file's words where these are names."""
    formatter = grounds.formatter
    if isinstance(order, model.Build | model.Raze):
        return formatter.translate(order.structure.value)
    if isinstance(order, model.SetRanks):
        ranks = [
            formatter.phrase("{count} in rank {rank}", count=count, rank=rank) for rank, count in order.counts.items()
        ]
        return f"{order.troop}: {formatter.listed(ranks)}"
    if isinstance(order, model.Transfer):
        troops = [numbered(count, troop) for troop, count in order.troops.items()]
        what = formatter.listed([*troops, *order.commanders])
        return formatter.phrase("{what} to {unit}", what=what, unit=order.receiver)
    if isinstance(order, model.GrantPermission | model.GiveProvince):
        return formatter.phrase("{what} to {unit}", what=order.province, unit=formatter.realm(order.other))
    if isinstance(order, model.Unload):
        ashore = [
            formatter.phrase("{unit} in {place}", unit=unit, place=place) for unit, place in order.landings.items()
        ]
        return formatter.listed(ashore)
    if isinstance(order, model.SetDefendFortifications | model.SetMarines):
        return formatter.words(order.answer)
    return " ".join(formatter.names.get(word, word) for word in text.split(" "))
