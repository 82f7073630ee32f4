"""The addresses of tables, which ``pbem play`` opens in a browser: a token for each game, and its ports.

They are stored for each folder in a file that its owner alone can read, so that an address in a browser's
history still works. An open table holds a lock, which the system releases when the process of the table ends:
nobody is led to a port that another program uses by now.
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
MOST_PORTS = 4  # how many are stored for a folder
MOST_TABLES = 200  # how many are searched for a token
_PATIENCE = 5  # how often a table asks for its lock: another may hold it for a moment to see if it is held


class AddressBook:
    """The addresses of play servers, stored in a folder that only its owner can read.

    Of each game folder there are three files, named by a hash of its path: ``.token`` with the token,
    ``.ports`` with the ports, ``.open``, the lock of an open table. If the folder of these files cannot be
    written, nothing is stored.
    """

    def __init__(self, stored_in: Path) -> None:
        self._folder = stored_in

    def token(self, folder: Path) -> str:
        """Return the token of a game folder's page; a new one if none is stored or others can read it."""
        path = self._path(folder, "token")
        token = self._read(path)
        if _TOKEN.fullmatch(token):
            return token
        new_token = secrets.token_urlsafe(24)  # 24 bytes are 32 characters
        self._write(path, new_token)
        return new_token

    def ports(self, folder: Path) -> tuple[int, ...]:
        """Return the ports at which the table of a game folder was open, the latest first."""
        return self._ports_in(self._path(folder, "ports"))

    @contextmanager
    def open_at(self, folder: Path, port: int) -> Iterator[None]:
        """Announce inside the block that a game folder's table is open at a port, and store the port.

        A second table of the same folder is not announced.
        """
        handle = self._lock(self._path(folder, "open"))
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
        """Return the port of the table with this token; None if no open table has it."""
        if not _TOKEN.fullmatch(token):
            return None
        for path in self._token_files():
            if compare_digest(self._read(path), token):
                return self._open_port_of(path)
        return None

    def is_open_at(self, port: int) -> bool:
        """Return whether the table of any game is open at a port."""
        return any(self._open_port_of(path) == port for path in self._token_files())

    def _token_files(self) -> list[Path]:
        """Return the paths of up to ``MOST_TABLES`` stored tokens; none if the folder cannot be read."""
        with suppress(OSError):
            return sorted(self._folder.glob("*.token"))[:MOST_TABLES]
        return []

    def _open_port_of(self, path: Path) -> int | None:
        """Return the port of the table whose token is in this file; None if it is not open."""
        ports = self._ports_in(path.with_suffix(".ports"))
        return ports[0] if ports and _is_held(path.with_suffix(".open")) else None

    def _path(self, folder: Path, kind: str) -> Path:
        """Return the path of a game folder's file of this kind: ``token``, ``ports`` or ``open``."""
        return self._folder / f"{hashlib.sha256(os.fsencode(folder)).hexdigest()[:32]}.{kind}"

    def _read(self, path: Path) -> str:
        """Return the first 100 characters of a file.

        Empty if it cannot be read, or if other users can read or change it or its folder.
        """
        with suppress(OSError, ValueError):
            if _is_private(self._folder) and _is_private(path):
                return path.read_text("ascii")[:100]
        return ""

    def _write(self, path: Path, text: str) -> None:
        """Write a file, if that is possible and only its owner can read the folder."""
        with suppress(OSError):
            make_folder(self._folder)
            if _is_private(self._folder):
                write_file(path, text.encode())

    def _ports_in(self, path: Path) -> tuple[int, ...]:
        """Return the ports in a file, the latest first; none if it is not as we write it."""
        text = self._read(path)
        if not _PORTS.fullmatch(text):
            return ()
        return tuple(port for port in map(int, text.split()) if 1024 <= port <= 65535)

    def _lock(self, path: Path) -> int | None:
        """Lock a file; return its handle, which holds the lock until it is closed.

        None if another process holds it, if the file cannot be made, or if the book's folder is not private.
        """
        with suppress(OSError):
            if not _is_private(self._folder):
                return None
            handle = open_lock(path, make=True)
            for _ in range(_PATIENCE):
                if take(handle):
                    return handle
                sleep(0.02)
            os.close(handle)
        return None


def _is_held(path: Path) -> bool:
    """Return whether a process holds the lock of this file."""
    with suppress(OSError):
        handle = open_lock(path)
        try:
            return not take(handle)
        finally:
            os.close(handle)
    return False


def _is_private(path: Path) -> bool:
    """Return whether nobody but its owner, us, can read or change a file or folder; on Windows always true.

    False for anything else there, such as a link. Raises ``OSError`` if there is no such path.
    """
    status = path.lstat()
    if os.name == "nt":
        return True
    # 0o077: the permissions of all but the owner
    is_owner_alone = status.st_uid == os.getuid() and not stat.S_IMODE(status.st_mode) & 0o077
    return is_owner_alone and (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode))
