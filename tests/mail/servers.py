"""A real IMAP server (Dovecot) and a real mail server (Postfix), each in a folder of its own and only on
loopback.

Postfix hands what it takes to Dovecot, which also checks its passwords and tokens; nothing is ever passed on
to another machine. Postfix starts only as root, and so both need it. Several runs of the tests may have
servers at the same time: each has ports of its own, and its servers say a word in their greeting that tells
them from all others.
"""

import base64
import hmac
import json
import os
import re
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from tests.mail.ports import Ports
from tests.mail.processes import Server, processes_in, program, watched
from tests.mail.server_files import TOKEN_SECRET, write_certificate, write_dovecot_files, write_postfix_files
from tests.waiting import wait_for

NEEDED = {"dovecot": "dovecot-imapd", "doveadm": "dovecot-core", "postfix": "postfix", "openssl": "openssl"}
"""Programs, and the Debian packages that they are in."""
_TRIES = 5
"""So often servers are started on other ports when those that answer are not ours."""
_QUEUES = ("maildrop", "incoming", "active", "deferred", "incoming", "active")
"""Where Postfix has what it has to deliver, in the order in which a message passes through them."""


def missing_servers() -> str:
    """Why the servers cannot run here, in a sentence; empty when they can."""
    lacking = sorted({package for name, package in NEEDED.items() if not program(name)})
    if lacking:
        return f"these tests need real mail servers, and Debian's {', '.join(lacking)} is not here"
    if os.geteuid() != 0:
        return "these tests need real mail servers, and Postfix only starts as root"
    if not any(Path(folder, "dovecot/lmtp").exists() for folder in ("/usr/lib", "/usr/libexec")):
        return "these tests need real mail servers, and Debian's dovecot-lmtpd is not here"
    return ""


