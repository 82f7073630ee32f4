"""A journal: lines that are only ever added, each chained to the one before, so that nobody changes the past unseen.

Every line is a JSON object and ends with ``"chain"``: the SHA-256 of the previous line's chain and of the line without
its own. A line counts once it is on the disk with its line end; what a pulled plug leaves of a last one is dropped.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gm.kernel.store.disk import flush_folder
from gm.kernel.store.problems import BrokenFolderError

CHAIN = "chain"
START = "0" * 64
"""What the first line is chained to."""

Entry = dict[str, Any]


class Journal:
    """One journal file. Read as a whole when it is first asked for; whoever adds to it holds the game's lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._entries: list[Entry] | None = None
        self._whole = False
        """Whether the file is known to end with a whole line."""
        self._chain = START

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, oldest first, without their chain. Raises ``BrokenFolderError`` when the chain is broken."""
        return tuple(self._read())

    def append(self, entry: Mapping[str, Any]) -> None:
        """Add a line and see to it that it is on the disk. ``entry`` holds plain data and no ``chain``."""
        entries = self._read()
        text = _text(entry)
        chain = chained(self._chain, text)
        line = f"{text[:-1]}{', ' if entry else ''}{json.dumps(CHAIN)}: {json.dumps(chain)}}}\n".encode()
        is_new = not self.path.exists()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            # what a killed run left of a line would swallow this one; nobody else adds lines while we hold the lock
            if not is_new and not self._whole and (torn := _torn(self.path)):
                file.truncate(self.path.stat().st_size - torn)
            self._whole = False
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
            self._whole = True
        if is_new:
            flush_folder(self.path.parent)
        entries.append(dict(entry))
        self._chain = chain

    def _read(self) -> list[Entry]:
        if self._entries is None:
            self._entries = []
            for number, text, chain in _lines(self.path):
                if chain != chained(self._chain, text):
                    raise BrokenFolderError(
                        f"{self.path}:{number}: this line or one before it was changed or taken out: it does not fit "
                        "the chain. Put the file back from a copy; to go on without, move it away."
                    )
                self._entries.append(json.loads(text))
                self._chain = chain
        return self._entries


def chained(before: str, text: str) -> str:
    """The chain value of a line, from the one before it and the line's text without its own."""
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()


def _text(entry: Mapping[str, Any]) -> str:
    return json.dumps(dict(entry), ensure_ascii=False)


def _lines(path: Path) -> Iterator[tuple[int, str, str]]:
    """(number, text without chain, chain) of each whole line. Raises ``BrokenFolderError`` for one that is none."""
    try:
        whole = path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return
    for number, line in enumerate(whole, start=1):
        try:
            entry = json.loads(line)
            chain = entry.pop(CHAIN)
        except (ValueError, KeyError, AttributeError, TypeError):
            raise BrokenFolderError(f"{path}:{number}: this is no line of a journal. Put the file back.") from None
        yield number, _text(entry), str(chain)


def _torn(path: Path) -> int:
    """How many bytes of an unfinished line stand at the end."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        if file.read(1) in (b"", b"\n"):  # as always but after a pulled plug: a long journal is not read for each line
            return 0
    data = path.read_bytes()
    return len(data) - (data.rfind(b"\n") + 1)
