"""Immutable values with one validating way to change them.

Pydantic's ``frozen`` is shallow and its ``model_copy(update=...)`` neither validates nor refuses a misspelt field, so
state is built from :class:`Value`, whose mappings are :class:`FrozenMap` and whose only change is :meth:`Value.evolve`.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Annotated, Any, Self, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, PlainSerializer, ValidatorFunctionWrapHandler
from pydantic_core import CoreSchema, core_schema

K = TypeVar("K")
V = TypeVar("V")

CENT = Decimal("0.01")

NameSet = Annotated[frozenset[str], PlainSerializer(sorted, return_type=list[str])]
"""A set of names that is written in alphabetical order, so that equal states give equal bytes."""


class FrozenMap(Mapping[K, V]):
    """A mapping that cannot change; it keeps the order in which it was built and equals any equal mapping."""

    __slots__ = ("_checked", "_items")

    def __init__(self, items: Mapping[K, V] | None = None) -> None:
        self._items: dict[K, V] = dict(items) if items else {}
        self._checked: object = None

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    # the dict's own views: those that Mapping would make ask for every item one by one

    def keys(self) -> KeysView[K]:
        return self._items.keys()

    def values(self) -> ValuesView[V]:
        return self._items.values()

    def items(self) -> ItemsView[K, V]:
        return self._items.items()

    def __repr__(self) -> str:
        return f"FrozenMap({self._items!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FrozenMap):
            return self._items == other._items
        return self._items == other

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def with_item(self, key: K, value: V) -> FrozenMap[K, V]:
        """A copy in which ``key`` has ``value``. Copies everything: for many changes build a dict once."""
        return FrozenMap({**self._items, key: value})

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        arguments = get_args(source) or (Any, Any)
        as_dict = handler.generate_schema(dict[arguments[0], arguments[1]])  # type: ignore[valid-type]
        checked = object()

        def validate(given: Any, validate_dict: ValidatorFunctionWrapHandler) -> FrozenMap[Any, Any]:
            # a map that this very field has validated cannot have changed since: a state that evolves in one field
            # does not pay for all the others
            if isinstance(given, FrozenMap):
                if given._checked is checked:
                    return given
                given = given._items
            found: FrozenMap[Any, Any] = cls(validate_dict(given))
            found._checked = checked
            return found

        return core_schema.no_info_wrap_validator_function(
            validate,
            as_dict,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value, info: dict(value._items), info_arg=True, return_schema=as_dict
            ),
        )


class Value(BaseModel):
    """A frozen record that refuses unknown fields. ``evolve`` is the only way to get a changed one."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=False, arbitrary_types_allowed=False)

    def evolve(self, **changes: Any) -> Self:
        """A copy with some fields changed, validated like a new value.

        Raises ``pydantic.ValidationError`` for a field that does not exist or a value that does not fit.
        """
        if not changes:
            return self
        # the fields only: cached properties live in __dict__ too
        fields = {name: self.__dict__[name] for name in type(self).model_fields}
        return type(self)(**{**fields, **changes})


def to_cents(amount: Decimal | Fraction | int) -> Decimal:
    """``amount`` rounded half up to 1/100 (W10): each operation on gold rounds once, here."""
    if isinstance(amount, Fraction):
        # exact: a Fraction's nearest cent, halves away from zero for the positive sums of the game
        return Decimal((amount * 200 + 1).__floor__() // 2) * CENT
    return Decimal(amount).quantize(CENT, ROUND_HALF_UP)


def percent_of(amount: Decimal, percent: Decimal | int) -> Decimal:
    """``percent`` percent of ``amount``, rounded half up to 1/100 (W10)."""
    return to_cents(amount * percent / 100)
