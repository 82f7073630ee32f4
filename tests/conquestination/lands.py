"""Maps and rules to test with."""

from __future__ import annotations

from functools import cache

from gm.games.conquestination.countries import CountryMap, MapFile
from gm.games.conquestination.generator import random_map
from gm.games.conquestination.rules import RandomMap, Rules
from gm.kernel.dice import Dice
from gm.kernel.tables import load_value
from gm.resources import resource

CONTINENTS = tuple(f"Continent {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")


@cache
def rules() -> Rules:
    """The rules as shipped."""
    return load_value(resource("rules", "conquestination") / "numbers.yaml", Rules)


@cache
def shipped(name: str) -> CountryMap:
    """A map that comes with the program."""
    return CountryMap.of(load_value(resource("maps", "conquestination") / name / "map.yaml", MapFile))


def made(seed: str, settings: RandomMap | None = None) -> CountryMap:
    """A random map, by the shipped settings if no others are given."""
    return random_map(settings or rules().random_map, rules().generator, Dice(seed), CONTINENTS)


def pairs(words: str) -> frozenset[tuple[str, str]]:
    """``A1-A2 A1-A3`` as pairs."""
    return frozenset((one, other) for one, _, other in (each.partition("-") for each in words.split()))
