"""Reads rules/medieval/reasons/*.yaml: why orders fail. Apart from the other rules data: a check needs no more."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pydantic import RootModel

from gm.kernel.model import FrozenMap, Value
from gm.kernel.tables import load_value
from gm.resources import resource


class Reason(Value):
    """Why an order can fail: the clause that decides and the sentence, filled in with the refusal's figures."""

    clause: str
    says: str


class ReasonsFile(RootModel[FrozenMap[str, Reason]]):
    """One file of reasons/: reasons by key."""


@cache
def load_reasons() -> Mapping[str, Reason]:
    """Every reason of rules/medieval/reasons/, by key. Raises ``ValueError`` when two files have the same key."""
    found: dict[str, Reason] = {}
    for path in sorted(resource("rules", "medieval", "reasons").glob("*.yaml")):
        for key, reason in load_value(path, ReasonsFile).root.items():
            if key in found:
                raise ValueError(f"{path.name}: reason {key} stands in another file too")
            found[key] = reason
    return found
