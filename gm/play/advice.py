"""Why a program would order what it advises: each order in words, and one sentence more (``advice`` of the game)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec

from gm.campaign.check import CheckResult
from gm.campaign.open import Campaign
from gm.game.answers import Advice
from gm.text.languages import Translate

Place = tuple[int, int]  # The line and column of an order in its file


def advice_of(campaign: Campaign, seat: str, checked: CheckResult, translate: Translate) -> Mapping[Place, Advice]:
    """Return the advice for each order of a file, by its place; nothing of a game that has no words for it."""
    name = f"{type(campaign.spec).__module__.rpartition('.')[0]}.advice"
    sheet = checked.reading.sheet
    if sheet is None or find_spec(name) is None:
        return {}
    module = import_module(name)
    orders = checked.preview.orders
    told = module.advice(campaign.spec, campaign.table, campaign.state, seat, sheet, orders, translate)
    return {(each.line, each.column): each for each in told}
