"""Letters with the order file attached, as the big mail programs and providers send them."""

from __future__ import annotations

from tests.mail.shapes.pieces import (
    GREETING,
    HTML,
    ORDERS,
    PLAIN,
    alternative,
    attached,
    b64,
    letter,
    parts,
    qp,
)


def outlook_desktop() -> bytes:
    body = parts(
        "----=_NextPart_000_00A1_01DC7E3B.5F0C2D10",
        alternative("----=_NextPart_001_00A2_01DC7E3B.5F0C2D10"),
        attached("LIT-turn-01.orders.yaml", ORDERS.replace("\n", "\r\n")),
        preamble="This is a multipart message in MIME format.\n\n",
    )
    return letter(
        """\
From: "Anna Example" <anna@example.org>
To: <gm@example.org>
Subject: RE: Lithuania: the game begins [minsk t1 LIT aaaa-bbbb-cccc]
Date: Mon, 5 Jan 2026 13:00:02 +0100
Message-ID: <000401dc7e33$9d1f7e60$d75e7b20$@example.org>
MIME-Version: 1.0
Content-Type: multipart/mixed;
\tboundary="----=_NextPart_000_00A1_01DC7E3B.5F0C2D10"
X-Mailer: Microsoft Outlook 16.0
Content-Language: de
Thread-Index: AQHZ0invented0thread0index==""",
        body,
    )


def outlook_web() -> bytes:
    name = "LIT orders.yaml"
    attachment = (
        f'Content-Type: application/x-yaml; name="{name}"\nContent-Description: {name}\n'
        f'Content-Disposition: attachment; filename="{name}"; size=231;\n'
        '\tcreation-date="Mon, 05 Jan 2026 11:58:00 GMT";\n\tmodification-date="Mon, 05 Jan 2026 11:58:40 GMT"\n'
        f"Content-Transfer-Encoding: base64\n\n{b64(ORDERS)}\n"
    )
    return letter(
        """\
From: Anna Example <anna@example.org>
To: "gm@example.org" <gm@example.org>
Subject: [EXTERNAL] Re: Lithuania: the game begins
Thread-Topic: Lithuania: the game begins
Thread-Index: AQHcfjOd0invented0
Date: Mon, 5 Jan 2026 12:00:01 +0000
Message-ID: <AM0PR04MB5123A1B2C3D4E5F60718293A4B5C6D@AM0PR04MB5123.eurprd04.prod.mail.example.com>
Accept-Language: de-DE, en-US
Content-Language: de-DE
X-MS-Has-Attach: yes
X-MS-TNEF-Correlator:
msip_labels:
Content-Type: multipart/mixed; boundary="_004_AM0PR04MB5123_"
MIME-Version: 1.0""",
        parts("_004_AM0PR04MB5123_", alternative("_000_AM0PR04MB5123_"), attachment),
    )


def outlook_phone() -> bytes:
    text = "Orders attached.\r\n\r\nGet Outlook for iOS<https://mail.example.com/ios>\r\n"
    body = parts(
        "_002_OutlookPhone_",
        parts(
            "_000_OutlookPhone_",
            f'Content-Type: text/plain; charset="us-ascii"\nContent-Transfer-Encoding: base64\n\n{b64(text)}',
            f'Content-Type: text/html; charset="us-ascii"\nContent-Transfer-Encoding: base64\n\n{b64(HTML)}',
            preamble='Content-Type: multipart/alternative; boundary="_000_OutlookPhone_"\n\n',
        ),
        attached("orders.yaml.txt", ORDERS, "text/plain"),
    )
    return letter(
        """\
From: Anna Example <anna@example.org>
To: gm@example.org <gm@example.org>
Subject: orders
Date: Mon, 5 Jan 2026 12:00:01 +0000
Message-ID: <DB7PR08MB3901.phone@eurprd08.prod.mail.example.com>
Content-Type: multipart/mixed; boundary="_002_OutlookPhone_"
MIME-Version: 1.0""",
        body,
    )


def gmail_web() -> bytes:
    attachment = (
        'Content-Type: application/x-yaml; name="LIT-turn-01.orders.yaml"\n'
        'Content-Disposition: attachment; filename="LIT-turn-01.orders.yaml"\n'
        "Content-Transfer-Encoding: base64\nContent-ID: <f_mk1invent0>\nX-Attachment-Id: f_mk1invent0\n\n"
        f"{b64(ORDERS)}\n"
    )
    return letter(
        """\
MIME-Version: 1.0
References: <gm.0123456789abcdef0123456789abcdef@example.org>
In-Reply-To: <gm.0123456789abcdef0123456789abcdef@example.org>
From: Anna Example <anna@example.org>
Date: Mon, 5 Jan 2026 13:00:00 +0100
Message-ID: <CAJx0invented+Message_Id=Gq7Xk@mail.example.com>
Subject: Re: Lithuania: the game begins [minsk t1 LIT aaaa-bbbb-cccc]
To: gm@example.org
Content-Type: multipart/mixed; boundary="00000000000012ab3406457f1234\"""",
        parts("00000000000012ab3406457f1234", alternative("00000000000012ab3206457f1232"), attachment),
    )


