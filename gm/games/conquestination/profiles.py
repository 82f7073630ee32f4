"""The profiles of the bots of Conquestination (``rules/conquestination/tempers.yaml``)."""

from collections.abc import Mapping
from functools import cache

from gm.core.values import Record
from gm.core.yaml.models import load_values
from gm.resources import resource


class Temper(Record, kw_only=True):
    """A bot's profile."""

    about: str  # A line for those who choose a bot
    turns: float  # How many turns of income a country is worth
    kill: float  # The worth of an enemy's unit that falls, shared out among the enemies
    loss: float  # The worth of an own unit that falls
    dares: float  # The probability to win from which on it attacks
    keep: int  # The number of engaged units at which it breaks off
    fear: float  # The weight of the losses to be expected in countries that are left nearly empty
    holds: float  # The share of its reinforcements that stay to guard
    mood: float  # The part of a value by which chance changes it at most, up or down


@cache
def tempers() -> Mapping[str, Temper]:
    """Return the profiles that come with the game, by name."""
    return load_values(resource("rules", "conquestination", "tempers.yaml"), Temper)
