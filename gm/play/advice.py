"""Why a program would order what it advises: each order in words, and one sentence more (``advice`` of the game)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from gm.campaign.check import CheckResult
from gm.campaign.open import Campaign
from gm.game.answers import Advice
from gm.text.languages import Translate

FEW = 3  # so many hints are read at once
Place = tuple[int, int]  # The line and column of an order in its file


def advice_of(campaign: Campaign, seat: str, checked: CheckResult, translate: Translate) -> Mapping[Place, Advice]:
    """Return the advice for each order of a file, by its place; nothing of a game that has no words for it."""
    module = _module(campaign)
    sheet = checked.reading.sheet
    if sheet is None or module is None:
        return {}
    orders = checked.preview.orders
    advised = module.advice(campaign.spec, campaign.table, campaign.state, seat, sheet, orders, translate)
    return {(advice.line, advice.column): advice for advice in advised}


def most_important(advised: Iterable[Advice]) -> list[Advice]:
    """Return the orders that matter most of all that are advised, those that matter more first.

    There are none where all are few, or none matters more than another.
    """
    orders = list(advised)
    weighty = sorted((advice for advice in orders if advice.weight), key=lambda advice: -advice.weight)
    return weighty[:FEW] if len(orders) > FEW else []


def words_of(campaign: Campaign, seat: str, checked: CheckResult, translate: Translate) -> Mapping[Place, str]:
    """Return each order of a file in words, by its place: a game whose reasons take long has a function for that."""
    module = _module(campaign)
    sheet = checked.reading.sheet
    if sheet is not None and hasattr(module, "worded"):
        words: Mapping[Place, str] = module.worded(campaign.state, sheet, translate)
        return words
    advised = advice_of(campaign, seat, checked, translate)
    return {place: advice.words for place, advice in advised.items()}


def _module(campaign: Campaign) -> Any:
    """Return the module of a game that words its orders; none where it has none."""
    name = f"{type(campaign.spec).__module__.rpartition('.')[0]}.advice"
    return import_module(name) if find_spec(name) else None
