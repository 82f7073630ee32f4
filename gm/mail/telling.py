"""A notification is sent to a web address, in its service's format, or to a program.

Nothing of a receiver's answer is shown or stored but its number: it may quote the address, which is as good
as a password.
"""

import base64
import http.client
import json
import re
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from email.header import Header
from functools import cache
from http import HTTPStatus
from pathlib import Path
from threading import Timer
from typing import Any
from urllib.parse import urlsplit

from gm import PROGRAM, __version__
from gm.core.values import Record
from gm.mail.body_text import mail_data
from gm.mail.sending import RefusedError
from gm.store.hooks import SERVICES, Hook
from gm.store.inbox import fingerprint

CONNECTING = 5.0
ANSWERING = 10.0  # seconds that a server has
RUNNING = 30.0  # seconds that a program has
_LATER = (408, 425, 429)  # what a server answers who wants to be asked later, besides 5xx
_FIELD = re.compile(r"\{(\w+)\}")


class Notification(Record):
    """Public facts, in a few lines. ``map``: as PNG, if the hook wants it."""

    event: str
    game: str
    turn: int
    title: str
    text: str
    map: bytes = b""


class Request(Record):
    """A notification as a service wants it."""

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
        _post(hook, request_of(hook.service, notification), handing_over)


# -- bodies ------------------------------------------------------------------------------------------------------------


@cache
def services() -> Mapping[str, Any]:
    """Return how each service wants it, by name."""
    return mail_data("hooks.yaml")


def request_of(service: str, notification: Notification) -> Request:
    """Return a notification as the request for a service. Pure: a form's boundary follows from its content."""
    way = services()[service]
    escaped = str.maketrans(way.get("escaped", {}))
    longest = way.get("longest", len(notification.text))
    text = notification.text if len(notification.text) <= longest else f"{notification.text[: longest - 1]}…"
    values: dict[str, Any] = {name: getattr(notification, name) for name in ("event", "game", "turn")}
    values |= {"title": notification.title.translate(escaped), "text": text.translate(escaped)}
    picture = way.get("picture", "") if notification.map else ""
    headers = _filled(way.get("with_picture" if picture == "body" else "headers", {}), values)
    if picture == "body":
        return Request({"Content-Type": "image/png", **headers}, notification.map)
    if "body" in way:
        return Request({"Content-Type": "text/plain; charset=utf-8", **headers}, _filled(way["body"], values).encode())
    fields = _filled(way["json"], values)
    if picture == "map":
        fields["map"] = base64.b64encode(notification.map).decode()
    content = json.dumps(fields, ensure_ascii=False).encode()
    if picture != "form":
        return Request({"Content-Type": "application/json", **headers}, content)
    mark = fingerprint(content + notification.map)[:32]
    parts = (
        ("payload_json", "application/json", content),
        ('files[0]"; filename="map.png', "image/png", notification.map),
    )
    body = b"".join(
        f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\nContent-Type: {kind}\r\n\r\n'.encode()
        + data
        + b"\r\n"
        for name, kind, data in parts
    )
    return Request(
        {"Content-Type": f"multipart/form-data; boundary={mark}", **headers}, body + f"--{mark}--\r\n".encode()
    )


def _filled(template: Any, values: Mapping[str, Any]) -> Any:
    """Return a template with its fields filled in; values are not templates. A field alone keeps its type."""
    if isinstance(template, Mapping):
        return {name: _filled(part, values) for name, part in template.items()}
    if not isinstance(template, str):
        return template
    whole = _FIELD.fullmatch(template)
    return values[whole[1]] if whole else _FIELD.sub(lambda match: str(values[match[1]]), template)


# -- web addresses -----------------------------------------------------------------------------------------------------


def _post(hook: Hook, asked: Request, handing_over: Callable[[], None]) -> None:
    """Send a request to the hook's address. Raises ``RefusedError``."""
    parts = urlsplit(hook.url)
    # one line each, and what is not ASCII as in a mail
    headers = {
        name: Header(text.replace("\n", "\\n"), maxlinelen=10**6).encode() for name, text in asked.headers.items()
    }
    with _connected(parts.scheme, parts.hostname or "", parts.port) as server:
        try:
            server.putrequest("POST", f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}")
            for name, text in {**headers, "User-Agent": f"{PROGRAM}/{__version__}"}.items():
                server.putheader(name, text)
            server.putheader("Content-Length", str(len(asked.body)))
            server.endheaders(asked.body[:-1])
        except (OSError, http.client.HTTPException) as error:
            raise RefusedError(f"the connection broke: {_words(error)}", forever=False) from None
        handing_over()
        try:
            server.send(asked.body[-1:])
            code = server.getresponse().status
        except (OSError, http.client.HTTPException):
            words = "it gave no answer, but may have received it: it is not notified again automatically"
            raise RefusedError(words, forever=True, doubt=True) from None
    if not 200 <= code < 300:
        name = HTTPStatus(code).phrase if code in list(HTTPStatus) else "unknown"
        hint = ", and redirects are not followed" if 300 <= code < 400 else ""
        raise RefusedError(f"it answers {code} ({name}){hint}", forever=code < 500 and code not in _LATER)


@contextmanager
def _connected(scheme: str, host: str, port: int | None) -> Iterator[http.client.HTTPConnection]:
    """Yield a connection with a limit on its whole time. Raises ``RefusedError``."""
    if scheme == "https":
        server: http.client.HTTPConnection = http.client.HTTPSConnection(
            host, port, timeout=CONNECTING, context=ssl.create_default_context()
        )
    else:
        server = http.client.HTTPConnection(host, port, timeout=CONNECTING)
    try:
        server.connect()
    except OSError as error:
        raise RefusedError(f"it cannot be reached: {_words(error)}", forever=False) from None
    line = server.sock

    def cut() -> None:
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)

    clock = Timer(ANSWERING, cut)
    clock.start()
    try:
        line.settimeout(ANSWERING)
        yield server
    finally:
        clock.cancel()
        server.close()


def _words(error: Exception) -> str:
    return (getattr(error, "strerror", None) or type(error).__name__).lower()


# -- programs ----------------------------------------------------------------------------------------------------------


def _run(hook: Hook, given: bytes, folder: Path, handing_over: Callable[[], None]) -> None:
    """Run the hook's program with a notification as its input. Raises ``RefusedError``."""
    handing_over()
    try:
        done = subprocess.run(  # noqa: S603 - it stands in the GM's own settings
            list(hook.run), cwd=folder, input=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            timeout=RUNNING, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise RefusedError(f"it ran for more than {RUNNING:.0f} seconds and was ended", forever=True) from None
    except (OSError, ValueError) as error:
        raise RefusedError(f"it cannot be started: {_words(error)}", forever=True) from None
    if done.returncode:
        raise RefusedError(f"it ended with {done.returncode}", forever=False)
