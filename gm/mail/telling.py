"""Send a notification to a web address, in its service's format, or to a program.

Of a web server's answer nothing is shown or stored but the status code: the rest may quote the address, which
is as good as a password.
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

# limits in seconds
LOOKING_UP = 5.0  # a server's addresses
CONNECTING = 5.0  # to one address
ANSWERING = 10.0  # from the connection to a server's answer
RUNNING = 30.0  # a program
_LATER = (408, 425, 429)  # status codes besides 5xx after which a notification is tried again later
_TRIED = 4  # addresses of a server
_UNICAST = IPv6Network("2000::/3")  # without those that stand for IPv4 addresses
_FIELD = re.compile(r"\{(\w+)\}")

Address = IPv4Address | IPv6Address
# takes a host's name and a port; returns (IP address, port) of each place to connect to
LookUp = Callable[[str, int], Sequence[tuple[str, int]]]


class Notification(Record):
    """Public facts about a game, for a hook or a player's channel."""

    event: str  # turn, reminder, seat, press, code or test
    game: str  # its id
    turn: int
    title: str
    text: str  # a few lines
    map: bytes = b""  # as PNG; empty if the hook wants none


class Request(Record):
    """A notification in the form that a service expects."""

    headers: Mapping[str, str]
    body: bytes


def tell(hook: Hook, notification: Notification, folder: Path, handing_over: Callable[[], None]) -> None:
    """Send a notification; ``folder``: the game's, in which programs run.

    ``handing_over`` is called just before it may arrive. Raises ``RefusedError``: for now, or forever. It is
    forever, too, when the notification may have arrived but no answer came.
    """
    if hook.run:
        _run(hook, request_of(SERVICES[0], notification).body, folder, handing_over)
    else:
        _post(hook, request_of(hook.service, notification), _look_up_of(hook), handing_over)


# -- bodies --------------------------------------------------------------------------------------------------


@cache
def services() -> Mapping[str, Any]:
    """Return by its name what each service expects, as ``templates/mail/hooks.yaml`` describes it."""
    return mail_data("hooks.yaml")


def request_of(service: str, notification: Notification) -> Request:
    """Return a notification as the request for a service; the same notification gives the same bytes."""
    service_data = services()[service]
    escapes = str.maketrans(service_data.get("escaped", {}))
    longest = service_data.get("longest", len(notification.text))
    text = notification.text if len(notification.text) <= longest else f"{notification.text[: longest - 1]}…"
    values: dict[str, Any] = {name: getattr(notification, name) for name in ("event", "game", "turn")}
    values |= {"title": notification.title.translate(escapes), "text": text.translate(escapes)}
    # how the service wants a picture: as the whole body, as an entry of the JSON, or in a form
    picture_place = service_data.get("picture", "") if notification.map else ""
    header_entry = "with_picture" if picture_place == "body" else "headers"
    headers = _filled(service_data.get(header_entry, {}), values)
    if picture_place == "body":
        return Request({"Content-Type": "image/png", **headers}, notification.map)
    if "body" in service_data:
        body = _filled(service_data["body"], values).encode()
        return Request({"Content-Type": "text/plain; charset=utf-8", **headers}, body)
    fields = _filled(service_data["json"], values)
    if picture_place == "map":
        fields["map"] = base64.b64encode(notification.map).decode()
    content = json.dumps(fields, ensure_ascii=False).encode()
    if picture_place != "form":
        return Request({"Content-Type": "application/json", **headers}, content)
    return _form_request(headers, content, notification.map)


def _form_request(headers: Mapping[str, str], content: bytes, picture: bytes) -> Request:
    """Return a form with JSON (``content``) and a picture as a request."""
    boundary = fingerprint(content + picture)[:32]
    # the second name ends its quotation marks itself, so that a file's name follows
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
    """Return a template, a text or mapping, with the values in place of its fields ``{name}``.

    A text that is one field alone becomes that value, whatever its type. Fields in values stay as they are.
    """
    if isinstance(template, Mapping):
        return {name: _filled(part, values) for name, part in template.items()}
    if not isinstance(template, str):
        return template
    whole = _FIELD.fullmatch(template)
    return values[whole[1]] if whole else _FIELD.sub(lambda match: str(values[match[1]]), template)


# -- web addresses -------------------------------------------------------------------------------------------


