"""What mail programs make of a short answer to a letter of the game."""

from collections.abc import Callable
from email.message import EmailMessage
from html import escape

Program = Callable[[EmailMessage, str], EmailMessage]
"""Answers a letter with a line of text, or with none; the subject is the caller's."""


def quoted(letter: EmailMessage) -> list[str]:
    """The lines of a letter of the game."""
    body = letter.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).splitlines()


def telephone(letter: EmailMessage, text: str) -> EmailMessage:
    """Plain text above a signature, and the other letter behind marks."""
    answer = EmailMessage()
    lines = [text, "", "Sent from my iPhone", "", "> On 5 Jan 2024, at 12:10, Europe by mail wrote:", ">"]
    answer.set_content("\n".join([*lines, *(f"> {line}" for line in quoted(letter))]) + "\n")
    return answer


def page_alone(letter: EmailMessage, text: str) -> EmailMessage:
    """A web page without plain text: a signature, and the other letter as a quotation."""
    rows = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in quoted(letter))
    page = f"<div dir='auto'>{escape(text)}</div><br><div>Sent from my Galaxy</div><br>"
    answer = EmailMessage()
    head = "<html><head><style>p {margin: 0}</style></head>"
    answer.set_content(f"{head}<body>{page}<blockquote>{rows}</blockquote></body></html>", subtype="html")
    return answer


def german(letter: EmailMessage, text: str) -> EmailMessage:
    """Outlook's text in Windows' letters, with the other letter below its head and without marks."""
    head = ["", "Von meinem Handy gesendet", "", "________________________________"]
    head += ["Von: Europe by mail <europe@mail.test>", "Gesendet: Freitag, 5. Januar 2024 12:10"]
    head += ["An: Jemand <jemand@mail.test>", f"Betreff: {letter['Subject']}", "Grüße", ""]
    answer = EmailMessage()
    answer.set_content(
        "\r\n".join([text, *head, *quoted(letter)]).encode("cp1252", "replace").decode("cp1252"),
        charset="windows-1252",
        cte="quoted-printable",
    )
    return answer


PROGRAMS: dict[str, Program] = {"a telephone": telephone, "a page alone": page_alone, "in German": german}
