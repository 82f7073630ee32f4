"""Letters whose order file is packed: archives, documents, signatures, ciphers, odd names and odd encodings."""

from __future__ import annotations

import binascii

from tests.mail.shapes.pieces import (
    GREETING,
    OLD,
    ORDERS,
    PLAIN,
    alternative,
    attached,
    b64,
    letter,
    orders,
    parts,
    qp,
    zipped,
)

TNEF = b"\x78\x9f\x3e\x22\x01\x00\x01\x06\x90\x08\x00\x04" + b"orders: 1\r\nrealm: LIT\r\n" + bytes(64)


def _mixed(number: str, *each: str, subject: str = "orders", mailer: str = "") -> bytes:
    """A letter of several parts; who sends it does not matter."""
    header = (
        f"From: Anna Example <anna@example.org>\nTo: gm@example.org\nSubject: {subject}\n"
        f"Date: Mon, 5 Jan 2026 13:00:00 +0100\nMessage-ID: <{number}@example.org>\nMIME-Version: 1.0\n"
        f'{mailer}Content-Type: multipart/mixed; boundary="outer-{number}"'
    )
    return letter(header, parts(f"outer-{number}", *each))


def outlook_winmail() -> bytes:
    return _mixed(
        "winmail",
        f'Content-Type: text/plain; charset="us-ascii"\n\n{GREETING}',
        attached("winmail.dat", TNEF, "application/ms-tnef"),
        mailer="X-Mailer: Microsoft Outlook 15.0\nX-MS-TNEF-Correlator: <winmail@example.org>\n",
    )


def outlook_uuencode() -> bytes:
    data = PLAIN.replace("\n", "\r\n").encode()
    lines = [binascii.b2a_uu(data[at : at + 45]).decode() for at in range(0, len(data), 45)]
    text = f"Orders below.\n\nbegin 666 orders.yaml\n{''.join(lines)}`\nend\n"
    return letter(
        """\
From: "Anna Example" <anna@example.org>
To: <gm@example.org>
Subject: orders
Date: Mon, 5 Jan 2026 13:00:00 +0100
Message-ID: <uu@example.org>
MIME-Version: 1.0
Content-Type: text/plain;
\tcharset="us-ascii"
Content-Transfer-Encoding: 7bit
X-Mailer: Microsoft Outlook 16.0""",
        text,
    )


def zip_one() -> bytes:
    return _mixed(
        "zip-one", alternative("z1"), attached("orders.zip", zipped({"orders.yaml": ORDERS}), "application/zip")
    )


def zip_macintosh() -> bytes:
    data = zipped(
        {
            "Orders/LIT.yaml": ORDERS,
            "__MACOSX/Orders/._LIT.yaml": b"\x00\x05\x16\x07",
            "Orders/.DS_Store": b"\x00",
        }
    )
    return _mixed("zip-mac", alternative("z2"), attached("Orders.zip", data, "application/x-zip-compressed"))


def zip_several() -> bytes:
    data = zipped({"LIT.yaml": ORDERS, "old.yaml": OLD})
    return _mixed("zip-many", alternative("z3"), attached("orders.zip", data, "application/zip"))


def zip_locked() -> bytes:
    data = bytearray(zipped({"orders.yaml": ORDERS}))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    return _mixed("zip-locked", alternative("z4"), attached("orders.zip", bytes(data), "application/zip"))


def zip_in_zip() -> bytes:
    data = zipped({"inner.zip": zipped({"orders.yaml": ORDERS})})
    return _mixed("zip-in-zip", alternative("z5"), attached("orders.zip", data, "application/zip"))


def zip_of_document() -> bytes:
    data = zipped({"orders.docx": zipped({"word/document.xml": "<w:p>orders: 1</w:p>"})})
    return _mixed("zip-doc", alternative("z6"), attached("orders.zip", data, "application/zip"))


def rar() -> bytes:
    return _mixed("rar", alternative("r1"), attached("orders.rar", b"Rar!\x1a\x07\x01\x00" + bytes(60)))


