"""Why orders come to nothing, as data: ``rules/GAME/reasons/*.yaml``, a clause and a sentence by key."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from gm.core.values import Value
from gm.core.yaml.models import load_values
from gm.resources import resource


class Reason(Value):
    """Why an order can fail: the clause that decides and the sentence, filled in with the refusal's figures."""

    clause: str
    says: str
    planned: bool = False
    """The order was for another case: that it is skipped is no mistake of its player's."""


@cache
def load_reasons(game: str) -> Mapping[str, Reason]:
    """Every reason of a game, by key. Raises ``ValueError`` when two files have the same key."""
    found: dict[str, Reason] = {}
    for path in sorted(resource("rules", game, "reasons").glob("*.yaml")):
        for key, reason in load_values(path, Reason).items():
            if key in found:
                raise ValueError(f"{path.name}: reason {key} stands in another file too")
            found[key] = reason
    return found
