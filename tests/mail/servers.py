"""A real IMAP server (Dovecot) and a real mail server (Postfix), each in a folder of its own and only on loopback.

Postfix hands what it takes to Dovecot, which also checks its passwords and tokens; nothing is ever passed on to another
machine. Both run as children of the tests and end with them. Postfix starts only as root, and so both need it.
"""

from __future__ import annotations

import base64
import hmac
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.mail.server_files import TOKEN_SECRET, write_certificate, write_dovecot_files, write_postfix_files

NEEDED = {"dovecot": "dovecot-imapd", "doveadm": "dovecot-core", "postfix": "postfix", "openssl": "openssl"}
"""Programs, and the Debian packages that they are in."""
PATIENCE = 30.0
"""Seconds until a server that does not start, stop or deliver is given up."""


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


def program(name: str) -> str:
    """Where a program is; servers are not on everybody's path. Empty when it is nowhere."""
    return shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))) or ""


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def wait_for(what: Callable[[], object], why: str, patience: float = PATIENCE) -> None:
    """Wait until something is so. Raises ``TimeoutError``, which says what was waited for."""
    until = time.monotonic() + patience
    while not what():
        if time.monotonic() > until:
            raise TimeoutError(f"waited {patience:.0f} seconds for {why}")
        time.sleep(0.02)


def listens(port: int) -> bool:
    """Whether somebody answers on a port of loopback."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def token(user: str, secret: bytes = TOKEN_SECRET) -> str:
    """An OAuth2 access token for a mailbox: a JSON Web Token (RFC 7519) signed with HMAC-SHA-256."""
    now = int(time.time())
    claims = {"sub": user, "iat": now, "nbf": now - 60, "exp": now + 3600, "scope": "mail"}
    parts = [_base64url(json.dumps(each).encode()) for each in ({"alg": "HS256", "typ": "JWT"}, claims)]
    return ".".join((*parts, _base64url(hmac.digest(secret, ".".join(parts).encode(), "sha256"))))


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@dataclass
class Server:
    """One server: how it is started, the file that then holds its process id, and the port on which it listens."""

    command: list[str]
    pid_file: Path
    port: int
    logs: tuple[Path, ...]

    def start(self) -> None:
        with self.logs[0].open("ab") as log:
            # a file and no pipe: the daemon keeps it open
            subprocess.run(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=PATIENCE)
        try:
            wait_for(lambda: listens(self.port), f"{self.command[0]} to listen")
        except TimeoutError as error:
            self.stop()
            words = "".join(log.read_text() for log in self.logs if log.exists())
            raise RuntimeError(f"{error}:\n{words}") from None

    def stop(self) -> None:
        """End the server, which ends its children: only the process that stands in its own file."""
        with suppress(FileNotFoundError, ProcessLookupError, ValueError):
            pid = int(self.pid_file.read_text())
            os.kill(pid, signal.SIGTERM)
            wait_for(lambda: not _runs(pid), f"{self.command[0]} to end")
            wait_for(lambda: not listens(self.port), f"{self.command[0]} to close its door")


def _runs(pid: int) -> bool:
    """Whether a process does anything yet; one that has ended and was not asked about does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@dataclass
