"""Small immutable records of which a game has hundreds of classes: events, orders, what reports are made of.

A plain dataclass writes and compiles six methods for each class, which costs a command more time at its start than it
then takes to run. Records share equality, hash, text and immutability through :class:`Record`; the one method that must
be their own, ``__init__``, is compiled when the first record of a class is made, which for most classes is never.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, fields
from functools import cache
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")


class Record:
    """Equal to a record of the same class with equal fields."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash((type(self).__name__, *_values(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (type(self), _values(self))

    def __repr__(self) -> str:
        named = zip(names_of(type(self)), _values(self), strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in named)})"


def _names_of(cls: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls))


names_of: Callable[[Any], tuple[str, ...]] = cache(_names_of)
"""The fields of a dataclass, in order."""


def _values_of(cls: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    names = getattr(cls, "model_names", None) or names_of(cls)
    if len(names) > 1:
        return attrgetter(*names)
    return lambda held: tuple(getattr(held, name) for name in names)


values_of: Callable[[Any], Callable[[Any], tuple[Any, ...]]] = cache(_values_of)
"""What gives the fields of an object of a dataclass, or of a class of values, all at once."""


def _values(record: Any) -> tuple[Any, ...]:
    return values_of(type(record))(record)


def setter(cls: type[Any], name: str) -> Callable[[Any, Any], None]:
    """What fills a field of a record that is being made: its slot itself, which is the quickest way there."""
    found: Callable[[Any, Any], None] = getattr(cls, name).__set__
    return found


def _setters_of(cls: type[Any]) -> tuple[Callable[[Any, Any], None], ...]:
    return tuple(setter(cls, name) for name in names_of(cls))


_setters: Callable[[Any], tuple[Callable[[Any, Any], None], ...]] = cache(_setters_of)


def changed(record: T, **fields: Any) -> T:
    """The record with some fields changed, like ``dataclasses.replace`` and a good deal faster. The names are right."""
    kept = dict(zip(names_of(type(record)), _values(record), strict=True))
    return _remade(type(record), (kept | fields).values())


def _remade(cls: type[T], values: Iterable[Any]) -> T:
    made = cls.__new__(cls)
    for put, value in zip(_setters(cls), values, strict=True):
        put(made, value)
    return made


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Decorate a subclass of :class:`Record` as a dataclass with slots whose instances cannot change."""
    return _record(cls, kw_only=False)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def keyword_record(cls: type[T]) -> type[T]:
    """The same, with fields that can only be given by name."""
    return _record(cls, kw_only=True)


def _record(cls: type[T], *, kw_only: bool) -> type[T]:
    # without a docstring, dataclass would work out a signature to put there
    cls.__doc__ = cls.__doc__ or cls.__name__
    made = dataclass(init=False, eq=False, repr=False, slots=True, kw_only=kw_only)(cls)
    made.__init__ = _Unwritten()  # type: ignore[assignment,method-assign]
    return made


class _Unwritten:
    """Stands in for ``__init__`` until somebody asks for it."""

    def __get__(self, instance: Any, cls: type[Any]) -> Any:
        cls.__init__ = _initialiser(cls)
        return cls.__init__ if instance is None else cls.__init__.__get__(instance, cls)


def _initialiser(cls: type[Any]) -> Any:
    """``__init__`` for a dataclass, as ``dataclasses`` would write it for a frozen one."""
    every = fields(cls)
    ordered, by_name = [each for each in every if not each.kw_only], [each for each in every if each.kw_only]
    star = ["*"] if by_name else []
    parameters = ["self", *map(_parameter, ordered), *star, *map(_parameter, by_name)]
    lines = [f"  set_{each.name}(self, {_argument(each)})" for each in every] or ["  pass"]
    known: dict[str, Any] = {"MISSING": MISSING} | {f"set_{each.name}": setter(cls, each.name) for each in every}
    known |= {f"default_of_{each.name}": each.default for each in every if each.default is not MISSING}
    known |= {f"make_{each.name}": each.default_factory for each in every if each.default_factory is not MISSING}
    text = [f"def write({', '.join(known)}):", f" def __init__({', '.join(parameters)}):", *lines, " return __init__"]
    written: dict[str, Any] = {}
    # the text is made of field names of our own classes, as in dataclasses itself
    exec("\n".join(text), vars(sys.modules[cls.__module__]), written)  # noqa: S102
    initialiser = written["write"](**known)
    initialiser.__qualname__ = f"{cls.__qualname__}.__init__"
    initialiser.__annotations__ = {each.name: each.type for each in every} | {"return": None}
    return initialiser


def _parameter(field: Field[Any]) -> str:
    if field.default is not MISSING:
        return f"{field.name}=default_of_{field.name}"
    return field.name if field.default_factory is MISSING else f"{field.name}=MISSING"


def _argument(field: Field[Any]) -> str:
    if field.default_factory is MISSING:
        return field.name
    return f"make_{field.name}() if {field.name} is MISSING else {field.name}"
