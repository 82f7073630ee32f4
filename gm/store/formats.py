"""The files of a game folder as text, and their versions: an entry ``schema`` in each.

A newer version is refused; an older one is brought up to date (:attr:`Format.upgrades`) as it is read. The
program's own files are JSON, in which equal content gives equal bytes, with a line for each item; files that
a GM edits by hand are YAML, and changed so that their comments stay.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

from gm.core.codec import line_encoder
from gm.core.diagnostics import SourceError, invisible, says
from gm.core.values import Record
from gm.core.yaml.models import DATA_SIZE_LIMIT, value_at
from gm.core.yaml.source import plain_data, read_yaml
from gm.store import BrokenFolderError, NewerFormatError, StoreError
from gm.text.pages import ready_markup, render

T = TypeVar("T")
JsonObject = dict[str, Any]
SCHEMA = "schema"

compact = line_encoder(allow_nan=False)  # one line of JSON, everything readable left as it is written


PUT_BACK = says(
    "Restore it from a backup. Without one, 'pbem undo' undoes the turn if it is the "
    "newest; if it is an older one, 'pbem turn --no-html' plays on without the pages "
    "that show it."
)
"""The advice to the game master about a turn's file that is lost or damaged."""


def snapshot_text(data: Mapping[str, Any]) -> str:
    """Return a snapshot's text.

    Each entry that is an object or a list has a line for each item, in the order given.
    """
    entries = (f"{compact(key)}: {_item_lines(value)}" for key, value in data.items())
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _item_lines(value: Any) -> str:
    """Return JSON with a line for each item of the outermost list or object."""
    if isinstance(value, Mapping) and value:
        return "{\n" + ",\n".join(f"  {compact(key)}: {compact(item)}" for key, item in value.items()) + "\n}"
    if isinstance(value, (list, tuple)) and value:
        return "[\n" + ",\n".join(f"  {compact(item)}" for item in value) + "\n]"
    return compact(value)


def read_snapshot(text: str, file: str) -> Any:
    """Return the data of a snapshot. Raises ``BrokenFolderError``, naming ``file``, if it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BrokenFolderError(says("{0} is damaged: {1}. {2}", file, error, PUT_BACK)) from None


def read_lines(text: str, file: str) -> Iterator[Any]:
    """Yield the data of each line of a log.

    Raises ``BrokenFolderError``, which names ``file`` and the line, for one that is no JSON.
    """
    for number, line in enumerate(text.splitlines(), 1):
        try:
            yield json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BrokenFolderError(says("{0} is damaged in line {1}: {2}.", file, number, error)) from None


def _text(data: bytes, file: object) -> str:
    """Return a file's content as text. Raises ``BrokenFolderError``, which names ``file``, if it is none."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise BrokenFolderError(says("{0} cannot be read: {1}.", file, error)) from None


class Format(Record):
    """One kind of file."""

    name: str  # in messages
    version: int  # that this program writes
    # by an older version: makes data of the next version
    upgrades: Mapping[int, Callable[[JsonObject], JsonObject]] = {}

    def stamped(self, data: Mapping[str, Any]) -> JsonObject:
        """Return ``data`` with this format's version in front."""
        return {SCHEMA: self.version, **data}

    def encode(self, data: Mapping[str, Any]) -> bytes:
        """Return the content of a file in this format with this data."""
        return snapshot_text(self.stamped(data)).encode()

    def decode(self, data: bytes, file: object) -> JsonObject:
        """Return the data of a file in this format. Raises ``NewerFormatError`` and ``BrokenFolderError``."""
        return self.current(read_snapshot(_text(data, file), str(file)), str(file))

    def decode_lines(self, data: bytes, file: object) -> tuple[JsonObject, list[Any]]:
        """Return (head, records) of a log in this format.

        They are the data of its first line, and of each line after it. Raises ``NewerFormatError`` and
        ``BrokenFolderError``.
        """
        records = list(read_lines(_text(data, file), str(file)))
        return self.current(records[0] if records else None, str(file)), records[1:]

    def current(self, data: Any, file: str) -> JsonObject:
        """Return the data of a file in this program's version, without the version entry.

        Raises ``NewerFormatError`` for a version above this program's, ``BrokenFolderError`` for data without
        a version, or of one that cannot be brought up to date.
        """
        kind = says(f"a {self.name}")  # a message for each format: its name is translated within it
        if not isinstance(data, Mapping):
            raise BrokenFolderError(says("{0} is not {1}: it holds no named entries.", file, kind))
        version = data.get(SCHEMA)
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            raise BrokenFolderError(
                says("{0} does not say which version of {1} it is (an entry '{2}: 1').", file, kind, SCHEMA)
            )
        if version > self.version:
            newest = says("this pbem knows versions up to {0}. Install a newer pbem.", self.version)
            raise NewerFormatError(
                says(
                    "{0} was made by a newer pbem: it is {1} of version {2}, and {3}",
                    file,
                    kind,
                    version,
                    newest,
                )
            )
        record = {key: value for key, value in data.items() if key != SCHEMA}
        for old_version in range(version, self.version):
            if old_version not in self.upgrades:
                raise BrokenFolderError(
                    says(
                        "{0} is {1} of version {2}, which this pbem cannot bring up to date.",
                        file,
                        kind,
                        old_version,
                    )
                )
            record = self.upgrades[old_version](record)
        return record


