"""Maps and rules to test with."""

from collections.abc import Callable, Iterator
from functools import cache

from gm.core.dice import Dice
from gm.core.yaml.models import load_value
from gm.games.conquestination.generator import random_map
from gm.games.conquestination.rules import Board, RandomMap, Rules
from gm.games.conquestination.spec import SPEC
from gm.resources import resource


@cache
def rules() -> Rules:
    """The rules as shipped."""
    return load_value(resource("rules", "conquestination") / "rules.yaml", Rules)


@cache
def board(name: str) -> Board:
    """A map that comes with the program."""
    return SPEC.shipped_table(name).board


def large() -> RandomMap:
    """What the map ``random`` is made with."""
    request = board("random").random
    assert request is not None
    return request


def small() -> RandomMap:
    """What the map ``small-random`` is made with."""
    request = board("small-random").random
    assert request is not None
    return request


def made(seed: str, settings: RandomMap | None = None) -> Board:
    """A random map, by the shipped settings if no others are given."""
    return random_map(board("random"), settings or large(), rules(), Dice(seed))


def pairs(words: str) -> frozenset[tuple[str, str]]:
    """``A1-A2 A1-A3`` as pairs."""
    return frozenset(
        (one, other) for one, _, other in (words_pair.partition("-") for words_pair in words.split())
    )


def dice(*faces: int) -> Callable[[], int]:
    """A die that shows these faces one after the other."""
    left: Iterator[int] = iter(faces)
    return lambda: next(left)
