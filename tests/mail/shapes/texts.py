"""Letters with the orders in the text of the mail itself, and with other people's words around them."""

from __future__ import annotations

from tests.mail.shapes.pieces import (
    BODY,
    OLD,
    ORDERS,
    PLAIN,
    alternative,
    attached,
    b64,
    key,
    letter,
    orders,
    parts,
    qp,
)

CYRILLIC = orders("LIT", "headquarters:\n  proclamation: Менск чакае сваіх!\n")
JAPANESE = orders("LIT", "headquarters:\n  proclamation: 雪の前に来い\n")
CENTRAL = orders("LIT", "headquarters:\n  proclamation: Žluťoučký kůň se vrací\n")


def _text(number: str, text: str | bytes, *, kind: str = "text/plain; charset=utf-8", more: str = "") -> bytes:
    subject = "" if "Subject:" in more else "Subject: orders\n"
    header = (
        f"From: Anna Example <anna@example.org>\nTo: gm@example.org\n{subject}Date: Mon, 5 Jan 2026 13:00:00 +0100\n"
        f"Message-ID: <{number}@example.org>\nMIME-Version: 1.0\n{more}Content-Type: {kind}"
    )
    return letter(header, text)


def fenced() -> bytes:
    return _text("fenced", f"Hello,\n\nhere they are:\n\n```yaml\n{ORDERS}```\n\nBest: see you\nAnna\n")


def fenced_with_tildes() -> bytes:
    return _text("tildes", f"~~~~\n{ORDERS}~~~~\n", kind="text/plain")


def unfenced() -> bytes:
    return _text("unfenced", f"Hello,\n\n{ORDERS}\nUntil next week,\n\nAnna\n")


def thunderbird_flowed() -> bytes:
    long = "  proclamation: " + " ".join(["winter comes"] * 12)
    flowed = f"Hello,\n\norders: 1\ngame: minsk\nrealm: LIT\nturn: 1\nkey: {key('LIT')}\nheadquarters:\n"
    start, rest = long[:72].rpartition(" ")[0] + " \n", long[len(long[:72].rpartition(" ")[0]) + 1 :]
    stuffed = f" {start}{rest}\n   send_ambassador: [POL]\n\n-- \nAnna\n"
    return _text(
        "flowed",
        flowed + stuffed,
        kind="text/plain; charset=UTF-8; format=flowed",
        more="User-Agent: Mozilla Thunderbird\n",
    )


FLOWED = orders(
    "LIT", "headquarters:\n  proclamation: " + " ".join(["winter comes"] * 12) + "\n  send_ambassador: [POL]\n"
)


def k9() -> bytes:
    text = f"{ORDERS}-- \nDiese Nachricht wurde von meinem Telefon gesendet.\n"
    more = "User-Agent: K-9 Mail for Android\nContent-Transfer-Encoding: quoted-printable\n"
    return _text("k9", qp(text), more=more)


def gmail_text() -> bytes:
    html = '<div dir="ltr">' + ORDERS.replace("\n", "<br>\n") + "</div>\n"
    return letter(
        """\
MIME-Version: 1.0
From: Anna Example <anna@example.org>
Date: Mon, 5 Jan 2026 13:00:00 +0100
Message-ID: <CAJx0invented-text@mail.example.com>
Subject: orders
To: gm@example.org
Content-Type: multipart/alternative; boundary="0000000000009f01\"""",
        alternative("0000000000009f01", ORDERS, html).partition("\n\n")[2],
    )


def apple_smart_quotes() -> bytes:
    text = ORDERS.replace(f"key: {key('LIT')}", f"key: “{key('LIT')}”").replace("  proclamation", "\xa0 proclamation")
    return _text(
        "smart-quotes", qp(text), more="X-Mailer: iPhone Mail (22C152)\nContent-Transfer-Encoding: quoted-printable\n"
    )


SMART = ORDERS.replace(f"key: {key('LIT')}", f'key: "{key("LIT")}"')


def windows_1250() -> bytes:
    return _text(
        "cp1250",
        qp(CENTRAL, "cp1250"),
        kind='text/plain; charset="windows-1250"',
        more="X-Mailer: The Bat! (v11)\nContent-Transfer-Encoding: quoted-printable\n",
    )


def windows_1252() -> bytes:
    return _text(
        "cp1252",
        orders("LIT", "headquarters:\n  proclamation: Grüße – viel Glück\n").encode("cp1252"),
        kind="text/plain; charset=iso-8859-1",
    )


GERMAN = orders("LIT", "headquarters:\n  proclamation: Grüße – viel Glück\n")


def koi8() -> bytes:
    return _text(
        "koi8",
        CYRILLIC.encode("koi8-u"),
        kind="text/plain; charset=koi8-u",
        more="Subject: =?koi8-u?B?8NLJy8Ha2Q==?=\nContent-Transfer-Encoding: 8bit\n",
    )


def japanese() -> bytes:
    return _text("jis", JAPANESE.encode("iso2022_jp"), kind="text/plain; charset=ISO-2022-JP")


def quoted_below() -> bytes:
    quoted = "".join(f"> {line}\n" for line in OLD.splitlines())
    return _text("quoted", f"{ORDERS}\nOn 4 January 2026 at 21:15, Anna Example <anna@example.org> wrote:\n{quoted}")


