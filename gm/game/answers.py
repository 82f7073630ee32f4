"""Answers to questions about a turn: sentences in a chain, each with the rule behind it."""

from __future__ import annotations

from gm.core.records import Record, record


@record
class Explanation(Record):
    """One sentence. ``clause`` is the rule behind it, empty for none; what is deeper explains the one above it."""

    text: str
    clause: str = ""
    depth: int = 0
