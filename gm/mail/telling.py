"""Send a notification to a web address, in its service's format, or to a program.

Nothing of a receiver's answer is shown or stored but its status code: it may quote the address, which is as
good as a password.
"""

import base64
import errno
import http.client
import json
import re
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from email.header import Header
from functools import cache, partial
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread, Timer
from typing import Any
from urllib.parse import urlsplit

from gm import PROGRAM, __version__
from gm.core.diagnostics import says
from gm.core.values import Record
from gm.mail.body_text import mail_data
from gm.mail.sending import RefusedError
from gm.store.hooks import SERVICES, Channel, Hook
from gm.store.inbox import fingerprint

LOOKING_UP = 5.0  # seconds that the look-up of a server's name has
CONNECTING = 5.0
ANSWERING = 10.0  # seconds that a server has
RUNNING = 30.0  # seconds that a program has
_LATER = (408, 425, 429)  # what a server answers who wants to be asked later, besides 5xx
_TRIED = 4  # addresses of a server
_UNICAST = IPv6Network("2000::/3")  # without those that stand for IPv4 addresses
_FIELD = re.compile(r"\{(\w+)\}")

Address = IPv4Address | IPv6Address
Reach = Callable[[str, int], Sequence[tuple[str, int]]]  # the places to call for a host and port


class Notification(Record):
    """Public facts, in a few lines. ``map``: as PNG, if the hook wants it."""

    event: str
    game: str
    turn: int
    title: str
    text: str
    map: bytes = b""


class Request(Record):
    """A notification in the form that a service expects."""

    headers: Mapping[str, str]
    body: bytes


def tell(hook: Hook, notification: Notification, folder: Path, handing_over: Callable[[], None]) -> None:
    """Send a notification; ``folder``: the game's.

    ``handing_over`` is called just before it may arrive. Raises ``RefusedError``: for now, or forever, also
    when it may have arrived without an answer.
    """
    if hook.run:
        _run(hook, request_of(SERVICES[0], notification).body, folder, handing_over)
    else:
        reach = _reach_of(hook)
        _post(hook, request_of(hook.service, notification), reach, handing_over)


# -- bodies --------------------------------------------------------------------------------------------------


@cache
def services() -> Mapping[str, Any]:
    """Return the form that each service expects, by its name."""
    return mail_data("hooks.yaml")


def request_of(service: str, notification: Notification) -> Request:
    """Return a notification as the request for a service.

    Pure: a form's boundary follows from its content.
    """
    service_data = services()[service]
    escaped = str.maketrans(service_data.get("escaped", {}))
    longest = service_data.get("longest", len(notification.text))
    text = notification.text if len(notification.text) <= longest else f"{notification.text[: longest - 1]}…"
    values: dict[str, Any] = {name: getattr(notification, name) for name in ("event", "game", "turn")}
    values |= {"title": notification.title.translate(escaped), "text": text.translate(escaped)}
    picture = service_data.get("picture", "") if notification.map else ""
    headers = _filled(service_data.get("with_picture" if picture == "body" else "headers", {}), values)
    if picture == "body":
        return Request({"Content-Type": "image/png", **headers}, notification.map)
    if "body" in service_data:
        body = _filled(service_data["body"], values).encode()
        return Request({"Content-Type": "text/plain; charset=utf-8", **headers}, body)
    fields = _filled(service_data["json"], values)
    if picture == "map":
        fields["map"] = base64.b64encode(notification.map).decode()
    content = json.dumps(fields, ensure_ascii=False).encode()
    if picture != "form":
        return Request({"Content-Type": "application/json", **headers}, content)
    return _form_request(headers, content, notification.map)


def _form_request(headers: Mapping[str, str], content: bytes, picture: bytes) -> Request:
    """Return a form with JSON and a picture as a request."""
    boundary = fingerprint(content + picture)[:32]
    parts = (
        ("payload_json", "application/json", content),
        ('files[0]"; filename="map.png', "image/png", picture),
    )
    body = b"".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n'.encode()
        + f"Content-Type: {kind}\r\n\r\n".encode()
        + data
        + b"\r\n"
        for name, kind, data in parts
    )
    content_type = f"multipart/form-data; boundary={boundary}"
    return Request({"Content-Type": content_type, **headers}, body + f"--{boundary}--\r\n".encode())


def _filled(template: Any, values: Mapping[str, Any]) -> Any:
    """Return a template with its fields filled in; values are not templates. A field alone keeps its type."""
    if isinstance(template, Mapping):
        return {name: _filled(part, values) for name, part in template.items()}
    if not isinstance(template, str):
        return template
    whole = _FIELD.fullmatch(template)
    return values[whole[1]] if whole else _FIELD.sub(lambda match: str(values[match[1]]), template)


# -- web addresses -------------------------------------------------------------------------------------------


