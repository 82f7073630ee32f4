"""The indexes of names in order files (O8): the map's places, troops and structures."""

from typing import NamedTuple

from gm.core.orders.reading import NameIndex
from gm.core.values import cached_per_context
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.orders.troop_words import other_numbers

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
