"""Rules data that is read by itself: clauses, rulings, reasons, bots' profiles, names of troops."""

from collections.abc import Mapping
from functools import cache, partial

from gm.core.values import Positive, Value
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
    """Return every clause's title by id, in the rules' order."""
    return {key: clause.title for key, clause in load_clauses().items()}


class BotProfile(Value):
    """A bot's profile. Percents are whole; every field is explained in ``rules/medieval/bots.yaml``."""

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
    idle_percent: int = 0
    rival_percent: int = 0
    peace_percent: int = 0
    expands: bool = False
    builds: bool = False
    masses: bool = False
    siege_walls: int = 0
    commanders: int = 0
    ships: int = 0
    allies: bool = False
    voyage: int = 0
    pillages: bool = False
    truce: int = 0
    betray_percent: int = 0
    grudge: int = 0
    greed_percent: int = 0


class BotsFile(Value):
    """The content of ``bots.yaml``: the profiles of the bots."""

    bots: Mapping[str, BotProfile]


@cache
def bot_profiles() -> Mapping[str, BotProfile]:
    """Return all profiles, by name.

    Reads the file that comes with the program; raises ``SourceError`` when it does not fit.
    """
    return load_value(resource("rules", "medieval") / "bots.yaml", BotsFile).bots


class TalkFigures(Value):
    """The figures by which bots judge proposals; ``rules/medieval/bots/talk.yaml`` explains every field."""

    most: Positive
    stands: Positive
    tells: Positive
    idle: Positive
    friends: Positive
    keeps: Positive
    sells: Positive


class TalkFile(Value):
    """bots/talk.yaml: the words that bots understand in letters, their answers, and their figures."""

    words: Mapping[str, tuple[str, ...]]
    says: Mapping[str, Mapping[str, str]]
    figures: TalkFigures


@cache
def talk_file() -> TalkFile:
    """Return the words of bots and the figures of their judgement, as shipped.

    Raises ``SourceError`` when the file does not fit.
    """
    return load_value(resource("rules", "medieval", "bots") / "talk.yaml", TalkFile)


class TroopNames(Value):
    """The content of ``troop_names.yaml``: singular and plural of troop types, where that is not the name."""

    one: Mapping[str, str]
    many: Mapping[str, str]


@cache
def troop_names() -> TroopNames:
    """Return the singular and plural of each type, where that is not its name."""
    return load_value(resource("rules", "medieval") / "troop_names.yaml", TroopNames)


def named(count: int, troop: str) -> str:
    """Return the name of ``count`` of a type: Archer, Trading Cogs."""
    return (troop_names().one if count == 1 else troop_names().many).get(troop, troop)


def numbered(count: int, troop: str) -> str:
    """Return ``1 Archer``, ``2 Trading Cogs``."""
    return f"{count} {named(count, troop)}"
