"""Names in an order file: realms, places, troops and commanders (O8), as they are before the turn."""

from decimal import Decimal
from functools import cached_property
from itertools import chain
from typing import NamedTuple, TypeVar

from gm.core.diagnostics import fold, invisible, says, shown
from gm.core.orders.reading import Elsewhere, NameIndex, OrderFileReader
from gm.core.values import Record, cached_per_context
from gm.core.yaml.source import Mapping, Node, Scalar
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Structure, Written
from gm.games.medieval.orders.phrases import bare_name, words_in
from gm.games.medieval.orders.troop_words import other_numbers
from gm.games.medieval.state import World
from gm.games.medieval.state.world import names_taken

# one unit of a kind, and several of them, in words
KIND_WORDS = {
    "A": (says("an army"), says("armies")),
    "F": (says("a fleet"), says("fleets")),
    "G": (says("a garrison"), says("garrisons")),
}

UNIT_WORDS = {"A": "Army", "F": "Fleet", "G": "Garrison"}
"""The words that may be written instead of a unit's letter: ``Army 1`` is ``A1``."""


class Reference(Record):
    """A unit that an order names.

    A garrison that is named by its province is found when the order is carried out (O8).
    """

    ref: str  # as ``World.unit`` takes it: an id, or a garrison's province, maybe after a realm's code
    label: str  # for people
    kind: str  # its letter
    now: str  # the id or key of the unit that this is at present: equal for a unit that is named twice


STRUCTURES = NameIndex(
    "structure",
    [structure.value for structure in Structure],
    {
        "production_area": "production area",
        "production areas": "production area",
        "harbor": "harbour",
        **other_numbers(["fortification", "harbour"]),
    },
)


class NameIndexes(NamedTuple):
    """The indexes of the names of a map and its rules."""

    provinces: NameIndex
    places: NameIndex
    seas: NameIndex
    troops: NameIndex


@cached_per_context
def name_indexes(atlas: Atlas, rules: Rules) -> NameIndexes:
    """Return the indexes, made once for each map and its rules."""
    return NameIndexes(
        NameIndex("province", atlas.provinces, hints=atlas.other_names),
        NameIndex("place", atlas.locations, hints=atlas.other_names),
        NameIndex("sea", atlas.seas),
        NameIndex("troop type", rules.troops, other_numbers(rules.troops)),
    )


T = TypeVar("T")


