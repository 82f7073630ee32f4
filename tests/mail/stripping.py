"""Somebody in the middle of a connection who takes the offer of encryption out of what a server says."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def stripped(port: int) -> Iterator[int]:
    """A port of loopback behind which the server of another answers, as if it knew no STARTTLS."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.settimeout(0.2)
        ended = threading.Event()
        threads = [threading.Thread(target=_serve, args=(door, port, ended))]
        threads[0].start()
        try:
            yield door.getsockname()[1]
        finally:
            ended.set()
            threads[0].join()


def _serve(door: socket.socket, port: int, ended: threading.Event) -> None:
    while not ended.is_set():
        try:
            client, _ = door.accept()
        except TimeoutError:
            continue
        with client, socket.create_connection(("127.0.0.1", port)) as server:
            for end in (client, server):
                end.settimeout(0.1)
            _pass_on(client, server, ended)


def _pass_on(client: socket.socket, server: socket.socket, ended: threading.Event) -> None:
    while not ended.is_set():
        for source, target in ((client, server), (server, client)):
            with suppress(TimeoutError):
                data = source.recv(65536)
                if not data:
                    return
                target.sendall(_without_offer(data) if source is server else data)


def _without_offer(data: bytes) -> bytes:
    for offer in (b"250-STARTTLS\r\n", b" STARTTLS"):
        data = data.replace(offer, b"")
    return data
