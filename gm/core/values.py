"""Immutable values with one validating way to change them.

State is built from :class:`Value`, whose mappings are :class:`FrozenMap` and whose only change is :meth:`Value.evolve`.
What is put in gets a quick look (:mod:`gm.core.shapes`); what does not pass that goes through pydantic, which
knows more forms and says what is wrong. A class may also use pydantic's own ``Field`` and validators; then all its
values go that way.
"""

from __future__ import annotations

import json
import typing
from collections.abc import Callable, Collection, Mapping
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from gm.core.frozen import FrozenMap
from gm.core.plain_data import plain, reader, writer
from gm.core.records import values_of
from gm.core.shapes import NoShapeError, Shape, UnfitError, shape_of

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

__all__ = [
    "CENT",
    "FrozenMap",
    "NameSet",
    "Value",
    "check_fields",
    "check_whole",
    "derived",
    "first_problem",
    "percent_of",
    "to_cents",
]

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

CENT = Decimal("0.01")

NameSet = frozenset[str]
"""A set of names; it is written in alphabetical order, so that equal states give equal bytes."""


def check_fields(*names: str) -> Callable[[F], F]:
    """Decorate a function ``value -> value`` in a class of values as a check of these fields, after their types.

    It raises ``ValueError``, in words for people, for what the field may not hold.
    """

    def decorate(check: F) -> F:
        check.checks_fields = names  # type: ignore[attr-defined]
        return check

    return decorate


def check_whole(check: F) -> F:
    """Decorate a method as a check of the finished value: it raises ``ValueError`` when the fields do not fit."""
    check.checks_whole = True  # type: ignore[attr-defined]
    return check


class derived(Generic[T]):  # noqa: N801 - a decorator
    """A property of a value that is worked out once.

    ``functools.cached_property`` takes a lock for it, which costs more than most of them do: two threads that work out
    the same at a time do no harm.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, value: Any, owner: type) -> T:
        if value is None:
            return self  # type: ignore[return-value]
        found = value.__dict__[self._name] = self.make(value)
        return found


class _FromTwin:
    """What the pydantic model of a class of values says of it; it is only made when it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, cls: type[Value]) -> Any:
        from gm.core.thorough import twin

        return getattr(twin(cls), self._name)


class Value:
    """A frozen record that refuses unknown fields. ``evolve`` is the only way to get a changed one."""

    model_names: ClassVar[tuple[str, ...]] = ()
    """Its fields, in order."""
    model_defaults: ClassVar[Mapping[str, Any]] = {}
    """What a field holds that is not given, for those that may be left out."""
    model_roots: ClassVar[frozenset[str]] = frozenset()
    """The fields that all its derived properties come from, if a copy with the same may keep them."""
    model_fields: ClassVar[Any] = _FromTwin("model_fields")
    """What pydantic knows of the fields: descriptions, limits."""
    model_json_schema: ClassVar[Any] = _FromTwin("model_json_schema")
    """The function that gives the JSON Schema of such values."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        own = [name for name, said in _annotations(cls).items() if not str(said).startswith("ClassVar")]
        cls.model_names = tuple(dict.fromkeys((*cls.model_names, *own)))
        cls.model_defaults = {
            **cls.model_defaults,
            **{name: cls.__dict__[name] for name in own if name in cls.__dict__},
        }

    def __init__(self, **fields: Any) -> None:
        """Raises ``pydantic.ValidationError``, a ``ValueError``, for fields that are missing, unknown or do not fit."""
        try:
            found = type(self)._fitted(fields)
        except (UnfitError, ValueError):
            from gm.core.thorough import validated

            found = validated(type(self), fields)
        self.__dict__.update(found)

    @classmethod
    def model_made(cls, fields: Mapping[str, Any]) -> Self:
        """The value with exactly these fields, which have been checked."""
        made = cls.__new__(cls)
        made.__dict__.update(fields)
        return made

    def evolve(self, **changes: Any) -> Self:
        """A copy with some fields changed, validated like a new value.

        Raises ``pydantic.ValidationError`` for a field that does not exist or a value that does not fit.
        """
        if not changes:
            return self
        cls = type(self)
        look = _LOOKS.get(cls) or _look_at(cls)
        fits = look.fits
        if look.checks or not fits:
            return cls(**{**self.model_content(), **changes})
        made: Self = _new(cls)
        held, fields = self.__dict__, made.__dict__
        roots = cls.model_roots
        if len(held) == len(fits) or (roots and roots.isdisjoint(changes)):
            fields.update(held)
        else:
            fields.update(self.model_content())
        try:
            for name, value in changes.items():
                fields[name] = fits[name](value)
        except (KeyError, UnfitError):
            return cls(**{**self.model_content(), **changes})
        return made

    def model_content(self) -> dict[str, Any]:
        """Its fields by name; cached properties, which live in the same place, are none."""
        return dict(zip(self.model_names, values_of(type(self))(self), strict=True))

    # -- as plain data -----------------------------------------------------------------------------------------------

    @classmethod
    def model_validate(cls, data: Any) -> Self:
        """The value that plain data tells of. Raises ``pydantic.ValidationError``, a ``ValueError``."""
        if isinstance(data, cls):
            return data
        try:
            return cls.model_quick(data)
        except (UnfitError, ValueError, TypeError):
            from gm.core.thorough import validated

            return cls.model_made(validated(cls, data))

    @classmethod
    def model_validate_json(cls, text: str | bytes) -> Self:
        """The same for JSON. Raises ``ValueError``."""
        return cls.model_validate(json.loads(text))

    def model_dump(self, *, mode: str = "json", exclude: Collection[str] = ()) -> dict[str, Any]:
        """The fields as plain data, in order, but those to ``exclude``. Sets are sorted."""
        return {name: plain(self.__dict__[name]) for name in self.model_names if name not in exclude}

    @classmethod
    def model_writer(cls) -> Callable[[dict[str, Any]], dict[str, Any]] | None:
        """What makes plain data of the fields of such a value; none for a class that only pydantic understands."""
        return (_LOOKS.get(cls) or _look_at(cls)).write

    def model_dump_json(self) -> str:
        """The same as JSON, in one line."""
        return json.dumps(self.model_dump(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def model_quick(cls, fields: Mapping[str, Any]) -> Self:
        """A value whose fields are right at the first look. Raises ``UnfitError`` or ``ValueError`` when one is not."""
        return cls.model_made(cls._fitted(fields))

    # -- the quick look ----------------------------------------------------------------------------------------------

    @classmethod
    def _fitted(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        look = _LOOKS.get(cls) or _look_at(cls)
        fits, checks = look.fits, look.checks
        if not fits:
            raise UnfitError
        if len(given) == len(fits):
            try:
                found = look.read(given)
            except KeyError:
                raise UnfitError from None
            return cls._checked(found, checks) if checks else found
        defaults, found, left = cls.model_defaults, {}, len(given)
        for name, fit in fits.items():
            if name in given:
                found[name] = fit(given[name])
                left -= 1
            elif name in defaults:
                found[name] = defaults[name]
            else:
                raise UnfitError
        if left:
            raise UnfitError
        return cls._checked(found, checks)

    @classmethod
    def _checked(cls, found: dict[str, Any], checks: tuple[Callable[[Any], Any], ...]) -> dict[str, Any]:
        made = cls.model_made(found)
        for check in checks:
            check(made)
        return found

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from gm.core.thorough import schema

        return schema(cls, handler)

    # -- a value among others ----------------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: object) -> None:
        from gm.core.thorough import refuse_change

        refuse_change(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not type(self):
            return NotImplemented
        mine, others = self.__dict__, other.__dict__
        return all(mine[name] == others[name] for name in self.model_names)

    def __hash__(self) -> int:
        return hash((type(self), *values_of(type(self))(self)))

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.model_content().items())})"
        )


def _annotations(cls: type) -> Mapping[str, Any]:
    """The annotations in a class's own body."""
    found: Mapping[str, Any] = vars(cls).get("__annotations__", {})
    return found


