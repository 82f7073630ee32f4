"""What a GM may correct between turns: owners, armies, gold, influence, and what day it is (CQ-2.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from gm.core.values import FrozenMap
from gm.game.base.amending import Correction, the_one, whole
from gm.game.base.position import PLAYING
from gm.game.values import GameData
from gm.games.conqueror.books import new_capital
from gm.games.conqueror.state import ALL_INFLUENCE, ELIMINATED, NEUTRAL, World

MOST = 9_999


def _owner(table: GameData, state: World, words: Sequence[str]) -> tuple[Any, str]:
    code, owner = the_one(words[0], state.provinces, "province"), the_one(words[1], (*state.parties, NEUTRAL), "player")
    after = state.with_provinces(state.provinces[code].owned_by(owner))
    changes: dict[str, dict[str, Any]] = {}
    for party, player in after.parties.items():
        owned = after.owned(party)
        capital = player.capital
        if capital is None or after.provinces[capital].owner != party:
            capital = new_capital(owned, table.rules)
        # who holds nothing is out, and who holds something is in
        changes[party] = {"capital": capital, "out": not owned, "status": PLAYING if owned else ELIMINATED}
    name = "nobody" if owner == NEUTRAL else state.parties[owner].name
    return after.with_parties(changes), f"{code} belongs to {name}"


def _armies(table: GameData, state: World, words: Sequence[str]) -> tuple[Any, str]:
    code, armies = the_one(words[0], state.provinces, "province"), whole(words[1], "number of armies", 0, MOST)
    after = state.with_provinces(state.provinces[code].evolve(fresh=armies))
    return after, f"{code} has {armies} armies"


def _gold(table: GameData, state: World, words: Sequence[str]) -> tuple[Any, str]:
    code, gold = the_one(words[0], state.parties, "player"), whole(words[1], "amount of gold", 0, MOST)
    return state.with_party(code, gold=gold), f"the treasury of {state.parties[code].name} is corrected"


def _influence(table: GameData, state: World, words: Sequence[str]) -> tuple[Any, str]:
    code = the_one(words[0], state.provinces, "province")
    party = the_one(words[1], state.parties, "player")
    points = whole(words[2], "number of points", 0, ALL_INFLUENCE)
    province = state.provinces[code]
    # what changes is the local leaders' gain or loss: the sum stays
    rest = province.influence.get(NEUTRAL, 0) + province.influence.get(party, 0) - points
    if rest < 0:
        raise ValueError(f"the local leaders of {code} have not so much influence to give")
    influence = FrozenMap({**province.influence, party: points, NEUTRAL: rest})
    return state.with_provinces(province.evolve(influence=influence)), f"the influence in {code} is corrected"


def _date(table: GameData, state: World, words: Sequence[str]) -> tuple[Any, str]:
    try:
        today = date.fromisoformat(words[0])
    except ValueError:
        raise ValueError(f"{words[0]!r} is no date; write it like 2026-05-01") from None
    return state.evolve(today=today.isoformat()), f"it is {today.isoformat()}"


CORRECTIONS: Mapping[str, Correction] = {
    "owner": Correction("owner PROVINCE PLAYER    e.g. owner MERC WESS, or NEUTRAL", _owner),
    "armies": Correction("armies PROVINCE NUMBER    e.g. armies MERC 3", _armies),
    "gold": Correction("gold PLAYER AMOUNT    e.g. gold WESS 20", _gold),
    "influence": Correction("influence PROVINCE PLAYER POINTS    e.g. influence MERC WESS 40", _influence),
    "date": Correction("date DAY    e.g. date 2026-05-01: the day of the coming turn, for a game with 'until'", _date),
}
"""What can be corrected, and how it is written."""
