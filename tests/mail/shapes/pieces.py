"""What mails in tests are made of: order files of the game that tests play, sample mails, and the
encodings of mail.
"""

import base64
import io
import zipfile
from collections.abc import Mapping
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import lru_cache
from pathlib import Path

from gm.core.orders.keys import make_key, player_secret

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
"""Mails as many programs write them; what is to be read out of each stands in readings.yaml."""
GAME = "minsk"
OURS = "gm.0123456789abcdef0123456789abcdef@example.org"
"""The message of ours that the samples of bounces give back."""
SECRET = "test"  # noqa: S105
"""The secret of the game that tests play (``pbem new --key-secret test``): its keys are the same in every
run."""


def sample(name: str) -> bytes:
    """A sample mail by its name."""
    return (SAMPLES / f"{name}.eml").read_bytes()


@lru_cache(maxsize=256)
def parsed(data: bytes) -> EmailMessage:
    """A letter taken apart, once for all who look at it: nobody changes it."""
    return message_from_bytes(data, policy=default)  # type: ignore[return-value]


def key(realm: str, turn: int = 1) -> str:
    return make_key(player_secret(SECRET, realm), realm, turn)


def orders(realm: str = "LIT", body: str = "", *, turn: int = 1) -> str:
    """An order file with its right key."""
    return f"orders: 1\ngame: {GAME}\nrealm: {realm}\nturn: {turn}\nkey: {key(realm, turn)}\n{body}"


BODY = """\
headquarters:
  proclamation: Žalgiris calls all riders – come before the snow!
  send_ambassador: [POL]
units:
  Minsk:
    recruit: {Archers: 1}
"""
PLAIN_BODY = BODY.replace("Žalgiris", "Zalgiris").replace("–", "-")
ORDERS = orders("LIT", BODY)
PLAIN = orders("LIT", PLAIN_BODY)
"""The same in plain ASCII."""
OLD = orders("LIT", "headquarters:\n  offer_peace: [TEU]\n")
"""What the player had sent before."""

HEADER = """\
Received: from smtp.example.net (smtp.example.net [192.0.2.17])
\tby mail.example.org (Postfix) with ESMTPS id 4T7xQm2kz9z1h
\tfor <gm@example.org>; Mon,  5 Jan 2026 12:00:07 +0000 (UTC)
"""
"""What the GM's own server writes on top."""


def letter(header: str, body: str | bytes = "", *, ends: str = "\r\n", trace: bool = True) -> bytes:
    """A message with these header lines; line ends as mail has them on its way."""
    head = ("Return-Path: <anna@example.org>\n" + HEADER if trace else "") + header.strip("\n") + "\n\n"
    text = head.encode() + (body if isinstance(body, bytes) else body.encode())
    return text.replace(b"\r\n", b"\n").replace(b"\n", ends.encode())


def b64(data: bytes | str, width: int = 76) -> str:
    raw = base64.b64encode(data if isinstance(data, bytes) else data.encode()).decode()
    return "\n".join(raw[at : at + width] for at in range(0, len(raw), width))


def parts(boundary: str, *inner_parts: str, preamble: str = "") -> str:
    """Several parts between the lines of a boundary."""
    inner = "".join(f"--{boundary}\n{part}\n" for part in inner_parts)
    return f"{preamble}{inner}--{boundary}--\n"


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    """A zip archive, the same in every run."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, (2026, 1, 5, 12, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return buffer.getvalue()


def attached(name: str, content: str | bytes, kind: str = "application/octet-stream") -> str:
    """An attachment as most programs write it."""
    return (
        f'Content-Type: {kind}; name="{name}"\nContent-Transfer-Encoding: base64\n'
        f'Content-Disposition: attachment; filename="{name}"\n\n{b64(content)}\n'
    )