def read_table(path: Path, form: Format, model: type[T]) -> T:
    """Return a YAML file of the game folder as a value of the type ``model``.

    Raises ``StoreError``, and ``SourceError`` with the lines that are wrong.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise BrokenFolderError(says("{0} is missing. Restore it from a backup.", path)) from None
    except OSError as error:
        raise BrokenFolderError(says("{0} cannot be read: {1}.", path, error.strerror)) from None
    return table_of(data, path, form, model)


def table_of(data: bytes, path: Path, form: Format, model: type[T]) -> T:
    """Return the content of a YAML file as a value of the type ``model``; ``path`` is named in errors.

    Raises ``StoreError`` and ``SourceError``.
    """
    try:
        node = read_yaml(data, str(path), size_limit=DATA_SIZE_LIMIT)
        return value_at(node, form.current(plain_data(node), str(path)), model)
    except SourceError as error:
        # an error shows the line that is wrong, and a web address in it may have a secret part
        without_secrets = (
            diagnostic.evolve(excerpt=without_addresses(diagnostic.excerpt))
            for diagnostic in error.diagnostics
        )
        raise SourceError(*without_secrets) from None


_REST_OF_ADDRESS = re.compile(r"(?:(?<=://)|(?<=url: ))[^\s}\]\"']+")


def without_addresses(text: str) -> str:
    """Return a text with a star for each character of its web addresses after ``://`` or ``url: ``."""
    return _REST_OF_ADDRESS.sub(lambda match: "*" * len(match[0]), text)


def quoted(text: str) -> str:
    """Return ``text`` in YAML's quotes. Raises ``StoreError`` if it has characters that cannot be seen."""
    if invisible(text):
        raise StoreError(says("{0!r} contains an invisible character.", text))
    return json.dumps(text, ensure_ascii=False)


def yaml_list(texts: Iterable[str]) -> str:
    """Return one text in YAML's quotes, several as a list on one line; nothing for none."""
    items = list(map(quoted, texts))
    return f"[{', '.join(items)}]" if len(items) > 1 else "".join(items)


def new_file(name: str, **values: Any) -> bytes:
    """Return a new game's ``game.yaml`` or ``players.yaml`` (``name``), from a template with these values."""
    # for the template: what these two return is YAML already, and is not escaped as HTML
    yaml_writers = {
        writer.__name__: lambda value, write=writer: ready_markup(write(value))
        for writer in (quoted, yaml_list)
    }
    return render(f"game/new/{name}", values | yaml_writers).encode()


def edited_yaml(path: Path, change: Callable[[Any], object]) -> bytes:
    """Return the content of a YAML file after ``change`` has changed its data. Nothing is written."""
    return edited_text(path.read_text(encoding="utf-8"), change).encode()


def edited_text(text: str, change: Callable[[Any], object]) -> str:
    """Return a YAML text after ``change`` has changed its data; comments and quotes stay."""
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = (
        4096  # no value is broken over lines: for an archive without keys, secrets are removed line by line
    )
    yaml.indent(mapping=2, sequence=4, offset=2)
    data: Any = yaml.load(text)
    change(data)
    changed = StringIO()
    yaml.dump(data, changed)
    return changed.getvalue()


def flow(value: Any) -> Any:
    """Return a list or mapping that :func:`edited_text` writes on one line."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    node = CommentedMap(value) if isinstance(value, Mapping) else CommentedSeq(value)
    node.fa.set_flow_style()
    return node


def yaml_value(value: Any) -> Any:
    """Return a value for :func:`edited_text` to write: texts in quotes, lists and mappings on one line.

    Raises ``StoreError`` for text with invisible characters.
    """
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString

    if isinstance(value, list):
        return flow([yaml_value(item) for item in value])
    if isinstance(value, Mapping):
        return flow({name: yaml_value(item) for name, item in value.items()})
    if not isinstance(value, str):
        return value
    quoted(value)  # called for its error only: the YAML library writes the quotes
    return DoubleQuotedScalarString(value)


def edited_players(folder: Path, realm: str, changes: Mapping[str, Any], drop: Iterable[str] = ()) -> bytes:
    """Return the content of ``players.yaml`` with a realm's entry changed, or added. Nothing is written.

    ``changes``: new values by name; ``drop``: the names of values to remove.
    """

    def change(data: Any) -> None:
        """Change the realm's entry."""
        entries = data["players"]
        entry = next((entry for entry in entries if entry["realm"] == realm), None)
        if entry is None:
            entry = flow({"realm": realm})
            entries.append(entry)
            entries.fa.set_block_style()  # a line for each entry, also if the list was an empty ``[]``
        entry.update({name: yaml_value(value) for name, value in changes.items()})
        for name in drop:
            entry.pop(name, None)

    return edited_yaml(folder / "players.yaml", change)
