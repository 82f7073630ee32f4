"""Rules tables and other data files: YAML as typed values, with the place of every fault.

A game's own data file lists only its differences from the shipped one: ``ours`` is the shipped file or its
data, ``own`` that of the game.
"""

import json
from collections.abc import Callable, Hashable, Iterator
from collections.abc import Mapping as Table
from collections.abc import Sequence as Items
from contextlib import suppress
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args, get_type_hints

import msgspec

from gm.core.diagnostics import Diagnostic, Message, SourceError, did_you_mean, nearest, says, shown
from gm.core.yaml.source import Mapping, Node, Sequence, plain_data, read_yaml

if TYPE_CHECKING:
    from pydantic import ValidationError

# bytes that a data file of ours may have: maps are larger than any order file
DATA_SIZE_LIMIT = 16 * 1024 * 1024

ROW_NAMES = ("id", "level")  # the columns of which one tells the rows of a list apart

ModelT = TypeVar("ModelT")  # a class of values, or a :class:`~gm.core.yaml.pydantic_models.YamlModel`


def load_data(path: Path) -> tuple[Any, Node]:
    """Return (plain data, root node) of one YAML file; the nodes know the places of all in it.

    Raises ``SourceError`` for a file that is no good YAML, ``OSError`` if it cannot be read.
    """
    node = read_yaml(path.read_bytes(), str(path), size_limit=DATA_SIZE_LIMIT)
    return plain_data(node), node


def load_value(path: Path, model: type[ModelT]) -> ModelT:
    """Return one YAML file as a value of ``model``.

    Raises ``SourceError`` with a finding at each field that is wrong, ``OSError`` if it cannot be read.
    """
    value = _value_of(str(path), path.read_bytes(), cast("Hashable", model))
    return cast("ModelT", value)


@lru_cache(maxsize=64)  # the shipped rules are read for each table that is made of them
def _value_of(name: str, content: bytes, model: Any) -> Any:
    """Return the content of the YAML file ``name`` as a value of ``model``; nobody changes the cached value.

    Raises ``SourceError`` with a finding at each field that is wrong.
    """
    node = read_yaml(content, name, size_limit=DATA_SIZE_LIMIT)
    return value_at(node, plain_data(node), model)


def load_values(path: Path, model: type[ModelT]) -> dict[str, ModelT]:
    """Return the entries of one YAML file, all of the same ``model``, by name.

    Raises ``SourceError`` for the first entry that is wrong, with a finding at each of its wrong fields.
    """
    data, node = load_data(path)
    if not isinstance(node, Mapping):
        raise SourceError(node.diagnostic("data/wrong-value", "entries with names are expected here"))
    return {name: value_at(entry, data[name], model) for name, (_, entry) in node.entries.items()}


def load_folder(folder: Path, load: Callable[[Path], Any]) -> dict[str, Any]:
    """Return the entries of all YAML files in a folder, by name; ``load`` returns those of one file.

    Raises ``ValueError`` for a name that is in two of them, and what ``load`` raises.
    """
    entries_of_folder: dict[str, Any] = {}
    for path in sorted(folder.glob("*.yaml")):
        entries = load(path)
        twice = entries_of_folder.keys() & entries.keys()
        if twice:
            raise ValueError(f"{path.name}: {', '.join(sorted(twice))} stands in another file too")
        entries_of_folder |= entries
    return entries_of_folder


def value_at(node: Node, data: Any, model: type[ModelT]) -> ModelT:
    """Return ``data``, the plain data of ``node`` or data made from it, as a value of ``model``.

    Raises ``SourceError`` with a finding at each field that is wrong.
    """
    if issubclass(model, msgspec.Struct):
        # nearly all files are right: pydantic, which is slow to import, only looks at those that are not
        with suppress(msgspec.ValidationError):
            return msgspec.convert(data, model, str_keys=True, builtin_types=(Decimal,))
    from pydantic import ValidationError

    from gm.core.yaml.pydantic_models import validated

    try:
        return validated(data, model)
    except ValidationError as error:
        raise SourceError(*located(node, error, model)) from None


