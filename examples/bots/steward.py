"""A complete bot for Medieval Diplomacy in one file. pbem knows nothing of it; any language would do.

It reads one JSON document (examples/clients/README.md says what is in it) and writes an order file. Try it
with

    pbem new trial --bots "program:python3 examples/bots/steward.py"
    pbem turn --game trial

The steward is thrifty: it annexes what it owns, and spends what is left on soldiers, city by city. It never
marches.
"""

import json
import sys
from decimal import Decimal
from typing import Any

SOLDIERS = ("foot", "archer", "mounted")  # the other kinds of troops are ships and siege machines


def main() -> None:
    view = json.load(sys.stdin)
    realm = view["realm"]
    provinces = view["position"]["provinces"]
    contested = contested_places(view)
    # where an enemy stands nothing is certain: no order is given for such a place
    safe = [name for name, land in provinces.items() if land["owner"] == realm and name not in contested]
    gold = Decimal(view["private"]["treasury"]) - 2 * upkeep(view)
    annexed, gold = choose_annexed(view, safe, gold)
    recruits = choose_recruits(view, safe, gold)
    write(view, annexed, recruits)


def choose_annexed(view: dict[str, Any], safe: list[str], gold: Decimal) -> tuple[list[str], Decimal]:
    """Return the provinces to annex, as many as status and gold allow, and the gold that is left."""
    realm = view["realm"]
    provinces = view["position"]["provinces"]
    status = view["position"]["realms"][realm]["status"]
    free = view["rules"]["statuses"][status]["annexed_provinces"]
    free -= sum(land.get("annexed_to") == realm for land in provinces.values())
    annexed: list[str] = []
    for name in safe:
        price = Decimal(view["map"]["locations"][name].get("revenue", "0"))
        if provinces[name].get("annexed_to") != realm and len(annexed) < free and 0 < price <= gold:
            annexed.append(name)
            gold -= price
    return annexed, gold


def choose_recruits(view: dict[str, Any], safe: list[str], gold: Decimal) -> dict[str, tuple[str, int]]:
    """Return the troop and the number to recruit in each city that the gold reaches for, by province."""
    recruits: dict[str, tuple[str, int]] = {}
    for name in safe:
        city = view["map"]["locations"][name].get("city")
        if not city:
            continue
        troops = [view["rules"]["troops"][troop] for troop in city["recruits"]]
        soldiers = [troop for troop in troops if troop["kind"] in SOLDIERS]
        if not soldiers:
            continue
        best = max(soldiers, key=lambda troop: (hit_points_for_gold(troop), troop["name"]))
        cost = Decimal(best["cost"])
        count = min(city["resource"], int(gold // cost))
        if count > 0:
            recruits[name] = (best["name"], count)
            gold -= count * cost
    return recruits


def hit_points_for_gold(troop: dict[str, Any]) -> Decimal:
    return Decimal(troop["hit_points"]) / Decimal(troop["cost"])


def contested_places(view: dict[str, Any]) -> set[str]:
    """Return the places where somebody else's troops stand."""
    own = f"{view['realm']}/"
    units = view["position"]["units"].items()
    return {unit["place"] for key, unit in units if not key.startswith(own) and unit.get("troops")}


def upkeep(view: dict[str, Any]) -> Decimal:
    """Return what the realm's troops and commanders cost in a turn."""
    rules = view["rules"]
    own = f"{view['realm']}/"
    total = Decimal(0)
    for key, unit in view["position"]["units"].items():
        if not key.startswith(own):
            continue
        for troop, ranks in unit.get("troops", {}).items():
            total += sum(ranks) * Decimal(rules["troops"][troop]["upkeep"])
        total += len(unit.get("commanders", ())) * Decimal(rules["commanders"]["upkeep"])
    return total


def write(view: dict[str, Any], annexed: list[str], recruits: dict[str, tuple[str, int]]) -> None:
    """Write the order file. JSON is YAML, too: a name quoted by ``json.dumps`` is always right."""
    lines = ["# written by the steward", "orders: 1"]
    lines += [f"{key}: {quoted(view[key])}" for key in ("game", "realm", "turn", "key")]
    if annexed:
        lines += ["headquarters:", f"  annex: {quoted(annexed)}"]
    if recruits:
        lines.append("units:")
    for province, (troop, count) in recruits.items():
        lines += [f"  {quoted(province)}:", f"    recruit: {quoted({troop: count})}"]
    text = "\n".join(lines) + "\n"
    sys.stdout.buffer.write(text.encode())


def quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main()
