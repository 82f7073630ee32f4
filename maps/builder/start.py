"""The start position: garrisons bought by recipe, so that every realm is worth the same (troops plus
revenue), but for the handicaps with which realms fare alike that have an easier or a harder place on the map.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

Row = Mapping[str, str]
Troop = tuple[str, int]
"""A type and the rank in which it stands."""


def write_start(
    settings: Mapping[str, Any],
    recipes: Mapping[str, Any],
    provinces: list[dict[str, str]],
    costs: Mapping[str, Decimal],
) -> Iterator[str]:
    """The text of start.yaml, in parts. ``costs`` are the build costs by troop type."""
    yield f"# The start of {settings['title']}: {settings['made']}\n\n"
    title = f"{settings['title']}, {len(settings['realms'])} realms"
    yield f"schema: 1\nmap: {settings['name']}\ntitle: {title}\n"
    if "last_turn" in recipes:
        yield f"victory: {{last_turn: {recipes['last_turn']}}}\n"
    yield "\nrealms:\n"
    for code in settings["realms"]:
        gold = recipes.get("treasuries", {}).get(code, recipes["treasury"])
        yield f"  {code}: {{treasury: {gold}, status: royalty}}\n"
    garrisons: dict[str, Counter[Troop]] = {}
    for code in settings["realms"]:
        garrisons |= _realm(code, [row for row in provinces if row["owner"] == code], recipes, costs)
    yield "\nprovinces:\n"
    for row in provinces:
        owned = row["name"] in garrisons
        troops = garrisons[row["name"]] if owned else _independent(row, recipes["independents"], costs)
        yield f"  {row['name']}: {{{', '.join(_fields(row, troops, recipes))}}}\n"


def _realm(
    code: str, rows: list[dict[str, str]], recipes: Mapping[str, Any], costs: Mapping[str, Decimal]
) -> dict[str, Counter[Troop]]:
    """Each province's garrison: fleets and the capital's machines first, then the recipe while the budget
    lasts.
    """
    garrisons: dict[str, Counter[Troop]] = {row["name"]: Counter() for row in rows}
    region = next(row["region"] for row in rows if row["capital"])
    for row in rows:
        machines = recipes["capital"] if row["capital"] else ()
        ships = recipes["fleet"][region] if row["harbour"] else ()
        garrisons[row["name"]].update((troop, 1) for troop in (*machines, *ships))
    revenue = sum(Decimal(row["revenue"]) for row in rows)
    spent = sum(costs[troop] * count for found in garrisons.values() for (troop, _), count in found.items())
    worth = Decimal(recipes["worth"]) + Decimal(recipes.get("handicaps", {}).get(code, 0))
    budget = worth - revenue * int(recipes["turns"]) - spent
    recipe = [_named(entry, code, recipes) for entry in recipes["realms"][region]]
    stations = [row["name"] for row in rows for _ in range(_weight(row, recipes["weights"]))]
    turn = 0
    while (troop := recipe[turn % len(recipe)]) and costs[troop[0]] <= budget:
        # a stride that shares no factor with the number of stations visits each of them before any twice
        garrisons[stations[turn * _stride(len(stations)) % len(stations)]][troop] += 1
        budget -= costs[troop[0]]
        turn += 1
    return garrisons


def _named(entry: str, code: str, recipes: Mapping[str, Any]) -> Troop:
    name, _, rank = entry.partition("/")
    name = recipes["knights"].get(code, name) if name == "knights" else name
    return recipes["instead"].get(code, {}).get(name, name), int(rank or 1)


def _weight(row: Row, weights: Mapping[str, Any]) -> int:
    if not (row["resource"] or row["fortification"]):
        return 0  # without city and fortification there is no garrison (W5)
    return int(weights["capital" if row["capital"] else "city" if row["resource"] else "other"])


def _stride(count: int) -> int:
    return next(stride for stride in (5, 7, 11, 13, 17) if count % stride)


def _independent(row: Row, recipe: Mapping[str, Any], costs: Mapping[str, Decimal]) -> Counter[Troop]:
    budget = Decimal(row["revenue"]) * Decimal(str(recipe["per_revenue"]))
    budget += int(row["fortification"] or 0) * Decimal(str(recipe["per_level"]))
    stronger = recipe.get("stronger", {})
    budget *= Decimal(str(stronger.get(row["name"], stronger.get(row["region"] or row["land"], 1))))
    troops: Counter[Troop] = Counter()
    turn = 0
    menu = [
        _named(entry, "", {"knights": {}, "instead": {}}) for entry in recipe[row["region"] or row["land"]]
    ]
    while not troops or costs[menu[turn % len(menu)][0]] <= budget:  # nobody's walls are empty
        troops[menu[turn % len(menu)]] += 1
        budget -= costs[menu[turn % len(menu)][0]]
        turn += 1
    return troops


def _fields(row: Row, troops: Counter[Troop], recipes: Mapping[str, Any]) -> Iterator[str]:
    if row["owner"]:
        yield f"owner: {row['owner']}"
    level = int(row["fortification"] or 0)
    if not row["owner"]:
        level = max(level, int(recipes["independents"]["fortification"]))
    if level:
        yield f"fortification: {level}"
    if row["harbour"]:
        yield "harbour: yes"
    if troops:
        by_type: dict[str, dict[int, int]] = {}
        for (name, rank), count in troops.items():
            by_type.setdefault(name, {})[rank] = count
        yield f"garrison: {{{', '.join(f'{name}: {_ranks(ranks)}' for name, ranks in by_type.items())}}}"


def _ranks(counts: Mapping[int, int]) -> str:
    """``3`` for three in rank 1, else ``{4: 3}``."""
    if list(counts) == [1]:
        return str(counts[1])
    return f"{{{', '.join(f'{rank}: {count}' for rank, count in counts.items())}}}"
