"""The addresses of open tables: a token for each game, and the ports that it used.

They are stored for each folder in a file that its owner alone can read, so that an address in a browser's
history still works. An open table holds a lock, which the system releases when its process ends: nobody is
led to a port that another program uses by now.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hmac import compare_digest
from pathlib import Path
from time import sleep

from gm.store.disk import make_folder, open_lock, take, write_file

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
_PORTS = re.compile(r"(?:[1-9]\d{3,4}\n){1,4}", re.ASCII)
MOST_PORTS = 4  # So many are kept of a folder
MOST_TABLES = 200  # So many are looked through for a token
_PATIENCE = 5  # So often a table asks for its lock, at which another may just be looking


class AddressBook:
    """The addresses of play servers, in a folder that only its owner can read.

    What cannot be stored is skipped.
    """

    def __init__(self, kept: Path) -> None:
        self._kept = kept

    def token(self, folder: Path) -> str:
        """Return the token of a game folder's page, a new one if none is kept or others can read it."""
        path = self._path(folder, "token")
        token = self._read(path)
        if _TOKEN.fullmatch(token):
            return token
        new_token = secrets.token_urlsafe(24)
        self._write(path, new_token)
        return new_token

    def ports(self, folder: Path) -> tuple[int, ...]:
        """Return the ports at which a folder's table has been, the last first."""
        return self._ports_in(self._path(folder, "ports"))

    @contextmanager
    def open_at(self, folder: Path, port: int) -> Iterator[None]:
        """Tell others that a folder's table is open at a port, and remember the port.

        A second table of the same folder is not announced.
        """
        handle = self._taken(self._path(folder, "open"))
        try:
            if handle is not None:
                earlier = (other for other in self.ports(folder) if other != port)
                ports = [port, *earlier][:MOST_PORTS]
                self._write(self._path(folder, "ports"), "".join(f"{number}\n" for number in ports))
            yield
        finally:
            if handle is not None:
                os.close(handle)

    def open_port(self, token: str) -> int | None:
        """Return the port of the table with this token; None where it is not open."""
        if not _TOKEN.fullmatch(token):
            return None
        for path in self._tables():
            if compare_digest(self._read(path), token):
                return self._open_port_of(path)
        return None

    def is_open_at(self, port: int) -> bool:
        """Return whether a table is open at a port."""
        return any(self._open_port_of(path) == port for path in self._tables())

    def _tables(self) -> list[Path]:
        with suppress(OSError):
            return sorted(self._kept.glob("*.token"))[:MOST_TABLES]
        return []

    def _open_port_of(self, path: Path) -> int | None:
        """Return where the table of a token's file is open. None if it is not open."""
        ports = self._ports_in(path.with_suffix(".ports"))
        return ports[0] if ports and _is_held(path.with_suffix(".open")) else None

    def _path(self, folder: Path, kind: str) -> Path:
        return self._kept / f"{hashlib.sha256(os.fsencode(folder)).hexdigest()[:32]}.{kind}"

    def _read(self, path: Path) -> str:
        """Return the content of a private file; empty for one that others can read or change."""
        with suppress(OSError, ValueError):
            if _is_private(self._kept) and _is_private(path):
                return path.read_text("ascii")[:100]
        return ""

    def _write(self, path: Path, text: str) -> None:
        with suppress(OSError):
            make_folder(self._kept)
            if _is_private(self._kept):
                write_file(path, text.encode())

    def _ports_in(self, path: Path) -> tuple[int, ...]:
        text = self._read(path)
        if not _PORTS.fullmatch(text):
            return ()
        return tuple(port for port in map(int, text.split()) if 1024 <= port <= 65535)

    def _taken(self, path: Path) -> int | None:
        """Return the handle of a lock that is held until it is closed; None if another process holds it."""
        with suppress(OSError):
            if not _is_private(self._kept):
                return None
            handle = open_lock(path, make=True)
            for _ in range(_PATIENCE):
                if take(handle):
                    return handle
                sleep(0.02)
            os.close(handle)
        return None


def _is_held(path: Path) -> bool:
    """Return whether a process holds a lock."""
    with suppress(OSError):
        handle = open_lock(path)
        try:
            return not take(handle)
        finally:
            os.close(handle)
    return False


def _is_private(path: Path) -> bool:
    """Return whether a path exists that nobody else can read or change. Raises ``OSError``."""
    status = path.lstat()
    if os.name == "nt":
        return True
    is_owner_alone = status.st_uid == os.getuid() and not stat.S_IMODE(status.st_mode) & 0o077
    return is_owner_alone and (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode))
