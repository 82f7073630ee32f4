"""Reads a map's sources; makes the start file, which every builder has in common."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Any

from gm.core.yaml.models import load_data
from gm.game.spec import MAP_FILE
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.map_file import load_atlas
from gm.games.medieval.data.rules_data import load_rules
from maps.builder.start import write_start

Rows = list[dict[str, str]]
RECIPES = "source/garrisons.yaml"
REACH = 3  # Independents further from all realms are as they are


def read_settings(source: Path) -> dict[str, Any]:
    """What settings.yaml says."""
    settings, _ = load_data(source / "settings.yaml")
    return dict(settings)


def read_rows(path: Path) -> Rows:
    """The lines of a table, by column."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def start_text(folder: Path, handicaps: Mapping[str, float] | None = None) -> str:
    """The text of start.yaml, from the table of provinces and the recipes, or with other handicaps.

    Where a recipe says

    who stands ``beside`` whom, from map.yaml, too.
    """
    source, rules = folder / "source", load_rules()
    recipes, _ = load_data(folder / RECIPES)
    recipes = dict(recipes) if handicaps is None else {**recipes, "handicaps": handicaps}
    provinces = read_rows(source / "provinces.csv")
    if beside := recipes["independents"].get("beside"):
        times = _beside(load_atlas(folder / MAP_FILE, rules), provinces, beside)
        recipes["independents"] = _stronger(recipes["independents"], provinces, times)
    costs = {name: troop.cost for name, troop in rules.troops.items()}
    return "".join(write_start(read_settings(source), recipes, provinces, costs))


def _beside(atlas: Atlas, provinces: Rows, factors: Mapping[str, Any]) -> dict[str, float]:
    """How many times as strong each independent province is for the realms whose lands are nearest, at most
    ``REACH`` marches away: the geometric mean of theirs.
    """
    homes: dict[str, list[str]] = {}
    for row in provinces:
        homes.setdefault(row["owner"], []).append(row["name"])
    left, found = homes.pop("", []), dict[str, float]()
    for steps in range(1, REACH + 1):
        reached = {
            code: atlas.graph.reached(home, steps, lambda it: not atlas.is_sea(it))
            for code, home in homes.items()
        }
        near = {
            name: [code for code, places in reached.items() if name in places]
            for name in left
            if name not in found
        }
        found |= {
            name: exp(fmean(log(float(factors.get(code, 1))) for code in codes))
            for name, codes in near.items()
            if codes
        }
    return found


def _stronger(recipe: Mapping[str, Any], provinces: Rows, times: Mapping[str, float]) -> dict[str, Any]:
    """The recipe of the independents with provinces so many times stronger than it says, up to ``most``."""
    own, most = recipe.get("stronger", {}), float(recipe.get("most", "inf"))
    lands = {row["name"]: row["region"] or row["land"] for row in provinces}
    return {
        **recipe,
        "stronger": {
            **own,
            **{
                name: round(min(most, float(own.get(name, own.get(lands[name], 1))) * much), 2)
                for name, much in times.items()
            },
        },
    }