def located(node: Node, error: "ValidationError", model: type[Any] | None) -> list[Diagnostic]:
    """Return a finding for each error of a validation, at the node in ``node`` that is to blame.

    ``model``: the type whose fields may be suggested for a wrong name.
    """
    errors: list[Any] = [*error.errors(include_url=False)]
    missing = [
        str(details["loc"][-1]) for details in errors if details["type"] == "missing" and details["loc"]
    ]
    # the first of two equally near names is suggested: a missing one is the likeliest to be meant
    names = [*missing, *_field_names(model), *getattr(model, "model_fields", ())]
    return [
        _diagnostic(node, details["type"], details["loc"], _message(details), names) for details in errors
    ]


def _field_names(kind: Any) -> Iterator[str]:
    """Yield the names that entries of a file may have: those of a record, then those of records in it."""
    seen: set[Any] = set()
    waiting = [kind]
    while waiting:
        kind = waiting.pop(0)
        if kind in seen:
            continue
        seen.add(kind)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            yield from kind.__struct_fields__
            waiting += get_type_hints(kind).values()
        waiting += get_args(kind)


def _message(error: Any) -> str:
    """Return the message with which a check of ours raised an error; pydantic's text for its own errors."""
    raised = error.get("ctx", {}).get("error")
    text = raised.args[0] if isinstance(raised, ValueError) and raised.args else ""
    return text if isinstance(text, Message) else str(error["msg"])


def _diagnostic(node: Node, kind: str, loc: Items[int | str], message: str, names: list[str]) -> Diagnostic:
    """Return the finding for one error of pydantic, at its place in the file.

    ``kind`` and ``loc``: pydantic's type and path of the error; ``names``: those that a wrong name may mean.
    """
    if kind == "missing":
        return _find(node, loc[:-1]).diagnostic(
            "data/missing", says("{0} is missing here", shown(str(loc[-1])))
        )
    if kind == "extra_forbidden":
        name = str(loc[-1])
        near = did_you_mean(nearest(name, names))
        unknown = says("no field {0} here", shown(name))
        return find_key(node, loc).diagnostic("data/unknown-field", unknown, suggestion=near)
    if not isinstance(message, Message):
        message = message.removeprefix("Value error, ").removeprefix("Assertion failed, ")
        message = says("it is true or false" if kind == "bool_parsing" else message[:1].lower() + message[1:])
    where = ".".join(map(str, loc))
    return _find(node, loc).diagnostic(
        "data/wrong-value", says("{0}: {1}", where, message) if where else message
    )


def _find(node: Node, loc: Items[int | str]) -> Node:
    """Return the node at a path of keys and indexes, or the deepest one that the file has on it."""
    for part in loc:  # as deep as the file goes: the path also names things that are not in it
        if isinstance(node, Mapping) and str(part) in node.entries:
            node = node.entries[str(part)][1]
        elif isinstance(node, Sequence) and isinstance(part, int) and part < len(node.items):
            node = node.items[part]
    return node


def find_key(node: Node, loc: Items[int | str]) -> Node:
    """Return the node of the key with which a path ends; without such a key, the node that should have it."""
    above = _find(node, loc[:-1])
    entry = above.entries.get(str(loc[-1])) if isinstance(above, Mapping) else None
    return entry[0] if entry else above


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
    if not (isinstance(node, Mapping) and isinstance(ours, Table)):
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
    if isinstance(ours, Table) and isinstance(own, Table):
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
    return value is None and isinstance(ours, Table | list)


def rows_by_name(rows: Any) -> dict[str, Any] | None:
    """Return the rows of a list by the column that tells them apart.

    None if there is no such column, or two rows have the same name: such a list is overridden as a whole.
    """
    if not isinstance(rows, Items) or isinstance(rows, str) or not rows:
        return None
    for column in ROW_NAMES:
        if all(isinstance(row, Table) and column in row for row in rows):
            row_of_name = {str(row[column]): row for row in rows}
            return row_of_name if len(row_of_name) == len(rows) else None
    return None


def whole_text(data: Any) -> bytes:
    """Return data as a YAML file, each entry of a mapping on a line of its own."""
    if not isinstance(data, Table):
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
    if not (isinstance(ours, Table) and isinstance(data, Table)):
        return data
    entries = {name: standing_alone(ours.get(name), value) for name, value in data.items()}
    removed = (name for name, value in ours.items() if name not in data and isinstance(value, Table | list))
    return {**entries, **dict.fromkeys(removed)}


def _plain(value: Any) -> Any:
    """Return a decimal, which JSON lacks, as a float. Raises ``TypeError`` for anything else."""
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"{value!r} is no data of a YAML file")
