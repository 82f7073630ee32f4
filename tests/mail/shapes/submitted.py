"""What mail programs make of the letter that a report's "Send by mail" opens: the same orders in the
shapes of each.
"""

import textwrap
from collections.abc import Mapping
from email.message import EmailMessage
from html import escape
from itertools import chain
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

LINK = (Path(__file__).parent / "submitted.txt").read_text("utf-8").strip()
"""The link of the Teutonic Order's first turn, as Chromium has it (tests/browser/test_submit.py)."""
PAGE = "a page alone"
SIGNATURE = "\n\nSent from my iPhone\n"


def opened(link: str) -> Mapping[str, str]:
    """What a mail program reads out of a link (RFC 6068)."""
    parts = urlsplit(link)
    fields = parse_qs(parts.query.replace("+", "%2B"), keep_blank_values=True)
    return {
        "to": unquote(parts.path),
        "subject": fields["subject"][0],
        "body": fields.get("body", [""])[0],
    }


def put_left(text: str) -> str:
    """A text without the spaces that its lines begin with."""
    return "\n".join(line.lstrip() for line in text.split("\n"))


def wrapped(text: str) -> str:
    """A text whose long lines a program has broken at spaces."""
    lines = (
        textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False, drop_whitespace=True) or [""]
        for line in text.split("\n")
    )
    return "\n".join(chain.from_iterable(lines))


def _flowed(text: str, *, delete_space: bool) -> str:
    """A text of ``format=flowed``: a line that goes on ends with a space, which may count or not (RFC
    3676).
    """
    end = "  " if delete_space else " "
    lines = (
        textwrap.wrap(line, 70, break_long_words=False, break_on_hyphens=False) or [""]
        for line in text.split("\n")
    )
    return "\n".join(f"{end}\n".join(map(_stuffed, some)) for some in lines)


def _stuffed(line: str) -> str:
    """A line with a space before it, where it could be taken for another kind."""
    return f" {line}" if line.startswith((" ", ">", "From ")) else line


def _plain(text: str, encoding: str = "8bit") -> EmailMessage:
    letter = EmailMessage()
    letter.set_content(text, cte=encoding)
    return letter


def _marked(text: str, **parameters: str) -> EmailMessage:
    letter = _plain(text)
    for name, value in parameters.items():
        letter.set_param(name, value)
    return letter


def _page_alone(text: str) -> EmailMessage:
    """As telephones write it that send a page and no plain text."""
    rows = "".join(f"<div>{line or '<br>'}</div>" for line in escape(text).split("\n"))
    signature = '<div id="signature">Sent from my Galaxy</div>'
    letter = EmailMessage()
    letter.set_content(f"<html><body>{rows}<br>{signature}</body></html>", subtype="html", cte="base64")
    return letter


def _in_a_page(text: str) -> EmailMessage:
    """As programs write it that also send a page: every line a paragraph of its own."""
    letter = _plain(wrapped(text) + "\n-- \nTheo\n", "quoted-printable")
    rows = "".join(f"<div>{line or '<br>'}</div>" for line in text.split("\n"))
    letter.add_alternative(f"<html><body>{rows}</body></html>", subtype="html", cte="quoted-printable")
    return letter


def letters(body: str) -> Mapping[str, EmailMessage]:
    """The letter of a link by what a mail program makes of it, without its header."""
    text = body.replace("\r\n", "\n")
    return {
        "as it is": _plain(text),
        "put left": _plain(put_left(text)),
        "wrapped at 72": _plain(wrapped(text)),
        "flowed": _marked(_flowed(text, delete_space=False), format="flowed"),
        "flowed with delsp": _marked(_flowed(text, delete_space=True), format="flowed", delsp="yes"),
        "quoted-printable": _plain(text, "quoted-printable"),
        "base64": _plain(text, "base64"),
        "telephone": _plain(text.rstrip("\n") + SIGNATURE, "quoted-printable"),
        "telephone without a gap": _plain(text.rstrip("\n") + "\nGesendet von meinem Telefon\n"),
        "telephone, put left and wrapped": _plain(wrapped(put_left(text)).rstrip("\n") + SIGNATURE),
        "telephone, flowed": _marked(
            _flowed(text.rstrip("\n"), delete_space=False) + SIGNATURE, format="flowed"
        ),
        "with a page": _in_a_page(text),
        PAGE: _page_alone(text),
    }
