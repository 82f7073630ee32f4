"""The server of ``pbem play``: its routes and its responses.

:mod:`gm.play.table` is the game, :mod:`gm.play.guard` decides who may ask.
"""

from __future__ import annotations

from asyncio import timeout
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from gm.core.diagnostics import said
from gm.core.yaml.source import SIZE_LIMIT
from gm.play import hints, page
from gm.play.guard import HEADERS, Guard
from gm.play.lent import RefusedError
from gm.play.opening import Opening
from gm.play.table import Table
from gm.text.languages import Translate, translator

PATIENCE = 20  # seconds in which a request from a page on this machine must have come
ErrorText = Callable[[Exception], str]  # an error as people read it
Action = Callable[[str, int, bytes], dict[str, Any] | None]  # of a seat, in a turn, with the request's body


def application(
    table: Table, token: str, host: str, error_text: ErrorText, *, again: bool = False
) -> ASGIApp:
    """Return the web application of one game.

    ``host``: ``127.0.0.1:8000``, as the browser calls this server; ``again``: another game can be begun on a
    page of this server (:func:`playing_again`).
    """
    responses = _Responses(table, error_text, again=again)
    routes = [
        Route("/", responses.seat_page, methods=["GET"]),
        Route("/chronicle", responses.chronicle, methods=["GET"]),
        Route("/history", responses.history, methods=["GET"]),
        Route("/doing", responses.doing, methods=["GET"]),
        Route("/{act}", responses.act, methods=["POST"]),
    ]
    return Guard(Starlette(routes=routes), token, host)


def _actions(table: Table) -> Mapping[str, Action]:
    """Return the actions of a table's page, by the last part of their path."""
    return {
        "check": partial(_checked, table),
        "keep": table.keep_draft,
        "hint": lambda seat, turn, _: hints.hinted(table, seat, turn),
        "why": partial(hints.why_not_drawn, table),
        "play": table.play,
        "done": table.hand_in,
        "undo": lambda seat, turn, _: table.take_back(seat, turn),
        "close": lambda seat, turn, _: table.close(seat, turn),
        "level": lambda seat, turn, data: table.set_level(seat, turn, data.decode("utf-8", "replace")),
        "sit": lambda seat, turn, data: table.sit(data.decode("utf-8", "replace")),
    }


class _Responses:
    """The responses of one table's server. ``again``: another game can be begun on a page of it."""

    def __init__(self, table: Table, error_text: ErrorText, *, again: bool) -> None:
        """Prepare for the requests to a table."""
        self._table = table
        self._actions = _actions(table)
        self._error_text = error_text
        self._again = again

    async def seat_page(self, _: Request) -> Response:
        """Return the page of the present seat, or the curtain between two seats."""
        return await self._page(self._seat_page)

    async def chronicle(self, _: Request) -> Response:
        """Return the chronicle of a reign."""
        return await self._page(lambda: page.chronicle_page(self._table))

    async def history(self, _: Request) -> Response:
        """Return the page of all turns."""
        return await self._page(lambda: page.turns_page(self._table))

    async def doing(self, _: Request) -> Response:
        """Return what the table is doing, in words."""
        return JSONResponse({"says": self._table.doing}, 200, HEADERS)

    async def act(self, request: Request) -> Response:
        """Carry out the action that the page asks for."""
        action = self._actions.get(request.path_params["act"])
        data = await _body(request)
        turn = request.query_params.get("turn", "")
        if action is None or data is None or not _is_turn(turn):
            return JSONResponse({"says": "The server does not understand that."}, 400, HEADERS)
        seat = request.query_params.get("seat", "")
        return await _done(
            lambda: action(seat, int(turn), data), lambda: self._table.translate(seat), self._error_text
        )

    async def _page(self, make: Callable[[], bytes]) -> Response:
        return await _shown(make, lambda: self._table.translate(""), self._error_text)

    def _seat_page(self) -> bytes:
        table = self._table
        with table.at_rest():
            seat = table.chair
            html = page.report_page(table, seat, again=self._again) if seat else page.curtain_page(table)
            table.think()
            return html


def _is_turn(text: str) -> bool:
    """Return whether a text is the number of a turn, in plain digits."""
    return text.isascii() and text.isdigit() and len(text) < 7


