"""The search finds a word in whatever it is hidden: without that the proofs would prove nothing."""

import base64
import gzip
import io
import json
import quopri
import zipfile
from email.message import EmailMessage
from urllib.parse import quote

import pytest

from tests.leaks.marks import Search

WORD = "qzteu007k"


def zipped(data: bytes) -> bytes:
    # no clock in it: these bytes name tests, which all processes of a run must call alike
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(zipfile.ZipInfo("inner.txt"), data, zipfile.ZIP_DEFLATED)
    return whole.getvalue()


def letter(content: bytes) -> bytes:
    message = EmailMessage()
    message["Subject"] = "nothing"
    message.set_content("nothing")
    message.add_attachment(content, maintype="application", subtype="zip", filename="x.zip")
    return message.as_bytes()


def subject(text: str) -> bytes:
    message = EmailMessage()
    message["Subject"] = text
    message.set_content("nothing")
    return message.as_bytes()


@pytest.mark.parametrize(
    "data",
    [
        WORD.encode(),
        WORD.upper().encode(),
        b"<a href='data:text/plain;base64," + base64.b64encode(b"xy" + WORD.encode() + b"z") + b"'>",
        b"id" + base64.urlsafe_b64encode(b"\xff\xfe?" + WORD.encode() * 2),
        base64.encodebytes(b"a" * 70 + WORD.encode() + b"b" * 70),
        quopri.encodestring(("é" * 30 + WORD).encode()),
        quote("é" + "".join(f"%{ord(character):02X}" for character in WORD), safe="%").encode(),
        "".join(f"\\u{ord(character):04x}" for character in WORD).encode(),
        "".join(f"&#{ord(character)};" for character in WORD).encode(),
        f"<pre>{WORD.encode().hex()}</pre>".encode(),
        gzip.compress(WORD.encode(), mtime=0),
        zipped(f"before {WORD}".encode()),
        letter(zipped(json.dumps({"a": WORD}).encode())),
        subject("é" * 10 + WORD),
    ],
    ids=lambda data: repr(data[:24]),
)
def test_a_word_is_found_however_it_is_hidden(data: bytes) -> None:
    assert Search([WORD]).found(data) == {WORD}


def test_what_is_not_there_is_not_found() -> None:
    other = zipped(letter(zipped(b"qzteu008k")))
    assert Search([WORD, "brave-otter-71"]).found(other) == frozenset()
    assert Search([WORD, "brave-otter-71"]).found(zipped(b"Brave-Otter-71")) == {"brave-otter-71"}
