"""Reads rules/medieval/*.yaml into typed values. A folder of the GM's may hold files that replace ours by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import BaseModel, field_validator, model_validator

from gm.games.medieval.reasons_data import load_reasons as load_reasons
from gm.games.medieval.rules import (
    FortificationLevel,
    Numbers,
    Rules,
    TroopType,
)
from gm.kernel.model import FrozenMap, Value
from gm.kernel.tables import load_value
from gm.resources import resource

V = TypeVar("V", bound=BaseModel)


class TroopsFile(Value):
    """troops.yaml (T1). The name of a type is its key."""

    troops: FrozenMap[str, TroopType]

    @field_validator("troops", mode="before")
    @classmethod
    def _named(cls, rows: Any) -> Any:
        if not isinstance(rows, dict):
            return rows
        return {name: {"name": name, **row} if isinstance(row, dict) else row for name, row in rows.items()}


class FortificationsFile(Value):
    """fortifications.yaml (T2). Levels count up from 1 without a gap."""

    fortifications: tuple[FortificationLevel, ...]

    @model_validator(mode="after")
    def _counted(self) -> Self:
        levels = [row.level for row in self.fortifications]
        if levels != list(range(1, len(levels) + 1)):
            raise ValueError("levels must count up from 1, one row each")
        return self


class RecruitsFile(Value):
    """recruits.yaml (T6)."""

    recruits: FrozenMap[str, tuple[str, ...]]


class NamesFile(Value):
    """names.yaml."""

    commander_names: tuple[str, ...]


class Ruling(Value):
    """One decision where the source is silent or contradicts itself."""

    id: str
    clause: str
    ruling: str


class RulingsFile(Value):
    """rulings.yaml."""

    rulings: tuple[Ruling, ...]


class Clause(Value):
    """A clause of the rules: its title in our words; ``later`` if the game does not have it yet."""

    title: str
    later: bool = False


class ClausesFile(Value):
    """clauses.yaml. An entry is a title, or a mapping with ``later``."""

    clauses: FrozenMap[str, Clause]

    @field_validator("clauses", mode="before")
    @classmethod
    def _titled(cls, entries: Any) -> Any:
        if not isinstance(entries, dict):
            return entries
        return {key: {"title": entry} if isinstance(entry, str) else entry for key, entry in entries.items()}


def _file(name: str, model: type[V], overrides: Path | None) -> V:
    replacement = overrides / name if overrides is not None else None
    if replacement is not None and replacement.is_file():
        return load_value(replacement, model)
    return load_value(resource("rules", "medieval", name), model)


def load_rules(overrides: Path | None = None) -> Rules:
    """All rules data. A file in ``overrides`` replaces ours of the same name whole.

    Raises ``gm.kernel.source.SourceError`` with file, line and column for a file that does not fit, and ``ValueError``
    when the files disagree with each other.
    """
    troops = _file("troops.yaml", TroopsFile, overrides)
    recruits = _file("recruits.yaml", RecruitsFile, overrides).recruits
    for region, names in recruits.items():
        unknown = [name for name in names if name not in troops.troops]
        if unknown:
            raise ValueError(f"recruits.yaml: region {region} lists {', '.join(unknown)}, not in troops.yaml")
    numbers = _file("numbers.yaml", Numbers, overrides)
    if len(numbers.economy.revenue_percent) != numbers.economy.damage_limit + 1:
        raise ValueError("numbers.yaml: revenue_percent needs one figure for each damage from 0 to damage_limit")
    return Rules(
        troops=troops.troops,
        fortifications=_file("fortifications.yaml", FortificationsFile, overrides).fortifications,
        recruits=recruits,
        commander_names=_file("names.yaml", NamesFile, overrides).commander_names,
        **dict(numbers),
    )


@cache
def load_clauses() -> Mapping[str, Clause]:
    """Every clause of the rules by id, in the rules' order."""
    return load_value(resource("rules", "medieval", "clauses.yaml"), ClausesFile).clauses


def clauses() -> Mapping[str, str]:
    """Every clause's title by id, in the rules' order."""
    return {key: clause.title for key, clause in load_clauses().items()}


@cache
def load_rulings() -> tuple[Ruling, ...]:
    """The decisions made where the rules are silent, in the order of their clauses."""
    return load_value(resource("rules", "medieval", "rulings.yaml"), RulingsFile).rulings
