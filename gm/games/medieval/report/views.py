"""Rows for the tables of the pages.

They are about units, provinces, realms, one realm's relations with each other one, with the possible orders
about it (F1-F4, L2, L12, L15-L17), and its gold (H1).
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from gm.core.values import Event, percent_of
from gm.games.medieval.analysis.choices_realm import Choices
from gm.games.medieval.analysis.forecast import GARRISONS, HEADQUARTERS, Forecast
from gm.games.medieval.analysis.ledger import ForecastLine
from gm.games.medieval.data.atlas import Atlas, Border
from gm.games.medieval.data.clauses_data import named
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.state import INDEPENDENTS, Province, Ranks, Realm, Unit, World, strength
from gm.games.medieval.steps.economy import PAY_ORDER, province_revenue, upkeep_lines
from gm.games.medieval.steps.provinces import annexation_price, annexed_counts, why_not_annex
from gm.games.medieval.steps.turn import TreasuryChanged
from gm.text.languages import Translate


def realm_name(world: World, code: str, translate: Translate = str) -> str:
    """Return a realm's name; independents have one too."""
    return translate("Independents") if code == INDEPENDENTS else world.realms[code].name


class UnitRow:
    """One unit.

    ``aboard`` is the carrying fleet's id (its key when foreign), ``cargo`` the armies it carries. ``load``:
    their weight, out of ``storage``; ``marines``: the room for soldiers who fight at sea.
    """

    def __init__(self, unit: Unit, world: World, rules: Rules, translate: Translate = str) -> None:
        def short(key: str) -> str:
            return key.removeprefix(f"{unit.realm}/")

        carried = world.cargo(unit.key) if unit.is_fleet else ()
        self.key = unit.key
        self.id = unit.id
        self.realm = unit.realm
        self.place = unit.place
        self.owner = realm_name(world, unit.realm, translate)
        self.kind = unit.kind.name.lower()
        self.name = unit.name or ""
        self.leader = unit.leader or ""
        self.commanders = unit.commanders
        self.troops = [
            {"count": sum(ranks), "name": named(sum(ranks), name), "ranks": ranks_in_words(ranks, translate)}
            for name, ranks in unit.troops.items()
        ]
        self.empty = unit.empty
        self.unit = unit
        self.soldiers = strength.soldiers(unit, rules)
        self.combat = strength.total_combat(unit, rules, ships_too=unit.is_fleet)
        self.hit_points = strength.hit_points(unit, rules)
        self.pace = strength.pace(unit, rules)
        self.upkeep = Decimal(0) if unit.realm == INDEPENDENTS else strength.upkeep((unit,), rules)
        self.aboard = short(unit.aboard) if unit.aboard else ""
        self.cargo = ", ".join(short(army.key) for army in carried)
        self.load = sum(strength.weight(army, rules) for army in carried)
        self.weight = 0 if unit.is_fleet else strength.weight(unit, rules)
        self.storage = strength.storage(unit, rules) if unit.is_fleet else 0
        self.marines = strength.marine_space(unit, rules) if unit.is_fleet else 0


def ranks_in_words(ranks: Ranks, translate: Translate = str) -> str:
    """Return ``rank 1: 4, rank 3: 2``, or ``rank 3`` for all; empty when all are in rank 1, as usual."""
    manned = {rank: count for rank, count in enumerate(ranks, 1) if count}
    if len(manned) < 2:
        return "" if set(manned) <= {1} else translate("rank {rank}").format(rank=min(manned))
    return ", ".join(
        translate("rank {rank}: {count}").format(rank=rank, count=count) for rank, count in manned.items()
    )


