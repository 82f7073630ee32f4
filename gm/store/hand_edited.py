"""The YAML files that a GM edits by hand: read into values, written with comments, changed so that comments stay."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

from gm.core.diagnostics import has_unprintable
from gm.core.yaml.models import DATA_SIZE_LIMIT, value_at
from gm.core.yaml.source import plain_data, read_yaml
from gm.resources import resource
from gm.store import BrokenFolderError, StoreError
from gm.store.formats import Format
from gm.store.settings import Player, Settings
from gm.text.pages import ready_markup, render
from gm.text.words import GameWords

ModelT = TypeVar("ModelT")


def read_table(path: Path, form: Format, model: type[ModelT]) -> ModelT:
    """One file of the game folder as a value. Raises ``StoreError``, and ``SourceError`` with places."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise BrokenFolderError(f"{path} is missing. Put it back from a copy of the game.") from None
    except OSError as error:
        raise BrokenFolderError(f"{path} cannot be read: {error.strerror}.") from None
    return table_of(data, path, form, model)


def table_of(data: bytes, path: Path, form: Format, model: type[ModelT]) -> ModelT:
    """The same of a file's content, also before it is written. Raises ``StoreError`` and ``SourceError``."""
    node = read_yaml(data, str(path), size_limit=DATA_SIZE_LIMIT)
    return value_at(node, form.current(plain_data(node), str(path)), model)


def quoted(text: str) -> str:
    """``text`` as YAML. Raises ``StoreError`` for text with characters that cannot be seen."""
    if has_unprintable(text):
        raise StoreError(f"{text!r} holds a character that cannot be seen.")
    return json.dumps(text, ensure_ascii=False)


def yaml_list(texts: Iterable[str]) -> str:
    """One text as it is, several as a list on one line."""
    found = list(map(quoted, texts))
    return f"[{', '.join(found)}]" if len(found) > 1 else "".join(found)


def settings_text(settings: Settings) -> str:
    """``game.yaml`` of a new game."""
    return _filled("game.yaml", settings=settings)


def players_text(players: Iterable[Player], words: GameWords) -> str:
    """``players.yaml``, its remarks in the words of the game."""
    return _filled("players.yaml", players=tuple(players), words=words)


def _filled(name: str, **values: Any) -> str:
    """A template filled in, in which no text is escaped that stands in YAML's quotes."""
    marked = {each.__name__: lambda given, each=each: ready_markup(each(given)) for each in (quoted, yaml_list)}
    return render(resource("templates"), f"game/new/{name}", values | marked)


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


def flow(value: Any) -> Any:
    """A list or mapping that stands on one line of such a file."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    made = CommentedMap(value) if isinstance(value, Mapping) else CommentedSeq(value)
    made.fa.set_flow_style()
    return made


def plain_scalar(value: Any) -> Any:
    """A value as it goes into such a file: text in quotes. Raises ``StoreError`` for text that cannot be seen."""
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString

    if isinstance(value, list):
        return flow([plain_scalar(each) for each in value])
    if not isinstance(value, str):
        return value
    quoted(value)
    return DoubleQuotedScalarString(value)


def edited_players(folder: Path, realm: str, changes: Mapping[str, Any], drop: Iterable[str] = ()) -> bytes:
    """players.yaml with a realm's entry changed, or added. ``drop``: entries of it to take out. Nothing is written."""

    def change(data: Any) -> None:
        entries = data["players"]
        entry = next((each for each in entries if each["realm"] == realm), None)
        if entry is None:
            entry = flow({"realm": realm})
            entries.append(entry)
            entries.fa.set_block_style()
        entry.update({name: plain_scalar(value) for name, value in changes.items()})
        for name in drop:
            entry.pop(name, None)

    return edited_yaml(folder / "players.yaml", change)
