"""A game with a Maildir, and hands to drop letters into it and to look at what comes of them."""

import shutil
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.message import EmailMessage
from itertools import chain
from pathlib import Path

import pytest
from click.testing import CliRunner

from gm.cli.app import gm
from gm.cli.session import open_campaign
from gm.mail.exchange import mailbox
from gm.mail.fetching import FetchResult
from gm.mail.game_mail import GameMail, subject_mark
from gm.mail.reading import fetch_all
from gm.mail.source import Source
from tests.articles import without_article
from tests.cli.conftest import AT, PLAYERS
from tests.commands import repeated
from tests.mail.shapes.pieces import SECRET, key, letter, orders, parsed, parts

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
"""A Monday; the deadline of turn 1 is Friday 2026-01-09 20:00 UTC."""
GM = "gm@example.org"
"""The game's own address."""


class Office:
    """A game's folder with a Maildir beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.box = folder.parent / "Maildir"
        self._dropped = 0

    @property
    def post(self) -> GameMail:
        """The post as a new run sees it."""
        return GameMail(open_campaign(self.folder))

    def drop(self, data: bytes, *, arrived: datetime | None = None) -> str:
        """Put a message into the mailbox; returns its name."""
        self._dropped += 1
        # without a time in its name, a message came when it is fetched
        second = int(arrived.timestamp()) if arrived else 0
        name = f"{second}.M{self._dropped}.host"
        (self.box / "new" / name).write_bytes(data)
        return name

    def fetch(self, now: datetime = NOW) -> FetchResult:
        """One round, as 'pbem mail fetch' makes it."""
        post = self.post
        with mailbox(post, ()) as source:
            return fetch(post, source, now)

    def receive(self, data: bytes, now: datetime = NOW) -> FetchResult:
        """A message that comes, and a round of fetching."""
        self.drop(data)
        return self.fetch(now)

    def edit(self, file: str, changes: Mapping[str, str]) -> None:
        """Change a file of the game, as a GM with an editor would."""
        path = self.folder / file
        text = path.read_text("utf-8")
        for before, after in changes.items():
            assert before in text
            text = text.replace(before, after)
        path.write_text(text, encoding="utf-8")

    def sent(self) -> list[EmailMessage]:
        """Everything in the outbox, in the order in which it was queued."""
        post = self.post
        letters = [parsed(post.outbox.path(message.id).read_bytes()) for message in post.outbox.messages]
        texts = (f"{letter['Subject']}\n{text_of(letter)}" for letter in letters)
        assert not [*without_article("\n".join(texts))]
        return letters

    def kinds(self) -> list[tuple[str, str]]:
        """(kind, address) of everything in the outbox."""
        return [(message.kind, message.to) for message in self.post.outbox.messages]

    def standing(self, realm: str = "LIT", turn: int = 1) -> bytes | None:
        """The file that stands for a realm."""
        path = self.folder / f"inbox/turn-{turn:02}/{realm}.yaml"
        return path.read_bytes() if path.is_file() else None

    def waiting(self) -> list[str]:
        """What is still in the mailbox itself."""
        paths = chain.from_iterable((self.box / part).iterdir() for part in ("new", "cur"))
        return sorted(path.name for path in paths)

    def moved(self, folder: str) -> list[str]:
        """What was moved to one of the mailbox's folders."""
        path = self.box / f".{folder}" / "cur"
        return sorted(file.name for file in path.iterdir()) if path.is_dir() else []


def fetch(post: GameMail, source: Source, now: datetime) -> FetchResult:
    """What waits for one game is dealt with. Raises also what is wrong with the game's folder."""
    (fetched,) = fetch_all((post,), source, now)
    if fetched.failure is not None:
        raise fetched.failure
    return fetched


def text_of(message: EmailMessage) -> str:
    """The plain text of a message of ours."""
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def enclosed(message: EmailMessage) -> dict[str, bytes]:
    """The files that go with a message, by name."""
    return {str(part.get_filename()): part.get_payload(decode=True) for part in message.iter_attachments()}  # type: ignore[misc]


def mail(
    body: str | bytes = "",
    *,
    sender: str = "Anna <anna@example.org>",
    subject: str = "orders",
    number: str = "1",
    more: str = "",
    header: Mapping[str, str] | None = None,
) -> bytes:
    """A plain letter. ``number`` makes its Message-ID; ``more`` are whole lines of its header."""
    lines = {
        "From": sender,
        "To": GM,
        "Subject": subject,
        "Date": "Mon, 5 Jan 2026 12:00:00 +0000",
        "Message-ID": f"<{number}@example.org>",
        **(header or {}),
    }
    head = "".join(f"{name}: {value}\n" for name, value in lines.items() if value)
    text = body.encode() if isinstance(body, str) else body
    return f"{head}{more}\n".encode() + text


def mixed(*inner_parts: str) -> bytes:
    """A letter of several parts."""
    head = 'From: anna@example.org\nMessage-ID: <a@example.org>\nContent-Type: multipart/mixed; boundary="b"'
    return letter(head, parts("b", *inner_parts), trace=False)


@pytest.fixture(scope="session")
def mail_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new game of four players with mail settings for a Maildir beside it. Not to be changed."""
    folder = tmp_path_factory.mktemp("mail") / "minsk"
    box = folder.parent / "Maildir"
    for part in ("new", "cur", "tmp"):
        (box / part).mkdir(parents=True)
    seats = repeated("--player", (f"{realm}={player}" for realm, player in PLAYERS.items()))
    dates = ["--deadline", "friday 20:00", "--first", "2026-01-09", "--at", AT]
    setup = ["mail", "setup", "--from", GM, "--gm", "master@example.org"]
    for arguments in (
        ["new", str(folder), *seats, "--seed", "test", "--key-secret", SECRET, *dates],
        [
            *setup,
            "--maildir",
            str(box),
            "--smtp",
            "localhost:25",
            "--security",
            "none",
            "--game",
            str(folder),
        ],
    ):
        result = CliRunner().invoke(gm, arguments)
        assert result.exit_code == 0, result.output
    settings = folder / "mail.yaml"
    # copies of the game have copies of the mailbox
    settings.write_text(
        settings.read_text(encoding="utf-8").replace(str(box), "../Maildir"), encoding="utf-8"
    )
    return folder


@pytest.fixture
def make_office(mail_game: Path, tmp_path: Path) -> Callable[[str], Office]:
    """Copies of that game, each in a folder of its own."""

    def make(name: str) -> Office:
        for folder in ("minsk", "Maildir"):
            shutil.copytree(mail_game.parent / folder, tmp_path / name / folder)
        return Office(tmp_path / name / "minsk")

    return make


@pytest.fixture
def office(make_office: Callable[[str], Office]) -> Office:
    """One copy of that game."""
    return make_office("game")


def flat(message: EmailMessage) -> str:
    """A message's plain text as one line, however it is broken."""
    return " ".join(text_of(message).split())


def mark(office: Office, realm: str = "LIT", turn: int = 1) -> str:
    """What stands in the subjects of our letters to a realm."""
    player = office.post.campaign.folder.players.of(realm)
    assert player is not None
    return subject_mark(player, "minsk", turn)


def keyless(realm: str = "LIT", body: str = "") -> str:
    """An order file without its key."""
    return orders(realm, body).replace(f"key: {key(realm)}\n", "")
