"""What a GM may do to a game between two turns, drawn by a seeded generator."""

from __future__ import annotations

from random import Random
from typing import Any

from gm.game.values import GameData
from gm.games.medieval.state import World

RELATIONS = ("war", "neutral", "allied", "friendly")


def amendment_words(random: Random, table: GameData, state: World) -> tuple[str, ...]:
    """A correction, possible or not."""
    realms = (*state.realms, "IND", "XYZ")
    place = random.choice((*state.provinces, "Atlantis"))
    one, other = random.choice(realms), random.choice(realms)
    unit = random.choice((*state.units, "ENG/A99"))
    count = f"{random.choice('+-')}{random.choice((1, 2, 5, 40))}"
    return random.choice(
        (
            ("gold", one, f"{random.choice('+-')}{random.choice(('1', '0.01', '12.50', '300', '1e9'))}"),
            ("owner", place, one),
            ("owner", place, other),
            ("troops", unit, random.choice((*table.rules.troops, "Dragons")), count),
            ("status", one, random.choice(("royalty", "commoner", "pope"))),
            ("relation", one, other, random.choice(RELATIONS)),
            ("permission", place, one, random.choice(("yes", "no"))),
        )
    )


def some_amendment(random: Random, game: Any, table: GameData, state: World) -> tuple[tuple[str, ...], World]:
    """A correction and the position with it; one that cannot be is refused and changes nothing."""
    words = amendment_words(random, table, state)
    try:
        return words, game.amend(table, state, words, "drawn by lot")[0]
    except ValueError:
        return words, state
