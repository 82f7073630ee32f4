"""A game's own data file that lists only its differences from the shipped one.

Other rows and columns stay as they are.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from gm.core.diagnostics import Diagnostic, SourceError, did_you_mean, nearest, says, shown
from gm.core.yaml.models import load_data, value_at
from gm.core.yaml.source import Mapping as Entries
from gm.core.yaml.source import Node

ModelT = TypeVar("ModelT")

ROW_NAMES = ("id", "level")  # the columns by which the rows of a list are told apart


def load_overlaid(own: Path, ours: Path, model: type[ModelT]) -> ModelT:
    """Return the shipped file overridden by a game's own one, as a value of ``model``.

    Raises ``SourceError`` with places in the game's file, ``OSError``.
    """
    data, node = load_data(own)
    shipped, _ = load_data(ours)
    try:
        return value_at(node, overlaid(shipped, data), model)
    except SourceError as error:
        mistyped = list(_mistyped(node, shipped))
        raise SourceError(*(mistyped or error.diagnostics)) from None


def _mistyped(node: Node, ours: Any) -> Iterator[Diagnostic]:
    """Yield a finding for each name that the shipped file lacks but that resembles one there."""
    if not (isinstance(node, Entries) and isinstance(ours, Mapping)):
        return
    for name, (key, value) in node.entries.items():
        near = did_you_mean(nearest(name, list(map(str, ours))))
        if name in ours:
            yield from _mistyped(value, ours[name])
        elif near:
            yield key.diagnostic(
                "data/unknown-field", says("no field {0} here", shown(name)), suggestion=near
            )


def overlaid(ours: Any, own: Any) -> Any:
    """Return the shipped data overridden: entries and rows by their names, other lists as a whole.

    An entry that contains others is removed where it is ``null``.
    """
    if isinstance(ours, Mapping) and isinstance(own, Mapping):
        merged = {name: overlaid(value, own[name]) if name in own else value for name, value in ours.items()}
        merged |= {name: value for name, value in own.items() if name not in ours}
        return {name: value for name, value in merged.items() if not _taken_out(ours.get(name), value)}
    ours_by_name = rows_by_name(ours)
    own_by_name = rows_by_name(own)
    if ours_by_name is not None and own_by_name is not None:
        return list(overlaid(ours_by_name, own_by_name).values())
    return own


def _taken_out(ours: Any, value: Any) -> bool:
    """Return whether a shipped entry that contains others is to be removed."""
    return value is None and isinstance(ours, Mapping | list)


def rows_by_name(rows: Any) -> dict[str, Any] | None:
    """Return the rows of a list by the column that tells them apart.

    None if there is no such column, or two rows have the same name: such a list is overridden as a whole.
    """
    if not isinstance(rows, Sequence) or isinstance(rows, str) or not rows:
        return None
    for column in ROW_NAMES:
        if all(isinstance(row, Mapping) and column in row for row in rows):
            row_of_name = {str(row[column]): row for row in rows}
            return row_of_name if len(row_of_name) == len(rows) else None
    return None


def whole_text(data: Any) -> bytes:
    """Return data as a YAML file, an entry a line."""
    if not isinstance(data, Mapping):
        return json.dumps(data, ensure_ascii=False, default=_plain).encode()
    text_of_entry = {
        json.dumps(name): json.dumps(value, ensure_ascii=False, default=_plain)
        for name, value in data.items()
    }
    return "".join(f"{name}: {value}\n" for name, value in text_of_entry.items()).encode()


def standing_alone(ours: Any, data: Any) -> Any:
    """Return a file that overrides ours so that exactly ``data`` results, without entries only ours has."""
    if not (isinstance(ours, Mapping) and isinstance(data, Mapping)):
        return data
    entries = {name: standing_alone(ours.get(name), value) for name, value in data.items()}
    lost = (name for name, value in ours.items() if name not in data and isinstance(value, Mapping | list))
    return {**entries, **dict.fromkeys(lost)}


def _plain(value: Any) -> Any:
    """Return a number of YAML as JSON writes it."""
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"{value!r} is no data of a YAML file")
