"""Writing an order file as a player would: headquarters, then each unit, with a comment on why."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from gm.game.values import View
from gm.games.medieval.orders.grammar import FORMAT, HEADQUARTERS, UNIT

PlainOrder = str | int | bool | list[str] | Mapping[str, Any]
"""A value as the grammar has it: a word, a number, an answer, a list, or names with such values."""

_PLAIN = re.compile(r"[A-Z]{3}|[A-Z]{3}/[AFG]\d{1,3}|[AFG]\d{1,5}")
"""Codes and ids of units: everything else is quoted, whatever a map calls its places."""

_BLANKS = re.compile(r"\s+")


class UnitSheet:
    """The orders of one unit. ``where`` stands beside its id, for people."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.orders: dict[str, tuple[PlainOrder, str]] = {}
        self.plan: list[tuple[str, PlainOrder | None, str]] = []

    def order(self, word: str, value: PlainOrder, why: str = "") -> None:
        """Order something besides the plan; a second time, the later order stands."""
        self.orders[word] = (value, why)

    def add(self, word: str, name: str, value: object, why: str = "") -> None:
        """Add to an order that is made of names with values, like ``recruit: {Archers: 2}``."""
        known, reason = self.orders.get(word, ({}, ""))
        assert isinstance(known, Mapping)  # noqa: S101 - the grammar's shape of such a word
        self.orders[word] = ({**known, name: value}, why or reason)

    def then(self, word: str, value: PlainOrder | None = None, why: str = "") -> None:
        """Add an entry to the plan."""
        self.plan.append((word, value, why))


class Sheet:
    """One realm's order file in the making."""

    def __init__(self, view: View, bot: str) -> None:
        self._view = view
        self._bot = bot
        self._lists: dict[str, dict[str, str]] = {}
        self._units: dict[str, UnitSheet] = {}

    def headquarters(self, word: str, name: str, why: str = "") -> None:
        """Add a name to one of the headquarters' lists, like ``declare_war`` or ``annex``."""
        self._lists.setdefault(word, {})[name] = why

    def unit(self, reference: str, where: str = "") -> UnitSheet:
        """The orders of a unit, by its id, or by its province for a garrison."""
        return self._units.setdefault(reference, UnitSheet(where))

    def ordered(self, reference: str) -> UnitSheet | None:
        """The orders of a unit, if it has any yet."""
        return self._units.get(reference)

    def data(self) -> bytes:
        """The file."""
        return ("\n".join(self._lines()) + "\n").encode()

    def _lines(self) -> Iterable[str]:
        view = self._view
        yield f"# Turn {view.turn}: the orders of {_comment(view.realm)}, written by the bot '{self._bot}'."
        yield f"orders: {FORMAT}"
        yield f"game: {_quoted(view.game)}"
        yield f"realm: {_quoted(view.realm)}"
        yield f"turn: {view.turn}"
        yield f"key: {_quoted(view.key)}"
        words = [word for word in HEADQUARTERS if word in self._lists]
        if words:
            yield ""
            yield "headquarters:"
        for word in words:
            yield f"  {word}:"
            for name, why in self._lists[word].items():
                yield f"    - {_value(name)}{_remark(why)}"
        units = {reference: each for reference, each in self._units.items() if each.orders or each.plan}
        if units:
            yield ""
            yield "units:"
        for reference, each in units.items():
            yield f"  {_value(reference)}:{_remark(each.where)}"
            for word in (name for name in UNIT if name in each.orders):
                value, why = each.orders[word]
                yield f"    {word}: {_value(value)}{_remark(why)}"
            if each.plan:
                yield "    plan:"
            for word, entry, why in each.plan:
                yield f"      - {word}{'' if entry is None else f': {_value(entry)}'}{_remark(why)}"


def _value(value: object) -> str:
    """A value in YAML's flow style."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) else _quoted(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_value(name)}: {_value(each)}" for name, each in value.items()) + "}"
    if isinstance(value, Iterable):
        return "[" + ", ".join(_value(each) for each in value) + "]"
    raise TypeError(f"{value!r} is nothing that an order file can hold")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _remark(text: str) -> str:
    return f"  # {_comment(text)}" if text else ""


def _comment(text: str) -> str:
    """A text that stays on its line, whatever is in it."""
    return _BLANKS.sub(" ", "".join(each if each.isprintable() else " " for each in text)).strip()
