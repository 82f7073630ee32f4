"""The server of ``pbem play`` on the loopback address: its port, and what is printed about it."""

from __future__ import annotations

import gc
import hashlib
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gm.cli.addresses import AddressBook
from gm.cli.output import Failure, echo
from gm.cli.table_cache import cache_folder
from gm.core.diagnostics import says

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from gm.cli.doorway import Doorway

LOOPBACK = "127.0.0.1"
PORTS = range(21000, 32000)  # a folder's own port, which follows from its path, is one of these
TRIES = 20  # how many ports from that one on are tried
# the settings of uvicorn
SERVER: Mapping[str, Any] = {
    "http": "h11",
    "ws": "none",
    "lifespan": "off",
    "log_level": "critical",
    "access_log": False,
    "server_header": False,
    "limit_concurrency": 200,
    "timeout_graceful_shutdown": 2,
}


def serve(
    folder: Path,
    application: Callable[[str, str], ASGIApp],
    port: int | None,
    *,
    browser: bool,
    what: str = "",
) -> None:
    """Serve a game, a choice of one, or the desk, until Ctrl-C.

    ``folder``: that of the game, or of games; ``application``: makes the application from a token and the
    server's host and port; ``port``: None for one of the folder's own; ``browser``: open a browser; ``what``:
    empty for a table, else the name of what is served, which gets another address than the folder's table.
    """
    import uvicorn

    from gm.cli.doorway import Doorway

    folder = folder.resolve()
    place = folder / what  # by which the address book knows the server
    book = AddressBook(cache_folder() / "play")
    token = book.token(place)
    earlier_ports = book.ports(place)
    with ExitStack() as stack, suppress(KeyboardInterrupt):
        ports_to_try = [port] if port else ports_of(place, earlier_ports)
        main_socket = stack.enter_context(closing(listening_at(ports_to_try)))
        present_port = _port_of(main_socket)
        host = host_at(present_port)
        further_sockets = list(_listening_also(earlier_ports, present_port))
        for further_socket in further_sockets:
            stack.enter_context(closing(further_socket))
        further_ports = list(map(_port_of, further_sockets))
        stack.enter_context(book.open_at(place, present_port))
        further_hosts = list(map(host_at, further_ports))
        doorway = Doorway(
            application(token, host), token, host, further_hosts, lambda other: _host_of(book, other)
        )
        stack.enter_context(closing(doorway))
        pattern = "{0} is on your desk at\n  {1}" if what else "{0} is on the table at\n  {1}"
        echo(says(pattern, folder.name, f"http://{host}/{token}/"))
        for line in _move_lines(book, token, earlier_ports, present_port, further_ports):
            echo(line)
        echo(says("Ctrl-C ends; the game stays as it is."))
        if browser:
            # the file is put beside the game, since some browsers cannot read hidden folders of their user,
            # such as the cache; in the cache only if that fails
            _browse(doorway, (folder.parent, cache_folder() / "play"))
        gc.set_threshold(10_000, 10, 10)  # this command runs for hours: it has to collect its garbage
        uvicorn.Server(uvicorn.Config(doorway, **SERVER)).run(sockets=[main_socket, *further_sockets])


def _browse(doorway: Doorway, places: Sequence[Path]) -> None:
    """Open the page in a browser, or print that none could be opened.

    ``places``: the folders in which the file that leads to the page may be put, the best one first.
    """
    file = doorway.open(places) if has_screen() else ""
    if not (file and webbrowser.open(file)):
        echo(says("No browser could be opened here: open the address in one yourself."))


def host_at(port: int) -> str:
    """Return the host and port of a server on this machine, as in ``127.0.0.1:21000``."""
    return f"{LOOPBACK}:{port}"


def has_screen() -> bool:
    """Return whether a browser can open a window; one that runs in the terminal would block the server."""
    return not sys.platform.startswith("linux") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())


def ports_of(folder: Path, earlier: Sequence[int] = ()) -> list[int]:
    """Return the ports to try for a folder: the ``earlier`` ones, then the folder's own and the next ones.

    A folder keeps its port if it can, since what a browser stores for a page belongs to the page's address.
    """
    first = int.from_bytes(hashlib.sha256(str(folder).encode()).digest()[:4]) % len(PORTS)
    own_ports = (PORTS[(first + number) % len(PORTS)] for number in range(TRIES))
    return list(dict.fromkeys((*earlier, *own_ports)))


def listening_at(ports: Sequence[int]) -> socket.socket:
    """Return a socket on the loopback address, at the first of these ports that is free.

    Raises ``Failure`` if none is.
    """
    for port in ports:
        listener = _listening(port)
        if listener is not None:
            return listener
    raise Failure(
        says("Port {0} is taken. Is 'pbem play' running in another window? --port chooses another.", ports[0])
    )


def _listening(port: int) -> socket.socket | None:
    """Return a socket that listens at a port of the loopback address; None if the port cannot be used."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    # else the port counts as taken while connections of an earlier server are still being closed
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
        listener.listen(128)
    except OSError:
        listener.close()
        return None
    return listener


def _listening_also(ports: Iterable[int], present_port: int) -> Iterator[socket.socket]:
    """Yield sockets at free ports of earlier runs; their requests are redirected to the present port."""
    for port in ports:
        listener = _listening(port) if port != present_port else None
        if listener is not None:
            yield listener


def _port_of(listener: socket.socket) -> int:
    """Return the port at which a socket listens."""
    port: int = listener.getsockname()[1]
    return port


def _host_of(book: AddressBook, token: str) -> str | None:
    """Return the host and port of the table with this token; None if it is not open."""
    port = book.open_port(token)
    return host_at(port) if port is not None else None


def _move_lines(
    book: AddressBook, token: str, earlier_ports: Sequence[int], present_port: int, further: Sequence[int]
) -> Iterator[str]:
    """Yield the line about the last port of the table with this token, if it has another one now.

    ``earlier_ports``: the latest first; ``further``: those of them at which it listens, too.
    """
    if not earlier_ports or earlier_ports[0] == present_port:
        return
    last = earlier_ports[0]
    if book.open_port(token) == last:
        yield says("It is also on the table in another window, at port {0}.", last)
    elif last in further:
        yield says("Its last address, at port {0}, leads there.", last)
    elif book.is_open_at(last):
        pattern = (
            "Its last address, at port {0}, now belongs to another table, which leads there while it is open."
        )
        yield says(pattern, last)
    else:
        pattern = "Its last address, at port {0}, now belongs to another program: open this one instead."
        yield says(pattern, last)
