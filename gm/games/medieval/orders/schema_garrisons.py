"""The possible orders of garrisons, as parts of a realm's schema: recruits, buildings, commanders."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.grammar import UNIT
from gm.games.medieval.orders.model import HireCommander, Recruit, Structure, Written
from gm.games.medieval.orders.schema import other, unit_section
from gm.games.medieval.orders.schema_parts import Schema, described, either, listed, named, or_in_words, ref
from gm.games.medieval.orders.values import word_schema
from gm.games.medieval.state import Unit, World
from gm.games.medieval.steps.construction import why_not_structure
from gm.games.medieval.steps.recruiting import why_not_hire, why_not_recruit
from gm.text.pages import figure, gold

_NOWHERE = Written(0, 0, "")  # the place of an order that is in no file


class _Possible(NamedTuple):
    """What a garrison can be ordered to do: garrisons for which this is equal share a definition."""

    recruits_title: str  # of the definition of its recruits; empty if it can recruit none
    structures: tuple[str, ...]  # that it can build
    fleets: bool  # whether it can form fleets
    commanders: bool  # whether it can hire some


class GarrisonSchemas:
    """The definitions of the orders of one realm's garrisons, made as they are needed.

    Garrisons that can be given the same orders share one.
    """

    def __init__(self, world: World, rules: Rules, atlas: Atlas) -> None:
        """Begin without definitions; ``world``: that of the turn as it opens."""
        self._world = world
        self._rules = rules
        self._atlas = atlas
        # the titles of definitions of recruits, by the troop types
        self._recruits_titles: dict[tuple[str, ...], str] = {}
        self._garrison_titles: dict[_Possible, str] = {}
        # the troop types that a city can recruit, by (those of its list, whether there is a harbour)
        self._recruits_of_city: dict[tuple[tuple[str, ...], bool], tuple[str, ...]] = {}

    def title_of(self, unit: Unit) -> str:
        """Return the title of the definition, in the schema, of the orders that a garrison can be given."""
        land = self._world.provinces[unit.place]
        structures = tuple(
            structure.value
            for structure in Structure
            if why_not_structure(land, structure, self._atlas, self._rules) is None
        )
        # whether it can hire any at all: how many, the realm's other commanders decide
        hire = HireCommander(_NOWHERE, unit.id, 1)
        possible = _Possible(
            recruits_title=self._recruits_title(unit),
            structures=structures,
            fleets=self._atlas.city(unit.place) is not None and land.harbour,
            commanders=why_not_hire(self._world, unit, hire, serving=0, rules=self._rules, atlas=self._atlas)
            is None,
        )
        return self._garrison_titles.setdefault(possible, f"garrison {len(self._garrison_titles) + 1}")

    def _recruits_title(self, unit: Unit) -> str:
        """Return the title of the definition of a garrison's recruits; empty if it can recruit none."""
        city = self._atlas.city(unit.place)
        if city is None:
            return ""
        # as the turn begins, cities with the same list of recruits differ only by their harbours
        kind_of_city = (city.recruits, self._world.provinces[unit.place].harbour)
        if kind_of_city not in self._recruits_of_city:
            self._recruits_of_city[kind_of_city] = tuple(
                troop
                for troop in self._rules.troops
                if troop in city.recruits and self._can_recruit(unit, troop)
            )
        troops = self._recruits_of_city[kind_of_city]
        if not troops:
            return ""
        return self._recruits_titles.setdefault(troops, f"recruits {len(self._recruits_titles) + 1}")

    def _can_recruit(self, unit: Unit, troop: str) -> bool:
        """Return whether a garrison can recruit a troop of this type."""
        order = Recruit(_NOWHERE, unit.id, troop, 1)
        return why_not_recruit(self._world, unit, order, self._rules, self._atlas) is None

    def definitions(self) -> Schema:
        """Return the definitions that were needed so far, by title."""
        definitions: Schema = {}
        for possible, title in self._garrison_titles.items():
            special: dict[str, Schema | None] = {
                "recruit": ref(possible.recruits_title) if possible.recruits_title else None,
                "build": _buildable(possible.structures) if possible.structures else None,
                "form": ref("form either" if possible.fleets else "form an army"),
            }
            if not possible.commanders:
                special["hire_commander"] = None
            definitions[title] = unit_section("G", special)
        for troops, title in self._recruits_titles.items():
            definitions[title] = self._recruiting_schema(troops)
        return definitions

    def _recruiting_schema(self, troops: Iterable[str]) -> Schema:
        """Return the schema of recruiting these types, each described by its price and figures (T1)."""
        counts = {}
        for troop in map(self._rules.troops.__getitem__, troops):
            price = (
                f"{gold(troop.cost)} gold, upkeep {figure(troop.upkeep)}; attack "
                f"{troop.attacks}x{troop.combat}"
            )
            body = f"hit points {figure(troop.hit_points)}, move-points {troop.move_points}"
            counts[troop.name] = described(ref("count"), f"{price}, {body}")
        recruited = or_in_words(named(counts, other("troop"), ref("count")), ref("troops in words"))
        return word_schema(recruited, UNIT["recruit"])


def _buildable(structures: Sequence[str]) -> Schema:
    """Return the schema of building these structures."""
    return word_schema(listed(either({"enum": structures}, other("structure"))), UNIT["build"])
