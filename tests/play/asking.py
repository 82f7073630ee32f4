"""Whoever asks the server of ``pbem play``, without a network: calls of ASGI."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.types import ASGIApp, Message

from gm.cli.play import table_of, told
from gm.core.values import Record
from gm.play.server import application

HOST = "127.0.0.1:8000"
TOKEN = "a-token"  # noqa: S105 - no secret


class Answer(NamedTuple):
    """What came back."""

    status: int
    heads: Mapping[str, str]
    body: bytes

    @property
    def data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.body)
        return data

    @property
    def text(self) -> str:
        return self.body.decode()


def call(
    app: ASGIApp,
    method: str,
    path: str,
    body: bytes = b"",
    heads: Mapping[str, str] | None = None,
    *,
    query: str = "",
    ends: bool = True,
) -> Answer:
    """One request, as uvicorn would hand it on."""
    with ThreadPoolExecutor(1) as elsewhere:  # a browser of other tests may have this thread's loop
        asked = _ask(app, method, path, body, heads or {}, query=query, ends=ends)
        return elsewhere.submit(asyncio.run, asked).result()


def together(app: ASGIApp, waits: str, answers: str, over: Event) -> tuple[Answer, Answer]:
    """Two pages, of which the first waits for the event ``over``.

    It is set when the second has been answered.
    """

    async def ask() -> tuple[Answer, Answer]:
        first = asyncio.create_task(_ask(app, "GET", waits, b"", {}, query="", ends=True))
        await asyncio.sleep(0)
        second = await _ask(app, "GET", answers, b"", {}, query="", ends=True)
        over.set()
        return await first, second

    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, ask()).result()


async def _ask(
    app: ASGIApp, method: str, path: str, body: bytes, heads: Mapping[str, str], *, query: str, ends: bool
) -> Answer:
    """Send a request to an application, in pieces of 64 KiB, and return its answer."""
    headers = {"host": HOST, **heads}
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode("utf-8", "replace"),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers.items()],
    }
    pieces = [body[at : at + 65536] for at in range(0, len(body), 65536)] or [b""]
    sent: list[Message] = []

    async def receive() -> Message:
        if not pieces:  # the rest never comes
            await asyncio.sleep(60)
        return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces) or not ends}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    answered = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], answered, b"".join(message.get("body", b"") for message in sent[1:]))


class Window(Record):
    """A browser's window on a game: it asks as the page's script does, for a seat and a turn."""

    app: Any
    folder: Path
    seat: str = ""
    turn: int = 1

    def page(self) -> Answer:
        return call(self.app, "GET", f"/{TOKEN}/")

    def ask(self, act: str, body: str | bytes = "") -> Answer:
        data = body.encode() if isinstance(body, str) else body
        return call(
            self.app, "POST", f"/{TOKEN}/{act}", data, query=urlencode({"seat": self.seat, "turn": self.turn})
        )

    def done(self, act: str, body: str | bytes = "") -> Window:
        """The window after something that must have gone well and leads to the next page."""
        answer = self.ask(act, body)
        assert (answer.status, answer.data) == (200, {"go": True}), answer.text
        step = {"play": 1, "undo": -1}.get(act, 0)
        return self.evolve(turn=self.turn + step)


def window(folder: Path, seat: str = "", turn: int = 1) -> Window:
    """The first window on a game."""
    return Window(application(table_of(folder), TOKEN, HOST, told), folder, seat, turn)