def only_quoted() -> bytes:
    quoted = "".join(f"> {line}\n" for line in ORDERS.splitlines())
    return _text("only-quoted", f"As I said.\n\nOn 4 January 2026, the game master wrote:\n{quoted}")


def outlook_reply() -> bytes:
    below = "-----Original Message-----\nFrom: Anna Example\nSent: Sunday, 4 January 2026 21:15\nTo: gm@example.org\n"
    return _text("outlook-reply", f"{PLAIN}\n{below}Subject: orders\n\n{OLD}", more="Subject: RE: orders\n")


def outlook_web_reply() -> bytes:
    line = "________________________________"
    below = f"{line}\nVon: gm@example.org <gm@example.org>\nGesendet: Sonntag, 4. Januar 2026 21:15\nAn: Anna\n"
    return _text("owa-reply", f"{ORDERS}\n{below}Betreff: minsk\n\n{OLD}", more="Subject: AW: minsk\n")


def unmarked_reply() -> bytes:
    """An answer with the older letter below it and no mark in front of its lines."""
    below = "Am So., 4. Jan. 2026 um 21:15 Uhr schrieb Anna Example\n<anna@example.org>:\n\n"
    return _text("unmarked", f"{ORDERS}\n{below.replace(chr(10) + '<', ' <')}{OLD}", more="Subject: Re: minsk\n")


def forwarded_gmail() -> bytes:
    above = "---------- Forwarded message ---------\nFrom: Anna Example <anna@example.org>\nDate: Sun, 4 Jan 2026\n"
    return _text(
        "fwd-gmail",
        f"From my other account.\n\n{above}Subject: orders\nTo: <gm@example.org>\n\n\n{ORDERS}",
        more="Subject: Fwd: orders\n",
    )


def forwarded_outlook() -> bytes:
    above = "From: Anna Example\nSent: Sunday, 4 January 2026 21:15\nTo: somebody@example.net\nSubject: orders\n\n"
    return _text("fwd-outlook", f"See below.\n\n{above}{ORDERS}", more="Subject: FW: orders\n")


def forwarded_apple() -> bytes:
    above = "Begin forwarded message:\n\nFrom: Anna <anna@example.org>\nSubject: orders\nDate: 4 January 2026\n\n"
    return _text("fwd-apple", f"\n\n{above}{ORDERS}\n", more="Subject: Fwd: orders\n")


def _inner(text: str = "") -> str:
    return (
        "From: Anna Example <anna@example.org>\nTo: somebody@example.net\nSubject: orders\n"
        'Message-ID: <inner@example.org>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="in"\n\n'
        + parts("in", f"Content-Type: text/plain\n\n{text or 'Here.'}\n", attached("orders.yaml", ORDERS))
    )


def forwarded_whole() -> bytes:
    return _text(
        "fwd-whole",
        parts("out", "Content-Type: text/plain\n\nForwarded.\n", f"Content-Type: message/rfc822\n\n{_inner()}"),
        kind='multipart/mixed; boundary="out"',
        more="Subject: Fwd: orders\n",
    )


def forwarded_encoded() -> bytes:
    """No program should encode a message in a message, and some do."""
    encoded = f'Content-Type: message/rfc822; name="orders.eml"\nContent-Transfer-Encoding: base64\n\n{b64(_inner())}\n'
    return _text(
        "fwd-encoded",
        parts("out", "Content-Type: text/plain\n\nForwarded.\n", encoded),
        kind='multipart/mixed; boundary="out"',
    )


def html_only() -> bytes:
    html = "<html><body><p>orders: 1<br>game: minsk<br>realm: LIT</p></body></html>"
    return _text("html-only", html, kind="text/html; charset=utf-8", more="X-Mailer: webmail\n")


def html_with_empty_text() -> bytes:
    body = alternative("alt-empty", "\n\n", "<p>orders: 1<br>game: minsk</p>").partition("\n\n")[2]
    return _text("empty-text", body, kind='multipart/alternative; boundary="alt-empty"')


def nothing_in_it() -> bytes:
    return _text("hello", "When is the deadline?\n\nAnna\n")


def no_message_id() -> bytes:
    return letter("From: anna@example.org\nTo: gm@example.org\nSubject: orders\n", ORDERS)


def no_mime() -> bytes:
    """A program from before MIME, or a person with telnet."""
    return letter(
        "From: anna@example.org\nSubject: orders\nMessage-ID: <telnet@example.org>\n", PLAIN, ends="\n", trace=False
    )


def indented() -> bytes:
    shifted = "".join(f"    {line}\n" for line in PLAIN.splitlines())
    return _text("indented", f"Hello,\n\n{shifted}\nAnna\n")


def away_and_orders() -> bytes:
    """A person who is away and says so, and whose orders count all the same."""
    return _text("away", ORDERS, more="Subject: On vacation, so my orders come early\n")


def trailing_mistake() -> bytes:
    """A line that is no order stands in the middle: it must be reported, and nothing may be cut off."""
    return _text("mistake", orders("LIT", f"{BODY}my best regards\n  Minsk:\n"))


MISTAKE = orders("LIT", f"{BODY}my best regards\n  Minsk:\n")
