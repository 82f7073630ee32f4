"""The server of ``pbem desk``: the games of a folder, the week of each, and the actions of its page.

:mod:`gm.play.guard` decides who may ask. An action is a command, which runs as a process of its own. The
answer is the page of the week: its beginning is sent at once, then the output of the command, and when that
ends, the rest of the page, which shows the game as it is then. No script is needed for it.
"""

from __future__ import annotations

from asyncio import Lock, timeout
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from jinja2.filters import do_urlencode
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from gm.campaign.check import check_submission
from gm.campaign.check_text import check_text
from gm.campaign.receive import Submission
from gm.campaign.unpacking import READ_LIMIT, offered_data
from gm.core.diagnostics import printable, said, says
from gm.desk.acts import ACTS, NotDoneError, command_line, words_of
from gm.desk.page import (
    Answer,
    Lent,
    Part,
    broken_page,
    games_page,
    own_summary,
    printed_html,
    shown_file,
    week_page,
)
from gm.play.guard import HEADERS, Guard
from gm.text.languages import ENGLISH, SHARED, languages_of, translator
from gm.text.printed import Block, Printed

MOST_FILES = 40
MOST_FIELDS = 20
MOST_CHECKED = 4  # so many checks' files are stored to be received
_MEGABYTE = 1024**2
MOST_BYTES = 8 * _MEGABYTE  # of a request
PATIENCE = 20  # seconds in which a request must have come
COLUMNS = 100  # of a check's lines
HERE = HEADERS | {"Referrer-Policy": "same-origin"}  # without it, forms would not say whose page they are on
_LOOKED_AT = HEADERS | {
    "Content-Security-Policy": "connect-src 'none'; form-action 'none'; frame-ancestors 'none'"
}


class Desk:
    """The desk over a folder of games.

    ``lent``: the functions of the commands that it calls; ``place``: the folder in which its commands run;
    ``language``: of its pages, empty: each browser's.
    """

    def __init__(self, lent: Lent, place: Path, language: str = "") -> None:
        self.lent = lent
        self.place = place
        self._language = language
        self.at_work = Lock()  # one command at a time, so that two windows do not play two turns
        # the files of the last checks, by the secret that the page sends back to receive them
        self.checked = dict[str, Sequence[Submission]]()

    def language(self, request: Request) -> str:
        """Return the language of a window: the desk's own, else the first that its browser asks for.

        Languages that the desk does not have are passed over; without any it is English.
        """
        # such as ``de-AT,de;q=0.8``; of an endless header only the beginning is read
        asked = request.headers.get("accept-language", "")[:200].split(",")
        codes = [self._language, *(word.partition(";")[0].partition("-")[0].strip() for word in asked)]
        return next((code for code in codes if code in languages_of(SHARED)), ENGLISH)


Answering = Callable[[Desk, Request], Awaitable[Response]]


def application(desk: Desk, token: str, host: str) -> ASGIApp:
    """Return the web application of the desk.

    ``token``: the secret that a browser must send; ``host``: as the browser calls it, ``127.0.0.1:8000``.
    """
    routes = [
        Route("/", partial(_respond, desk, _games), methods=["GET"]),
        Route("/{game}/", partial(_respond, desk, _week), methods=["GET"]),
        Route("/{game}/", partial(_respond, desk, _carry_out), methods=["POST"]),
        Route("/{game}/{page:path}", partial(_respond, desk, _file_page), methods=["GET"]),
    ]
    return Guard(Starlette(routes=routes), token, host)


async def _respond(desk: Desk, answer: Answering, request: Request) -> Response:
    """Return the response of ``answer``; for an unknown game or an error it is a page that says so."""
    request.state.games = {}  # for the page about an error, if the games cannot be found
    try:
        request.state.games = await run_in_threadpool(desk.lent.games)  # the disk is asked once a request
        if request.path_params.get("game", "") not in ("", *request.state.games):
            return await _not_found(desk, request)
        return await answer(desk, request)
    except Exception as error:
        return await _error_page(desk, request, desk.lent.in_words(error, desk.language(request)), 500)


async def _not_found(desk: Desk, request: Request) -> Response:
    """Return the page for an unknown address."""
    why = said(says("Page not found."), translator(SHARED, desk.language(request)))
    return await _error_page(desk, request, why, 404)


async def _error_page(desk: Desk, request: Request, why: str, status: int) -> Response:
    """Return a page with an error in place of the requested one; the other games go on."""
    name = request.path_params.get("game", "")
    home = "../" * (request.url.path.count("/") - 1)
    page = partial(broken_page, desk.lent, request.state.games, desk.language(request), why)
    return HTMLResponse(await run_in_threadpool(page, name=name, home=home), status, HERE)


# -- pages ---------------------------------------------------------------------------------------------------


