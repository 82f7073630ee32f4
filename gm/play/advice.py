"""The reasons for the orders that a bot advises, from the module ``advice`` of a game.

The same reasons explain why a player's own order is not advised (:func:`why_not`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from gm.campaign.open import Campaign
from gm.core.diagnostics import said, says
from gm.game.answers import Advice, Preview, TriedOrder
from gm.text.languages import Translate

FEW = 3  # so many advised orders are shown as the most important ones
Place = tuple[int, int]  # The line and column of an order in its file


def advice_of(
    campaign: Campaign, seat: str, checked: Preview, translate: Translate
) -> Mapping[Place, Advice]:
    """Return the advice for each order of a checked file, by its place.

    It is empty for a file that cannot be read, and in a game without reasons.
    """
    module = _module(campaign)
    sheet = checked.reading.sheet
    if sheet is None or module is None:
        return {}
    orders = checked.orders
    advised = module.advice(campaign.spec, campaign.table, campaign.state, seat, sheet, orders, translate)
    return {(advice.line, advice.column): advice for advice in advised}


def most_important(advised: Iterable[Advice]) -> list[Advice]:
    """Return the ``FEW`` most important of the advised orders, sorted by weight, one for each subject.

    The list is empty if no more than ``FEW`` orders are advised in all.
    """
    orders = list(advised)
    return weightiest(orders)[:FEW] if len(orders) > FEW else []


def weightiest(advised: Iterable[Advice]) -> list[Advice]:
    """Return the advised orders that have a weight, the weightiest first; on each subject only that one."""
    weighty = sorted((advice for advice in advised if advice.weight), key=lambda advice: -advice.weight)
    first_about: dict[object, Advice] = {}
    for number, advice in enumerate(weighty):
        # advice about nothing in particular is a subject of its own
        first_about.setdefault(advice.about or number, advice)
    return list(first_about.values())


def why_not(
    drawn: Advice | None, tried: TriedOrder, advised: Sequence[Advice], bot: str, translate: Translate
) -> str:
    """Return in a sentence why a bot would not give an order that a player drew, or that it would.

    ``drawn``: the player's order with the reasons for it, None without any; ``tried``: its forecast;
    ``advised``: the orders that the bot would give; ``bot``: its name.
    """
    if tried.fate == "failed" and not tried.hangs_on:
        clause = f" ({tried.clause})" if tried.clause else ""
        return str(said(says("It would fail: {0}{1}.", _clause(tried.says), clause), translate))
    why = _clause(drawn.why) if drawn else ""
    same_advice = next((advice for advice in advised if drawn and advice.words == drawn.words), None)
    if same_advice is not None:
        return str(
            said(says("The bot {0} would order it, too: {1}.", bot, _clause(same_advice.why)), translate)
        )
    better = _preferred(drawn, advised)
    if better is None:
        return str(said(says("The bot {0} would order nothing instead of it.", bot), translate))
    bot_and_better = (bot, _clause(better.words), _clause(better.why))
    if not why:
        return str(said(says("The bot {0} prefers “{1}”: {2}.", *bot_and_better), translate))
    return str(said(says("{0}; the bot {1} prefers “{2}”: {3}.", why, *bot_and_better), translate))


def _preferred(drawn: Advice | None, advised: Sequence[Advice]) -> Advice | None:
    """Return the bot's order to name instead of the drawn one; None if none of its orders has a weight.

    It is the weightiest of those about as weighty as the drawn one; if there is none, the weightiest of all.
    """
    weighty = weightiest(advised)
    same_weight = [advice for advice in weighty if drawn and int(advice.weight) == int(drawn.weight)]
    # both lists begin with the weightiest
    return next(iter(same_weight or weighty), None)


def _clause(sentence: str) -> str:
    """Return a sentence without its full stop."""
    return sentence.strip().removesuffix(".")


def words_of(campaign: Campaign, seat: str, checked: Preview, translate: Translate) -> Mapping[Place, str]:
    """Return each order of a checked file in words, by its place.

    A game whose reasons take long to find has a function ``worded`` for that.
    """
    module = _module(campaign)
    sheet = checked.reading.sheet
    if sheet is not None and hasattr(module, "worded"):
        words: Mapping[Place, str] = module.worded(campaign.state, sheet, translate)
        return words
    advised = advice_of(campaign, seat, checked, translate)
    return {place: advice.words for place, advice in advised.items()}


def _module(campaign: Campaign) -> Any:
    """Return the module ``advice`` of a game; None if it has none."""
    name = f"{type(campaign.spec).__module__.rpartition('.')[0]}.advice"
    return import_module(name) if find_spec(name) else None