def playing_again(
    opening: Opening,
    table: Callable[[], Table],
    token: str,
    host: str,
    error_text: ErrorText,
    first: Table | None,
) -> ASGIApp:
    """Return the application of a game, first the ``first`` one, which can be exchanged for a chosen game.

    ``table``: makes the table of a game that has just begun; the path ``again`` leads to the choice.
    """
    begun: list[ASGIApp] = []

    def sit_down(new_table: Table) -> None:
        begun.append(application(new_table, token, host, error_text, again=True))

    routes_at = _choosing(opening, lambda: sit_down(table()), error_text)
    before = Guard(Starlette(routes=routes_at("/")), token, host)
    after = Guard(Starlette(routes=routes_at("/again")), token, host)
    if first is not None:
        sit_down(first)

    async def now(scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the game, or to the choice of another."""
        word = str(scope.get("path", "")).rpartition("/")[2]
        if not begun:
            await before(scope, receive, send)
        elif word in ("again", "begin"):
            await after(scope, receive, send)
        else:
            await begun[-1](scope, receive, send)

    return now


def _choosing(
    opening: Opening, sit_down: Callable[[], None], error_text: ErrorText
) -> Callable[[str], list[Route]]:
    """Return a function that makes the routes of the choice's page, by its path.

    ``sit_down``: opens the game's table.
    """
    translate = translator(opening.spec.key, opening.language)

    async def seen(request: Request) -> Response:
        map_name = request.query_params.get("map", "")
        game = request.query_params.get("game", "")
        players = _number(request.query_params.get("players", ""))
        return await _shown(
            lambda: page.opening_page(opening, map_name, game, players), lambda: translate, error_text
        )

    async def begin(request: Request) -> Response:
        """Begin the chosen game."""
        data = await _body(request) or b""

        def does() -> None:
            opening.begin(data)
            sit_down()

        return await _done(does, lambda: translate, error_text)

    return lambda path: [Route(path, seen, methods=["GET"]), Route("/begin", begin, methods=["POST"])]


def _number(text: str) -> int:
    """Return a number of players from text; 0 for other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0


async def _done(
    does: Callable[[], dict[str, Any] | None], translate: Callable[[], Translate], error_text: ErrorText
) -> Response:
    """Return the response to an action, or the reason in words why it was refused."""
    try:
        return JSONResponse(await run_in_threadpool(does) or {"go": True}, 200, HEADERS)
    except Exception as error:
        words = {"says": await run_in_threadpool(_why_not, error, translate, error_text)}
        stale = {"stale": error.stale} if isinstance(error, RefusedError) else {}
        return JSONResponse(words | stale, 409, HEADERS)


async def _shown(
    show: Callable[[], bytes], translate: Callable[[], Translate], error_text: ErrorText
) -> Response:
    """Return the response with a page, or the reason in words why there is none."""
    try:
        return Response(await run_in_threadpool(show), 200, HEADERS, "text/html; charset=utf-8")
    except Exception as error:
        words = await run_in_threadpool(_why_not, error, translate, error_text)
        return PlainTextResponse(words, 409 if isinstance(error, RefusedError) else 500, HEADERS)


def _why_not(error: Exception, translate: Callable[[], Translate], error_text: ErrorText) -> str:
    """Return in words why an action was refused.

    The language of the words is read from the game; if that fails, the failure is returned in its place.
    """
    if not isinstance(error, RefusedError):
        return error_text(error)
    try:
        return str(said(error.says, translate()))
    except Exception as another:
        return error_text(another)


async def _body(request: Request) -> bytes | None:
    """Return a request's body; None if it is larger than any order file, incomplete or endless."""
    data = b""
    with suppress(ClientDisconnect, TimeoutError):
        async with timeout(PATIENCE):
            async for piece in request.stream():
                data += piece
                if len(data) > SIZE_LIMIT:
                    return None
            return data
    return None


def _checked(table: Table, seat: str, turn: int, data: bytes) -> dict[str, Any]:
    """Return the forecast of orders, for the page's script."""
    checked = table.check(seat, turn, data)
    html = page.forecast_html(table, seat, checked)
    guide = page.guide_html(table, seat, checked)
    words = page.forecast_words(checked)
    lines = page.forecast_lines(checked)
    doubt = page.forecast_doubt(checked, begun=page.offered_at(table, seat).begun)
    return {"html": html, "says": words, "doubt": doubt, "guide": guide, "orders": lines}