class ProvinceRow:
    """One province.

    ``revenue``: its yield at its present damage, whoever gets it; ``paying``: whether its owner does (L11).
    ``recruits`` are (type, price) of its city.
    """

    def __init__(
        self, province: Province, world: World, rules: Rules, atlas: Atlas, translate: Translate = str
    ) -> None:
        place = atlas.locations[province.name]
        city = atlas.city(province.name)
        garrison = world.garrison(province.name)
        level = rules.fortification(province.effective_fortification)
        self.name = province.name
        self.realm = province.owner
        self.damage = province.damage
        self.owner = realm_name(world, province.owner, translate)
        self.annexed_to = province.annexed_to or ""
        self.turns_away = province.turns_away
        self.annexed = realm_name(world, province.annexed_to, translate) if province.annexed_to else ""
        self.paying = self.annexed_to == self.realm
        self.base = place.revenue + rules.economy.production_area_revenue * province.production_areas
        self.revenue = province_revenue(province, atlas, rules)
        self.city, self.resource = (city.name, city.resource) if city else ("", 0)
        self.recruits = [(name, rules.troops[name].cost) for name in city.recruits] if city else []
        self.capital = place.capital_of is not None
        self.fortification = province.fortification
        self.fortification_damage = province.fortification_damage
        self.fortification_name = (
            translate(level.name if level else "in ruins") if province.fortification else ""
        )
        self.harbour = province.harbour
        self.areas = province.production_areas
        self.areas_limit = place.production_limit
        self.permissions = [realm_name(world, code) for code in sorted(province.permissions)]
        self.guard = garrison.troop_count + len(garrison.commanders) if garrison else 0


def borders_of(atlas: Atlas) -> dict[str, list[tuple[str, str]]]:
    """Return (neighbour, way) of each place; the way is mountains, reefs, strait or empty (W3)."""
    ways = {frozenset((border.a, border.b)): way_of(border) for border in atlas.borders}

    def borders(a: str) -> list[tuple[str, str]]:
        return [(b, ways[frozenset((a, b))]) for b in atlas.graph.neighbours(a)]

    return {name: borders(name) for name in atlas.locations}


def way_of(border: Border) -> str:
    """Return the special kind of a border; empty for an ordinary one."""
    if border.barrier:
        return border.barrier.value
    return "strait" if border.strait else ""


class RealmRow:
    """One realm's public size and standing."""

    def __init__(self, realm: Realm, world: World, rules: Rules, atlas: Atlas) -> None:
        lands = world.owned_by(realm.code)
        units = world.of_realm(realm.code)
        seat = atlas.realms.get(realm.code)
        self.code = realm.code
        self.name = realm.name
        self.ruler = realm.ruler
        self.defeated = realm.defeated
        self.colour = seat.colour if seat else "#777777"
        self.status = realm.status.value
        self.controller = realm.controller.value
        self.provinces = len(lands)
        self.annexed = sum(land.annexed_to == realm.code for land in world.provinces.values())
        self.cities = sum(atlas.city(land.name) is not None for land in lands)
        self.soldiers = sum(strength.soldiers(unit, rules) for unit in units)
        self.ships = sum(unit.troop_count for unit in units) - self.soldiers
        self.combat = sum(strength.total_combat(unit, rules, ships_too=True) for unit in units)


Choice = tuple[str, str, str]
"""An order about another realm: its word in the file, why it would fail (empty when it would be carried out,
as far as this realm can know) and the clause of that."""
_RELATED = ("declare_war", "offer_peace", "offer_alliance", "cancel_alliance")
_RIGHTS = ("revoke_passage", "grant_passage", "grant_permission", "revoke_permission")
_ABOUT = (
    *_RELATED,
    *_RIGHTS,
    "send_ambassador",
    "send_gold",
    "give_province",
    "accept_gifts",
    "refuse_gifts",
)
_RELATIONS = {"war": 0, "allied": 1, "neutral": 2}