_new = object.__new__


class _Look(NamedTuple):
    """How the values of a class are looked at: ``fits`` looks at each field, by name (none: pydantic has to),
    ``checks`` at the whole. ``read`` and ``write`` are those of :mod:`gm.core.plain_data`."""

    fits: Mapping[str, Callable[[Any], Any]] = {}
    checks: tuple[Callable[[Any], Any], ...] = ()
    read: Callable[[Mapping[str, Any]], dict[str, Any]] = dict
    write: Callable[[dict[str, Any]], dict[str, Any]] | None = None


_LOOKS: dict[type[Value], _Look] = {}


def _look_at(cls: type[Value]) -> _Look:
    """Worked out when the first value of a class is made: for most classes that is never."""
    found = _LOOKS[cls] = _found_out(cls)
    return found


def _found_out(cls: type[Value]) -> _Look:
    held = {name: each for base in reversed(cls.__mro__) for name, each in vars(base).items()}
    if any(type(each).__module__.startswith("pydantic") for each in held.values()):
        return _Look()
    hints = typing.get_type_hints(cls, include_extras=True)
    try:
        shapes = {name: shape_of(hints[name]) for name in cls.model_names}
    except NoShapeError:
        return _Look()
    write = writer(shapes)
    for each in held.values():
        for name in getattr(each, "checks_fields", ()):
            shapes[name] = Shape(_both(shapes[name].fit, each.__func__))
    fits = {name: shape.fit for name, shape in shapes.items()}
    checks = tuple(each for each in held.values() if hasattr(each, "checks_whole"))
    return _Look(fits, checks, reader(shapes), write)


def _both(fit: Callable[[Any], Any], check: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda given: check(fit(given))


def to_cents(amount: Decimal | Fraction | int) -> Decimal:
    """``amount`` rounded half up to 1/100 (W10): each operation on gold rounds once, here."""
    if isinstance(amount, Fraction):
        # exact: a Fraction's nearest cent, halves away from zero for the positive sums of the game
        return Decimal((amount * 200 + 1).__floor__() // 2) * CENT
    return Decimal(amount).quantize(CENT, ROUND_HALF_UP)


def percent_of(amount: Decimal, percent: Decimal | int) -> Decimal:
    """``percent`` percent of ``amount``, rounded half up to 1/100 (W10)."""
    return to_cents(amount * percent / 100)


def first_problem(error: ValueError) -> str:
    """What was wrong with plain data, as far as it takes to say so in half a sentence."""
    errors = getattr(error, "errors", None)
    return str(errors()[0]["msg"]) if errors else str(error)
