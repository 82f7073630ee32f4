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

PATIENCE = 20  # seconds within which a request from a page on this machine must be there whole
ErrorText = Callable[[Exception], str]  # an error as people read it
# called with (seat, turn, body of the request); returns what the page's script gets, if anything
Action = Callable[[str, int, bytes], dict[str, Any] | None]


def application(
    table: Table, token: str, host: str, error_text: ErrorText, *, again: bool = False
) -> ASGIApp:
    """Return the web application of one game.

    ``token``: the first part of all paths; ``host``: the server's name and port as the browser knows
    them, such as ``127.0.0.1:8000``; ``again``: another game can be begun on a page of this server
    (:func:`playing_again`).
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
        "check": partial(_forecast_data, table),
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
        """Prepare for the requests to a table. ``again``: pages offer to begin another game."""
        self._table = table
        self._actions = _actions(table)
        self._error_text = error_text
        self._again = again

    async def seat_page(self, _: Request) -> Response:
        """Return the page of the present seat, or the curtain between two seats."""
        return await self._page(self._seat_page)

    async def chronicle(self, _: Request) -> Response:
        """Return the page of a reign's chronicle."""
        return await self._page(lambda: page.chronicle_page(self._table))

    async def history(self, _: Request) -> Response:
        """Return the page of all turns."""
        return await self._page(lambda: page.turns_page(self._table))

    async def doing(self, _: Request) -> Response:
        """Return what the table is doing, in words, for the page's script."""
        return JSONResponse({"says": self._table.doing}, 200, HEADERS)

    async def act(self, request: Request) -> Response:
        """Carry out the action that the page's script asks for."""
        action = self._actions.get(request.path_params["act"])
        data = await _body(request)
        turn = request.query_params.get("turn", "")
        if action is None or data is None or not _is_turn(turn):
            return JSONResponse({"says": "The server does not understand that."}, 400, HEADERS)
        seat = request.query_params.get("seat", "")
        return await _action_response(
            lambda: action(seat, int(turn), data), lambda: self._table.translate(seat), self._error_text
        )

    async def _page(self, make: Callable[[], bytes]) -> Response:
        """Return the response with the page that ``make`` makes."""
        return await _page_response(make, lambda: self._table.translate(""), self._error_text)

    def _seat_page(self) -> bytes:
        """Return the page of the present seat, or the curtain; let the bots think meanwhile."""
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
    """Return the application of the chosen game and, at the path ``again``, of the choice of another.

    ``first``: the table of the game at the beginning; without it the choice comes first. ``table``: makes the
    table of a game that was just chosen; ``token``: the first part of all paths; ``host``: the server's name
    and port as the browser knows them.
    """
    games: list[ASGIApp] = []  # those that were played on this server; the last is the present one

    def sit_down(new_table: Table) -> None:
        """Make the table's game the present one."""
        games.append(application(new_table, token, host, error_text, again=True))

    routes_at = _choosing(opening, lambda: sit_down(table()), error_text)
    choice_at_first = Guard(Starlette(routes=routes_at("/")), token, host)
    choice_again = Guard(Starlette(routes=routes_at("/again")), token, host)
    if first is not None:
        sit_down(first)

    async def passed_on(scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the present game, or to the page on which a game is chosen."""
        word = str(scope.get("path", "")).rpartition("/")[2]
        if not games:
            await choice_at_first(scope, receive, send)
        elif word in ("again", "begin"):
            await choice_again(scope, receive, send)
        else:
            await games[-1](scope, receive, send)

    return passed_on


def _choosing(
    opening: Opening, sit_down: Callable[[], None], error_text: ErrorText
) -> Callable[[str], list[Route]]:
    """Return a function that returns the routes of the page of choice, which is at the given path.

    ``sit_down``: opens the table of the game that was begun.
    """
    translate = translator(opening.spec.key, opening.language)

    async def choice_page(request: Request) -> Response:
        """Return the page of choice, for the map, game and number of players in the request."""
        map_name = request.query_params.get("map", "")
        game = request.query_params.get("game", "")
        players = _number(request.query_params.get("players", ""))
        return await _page_response(
            lambda: page.opening_page(opening, map_name, game, players), lambda: translate, error_text
        )

    async def begin(request: Request) -> Response:
        """Begin the chosen game and open its table; return the answer for the page's script."""
        data = await _body(request) or b""

        def begin_and_sit_down() -> None:
            opening.begin(data)
            sit_down()

        return await _action_response(begin_and_sit_down, lambda: translate, error_text)

    return lambda path: [Route(path, choice_page, methods=["GET"]), Route("/begin", begin, methods=["POST"])]


def _number(text: str) -> int:
    """Return a number of players from text; 0 for other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0


async def _action_response(
    does: Callable[[], dict[str, Any] | None], translate: Callable[[], Translate], error_text: ErrorText
) -> Response:
    """Carry out the action ``does``; return the response with its result, or with an error in words.

    ``translate``: returns the translator for the words of a refusal; ``error_text``: returns the words of any
    other error.
    """
    try:
        # without a result the page's script goes on to the new page
        return JSONResponse(await run_in_threadpool(does) or {"go": True}, 200, HEADERS)
    except Exception as error:
        words = {"says": await run_in_threadpool(_why_not, error, translate, error_text)}
        stale = {"stale": error.stale} if isinstance(error, RefusedError) else {}
        return JSONResponse(words | stale, 409, HEADERS)


async def _page_response(
    show: Callable[[], bytes], translate: Callable[[], Translate], error_text: ErrorText
) -> Response:
    """Return the response with the page that ``show`` makes, or with an error in words.

    ``translate``: returns the translator for the words of a refusal; ``error_text``: returns the words of any
    other error.
    """
    try:
        return Response(await run_in_threadpool(show), 200, HEADERS, "text/html; charset=utf-8")
    except Exception as error:
        words = await run_in_threadpool(_why_not, error, translate, error_text)
        return PlainTextResponse(words, 409 if isinstance(error, RefusedError) else 500, HEADERS)


def _why_not(error: Exception, translate: Callable[[], Translate], error_text: ErrorText) -> str:
    """Return an error in words.

    ``translate``: returns the translator of the game's language; if that fails, the words are about this.
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


def _forecast_data(table: Table, seat: str, turn: int, data: bytes) -> dict[str, Any]:
    """Return the forecast of an order file (``data``), for the page's script.

    The result has ``html``, and ``says`` in a few words; ``doubt``: a warning before the orders are played;
    ``guide``: the lesson of a practice game; ``orders``: the forecast of each order whose outcome is certain.
    """
    checked = table.check(seat, turn, data)
    html = page.forecast_html(table, seat, checked)
    guide = page.guide_html(table, seat, checked)
    words = page.forecast_words(checked)
    lines = page.forecast_lines(checked)
    doubt = page.forecast_doubt(checked, begun=page.offered_at(table, seat).begun)
    return {"html": html, "says": words, "doubt": doubt, "guide": guide, "orders": lines}
