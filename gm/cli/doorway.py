"""How a browser finds the page of ``pbem play`` without a secret on its command line, which others on a machine see.

The browser is given a file that only its owner can read. It leads to a door of the server, whose name is in no other
place, and the door to the page itself. The door is there because a page's address does not answer what another page, or
a file, leads to; it is shut, and the file gone, as soon as the page was asked for.

The token in the page's address is kept for each folder, readable for its owner alone: after a restart the address is
still the same, for tabs and for bookmarks.
"""

from __future__ import annotations

import hashlib
import html
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path

from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from gm.play.server import HEADERS
from gm.store.disk import clear, make_folder, write_file

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>pbem</title>
<meta http-equiv="refresh" content="0; url={0}"></head>
<body><p><a href="{0}">pbem play</a></p></body></html>
"""


def kept_token(folder: Path, kept: Path) -> str:
    """Return the token of the page of a game's folder, a new one if none is kept, or if others can read it.

    ``kept``: where they are kept.
    """
    path = kept / f"{hashlib.sha256(os.fsencode(folder)).hexdigest()[:32]}.token"
    with suppress(OSError, ValueError):
        found = path.read_text("ascii")[:100] if _is_private(kept) and _is_private(path) else ""
        if _TOKEN.fullmatch(found):
            return found
    made = secrets.token_urlsafe(24)
    with suppress(OSError):
        make_folder(kept)
        if _is_private(kept):
            write_file(path, made.encode())
    return made


def _is_private(path: Path) -> bool:
    """Return whether something is there that nobody else can read or change. Raises ``OSError``."""
    found = path.lstat()
    if os.name == "nt":
        return True
    alone = found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & 0o077
    return alone and (stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode))


class Doorway:
    """A server with a door to its page, and the file that leads there."""

    def __init__(self, inside: ASGIApp, token: str, host: str) -> None:
        self._inside = inside
        self._token = token
        self._host = host
        self._door = secrets.token_urlsafe(24)
        self._is_open = False
        self._folder: Path | None = None

    def open(self, places: Sequence[Path]) -> str:
        """Return the address of a file that leads to the door, in a folder of its own in the first of these
        places where one can be made; empty where there is none.
        """
        for place in places:
            with suppress(OSError):
                self._folder = Path(tempfile.mkdtemp(prefix="pbem-play-", dir=place))
                path = self._folder / "open.html"
                write_file(path, _leading(f"http://{self._host}/{self._door}/").encode())
                self._is_open = True
                return path.as_uri()
        return ""

    def close(self) -> None:
        """Let nobody in through the door any more, and remove the file."""
        self._is_open = False
        if self._folder is not None:
            with suppress(OSError):
                clear(self._folder)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http" or not self._is_open:
            await self._inside(scope, receive, send)
            return
        if self._leads_in(scope):
            await HTMLResponse(_leading(f"/{self._token}/"), headers=HEADERS)(scope, receive, send)
            return
        if _is_path(scope, self._token):
            self.close()
        await self._inside(scope, receive, send)

    def _leads_in(self, scope: Scope) -> bool:
        """Return whether a browser comes to the door, as it goes to a page."""
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        origins = [value for name, value in scope["headers"] if name == b"origin"]
        return scope["method"] == "GET" and hosts == [self._host] and not origins and _is_path(scope, self._door)


def _is_path(scope: Scope, secret: str) -> bool:
    return compare_digest(scope["path"].encode("utf-8", "replace"), f"/{secret}/".encode())


def _leading(address: str) -> str:
    """Return a page that leads to another."""
    return _PAGE.format(html.escape(address))
