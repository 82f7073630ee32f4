"""The bots' figures: data like everything that a rulebook, or a player's taste, would put a number on."""

from __future__ import annotations

from functools import cache

from gm.core.values import FrozenMap, Value
from gm.core.yaml.models import load_value
from gm.resources import resource


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


class _Tempers(Value):
    bots: FrozenMap[str, BotProfile]


@cache
def tempers() -> FrozenMap[str, BotProfile]:
    """All of them, by name. Reads the file that comes with the program; raises ``SourceError`` when it does not fit."""
    return load_value(resource("rules", "medieval") / "bots.yaml", _Tempers).bots
