"""A bot's hints at the table: orders to be adopted one by one, and why not the order that a player drew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from gm.core.diagnostics import said, says
from gm.core.values import Record
from gm.game.answers import Advice
from gm.play import page
from gm.play.advice import Place, advice_of, why_not
from gm.play.lent import RefusedError
from gm.play.table import Table


class Drawn(Record):
    """A question about an order: the player's order file as text, and the order's place in it."""

    text: str
    line: int
    column: int


def hinted(table: Table, seat: str, turn: int) -> dict[str, Any]:
    """Return a bot's hint for a seat, for the page's script.

    The data: ``html``: the forecast of the bot's orders; ``says``: whose advice it is; ``text``: the
    bot's order file; ``taken``: the orders to adopt with each advice.
    """
    name, checked, text = table.hint(seat, turn)
    words = said(says("{0} advises", name), table.translate(seat))
    bot_advice = advice_of(table.campaign, seat, checked, checked.translate)
    html = page.forecast_html(table, seat, checked, name, bot_advice)
    return {"html": html, "says": words, "text": text, "taken": taken_of(bot_advice)}


def taken_of(advice_by_place: Mapping[Place, Advice]) -> dict[str, tuple[Any, ...]]:
    """Return the orders to adopt with each advice that has some, by the advice's place in the file: ``12:5``.

    They are as the page's order writer stores them.
    """
    return {page.place_in_words(advice): advice.taken for advice in advice_by_place.values() if advice.taken}


def why_not_drawn(table: Table, seat: str, turn: int, data: bytes) -> dict[str, Any]:
    """Return why a bot would not give an order that the player drew, and the forecast, in a sentence each.

    ``data``: a :class:`Drawn` in JSON. Raises ``RefusedError`` for an order that is not in the player's file.
    """
    try:
        drawn = msgspec.json.decode(data, type=Drawn)
    except msgspec.MsgspecError:
        raise RefusedError(says("That order is not there.")) from None
    checked = table.check(seat, turn, drawn.text.encode("utf-8", "replace"))
    place = (drawn.line, drawn.column)
    orders = {(order.line, order.column): order for order in checked.orders}
    if place not in orders:
        raise RefusedError(says("That order is not there."))
    campaign = table.campaign
    translate = checked.translate
    own_advice = advice_of(campaign, seat, checked, translate)
    name, hint, _ = table.hint(seat, turn)
    bot_advice = advice_of(campaign, seat, hint, translate)
    sentence = why_not(own_advice.get(place), orders[place], list(bot_advice.values()), name, translate)
    return {"why": sentence, "says": page.forecast_words(checked)}
