"""Reads a map's sources; makes the start file, which every builder has in common."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gm.core.yaml.models import load_data
from gm.games.medieval.data.rules_data import load_rules
from maps.builder.start import write_start

Rows = list[dict[str, str]]
RECIPES = "source/garrisons.yaml"


def read_settings(source: Path) -> dict[str, Any]:
    """What settings.yaml says."""
    settings, _ = load_data(source / "settings.yaml")
    return dict(settings)


def read_rows(path: Path) -> Rows:
    """The lines of a table, by column."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def start_text(folder: Path, handicaps: Mapping[str, float] | None = None) -> str:
    """The text of start.yaml, from the table of provinces and the recipes, or with other handicaps."""
    source = folder / "source"
    recipes, _ = load_data(folder / RECIPES)
    recipes = dict(recipes) if handicaps is None else {**recipes, "handicaps": handicaps}
    costs = {name: troop.cost for name, troop in load_rules().troops.items()}
    return "".join(write_start(read_settings(source), recipes, read_rows(source / "provinces.csv"), costs))