def token(user: str, secret: bytes = TOKEN_SECRET) -> str:
    """An OAuth2 access token for a mailbox: a JSON Web Token (RFC 7519) signed with HMAC-SHA-256."""
    now = int(time.time())
    claims = {"sub": user, "iat": now, "nbf": now - 60, "exp": now + 3600, "scope": "mail"}
    parts = [_base64url(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims)]
    return ".".join((*parts, _base64url(hmac.digest(secret, ".".join(parts).encode(), "sha256"))))


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@dataclass
class MailServers:
    """Both servers. Everybody's password is his address turned round."""

    folder: Path
    ports: Ports
    mark: str = field(default_factory=lambda: f"gm-tests-{secrets.token_hex(8)}")
    """The word by which our servers are known."""
    users: list[str] = field(default_factory=list)
    imap: int = field(init=False)
    """STARTTLS."""
    imaps: int = field(init=False)
    submission: int = field(init=False)
    """STARTTLS and a login, for who sends mail."""
    submissions: int = field(init=False)
    """The same with TLS from the first byte."""
    arrival: int = field(init=False)
    """Where other mail servers bring their mail: no login, and only for this domain."""
    lmtp: int = field(init=False)
    auth: int = field(init=False)
    _lost: list[str] = field(default_factory=list)
    """The lines of Dovecot's list of users that were taken out."""
    dovecot: Server = field(init=False)
    postfix: Server = field(init=False)

    def __post_init__(self) -> None:
        """Choose the ports and the files of both servers; neither is started yet."""
        for name in ("imap", "imaps", "submission", "submissions", "arrival", "lmtp", "auth"):
            setattr(self, name, self.ports.take())
        self._config = self.folder / "postfix"
        self._known = self.folder / "users"
        self.dovecot = Server(
            [program("dovecot"), "-c", f"{self.folder}/dovecot.conf"],
            self.folder / "run" / "master.pid",
            self.imap,
            self.mark,
            (self.folder / "dovecot.out", self.folder / "dovecot.log"),
        )
        self.postfix = Server(
            [program("postfix"), "-c", str(self._config), "start"],
            self.folder / "spool" / "pid" / "master.pid",
            self.submission,
            self.mark,
            (self.folder / "postfix.out", self.folder / "postfix.log"),
        )

    @property
    def ca_file(self) -> Path:
        """The certificate that both servers show. It is good for ``localhost`` and for no address."""
        return self.folder / "cert.pem"

    def password(self, address: str) -> str:
        return address[::-1]

    # -- users and mail --------------------------------------------------------------------------------------

    def add(self, *addresses: str) -> None:
        """Give addresses a mailbox."""
        self.users += addresses
        with (self.folder / "mailboxes").open("a") as mailboxes:
            mailboxes.writelines(f"{address} here\n" for address in addresses)
        self._make_map("mailboxes")
        with self._known.open("a") as users:
            for address in addresses:
                home = self.folder / "homes" / address
                home.mkdir(parents=True)
                shutil.chown(home, "nobody", "nogroup")
                users.write(f"{address}:{{PLAIN}}{self.password(address)}:nobody:nogroup::{home}::\n")
        wait_for(lambda: all(map(self._has_mailbox, addresses)), "Dovecot to know its new users")

    def _has_mailbox(self, address: str) -> bool:
        """Whether Dovecot knows somebody now; it looks into its list once a second."""
        command = [program("doveadm"), "-c", f"{self.folder}/dovecot.conf", "user", address]
        return subprocess.run(command, capture_output=True).returncode == 0

    def lose(self, address: str) -> None:
        """Take a mailbox away: Postfix still takes mail for it, which then comes back.

        What was in it stays.
        """
        lines = self._known.read_text().splitlines(keepends=True)
        self._lost += [line for line in lines if line.startswith(f"{address}:")]
        self._known.write_text("".join(line for line in lines if line not in self._lost))
        wait_for(lambda: not self._has_mailbox(address), "Dovecot to forget a user")

    def find_again(self) -> None:
        """Give back every mailbox that was taken away."""
        if self._lost:
            self._known.write_text(self._known.read_text() + "".join(self._lost))
            self._lost.clear()
            wait_for(lambda: all(map(self._has_mailbox, self.users)), "Dovecot to know everybody again")

    def refuse(self, answers: dict[str, str]) -> None:
        """Let Postfix answer so to mail for these addresses, e.g. ``450 4.2.1 mailbox busy``."""
        text = "".join(f"{address} {answer}\n" for address, answer in answers.items())
        if (self.folder / "refused").read_text() != text:
            (self.folder / "refused").write_text(text)
            self._make_map("refused")

    def letters(self, address: str, folder: str = "INBOX") -> list[bytes]:
        """Everything in a folder of a mailbox as it lies on the disk, oldest first."""
        home = self.folder / "homes" / address / "Maildir"
        where = home if folder == "INBOX" else home / f".{folder}"
        paths = list(
            chain.from_iterable(
                (where / part).iterdir() for part in ("new", "cur") if (where / part).is_dir()
            )
        )
        return [
            path.read_bytes() for path in sorted(paths, key=lambda path: (path.stat().st_mtime_ns, path.name))
        ]

    def numbers(self, address: str) -> list[str]:
        """The Message-IDs of a mailbox, whatever folder they are in; twice there is twice here."""
        maildir = self.folder / "homes" / address / "Maildir"
        paths = chain.from_iterable(sorted(maildir.rglob(f"{part}/*")) for part in ("new", "cur"))
        texts = [path.read_bytes() for path in paths]
        matches = [re.search(rb"(?im)^message-id:\s*<([^>]*)>", data) for data in texts]
        return sorted(match[1].decode() for match in matches if match)

    def empty(self) -> None:
        """Throw all mail away."""
        for user in self.users:
            shutil.rmtree(self.folder / "homes" / user / "Maildir", ignore_errors=True)

    def put(self, address: str, letters: Iterator[bytes]) -> int:
        """Put letters into a mailbox without sending them; returns how many."""
        new = self.folder / "homes" / address / "Maildir" / "new"
        for folder in (new, new.with_name("cur"), new.with_name("tmp")):
            folder.mkdir(parents=True, exist_ok=True)
        count = 0
        for count, data in enumerate(letters, start=1):
            (new / f"{int(time.time())}.M{count:06}.tests").write_bytes(data)
        for path in (new.parent, *new.parent.rglob("*")):
            shutil.chown(path, "nobody", "nogroup")
        return count

    def settled(self) -> None:
        """Wait until Postfix knows of every connection that ended, and has nothing left to deliver."""
        wait_for(lambda: not self._open_connections(), "Postfix to close its doors")
        self.delivered()

    def _open_connections(self) -> int:
        # since it was started last: who was talking to it when it was stopped was never seen off
        log = (self.folder / "postfix.log").read_text().rpartition("daemon started")[2]
        return log.count(": connect from ") - log.count(": disconnect from ")

    def delivered(self) -> None:
        """Wait until Postfix has nothing left to deliver.

        What it could not deliver before it tries again at once.
        """
        tried = time.monotonic()

        def nothing_left() -> bool:
            nonlocal tried
            if not self.queued():
                return True
            if time.monotonic() - tried > 1:
                self.flush()
                tried = time.monotonic()
            return False

        wait_for(nothing_left, "Postfix to deliver")

    def queued(self) -> list[str]:
        """The names of the messages that Postfix has taken and not delivered yet."""
        spool = self.folder / "spool"
        # a message moves on while we look: twice, and in its own direction, so that it is seen once at least
        paths = chain.from_iterable((spool / queue).rglob("*") for queue in _QUEUES)
        return sorted({path.name for path in paths if _is_message(path)})

    def flush(self) -> None:
        """Let Postfix try at once what it could not deliver before."""
        subprocess.run([program("postqueue"), "-c", str(self._config), "-f"], check=True, capture_output=True)

    def postfix_setting(self, name: str, value: str) -> None:
        """Change one of Postfix's settings for all its doors."""
        subprocess.run([program("postconf"), "-c", str(self._config), "-e", f"{name}={value}"], check=True)
        self.postfix.stop()
        self.postfix.start()

    # -- the two servers -------------------------------------------------------------------------------------

    def start(self) -> None:
        write_certificate(self.folder)
        write_dovecot_files(self)
        write_postfix_files(self, self._config)
        self._known.touch()
        for name in ("mailboxes", "refused"):
            (self.folder / name).touch()
            self._make_map(name)
        self.dovecot.start()
        self.postfix.start()

    def close(self) -> None:
        """End both; nothing of them stays. Raises ``TimeoutError`` when one does not end."""
        try:
            self.postfix.stop()
            self.dovecot.stop()
            wait_for(lambda: not processes_in(self.folder), "all processes of the servers to end")
        finally:
            self.ports.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def _make_map(self, name: str) -> None:
        index = self.folder / f"{name}.db"
        if index.exists():
            # Postfix sees that a map has changed by the whole second in which it was written
            wait_for(
                lambda: int(time.time()) > int(index.stat().st_mtime), "the clock to show another second"
            )
        subprocess.run(
            [program("postmap"), "-c", str(self._config), f"hash:{self.folder / name}"], check=True
        )


def _is_message(path: Path) -> bool:
    """Whether a file of Postfix's is a whole message: then it is marked as one that can be run."""
    with suppress(FileNotFoundError):
        return path.is_file() and bool(path.stat().st_mode & 0o100)
    return False


@contextmanager
def running_servers() -> Iterator[MailServers]:
    """Both servers, for as long as the ``with`` lasts.

    Raises ``RuntimeError`` when they cannot be started.
    """
    for left in reversed(range(_TRIES)):
        # in a folder that the servers' own users may enter, and with a name short enough for sockets
        folder = Path(tempfile.mkdtemp(prefix="gm-post-", dir="/tmp"))
        folder.chmod(0o755)
        servers = MailServers(folder, Ports())
        with watched(folder):
            try:
                servers.start()
            except RuntimeError:
                servers.close()
                if not left:
                    raise
                continue
            try:
                yield servers
            finally:
                servers.close()
            return
