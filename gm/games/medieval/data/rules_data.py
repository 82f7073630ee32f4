"""Reads rules/medieval/*.yaml into typed values.

A folder of the GM's may hold files of the same names, whose entries override ours.

Of its scenario a game stores the title, the goal, the first year and the rule of votes in ``scenario.yaml``.
The start position is not in it: it is the state after turn 0.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

from msgspec import structs
from pydantic import field_validator, model_validator

from gm.core.codec import from_plain, to_plain
from gm.core.values import Value
from gm.core.yaml.models import load_overlaid, load_value
from gm.core.yaml.pydantic_models import STRUCT, YamlModel
from gm.game.votes import VoteRule
from gm.games.medieval.data.rules import FortificationLevel, Numbers, Rules, TroopType, Victory
from gm.resources import resource
from gm.store.formats import Format, read_table

V = TypeVar("V")
SCENARIO = Format("scenario file", 1)


class TroopsFile(YamlModel):
    """The content of ``troops.yaml`` (T1): troop types by name."""

    troops: Mapping[str, Annotated[TroopType, STRUCT]]

    @field_validator("troops", mode="before")
    @classmethod
    def _named(cls, rows: Any) -> Any:
        """Return the rows, each with its key as ``name``; a wrong type stays, and is refused later."""
        if not isinstance(rows, dict):
            return rows
        return {name: {"name": name, **row} if isinstance(row, dict) else row for name, row in rows.items()}


class FortificationsFile(YamlModel):
    """The content of ``fortifications.yaml`` (T2). Levels count up from 1 without a gap."""

    fortifications: tuple[Annotated[FortificationLevel, STRUCT], ...]

    @model_validator(mode="after")
    def _check_levels(self) -> Self:
        levels = [row.level for row in self.fortifications]
        if levels != list(range(1, len(levels) + 1)):
            raise ValueError("levels must count up from 1, one row each")
        return self


class RecruitsFile(YamlModel):
    """The content of ``recruits.yaml``: by region, the troop types that its cities can recruit (T6)."""

    recruits: Mapping[str, tuple[str, ...]]


class NamesFile(YamlModel):
    """The content of ``names.yaml``: the names from which those of new commanders are drawn."""

    commander_names: tuple[str, ...]


class StoredScenario(Value):
    """The content of ``scenario.yaml`` in a game folder. What is missing is as in the rules."""

    title: str
    victory: Mapping[str, int | None] = {}  # figures of the goal (V1) by name
    year: int | None = None  # of turn 1 (W9)
    votes: VoteRule | None = None


def _file(name: str, model: type[V], overrides: Path | None) -> V:
    """Return the content of a rules file; entries of the file of that name in ``overrides`` replace ours."""
    shipped = resource("rules", "medieval", name)
    if overrides is None or not (overrides / name).is_file():
        return load_value(shipped, model)
    return load_overlaid(overrides / name, shipped, model)


def load_rules(overrides: Path | None = None) -> Rules:
    """Return all rules data.

    A file in the folder ``overrides`` has the entries that differ from ours of that name. Raises
    ``SourceError`` for a file that does not fit, ``ValueError`` when the files contradict each other.
    """
    troops = _file("troops.yaml", TroopsFile, overrides).troops
    recruits = _file("recruits.yaml", RecruitsFile, overrides).recruits
    for region, names in recruits.items():
        unknown = [name for name in names if name not in troops]
        if unknown:
            raise ValueError(f"recruits.yaml: region {region} lists {', '.join(unknown)}, not in troops.yaml")
    numbers = _file("numbers.yaml", Numbers, overrides)
    if len(numbers.economy.revenue_percent) != numbers.economy.damage_limit + 1:
        raise ValueError(
            "numbers.yaml: revenue_percent needs one figure for each damage from 0 to damage_limit"
        )
    return Rules(
        troops=troops,
        fortifications=_file("fortifications.yaml", FortificationsFile, overrides).fortifications,
        recruits=recruits,
        commander_names=_file("names.yaml", NamesFile, overrides).commander_names,
        **structs.asdict(numbers),
    )


def stored_scenario_text(scenario: StoredScenario) -> str:
    """Return the text of ``scenario.yaml`` for a new game."""
    return f"""\
# What this game's scenario decides. The start position is the state after turn 0.
schema: {SCENARIO.version}
title: {json.dumps(scenario.title, ensure_ascii=False)}
victory: {json.dumps(to_plain(scenario.victory))}   # V1: what differs from the rules' goal
year: {json.dumps(scenario.year)}   # W9: of turn 1; null: as in the rules
votes: {json.dumps(scenario.votes)}   # V1: all, majority or none; null: as in the rules
"""


def rules_of_game(path: Path, rules: Rules) -> Rules:
    """Return the rules of a game, with what the ``scenario.yaml`` at ``path`` decides.

    Raises ``StoreError`` for the file of a newer version, ``SourceError`` for a file that does not fit.
    """
    scenario = read_table(path, SCENARIO, StoredScenario)
    victory = from_plain({**structs.asdict(rules.victory), **scenario.victory}, Victory)
    year = rules.start_year if scenario.year is None else scenario.year
    return rules.evolve(victory=victory, start_year=year, votes=scenario.votes or rules.votes)
