"""Rules files that are read apart from the numbers: clauses, rulings, reasons, bots, names of troops."""

from collections.abc import Mapping
from functools import cache, partial

from gm.core.values import Positive, Value
from gm.core.yaml.models import load_value
from gm.game.base import texts
from gm.resources import resource
from gm.text.words import load_reasons as _load_reasons

load_clauses = partial(texts.clauses, "medieval")  # every clause of the rules by id, in the rules' order
load_rulings = partial(texts.rulings, "medieval")
"""The decisions made where the rules are silent, in the order of their clauses."""
load_reasons = partial(_load_reasons, "medieval")
"""Every reason of rules/medieval/reasons/, by key. Raises ``ValueError`` when two files have the same key."""


def clauses() -> Mapping[str, str]:
    """Return the title of every clause by id, in the rules' order."""
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
    """Return the profiles of the bots that come with the game, by name.

    Raises ``SourceError`` when their file does not fit.
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
    """The content of ``bots/talk.yaml``, which explains it: what bots understand and answer in letters."""

    words: Mapping[str, tuple[str, ...]]
    says: Mapping[str, Mapping[str, str]]
    figures: TalkFigures


@cache
def talk_file() -> TalkFile:
    """Return what bots understand and answer in letters, from the file that comes with the program.

    Raises ``SourceError`` when the file does not fit.
    """
    return load_value(resource("rules", "medieval", "bots") / "talk.yaml", TalkFile)


class TroopNames(Value):
    """The content of ``troop_names.yaml``: singular and plural by troop type, where they are not its name."""

    one: Mapping[str, str]
    many: Mapping[str, str]


@cache
def troop_names() -> TroopNames:
    """Return the singulars and plurals of troop types that differ from the types' names."""
    return load_value(resource("rules", "medieval") / "troop_names.yaml", TroopNames)


def named(count: int, troop: str) -> str:
    """Return the name of ``count`` troops of a type: ``Archer`` for 1, ``Archers`` for others."""
    return (troop_names().one if count == 1 else troop_names().many).get(troop, troop)


def numbered(count: int, troop: str) -> str:
    """Return ``count`` troops of a type in words, as in ``1 Archer`` or ``2 Archers``."""
    return f"{count} {named(count, troop)}"