class MailServers:
    """Both servers. Everybody's password is his address turned round."""

    folder: Path
    users: list[str] = field(default_factory=list)
    imap: int = field(default_factory=free_port)
    """STARTTLS."""
    imaps: int = field(default_factory=free_port)
    submission: int = field(default_factory=free_port)
    """STARTTLS and a login, for who sends mail."""
    submissions: int = field(default_factory=free_port)
    """The same with TLS from the first byte."""
    arrival: int = field(default_factory=free_port)
    """Where other mail servers bring their mail: no login, and only for this domain."""
    lmtp: int = field(default_factory=free_port)
    auth: int = field(default_factory=free_port)
    dovecot: Server = field(init=False)
    postfix: Server = field(init=False)

    def __post_init__(self) -> None:
        self._config = self.folder / "postfix"
        self.dovecot = Server(
            [program("dovecot"), "-c", f"{self.folder}/dovecot.conf"],
            self.folder / "run" / "master.pid",
            self.imaps,
            (self.folder / "dovecot.out", self.folder / "dovecot.log"),
        )
        self.postfix = Server(
            [program("postfix"), "-c", str(self._config), "start"],
            self.folder / "spool" / "pid" / "master.pid",
            self.submission,
            (self.folder / "postfix.out", self.folder / "postfix.log"),
        )

    @property
    def ca_file(self) -> Path:
        """The certificate that both servers show. It is good for ``localhost`` and for no address."""
        return self.folder / "cert.pem"

    def password(self, address: str) -> str:
        return address[::-1]

    # -- users and mail ----------------------------------------------------------------------------------------------

    def add(self, *addresses: str, lost: bool = False) -> None:
        """Give addresses a mailbox. ``lost``: Postfix takes mail for them, and then it cannot be delivered."""
        self.users += addresses
        with (self.folder / "mailboxes").open("a") as known:
            known.writelines(f"{each} here\n" for each in addresses)
        self._make_map("mailboxes")
        if lost:
            return
        with (self.folder / "users").open("a") as users:
            for each in addresses:
                home = self.folder / "homes" / each
                home.mkdir(parents=True)
                shutil.chown(home, "nobody", "nogroup")
                users.write(f"{each}:{{PLAIN}}{self.password(each)}:nobody:nogroup::{home}::\n")

    def lose(self, address: str) -> None:
        """Take a mailbox away: Postfix still takes mail for it, which then comes back. What was in it stays."""
        path = self.folder / "users"
        left = [line for line in path.read_text().splitlines() if not line.startswith(f"{address}:")]
        path.write_text("".join(f"{line}\n" for line in left))

    def refuse(self, answers: dict[str, str]) -> None:
        """Let Postfix answer so to mail for these addresses, e.g. ``450 4.2.1 mailbox busy``."""
        (self.folder / "refused").write_text("".join(f"{each} {answer}\n" for each, answer in answers.items()))
        self._make_map("refused")

    def letters(self, address: str, folder: str = "INBOX") -> list[bytes]:
        """Everything in a folder of a mailbox as it lies on the disk, oldest first."""
        home = self.folder / "homes" / address / "Maildir"
        where = home if folder == "INBOX" else home / f".{folder}"
        found = [each for part in ("new", "cur") if (where / part).is_dir() for each in (where / part).iterdir()]
        return [each.read_bytes() for each in sorted(found, key=lambda each: (each.stat().st_mtime_ns, each.name))]

    def numbers(self, address: str) -> list[str]:
        """The Message-IDs of a mailbox, whatever folder they are in; twice there is twice here."""
        maildir = self.folder / "homes" / address / "Maildir"
        found = [path.read_bytes() for part in ("new", "cur") for path in sorted(maildir.rglob(f"{part}/*"))]
        matches = [re.search(rb"(?im)^message-id:\s*<([^>]*)>", data) for data in found]
        return sorted(match[1].decode() for match in matches if match)

    def empty(self) -> None:
        """Throw all mail away."""
        for each in self.users:
            shutil.rmtree(self.folder / "homes" / each / "Maildir", ignore_errors=True)

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
        log = (self.folder / "postfix.log").read_text()
        return log.count(": connect from ") - log.count(": disconnect from ")

    def delivered(self) -> None:
        """Wait until Postfix has nothing left to deliver."""
        wait_for(lambda: not self.queued(), "Postfix to deliver")

    def queued(self) -> list[str]:
        """What Postfix has not delivered yet, one message a line."""
        command = [program("postqueue"), "-c", str(self._config), "-j"]
        listed = subprocess.run(command, capture_output=True, text=True, check=True)
        return listed.stdout.splitlines()

    def flush(self) -> None:
        """Let Postfix try at once what it could not deliver before."""
        subprocess.run([program("postqueue"), "-c", str(self._config), "-f"], check=True)

    def postfix_setting(self, name: str, value: str) -> None:
        """Change one of Postfix's settings for all its doors."""
        subprocess.run([program("postconf"), "-c", str(self._config), "-e", f"{name}={value}"], check=True)
        self.postfix.stop()
        self.postfix.start()

    # -- the two servers ---------------------------------------------------------------------------------------------

    def start(self) -> None:
        write_certificate(self.folder)
        write_dovecot_files(self)
        write_postfix_files(self, self._config)
        (self.folder / "users").touch()
        for name in ("mailboxes", "refused"):
            (self.folder / name).touch()
            self._make_map(name)
        self.dovecot.start()
        self.postfix.start()

    def stop(self) -> None:
        self.postfix.stop()
        self.dovecot.stop()

    def _make_map(self, name: str) -> None:
        subprocess.run([program("postmap"), "-c", str(self._config), f"hash:{self.folder / name}"], check=True)


@contextmanager
def running_servers() -> Iterator[MailServers]:
    """Both servers, for as long as the ``with`` lasts."""
    # in a folder that the servers' own users may enter, and with a name short enough for sockets
    folder = Path(tempfile.mkdtemp(prefix="gm-post-", dir="/tmp"))
    folder.chmod(0o755)
    servers = MailServers(folder)
    try:
        servers.start()
        yield servers
    finally:
        servers.stop()
        shutil.rmtree(folder, ignore_errors=True)
