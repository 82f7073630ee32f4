"""What machines send: answers of people who are away, letters that come back, lists, reports, and our own copies."""

from __future__ import annotations

from tests.mail.shapes.pieces import HEADER, attached, orders, parts

OURS = "gm.0123456789abcdef0123456789abcdef@example.org"
TEMPLATE = orders("LIT", "headquarters: {}\n")
"""The template that goes out with the results: it has the player's key in it."""

RESULTS = (
    "Received: by mail.example.org (Postfix)\n\tid 4T7xQm2kz9z1h; Mon,  5 Jan 2026 11:00:00 +0000 (UTC)\n"
    "From: The game <gm@example.org>\nTo: anna@example.org\n"
    "Subject: Lithuania: the game begins [minsk t1 LIT aaaa-bbbb-cccc]\nDate: Mon, 05 Jan 2026 11:00:00 +0000\n"
    f"Message-ID: <{OURS}>\nAuto-Submitted: auto-generated\nX-Auto-Response-Suppress: All\nX-GM-Game: minsk\n"
    'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="=_gm.0"\n\n'
    + parts(
        "=_gm.0",
        "Content-Type: text/plain; charset=utf-8\n\nWelcome to minsk.\n",
        'Content-Type: text/plain; charset=utf-8; name="LIT-turn-01.orders.yaml"\n'
        f'Content-Disposition: attachment; filename="LIT-turn-01.orders.yaml"\n\n{TEMPLATE}',
    )
)
"""A letter of ours as it went out."""
RESULTS_HEADER = RESULTS.partition("\n\n")[0] + "\n"


def _machine(number: str, header: str, body: str, *, sender: str = "anna@example.org", back: str = "") -> bytes:
    """A message with the header lines that tell what it is; ``back``: its envelope's sender."""
    text = (
        f"Return-Path: <{back}>\n{HEADER}From: {sender}\nTo: gm@example.org\nDate: Mon, 5 Jan 2026 12:00:05 +0000\n"
        f"Message-ID: <{number}@example.org>\nMIME-Version: 1.0\n{header}\n{body}"
    )
    return text.replace("\n", "\r\n").encode()


def _away(number: str, subject: str, more: str = "", body: str = "I am away until Monday.\n") -> bytes:
    return _machine(
        number, f"Subject: {subject}\nIn-Reply-To: <{OURS}>\n{more}Content-Type: text/plain; charset=utf-8\n", body
    )


def away_sieve() -> bytes:
    return _away(
        "sieve", "Auto: Lithuania: the game begins", "Auto-Submitted: auto-replied (vacation)\nPrecedence: bulk\n"
    )


def away_exchange() -> bytes:
    more = (
        "Auto-Submitted: auto-generated\nX-Auto-Response-Suppress: All\n"
        "X-MS-Exchange-Inbox-Rules-Loop: anna@example.org\n"
        "X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent\n"
    )
    return _away("oof", "Automatic reply: Lithuania: the game begins [minsk t1 LIT aaaa-bbbb-cccc]", more)


def away_gmail() -> bytes:
    more = "Precedence: bulk\nX-Autoreply: yes\nAuto-Submitted: auto-replied\n"
    return _away("gmail-away", "Vacation Re: Lithuania: the game begins", more)


def away_old_unix() -> bytes:
    return _away("unix", "away from my mail", "Precedence: junk\n")


def away_german() -> bytes:
    return _away("de", "=?utf-8?Q?Automatische_Antwort:_Befehle_f=C3=BCr_Litauen?=", body=f"Danke!\n> {TEMPLATE}")


def away_french() -> bytes:
    return _away("fr", "=?iso-8859-1?Q?R=E9ponse_automatique_:_tour_1?=")


def away_polish() -> bytes:
    return _away("pl", "=?utf-8?B?QXV0b21hdHljem5hIG9kcG93aWVkxbo6IHR1cmEgMQ==?=")


def away_russian() -> bytes:
    return _away("ru", "=?koi8-r?B?4dfUz8/U18XU?=: minsk")


def away_spanish() -> bytes:
    return _away("es", "Fuera de la oficina: Lithuania")


def _report(kind: str, inner: str, *each: str) -> tuple[str, str]:
    return (
        f'Content-Type: multipart/report; report-type={kind}; boundary="{inner}"\n',
        parts(inner, *each, preamble="This is a MIME-encapsulated message.\n\n"),
    )


def _status(action: str, status: str, code: str) -> str:
    return (
        "Content-Description: Delivery report\nContent-Type: message/delivery-status\n\n"
        "Reporting-MTA: dns; mail.example.org\nArrival-Date: Mon,  5 Jan 2026 11:00:00 +0000 (UTC)\n\n"
        f"Final-Recipient: rfc822; anna@example.org\nAction: {action}\nStatus: {status}\n"
        f"Diagnostic-Code: smtp; {code}\n"
    )


def bounce_postfix() -> bytes:
    kind, body = _report(
        "delivery-status",
        "4T7xQm2kz9z1h.1767614401/mail.example.org",
        "Content-Description: Notification\nContent-Type: text/plain; charset=us-ascii\n\nI'm sorry.\n",
        _status("failed", "5.1.1", "550 5.1.1 <anna@example.org>: Recipient address\n    rejected: User unknown"),
        f"Content-Description: Undelivered Message\nContent-Type: message/rfc822\n\n{RESULTS}",
    )
    header = f"Subject: Undelivered Mail Returned to Sender\nAuto-Submitted: auto-replied\n{kind}"
    return _machine("b1", header, body, sender="MAILER-DAEMON@mail.example.org (Mail Delivery System)")


