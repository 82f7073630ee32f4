"""The events of Conquestination.

``clause`` is the rule behind an event; the whole board is public (CN-13.2).
"""

from collections.abc import Mapping

from gm.core.values import Event


class Deployed(Event, clause="CN-5.5"):
    """CN-5.5: the placing of a player's units in run 0."""

    owner: str
    placed: Mapping[str, int]  # By country
    by_default: int  # How many of them the player had not placed (CN-5.6)


class TurnBegan(Event, clause="CN-6.2"):
    """CN-6.2: a player's turn began, with new units."""

    owner: str
    held: int  # The number of their countries
    for_countries: int  # The units for these
    for_continents: Mapping[str, int]  # The units for each whole continent, by letter
    units: int  # The units in all


class Reinforced(Event, clause="CN-6.6"):
    """CN-6.6: the placing of a player's new units."""

    owner: str
    placed: Mapping[str, int]  # By country
    by_default: int  # How many of them the player had not placed (CN-6.8)


class Fought(Event, clause="CN-7.6"):
    """CN-7: an attack of ``owner``."""

    owner: str
    source: str
    target: str
    defender: str  # The owner of the target
    engaged: int  # The units that attacked
    defenders: int  # The units in the target
    lost: int  # The attacker's losses
    killed: int  # The defender's losses
    rolls: tuple[str, ...]  # Each as ``6 3 1 : 6 2``, the attacker's dice first
    how: str  # ``won``, ``beaten`` or ``broken`` off


class Conquered(Event, clause="CN-7.9"):
    """CN-7.9: a country was taken by ``owner``, whose ``units`` moved in."""

    country: str
    owner: str
    formerly: str  # The owner before
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
