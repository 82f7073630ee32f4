"""A mail server for fast tests: it takes what it is told to take, and breaks when it is told to break."""

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage

from tests.mail.shapes.pieces import parsed


@dataclass
class SmtpStub:
    """A mail server that records what it receives, and answers as it is told.

    ``deliver`` is called with the recipients and bytes of each message it took. ``refused`` are answers to
    recipients by their address; ``greeting``, ``sender`` and ``data`` answer the connection, MAIL FROM and
    the message itself. An answer ``drop`` closes the connection without one; a message is taken first.
    """

    port: int = 0
    got: list[tuple[tuple[str, ...], bytes]] = field(default_factory=list)
    connections: int = 0
    greeting: str = "220 stub"
    sender: str = "250 ok"
    data: str = "250 taken"
    refused: dict[str, str] = field(default_factory=dict)
    deliver: Callable[[tuple[str, ...], bytes], None] = lambda recipients, data: None

    def letters(self, to: str = "") -> list[EmailMessage]:
        """The messages that it took, of one reader or all."""
        letters = [data for recipients, data in self.got if to in ("", recipients[0])]
        return list(map(parsed, letters))

    def take(self, recipients: list[str], data: bytes) -> None:
        self.got.append((tuple(recipients), data))
        self.deliver(tuple(recipients), data)


@contextmanager
def smtp_stub() -> Iterator[SmtpStub]:
    """A server for as long as the ``with`` lasts."""
    with serving(SmtpStub()) as stub:
        yield stub


@contextmanager
def serving(stub: SmtpStub) -> Iterator[SmtpStub]:
    """The server on a free port of loopback, for as long as the ``with`` lasts."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            stub.connections += 1
            _talk(stub, self.rfile.readline, self._translate)

        def _translate(self, words: str) -> None:
            self.wfile.write(f"{words}\r\n".encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        stub.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield stub
        finally:
            server.shutdown()
            thread.join()


def _talk(stub: SmtpStub, read: Callable[[], bytes], translate: Callable[[str], None]) -> None:
    """One connection, from the greeting to its end."""
    translate(stub.greeting)
    recipients: list[str] = []
    while line := read().decode("utf-8", "replace").strip():
        word = line.partition(" ")[0].upper()
        if word == "RCPT":
            address = line.partition("<")[2].partition(">")[0]
            answer = stub.refused.get(address, "250 ok")
            recipients += [address] if answer.startswith("2") else []
        elif word == "DATA":
            translate("354 go on")
            data = b"".join(_lines(read))
            answer = stub.data
            if answer.startswith("2") or answer == "drop":
                stub.take(recipients, data)
            recipients = []
        elif word == "QUIT":
            translate("221 bye")
            return
        else:
            recipients = [] if word == "RSET" else recipients
            answer = stub.sender if word == "MAIL" else "250 ok"
        if answer == "drop":
            return
        translate(answer)


def _lines(read: Callable[[], bytes]) -> Iterator[bytes]:
    """The lines of a message up to the dot that ends it, with the doubled dots single again."""
    while (line := read()) not in (b".\r\n", b""):
        yield line[1:] if line.startswith(b".") else line