def gmail_app() -> bytes:
    return letter(
        """\
MIME-Version: 1.0
From: Anna Example <anna@example.org>
Date: Mon, 5 Jan 2026 13:00:00 +0100
Message-ID: <CAJx0invented-app@mail.example.com>
Subject: (no subject)
To: gm@example.org
Content-Type: multipart/mixed; boundary="000000000000aa11\"""",
        parts(
            "000000000000aa11",
            alternative("000000000000aa10", text="\n", html='<div dir="auto"></div>\n'),
            attached("orders.yml", ORDERS),
        ),
    )


def apple_mail() -> bytes:
    attachment = (
        "Content-Disposition: attachment;\n\tfilename=orders.yaml\n"
        'Content-Type: application/octet-stream;\n\tx-unix-mode=0644;\n\tname="orders.yaml"\n'
        f"Content-Transfer-Encoding: quoted-printable\n\n{qp(ORDERS)}"
    )
    text = "Content-Transfer-Encoding: 7bit\nContent-Type: text/plain;\n\tcharset=us-ascii\n\n"
    return letter(
        """\
From: Anna Example <anna@example.org>
Content-Type: multipart/mixed;
\tboundary="Apple-Mail=_1D0F4C5E-9A8B-4C7D-8E6F-5A4B3C2D1E0F"
Mime-Version: 1.0 (Mac OS X Mail 16.0 \\(3826.300.87.4.3\\))
Subject: Orders
Message-Id: <6F5E4D3C-2B1A-4098-8776-655443322110@example.org>
Date: Mon, 5 Jan 2026 13:00:00 +0100
To: gm@example.org
X-Mailer: Apple Mail (2.3826.300.87.4.3)""",
        parts(
            "Apple-Mail=_1D0F4C5E-9A8B-4C7D-8E6F-5A4B3C2D1E0F",
            f"{text}Dear game master,\n",
            attachment,
            f"{text}\nAnna\n",
        ),
    )


def apple_double() -> bytes:
    fork = b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        \x00\x02\x00\x00\x00\x09orders: 1"
    double = parts(
        "Apple-Double-2",
        'Content-Transfer-Encoding: base64\nContent-Type: application/applefile;\n\tname="orders.yaml"\n'
        f"Content-Disposition: attachment;\n\tfilename=orders.yaml\n\n{b64(fork)}",
        'Content-Transfer-Encoding: 7bit\nContent-Type: text/yaml;\n\tx-mac-type=54455854;\n\tname="orders.yaml"\n'
        f"Content-Disposition: attachment;\n\tfilename=orders.yaml\n\n{PLAIN}",
        preamble="Content-Type: multipart/appledouble;\n\tboundary=Apple-Double-2\nContent-Disposition: attachment\n\n",
    )
    return letter(
        """\
From: Anna Example <anna@example.org>
To: gm@example.org
Subject: orders
Date: Mon, 5 Jan 2026 13:00:00 +0100
Message-Id: <APPLEDOUBLE-1@example.org>
Mime-Version: 1.0 (Apple Message framework v1085)
Content-Type: multipart/mixed; boundary=Apple-Mail-1""",
        parts("Apple-Mail-1", f"Content-Type: text/plain; charset=us-ascii\n\n{GREETING}", double),
    )


def iphone() -> bytes:
    attachment = (
        "Content-Type: application/x-yaml;\n\tname=orders.yaml;\n\tx-apple-part-url=A1B2C3\n"
        "Content-Disposition: inline;\n\tfilename=orders.yaml\nContent-Transfer-Encoding: base64\n\n"
        f"{b64(ORDERS)}\n"
    )
    return letter(
        """\
Content-Type: multipart/mixed; boundary=Apple-Mail-9B8C7D6E
Content-Transfer-Encoding: 7bit
From: Anna Example <anna@example.org>
Mime-Version: 1.0 (1.0)
Date: Mon, 5 Jan 2026 13:00:00 +0100
Subject: Orders
Message-Id: <11112222-3333-4444-5555-666677778888@example.org>
To: gm@example.org
X-Mailer: iPhone Mail (22C152)""",
        parts(
            "Apple-Mail-9B8C7D6E",
            "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + b64("\n\n"),
            attachment,
            "Content-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: 7bit\n\n\n\nSent from my iPhone\n",
        ),
    )


def thunderbird() -> bytes:
    attachment = (
        'Content-Type: application/x-yaml; charset=UTF-8; name="orders.yaml"\n'
        'Content-Disposition: attachment; filename="orders.yaml"\n'
        f"Content-Transfer-Encoding: 8bit\n\n{ORDERS}"
    )
    return letter(
        """\
Message-ID: <0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0@example.org>
Date: Mon, 5 Jan 2026 13:00:00 +0100
MIME-Version: 1.0
User-Agent: Mozilla Thunderbird
Content-Language: en-GB
To: gm@example.org
From: Anna Example <anna@example.org>
Subject: orders
Content-Type: multipart/mixed; boundary="------------Vq0invented0thunder"
""",
        parts(
            "------------Vq0invented0thunder",
            f"Content-Type: text/plain; charset=UTF-8; format=flowed\nContent-Transfer-Encoding: 7bit\n\n{GREETING}",
            attachment,
            preamble="This is a multi-part message in MIME format.\n",
        ),
        ends="\n",
    )