def standing_rows(
    before: World,
    now: World,
    realm: str,
    found: Choices,
    realms: Iterable[RealmRow],
    contacts: Mapping[str, list[str]],
) -> list[dict[str, Any]]:
    """Return all other realms from one realm's view: enemies first, then allies, those out last.

    ``before`` is the world before the turn, ``now`` that after it, opened for the next; ``found`` the realm's
    choices in it. ``grants`` and ``granted`` are passage given and had, ``admits`` and ``admitted`` the
    provinces of special permission given and had, ``contacts`` the addresses that its ambassadors left this
    turn (F7), ``open`` the words of the orders that would not fail.
    """
    own = now.realms[realm]
    permitting = [land for land in now.provinces.values() if land.permissions]
    idle = () if now.owned_by(realm) else ("grant_permission", "give_province")
    rows = []
    for other in realms:
        code = other.code
        theirs = now.realms[other.code]
        if code == realm:
            continue
        relation = now.relation(realm, code)
        choices = () if own.defeated or theirs.defeated else tuple(_choices(own, code, found, idle))
        row = {
            "realm": other,
            "relation": relation.value,
            "changed": relation is not before.relation(realm, code),
            "grants": code in own.passage,
            "granted": realm in theirs.passage,
            "admits": _admitting(permitting, realm, code),
            "admitted": _admitting(permitting, code, realm),
            "refuses": code in own.refuses,
            "refused": realm in theirs.refuses,
            "contacts": contacts.get(code, []),
            "choices": choices,
            "open": ", ".join([word for word, why, _ in choices if not why]).replace("_", "\u00a0"),
        }
        rows.append(row)
    return sorted(rows, key=lambda row: (row["realm"].defeated, _RELATIONS[row["relation"]]))


def _admitting(lands: Iterable[Province], owner: str, guest: str) -> list[str]:
    """Return the provinces of an owner that a guest may enter by special permission (F4)."""
    return [land.name for land in lands if land.owner == owner and guest in land.permissions]


def _choices(own: Realm, code: str, found: Choices, idle: tuple[str, ...]) -> Iterator[Choice]:
    """Yield every order about another realm but the ``idle`` ones, which would change nothing."""
    passage = "grant_passage" if code in own.passage else "revoke_passage"
    gifts = "refuse_gifts" if code in own.refuses else "accept_gifts"
    for word in _ABOUT:
        if word in (passage, gifts) or word in idle:
            continue
        table = found["headquarters"][word]
        pairs = [answer for pair, answer in table.get("pair", {}).items() if pair.endswith(f"/{code}")]
        for answer in pairs[:1] if "pair" in table else (table["of"][code],):
            clause, why = found["says"][int(answer)] if isinstance(answer, str) else ("", "")
            yield word, why, clause


def failing_orders(rows: Iterable[Mapping[str, Any]], translate: Translate = str) -> dict[Choice, list[str]]:
    """Return the orders about other realms that would fail, with the realms for each reason."""
    names: dict[Choice, list[str]] = {}
    for row in rows:
        name = row["realm"].name
        for word, why, clause in row["choices"]:
            if why:
                names.setdefault((word, why.replace(name, translate("that realm")), clause), []).append(name)
    return names


_PLACES_SHOWN = 4


def books(events: Iterable[Event], translate: Translate = str) -> list[dict[str, Any]]:
    """Return the treasury's changes of the turn, a line for each purpose, in order.

    ``places``: where, ``clause``: by which rule.
    """
    changes_of: dict[str, list[TreasuryChanged]] = {}
    for event in events:
        if isinstance(event, TreasuryChanged):
            changes_of.setdefault(event.what, []).append(event)
    lines = []
    for what, changes in changes_of.items():
        amount = sum((change.amount for change in changes), Decimal(0))
        places = list(dict.fromkeys(change.place for change in changes if change.place))
        many = len(places) > _PLACES_SHOWN
        where = translate("{count} places").format(count=len(places)) if many else ", ".join(places)
        if amount:
            clause = clause_of_step(changes[0].step)
            lines.append({"what": translate(what), "amount": amount, "places": where, "clause": clause})
    return lines


@cache
def _clauses() -> Mapping[str, str]:
    from gm.games.medieval.pipeline import STEPS

    return {step.name: step.clauses[0] for step in STEPS if step.clauses}


def clause_of_step(step: str) -> str:
    """Return the main clause of a step of the turn; empty for other names."""
    return _clauses().get(step, "")


