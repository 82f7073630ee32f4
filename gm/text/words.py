"""A game's own words, as data: what letters and commands say of it, and why orders come to nothing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from gm.core.values import Value
from gm.core.yaml.models import load_value, load_values
from gm.resources import resource


class GameWords(Value):
    """words.yaml. ``silence``: what becomes of who sends no orders; ``report``: what a report shows; ``writes_orders``:
    whether it writes order files too; ``lesson``: what the handbook holds besides the rules; ``empty_file``: how a
    template becomes a file without orders; ``statuses`` that a GM can give; ``replacement``: the clause about abandoned
    seats."""

    silence: str
    report: str
    empty_file: str
    writes_orders: bool = False
    lesson: str = ""
    statuses: Mapping[str, str] = {}
    controllers: tuple[str, ...]
    replacement: str = ""


@cache
def game_words(game: str) -> GameWords:
    """The words of a game. Raises ``SourceError`` for a file that does not fit."""
    return load_value(resource("rules", game, "words.yaml"), GameWords)


class Reason(Value):
    """Why an order can fail: the clause and the sentence with the refusal's figures. ``planned``: skipping it is no
    mistake."""

    clause: str
    says: str
    planned: bool = False


@cache
def load_reasons(game: str) -> Mapping[str, Reason]:
    """Every reason of a game (rules/GAME/reasons), by key. Raises ``ValueError`` when two files have the same key."""
    found: dict[str, Reason] = {}
    for path in sorted(resource("rules", game, "reasons").glob("*.yaml")):
        for key, reason in load_values(path, Reason).items():
            if key in found:
                raise ValueError(f"{path.name}: reason {key} stands in another file too")
            found[key] = reason
    return found
