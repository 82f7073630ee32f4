"""pydantic models for YAML that people write.

pydantic finds all errors of a file at once, with their places. :class:`YamlModel` is the base of models that
are written by hand. Of a struct (``gm.core.values``), a model is made of its fields when a file does not fit.
"""

from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Self, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import structs
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    TypeAdapter,
    create_model,
    field_validator,
)
from pydantic_core import CoreSchema, core_schema

from gm.core.codec import to_plain
from gm.core.values import Value

T = TypeVar("T")


class YamlModel(BaseModel):
    """An immutable pydantic model that refuses unknown fields."""

    # what a class is for in the program is not for readers of a schema
    model_config = ConfigDict(
        frozen=True, extra="forbid", json_schema_extra=lambda schema: schema.pop("description", None)
    )

    def evolve(self, **changes: Any) -> Self:
        """Return a copy with some fields changed, validated like a new one."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**{**fields, **changes})


class _StructSchema:
    """Makes pydantic validate a struct, which it does not know, by a model with the struct's fields."""

    def __get_pydantic_core_schema__(self, source: type[Value], handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the struct ``source``; pydantic calls this."""

        def validate(data: Any, validate_model: Any) -> Value:
            """Return the struct made of data; ``validate_model`` makes pydantic's model of them."""
            if isinstance(data, source):
                return data
            # not dict(model), which would take a field called ``keys`` for the method of a mapping
            return source(**dict(iter(validate_model(data))))

        model = model_of(source)
        plain = core_schema.plain_serializer_function_ser_schema(to_plain)
        schema = handler.generate_schema(model)
        return core_schema.no_info_wrap_validator_function(validate, schema, serialization=plain)


STRUCT = _StructSchema()  # marks a struct in a :class:`YamlModel`: ``players: Annotated[Players, STRUCT]``


def validated(data: Any, kind: type[T]) -> T:
    """Return plain data as a struct or a model. Raises ``pydantic.ValidationError`` with all faults."""
    return cast("T", _adapter(cast("Any", kind)).validate_python(data))


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    """Return pydantic's validator of a struct or a model."""
    return TypeAdapter(_annotation(kind))


@cache
def model_of(cls: type[Value]) -> type[YamlModel]:
    """Return a pydantic model with a struct's fields, their defaults and limits, and the checks of fields."""
    hints = get_type_hints(cls, include_extras=True)
    fields: dict[str, Any] = {
        field.name: (_annotation(hints[field.name]), _field(field)) for field in structs.fields(cls)
    }
    checks: dict[str, Any] = {
        f"check_{number}": field_validator(*check.checked_fields)(check)  # type: ignore[attr-defined]
        for number, check in enumerate(cls.checks)
        if check.checked_fields  # type: ignore[attr-defined]
    }
    return create_model(cls.__name__, __base__=YamlModel, __validators__=checks, **fields)


def _field(field: structs.FieldInfo) -> Any:
    """Return a struct's field as one of pydantic's, with its default if it has one."""
    defaults = {"default": field.default, "default_factory": field.default_factory}
    return Field(**{name: default for name, default in defaults.items() if default is not msgspec.NODEFAULT})


def _annotation(hint: Any) -> Any:
    """Return the type of a struct's field for pydantic, with marks at structs and with pydantic's limits."""
    arguments = get_args(hint)
    if get_origin(hint) is Annotated:
        return Annotated[_annotation(arguments[0]), *map(_limits, arguments[1:])]
    if isinstance(hint, type) and issubclass(hint, Value):
        return Annotated[hint, STRUCT]
    origin = get_origin(hint)
    if origin in (None, Literal):
        return hint
    inner = tuple(argument if argument is Ellipsis else _annotation(argument) for argument in arguments)
    return Union[inner] if origin is UnionType else origin[inner]  # noqa: UP007 - of as many as there are


def _limits(constraint: Any) -> Any:
    """Return the limits of a msgspec field as those of a pydantic field; other metadata unchanged."""
    if not isinstance(constraint, msgspec.Meta):
        return constraint
    names = ("gt", "ge", "lt", "le", "pattern", "min_length", "max_length", "description")
    limits = {name: getattr(constraint, name) for name in names}
    return Field(**{name: limit for name, limit in limits.items() if limit is not None})
