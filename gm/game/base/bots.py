"""What computer players of small games share: the head of an order file, and a bot made of a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gm.game.values import View
from gm.text.layout import yaml_text


@dataclass(frozen=True, slots=True)
class BaseBot:
    """A bot. ``lines`` gives what stands below the head of its file, line by line."""

    name: str
    about: str
    lines: Callable[[View], Sequence[str]]

    def orders(self, view: View) -> bytes:
        """Its order file."""
        head = [
            f"game: {yaml_text(view.game)}",
            f"turn: {view.state.quoted}",
            f"player: {yaml_text(view.realm.lower())}",
        ]
        return "\n".join([*head, f"key: {yaml_text(view.key)}", *self.lines(view), ""]).encode()
