"""Why orders fail: rules/medieval/reasons/*.yaml. Apart from the other rules data: a check needs no more."""

from __future__ import annotations

from collections.abc import Mapping

from gm.text import reasons
from gm.text.reasons import Reason as Reason


def load_reasons() -> Mapping[str, Reason]:
    """Every reason of rules/medieval/reasons/, by key. Raises ``ValueError`` when two files have the same key."""
    return reasons.load_reasons("medieval")