def _post(hook: Hook, request: Request, reach: Reach, handing_over: Callable[[], None]) -> None:
    """Send a request to the hook's address. Raises ``RefusedError``."""
    parts = urlsplit(hook.url)
    # one line each, and what is not ASCII as in a mail
    headers = {
        name: Header(text.replace("\n", "\\n"), maxlinelen=10**6).encode()
        for name, text in request.headers.items()
    }
    with _connected(parts.scheme, parts.hostname or "", parts.port, reach) as server:
        try:
            server.putrequest("POST", f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}")
            for name, text in {**headers, "User-Agent": f"{PROGRAM}/{__version__}"}.items():
                server.putheader(name, text)
            server.putheader("Content-Length", str(len(request.body)))
            server.endheaders(request.body[:-1])
        except (OSError, http.client.HTTPException) as error:
            raise RefusedError(says("the connection broke: {0}", _words(error)), forever=False) from None
        handing_over()
        try:
            server.send(request.body[-1:])
            code = server.getresponse().status
        except (OSError, http.client.HTTPException):
            words = says(
                "it gave no answer, but may have received it: it is not notified again automatically"
            )
            raise RefusedError(words, forever=True, doubt=True) from None
    if not 200 <= code < 300:
        name = HTTPStatus(code).phrase if code in list(HTTPStatus) else "unknown"
        words = says("it answers {0} ({1})", code, name)
        if 300 <= code < 400:
            words = says("it answers {0} ({1}), and redirects are not followed", code, name)
        raise RefusedError(words, forever=code < 500 and code not in _LATER)


@contextmanager
def _connected(
    scheme: str, host: str, port: int | None, reach: Reach
) -> Iterator[http.client.HTTPConnection]:
    """Yield a connection that is cut when it takes too long in all. Raises ``RefusedError``."""
    secure = scheme == "https"
    connection_type = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    server = connection_type(host, port)
    try:
        line = _line(reach(host, server.port))
    except OSError as error:
        raise RefusedError(says("it cannot be reached: {0}", _words(error)), forever=False) from None
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if secure:
        context = ssl.create_default_context()
        line = context.wrap_socket(line, server_hostname=host, do_handshake_on_connect=False)
    server.sock = line

    def cut() -> None:
        with suppress(OSError):
            socket.socket.shutdown(line, socket.SHUT_RDWR)

    clock = Timer(ANSWERING, cut)
    clock.start()
    try:
        line.settimeout(ANSWERING)
        if isinstance(line, ssl.SSLSocket):
            _shake_hands(line)
        yield server
    finally:
        clock.cancel()
        server.close()


def _shake_hands(line: ssl.SSLSocket) -> None:
    try:
        line.do_handshake()
    except OSError as error:
        raise RefusedError(says("it cannot be reached: {0}", _words(error)), forever=False) from None


def _line(places: Sequence[tuple[str, int]]) -> socket.socket:
    """Return a connection to the first of these places that accepts one. Raises ``OSError``."""
    problem = OSError(says("no address"))
    for place in places:
        try:
            return socket.create_connection(place, timeout=CONNECTING)
        except OSError as error:
            problem = error
    raise problem


def _reach_of(hook: Hook) -> Reach:
    """Return the function that looks up a hook's host; a player's channel leads to no private network."""
    if not isinstance(hook, Channel):
        return partial(_checked_places, allowed=_is_any)
    return partial(_checked_places, allowed=_is_loopback if hook.loopback else _is_public)


def _checked_places(host: str, port: int, allowed: Callable[[Address], bool]) -> list[tuple[str, int]]:
    """Return the addresses of a host, looked up once, so that they cannot change between check and call.

    Raises ``OSError``, and ``RefusedError`` if one of them is not ``allowed``.
    """
    addresses = _addresses(host, port)
    if not all(allowed(ip_address(address)) for address in addresses):
        raise RefusedError(says("it is in a private network"), forever=True)
    return [(address, port) for address in addresses]


def _addresses(host: str, port: int) -> list[str]:
    """Return the first addresses of a host.

    A thread asks for them, which ends with the program: the system's resolver knows no limit of time. Raises
    ``OSError``.
    """
    answers: SimpleQueue[list[str] | OSError] = SimpleQueue()

    def look_up() -> None:
        """Put the addresses of the server into the queue, or the error."""
        try:
            places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.put([str(place[4][0]) for place in places])
        except UnicodeError:
            answers.put(OSError(errno.EINVAL, "not a server's name"))
        except OSError as error:
            answers.put(error)

    Thread(target=look_up, daemon=True).start()
    try:
        answer = answers.get(timeout=LOOKING_UP)
    except Empty:
        raise OSError(errno.ETIMEDOUT, f"its name was not found within {LOOKING_UP:.0f} seconds") from None
    if isinstance(answer, OSError):
        raise answer
    return list(dict.fromkeys(answer))[:_TRIED]


def _is_any(_: Address) -> bool:
    return True


def _is_public(address: Address) -> bool:
    """Return whether an address is on the public Internet, and leads to no other network."""
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast
    return address in _UNICAST and address.is_global and address.sixtofour is None and address.teredo is None


def _is_loopback(address: Address) -> bool:
    return address.is_loopback


def _words(error: Exception) -> str:
    return (getattr(error, "strerror", None) or type(error).__name__).lower()


# -- programs ------------------------------------------------------------------------------------------------


def _run(hook: Hook, data: bytes, folder: Path, handing_over: Callable[[], None]) -> None:
    """Run the hook's program with a notification as its input. Raises ``RefusedError``."""
    handing_over()
    try:
        process = subprocess.run(  # noqa: S603 - it stands in the GM's own settings
            list(hook.run), cwd=folder, input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            timeout=RUNNING, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise RefusedError(
            says("it ran for more than {0:.0f} seconds and was ended", RUNNING), forever=True
        ) from None
    except (OSError, ValueError) as error:
        raise RefusedError(says("it cannot be started: {0}", _words(error)), forever=True) from None
    if process.returncode:
        raise RefusedError(says("it ended with {0}", process.returncode), forever=False)
