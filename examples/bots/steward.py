"""A complete bot for Medieval Diplomacy in one file, of which pbem needs to know nothing: any language would
do.

It reads one JSON document (examples/clients/README.md says what is in it) and writes an order file. Try it
with

    pbem new trial --bots "program:python3 examples/bots/steward.py"
    pbem turn --game trial

The steward is thrifty: what it owns it annexes, and what is left it spends on soldiers, city by city. It
never marches.
"""

import json
import sys
from decimal import Decimal
from typing import Any


def main() -> None:
    told = json.load(sys.stdin)
    realm = told["realm"]
    provinces = told["position"]["provinces"]
    places = told["map"]["locations"]
    mine = [name for name, land in provinces.items() if land["owner"] == realm]
    # where an enemy stands nothing is sure: no order is given for such a place
    quiet = [name for name in mine if name not in contested(told, realm)]
    gold = Decimal(told["private"]["treasury"]) - 2 * upkeep(told, realm)

    annexed = sum(land.get("annexed_to") == realm for land in provinces.values())
    status = told["position"]["realms"][realm]["status"]
    room = told["rules"]["statuses"][status]["annexed_provinces"] - annexed
    to_annex: list[str] = []
    for name in quiet:
        price = Decimal(places[name].get("revenue", "0"))
        if provinces[name].get("annexed_to") != realm and len(to_annex) < room and 0 < price <= gold:
            to_annex.append(name)
            gold -= price

    to_recruit: dict[str, tuple[str, int]] = {}
    for name in quiet:
        city = places[name].get("city")
        soldiers = [told["rules"]["troops"][each] for each in city["recruits"]] if city else []
        # the other kinds are ships and siege machines
        soldiers = [each for each in soldiers if each["kind"] in ("foot", "archer", "mounted")]
        if not soldiers:
            continue
        best = max(
            soldiers, key=lambda each: (Decimal(each["hit_points"]) / Decimal(each["cost"]), each["name"])
        )
        count = min(city["resource"], int(gold // Decimal(best["cost"])))
        if count > 0:
            to_recruit[name] = (best["name"], count)
            gold -= count * Decimal(best["cost"])

    write(told, to_annex, to_recruit)


def contested(told: dict[str, Any], realm: str) -> set[str]:
    """The places where somebody else's army stands."""
    units = told["position"]["units"].items()
    return {unit["place"] for key, unit in units if not key.startswith(f"{realm}/") and unit.get("troops")}


def upkeep(told: dict[str, Any], realm: str) -> Decimal:
    """What the realm's troops and commanders cost in a turn."""
    total = Decimal(0)
    for key, unit in told["position"]["units"].items():
        if key.startswith(f"{realm}/"):
            for troop, ranks in unit.get("troops", {}).items():
                total += sum(ranks) * Decimal(told["rules"]["troops"][troop]["upkeep"])
            total += len(unit.get("commanders", ())) * Decimal(told["rules"]["commanders"]["upkeep"])
    return total


def write(told: dict[str, Any], to_annex: list[str], to_recruit: dict[str, tuple[str, int]]) -> None:
    """The order file. JSON text is YAML text too: quoting a name with ``json.dumps`` is always right."""
    lines = ["# written by the steward", "orders: 1"]
    lines += [f"{word}: {quoted(told[word])}" for word in ("game", "realm", "turn", "key")]
    if to_annex:
        lines += ["headquarters:", f"  annex: {quoted(to_annex)}"]
    if to_recruit:
        lines.append("units:")
    for province, (troop, count) in to_recruit.items():
        lines += [f"  {quoted(province)}:", f"    recruit: {quoted({troop: count})}"]
    sys.stdout.buffer.write(("\n".join(lines) + "\n").encode())


def quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main()
