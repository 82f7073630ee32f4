"""A mapping that cannot change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, get_args

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

K = TypeVar("K")
V = TypeVar("V")


class FrozenMap(dict[K, V]):
    """A mapping that cannot change; it keeps the order in which it was built and equals any equal mapping.

    It is a dict, whose looking up and going through nothing equals; whatever would change it raises ``TypeError``.
    """

    __slots__ = ("_checked",)

    def __init__(self, items: Mapping[K, V] | None = None) -> None:
        super().__init__(items or {})
        self._checked: object = None

    @classmethod
    def keeping(cls, items: dict[K, V], checked: object) -> FrozenMap[K, V]:
        """A map of ``items``; ``checked`` stands for the check that they have passed."""
        made = cls(items)
        made._checked = checked
        return made

    def has_passed(self, check: object) -> bool:
        """Whether this map was made by such a check: it cannot have changed since, and need not be checked again."""
        return self._checked is check

    def _refuse(self, *_given: Any, **_named: Any) -> NoReturn:
        raise TypeError("a FrozenMap cannot be changed")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __repr__(self) -> str:
        return f"FrozenMap({super().__repr__()})"

    def __reduce__(self) -> tuple[Any, ...]:
        # what has checked it is this process' own
        return type(self), (dict(self),)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def with_item(self, key: K, value: V) -> FrozenMap[K, V]:
        """A copy in which ``key`` has ``value``. Copies everything: for many changes build a dict once."""
        return FrozenMap({**self, key: value})

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        arguments = get_args(source) or (Any, Any)
        as_dict = handler.generate_schema(dict[arguments[0], arguments[1]])  # type: ignore[valid-type]
        checked = object()

        def validate(given: Any, validate_dict: Any) -> FrozenMap[Any, Any]:
            # a map that this very field has validated cannot have changed since: a state that evolves in one field
            # does not pay for all the others
            if isinstance(given, FrozenMap) and given.has_passed(checked):
                return given
            return cls.keeping(validate_dict(given), checked)

        return core_schema.no_info_wrap_validator_function(
            validate,
            as_dict,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value, info: dict(value), info_arg=True, return_schema=as_dict
            ),
        )
