"""Write the start position: garrisons bought by recipe, so that every realm is worth the same.

A realm's worth is its troops plus its revenue. Handicaps change it, with which realms fare alike that have an
easier or a harder place on the map.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import cycle
from typing import Any

Row = Mapping[str, str]
"""A province's line of the table, by column."""
Troop = tuple[str, int]
"""A type and the rank in which it stands."""
Costs = Mapping[str, Decimal]
"""The build costs by troop type."""
NO_NAMES: Mapping[str, Any] = {"knights": {}, "instead": {}}
"""For independents: their recipes name troops as the rules do."""


def write_start(
    settings: Mapping[str, Any], recipes: Mapping[str, Any], provinces: list[dict[str, str]], costs: Costs
) -> Iterator[str]:
    """Yield the text of start.yaml in parts. ``recipes`` are those of garrisons.yaml."""
    yield f"# The start of {settings['title']}: {settings['made']}\n\n"
    title = f"{settings['title']}, {len(settings['realms'])} realms"
    yield f"schema: 1\nmap: {settings['name']}\ntitle: {title}\n"
    if "last_turn" in recipes:
        yield f"victory: {{last_turn: {recipes['last_turn']}}}\n"
    yield "\nrealms:\n"
    treasuries = recipes.get("treasuries", {})
    for code in settings["realms"]:
        gold = treasuries.get(code, recipes["treasury"])
        yield f"  {code}: {{treasury: {gold}, status: royalty}}\n"
    garrisons: dict[str, Counter[Troop]] = {}
    for code in settings["realms"]:
        own = [row for row in provinces if row["owner"] == code]
        garrisons |= _garrisons_of_realm(code, own, recipes, costs)
    yield "\nprovinces:\n"
    for row in provinces:
        name = row["name"]
        if name in garrisons:
            troops = garrisons[name]
        else:
            troops = _independent_garrison(row, recipes["independents"], costs)
        yield f"  {name}: {{{', '.join(_province_fields(row, troops, recipes))}}}\n"


def _garrisons_of_realm(
    code: str, rows: Sequence[Row], recipes: Mapping[str, Any], costs: Costs
) -> dict[str, Counter[Troop]]:
    """Return the garrison of each province of a realm.

    Fleets and the capital's machines come first, then the recipe while the budget lasts.
    """
    region = next(row["region"] for row in rows if row["capital"])
    garrisons: dict[str, Counter[Troop]] = {}
    for row in rows:
        machines = recipes["capital"] if row["capital"] else ()
        ships = recipes["fleet"][region] if row["harbour"] else ()
        garrisons[row["name"]] = Counter((troop, 1) for troop in (*machines, *ships))
    budget = _worth_of_troops(code, rows, recipes)
    budget -= sum(_cost_of_garrison(garrison, costs) for garrison in garrisons.values())
    recipe = [_named_troop(entry, code, recipes) for entry in recipes["realms"][region]]
    stations = _stations(rows, recipes["weights"])
    # a stride that shares no factor with the number of stations visits each of them before any twice
    stride = _stride(len(stations))
    for turn, troop in enumerate(_affordable(recipe, budget, costs)):
        station = stations[turn * stride % len(stations)]
        garrisons[station][troop] += 1
    return garrisons


def _worth_of_troops(code: str, rows: Sequence[Row], recipes: Mapping[str, Any]) -> Decimal:
    """Return what a realm's troops are to cost: its worth and handicap, less the revenue of some turns."""
    handicap = Decimal(recipes.get("handicaps", {}).get(code, 0))
    revenue = sum(Decimal(row["revenue"]) for row in rows)
    return Decimal(recipes["worth"]) + handicap - revenue * int(recipes["turns"])


def _cost_of_garrison(garrison: Counter[Troop], costs: Costs) -> Decimal:
    """Return what the troops of a garrison cost to build."""
    return sum((costs[name] * count for (name, _), count in garrison.items()), Decimal(0))


def _affordable(recipe: Sequence[Troop], budget: Decimal, costs: Costs) -> Iterator[Troop]:
    """Yield the troops of a recipe, again and again, until the next one costs more than is left."""
    for troop in cycle(recipe):
        name, _ = troop
        if costs[name] > budget:
            return
        budget -= costs[name]
        yield troop


def _named_troop(entry: str, code: str, recipes: Mapping[str, Any]) -> Troop:
    """Return the troop of a recipe's entry (a type, or type/rank) for a realm with its own names of types."""
    name, _, rank = entry.partition("/")
    if name == "knights":
        name = recipes["knights"].get(code, name)
    own_names = recipes["instead"].get(code, {})
    return own_names.get(name, name), int(rank or 1)


def _stations(rows: Sequence[Row], weights: Mapping[str, Any]) -> list[str]:
    """Return the names of provinces, each as often as its weight says."""
    stations: list[str] = []
    for row in rows:
        stations += [row["name"]] * _weight(row, weights)
    return stations


def _weight(row: Row, weights: Mapping[str, Any]) -> int:
    """Return how often troops come to a province; ``weights``: of a ``capital``, a ``city``, an ``other``."""
    if not (row["resource"] or row["fortification"]):
        return 0  # without city and fortification there is no garrison (W5)
    if row["capital"]:
        return int(weights["capital"])
    return int(weights["city" if row["resource"] else "other"])


def _stride(count: int) -> int:
    """Return a prime number that is no factor of a count."""
    return next(stride for stride in (5, 7, 11, 13, 17) if count % stride)


def _independent_garrison(row: Row, recipe: Mapping[str, Any], costs: Costs) -> Counter[Troop]:
    """Return an independent province's garrison; nobody's walls are empty: one troop comes at any cost."""
    land = row["region"] or row["land"]
    level = int(row["fortification"] or 0)
    stronger = recipe.get("stronger", {})
    factor = stronger.get(row["name"], stronger.get(land, 1))
    budget = Decimal(row["revenue"]) * Decimal(str(recipe["per_revenue"]))
    budget += level * Decimal(str(recipe["per_level"]))
    budget *= Decimal(str(factor))
    menu = [_named_troop(entry, "", NO_NAMES) for entry in recipe[land]]
    troops = Counter(_affordable(menu, budget, costs))
    return troops or Counter(menu[:1])


def _province_fields(row: Row, troops: Counter[Troop], recipes: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields of a province that differ from those of an empty one."""
    owner = row["owner"]
    level = int(row["fortification"] or 0)
    if owner:
        yield f"owner: {owner}"
    else:
        level = max(level, int(recipes["independents"]["fortification"]))
    if level:
        yield f"fortification: {level}"
    if row["harbour"]:
        yield "harbour: yes"
    if troops:
        yield f"garrison: {{{', '.join(_troop_fields(troops))}}}"


def _troop_fields(troops: Counter[Troop]) -> Iterator[str]:
    """Yield the fields of a garrison, one a troop type."""
    counts_by_type: dict[str, dict[int, int]] = {}
    for (name, rank), count in troops.items():
        counts_by_type.setdefault(name, {})[rank] = count
    for name, counts in counts_by_type.items():
        yield f"{name}: {_ranks(counts)}"


def _ranks(counts: Mapping[int, int]) -> str:
    """Return counts by rank as YAML: ``3`` for three in rank 1, else ``{4: 3}``."""
    if list(counts) == [1]:
        return str(counts[1])
    fields = [f"{rank}: {count}" for rank, count in counts.items()]
    return f"{{{', '.join(fields)}}}"
