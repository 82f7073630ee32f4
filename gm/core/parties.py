"""The parties that an event concerns: those whose code, or whose unit's key, is in one of its fields."""

from collections.abc import Mapping, Set
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any, get_args

import msgspec
from msgspec import structs

from gm.core.values import Event

CODE = 3  # letters of a party's code; a unit's key is its party's code, a slash and its name
_NO_TEXT = (int, float, Decimal, Enum, type(None))


def parties_named(event: Event, free_text: Set[str]) -> frozenset[str]:
    """Return the codes in an event's own fields, however deep, without fields whose name is in ``free_text``.

    There may be other texts of the form of a code among them: the caller knows which parties there are.
    """
    names = [name for name in _fields(type(event), free_text) if name not in Event.__struct_fields__]
    codes: set[str] = set()
    waiting = [getattr(event, name) for name in names]
    for value in waiting:  # which grows while it is read, by what each value contains
        if isinstance(value, str):
            # a code, or the key of a unit, which begins with one
            if len(value) == CODE or value[CODE : CODE + 1] == "/":
                codes.add(value[:CODE])
        elif isinstance(value, tuple | frozenset):
            waiting += value
        elif isinstance(value, msgspec.Struct):
            waiting += [getattr(value, name) for name in _fields(type(value), free_text)]
        elif isinstance(value, Mapping):
            waiting += (*value, *value.values())
    return frozenset(codes)


@cache
def _fields(kind: type[msgspec.Struct], free_text: Set[str]) -> tuple[str, ...]:
    """Return the names of a class's fields that can hold a code, except those in ``free_text``."""
    fields = structs.fields(kind)
    return tuple(field.name for field in fields if field.name not in free_text and _has_text(field.type))


def _has_text(kind: Any) -> bool:
    """Return whether a value of this type can be a text or contain one."""
    inner = get_args(kind)
    if inner:
        return any(_has_text(part) for part in inner if part is not Ellipsis)
    return not (isinstance(kind, type) and issubclass(kind, _NO_TEXT))
