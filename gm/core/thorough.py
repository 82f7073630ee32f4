"""The thorough look at a value: by pydantic, which is only imported when the quick one (:mod:`gm.core.shapes`) does
not do. Importing it and building its schemas takes longer than most commands run."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from types import FunctionType, new_class
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, field_validator, model_validator
from pydantic_core import CoreSchema, core_schema

from gm.core.values import Value, derived

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler


class Twin(BaseModel):
    """What the pydantic models of all values have in common."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=False, arbitrary_types_allowed=False)


_TWINS: dict[type[Value], type[BaseModel]] = {}


def twin(cls: type[Value]) -> type[BaseModel]:
    """The pydantic model with the fields, defaults and checks of a class of values."""
    if cls not in _TWINS:
        _TWINS[cls] = _made(cls)
    return _TWINS[cls]


def _made(cls: type[Value]) -> type[BaseModel]:
    bases = tuple(twin(base) for base in cls.__bases__ if issubclass(base, Value) and base is not Value)
    own = {name: _for_pydantic(held) for name, held in vars(cls).items() if not _of_values(name)}
    named = {"__module__": cls.__module__, "__qualname__": cls.__qualname__}
    annotations = {"__annotations__": dict(vars(cls).get("__annotations__", {}))}
    made: type[BaseModel] = new_class(
        cls.__name__, bases or (Twin,), exec_body=lambda body: body.update({**own, **named, **annotations})
    )
    return made


def _of_values(name: str) -> bool:
    """Whether an entry of a class belongs to how values work, and not to what this class of them is."""
    return name.startswith("__") or name in vars(Value)


def _for_pydantic(held: Any) -> Any:
    if isinstance(held, derived):
        return cached_property(held.make)
    if hasattr(held, "checks_fields"):
        return field_validator(*held.checks_fields)(held)
    if isinstance(held, FunctionType) and hasattr(held, "checks_whole"):
        return model_validator(mode="after")(_returning_itself(held))
    return held


def _returning_itself(check: Callable[[Any], None]) -> Callable[[Any], Any]:
    def validate(self: Any) -> Any:
        check(self)
        return self

    return validate


def validated(cls: type[Value], given: Any) -> dict[str, Any]:
    """The fields of a new value. Raises ``pydantic.ValidationError``."""
    return _fields(cls, twin(cls).model_validate(given))


def _fields(cls: type[Value], made: BaseModel) -> dict[str, Any]:
    return {name: made.__dict__[name] for name in cls.model_names}


def refuse_change(value: Value, name: str, to: object) -> None:
    """Raise what pydantic raises when something tries to change a frozen value."""
    setattr(twin(type(value)).model_construct(**value.model_content()), name, to)


def schema(cls: type[Value], handler: GetCoreSchemaHandler) -> CoreSchema:
    """How pydantic is to look at such values where they stand in something else."""

    def validate(given: Any, check: Callable[[Any], BaseModel]) -> Value:
        return given if isinstance(given, cls) else cls.model_made(_fields(cls, check(given)))

    return core_schema.no_info_wrap_validator_function(
        validate,
        handler.generate_schema(twin(cls)),
        serialization=core_schema.plain_serializer_function_ser_schema(lambda value: value.model_dump()),
    )
