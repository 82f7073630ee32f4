"""The possible orders of garrisons, as parts of a realm's schema: recruits, buildings, commanders."""

from collections.abc import Iterable, Sequence

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

_NOWHERE = Written(0, 0, "")


class GarrisonSchemas:
    """Definitions of the orders of one realm's garrisons, made as needed.

    Garrisons with equal orders share one.
    """

    def __init__(self, world: World, rules: Rules, atlas: Atlas) -> None:
        """Begin without definitions; ``world``: that of the turn as it opens."""
        self._world = world
        self._rules = rules
        self._atlas = atlas
        # titles by what the definitions hold
        self._recruits: dict[tuple[str, ...], str] = {}
        self._garrisons: dict[tuple[str, tuple[str, ...], bool, bool], str] = {}
        self._offers: dict[tuple[tuple[str, ...], bool], tuple[str, ...]] = {}

    def title_of(self, unit: Unit) -> str:
        """Return the title of a garrison's definition, by what it can recruit and has room to build."""
        world = self._world
        rules = self._rules
        atlas = self._atlas
        land = world.provinces[unit.place]
        city = atlas.city(unit.place)
        fits = tuple(
            structure.value
            for structure in Structure
            if why_not_structure(land, structure, atlas, rules) is None
        )
        recruits = ""
        if city is not None:
            # as the turn begins, cities that offer the same troops differ by their harbours only
            offered = (city.recruits, land.harbour)
            if offered not in self._offers:
                self._offers[offered] = tuple(
                    name
                    for name in rules.troops
                    if name in city.recruits
                    and why_not_recruit(world, unit, Recruit(_NOWHERE, unit.id, name, 1), rules, atlas)
                    is None
                )
            names = self._offers[offered]
            recruits = (
                self._recruits.setdefault(names, f"recruits {len(self._recruits) + 1}") if names else ""
            )
        hires = why_not_hire(world, unit, HireCommander(_NOWHERE, unit.id, 1), 0, rules, atlas) is None
        alike = (recruits, fits, city is not None and land.harbour, hires)
        return self._garrisons.setdefault(alike, f"garrison {len(self._garrisons) + 1}")

    def definitions(self) -> Schema:
        """Return the definitions that were needed so far, by title."""
        definitions: Schema = {}
        for (recruits, fits, ships, hires), title in self._garrisons.items():
            special: dict[str, Schema | None] = {
                "recruit": ref(recruits) if recruits else None,
                "build": _buildable(fits) if fits else None,
                "form": ref("form either" if ships else "form an army"),
            }
            definitions[title] = unit_section("G", special if hires else {**special, "hire_commander": None})
        for troops, title in self._recruits.items():
            definitions[title] = self._recruited(troops)
        return definitions

    def _recruited(self, troops: Iterable[str]) -> Schema:
        """Return the schema of recruiting these types, each described by its row of table T1 in one line."""
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
    return word_schema(listed(either({"enum": structures}, other("structure"))), UNIT["build"])
