"""Letters whose orders are just being put into the inbox: what the receipt must say even when the run is killed now.

Once a new file stands, nothing tells any more what stood before it, when it came and that it was new. So this is
written down first, one file a letter, and taken away when the letter is in the journal.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gm.store.disk import clear, clear_unfinished, flush_folder, make_folder, write_file

FOLDER = "begun"


@dataclass(frozen=True, slots=True)
class Beginning:
    """How things were before a letter's orders were taken: when they arrived, and the file of each realm."""

    arrived: datetime
    standing: Mapping[str, bytes]


class Begun:
    """The letters that were begun. ``mark`` is a letter's own, made of hexadecimal digits."""

    def __init__(self, mail: Path) -> None:
        self._folder = mail / FOLDER

    def begin(self, mark: str, beginning: Beginning) -> Beginning:
        """Write down how a letter begins; of one that was begun before, what was written then."""
        path = self._path(mark)
        if path.is_file():
            return _read(path.read_bytes())
        make_folder(self._folder)
        write_file(path, _written(beginning))
        return beginning

    def end(self, mark: str) -> None:
        """The letter is dealt with."""
        if self._path(mark).exists():
            clear(self._path(mark))
            flush_folder(self._folder)

    def sweep(self, done: Callable[[str], bool]) -> None:
        """Take away what killed runs left: what is half written, and what belongs to letters that are ``done``."""
        clear_unfinished(self._folder)
        for path in sorted(self._folder.glob("*.json")):
            if done(path.stem):
                clear(path)

    def _path(self, mark: str) -> Path:
        return self._folder / f"{mark}.json"


def _written(beginning: Beginning) -> bytes:
    standing = {realm: b64encode(data).decode() for realm, data in sorted(beginning.standing.items())}
    record = {"arrived": beginning.arrived.isoformat(), "standing": standing}
    return json.dumps(record).encode()


def _read(data: bytes) -> Beginning:
    record = json.loads(data)
    return Beginning(
        datetime.fromisoformat(record["arrived"]),
        {realm: b64decode(text) for realm, text in record["standing"].items()},
    )
