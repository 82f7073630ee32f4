"""What letters and commands say about any game in that game's own words: ``rules/GAME/words.yaml``."""

from __future__ import annotations

from functools import cache

from gm.core.values import FrozenMap, Value
from gm.core.yaml.models import load_value
from gm.resources import resource


class GameWords(Value):
    """words.yaml. ``silence``: what becomes of somebody who sends no orders; ``report``: what a report shows;
    ``writes_orders``: whether it writes order files too; ``lesson``: what the handbook holds besides the rules;
    ``empty_file``: how a template becomes a file without orders; ``statuses``: those that a GM can give a party, with
    what each means; ``replacement``: the clause about seats whose player is gone."""

    silence: str
    report: str
    empty_file: str
    writes_orders: bool = False
    lesson: str = ""
    statuses: FrozenMap[str, str] = FrozenMap()
    controllers: tuple[str, ...]
    replacement: str = ""


@cache
def game_words(game: str) -> GameWords:
    """The words of a game. Raises ``SourceError`` for a file that does not fit."""
    return load_value(resource("rules", game, "words.yaml"), GameWords)
