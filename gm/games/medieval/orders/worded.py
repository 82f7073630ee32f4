"""Orders in words, by one phrase for each word of the grammar.

The phrases are those of ``templates/medieval/orders.yaml``; the page's script ``GmSheetWords`` fills them in
like this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from gm.core.diagnostics import shown
from gm.game.base.writer import order_phrases
from gm.games.medieval.data.clauses_data import numbered
from gm.games.medieval.orders import model
from gm.games.medieval.orders.grammar import all_words
from gm.games.medieval.orders.model import Order
from gm.text.pages import capitalised
from gm.text.words import EventFormatter

NO = ".no"  # what follows a word in the key of its negation's phrase


def phrases() -> Mapping[str, str]:
    """Return the phrases of orders by their word, and those of negations by the word and :data:`NO`."""
    return order_phrases("medieval")


@cache
def _words() -> Mapping[type[Order] | None, str]:
    """Return the name of the order file's word for each class of orders."""
    return {word.order: word.name for word in all_words()}


def sentence(order: Order, tell: EventFormatter) -> str:
    """Return an order in words after its unit: ``A1: march to Minsk``; without a unit it is capitalised."""
    # the text of an order is "A1 march: Minsk", that of one to headquarters "annex: Minsk"
    unit, _, _ = order.written.text.partition(": ")[0].rpartition(" ")
    words = in_words(order, tell)
    return f"{unit}: {words}" if unit else capitalised(words)


def in_words(order: Order, tell: EventFormatter) -> str:
    """Return an order without its unit: ``march to Minsk``."""
    parts = _parts(order, tell)
    word = _words()[type(order)]
    negation = f"{word}{NO}"
    is_negation = not parts and negation in phrases()
    return str(tell.phrase(phrases()[negation if is_negation else word], **parts))


def _parts(order: Order, tell: EventFormatter) -> dict[str, str]:
    """Return the values for an order's phrase, by placeholder; none for the answer no or without a value."""
    if isinstance(order, model.RealmOrder | model.Board):
        return {"to": tell.code(order.other)}
    if isinstance(order, model.GrantPermission | model.RevokePermission | model.GiveProvince):
        return {"what": order.province, "to": tell.code(order.other)}
    if isinstance(order, model.SendGold):
        return {"what": str(order.amount), "to": tell.code(order.other)}
    if isinstance(order, model.RenameCommander):
        return {"what": order.name, "to": order.new_name}
    if isinstance(order, model.Transfer):
        return {"what": _handed(order, tell), "to": order.receiver}
    order_words = _what(order, tell)
    return {"what": order_words} if order_words else {}


def _handed(order: model.Transfer, tell: EventFormatter) -> str:
    """Return in words which troops and commanders a transfer hands over."""
    troops = [numbered(count, troop) for troop, count in order.troops.items()]
    return str(tell.listed([*troops, *order.commanders]))


def _what(order: Order, tell: EventFormatter) -> str:
    """Return the value of an order in words; empty for the answer no, and for orders without a value."""
    match order:
        case model.Annex() | model.CedeProvince() | model.March():
            return order.province
        case model.Sail():
            return order.place
        case model.Proclamation():
            return shown(order.text)
        case model.FormUnit():
            return f"{order.new_id} {order.name}" if order.name else order.new_id
        case model.Recruit() | model.Disband():
            return numbered(order.count, order.troop)
        case model.HireCommander():
            return str(tell.phrase("{count:commander}", count=order.count))
        case model.Build() | model.Raze():
            return tell.translate(order.structure.value)
        case model.SetRetreatLevel():
            return str(order.level)
        case model.SetRanks():
            return _ranks(order, tell)
        case model.Load():
            return str(tell.listed(order.armies))
        case model.Unload():
            return str(tell.listed(_landed(army, place, tell) for army, place in order.landings.items()))
        case _:
            return _answer(order)


def _answer(order: Order) -> str:
    """Return the value of an order that can say no or none, in words; empty if it does, or has no value."""
    if isinstance(order, model.Rename):
        return order.name or ""
    if isinstance(order, model.Follow):
        return order.leader or ""
    if isinstance(order, model.SetLeader | model.DisbandCommander):
        return order.commander or ""
    if isinstance(order, model.SetMarines | model.SetDefendFortifications):
        return "yes" if order.answer else ""
    return ""


def _ranks(order: model.SetRanks, tell: EventFormatter) -> str:
    """Return a troop type and the numbers of its troops in each rank, in words."""
    ranks = [
        tell.phrase("{count} in rank {rank}", count=count, rank=rank) for rank, count in order.counts.items()
    ]
    return f"{order.troop}: {tell.listed(ranks)}"


def _landed(army: str, place: str, tell: EventFormatter) -> str:
    """Return an army and the place where it lands, in words."""
    return str(tell.phrase("{unit} in {place}", unit=army, place=place))
