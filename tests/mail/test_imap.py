"""An IMAP mailbox without a server: what is asked of the mail library, and what becomes of its answers.

The same against a real server is in ``test_servers_game.py`` and beside it.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from gm.mail.imap import imap_source
from gm.mail.settings import Inward, LoginError
from gm.mail.source import Disposition, MailboxError, Source
from tests.mail.office import NOW, Office, fetch, mail
from tests.mail.shapes.pieces import PLAIN, orders


def bodies(source: Source, length: int = 1000) -> list[bytes]:
    """What waits, without the headers."""
    return [message.read(length).partition(b"\n\n")[2] for message in source.waiting()]


class Server:
    """What the mail library shows of a server: folders of messages by number, and what the server is able
    to do.
    """

    def __init__(self, *abilities: str, prefix: str = "") -> None:
        self.abilities = abilities
        self.prefix = prefix
        self.folders: dict[str, dict[int, bytes]] = {"INBOX": {}}
        self.deleted: set[int] = set()
        self.asked: list[str] = []
        self.said: list[Any] = []
        self.dates: dict[int, datetime] = {}
        self.broken: Exception | None = None

    def __call__(self, host: str, **options: Any) -> Server:
        self.said.append((host, options))
        if self.broken:
            raise self.broken
        return self

    def starttls(self, context: ssl.SSLContext) -> None:
        self.said.append(("starttls", context.verify_mode))

    def login(self, user: str, secret: str) -> None:
        self.said.append(("login", user, secret))
        self._refuse(secret)

    def oauth2_login(self, user: str, secret: str) -> None:
        self.said.append(("oauth2", user, secret))
        self._refuse(secret)

    def _refuse(self, secret: str) -> None:
        from imapclient.exceptions import LoginError as Refused

        if secret != "right":  # noqa: S105
            raise Refused(f"AUTHENTICATIONFAILED for {secret}")

    def logout(self) -> None:
        self.said.append("logout")

    def has_capability(self, name: str) -> bool:
        return name in self.abilities

    def namespace(self) -> Any:
        return type("Spaces", (), {"personal": ((self.prefix, "."),)})

    def folder_exists(self, name: str) -> bool:
        return name in self.folders

    def create_folder(self, name: str) -> None:
        assert name.startswith(self.prefix), "this server makes no folder there"
        self.folders[name] = {}

    def subscribe_folder(self, name: str) -> None:
        self.said.append(("subscribe", name))

    def select_folder(self, name: str, readonly: bool = False) -> None:
        self.selected = name

    def search(self, words: list[str]) -> list[int]:
        inside = self.folders[self.selected]
        if words[0] == "HEADER":
            return [number for number, data in inside.items() if words[2].encode() in data]
        return [number for number in sorted(inside, reverse=True) if number not in self.deleted]

    def fetch(self, numbers: list[int], what: list[str]) -> dict[int, dict[bytes, Any]]:
        """Answer as `IMAPClient.fetch` does, with the beginning of a letter or with its size and date."""
        if self.broken:
            raise self.broken
        self.asked += what
        answer: dict[int, dict[bytes, Any]] = {}
        for number in numbers:
            data = self.folders[self.selected].get(number)
            if data is not None and what[0].startswith("BODY.PEEK[]<0."):
                answer[number] = {b"BODY[]<0>": data[: int(what[0][len("BODY.PEEK[]<0.") : -1])], b"SEQ": 1}
            elif data is not None:
                answer[number] = {
                    b"RFC822.SIZE": len(data),
                    b"INTERNALDATE": self.dates.get(number),
                    b"SEQ": 1,
                }
        return answer

    def move(self, numbers: list[int], folder: str) -> None:
        for number in numbers:
            if number in self.folders[self.selected]:
                self.folders[folder][number] = self.folders[self.selected].pop(number)

    def copy(self, numbers: list[int], folder: str) -> None:
        for number in numbers:
            self.folders[folder][number] = self.folders[self.selected][number]

    def add_flags(self, numbers: list[int], flags: list[bytes]) -> None:
        assert flags == [b"\\Deleted"]
        assert all(
            any(number in inside for name, inside in self.folders.items() if name != "INBOX")
            for number in numbers
        )
        self.deleted.update(numbers)

    def uid_expunge(self, numbers: list[int]) -> None:
        for number in numbers:
            del self.folders[self.selected][number]


LOGIN = Inward(host="imap.example.org", user="gm@example.org", password_env="GM_TEST_PASSWORD")  # noqa: S106
Serve = Callable[[Server], Server]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    def serving(server: Server) -> Server:
        monkeypatch.setattr("imapclient.IMAPClient", server)
        monkeypatch.setenv("GM_TEST_PASSWORD", "right")
        return server

    return serving


@pytest.mark.parametrize("abilities", [("MOVE",), ("UIDPLUS",), ()])
def test_a_mailbox_on_a_server_loses_no_letter_whatever_the_server_can_do(
    serve: Serve, tmp_path: Path, abilities: tuple[str, ...]
) -> None:
    server = serve(Server(*abilities))
    server.folders["INBOX"] = {7: mail("second", number="b"), 3: mail("first", number="a")}
    with imap_source(LOGIN, tmp_path) as source:
        assert bodies(source) == [b"first", b"second"]
        first, second = source.waiting()
        source.put(first, Disposition.DONE)
        source.put(second, Disposition.ASIDE)
        assert list(source.waiting()) == []
        assert source.holds("a@example.org")
        assert source.holds("b@example.org")
        assert not source.holds("c@example.org")
        assert server.selected == "INBOX"
    assert [list(server.folders[name]) for name in ("gm-done", "gm-aside")] == [[3], [7]]
    assert ("subscribe", "gm-done") in server.said
    assert server.said[-1] == "logout"


def test_letters_that_cannot_be_moved_are_told_of_and_not_dealt_with_again(
    office: Office, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from imapclient.exceptions import IMAPClientError

    def full(numbers: list[int], folder: str) -> None:
        raise IMAPClientError("over quota")

    server = serve(Server("MOVE"))
    server.folders["INBOX"] = {1: mail(orders("POL"), number="1"), 2: mail("no orders", number="2")}
    with monkeypatch.context() as patch:
        patch.setattr(server, "move", full)
        with imap_source(LOGIN, tmp_path) as source:
            fetched = fetch(office.post, source, NOW)
    assert "over quota" in fetched.problem
    assert office.standing("POL") is not None
    assert sorted(server.folders["INBOX"]) == [1, 2]
    with imap_source(LOGIN, tmp_path) as source:
        again = fetch(office.post, source, NOW)
    assert (again.letters, again.problem) == ([], "")
    assert [sorted(server.folders[name]) for name in ("INBOX", "gm-done", "gm-aside")] == [[], [1], [2]]


def test_many_letters_are_moved_together(serve: Serve, tmp_path: Path) -> None:
    """One by one, ten thousand letters take some servers an hour."""
    server = serve(Server("MOVE"))
    server.folders["INBOX"] = {number: mail("x", number=str(number)) for number in range(1, 251)}
    moved: list[int] = []
    move = server.move

    def counting(numbers: list[int], folder: str) -> None:
        moved.append(len(numbers))
        move(numbers, folder)

    server.move = counting  # type: ignore[method-assign]
    with imap_source(LOGIN, tmp_path) as source:
        for message in source.waiting():
            source.put(message, Disposition.DONE)
    assert moved == [100, 100, 50]
    assert len(server.folders["gm-done"]) == 250


def test_a_server_that_keeps_all_folders_below_the_inbox_gets_them_there(
    serve: Serve, tmp_path: Path
) -> None:
    server = serve(Server("MOVE", "NAMESPACE", prefix="INBOX."))
    server.folders["INBOX"] = {1: mail("x", number="a")}
    with imap_source(LOGIN, tmp_path) as source:
        (message,) = source.waiting()
        source.put(message, Disposition.DONE)
        assert source.holds("a@example.org")
    assert list(server.folders) == ["INBOX", "INBOX.gm-done"]


def test_never_more_is_downloaded_than_is_asked_for_and_nothing_is_marked_as_seen(
    serve: Serve, tmp_path: Path
) -> None:
    server = serve(Server("MOVE"))
    server.folders["INBOX"] = {1: mail("x" * 100_000)}
    with imap_source(LOGIN, tmp_path) as source:
        (message,) = source.waiting()
        assert message.size > 100_000
        assert len(message.read(1000)) == 1000
        server.folders["INBOX"].clear()
        assert message.read(1000) == b""  # taken away meanwhile
        source.put(message, Disposition.DONE)
    assert server.asked == ["RFC822.SIZE", "INTERNALDATE", "BODY.PEEK[]<0.1000>", "BODY.PEEK[]<0.1000>"]


def test_the_server_tells_when_a_letter_arrived(serve: Serve, tmp_path: Path) -> None:
    server = serve(Server("MOVE"))
    server.folders["INBOX"] = {1: mail("x"), 2: mail("y"), 3: mail("z")}
    server.dates = {
        1: datetime(2026, 1, 5, 13, 0, tzinfo=timezone(timedelta(hours=1))),
        2: datetime(2026, 1, 5, 12, 0),  # noqa: DTZ001 - what a library might hand over
    }
    with imap_source(LOGIN, tmp_path) as source:
        assert [message.arrived for message in source.waiting()] == [NOW, NOW, None]


def test_a_huge_letter_on_a_server_is_not_downloaded_whole(
    office: Office, serve: Serve, tmp_path: Path
) -> None:
    server = serve(Server("MOVE"))
    server.folders["INBOX"] = {1: mail(PLAIN + "#" * 11_000_000), 2: mail(orders("POL"), number="2")}
    post = office.post
    with imap_source(LOGIN, tmp_path) as source:
        fetch(post, source, NOW)
    bodies_asked = [part for part in server.asked if part.startswith("BODY")]
    assert bodies_asked == ["BODY.PEEK[]<0.65536>", "BODY.PEEK[]<0.10000001>"]
    assert office.standing("LIT") is None
    assert office.standing("POL") is not None
    assert ("advice", "anna@example.org") in office.kinds()


def test_the_connection_is_secret_and_its_certificate_is_checked(serve: Serve, tmp_path: Path) -> None:
    server = serve(Server())
    with imap_source(LOGIN, tmp_path):
        pass
    (_, options), *_ = server.said
    assert options["ssl"] is True
    assert options["ssl_context"].verify_mode is ssl.CERT_REQUIRED
    assert options["ssl_context"].check_hostname
    server.said.clear()
    with imap_source(LOGIN.evolve(security="starttls"), tmp_path):
        pass
    (_, options), starttls, login, *_ = server.said
    assert options["ssl"] is False
    assert starttls == ("starttls", ssl.CERT_REQUIRED)
    assert login == ("login", "gm@example.org", "right")


def test_a_token_is_used_where_a_command_prints_one(serve: Serve, tmp_path: Path) -> None:
    server = serve(Server())
    token = LOGIN.evolve(password_env="", oauth2_command="echo right")
    with imap_source(token, tmp_path):
        pass
    assert ("oauth2", "gm@example.org", "right") in server.said


def test_a_refused_login_is_said_without_the_secret(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(Server())
    monkeypatch.setenv("GM_TEST_PASSWORD", "hunter2")
    with pytest.raises(LoginError, match="app password") as caught, imap_source(LOGIN, tmp_path):
        pass
    assert "hunter2" not in str(caught.value)
    with (
        pytest.raises(LoginError) as caught,
        imap_source(LOGIN.evolve(password_env="", oauth2_command="echo hunter3"), tmp_path),
    ):
        pass
    assert "hunter3" not in str(caught.value)
    assert "app password" not in str(caught.value)


@pytest.mark.parametrize(
    "error", [ConnectionRefusedError("refused"), TimeoutError("timed out"), EOFError("closed")]
)
def test_a_server_that_fails_is_told_in_a_sentence(serve: Serve, tmp_path: Path, error: Exception) -> None:
    server = serve(Server())
    server.folders["INBOX"] = {1: mail("x")}
    with imap_source(LOGIN, tmp_path) as source:
        server.broken = error
        with pytest.raises(MailboxError, match=r"imap\.example\.org cannot be used now"):
            list(source.waiting())
    server.broken = ssl.SSLCertVerificationError("self-signed certificate")
    with pytest.raises(MailboxError, match="could not prove its identity"), imap_source(LOGIN, tmp_path):
        pass


def test_trouble_here_is_not_blamed_on_the_server(serve: Serve, tmp_path: Path) -> None:
    server = serve(Server())
    with pytest.raises(OSError, match="No space left") as caught, imap_source(LOGIN, tmp_path):
        raise OSError(28, "No space left on device")
    assert not isinstance(caught.value, MailboxError)
    assert server.said[-1] == "logout"


def test_a_folder_that_is_not_there_is_said(serve: Serve, tmp_path: Path) -> None:
    serve(Server())
    with (
        pytest.raises(MailboxError, match="no folder 'Games'"),
        imap_source(LOGIN.evolve(folder="Games"), tmp_path),
    ):
        pass
