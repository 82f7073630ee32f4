"""The guard of a server on one's own machine: it decides whose requests are answered.

The server listens on the loopback address alone. A request must have the token in its address, which only the
page that the command opened knows; must name the server as the browser knows it, so that no stranger's name
leads here; and may come from no other page.
"""

from __future__ import annotations

from hmac import compare_digest

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """Passes requests of the page that was opened here to ``inside``, and answers all others as not found.

    ``host``: name and port of the server as the browser knows it.
    """

    def __init__(self, inside: ASGIApp, token: str, host: str) -> None:
        self._inside = inside
        self._token = f"/{token}/".encode()  # how a path must begin
        self._host = host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI wants it, if it is of a page of ours; any other gets "not found".

        The application inside sees a path without the token.
        """
        if scope["type"] != "http":
            return
        headers = [(name, value.decode("latin-1")) for name, value in scope["headers"]]
        hosts = [value for name, value in headers if name == b"host"]
        origins = [value for name, value in headers if name == b"origin"]
        sites = [value for name, value in headers if name == b"sec-fetch-site"]
        path = scope["path"].encode("utf-8", "replace")
        is_ours = (
            hosts == [self._host]
            and all(value == f"http://{self._host}" for value in origins)
            # none: the address was typed or comes from a bookmark, not from a page
            and all(value in ("same-origin", "none") for value in sites)
            and compare_digest(path[: len(self._token)], self._token)
        )
        # the path inside begins with the slash at the end of the token
        path_inside = scope["path"][len(self._token) - 1 :]
        inside = self._inside if is_ours else PlainTextResponse("Page not found.", 404, HEADERS)
        await inside({**scope, "path": path_inside, "root_path": ""}, receive, send)
