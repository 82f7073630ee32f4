"""The corrections that a GM can make in a game of Conqueror!.

Each takes the words after its name in the command, and returns the new state and the change in words. It
raises ``ValueError`` for words that it does not understand or that do not fit the state.
"""

import datetime
from collections.abc import Sequence
from typing import Any

from gm.core.diagnostics import says
from gm.game.values import GameData, the_one, whole
from gm.games.conqueror.figures import new_capital
from gm.games.conqueror.state import ALL_INFLUENCE, NEUTRAL, World

MOST = 9_999  # The most armies or gold that a correction gives


def correct_owner(table: GameData, state: World, words: Sequence[str]) -> tuple[World, str]:
    """Correct a province's owner; return the state and the change in words. ``words``: province, player.

    The player is ``NEUTRAL`` for nobody. Players without a capital of their own then get another, and those
    without a province are out of the game.
    """
    code = the_one(words[0], state.provinces, "province")
    new_owner = the_one(words[1], (*state.parties, NEUTRAL), "player")
    after = state.with_provinces(state.provinces[code].owned_by(new_owner))
    capitals: dict[str, dict[str, Any]] = {}
    for party, player in after.parties.items():
        if player.capital is None or after.provinces[player.capital].owner != party:
            capitals[party] = {"capital": new_capital(after.owned(party), table.rules)}
    name = says("nobody") if new_owner == NEUTRAL else state.parties[new_owner].name
    holding = {party: bool(after.owned(party)) for party in after.parties}
    return after.with_parties(capitals).with_holding(holding), says("{0} belongs to {1}", code, name)


def correct_armies(table: GameData, state: World, words: Sequence[str]) -> tuple[World, str]:
    """Correct a province's armies, which are all fresh then; return the state and the change in words.

    ``words``: province, number.
    """
    code = the_one(words[0], state.provinces, "province")
    count = whole(words[1], "number of armies", 0, MOST)
    after = state.with_provinces(state.provinces[code].evolve(fresh=count))
    return after, says("{0} has {1} armies", code, count)


def correct_gold(table: GameData, state: World, words: Sequence[str]) -> tuple[World, str]:
    """Correct a player's treasury; return the state and the change in words. ``words``: player, amount."""
    code = the_one(words[0], state.parties, "player")
    amount = whole(words[1], "amount of gold", 0, MOST)
    effect = says("the treasury of {0} is corrected", state.parties[code].name)
    return state.with_party(code, gold=amount), effect


def correct_influence(table: GameData, state: World, words: Sequence[str]) -> tuple[World, str]:
    """Correct a player's influence in a province; return the state and the change in words.

    ``words``: province, player, points.
    """
    code = the_one(words[0], state.provinces, "province")
    party = the_one(words[1], state.parties, "player")
    points = whole(words[2], "number of points", 0, ALL_INFLUENCE)
    province = state.provinces[code]
    # the local leaders gain or lose the difference: the sum stays
    local_points = province.influence.get(NEUTRAL, 0) + province.influence.get(party, 0) - points
    if local_points < 0:
        raise ValueError(says("the local leaders of {0} have not so much influence to give", code))
    new_influence = {**province.influence, party: points, NEUTRAL: local_points}
    after = state.with_provinces(province.evolve(influence=new_influence))
    return after, says("the influence in {0} is corrected", code)


def correct_date(table: GameData, state: World, words: Sequence[str]) -> tuple[World, str]:
    """Correct the day of the coming turn; return the state and the change in words.

    ``words``: the day, such as ``2026-05-01``.
    """
    try:
        today = datetime.date.fromisoformat(words[0]).isoformat()
    except ValueError:
        raise ValueError(says("{0!r} is not a date; write it like 2026-05-01", words[0])) from None
    return state.evolve(today=today), says("it is {0}", today)
