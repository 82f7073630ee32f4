"""What a game keeps of its scenario once it has begun: its goal and its first year (V1, W9).

The start position itself is the state after turn 0; reading the whole start file on every command would be wasted time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from gm.core.codec import from_plain, to_plain
from gm.core.values import Value
from gm.games.medieval.data.rules import Rules, Victory
from gm.store.formats import Format
from gm.store.hand_edited import read_table

if TYPE_CHECKING:
    from gm.games.medieval.data.scenario_file import Scenario

SCENARIO_FILE = "scenario.yaml"
SCENARIO = Format("scenario file", 1)


class KeptScenario(Value):
    """``scenario.yaml`` of a game folder. What it does not say is as in the rules."""

    title: str
    victory: Mapping[str, int | None] = {}
    year: int | None = None


def kept_scenario_text(scenario: Scenario) -> str:
    """The file for a new game."""
    return f"""\
# What this game's scenario decides. The start position is the state after turn 0.
schema: {SCENARIO.version}
title: {json.dumps(scenario.title, ensure_ascii=False)}
victory: {json.dumps(to_plain(scenario.victory))}   # V1: what differs from the rules' goal
year: {json.dumps(scenario.year)}   # W9: of turn 1; null: as in the rules
"""


def kept_rules(folder: Path, rules: Rules) -> Rules:
    """The rules with what the scenario of a game folder decides. Raises ``StoreError`` and ``SourceError``."""
    kept = read_table(folder / SCENARIO_FILE, SCENARIO, KeptScenario)
    victory = from_plain({**structs.asdict(rules.victory), **kept.victory}, Victory)
    return rules.evolve(victory=victory, start_year=rules.start_year if kept.year is None else kept.year)
