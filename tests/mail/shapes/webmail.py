"""Letters with the order file attached, as webmail and programs for few people send them."""

from __future__ import annotations

from tests.mail.shapes.pieces import (
    GREETING,
    ORDERS,
    alternative,
    attached,
    b64,
    letter,
    orders,
    parts,
    qp,
)


def yahoo() -> bytes:
    return letter(
        """\
Date: Mon, 5 Jan 2026 12:00:00 +0000 (UTC)
From: Anna Example <anna@example.org>
To: "gm@example.org" <gm@example.org>
Message-ID: <1234567890.1234567.1767614400000@mail.example.com>
Subject: Orders for Lithuania
MIME-Version: 1.0
Content-Type: multipart/mixed;
\tboundary="----=_Part_1234567_890123456.1767614400000"
References: <1234567890.1234567.1767614400000.ref@mail.example.com>
X-Mailer: WebService/1.1.24866 YMailNorrin""",
        parts(
            "----=_Part_1234567_890123456.1767614400000",
            alternative("----=_Part_1234566_890123455.1767614400000"),
            attached("orders.yaml", ORDERS),
        ),
    )


def gmx() -> bytes:
    html = (
        '<html><head></head><body><div style="font-family: Verdana;">Viele Gr&uuml;&szlig;e, Anna</div></body></html>'
    )
    return letter(
        """\
MIME-Version: 1.0
Message-ID: <trinity-0a1b2c3d-4e5f-6789-abcd-ef0123456789-1767614400000@3c-app-mail-bs01>
From: Anna Example <anna@example.org>
To: gm@example.org
Subject: =?UTF-8?Q?Befehle_f=C3=BCr_den_Winter?=
Content-Type: multipart/mixed; boundary=refeik-0a1b2c3d
Date: Mon, 5 Jan 2026 13:00:00 +0100
Importance: normal
Sensitivity: Normal
X-Priority: 3""",
        parts(
            "refeik-0a1b2c3d",
            f"Content-Type: text/html; charset=UTF-8\nContent-Transfer-Encoding: quoted-printable\n\n{qp(html)}",
            attached("Befehle.yaml", ORDERS),
        ),
    )


def proton() -> bytes:
    armor = "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nxjMEInvented0\n-----END PGP PUBLIC KEY BLOCK-----\n"
    return letter(
        """\
Date: Mon, 05 Jan 2026 12:00:00 +0000
To: "gm@example.org" <gm@example.org>
From: Anna Example <anna@example.org>
Subject: Orders
Message-ID: <aBcInventedProton0123456789=@example.org>
Feedback-ID: 1234567:user:proton
X-Pm-Message-ID: 0123456789abcdef
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b1=_AbCdInvented"
""",
        parts(
            "b1=_AbCdInvented",
            alternative("b2=_AbCdInvented"),
            attached("orders.yaml", ORDERS, "application/x-yaml"),
            attached("publickey - anna@example.org - 0x1A2B3C4D.asc", armor, "application/pgp-keys"),
        ),
    )


def mutt() -> bytes:
    return letter(
        """\
Date: Mon, 5 Jan 2026 13:00:00 +0100
From: Anna Example <anna@example.org>
To: gm@example.org
Subject: orders
Message-ID: <20260105120000.GA4711@host.example.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="J/dobhs11T7y2rNN"
Content-Disposition: inline
User-Agent: Mutt/2.2.12 (2023-09-09)""",
        parts(
            "J/dobhs11T7y2rNN",
            "Content-Type: text/plain; charset=us-ascii\nContent-Disposition: inline\n\nHere they are.\n\n-- \nAnna\n",
            "Content-Type: text/plain; charset=utf-8\nContent-Disposition: attachment; filename=lit\n"
            f"Content-Transfer-Encoding: 8bit\n\n{ORDERS}",
        ),
        ends="\n",
    )


def roundcube() -> bytes:
    attachment = (
        "Content-Transfer-Encoding: base64\nContent-Type: text/plain; charset=UTF-8;\n name=winter.yaml\n"
        "Content-Disposition: attachment;\n filename*=UTF-8''%C5%BDiemos%20%C4%AFsakymai%20%E2%80%93%20LIT.yaml;\n"
        f" size=231\n\n{b64(ORDERS)}\n"
    )
    return letter(
        """\
MIME-Version: 1.0
Date: Mon, 05 Jan 2026 13:00:00 +0100
From: Anna Example <anna@example.org>
To: gm@example.org
Subject: =?UTF-8?Q?=C5=BDiemos_=C4=AFsakymai?=
User-Agent: Roundcube Webmail/1.6.6
Message-ID: <0123456789abcdef0123456789abcdef@example.org>
X-Sender: anna@example.org
Content-Type: multipart/mixed;
 boundary="=_0123456789abcdef\"""",
        parts("=_0123456789abcdef", f"Content-Type: text/plain; charset=US-ASCII\n\n{GREETING}", attachment),
    )


def several_attachments() -> bytes:
    """A player of two realms, with a logo, a business card and the last results beside his orders."""
    results = orders("LIT").replace("orders: 1", "results: 1") + "realms:\n  LIT: {}\n"
    return letter(
        """\
From: Anna Example <anna@example.org>
To: gm@example.org
Subject: both of my realms
Date: Mon, 5 Jan 2026 13:00:00 +0100
Message-ID: <two-realms@example.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="many\"""",
        parts(
            "many",
            alternative("inner"),
            attached("LIT.yaml", ORDERS),
            attached("logo.png", b"\x89PNG\r\n\x1a\n" + bytes(40), "image/png"),
            attached("anna.vcf", "BEGIN:VCARD\nFN:Anna\nEND:VCARD\n", "text/vcard"),
            attached("LIT-turn-00.results.yaml", results, "text/plain"),
            attached("ATT00001.txt", "\n_______\nThis mail was checked for viruses.\n", "text/plain"),
            attached("POL.yaml", orders("POL")),
        ),
    )
