"""What computer players of small games share: the head of an order file, and a bot made of a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gm.game.values import View
from gm.text.layout import yaml_text


@dataclass(frozen=True, slots=True)
class BaseBot:
    """A bot. ``lines`` gives what stands below the head of its file, line by line; ``turn`` the number to quote, if
    that is not the number of the turn."""

    name: str
    about: str
    lines: Callable[[View], Sequence[str]]
    quoted: Callable[[Any], int] | None = None

    def orders(self, view: View) -> bytes:
        """Its order file."""
        turn = self.quoted(view.state) if self.quoted is not None else view.turn
        head = [f"game: {yaml_text(view.game)}", f"turn: {turn}", f"player: {yaml_text(view.realm.lower())}"]
        return "\n".join([*head, f"key: {yaml_text(view.key)}", *self.lines(view), ""]).encode()
