"""The files of a game folder as text and their versions, an entry ``schema`` in each: a newer one is refused, an older
one brought up to date by ``upgrades`` as it is read. Equal content gives equal bytes, one line a thing: each entry of a
snapshot that is an object or a list is spread over lines. Order is the caller's: he sorts what has none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from gm.core.codec import line_encoder
from gm.core.values import Record
from gm.store import BrokenFolderError, NewerFormatError

compact = line_encoder(allow_nan=False)  # one line of JSON, everything readable left as it is written


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


def _text(data: bytes, file: object) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise BrokenFolderError(f"{file} cannot be read: {error}.") from None


JsonObject = dict[str, Any]
Upgrade = Callable[[JsonObject], JsonObject]
"""From one version's data to the next version's; the ``schema`` entry is not its business."""

SCHEMA = "schema"


class Format(Record):
    """One kind of file: its name in messages, the version this program writes, and how to get there from older ones."""

    name: str
    version: int
    upgrades: Mapping[int, Upgrade] = {}

    def stamped(self, data: Mapping[str, Any]) -> JsonObject:
        """``data`` with this format's version in front."""
        return {SCHEMA: self.version, **data}

    def encode(self, data: Mapping[str, Any]) -> bytes:
        return snapshot_text(self.stamped(data)).encode()

    def encode_lines(self, head: Mapping[str, Any], records: Iterable[Mapping[str, Any]]) -> bytes:
        """A log: what it is, then one record a line."""
        return "".join(compact(each) + "\n" for each in (self.stamped(head), *records)).encode()

    def decode(self, data: bytes, file: object) -> JsonObject:
        """The data of such a file. Raises ``NewerFormatError`` and ``BrokenFolderError``."""
        return self.current(read_snapshot(_text(data, file), str(file)), str(file))

    def decode_lines(self, data: bytes, file: object) -> tuple[JsonObject, list[Any]]:
        """The head of such a log, and its records. Raises ``NewerFormatError`` and ``BrokenFolderError``."""
        records = list(read_lines(_text(data, file), str(file)))
        return self.current(records[0] if records else None, str(file)), records[1:]

    def current(self, data: Any, file: str) -> JsonObject:
        """The data of a file in this program's version, without the version entry. Raises ``NewerFormatError`` for a
        version above this program's, ``BrokenFolderError`` for one nobody ever wrote."""
        if not isinstance(data, Mapping):
            raise BrokenFolderError(f"{file} is not a {self.name}: it holds no named entries.")
        version = data.get(SCHEMA)
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            raise BrokenFolderError(
                f"{file} does not say which version of a {self.name} it is (an entry '{SCHEMA}: 1')."
            )
        if version > self.version:
            raise NewerFormatError(
                f"{file} was made by a newer gm: it is a {self.name} of version {version}, and this gm knows versions "
                f"up to {self.version}. Install a newer gm."
            )
        record = {key: value for key, value in data.items() if key != SCHEMA}
        for step in range(version, self.version):
            if step not in self.upgrades:
                raise BrokenFolderError(
                    f"{file} is a {self.name} of version {step}, which this gm cannot bring up to date."
                )
            record = self.upgrades[step](record)
        return record
