"""What values look like, by their annotations, for the quick look that nearly all of them pass.

A shape says yes to what is exactly right, and makes right what plain data (JSON) writes otherwise: a list for a tuple,
a name for a member of an enumeration, text for a decimal or a date. Whatever else there is, it leaves to pydantic,
which knows many more forms and says what is wrong (:mod:`gm.core.thorough`): whatever a shape accepts, pydantic would
accept too, and would make the same of it.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from enum import Enum
from functools import cache
from typing import Any, NamedTuple

from gm.core.frozen import FrozenMap


class UnfitError(Exception):
    """Not of this shape at the first look."""


class NoShapeError(Exception):
    """An annotation that only pydantic understands."""


class Shape(NamedTuple):
    """``fit`` gives the value as it should be, or raises ``UnfitError``; of the type ``exact`` everything is right, and
    so is ``None`` when it is ``optional``."""

    fit: Callable[[Any], Any]
    exact: type | None = None
    optional: bool = False


_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{6})?)?(Z|[+-]\d\d:\d\d)?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,40}(\.\d{1,40})?", re.ASCII)


@cache
def shape_of(annotation: Any) -> Shape:
    """The shape of what an annotation means. Raises ``NoShapeError``."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if origin in (typing.Union, types.UnionType) and len(arguments) == 2 and arguments[1] is types.NoneType:
        return _optional(shape_of(arguments[0]))
    if origin is tuple:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return _collection(tuple, (tuple, list), shape_of(arguments[0]))
        return _fixed(tuple(map(shape_of, arguments)))
    if origin is frozenset:
        return _collection(frozenset, (frozenset, set, list, tuple), shape_of(arguments[0]))
    if origin is FrozenMap:
        return _mapping(shape_of(arguments[0]), shape_of(arguments[1]))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _member(annotation)
    if isinstance(annotation, type) and hasattr(annotation, "model_quick"):
        return _value(annotation)
    raise NoShapeError(annotation)


def _exactly(kind: type) -> Shape:
    def fit(given: Any) -> Any:
        if type(given) is kind:
            return given
        raise UnfitError

    return Shape(fit, kind)


def _real(given: Any) -> float:
    if type(given) is float:
        return given
    if type(given) is int:
        return float(given)
    raise UnfitError


def _decimal(given: Any) -> Decimal:
    kind = type(given)
    if kind is Decimal:
        if given.is_finite():
            return given  # type: ignore[no-any-return]
    elif kind is int or (kind is str and _NUMBER.fullmatch(given)):
        try:
            return Decimal(given)
        except InvalidOperation:
            raise UnfitError from None
    raise UnfitError


def _from_iso(kind: type[datetime] | type[date], pattern: re.Pattern[str]) -> Shape:
    def fit(given: Any) -> Any:
        if type(given) is kind:
            return given
        if type(given) is str and pattern.fullmatch(given):
            try:
                return kind.fromisoformat(given)
            except ValueError:
                raise UnfitError from None
        raise UnfitError

    return Shape(fit)


_PLAIN: Mapping[Any, Shape] = {
    str: _exactly(str),
    int: _exactly(int),
    bool: _exactly(bool),
    float: Shape(_real, float),
    Decimal: Shape(_decimal),
    datetime: _from_iso(datetime, _MOMENT),
    date: _from_iso(date, _DAY),
    Any: Shape(lambda given: given),
}


def _member(kind: type[Enum]) -> Shape:
    members = {member.value: member for member in kind}

    def fit(given: Any) -> Any:
        if type(given) is kind:
            return given
        if type(given) is str and given in members:
            return members[given]
        raise UnfitError

    return Shape(fit, kind)


def _value(kind: Any) -> Shape:
    def fit(given: Any) -> Any:
        if isinstance(given, kind):
            return given
        if type(given) is dict:
            return kind.model_quick(given)
        raise UnfitError

    return Shape(fit, kind)


def _optional(inner: Shape) -> Shape:
    fit = inner.fit
    return Shape(lambda given: None if given is None else fit(given), inner.exact, optional=True)


def _always(item: Shape) -> type | None:
    """The type of which each item is right, if there is one alone."""
    return None if item.optional else item.exact


_SHORT = 8


def _are(items: Any, kind: type) -> bool:
    """Whether all items are of exactly this type."""
    if len(items) > _SHORT:
        return set(map(type, items)) <= {kind}
    for each in items:  # noqa: SIM110 - quicker than the sets, and than all()
        if type(each) is not kind:
            return False
    return True


def _collection(kind: type, forms: tuple[type, ...], item: Shape) -> Shape:
    exact = _always(item)

    def fit(given: Any) -> Any:
        if type(given) not in forms:
            raise UnfitError
        if exact is not None and _are(given, exact):
            return given if type(given) is kind else kind(given)
        return kind(map(item.fit, given))

    return Shape(fit)


def _fixed(items: tuple[Shape, ...]) -> Shape:
    exact = tuple(map(_always, items))
    fits = tuple(each.fit for each in items)

    def fit(given: Any) -> Any:
        if type(given) not in (tuple, list):
            raise UnfitError
        if tuple(map(type, given)) == exact:
            return given if type(given) is tuple else tuple(given)
        if len(given) != len(fits):
            raise UnfitError
        return tuple(check(each) for check, each in zip(fits, given, strict=True))

    return Shape(fit)


def _mapping(key: Shape, value: Shape) -> Shape:
    of_keys, of_values = _always(key), _always(value)

    def fit(given: Any) -> Any:
        if type(given) is FrozenMap:
            if given.has_passed(fit):
                return given
        elif type(given) is not dict:
            raise UnfitError
        keys, values = given.keys(), given.values()
        keys_fit = of_keys is not None and _are(keys, of_keys)
        values_fit = of_values is not None and _are(values, of_values)
        if keys_fit and values_fit:
            return FrozenMap.keeping(given, fit)
        keys = keys if keys_fit else map(key.fit, keys)
        values = values if values_fit else map(value.fit, values)
        return FrozenMap.keeping(dict(zip(keys, values, strict=True)), fit)

    return Shape(fit)
