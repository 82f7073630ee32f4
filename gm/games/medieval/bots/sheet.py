"""Writing an order file as a player would: headquarters, then each unit, with a comment on why."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gm.game.values import View
from gm.games.medieval.orders.grammar import FORMAT, HEADQUARTERS, UNIT

_PLAIN = re.compile(r"[A-Z]{3}|[A-Z]{3}/[AFG]\d{1,3}|[AFG]\d{1,5}")
"""Codes and ids of units: everything else is quoted, whatever a map calls its places."""


@dataclass(slots=True)
class UnitSheet:
    """The orders of one unit: by word its value, as the grammar has it, and why. ``where`` stands beside its id."""

    where: str
    orders: dict[str, tuple[Any, str]] = field(default_factory=dict)
    plan: list[tuple[str, Any, str]] = field(default_factory=list)

    def order(self, word: str, value: Any, why: str = "") -> None:
        """Order something besides the plan; a second time, the later order stands."""
        self.orders[word] = (value, why)

    def add(self, word: str, name: str, value: object, why: str = "") -> None:
        """Add to an order that is made of names with values, like ``recruit: {Archers: 2}``."""
        known, reason = self.orders.get(word, ({}, ""))
        self.orders[word] = ({**known, name: value}, why or reason)

    def then(self, word: str, value: Any = None, why: str = "") -> None:
        """Add an entry to the plan."""
        self.plan.append((word, value, why))


class Sheet:
    """One realm's order file in the making."""

    def __init__(self, view: View, bot: str) -> None:
        self._view, self._bot = view, bot
        self._lists: dict[str, dict[str, str]] = {}
        self._units: dict[str, UnitSheet] = {}

    def headquarters(self, word: str, name: str, why: str = "") -> None:
        """Add a name to one of the headquarters' lists, like ``declare_war`` or ``annex``."""
        self._lists.setdefault(word, {})[name] = why

    def unit(self, reference: str, where: str = "") -> UnitSheet:
        """The orders of a unit, by its id, or by its province for a garrison."""
        return self._units.setdefault(reference, UnitSheet(where))

    def data(self) -> bytes:
        """The file."""
        return "".join(f"{line}\n" for line in self._lines()).encode()

    def _lines(self) -> Iterator[str]:
        view = self._view
        yield f"# Turn {view.turn}: the orders of {_comment(view.realm)}, written by the bot '{self._bot}'."
        yield f"orders: {FORMAT}"
        yield f"game: {_quoted(view.game)}"
        yield f"realm: {_quoted(view.realm)}"
        yield f"turn: {view.turn}"
        yield f"key: {_quoted(view.key)}"
        if self._lists:
            yield "\nheadquarters:"
        for word in (each for each in HEADQUARTERS if each in self._lists):
            yield f"  {word}:"
            yield from (f"    - {_value(name)}{_remark(why)}" for name, why in self._lists[word].items())
        units = {reference: each for reference, each in self._units.items() if each.orders or each.plan}
        if units:
            yield "\nunits:"
        for reference, each in units.items():
            yield f"  {_value(reference)}:{_remark(each.where)}"
            for word in (name for name in UNIT if name in each.orders):
                value, why = each.orders[word]
                yield f"    {word}: {_value(value)}{_remark(why)}"
            if each.plan:
                yield "    plan:"
            for word, entry, why in each.plan:
                yield f"      - {word}{'' if entry is None else f': {_value(entry)}'}{_remark(why)}"


def _value(value: Any) -> str:
    """A value in YAML's flow style."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_value(name)}: {_value(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    text = str(value)
    return text if isinstance(value, int) or _PLAIN.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _remark(text: str) -> str:
    return f"  # {_comment(text)}" if text else ""


def _comment(text: str) -> str:
    """A text that stays on its line, whatever is in it."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())
