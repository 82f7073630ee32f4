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

import click

from gm.cli.addresses import AddressBook
from gm.cli.output import Failure
from gm.cli.table_cache import cache_folder

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from gm.cli.doorway import Doorway

LOOPBACK = "127.0.0.1"
PORTS = range(21000, 32000)  # a folder's own is one of these
TRIES = 20
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
    """Serve a game or a choice of one until Ctrl-C.

    ``application``: makes the application from a token and the server's names; ``what``: what is served if it
    is no table, with an address of its own.
    """
    import uvicorn

    from gm.cli.doorway import Doorway

    folder = folder.resolve()
    place = folder / what
    book = AddressBook(cache_folder() / "play")
    token = book.token(place)
    ports = book.ports(place)
    with ExitStack() as held, suppress(KeyboardInterrupt):
        listening = held.enter_context(closing(listening_at([port] if port else ports_of(place, ports))))
        here = _port_of(listening)
        host = host_at(here)
        also = list(_listening_also(ports, here))
        for earlier in also:
            held.enter_context(closing(earlier))
        also_ports = list(map(_port_of, also))
        held.enter_context(book.open_at(place, here))
        earlier_hosts = list(map(host_at, also_ports))
        doorway = Doorway(
            application(token, host), token, host, earlier_hosts, lambda other: _host_of(book, other)
        )
        held.enter_context(closing(doorway))
        click.echo(
            f"{folder.name} is {f'on your {what}' if what else 'on the table'} at\n  http://{host}/{token}/"
        )
        for line in _moved(book, token, ports, here, also_ports):
            click.echo(line)
        click.echo("Ctrl-C ends; the game stays as it is.")
        if browser:
            # beside the game, not in it: some browsers may read no hidden folder of their user's, where
            # tokens are kept
            _browse(doorway, (folder.parent, cache_folder() / "play"))
        gc.set_threshold(10_000, 10, 10)  # this command stays: it is to throw away what each turn leaves
        uvicorn.Server(uvicorn.Config(doorway, **SERVER)).run(sockets=[listening, *also])


def _browse(doorway: Doorway, places: Sequence[Path]) -> None:
    """Open the page in a browser, or print that none could be opened."""
    file = doorway.open(places) if has_screen() else ""
    if not (file and webbrowser.open(file)):
        click.echo("No browser could be opened here: open the address in one yourself.")


def host_at(port: int) -> str:
    """Return the host name and port by which a browser calls a server."""
    return f"{LOOPBACK}:{port}"


def has_screen() -> bool:
    """Return whether a browser would open a window; one in the terminal would block the server."""
    return not sys.platform.startswith("linux") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())


def ports_of(folder: Path, earlier: Sequence[int] = ()) -> list[int]:
    """Return the ports to try for a folder: its earlier ones, the last first, then one made from its name.

    A browser's stored data of a page belong to its address.
    """
    first = int.from_bytes(hashlib.sha256(str(folder).encode()).digest()[:4]) % len(PORTS)
    candidates = (PORTS[(first + at) % len(PORTS)] for at in range(TRIES))
    return list(dict.fromkeys((*earlier, *candidates)))


def listening_at(ports: Sequence[int]) -> socket.socket:
    """Return a socket on the loopback address, at the first of these ports that is free."""
    for port in ports:
        listener = _listening(port)
        if listener is not None:
            return listener
    raise Failure(
        f"Port {ports[0]} is taken. Is 'pbem play' running in another window? --port chooses another."
    )


def _listening(port: int) -> socket.socket | None:
    """Return a socket that listens at a port of the loopback address; None if it is taken."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
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


def _port_of(listening: socket.socket) -> int:
    port: int = listening.getsockname()[1]
    return port


def _host_of(book: AddressBook, token: str) -> str | None:
    port = book.open_port(token)
    return host_at(port) if port is not None else None


def _moved(
    book: AddressBook, token: str, ports: Sequence[int], present_port: int, also: Sequence[int]
) -> Iterator[str]:
    """Yield the lines about the table's last address, if it has another now."""
    if not ports or ports[0] == present_port:
        return
    last = ports[0]
    if book.open_port(token) == last:
        yield f"It is also on the table in another window, at port {last}."
    elif last in also:
        yield f"Its last address, at port {last}, leads there."
    elif book.is_open_at(last):
        yield (
            f"Its last address, at port {last}, now belongs to another table, which leads there while it is "
            "open."
        )
    else:
        yield f"Its last address, at port {last}, now belongs to another program: open this one instead."
