"""Clauses, rulings and reasons for refusals: the rules data that reports and checks need, without the rest."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from gm.core.diagnostics import SourceError
from gm.core.values import Value
from gm.core.yaml.models import load_data, load_value, value_at
from gm.core.yaml.nodes import Mapping as MappingNode
from gm.resources import resource
from gm.text import reasons
from gm.text.reasons import Reason as Reason


class Clause(Value):
    """A clause of the rules: its title in our words; ``later`` if the game does not have it yet."""

    title: str
    later: bool = False


class Ruling(Value):
    """One decision where the source is silent or contradicts itself."""

    id: str
    clause: str
    ruling: str


class RulingsFile(Value):
    """rulings.yaml."""

    rulings: tuple[Ruling, ...]


@cache
def load_clauses() -> Mapping[str, Clause]:
    """Every clause of the rules by id, in the rules' order. An entry is a title, or a mapping with ``later``."""
    data, node = load_data(resource("rules", "medieval", "clauses.yaml"))
    entries = node.get("clauses") if isinstance(node, MappingNode) else None
    if not isinstance(entries, MappingNode):
        raise SourceError(node.diagnostic("data/wrong-value", "an entry 'clauses' with clauses by id is expected here"))
    found = {}
    for key, (_, entry) in entries.entries.items():
        said = data["clauses"][key]
        found[key] = value_at(entry, {"title": said} if isinstance(said, str) else said, Clause)
    return found


def clauses() -> Mapping[str, str]:
    """Every clause's title by id, in the rules' order."""
    return {key: clause.title for key, clause in load_clauses().items()}


@cache
def load_rulings() -> tuple[Ruling, ...]:
    """The decisions made where the rules are silent, in the order of their clauses."""
    return load_value(resource("rules", "medieval", "rulings.yaml"), RulingsFile).rulings


def load_reasons() -> Mapping[str, Reason]:
    """Every reason of rules/medieval/reasons/, by key. Raises ``ValueError`` when two files have the same key."""
    return reasons.load_reasons("medieval")
