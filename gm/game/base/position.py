"""What the state and the board of a small game have in common; a game derives its own from these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from gm.core.values import Value
from gm.core.yaml.pydantic_models import YamlModel

PLAYER = "player"
NOBODY = "nobody"
CONTROLLERS = (PLAYER, NOBODY)
"""Who gives a party's orders: a person or a program, or nobody."""

PLAYING = "playing"


class Party(Value):
    """A party. ``colour`` is written ``#rrggbb``; ``out``: out of the game; ``missed``: turns in a row without
    orders."""

    code: str
    name: str
    colour: str
    controller: str = PLAYER
    status: str = PLAYING
    out: bool = False
    missed: int = 0


class Position(Value):
    """The state of a game. ``parties`` stand in seat order; ``winners``: nobody for a draw, none while the game goes
    on."""

    turn: int = 0
    parties: Mapping[str, Any]
    winners: tuple[str, ...] | None = None

    def with_party(self, code: str, **changes: Any) -> Self:
        """The position with one party changed."""
        return self.evolve(parties={**self.parties, code: self.parties[code].evolve(**changes)})

    def with_parties(self, changes: Mapping[str, Mapping[str, Any]]) -> Self:
        """The position with some parties changed, by code."""
        if not changes:
            return self
        changed = {code: each.evolve(**changes.get(code, {})) for code, each in self.parties.items()}
        return self.evolve(parties=changed)

    @property
    def quoted(self) -> int:
        """The number that order files quote: that of the turn to be played."""
        return self.turn + 1

    def broken(self, board: Any, rules: Any) -> Sequence[str]:
        """What must never be true between turns and is: a sentence each."""
        return ()

    @property
    def living(self) -> tuple[str, ...]:
        """The parties that are still in the game, in seat order."""
        return tuple(code for code, party in self.parties.items() if not party.out)


class BaseBoard(YamlModel):
    """The map of a game: ``name`` is that of its folder, ``title`` what people read."""

    name: str
    title: str