def other_lines(forecast: Forecast) -> list[ForecastLine]:
    """Return the lines of the forecast that are in none of the sums for headquarters (H1)."""
    return [
        line for line in forecast.lines if line.what not in ("treasury", "upkeep", *HEADQUARTERS, *GARRISONS)
    ]


def upkeep_rows(units: Iterable[UnitRow], world: World, realm: str, rules: Rules) -> list[dict[str, Any]]:
    """Return a realm's upkeep in a turn (L3).

    ``commanders``, who are paid first, and ``troops`` in the order of pay.
    """
    amounts: dict[str, list[Decimal]] = {}
    for line in upkeep_lines(world.of_realm(realm), rules):
        amounts.setdefault(line.unit, [Decimal(0), Decimal(0)])[0 if line.commander else 1] += line.price
    own = {unit.key: unit for unit in units}
    # lines begin with all commanders: the order of the troops is that of the units
    ordered = sorted(amounts, key=lambda key: (PAY_ORDER[world.units[key].kind], world.units[key].number))
    rows = []
    for key in ordered:
        commanders, troops = amounts[key]
        rows.append(
            {"unit": own[key], "commanders": commanders, "troops": troops, "both": commanders + troops}
        )
    return rows


def revenue_rows(provinces: Iterable[ProvinceRow], atlas: Atlas, rules: Rules) -> list[dict[str, Any]]:
    """Return the expected revenue of a realm's provinces, the best payers first.

    Base and production areas, times the percentage at their damage (L11, T3); one that is not annexed to it
    pays nothing.
    """
    economy = rules.economy
    rows = []
    for row in provinces:
        areas = economy.production_area_revenue * row.areas
        percent = economy.revenue_percent[row.damage]
        paid = row.revenue if row.paying else Decimal(0)
        rows.append({"province": row, "areas": areas, "percent": percent, "paid": paid})
    return sorted(rows, key=lambda row: (-row["paid"], atlas.place_order[row["province"].name]))


def annexable(world: World, realm: str, rules: Rules, atlas: Atlas) -> list[dict[str, Any]]:
    """Return the provinces that the realm may annex (L6) in an opened world, by the turn's own check.

    The provinces with most revenue come first. They yield from the turn after. The price is ignored: gold may
    come in before it is due.
    """
    annexed = annexed_counts(world).get(realm, 0)
    rows = [
        {
            "name": land.name,
            "price": annexation_price(land.name, atlas),
            "yields": province_revenue(land, atlas, rules),
        }
        for land in world.owned_by(realm)
        if why_not_annex(world, realm, land.name, annexed, rules) is None
    ]
    return sorted(rows, key=lambda row: (-row["yields"], atlas.place_order[row["name"]]))


def works(
    found: Choices, units: Iterable[UnitRow], lands: Iterable[ProvinceRow], rules: Rules
) -> dict[str, Any]:
    """Return what own units can build at their places, from the tables of choices, by structure.

    Each has the place, the units, the price, and its yield in a turn (L11); the best payers come first, of
    walls the lowest of cities.
    """
    rows: dict[str, dict[str, dict[str, Any]]] = {}
    paying = {Structure.PRODUCTION_AREA.value: rules.economy.production_area_revenue}
    row_of = {land.name: land for land in lands if land.paying}
    for unit in units:
        table = found["units"][unit.id].get("build")
        land = row_of.get(unit.place)
        prices = table["of"] if isinstance(table, dict) and land else {}
        for structure, price in prices.items():
            if land and isinstance(price, int):
                gold = paying.get(structure, Decimal(0))
                yields = percent_of(gold, rules.economy.revenue_percent[land.damage])
                row = {"land": land, "unit": unit.id, "price": Decimal(price) / 100, "yields": yields}
                rows.setdefault(structure, {}).setdefault(land.name, row)
    return {
        structure: sorted(
            row_of.values(), key=lambda row: (-row["yields"], not row["land"].city, row["land"].fortification)
        )
        for structure, row_of in rows.items()
    }
