"""Snapshots and logs as text: equal content gives equal bytes, one line a thing. Each entry of a snapshot that is an
object or a list is spread over lines, one item a line. Order is the caller's: he sorts what has none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gm.core.json_text import line_encoder
from gm.store import BrokenFolderError

_encode = line_encoder(allow_nan=False)


def compact(value: Any) -> str:
    """One line of JSON, everything readable left as it is written."""
    return _encode(value)


def snapshot_text(data: Mapping[str, Any]) -> str:
    """A snapshot's text, with a final line end."""
    entries = (f"{compact(key)}: {_spread(value)}" for key, value in data.items())
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _spread(value: Any) -> str:
    if isinstance(value, Mapping) and value:
        return "{\n" + ",\n".join(f"  {compact(key)}: {compact(item)}" for key, item in value.items()) + "\n}"
    if isinstance(value, (list, tuple)) and value:
        return "[\n" + ",\n".join(f"  {compact(item)}" for item in value) + "\n]"
    return compact(value)


def lines_text(records: Iterable[Mapping[str, Any]]) -> str:
    """A log's text: one record a line."""
    return "".join(compact(record) + "\n" for record in records)


def read_snapshot(text: str, file: str) -> Any:
    """The data of a snapshot. Raises ``BrokenFolderError`` when the text is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BrokenFolderError(
            f"{file} is damaged: {error}. Put back a copy, or take the turn back with 'gm undo'."
        ) from None


def read_lines(text: str, file: str) -> Iterator[Any]:
    """The records of a log. Raises ``BrokenFolderError`` for a line that is no JSON."""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            yield json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BrokenFolderError(f"{file} is damaged in line {number}: {error}.") from None
