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
    """Return a realm's name; that of the independents is translated."""
    return translate("Independents") if code == INDEPENDENTS else world.realms[code].name


class UnitRow:
    """The figures of one unit, for templates.

    ``aboard`` is the id of the fleet that carries it (the key of a foreign one), ``cargo`` the ids of the
    armies that it carries, as text. ``load``: their weight, out of ``storage``; ``marines``: the room for
    soldiers who fight at sea.
    """

    def __init__(self, unit: Unit, world: World, rules: Rules, translate: Translate = str) -> None:
        """Compute a unit's figures for the reports."""

        def id_or_key(unit_key: str) -> str:
            """Return the id of a unit of the same realm, the key of another."""
            return unit_key.removeprefix(f"{unit.realm}/")

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
        self.upkeep = Decimal(0) if unit.realm == INDEPENDENTS else strength.unit_upkeep(unit, rules)
        self.aboard = id_or_key(unit.aboard) if unit.aboard else ""
        self.cargo = ", ".join(id_or_key(army.key) for army in carried)
        self.load = sum(strength.weight(army, rules) for army in carried)
        self.weight = 0 if unit.is_fleet else strength.weight(unit, rules)
        self.storage = strength.storage(unit, rules) if unit.is_fleet else 0
        self.marines = strength.marine_space(unit, rules) if unit.is_fleet else 0


def ranks_in_words(ranks: Ranks, translate: Translate) -> str:
    """Return ``rank 1: 4, rank 3: 2``, or ``rank 3`` for all; empty when all are in rank 1, as usual."""
    count_of_rank = {rank: count for rank, count in enumerate(ranks, 1) if count}
    if len(count_of_rank) < 2:
        is_usual = set(count_of_rank) <= {1}
        return "" if is_usual else translate("rank {rank}").format(rank=min(count_of_rank))
    pattern = translate("rank {rank}: {count}")
    return ", ".join(pattern.format(rank=rank, count=count) for rank, count in count_of_rank.items())


class ProvinceRow:
    """The figures of one province, for templates.

    ``revenue``: its gold a turn with its present damage, whoever gets it; ``paying``: whether its owner gets
    it (L11). ``recruits``: (troop type, price in gold) of its city.
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
        self.city = city.name if city else ""
        self.resource = city.resource if city else 0
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
    """Return each place's list of (neighbour, kind of border), by place.

    A kind is ``mountains``, ``reefs`` or ``strait``, empty for an ordinary border.
    """
    way_of_pair = {frozenset((border.a, border.b)): way_of(border) for border in atlas.borders}

    def borders(a: str) -> list[tuple[str, str]]:
        return [(b, way_of_pair[frozenset((a, b))]) for b in atlas.graph.neighbours(a)]

    return {name: borders(name) for name in atlas.locations}


def way_of(border: Border) -> str:
    """Return the kind of a border: mountains, reefs or strait; empty for an ordinary one (W3)."""
    if border.barrier:
        return border.barrier.value
    return "strait" if border.strait else ""


class RealmRow:
    """The public figures of one realm, for templates."""

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
"""An order about another realm: (its word in the file, why it would fail, the clause of that).

