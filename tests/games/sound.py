"""What a turn of any small game keeps to."""

from collections.abc import Mapping
from typing import Any

from gm.core.codec import encode
from gm.core.pipeline import Outcome
from gm.game.base.small_game import SmallGame
from gm.game.values import GameData


def played_soundly(
    spec: SmallGame[Any], table: GameData, state: Any, sheets: Mapping[str, Any], seed: str
) -> Outcome[Any]:
    """The turn, which leaves what it was given as it was, ends in a sound state that comes back from its
    snapshot, and is the same with the files in another order.
    """
    before = encode(state)
    outcome = spec.play(table, state, sheets, seed)
    assert encode(state) == before
    assert spec.broken(table, outcome.state) == []
    assert spec.state(spec.record(outcome.state)) == outcome.state
    assert spec.play(table, state, dict(reversed(sheets.items())), seed) == outcome
    return outcome
