"""Changing the files that a GM edits by hand: only what is meant changes, his comments and his order stay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

from gm.cli.new_files import quoted


def edit_yaml(path: Path, change: Callable[[Any], None]) -> None:
    """Let ``change`` change a file's data in its place, and write the file, whole or not at all. The lock is held."""
    from ruamel.yaml import YAML

    from gm.kernel.store.disk import write_file

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 200
    yaml.indent(mapping=2, sequence=4, offset=2)
    data: Any = yaml.load(path.read_text(encoding="utf-8"))
    change(data)
    text = StringIO()
    yaml.dump(data, text)
    write_file(path, text.getvalue().encode())


def plain_scalar(value: Any) -> Any:
    """A value as it goes into such a file: text in quotes. Raises ``Failure`` for text that cannot be seen."""
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString

    if not isinstance(value, str):
        return value
    quoted(value)
    return DoubleQuotedScalarString(value)


def edit_player(folder: Path, realm: str, changes: Mapping[str, Any], drop: tuple[str, ...] = ()) -> None:
    """Change a realm's entry in players.yaml, or add one. ``drop``: entries of it to take out."""

    def change(data: Any) -> None:
        from ruamel.yaml.comments import CommentedMap

        entries = data["players"]
        entry = next((each for each in entries if each["realm"] == realm), None)
        if entry is None:
            entry = CommentedMap(realm=realm)
            entry.fa.set_flow_style()
            entries.append(entry)
            entries.fa.set_block_style()
        entry.update({name: plain_scalar(value) for name, value in changes.items()})
        for name in drop:
            entry.pop(name, None)

    edit_yaml(folder / "players.yaml", change)
