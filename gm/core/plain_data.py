"""Values as plain data (JSON) and back.

A state has thousands of values of a dozen classes, and nearly all of the time of reading and writing it is spent here.
So what is to be done with a class is found out once, and for classes of values it is compiled from the shapes of their
fields (:mod:`gm.core.shapes`): a loop over these would take twice as long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from gm.core.frozen import FrozenMap
from gm.core.records import names_of, values_of
from gm.core.shapes import Shape

T = TypeVar("T")

_AS_IT_IS = frozenset({str, int, bool, float, type(None)})


def plain(value: Any) -> Any:
    """``value`` as JSON data: dataclasses and mappings become objects, decimals become text."""
    kind = type(value)
    return value if kind in _AS_IT_IS else _PLAIN[kind](value)


class ByClass(dict[type, Callable[[Any], T]]):
    """What is done with a value, by its class. For classes that are not ``known`` it is found out when the first of
    their values is met."""

    def __init__(
        self, find_out: Callable[[type], Callable[[Any], T]], known: Mapping[type, Callable[[Any], T]]
    ) -> None:
        super().__init__(known)
        self._find_out = find_out

    def __missing__(self, kind: type) -> Callable[[Any], T]:
        found = self[kind] = self._find_out(kind)
        return found


def _plain_form(kind: Any) -> Callable[[Any], Any]:
    write = kind.model_writer() if hasattr(kind, "model_writer") else None
    if write is not None:
        return lambda value: write(value.__dict__)
    names = field_names(kind)
    if names is not None:
        values = values_of(kind)
        return lambda value: {name: plain(each) for name, each in zip(names, values(value), strict=True)}
    if issubclass(kind, Enum):
        return lambda value: value._value_
    if issubclass(kind, Mapping):
        return _entries
    if issubclass(kind, (set, frozenset)):
        return lambda value: sorted(plain(item) for item in value)
    if issubclass(kind, date):
        return lambda value: value.isoformat().replace("+00:00", "Z")
    raise TypeError(f"an event holds something that has no plain form: {kind.__name__}")


def _items(values: tuple[Any, ...] | list[Any]) -> list[Any]:
    return [each if type(each) in _AS_IT_IS else _PLAIN[type(each)](each) for each in values]


def _entries(values: Mapping[Any, Any]) -> dict[str, Any]:
    return {
        key if type(key) is str else str(plain(key)): each if type(each) in _AS_IT_IS else _PLAIN[type(each)](each)
        for key, each in values.items()
    }


_PLAIN: ByClass[Any] = ByClass(
    _plain_form, {tuple: _items, list: _items, Decimal: str, dict: _entries, FrozenMap: _entries}
)


@cache
def field_names(kind: Any) -> tuple[str, ...] | None:
    """The fields of a dataclass or value; none for any other type. Asked for every value of every log."""
    if hasattr(kind, "model_names"):
        return tuple(kind.model_names)
    return names_of(kind) if is_dataclass(kind) else None


def reader(fields: Mapping[str, Shape]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Plain data -> the fields of a value. What it makes raises ``KeyError`` for a field that is not there, and what
    the shapes raise; it does not see fields that are too many."""
    names: dict[str, Any] = {}
    parts = []
    for name, shape in fields.items():
        names |= {f"fit_{name}": shape.fit, f"exact_{name}": shape.exact}
        given = f"given['{name}']"
        if shape.exact is None:
            parts.append(f"'{name}': fit_{name}({given})")
        elif shape.optional:
            parts.append(f"'{name}': v if (v := {given}) is None or type(v) is exact_{name} else fit_{name}(v)")
        else:
            parts.append(f"'{name}': v if type(v := {given}) is exact_{name} else fit_{name}(v)")
    return _compiled("given", parts, names)


def writer(fields: Mapping[str, Shape]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The fields of a value -> plain data."""
    parts = [
        f"'{name}': held['{name}']" if shape.exact in _AS_IT_IS else f"'{name}': plain(held['{name}'])"
        for name, shape in fields.items()
    ]
    return _compiled("held", parts, {"plain": plain})


def _compiled(given: str, parts: list[str], names: dict[str, Any]) -> Callable[[Any], dict[str, Any]]:
    # made of field names of our own classes alone
    found: Callable[[Any], dict[str, Any]] = eval(f"lambda {given}: {{{', '.join(parts)}}}", names)  # noqa: S307
    return found
