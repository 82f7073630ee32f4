"""Checks of fields that many order files have, each with the JSON Schema that says the same."""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from gm.core.diagnostics import says

TEXT_SHOWN = 160  # So many characters a line of orders may have as a text, and reports show of a line
TEXT = {"type": "string"}
SCALAR = {"type": ["string", "number", "boolean"]}
_PART = re.compile(r"\(\?P<\w+>|\\.|\[(?:\\.|[^\]])*\]|[a-z]", re.IGNORECASE)


def json_pattern(*patterns: re.Pattern[str]) -> str:
    """Return a pattern for JSON Schema of texts that begin like one of these, in any case.

    JSON Schema knows no flags and no names of groups.
    """

    def translated(match: re.Match[str]) -> str:
        """Return a matched part of a pattern as JSON Schema has it."""
        text = match[0]
        if len(text) == 1:  # a letter outside of classes and escapes
            return f"[{text.lower()}{text.upper()}]"
        # the beginning of a named group, such as ``(?P<name>``, becomes that of one without a name
        return {"(?P": "(?:", r"\Z": r"\s*$"}.get(text[:3], text)

    return "|".join(rf"^\s*(?:{_PART.sub(translated, pattern.pattern)})" for pattern in patterns)


def word_schema(word: str) -> dict[str, Any]:
    """Return the JSON Schema of a word in any case."""
    return {**TEXT, "pattern": json_pattern(re.compile(rf"{word}\Z")), "examples": [word]}


def text_like(*patterns: re.Pattern[str]) -> WithJsonSchema:
    """Return the annotation of a field for texts that begin like one of these: its JSON Schema."""
    return WithJsonSchema({**TEXT, "pattern": json_pattern(*patterns)})


Answer = Annotated[bool, WithJsonSchema({"anyOf": [{"type": "boolean"}, *map(word_schema, ("yes", "no"))]})]
"""Yes or no, also written true or false."""


def whole_number(most: int, *words: str) -> tuple[BeforeValidator, WithJsonSchema]:
    """Return (check, JSON Schema) of a field for a whole number from 1 to ``most``, or one of these words."""
    expected = says("expected a whole number from 1 to {0}", f"{most:,}")
    if words:
        expected = says("expected a whole number from 1 to {0}, or {1}", f"{most:,}", " or ".join(words))

    def check(value: object) -> object:
        """Return a number or an allowed word, in lower case. Raises ``ValueError`` for anything else."""
        if isinstance(value, str) and value.casefold() in words:
            return value.casefold()
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most:
            return value
        raise ValueError(expected)

    number = {"type": "integer", "minimum": 1, "maximum": most}
    return BeforeValidator(check), WithJsonSchema(
        {"anyOf": [number, *map(word_schema, words)]} if words else number
    )