async def _games(desk: Desk, request: Request) -> Response:
    """Return the page with the list of games; if there is only one, a redirection to its page."""
    games = request.state.games
    if len(games) == 1:
        (only_name,) = games
        return RedirectResponse(f"{do_urlencode(only_name)}/", 303, HEADERS)
    return HTMLResponse(
        await run_in_threadpool(games_page, desk.lent, games, desk.language(request)), 200, HERE
    )


async def _week(desk: Desk, request: Request, answer: Answer | None = None) -> Response:
    """Return the page of a game's week, with the answer to a button, if one was pressed."""
    return HTMLResponse(await _week_text(desk, request, answer), 200, HERE)


async def _week_text(desk: Desk, request: Request, answer: Answer | None, mark: str = "") -> str:
    """Return the page of a game's week as HTML, with the answer to a button, if one was pressed.

    ``mark``: stands in the page where a command's output is to come; empty: nowhere.
    """
    many = len(request.state.games) > 1
    page: str = await run_in_threadpool(
        week_page, desk.lent, _folder(request), desk.language(request), answer, mark=mark, many=many
    )
    return page


async def _file_page(desk: Desk, request: Request) -> Response:
    """Return a file of a game that may be looked at; the newest summary in the window's language."""
    path = shown_file(_folder(request), request.path_params["page"])
    if path is None:
        return await _not_found(desk, request)
    kind = "text/html" if path.suffix == ".html" else "text/plain"
    data = await run_in_threadpool(_own_summary, desk, request) or await run_in_threadpool(path.read_bytes)
    return Response(data, 200, _LOOKED_AT, f"{kind}; charset=utf-8")


def _own_summary(desk: Desk, request: Request) -> bytes | None:
    """Return the newest summary in the window's language, if that is asked for and stored in another one."""
    page = request.path_params["page"]
    if not page.endswith("/summary.html"):
        return None
    return own_summary(desk.lent.game(_folder(request)), page, desk.language(request))


def _folder(request: Request) -> Path:
    """Return the folder of the game that a request names."""
    folder: Path = request.state.games[request.path_params["game"]]
    return folder


# -- what is asked for ---------------------------------------------------------------------------------------


async def _carry_out(desk: Desk, request: Request) -> Response:
    """Carry out the action of a button and return the page with its answer.

    Nothing is done if the game has moved on since the page was made.
    """
    form = FormData()  # to be closed at the end, also if the request's form cannot be read
    try:
        form = await _form(request)
        typed = {name: value for name, value in form.items() if isinstance(value, str)}
        await run_in_threadpool(_refuse_stale, desk, request, typed)
        if typed.get("act") in ("check", "receive"):
            return await _week(desk, request, await _files_answer(desk, request, typed, form))
        return await _command_page(desk, request, typed)
    except NotDoneError as error:
        return await _week(desk, request, _refusal(desk, request, error))
    finally:
        await form.close()


def _refusal(desk: Desk, request: Request, error: NotDoneError, command: str = "") -> Answer:
    """Return the answer to a button whose action was refused."""
    say = translator(SHARED, desk.language(request))
    return Answer(command, done=False, says=str(said(error.says, say)))


async def _form(request: Request) -> FormData:
    """Return the fields of a request. Raises ``NotDoneError`` if it is too large or takes too long."""
    length = request.headers.get("content-length", "")
    too_much = says(
        "Too much at once: send at most {0} files, {1} MB in all.", MOST_FILES, MOST_BYTES // _MEGABYTE
    )
    if not length.isdigit() or int(length) > MOST_BYTES:
        raise NotDoneError(too_much)
    try:
        async with timeout(PATIENCE):
            return await request.form(max_files=MOST_FILES, max_fields=MOST_FIELDS)
    except TimeoutError:
        raise NotDoneError(says("The upload did not finish in time.")) from None
    except HTTPException:
        raise NotDoneError(too_much) from None


def _refuse_stale(desk: Desk, request: Request, typed: Mapping[str, str]) -> None:
    """Raise ``NotDoneError`` for a page of another turn than the coming one."""
    campaign = desk.lent.game(_folder(request))
    if typed.get("turn") != str(campaign.next_turn):
        message = says(
            "The game has moved on in another window or a terminal. This page shows it as it is now."
        )
        raise NotDoneError(message)


async def _command_page(desk: Desk, request: Request, typed: Mapping[str, str]) -> Response:
    """Return the page that shows a command's output while it runs.

    For a command that cannot be undone and is not confirmed yet, it is the page that asks for that. Raises
    ``NotDoneError`` for an unknown button.
    """
    act = ACTS.get(typed.get("act", ""))
    if act is None:
        raise NotDoneError(says("The desk does not know this button."))
    words = words_of(act, _folder(request).relative_to(desk.place), typed)
    if act.asks and typed.get("sure") != "yes":
        again = {name: value for name, value in typed.items() if value and name != "sure"}
        return await _week(desk, request, Answer(command_line(words), again=again))
    mark = desk.lent.secret()  # a text that stands nowhere else in the page
    page = await _week_text(desk, request, Answer(command_line(words)), mark)
    running = _page_parts(desk, request, words, typed, page.partition(mark))
    return StreamingResponse(running, 200, HERE, "text/html")


