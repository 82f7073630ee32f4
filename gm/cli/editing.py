"""Changing the files that a GM edits by hand: only what is meant changes, his comments and his order stay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

from gm.cli.new_files import quoted


def edited_yaml(path: Path, change: Callable[[Any], None]) -> bytes:
    """A file as it is after ``change`` has changed its data in its place. Nothing is written."""
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 4096  # what is blanked in an archive without keys stands on one line
    yaml.indent(mapping=2, sequence=4, offset=2)
    data: Any = yaml.load(path.read_text(encoding="utf-8"))
    change(data)
    text = StringIO()
    yaml.dump(data, text)
    return text.getvalue().encode()


def plain_scalar(value: Any) -> Any:
    """A value as it goes into such a file: text in quotes. Raises ``Failure`` for text that cannot be seen."""
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString

    if isinstance(value, list):
        return _flow([plain_scalar(each) for each in value])
    if not isinstance(value, str):
        return value
    quoted(value)
    return DoubleQuotedScalarString(value)


def _flow(items: list[Any]) -> Any:
    from ruamel.yaml.comments import CommentedSeq

    found = CommentedSeq(items)
    found.fa.set_flow_style()
    return found


def edited_players(folder: Path, realm: str, changes: Mapping[str, Any], drop: tuple[str, ...] = ()) -> bytes:
    """players.yaml with a realm's entry changed, or added. ``drop``: entries of it to take out. Nothing is written."""

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

    return edited_yaml(folder / "players.yaml", change)
