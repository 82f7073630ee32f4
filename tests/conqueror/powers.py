"""Rules, maps and provinces to test with."""

from __future__ import annotations

from functools import cache
from typing import Any

from gm.core.yaml.models import load_value
from gm.games.conqueror.land import Board
from gm.games.conqueror.rules import Rules
from gm.games.conqueror.spec import SPEC
from gm.games.conqueror.state import NEUTRAL, Province
from gm.resources import resource


@cache
def rules() -> Rules:
    """The rules as shipped."""
    return load_value(resource("rules", "conqueror") / "rules.yaml", Rules)


@cache
def board(name: str = "duchies") -> Board:
    """A map that comes with the program."""
    found = SPEC.shipped_table(name).board
    assert isinstance(found, Board)
    return found


def province(code: str = "ARDEN", *, control: int = 100, owner: str = "ARDEN", **changes: Any) -> Province:
    """A home province as play begins, with some things different; who does not control it is the local leaders."""
    influence = {owner: control, NEUTRAL: 100 - control} if owner != NEUTRAL else {NEUTRAL: 100}
    values: dict[str, Any] = {
        "code": code,
        "owner": owner,
        "status": "neutral" if owner == NEUTRAL else "empire",
        "population": 3,
        "resources": 0,
        "culture": 2,
        "fort": 0,
        "fresh": 5,
        "influence": influence,
    }
    return Province(**{**values, **changes})
