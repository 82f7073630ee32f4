"""Rows for the tables of the pages: units, provinces, realms, and relations between realms.

The relations come with the possible orders about them (F1-F4, L2, L12, L15-L17).
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from gm.games.medieval.analysis.choices_realm import Choices
from gm.games.medieval.data.atlas import Atlas, Border
from gm.games.medieval.data.clauses_data import named
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import INDEPENDENTS, Province, Ranks, Realm, Unit, World, strength
from gm.games.medieval.steps.economy import province_revenue
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
        """Compute a unit's figures for the reports."""

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
        """Compute a province's figures for the reports."""
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
    way_of_pair = {frozenset((border.a, border.b)): way_of(border) for border in atlas.borders}

    def borders(a: str) -> list[tuple[str, str]]:
        return [(b, way_of_pair[frozenset((a, b))]) for b in atlas.graph.neighbours(a)]

    return {name: borders(name) for name in atlas.locations}


def way_of(border: Border) -> str:
    """Return the special kind of a border; empty for an ordinary one."""
    if border.barrier:
        return border.barrier.value
    return "strait" if border.strait else ""


class RealmRow:
    """One realm's public size and standing."""

    def __init__(self, realm: Realm, world: World, rules: Rules, atlas: Atlas) -> None:
        """Compute a realm's figures for the reports."""
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
    tables: Choices,
    realms: Iterable[RealmRow],
    contacts: Mapping[str, list[str]],
) -> list[dict[str, Any]]:
    """Return all other realms from one realm's view: enemies first, then allies, those out last.

    ``before`` is the world before the turn, ``now`` that after it, opened for the next; ``tables`` the
    realm's choices in it. ``grants`` and ``granted`` are passage given and had, ``admits`` and ``admitted``
    the provinces of special permission given and had, ``contacts`` the addresses that its ambassadors left
    this turn (F7), ``open`` the words of the orders that would not fail.
    """
    own_realm = now.realms[realm]
    permitting = [land for land in now.provinces.values() if land.permissions]
    idle = () if now.owned_by(realm) else ("grant_permission", "give_province")
    rows = []
    for other in realms:
        code = other.code
        other_realm = now.realms[other.code]
        if code == realm:
            continue
        relation = now.relation(realm, code)
        choices = (
            ()
            if own_realm.defeated or other_realm.defeated
            else tuple(_choices(own_realm, code, tables, idle))
        )
        row = {
            "realm": other,
            "relation": relation.value,
            "changed": relation is not before.relation(realm, code),
            "grants": code in own_realm.passage,
            "granted": realm in other_realm.passage,
            "admits": _admitting(permitting, realm, code),
            "admitted": _admitting(permitting, code, realm),
            "refuses": code in own_realm.refuses,
            "refused": realm in other_realm.refuses,
            "contacts": contacts.get(code, []),
            "choices": choices,
            "open": ", ".join([word for word, why, _ in choices if not why]).replace("_", "\u00a0"),
        }
        rows.append(row)
    return sorted(rows, key=lambda row: (row["realm"].defeated, _RELATIONS[row["relation"]]))


def _admitting(lands: Iterable[Province], owner: str, guest: str) -> list[str]:
    """Return the provinces of an owner that a guest may enter by special permission (F4)."""
    return [land.name for land in lands if land.owner == owner and guest in land.permissions]


def _choices(own_realm: Realm, code: str, tables: Choices, idle: tuple[str, ...]) -> Iterator[Choice]:
    """Yield every order about another realm, except the ``idle`` ones, which would change nothing."""
    passage = "grant_passage" if code in own_realm.passage else "revoke_passage"
    gifts = "refuse_gifts" if code in own_realm.refuses else "accept_gifts"
    for word in _ABOUT:
        if word in (passage, gifts) or word in idle:
            continue
        table = tables["headquarters"][word]
        pairs = [answer for pair, answer in table.get("pair", {}).items() if pair.endswith(f"/{code}")]
        for answer in pairs[:1] if "pair" in table else (table["of"][code],):
            clause, why = tables["says"][int(answer)] if isinstance(answer, str) else ("", "")
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
