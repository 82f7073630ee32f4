"""Reads rules/medieval/*.yaml into typed values. A folder of the GM's may hold files that replace ours by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

from msgspec import structs
from pydantic import field_validator, model_validator

from gm.core.yaml.models import load_value
from gm.core.yaml.pydantic_models import STRUCT, YamlModel
from gm.games.medieval.data.clauses_data import clauses as clauses
from gm.games.medieval.data.clauses_data import load_clauses as load_clauses
from gm.games.medieval.data.clauses_data import load_reasons as load_reasons
from gm.games.medieval.data.clauses_data import load_rulings as load_rulings
from gm.games.medieval.data.rules import (
    FortificationLevel,
    Numbers,
    Rules,
    TroopType,
)
from gm.resources import resource

V = TypeVar("V")


class TroopsFile(YamlModel):
    """troops.yaml (T1). The name of a type is its key."""

    troops: Mapping[str, Annotated[TroopType, STRUCT]]

    @field_validator("troops", mode="before")
    @classmethod
    def _named(cls, rows: Any) -> Any:
        if not isinstance(rows, dict):
            return rows
        return {name: {"name": name, **row} if isinstance(row, dict) else row for name, row in rows.items()}


class FortificationsFile(YamlModel):
    """fortifications.yaml (T2). Levels count up from 1 without a gap."""

    fortifications: tuple[Annotated[FortificationLevel, STRUCT], ...]

    @model_validator(mode="after")
    def _counted(self) -> Self:
        levels = [row.level for row in self.fortifications]
        if levels != list(range(1, len(levels) + 1)):
            raise ValueError("levels must count up from 1, one row each")
        return self


class RecruitsFile(YamlModel):
    """recruits.yaml (T6)."""

    recruits: Mapping[str, tuple[str, ...]]


class NamesFile(YamlModel):
    """names.yaml."""

    commander_names: tuple[str, ...]


def _file(name: str, model: type[V], overrides: Path | None) -> V:
    replacement = overrides / name if overrides is not None else None
    if replacement is not None and replacement.is_file():
        return load_value(replacement, model)
    return load_value(resource("rules", "medieval", name), model)


def load_rules(overrides: Path | None = None) -> Rules:
    """All rules data. A file in ``overrides`` replaces ours of the same name whole.

    Raises ``SourceError`` with file, line and column for a file that does not fit, and ``ValueError`` when the files
    disagree with each other.
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
        **structs.asdict(numbers),
    )
