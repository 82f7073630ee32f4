"""A game with post, for fast tests: a Maildir in which letters arrive, and a mail server that takes what
it sends.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from click.testing import Result

from tests.cli.conftest import Run, order_text
from tests.mail.smtp_stub import SmtpStub, serving

SENDER = "minsk@example.org"
MASTER = "gm@example.org"

KEY = "Your key for"
"""How the subject begins of the letter with a key."""

START = "2026-01-05 13:00"
"""The deadline of turn 1 is on Friday 2026-01-09 at 20:00 UTC."""
DAY_BEFORE = "2026-01-08 21:00"
BEFORE = "2026-01-09 19:55"
AFTER = "2026-01-09 20:05"
LATER = "2026-01-09 20:10"

REALMS = ("LIT", "NOV", "POL", "TEU")
ADDRESSES = {
    "LIT": "anna@example.org",
    "NOV": "nikita@example.org",
    "POL": "piotr@example.org",
    "TEU": "theo@example.org",
}


@dataclass
class Office:
    """The game, its mailbox, the server, and a GM who types commands."""

    game: Path
    box: Path
    smtp: SmtpStub
    run: Run
    arrived: int = field(default=0)

    def week(self, at: str, *options: str, code: int = 0) -> Result:
        return self.run("week", *options, "--at", at, code=code)

    def drop(self, data: bytes, at: str) -> None:
        """Let a letter arrive in the mailbox at some time."""
        self.arrived += 1
        second = int(datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp())
        (self.box / "new" / f"{second}.M{self.arrived:06}.test").write_bytes(data)

    def orders(
        self, realm: str, at: str, body: str = "", *, turn: int = 1, key: str | None = None, sender: str = ""
    ) -> None:
        """Let a player's orders arrive."""
        letter = EmailMessage()
        letter["From"] = sender or ADDRESSES[realm]
        letter["To"] = SENDER
        letter["Subject"] = "my orders"
        letter["Message-ID"] = f"<{self.arrived}.{realm}@example.org>"
        letter.set_content("Here they are.\n")
        text = order_text(self.game, realm, body, turn=turn, key=key)
        letter.add_attachment(text, subtype="yaml", filename="orders.yaml")
        self.drop(letter.as_bytes(policy=SMTP), at)

    def all_orders(self, at: str, turn: int = 1) -> None:
        for realm in REALMS:
            self.orders(realm, at, turn=turn)

    def subjects(self, to: str = "") -> Counter[str]:
        """Return how often each subject was sent to an address, or a realm's player, or anybody.

        The subjects are without the marks. The letters with a key, one of which goes with all results, are
        left out.
        """
        letters = self.smtp.letters(ADDRESSES.get(to, to))
        return Counter(
            letter["Subject"].partition(" [")[0] for letter in letters if KEY not in letter["Subject"]
        )

    def text(self, to: str, words: str) -> str:
        """The text of the one letter to an address or player with these words in its subject, on one line."""
        (letter,) = [
            letter for letter in self.smtp.letters(ADDRESSES.get(to, to)) if words in letter["Subject"]
        ]
        body = letter.get_body(("plain",))
        assert body is not None
        return " ".join(body.get_content().split())

    def set_mail(self, **settings: object) -> None:
        set_mail(self.game, **settings)

    def first_turn(self, realm: str, body: str) -> None:
        """Play turn 1, with orders of everybody and some more of one realm's."""
        self.week(START)
        for player_realm in REALMS:
            self.orders(player_realm, BEFORE, body if player_realm == realm else "")
        self.week(BEFORE)
        self.week(AFTER)


def set_mail(game: Path, **settings: object) -> None:
    """Change lines of mail.yaml, as a GM with an editor would."""
    path = game / "mail.yaml"
    text = path.read_text()
    for name, value in settings.items():
        text, count = re.subn(rf"(?m)^( *{name}:)[^#\n]*", rf"\1 {value} ", text)
        assert count, name
    path.write_text(text)


@contextmanager
def office_of(game: Path, run: Run, *setup: str) -> Iterator[Office]:
    """The post of a game; what is sent to the game itself arrives in its own mailbox."""
    box = game.parent / "Maildir"
    for part in ("new", "cur", "tmp"):
        (box / part).mkdir(parents=True)
    with _manned(Office(game, box, SmtpStub(), run)) as office:
        run(
            *("mail", "setup", "--from", SENDER, "--gm", MASTER, "--maildir", box),
            *("--smtp", f"localhost:{office.smtp.port}", "--security", "none", *setup),
        )
        yield office


@contextmanager
def reopened(former: Office, game: Path) -> Iterator[Office]:
    """The post of a copy of an office's game and mailbox, with all that was sent and arrived so far."""
    office = Office(
        game, game.parent / former.box.name, SmtpStub(got=[*former.smtp.got]), former.run, former.arrived
    )
    with _manned(office):
        office.set_mail(path=office.box, port=office.smtp.port)
        yield office


@contextmanager
def _manned(office: Office) -> Iterator[Office]:
    def deliver(recipients: tuple[str, ...], data: bytes) -> None:
        if SENDER in recipients:
            office.drop(data, START)

    office.smtp.deliver = deliver
    with serving(office.smtp):
        yield office