async def _page_parts(
    desk: Desk, request: Request, words: list[str], typed: Mapping[str, str], parts: tuple[str, str, str]
) -> AsyncIterator[str]:
    """Yield the week's page while a command runs: its beginning, the command's lines, the rest at its end.

    ``words``: the command; ``typed``: the fields of its button; ``parts``: (what the page before has up to
    the place of the lines, the mark at that place, what it has after it).
    """
    command = command_line(words)
    beginning, mark, end = parts
    page = partial(_week_text, desk, request, mark=mark)
    standard_input = typed.get(ACTS[typed["act"]].text, "")
    printed = Printed()
    yield beginning
    try:
        async with desk.at_work:
            await run_in_threadpool(_refuse_stale, desk, request, typed)  # another window may have been first
            running = desk.lent.run(words, desk.place, standard_input, desk.language(request))
            async for lines in running.lines():
                yield printed_html(printed.blocks(lines))
            yield printed_html(printed.rest())
        # the end is that of a new page, which shows the game as it is after the command
        end = (await page(Answer(command, done=running.is_done))).partition(mark)[2]
    except NotDoneError as error:
        end = (await page(_refusal(desk, request, error, command))).partition(mark)[2]
    except Exception as error:  # the rest of the page is as it was before
        yield printed_html([Block(desk.lent.in_words(error, desk.language(request)))])
    yield end


# -- order files ---------------------------------------------------------------------------------------------


async def _files_answer(desk: Desk, request: Request, typed: Mapping[str, str], form: FormData) -> Answer:
    """Return the findings in order files, or the outcome of receiving them.

    The files are the uploaded ones, or those of an earlier check that the page names. Raises
    ``NotDoneError`` if there are none.
    """
    uploads = [upload for upload in form.getlist("files") if isinstance(upload, UploadFile)]
    uploaded_files = [await _offer(upload) for upload in uploads if upload.filename]
    offers = desk.checked.get(typed.get("checked", ""), uploaded_files)
    if not offers:
        raise NotDoneError(says("Choose order files first, or drop them on the field."))
    act = _receive_files if typed["act"] == "receive" else _check_files
    async with desk.at_work:
        await run_in_threadpool(_refuse_stale, desk, request, typed)
        answer: Answer = await run_in_threadpool(act, desk, request, offers, take_late="--late" in typed)
    return answer


async def _offer(upload: UploadFile) -> Submission:
    """Return an uploaded file as a submission. Its name is only shown."""
    name = printable(upload.filename or "")[-100:]
    data = await upload.read(READ_LIMIT)
    offer: Submission = await run_in_threadpool(offered_data, name, data)
    return offer


def _receive_files(desk: Desk, request: Request, offers: Sequence[Submission], *, take_late: bool) -> Answer:
    """Receive order files and return the answer with the outcome, or with the error in words."""
    folder = _folder(request)
    late = ["--late"] if take_late else []
    command = _file_command(["receive", *late, f"--game={folder.relative_to(desk.place)}"], offers)
    try:
        text, all_accepted = desk.lent.receive(folder, offers, take_late, desk.language(request))
    except Exception as error:
        return Answer(command, done=False, says=desk.lent.in_words(error, desk.language(request)))
    return Answer(command, (Part("", text),), all_accepted)


def _check_files(desk: Desk, request: Request, offers: Sequence[Submission], **_: bool) -> Answer:
    """Return the answer with the findings in order files, and store the files to be received later.

    It is called with the arguments of :func:`_receive_files`, of which it needs only these.
    """
    folder = _folder(request)
    command = _file_command(["check", f"--game={folder.relative_to(desk.place)}"], offers)
    campaign = desk.lent.game(folder)
    context = desk.lent.context(campaign).evolve(languages={}, language=desk.language(request))
    previews = [check_submission(context, offer, Path(offer.name)) for offer in offers]
    parts = [
        Part(offer.name, check_text(preview, COLUMNS))
        for offer, preview in zip(offers, previews, strict=True)
    ]
    secret = desk.lent.secret()
    newest_checks = list(desk.checked.items())[1 - MOST_CHECKED :]  # there is room for one more
    desk.checked = {**dict(newest_checks), secret: offers}
    return Answer(command, parts, not any(preview.errors for preview in previews), checked=secret)


def _file_command(words: list[str], offers: Sequence[Submission]) -> str:
    """Return the command about uploaded files, as it would be typed for files on the disk."""
    return command_line([*words, *(offer.name for offer in offers)])
