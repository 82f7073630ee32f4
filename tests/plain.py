"""Values as plain data, to be compared and shown."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, structs

from gm.core.codec import to_plain


def as_data(value: Any) -> Any:
    """A value as plain data, mappings in their own order, sets sorted."""
    if isinstance(value, Struct):
        return {name: as_data(child) for name, child in structs.asdict(value).items()}
    if isinstance(value, Mapping):
        return {str(name): as_data(child) for name, child in value.items()}
    if isinstance(value, frozenset):
        return sorted(map(as_data, value))
    return [as_data(child) for child in value] if isinstance(value, tuple) else to_plain(value)
