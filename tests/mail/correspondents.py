"""Players at their mail programs: they read their mailbox over IMAP and answer over SMTP, as these
programs do it.
"""

import imaplib
import io
import smtplib
import ssl
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid

from tests.cli.posting import Office
from tests.mail.office import mail
from tests.mail.servers import MailServers
from tests.mail.shapes.pieces import parsed

Program = Callable[[EmailMessage, str, str], None]
"""Puts an order file (its name, its text) into a letter as one mail program does."""


def gmail(letter: EmailMessage, name: str, orders: str) -> None:
    """Text and HTML with the quoted letter below, the file as an attachment in base64."""
    letter.set_content(
        "Here they are.\n\nOn Fri, the GM wrote:\n> Your next orders are due\n", cte="quoted-printable"
    )
    letter.add_alternative(
        '<div dir="ltr">Here they are.</div><div class="gmail_quote">..</div>', subtype="html"
    )
    letter.add_attachment(orders.encode(), maintype="application", subtype="x-yaml", filename=name)
    letter["X-Gm-Message-State"] = "AOJu0invented"


def outlook(letter: EmailMessage, name: str, orders: str) -> None:
    """A subject with RE:, Windows' own text and line ends, the file as a stream of bytes under a name of
    its own.
    """
    letter.replace_header("Subject", letter["Subject"].replace("Re: ", "RE: "))
    letter.set_content("Voilà — my orders.\r\n", charset="windows-1252", cte="quoted-printable")
    data = orders.replace("\n", "\r\n").encode()
    letter.add_attachment(
        data, maintype="application", subtype="octet-stream", filename=name.replace(".orders", "")
    )
    letter["Thread-Topic"] = "orders"
    letter["X-MS-Has-Attach"] = "yes"


def apple(letter: EmailMessage, name: str, orders: str) -> None:
    """The file between two pieces of text, its name spelled out for other alphabets."""
    letter.set_content("Orders below.\n")
    letter.add_attachment(
        orders.encode(), maintype="application", subtype="octet-stream", filename=f"Befehle für {name}"
    )
    letter.add_attachment("\n\nSent from my iPhone", disposition="inline")
    letter["X-Mailer"] = "Apple Mail (2.3731.700.6)"


def thunderbird(letter: EmailMessage, name: str, orders: str) -> None:
    """Flowed text, the file as text in eight bits."""
    letter.set_content("Good day, \nthis is what we do.\n", cte="8bit")
    letter.set_param("format", "flowed")
    letter.add_attachment(orders, subtype="yaml", filename=name, cte="8bit")
    letter["User-Agent"] = "Mozilla Thunderbird"


def mutt(letter: EmailMessage, name: str, orders: str) -> None:
    """One plain text and the file as another."""
    letter.set_content("see attachment\n")
    letter.add_attachment(orders, subtype="plain", filename=name, cte="quoted-printable")
    letter["User-Agent"] = "Mutt/2.2.9"


def webmail(letter: EmailMessage, name: str, orders: str) -> None:
    """No attachment at all: the file stands in the text, between fences."""
    letter.set_content(f"Hello,\n\n```yaml\n{orders}```\n\nBye\n", cte="base64")


PROGRAMS: tuple[Program, ...] = (gmail, outlook, apple, thunderbird, mutt, webmail)


