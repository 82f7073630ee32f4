"""A web address on loopback that keeps what it is told, and answers as it is asked to."""

import os
import signal
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Receiver:
    """A web server that records what it receives.

    ``got``: path, headers and body of each request; ``code``: the status of its answers; ``before``: called
    with each request, returns whether it is answered at all.
    """

    url: str = ""
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    code: int = 204
    before: Callable[[], bool] = lambda: True

    def bodies(self) -> list[bytes]:
        return [body for _, _, body in self.got]


@contextmanager
def receiving(secure: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """The server on a free port, for as long as the ``with`` lasts."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if len(body) < int(self.headers["Content-Length"]):
                return  # whoever sent it is gone
            receiver.got.append((self.path, dict(self.headers.items()), body))
            if receiver.before():
                with suppress(OSError):
                    self.send_response(receiver.code)
                    self.send_header("Location", self.path)
                    self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver.url = f"http{'s' if secure else ''}://127.0.0.1:{server.server_port}/token-of-the-club"
        if secure:
            server.socket = secure.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield receiver
        finally:
            server.shutdown()


def killed_while_it_thinks(receiver: Receiver, tell: Callable[[], None]) -> None:
    """Tell in a process of its own, which the receiver kills as soon as its request is in."""
    child = os.fork()
    if child == 0:
        tell()
        os._exit(0)

    def kill() -> bool:
        os.kill(child, signal.SIGKILL)
        return True

    receiver.before = kill
    os.waitpid(child, 0)
    receiver.before = lambda: True
