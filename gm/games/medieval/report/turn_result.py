"""What the reports of one turn of this game are made from: its result, with the rules and the map it was played by."""

from __future__ import annotations

from msgspec import structs

from gm.game.values import GameData, TurnResult
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import World


class MedievalResult(TurnResult):
    """See :class:`gm.game.values.TurnResult`."""

    before: World
    after: World
    rules: Rules
    atlas: Atlas

    @classmethod
    def of(cls, table: GameData, result: TurnResult) -> MedievalResult:
        """A turn's result with the table that it was played on."""
        known = structs.asdict(result)
        return cls(**known, rules=table.rules, atlas=table.board)

    @property
    def title(self) -> str:
        """The map's."""
        return self.atlas.title

    @property
    def players(self) -> tuple[str, ...]:
        """The realms that get results: all of the game, the defeated too, by code."""
        return tuple(sorted(self.after.realms))