def word_document() -> bytes:
    data = zipped({"word/document.xml": "<w:p>orders: 1</w:p>", "[Content_Types].xml": "<Types/>"})
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    return _mixed("docx", alternative("d1"), attached("My orders.docx", data, kind))


def pdf() -> bytes:
    data = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n"
    return _mixed("pdf", alternative("d2"), attached("scan", data, "application/octet-stream"))


def picture() -> bytes:
    return _mixed(
        "picture", alternative("p1"), attached("IMG_0815.HEIC", b"\0\0\0\x18ftypheic" + bytes(60), "image/heic")
    )


def pgp_signed() -> bytes:
    signed = parts(
        "signed-inner",
        f"Content-Type: text/plain; charset=utf-8\n\n{GREETING}",
        attached("orders.yaml", ORDERS, "application/x-yaml"),
        preamble='Content-Type: multipart/mixed; boundary="signed-inner"\n\n',
    )
    signature = (
        'Content-Type: application/pgp-signature; name="signature.asc"\nContent-Description: digital signature\n\n'
        "-----BEGIN PGP SIGNATURE-----\n\niQEzInvented0\n-----END PGP SIGNATURE-----\n"
    )
    return letter(
        """\
From: Anna Example <anna@example.org>
To: gm@example.org
Subject: orders
Date: Mon, 5 Jan 2026 13:00:00 +0100
Message-ID: <pgp-signed@example.org>
User-Agent: KMail
MIME-Version: 1.0
Content-Type: multipart/signed; boundary="sig"; micalg="pgp-sha512"; protocol="application/pgp-signature\"""",
        parts("sig", signed, signature),
    )


def pgp_signed_text() -> bytes:
    escaped = "\n".join(f"- {line}" if line.startswith("-") else line for line in ORDERS.split("\n"))
    text = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nDear game master,\n\n"
        f"{escaped}\n-----BEGIN PGP SIGNATURE-----\n\niQEzInvented0\n-----END PGP SIGNATURE-----\n"
    )
    return letter(
        """\
From: Anna Example <anna@example.org>
To: gm@example.org
Subject: orders
Date: Mon, 5 Jan 2026 13:00:00 +0100
Message-ID: <pgp-clear@example.org>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit""",
        text,
        ends="\n",
    )


def smime_signed() -> bytes:
    signed = parts(
        "smime-inner",
        f"Content-Type: text/plain; charset=us-ascii\n\n{GREETING}",
        attached("orders.yaml", ORDERS, "text/yaml"),
        preamble='Content-Type: multipart/mixed; boundary="smime-inner"\n\n',
    )
    return letter(
        """\
From: Anna Example <anna@example.org>
To: gm@example.org
Subject: orders
Date: Mon, 5 Jan 2026 13:00:00 +0100
Message-ID: <smime-signed@example.org>
MIME-Version: 1.0
Content-Type: multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256; boundary="smime\"""",
        parts("smime", signed, attached("smime.p7s", b"0\x80\x06\x09" + bytes(40), "application/pkcs7-signature")),
    )


def _smime(kind: str) -> bytes:
    return letter(
        f"""\
From: Anna Example <anna@example.org>
To: gm@example.org
Subject: orders
Date: Mon, 5 Jan 2026 13:00:00 +0100
Message-ID: <{kind}@example.org>
MIME-Version: 1.0
Content-Type: application/pkcs7-mime; smime-type={kind}; name="smime.p7m"
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename="smime.p7m\"""",
        b64(b"0\x80\x06\x09*\x86H\x86\xf7\r\x01\x07" + bytes(60)),
    )


def smime_opaque() -> bytes:
    return _smime("signed-data")


def smime_encrypted() -> bytes:
    return _smime("enveloped-data")


