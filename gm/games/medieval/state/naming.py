"""Names that nobody else in a realm has."""

from __future__ import annotations

from collections.abc import Container
from itertools import count


def free_name(name: str, taken: Container[str]) -> str:
    """``name``, or when it is taken the same with the lowest free number from 2 on."""
    if name not in taken:
        return name
    return next(numbered for number in count(2) if (numbered := f"{name} {number}") not in taken)
