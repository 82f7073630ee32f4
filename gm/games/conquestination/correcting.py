"""What a GM may correct between runs: owners and units of countries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gm.game.base.amending import Correction, the_one, whole
from gm.game.base.position import PLAYING
from gm.game.values import GameData
from gm.games.conquestination.state import ELIMINATED, Campaign

MOST_UNITS = 9_999


def _owner(table: GameData, state: Campaign, words: Sequence[str]) -> tuple[Any, str]:
    country, owner = the_one(words[0], state.countries, "country"), the_one(words[1], state.parties, "player")
    after = state.with_countries({country: state.countries[country].evolve(owner=owner)})
    # who holds nothing is out, and who holds something is in
    standing = {
        code: {"out": not after.held(code), "status": PLAYING if after.held(code) else ELIMINATED}
        for code in after.parties
    }
    return after.with_parties(standing), f"{country} is {state.parties[owner].name}'s"


def _units(table: GameData, state: Campaign, words: Sequence[str]) -> tuple[Any, str]:
    country, units = the_one(words[0], state.countries, "country"), whole(words[1], "number of units", 1, MOST_UNITS)
    after = state.with_countries({country: state.countries[country].evolve(units=units)})
    return after, f"{country} has {units} units"


CORRECTIONS: Mapping[str, Correction] = {
    "owner": Correction("owner COUNTRY PLAYER    e.g. owner A1 BLUE", _owner),
    "units": Correction("units COUNTRY NUMBER    e.g. units A1 5", _units),
}
"""What can be corrected, and how it is written."""
