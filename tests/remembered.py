"""What most tests of commands pay for and none of them looks at is worked out once a worker: handbooks and
odds.

The tests of the handbook and of the odds themselves do not use this.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gm.core.codec import encode
from gm.game.base.small_game import SmallGame
from gm.games.medieval.analysis.odds.attacks import Scenes
from gm.games.medieval.spec import MedievalGame

Key = tuple[Any, ...]

_handbooks: dict[Key, str] = {}
_odds: dict[Key, Any] = {}


def _handbook(original: Callable[..., str]) -> Callable[..., str]:
    """Return a handbook by the rules, the map and the language that it is of."""

    def handbook(game: MedievalGame, table: Any, state: Any = None, language: str = "en") -> str:
        key = (game.fingerprints(table)["rules"], language)
        if key not in _handbooks:
            _handbooks[key] = original(game, table, state, language)
        return _handbooks[key]

    return handbook


def _small_handbook(original: Callable[..., str]) -> Callable[..., str]:
    """Return a small game's handbook by all that it depends on: the settings of a state, not its position."""

    def handbook(game: Any, table: Any, state: Any = None, language: str = "en") -> str:
        settings = encode([table.settings, None if state is None else state.settings])
        key = (game.key, game.packed_table(table), settings, language)
        if key not in _handbooks:
            _handbooks[key] = original(game, table, state, language)
        return _handbooks[key]

    return handbook


def _chances(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return the odds of a battle by all that it can depend on."""

    def chances(scenes: Scenes, scene: Any) -> Any:
        ground = scenes.atlas.locations[scene.place]
        key = (scene.kind, scene.place, scenes._fights, encode([scene.turn.state, scenes.rules, ground]))
        if key not in _odds:
            _odds[key] = original(scenes, scene)
        return _odds[key]

    return chances


@pytest.fixture(scope="package", autouse=True)
def remembered() -> Iterator[None]:
    """Let all games of a package's tests share them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MedievalGame, "handbook", _handbook(MedievalGame.handbook))
        patch.setattr(SmallGame, "handbook", _small_handbook(SmallGame.handbook))
        patch.setattr(Scenes, "chances", _chances(Scenes.chances))
        yield
