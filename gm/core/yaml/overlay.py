"""A game's own data file, which lists only its differences from the shipped one.

``ours`` is the shipped file or its data, ``own`` that of the game.
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

ROW_NAMES = ("id", "level")  # the columns of which one tells the rows of a list apart


def load_overlaid(own: Path, ours: Path, model: type[ModelT]) -> ModelT:
    """Return the shipped file ``ours`` overridden by the file ``own``, as a value of ``model``.

    Raises ``OSError`` if a file cannot be read; ``SourceError`` with places in the game's file. If names in
    that file look mistyped, only these are reported.
    """
    data, node = load_data(own)
    shipped, _ = load_data(ours)
    try:
        return value_at(node, overlaid(shipped, data), model)
    except SourceError as error:
        # a mistyped name explains better than the model what is wrong
        mistyped = list(_mistyped(node, shipped))
        raise SourceError(*(mistyped or error.diagnostics)) from None


def _mistyped(node: Node, ours: Any) -> Iterator[Diagnostic]:
    """Yield a finding for each name in ``node`` that is not in the shipped data but like a name there."""
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
    """Return the data ``ours`` overridden by ``own``: entries and rows by their names, all else as a whole.

    A ``null`` in the place of a shipped mapping or list removes it.
    """
    if isinstance(ours, Mapping) and isinstance(own, Mapping):
        merged = {name: overlaid(value, own[name]) if name in own else value for name, value in ours.items()}
        merged |= {name: value for name, value in own.items() if name not in ours}
        return {name: value for name, value in merged.items() if not _is_removed(ours.get(name), value)}
    ours_by_name = rows_by_name(ours)
    own_by_name = rows_by_name(own)
    if ours_by_name is not None and own_by_name is not None:
        return list(overlaid(ours_by_name, own_by_name).values())
    return own


def _is_removed(ours: Any, value: Any) -> bool:
    """Return whether a ``value`` is a ``null`` in the place of a shipped mapping or list."""
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
    """Return data as a YAML file, each entry of a mapping on a line of its own."""
    if not isinstance(data, Mapping):
        return json.dumps(data, ensure_ascii=False, default=_plain).encode()
    text_of_entry = {
        json.dumps(name): json.dumps(value, ensure_ascii=False, default=_plain)
        for name, value in data.items()
    }
    return "".join(f"{name}: {value}\n" for name, value in text_of_entry.items()).encode()


def standing_alone(ours: Any, data: Any) -> Any:
    """Return the data of a file that overrides ``ours`` so that ``data`` result.

    Mappings and lists that only ``ours`` has are removed by ``null``; its other entries cannot be removed.
    """
    if not (isinstance(ours, Mapping) and isinstance(data, Mapping)):
        return data
    entries = {name: standing_alone(ours.get(name), value) for name, value in data.items()}
    removed = (name for name, value in ours.items() if name not in data and isinstance(value, Mapping | list))
    return {**entries, **dict.fromkeys(removed)}


def _plain(value: Any) -> Any:
    """Return a decimal, which JSON lacks, as a float. Raises ``TypeError`` for anything else."""
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"{value!r} is no data of a YAML file")