The last two are empty when it would be carried out, as far as the realm can know.
"""
_ORDERS = (
    "declare_war",
    "offer_peace",
    "offer_alliance",
    "cancel_alliance",
    "revoke_passage",
    "grant_passage",
    "grant_permission",
    "revoke_permission",
    "send_ambassador",
    "send_gold",
    "give_province",
    "accept_gifts",
    "refuse_gifts",
)
"""The words of orders about another realm."""
_RELATION_ORDER = {"war": 0, "allied": 1, "neutral": 2}


def standing_rows(
    before: World,
    now: World,
    realm: str,
    tables: Choices,
    realms: Iterable[RealmRow],
    contacts: Mapping[str, list[str]],
) -> list[dict[str, Any]]:
    """Return a row for each other realm, seen from one realm: enemies first, then allies, defeated ones last.

    ``before`` is the world before the turn, ``now`` that after it, opened for the next; ``tables``: the
    realm's choices in it; ``realms``: the rows of all realms; ``contacts``: the addresses that ambassadors
    of other realms left this turn, by code (F7). In a row, ``grants`` and ``granted`` are whether this realm
    gives passage and has it, ``admits`` and ``admitted`` the provinces with special permission given and had,
    ``refuses`` and ``refused`` whether gifts are refused, and ``open`` the words of the orders that would not
    fail.
    """
    own_realm = now.realms[realm]
    permitting = [land for land in now.provinces.values() if land.permissions]
    # who has no land has none to admit others to or to give away
    useless = () if now.owned_by(realm) else ("grant_permission", "give_province")
    rows = []
    for other in realms:
        code = other.code
        other_realm = now.realms[other.code]
        if code == realm:
            continue
        relation = now.relation(realm, code)
        choices: tuple[Choice, ...] = ()
        if not (own_realm.defeated or other_realm.defeated):
            choices = tuple(_choices(own_realm, code, tables, useless))
        row = {
            "realm": other,
            "relation": relation.value,
            "changed": relation is not before.relation(realm, code),
            "grants": code in own_realm.passage,
            "granted": realm in other_realm.passage,
            "admits": _lands_admitting(permitting, realm, code),
            "admitted": _lands_admitting(permitting, code, realm),
            "refuses": code in own_realm.refuses,
            "refused": realm in other_realm.refuses,
            "contacts": contacts.get(code, []),
            "choices": choices,
            "open": ", ".join([word for word, why, _ in choices if not why]).replace("_", "\u00a0"),
        }
        rows.append(row)
    return sorted(rows, key=lambda row: (row["realm"].defeated, _RELATION_ORDER[row["relation"]]))


def _lands_admitting(lands: Iterable[Province], owner: str, guest: str) -> list[str]:
    """Return the names of an owner's provinces that a guest may enter by special permission (F4)."""
    return [land.name for land in lands if land.owner == owner and guest in land.permissions]


def _choices(own_realm: Realm, code: str, tables: Choices, useless: tuple[str, ...]) -> Iterator[Choice]:
    """Yield (word, why it would fail, clause) of each order about ``code`` that would change something.

    The last two are empty for an order that would not fail. ``code``: another realm's; ``tables``: what the
    own realm can order (``headquarters``), and the reasons why not (``says``); ``useless``: the words of
    orders that would change nothing, whatever realm they are about.
    """
    # of these two pairs, the words that order what is so already
    passage = "grant_passage" if code in own_realm.passage else "revoke_passage"
    gifts = "refuse_gifts" if code in own_realm.refuses else "accept_gifts"
    for word in _ORDERS:
        if word in (passage, gifts) or word in useless:
            continue
        table = tables["headquarters"][word]
        if "pair" in table:
            # the order also names a province of ours: the first stands for all
            answers = [answer for pair, answer in table["pair"].items() if pair.endswith(f"/{code}")][:1]
        else:
            answers = [table["of"][code]]
        for answer in answers:
            # a text is the number of the reason why the order would fail
            clause, why = tables["says"][int(answer)] if isinstance(answer, str) else ("", "")
            yield word, why, clause


def failing_orders(rows: Iterable[Mapping[str, Any]], translate: Translate) -> dict[Choice, list[str]]:
    """Return the names of the realms about which each order would fail for the same reason.

    ``rows``: what :func:`standing_rows` returns. In the reason of a key, "that realm" stands for the realm's
    name.
    """
    names: dict[Choice, list[str]] = {}
    for row in rows:
        name = row["realm"].name
        for word, why, clause in row["choices"]:
            if why:
                names.setdefault((word, why.replace(name, translate("that realm")), clause), []).append(name)
    return names
