"""Item 31: after a restart the old address of ``pbem play`` leads to the new one, with real sockets on
loopback.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.responses import PlainTextResponse

from gm.cli import serving
from gm.cli.addresses import MOST_PORTS, AddressBook
from tests.play.test_doorway import led_to, needs_permissions


@pytest.fixture
def book(tmp_path: Path) -> AddressBook:
    return AddressBook(tmp_path / "kept")


# -- what is kept --------------------------------------------------------------------------------------------


def test_the_last_ports_of_a_folder_are_kept(book: AddressBook, tmp_path: Path) -> None:
    """item 31: the last first, each once, and no more than a few."""
    folder = tmp_path / "solo"
    book.token(folder)
    assert book.ports(folder) == ()
    for port in (9001, 9002, 9001, 9003, 9004, 9005):
        with book.open_at(folder, port):
            assert book.ports(folder)[0] == port
    assert book.ports(folder) == (9005, 9004, 9003, 9001)
    assert len(book.ports(folder)) == MOST_PORTS
    assert book.ports(tmp_path / "duo") == ()


def test_a_table_is_led_to_only_while_it_is_open(book: AddressBook, tmp_path: Path) -> None:
    """item 31: a port that may be a stranger's by now is told nobody."""
    token = book.token(tmp_path / "solo")
    book.token(tmp_path / "duo")
    with book.open_at(tmp_path / "solo", 9001):
        assert book.open_port(token) == 9001
        assert book.is_open_at(9001)
        assert book.open_port("x" * 32) is None
        assert book.open_port("../../etc/passwd") is None
        with book.open_at(tmp_path / "solo", 9002):  # the same once more, in another window
            assert book.open_port(token) == 9001
    assert book.open_port(token) is None
    assert not book.is_open_at(9001)


@needs_permissions
@pytest.mark.parametrize("text", ["", "80\n", "9001", "99999\n", "9001\n" * 5, "nine\n", "9001\n;rm\n"])
def test_ports_that_nobody_of_ours_wrote_are_none(book: AddressBook, tmp_path: Path, text: str) -> None:
    """item 31: nor are those that others could have written."""
    folder = tmp_path / "solo"
    book.token(folder)
    with book.open_at(folder, 9001):
        pass
    path = next((tmp_path / "kept").glob("*.ports"))
    path.write_text(text, "ascii")
    assert book.ports(folder) == ()
    path.write_text("9001\n", "ascii")
    assert book.ports(folder) == (9001,)
    path.chmod(0o666)
    assert book.ports(folder) == ()


# -- tables --------------------------------------------------------------------------------------------------


class Running:
    """``pbem play`` on a folder, in a thread of its own; its page is its folder's name."""

    def __init__(self, folder: Path, port: int | None) -> None:
        self.port = 0
        self.token = ""
        self.ready = threading.Event()
        self.server: uvicorn.Server | None = None
        self._folder = folder
        self.thread = threading.Thread(
            target=serving.serve, args=(folder, self._application, port), kwargs=HIDDEN
        )

    def _application(self, token: str, host: str) -> Any:
        self.token = token
        self.port = int(host.partition(":")[2])
        return PlainTextResponse(f"the page of {self._folder.name}")

    def start(self) -> None:
        self.thread.start()
        assert self.ready.wait(20)

    def stop(self) -> None:
        """As Ctrl-C does."""
        assert self.server is not None
        self.server.should_exit = True
        self.thread.join(20)

    @property
    def path(self) -> str:
        return f"/{self.token}/"


HIDDEN = {"browser": False}


@pytest.fixture
def begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Running]]:
    """Put a folder on the table."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("gc.set_threshold", lambda *_: None)
    running: list[Running] = []
    starts = uvicorn.Server.startup

    async def startup(server: uvicorn.Server, sockets: Any = None) -> None:
        await starts(server, sockets)
        own_server = next(
            server_thread for server_thread in running if server_thread.thread is threading.current_thread()
        )
        own_server.server = server
        own_server.ready.set()

    monkeypatch.setattr(uvicorn.Server, "startup", startup)

    def put(name: str, port: int | None = None) -> Running:
        running.append(Running(tmp_path / name, port))
        running[-1].start()
        return running[-1]

    yield put
    for server_thread in running:
        server_thread.stop()


def free_port() -> int:
    """A port that nobody has now."""
    with socket.socket() as listener:
        listener.bind((serving.LOOPBACK, 0))
        port: int = listener.getsockname()[1]
        return port


def asked(port: int, path: str, host: str = "") -> str:
    """What a server answers to a browser that goes to a page there."""
    there = HTTPConnection(serving.LOOPBACK, port, timeout=20)
    try:
        there.request("GET", path, headers={"Host": host} if host else {})
        return there.getresponse().read().decode()
    finally:
        there.close()


def arrives(port: int, path: str) -> str:
    """The text of the page at which a browser arrives that follows where it is led."""
    for _ in range(4):
        text = asked(port, path)
        leads = led_to(text)
        if not leads:
            return text
        match = re.fullmatch(r"(?:http://127\.0\.0\.1:(\d+))?(/.*)", leads)
        assert match, leads
        port = int(match[1] or port)
        path = match[2]
    raise AssertionError("in a circle")


def test_the_same_port_is_tried_first(
    begin: Callable[..., Running], capfd: pytest.CaptureFixture[str]
) -> None:
    """item 31: also one that was chosen with --port; an earlier one leads to it."""
    chosen = free_port()
    first = begin("solo", chosen)
    assert first.port == chosen
    first.stop()
    second = begin("solo")
    assert (second.port, second.path) == (chosen, first.path)
    second.stop()
    other = begin("solo", free_port())
    assert other.port != chosen
    assert arrives(chosen, first.path) == "the page of solo"
    assert f"Its last address, at port {chosen}, leads there." in capfd.readouterr().out
    other.stop()


def test_another_table_leads_on_to_the_right_one(
    begin: Callable[..., Running], capfd: pytest.CaptureFixture[str]
) -> None:
    """item 31: the old port is taken by another 'pbem play' of the same user."""
    chosen = free_port()
    solo = begin("solo", chosen)
    solo.stop()
    duo = begin("duo", chosen)
    # its inside answers, where there is no guard: nobody is open
    assert asked(chosen, solo.path) == "the page of duo"
    again = begin("solo")
    assert again.port != chosen
    assert arrives(chosen, solo.path) == "the page of solo"
    assert arrives(chosen, duo.path) == "the page of duo"
    assert "now belongs to another table, which leads there" in capfd.readouterr().out
    # who does not know the token, or calls the machine by another name, is led nowhere
    assert led_to(asked(chosen, f"/{'x' * 32}/")) == ""
    assert led_to(asked(chosen, solo.path, "evil.example")) == ""
    again.stop()
    assert led_to(asked(chosen, solo.path)) == ""
    duo.stop()


def test_a_port_that_a_stranger_has_is_told(
    begin: Callable[..., Running], capfd: pytest.CaptureFixture[str]
) -> None:
    """item 31: nothing can lead on from there, so the terminal says what to open."""
    chosen = free_port()
    first = begin("solo", chosen)
    first.stop()
    with socket.socket() as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        stranger.bind((serving.LOOPBACK, chosen))
        stranger.listen()
        capfd.readouterr()
        second = begin("solo")
        assert second.port != chosen
        out = capfd.readouterr().out
        assert f"http://127.0.0.1:{second.port}/{second.token}/" in out
        assert f"at port {chosen}, now belongs to another program: open this one instead." in out
        second.stop()