def _post(hook: Hook, request: Request, look_up: LookUp, handing_over: Callable[[], None]) -> None:
    """Send a request to the hook's address. Raises ``RefusedError``.

    The last byte is sent by itself, after ``handing_over``: without it the request cannot have arrived.
    """
    parts = urlsplit(hook.url)
    # a header is one line, with other characters than ASCII encoded as in mails
    headers = {
        name: Header(text.replace("\n", "\\n"), maxlinelen=10**6).encode()
        for name, text in request.headers.items()
    }
    target = parts.path or "/"
    if parts.query:
        target = f"{target}?{parts.query}"
    with _connection(parts.scheme, parts.hostname or "", parts.port, look_up) as server:
        try:
            server.putrequest("POST", target)
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
def _connection(
    scheme: str, host: str, port: int | None, look_up: LookUp
) -> Iterator[http.client.HTTPConnection]:
    """Yield a connection to a server, which is cut after ``ANSWERING`` seconds. Raises ``RefusedError``."""
    is_secure = scheme == "https"
    connection_type = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
    server = connection_type(host, port)
    try:
        sock = _connected_socket(look_up(host, server.port))
    except OSError as error:
        raise RefusedError(says("it cannot be reached: {0}", _words(error)), forever=False) from None
    # the last byte of a request, which is sent by itself, goes out at once
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if is_secure:
        # the handshake is made below, where the timer limits it, too
        context = ssl.create_default_context()
        sock = context.wrap_socket(sock, server_hostname=host, do_handshake_on_connect=False)
    server.sock = sock

    def cut() -> None:
        """End the connection, and with it whatever waits for the server."""
        with suppress(OSError):
            # the method of TLS sockets would first drop what the other thread reads with
            socket.socket.shutdown(sock, socket.SHUT_RDWR)

    # a timeout of the socket limits each wait, but a server may send a byte now and then
    timer = Timer(ANSWERING, cut)
    timer.start()
    try:
        sock.settimeout(ANSWERING)
        if isinstance(sock, ssl.SSLSocket):
            _shake_hands(sock)
        yield server
    finally:
        timer.cancel()
        server.close()


def _shake_hands(sock: ssl.SSLSocket) -> None:
    """Begin the encryption of a connection. Raises ``RefusedError``."""
    try:
        sock.do_handshake()
    except OSError as error:
        raise RefusedError(says("it cannot be reached: {0}", _words(error)), forever=False) from None


def _connected_socket(places: Sequence[tuple[str, int]]) -> socket.socket:
    """Return a connection to the first of these places that accepts one. Raises ``OSError``."""
    problem = OSError(says("no address"))
    for place in places:
        try:
            return socket.create_connection(place, timeout=CONNECTING)
        except OSError as error:
            problem = error
    raise problem


def _look_up_of(hook: Hook) -> LookUp:
    """Return the function that looks up a hook's host, and refuses addresses that are not allowed.

    For the GM's hooks any are, for a player's channel public ones alone: a player must not reach the GM's own
    network. In tests (``loopback``) only this machine's are.
    """
    if not isinstance(hook, Channel):
        return partial(_checked_places, is_allowed=_is_any)
    return partial(_checked_places, is_allowed=_is_loopback if hook.loopback else _is_public)


def _checked_places(host: str, port: int, is_allowed: Callable[[Address], bool]) -> list[tuple[str, int]]:
    """Return (IP address, port) of the places to connect to for a host.

    The host is looked up once, so that its addresses cannot change between check and connection. Raises
    ``OSError``, and ``RefusedError`` if one of the addresses is not allowed.
    """
    addresses = _addresses(host, port)
    if not all(is_allowed(ip_address(address)) for address in addresses):
        raise RefusedError(says("it is in a private network"), forever=True)
    return [(address, port) for address in addresses]


def _addresses(host: str, port: int) -> list[str]:
    """Return the first IP addresses of a host. Raises ``OSError``, also after ``LOOKING_UP`` seconds.

    A thread looks them up and is left alone after that time, because the system's resolver takes no limit.
    """
    answers: SimpleQueue[list[str] | OSError] = SimpleQueue()

    def look_up() -> None:
        """Put the host's addresses into the queue, or the error."""
        try:
            places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.put([str(socket_address[0]) for _, _, _, _, socket_address in places])
        except UnicodeError:  # a part between dots is empty or too long
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
    """Return the system's text of an error, or the name of its class, in small letters."""
    # not ``str(error)``: it may contain a secret address
    return (getattr(error, "strerror", None) or type(error).__name__).lower()


# -- programs ------------------------------------------------------------------------------------------------


def _run(hook: Hook, data: bytes, folder: Path, handing_over: Callable[[], None]) -> None:
    """Run the hook's program in the game's folder, with ``data`` as its input. Raises ``RefusedError``.

    ``handing_over`` is called just before the program starts.
    """
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