def delay_postfix() -> bytes:
    kind, body = _report(
        "delivery-status",
        "delay.1767614401/mail.example.org",
        "Content-Type: text/plain; charset=us-ascii\n\nThis is a warning only.\n",
        _status("delayed", "4.4.1", "connect to mx.example.org: Connection timed out"),
        f"Content-Type: text/rfc822-headers\n\n{RESULTS_HEADER}",
    )
    header = f"Subject: Delayed Mail (still being retried)\nAuto-Submitted: auto-replied\n{kind}"
    return _machine("b2", header, body, sender="MAILER-DAEMON@mail.example.org (Mail Delivery System)")


def bounce_exim() -> bytes:
    body = (
        "This message was created automatically by mail delivery software.\n\n  anna@example.org\n    retry timeout\n\n"
        f"------ This is a copy of the message, including all the headers. ------\n\n{RESULTS}"
    )
    header = (
        "X-Failed-Recipients: anna@example.org\nAuto-Submitted: auto-replied\n"
        "Subject: Mail delivery failed: returning message to sender\nContent-Type: text/plain; charset=us-ascii\n"
    )
    return _machine("b3", header, body, sender="Mail Delivery System <Mailer-Daemon@host.example.net>")


def bounce_exchange() -> bytes:
    kind, body = _report(
        "delivery-status",
        "b4_=_NextPart",
        'Content-Type: text/html; charset="utf-8"\n\n<p>Your message could not be delivered.</p>\n',
        _status("failed", "5.2.2", "554 5.2.2 mailbox full"),
        f"Content-Type: message/rfc822\n\n{RESULTS}",
    )
    header = f"Subject: Undeliverable: Lithuania: the game begins\nAuto-Submitted: auto-replied\n{kind}"
    return _machine("b4", header, body, sender="postmaster@example.org")


def bounce_gmail() -> bytes:
    text = 'Content-Type: multipart/related; boundary="rel"\n\n' + parts(
        "rel",
        "Content-Type: text/plain; charset=UTF-8\n\n** Address not found **\n",
        attached("icon.png", b"\x89PNG\r\n\x1a\n" + bytes(20), "image/png"),
    )
    kind, body = _report(
        "delivery-status",
        "000000000000b5",
        text,
        _status("failed", "5.1.1", "550-5.1.1 The email account that you tried to reach does not exist."),
        f"Content-Type: message/rfc822\n\n{RESULTS}",
    )
    header = f"Subject: Delivery Status Notification (Failure)\nAuto-Submitted: auto-replied\n{kind}"
    return _machine("b5", header, body, sender="Mail Delivery Subsystem <mailer-daemon@mail.example.com>")


def bounce_qmail() -> bytes:
    """No report, no headers that say so: the letter that comes back stands in the text, template and all."""
    body = (
        "Hi. This is the mail program at host.example.net.\nI'm afraid I wasn't able to deliver your message.\n\n"
        f"<anna@example.org>:\nSorry, no mailbox here by that name.\n\n--- Below this line is a copy.\n\n{RESULTS}"
    )
    return _machine("b6", "Subject: failure notice\n", body, sender="MAILER-DAEMON@host.example.net")


def bounce_attached() -> bytes:
    """A gateway that hides who it is, and attaches the letter that it could not deliver."""
    kind = 'Content-Type: multipart/mixed; boundary="b7"\n'
    body = parts("b7", "Content-Type: text/plain\n\nNot delivered.\n", f"Content-Type: message/rfc822\n\n{RESULTS}")
    return _machine("b7", f"Subject: Returned mail: see transcript\n{kind}", body, sender="gateway@example.net")


def own_letter_sent_back() -> bytes:
    """A person attaches our own letter, whose template is nobody's orders."""
    kind = 'Content-Type: multipart/mixed; boundary="own"\n'
    body = parts("own", "Content-Type: text/plain\n\nIs this right?\n", f"Content-Type: message/rfc822\n\n{RESULTS}")
    return _machine("own-back", f"Subject: Fwd: Lithuania\n{kind}", body, back="anna@example.org")


def own_copy() -> bytes:
    return RESULTS.replace("\n", "\r\n").encode()


def mailing_list() -> bytes:
    header = (
        "Subject: [players] orders\nPrecedence: list\nList-Id: <players.example.org>\n"
        "List-Post: <mailto:players@example.org>\nContent-Type: text/plain\n"
    )
    return _machine("list", header, TEMPLATE, back="players-bounces@example.org")


def newsletter() -> bytes:
    header = "Subject: Our offers\nList-Unsubscribe: <mailto:out@example.com>\nContent-Type: text/plain\n"
    return _machine("news", header, "Buy!\n", sender="shop@example.com", back="bounce@example.com")


def read_receipt() -> bytes:
    kind, body = _report(
        "disposition-notification",
        "mdn",
        "Content-Type: text/plain\n\nThis is a return receipt.\n",
        "Content-Type: message/disposition-notification\n\nReporting-UA: example.org; mail\n"
        f"Final-Recipient: rfc822;anna@example.org\nOriginal-Message-ID: <{OURS}>\n"
        "Disposition: manual-action/MDN-sent-manually; displayed\n",
        f"Content-Type: text/rfc822-headers\n\n{RESULTS_HEADER}",
    )
    return _machine("mdn", f"Subject: Return Receipt (displayed) - Lithuania\n{kind}", body)


def complaint() -> bytes:
    kind, body = _report(
        "feedback-report",
        "arf",
        "Content-Type: text/plain\n\nThis is an abuse report.\n",
        "Content-Type: message/feedback-report\n\nFeedback-Type: abuse\nUser-Agent: example/1.0\nVersion: 1\n",
        f"Content-Type: message/rfc822\n\n{RESULTS}",
    )
    return _machine("arf", f"Subject: complaint\n{kind}", body, sender="feedback@example.net", back="fbl@example.net")