def pgp_encrypted() -> bytes:
    return letter(
        """\
From: Anna Example <anna@example.org>
To: gm@example.org
Subject: ...
Date: Mon, 5 Jan 2026 13:00:00 +0100
Message-ID: <pgp-encrypted@example.org>
MIME-Version: 1.0
Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary="enc\"""",
        parts(
            "enc",
            "Content-Type: application/pgp-encrypted\n\nVersion: 1\n",
            'Content-Type: application/octet-stream; name="encrypted.asc"\n\n'
            "-----BEGIN PGP MESSAGE-----\n\nhQEMInvented0\n-----END PGP MESSAGE-----\n",
        ),
    )


def pgp_encrypted_text() -> bytes:
    return letter(
        """\
From: Anna Example <anna@example.org>
To: gm@example.org
Subject: orders
Date: Mon, 5 Jan 2026 13:00:00 +0100
Message-ID: <pgp-inline@example.org>
Content-Type: text/plain; charset=us-ascii""",
        "-----BEGIN PGP MESSAGE-----\n\nhQEMInvented0\n-----END PGP MESSAGE-----\n",
    )


def wide_text() -> bytes:
    """A webmail that sends the file as UTF-16, with a mark in front."""
    data = b"\xff\xfe" + ORDERS.encode("utf-16-le")
    return _mixed("utf-16", attached("orders.txt", data, 'text/plain; charset="utf-16"'))


def wide_text_unmarked() -> bytes:
    return _mixed("utf-16le", attached("orders.txt", ORDERS.encode("utf-16-le")))


def latin_attachment() -> bytes:
    part = (
        'Content-Type: text/plain; charset=Windows-1257; name="orders.yaml"\n'
        'Content-Disposition: attachment; filename="orders.yaml"\n'
        f"Content-Transfer-Encoding: quoted-printable\n\n{qp(ORDERS, 'cp1257')}"
    )
    return _mixed("cp1257", part)


def name_in_pieces() -> bytes:
    part = (
        "Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n"
        "Content-Disposition: attachment;\n filename*0*=utf-8''%C5%BDygis%20;\n filename*1=to%20Minsk;\n"
        f" filename*2*=%20%28final%29.yaml\n\n{b64(ORDERS)}\n"
    )
    return _mixed("rfc2231", part)


def name_in_words() -> bytes:
    part = (
        'Content-Type: application/octet-stream; name="=?utf-8?B?xb15Z2lzLnlhbWw=?="\n'
        "Content-Transfer-Encoding: base64\n"
        f'Content-Disposition: attachment; filename="=?utf-8?B?xb15Z2lzLnlhbWw=?="\n\n{b64(ORDERS)}\n'
    )
    return _mixed("rfc2047", part)


def name_missing() -> bytes:
    part = f"Content-Type: application/x-yaml\nContent-Transfer-Encoding: base64\n\n{b64(ORDERS)}\n"
    return _mixed("nameless", f"Content-Type: text/plain\n\n{GREETING}", part)


def name_of_a_path() -> bytes:
    return _mixed("path", attached("../../../../etc/cron.d/..\\\\..\\\\LIT.yaml", ORDERS))


def nested() -> bytes:
    inner = alternative("n3", GREETING)
    for depth, kind in enumerate(("related", "mixed", "mixed"), start=4):
        more = (attached("orders.yaml", ORDERS),) if depth == 5 else ()
        inner = f'Content-Type: multipart/{kind}; boundary="n{depth}"\n\n{parts(f"n{depth}", inner, *more)}'
    return _mixed("nested", inner, "Content-Type: text/plain\n\n-- \nSent through a gateway\n")


def two_versions() -> bytes:
    return _mixed("versions", alternative("v1"), attached("old.yaml", OLD), attached("new.yaml", ORDERS))


def footer_below_base64() -> bytes:
    """A gateway has written its advertisement below the encoded file."""
    part = (
        'Content-Type: application/x-yaml; name="orders.yaml"\nContent-Transfer-Encoding: base64\n\n'
        f"{b64(ORDERS)}\n--\nTry our mail today\n"
    )
    return _mixed("footer", part)


def broken_file() -> bytes:
    """A text file that has no line 'orders:': its player must hear of it."""
    return _mixed("broken", attached("orders.yaml", orders("LIT").replace("orders: 1", "order 1")))
