"""Clauses, rulings and reasons for refusals: the rules data that reports and checks need, without the rest."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from gm.game.base import texts
from gm.text import reasons

load_clauses = partial(texts.clauses, "medieval")
"""Every clause of the rules by id, in the rules' order."""
load_rulings = partial(texts.rulings, "medieval")
"""The decisions made where the rules are silent, in the order of their clauses."""
load_reasons = partial(reasons.load_reasons, "medieval")
"""Every reason of rules/medieval/reasons/, by key. Raises ``ValueError`` when two files have the same key."""


def clauses() -> Mapping[str, str]:
    """Every clause's title by id, in the rules' order."""
    return {key: clause.title for key, clause in load_clauses().items()}
