"""Read a map's sources, and make the start file of them, which every builder has in common."""

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
"""The lines of a table, by column."""
RECIPES = "source/garrisons.yaml"
REACH = 3
"""In marches: independents further from all realms are as they are."""


def read_settings(source: Path) -> dict[str, Any]:
    """Return what settings.yaml says."""
    settings, _ = load_data(source / "settings.yaml")
    return dict(settings)


def read_rows(path: Path) -> Rows:
    """Return the lines of a table, by column."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def start_text(folder: Path, handicaps: Mapping[str, float] | None = None) -> str:
    """Return the text of start.yaml, made from the table of provinces and the recipes.

    ``handicaps``: gold by realm in place of the recipes' own. Where the recipe of independents says how
    strong those ``beside`` a realm are, map.yaml is read, too.
    """
    source = folder / "source"
    rules = load_rules()
    loaded, _ = load_data(folder / RECIPES)
    recipes = dict(loaded)
    if handicaps is not None:
        recipes["handicaps"] = handicaps
    provinces = read_rows(source / "provinces.csv")
    factors = recipes["independents"].get("beside")
    if factors:
        atlas = load_atlas(folder / MAP_FILE, rules)
        multiples = _multiples_beside_realms(atlas, provinces, factors)
        recipes["independents"] = _stronger(recipes["independents"], provinces, multiples)
    costs = {name: troop.cost for name, troop in rules.troops.items()}
    return "".join(write_start(read_settings(source), recipes, provinces, costs))


def _multiples_beside_realms(atlas: Atlas, provinces: Rows, factors: Mapping[str, Any]) -> dict[str, float]:
    """Return how many times as strong each independent province is for the realms that are nearest to it.

    It is the geometric mean of their ``factors`` (by code, else 1). Provinces more than ``REACH`` marches
    from all realms are left out.
    """
    homes: dict[str, list[str]] = {}
    for row in provinces:
        homes.setdefault(row["owner"], []).append(row["name"])
    independents = homes.pop("", [])
    multiples: dict[str, float] = {}
    for steps in range(1, REACH + 1):
        nearest = _realms_within(atlas, homes, steps)
        for name in independents:
            if name in nearest and name not in multiples:
                logarithms = [log(float(factors.get(code, 1))) for code in nearest[name]]
                multiples[name] = exp(fmean(logarithms))
    return multiples


def _realms_within(atlas: Atlas, homes: Mapping[str, list[str]], steps: int) -> dict[str, list[str]]:
    """Return the realms whose ``homes`` are so many marches by land away at most, their codes by place."""
    codes_by_place: dict[str, list[str]] = {}
    for code, home in homes.items():
        for place in atlas.graph.reached(home, steps, lambda place: not atlas.is_sea(place)):
            codes_by_place.setdefault(place, []).append(code)
    return codes_by_place


def _stronger(recipe: Mapping[str, Any], provinces: Rows, multiples: Mapping[str, float]) -> dict[str, Any]:
    """Return the recipe of independents with provinces made stronger, each up to the recipe's ``most``.

    ``multiples``: how many times as strong as the recipe says, by province.
    """
    factors = dict(recipe.get("stronger", {}))
    own_factors = dict(factors)
    most = float(recipe.get("most", "inf"))
    lands = {row["name"]: row["region"] or row["land"] for row in provinces}
    for name, multiple in multiples.items():
        factor = own_factors.get(name, own_factors.get(lands[name], 1))
        factors[name] = round(min(most, float(factor) * multiple), 2)
    return {**recipe, "stronger": factors}