class NameReader(OrderFileReader):
    """Reads the names in one realm's order file, except those of units, and reports unknown ones.

    ``realm`` is set once its head is read.
    """

    def __init__(self, world: World, rules: Rules, atlas: Atlas, elsewhere: Elsewhere) -> None:
        """Make the indexes by which names of the position are found."""
        super().__init__()
        self.realm = ""
        self.unit: Reference | None = None  # whose orders are being read
        self.elsewhere = elsewhere  # where words belong that are misplaced inside an entry of a plan
        self.world = world
        self.rules = rules
        self.atlas = atlas
        self.realms = NameIndex(
            "realm", world.realms, {realm.name: code for code, realm in world.realms.items()}
        )
        self.provinces, self.places, self.seas, self.troops = name_indexes(atlas, rules)
        self.renamed: dict[str, str] = {}  # commanders that this file renames, old name to new

    def written(self, node: Node, text: str) -> Written:
        """Count one order and return its place in the file, with ``text``, its words in reports."""
        self.count_order(node)
        return Written(node.line, node.column, text)

    def is_first(self, node: Node, name: T, node_of_name: dict[T, Node]) -> bool:
        """Return whether a name is new in its mapping; if not, report it.

        ``node_of_name``: the names so far, each with its node; a new one is added.
        """
        if name in node_of_name:
            self.twice(node, node_of_name[name])
            return False
        node_of_name[name] = node
        return True

    def realm_named(self, node: Node, clause: str) -> str | None:
        """Return the code of a realm, which may be this one; None, with a finding, for an unknown name."""
        return self.name(node, self.realms, "order/unknown-realm", clause)

    def other_realm(self, node: Node, clause: str) -> str | None:
        """Return the code of another realm; None, with a finding, for this realm or an unknown name."""
        code = self.realm_named(node, clause)
        if code == self.realm:
            self.error(node, "order/own-realm", says("{0} is your own realm", shown(code)), clause=clause)
            return None
        return code

    def province(self, node: Node, clause: str) -> str | None:
        """Return the name of a province; None, with a finding, for a sea or an unknown name."""
        name = self.provinces.find(node.text) if isinstance(node, Scalar) else None
        if name is not None:
            return name
        bare = bare_name(node, self.places)
        if bare is not node:  # it was ``to Kent``: once more, without the preposition
            return self.province(bare, clause)
        sea = self.seas.find(node.text) if isinstance(node, Scalar) else None
        if sea:
            self.error(node, "order/not-a-province", says("{0} is a sea, no province", sea), clause=clause)
            return None
        hint = self._province_hint(node) if isinstance(node, Scalar) else ""
        return self.name(node, self.provinces, "order/unknown-province", clause, hint)

    def _province_hint(self, node: Scalar) -> str:
        """Return a hint for an unknown province: to name each, for "all", else those next to the unit.

        The latter is empty if no unit's orders are being read, or the unit is not there before the turn.
        """
        words = words_in(node.text)
        if words and words[0].casefold() == "all":
            return says("name each province, such as [London, Kent]")
        unit = self.world.unit(self.realm, self.unit.now) if self.unit else None
        if unit is None:
            return ""
        neighbours = ", ".join(self.atlas.open_neighbours(unit.place, sea=False))
        return says("{0} is in {1}, next to {2}", unit.id, unit.place, neighbours) if neighbours else ""

    def place(self, node: Node, clause: str) -> str | None:
        """Return a province's or sea's name. None, with a finding, for an unknown name."""
        return self.name(bare_name(node, self.places), self.places, "order/unknown-place", clause)

    def troop(self, node: Node, clause: str) -> str | None:
        """Return a troop type's name. None, with a finding, for an unknown name."""
        return self.name(node, self.troops, "order/unknown-troop", clause)

    @cached_property
    def commanders(self) -> NameIndex:
        """The index of the names of the realm's own commanders."""
        own_names = chain.from_iterable(unit.commander_names for unit in self.world.of_realm(self.realm))
        return NameIndex("commander of yours", own_names)

    @cached_property
    def names_taken(self) -> set[str]:
        """The folded names of the game's commanders and rulers, which no other commander may get (F7)."""
        return names_taken(self.world)

    def commander(self, node: Node, clause: str) -> str | None:
        """Return a commander's name, the new one if this file renames them; None, with a finding, if unknown.

        It may be another realm's commander, as a transfer may bring one.
        """
        if not isinstance(node, Scalar) or node.is_null:
            self.expected(node, says("a commander's name"), clause=clause)
            return None
        own_commander = self.commanders.find(node.text)
        if own_commander is not None:
            return self.renamed.get(own_commander, own_commander)
        foreign_units = (unit for unit in self.world.units.values() if unit.realm != self.realm)
        foreign_names = chain.from_iterable(unit.commander_names for unit in foreign_units)
        # the new name of an own commander, or a name of another realm's
        full_name = NameIndex("", (*self.renamed.values(), *foreign_names)).find(node.text)
        if full_name is None:
            self.name(node, self.commanders, "order/unknown-commander", clause)  # reports the finding
        return full_name

    def rename_problem(self, old: str, value: Scalar) -> str:
        """Return why the commander ``old`` cannot get the name in ``value`` (F7); empty if they can."""
        new_name = " ".join(value.text.split())
        if not new_name or value.is_null or len(new_name) > self.rules.units.name_length:
            return says("no name, or too long")
        if invisible(new_name):
            return says("an invisible character")
        holder = self.commanders.find(new_name)
        if holder is not None and holder != old:
            return says("{0} is another commander of yours", shown(holder))
        if fold(new_name) in self.names_taken and fold(new_name) != fold(old):
            return says(
                "{0} is or was another commander's name in this game: choose a different one", shown(new_name)
            )
        if any(name == new_name and other != old for other, name in self.renamed.items()):
            return says("{0} is given to two commanders", shown(new_name))
        return ""

    def structure(self, node: Node, clause: str) -> Structure | None:
        """Return the structure that a node names. None, with a finding, for no structure."""
        name = self.name(node, STRUCTURES, "order/unknown-structure", clause)
        return None if name is None else Structure(name)

    def payment(self, node: Node, clause: str) -> Decimal | None:
        """Return a sum of gold (L2). None, with a finding, for anything else."""
        return self.gold(node, says("the sum"), clause)

    def rank_counts(self, node: Node, clause: str) -> dict[int, int] | None:
        """Return the numbers of troops by rank; None if any of them is wrong, or if there are none.

        What is wrong is reported.
        """
        if not isinstance(node, Mapping):
            self.expected(node, says("ranks with counts, such as {4: 3}"), clause=clause)
            return None
        if node.repeated:  # a rank that appears twice was reported when the file was parsed
            return None
        counts: dict[int, int] = {}
        for key, value in node:
            number = self.whole(key, says("the rank"), 1, self.rules.units.ranks, clause)
            count = self.whole(value, says("the count"), 0, clause=clause)
            if number in counts and count is not None:
                self.error(key, "sheet/twice", says("rank {0} appears twice", number), clause=clause)
            if number is not None and count is not None:
                counts[number] = count
        return counts if counts and len(counts) == len(node) else None
