"""Lead a browser to the page of ``pbem play``, whose address may differ from that of its last visit.

Others on a machine see a browser's command line, so no secret is on it: the browser is given a file that only
its owner can read. The file leads to a door of the server, whose name is nowhere else, and the door to the
page itself. The door is needed because a page's address does not answer requests that another page, or a
file, leads to; it is shut, and the file deleted, as soon as the page was asked for.

Each game has a table, the server that shows its page, and a token in the page's address. A request with the
token at a port where the table was earlier, or where another table is now, is led to the table's port: first
to ``/TOKEN/here``, a door of the same kind, which is always open to those who know the token.
"""

from __future__ import annotations

import html
import secrets
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from gm.play.guard import HEADERS
from gm.store.disk import clear, write_file

HERE = "here"  # what stands behind the token in the address of the door that is always open
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>pbem</title>
<meta http-equiv="refresh" content="0; url={0}"></head>
<body><p><a href="{0}">pbem play</a></p></body></html>
"""


class Doorway:
    """A web application around another one: it leads a browser to the page by a one-time address."""

    def __init__(
        self,
        inside: ASGIApp,
        token: str,
        host: str,
        earlier: Sequence[str] = (),
        elsewhere: Callable[[str], str | None] = lambda _: None,
    ) -> None:
        """Wrap the application ``inside``, whose pages are below ``/token/``.

        ``token``: the secret first part of its pages' paths; ``host``: its host and port; ``earlier``: hosts
        and ports that it had before; ``elsewhere``: takes the token of another game that may be running, and
        returns the host and port of that one, None if it does not run.
        """
        self._inside = inside
        self._token = token
        self._host = host
        self._earlier = frozenset(earlier)
        self._elsewhere = elsewhere
        self._door = secrets.token_urlsafe(24)  # the one-time address's path
        self._is_open = False  # whether the door leads to the page
        self._folder: Path | None = None  # that of the file which leads to the door

    def open(self, places: Sequence[Path]) -> str:
        """Open the one-time address; return the URL of a file that sends a browser to it.

        The file is in a new folder in the first of these places where one can be made; without one, the
        address stays closed, and the URL is empty.
        """
        for place in places:
            with suppress(OSError):
                self._folder = Path(tempfile.mkdtemp(prefix="pbem-play-", dir=place))
                path = self._folder / "open.html"
                write_file(path, _redirect_page(f"http://{self._host}/{self._door}/").encode())
                self._is_open = True
                return path.as_uri()
        return ""

    def close(self) -> None:
        """Close the one-time address, and remove the file."""
        self._is_open = False
        if self._folder is not None:
            with suppress(OSError):
                clear(self._folder)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Redirect a request that came by a door, or hand it to the application inside.

        The first request for a page inside closes the one-time address. The parameters are those of ASGI.
        """
        address = await self._redirect_of(scope) if scope["type"] == "http" else None
        if address is not None:
            await HTMLResponse(_redirect_page(address), headers=HEADERS)(scope, receive, send)
            return
        # the browser has reached the page: the one-time address has served
        if scope["type"] == "http" and self._is_open and _is_path(scope, f"/{self._token}/"):
            self.close()
        await self._inside(scope, receive, send)

    async def _redirect_of(self, scope: Scope) -> str | None:
        """Return the address to which a request is redirected; None for one that is not.

        Redirected are requests at one of the two doors, those with the page's token at a host and port that
        the page had earlier, and those for the page of another game that runs elsewhere.
        """
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        origins = [value for name, value in scope["headers"] if name == b"origin"]
        if scope["method"] != "GET" or origins or len(hosts) != 1:
            return None  # no browser that was sent to an address asks like that
        token = scope["path"][1:].partition("/")[0]
        if hosts[0] in self._earlier:
            is_ours = compare_digest(token.encode("utf-8", "replace"), self._token.encode())
            return f"http://{self._host}/{self._token}/{HERE}" if is_ours else await self._elsewhere_of(token)
        if hosts[0] != self._host:
            return None
        if _is_path(scope, f"/{self._token}/{HERE}") or (
            self._is_open and _is_path(scope, f"/{self._door}/")
        ):
            return f"/{self._token}/"
        return await self._elsewhere_of(token)

    async def _elsewhere_of(self, token: str) -> str | None:
        """Return the address of the table with another token; None if it is not open."""
        host = await run_in_threadpool(self._elsewhere, token) if token != self._token else None
        return f"http://{host}/{token}/{HERE}" if host and host != self._host else None


def _is_path(scope: Scope, path: str) -> bool:
    """Return whether a request is for this path, compared so that the time taken reveals nothing of it."""
    return compare_digest(scope["path"].encode("utf-8", "replace"), path.encode())


def _redirect_page(address: str) -> str:
    """Return the HTML of a page that sends the browser to another address."""
    return _PAGE.format(html.escape(address))
