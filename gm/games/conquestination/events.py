"""The events of Conquestination.

``clause`` is the rule behind an event; the whole board is public (CN-13.2).
"""

from collections.abc import Mapping

from gm.core.values import Event


class Deployed(Event, clause="CN-5.5"):
    """CN-5.5: the placing of a player's units in run 0.

    ``placed``: by country; ``by_default``: how many of them the player had not placed (CN-5.6).
    """

    owner: str
    placed: Mapping[str, int]
    by_default: int


class TurnBegan(Event, clause="CN-6.2"):
    """CN-6.2: a player's turn began, with new units.

    ``held``: the number of their countries; ``for_countries``: the units for these; ``for_continents``: the
    units for each whole continent, by letter; ``units``: the units in all.
    """

    owner: str
    held: int
    for_countries: int
    for_continents: Mapping[str, int]
    units: int


class Reinforced(Event, clause="CN-6.6"):
    """CN-6.6: the placing of a player's new units.

    ``placed``: by country; ``by_default``: how many of them the player had not placed (CN-6.8).
    """

    owner: str
    placed: Mapping[str, int]
    by_default: int


class Fought(Event, clause="CN-7.6"):
    """CN-7: an attack of ``owner``.

    ``defender``: the owner of the target; ``engaged``: the units that attacked; ``defenders``: the units in
    the target; ``lost`` and ``killed``: the losses of attacker and defender; ``rolls``: each as
    ``6 3 1 : 6 2``, the attacker's dice first; ``how``: ``won``, ``beaten`` or ``broken`` off.
    """

    owner: str
    source: str
    target: str
    defender: str
    engaged: int
    defenders: int
    lost: int
    killed: int
    rolls: tuple[str, ...]
    how: str


class Conquered(Event, clause="CN-7.9"):
    """CN-7.9: a country was taken from ``formerly`` by ``owner``, whose ``units`` moved in."""

    country: str
    owner: str
    formerly: str
    units: int


class Eliminated(Event, clause="CN-8.6"):
    """CN-8.6: a player has lost their last country."""

    owner: str
    by: str  # The player who took it


class Redeployed(Event, clause="CN-8.1"):
    """CN-8.1: units moved between two countries of their owner."""

    owner: str
    source: str
    target: str
    units: int


class Won(Event, clause="CN-8.7"):
    """CN-8.7, CN-8.9: ``how`` is last (no other player holds a country) or count (at the limit of rounds)."""

    owners: tuple[str, ...]
    how: str