@dataclass
class Correspondent:
    """Somebody with a mailbox on the servers and a mail program."""

    servers: MailServers
    address: str
    game: str
    program: Program = mutt
    sent: list[EmailMessage] = field(default_factory=list)

    def inbox(self) -> list[EmailMessage]:
        """Every letter in his mailbox, oldest first, fetched over IMAP when nothing is on its way any
        more.
        """
        self.servers.delivered()
        trusted = ssl.create_default_context(cafile=str(self.servers.ca_file))
        with imaplib.IMAP4_SSL("localhost", self.servers.imaps, ssl_context=trusted) as mailbox:
            mailbox.login(self.address, self.servers.password(self.address))
            count = int((mailbox.select("INBOX", readonly=True)[1][0] or b"0").decode())
            parts = mailbox.fetch(f"1:{count}", "(RFC822)")[1] if count else []
            return [parsed(part[1]) for part in parts if isinstance(part, tuple)]

    def about(self, words: str) -> list[EmailMessage]:
        """His letters with these words in the subject."""
        return [letter for letter in self.inbox() if words in letter["Subject"]]

    def key(self, coming: str = "") -> EmailMessage:
        """His last letter with a key and a template, or the one for a turn (``turn 2``)."""
        return self.about(f"Your key for {coming}")[-1]

    def answer(self, letter: EmailMessage, orders: str, *, name: str = "") -> EmailMessage:
        """Answer a letter of the game with an order file; the subject keeps the token."""
        reply = self._letter(f"Re: {letter['Subject']}")
        reply["In-Reply-To"] = reply["References"] = letter["Message-ID"]
        self.program(reply, name or attachment_name(letter, ".orders.yaml"), orders)
        return self.send(reply)

    def write(self, orders: str, *, subject: str = "my orders", name: str = "orders.yaml") -> EmailMessage:
        """Write to the game of one's own accord: only the key in the file says whose it is."""
        letter = self._letter(subject)
        self.program(letter, name, orders)
        return self.send(letter)

    def put(self, letter: EmailMessage, subject: str) -> EmailMessage:
        """Send to the game what a program has made of a letter's content."""
        for name, value in self._letter(subject).items():
            letter[name] = value
        return self.send(letter)

    def away(self, letter: EmailMessage) -> None:
        """Answer as a machine does while its owner is on holiday (RFC 3834)."""
        reply = self._letter(f"Automatic reply: {letter['Subject']}")
        reply["In-Reply-To"] = letter["Message-ID"]
        reply["Auto-Submitted"] = "auto-replied"
        reply.set_content("I am on holiday until Monday.\n")
        self.send(reply, envelope="")

    def send(self, letter: EmailMessage, *, envelope: str | None = None) -> EmailMessage:
        """Send a letter through the server on which the player has his mailbox, or, as a machine, from
        nowhere.
        """
        data = letter.as_bytes(policy=SMTP)
        if envelope is not None:
            with smtplib.SMTP("localhost", self.servers.arrival) as server:
                server.sendmail(envelope, [self.game], data)
        else:
            trusted = ssl.create_default_context(cafile=str(self.servers.ca_file))
            with smtplib.SMTP("localhost", self.servers.submission) as server:
                server.starttls(context=trusted)
                server.login(self.address, self.servers.password(self.address))
                server.sendmail(self.address, [self.game], data, ["BODY=8BITMIME"])
        self.servers.delivered()
        self.sent.append(letter)
        return letter

    def _letter(self, subject: str) -> EmailMessage:
        letter = EmailMessage()
        letter["From"] = f"Somebody <{self.address}>"
        letter["To"] = self.game
        letter["Subject"] = subject
        letter["Message-ID"] = make_msgid(domain="program.test")
        return letter


def attachments(letter: EmailMessage) -> dict[str, bytes]:
    """The files of a letter by name, those in a .zip too."""
    files: dict[str, bytes] = {}
    for part in letter.iter_attachments():
        name = str(part.get_filename())
        data = part.get_payload(decode=True)
        if name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                files |= {member: archive.read(member) for member in archive.namelist()}
        else:
            files[name] = data
    return files


def attachment_name(letter: EmailMessage, ending: str) -> str:
    """What the attachment is called whose name ends so. Raises ``StopIteration`` when there is none."""
    return next(name for name in attachments(letter) if name.endswith(ending))


def template_of(letter: EmailMessage) -> str:
    """The order template that came with a letter."""
    return attachments(letter)[attachment_name(letter, ".orders.yaml")].decode().replace("\r\n", "\n")


@dataclass
class Neighbour:
    """The same without a server: his letters lie in the game's Maildir at once, and what it sends is kept
    for him.
    """

    office: Office
    address: str

    def inbox(self) -> list[EmailMessage]:
        return self.office.smtp.letters(self.address)

    def send(self, letter: EmailMessage) -> None:
        self.drop(letter.as_bytes(policy=SMTP))

    def write(self, text: str, *, subject: str) -> None:
        number = f"{self.office.arrived}.{self.address[0]}"
        self.drop(mail(text, sender=self.address, subject=subject, number=number))

    def answer(self, letter: EmailMessage, orders: str, subject: str = "Re:") -> None:
        self.write(orders, subject=f"{subject} {letter['Subject']}")

    def drop(self, data: bytes) -> None:
        self.office.drop(data, "2026-01-05 12:00")
