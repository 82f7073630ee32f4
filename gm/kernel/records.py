"""Small immutable records of which a game has hundreds of classes: events, orders.

A plain dataclass writes and compiles six methods for each class, which costs a command more time at its start than it
then takes to run. Records share equality, hash and text through :class:`Record` and compile only what they must.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


class Record:
    """Equal to a record of the same class with equal fields."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash((type(self).__name__, *_values(self)))

    def __repr__(self) -> str:
        named = zip((field.name for field in fields(self)), _values(self), strict=True)  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in named)})"


def _values(record: Any) -> tuple[Any, ...]:
    return tuple(getattr(record, field.name) for field in fields(record))


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Decorate a subclass of :class:`Record` as a frozen dataclass with slots."""
    return dataclass(frozen=True, slots=True, eq=False, repr=False)(cls)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def keyword_record(cls: type[T]) -> type[T]:
    """The same, with fields that can only be given by name."""
    return dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)(cls)
