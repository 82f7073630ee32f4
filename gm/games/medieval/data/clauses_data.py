"""Clauses, rulings, reasons for refusals and bots' profiles: rules data that is read without the rest."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial

from gm.core.values import Value
from gm.core.yaml.models import load_value
from gm.game.base import texts
from gm.resources import resource
from gm.text.words import load_reasons as _load_reasons

load_clauses = partial(texts.clauses, "medieval")  # Every clause of the rules by id, in the rules' order
load_rulings = partial(texts.rulings, "medieval")
"""The decisions made where the rules are silent, in the order of their clauses."""
load_reasons = partial(_load_reasons, "medieval")
"""Every reason of rules/medieval/reasons/, by key. Raises ``ValueError`` when two files have the same key."""


def clauses() -> Mapping[str, str]:
    """Every clause's title by id, in the rules' order."""
    return {key: clause.title for key, clause in load_clauses().items()}


class BotProfile(Value):
    """How one bot plays. Percents are whole; every field is explained in ``rules/medieval/bots.yaml``."""

    name: str
    about: str
    reserve_percent: int
    upkeep_percent: int
    watch: int
    mistrust_percent: int
    keep_heads: int
    odds_percent: int
    odds_fights: int
    edge_percent: int
    war_percent: int = 0
    wars: int = 0
    peace_percent: int = 0
    expands: bool = False
    builds: bool = False
    commanders: int = 0
    ships: int = 0
    allies: bool = False
    voyage: int = 0
    pillages: bool = False


class BotsFile(Value):
    """bots.yaml."""

    bots: Mapping[str, BotProfile]


@cache
def bot_profiles() -> Mapping[str, BotProfile]:
    """All of them, by name. Reads the file that comes with the program; raises ``SourceError`` when it does not fit."""
    return load_value(resource("rules", "medieval") / "bots.yaml", BotsFile).bots
