"""The settings of the mail servers that the tests start: everything in one folder, everything on loopback."""

from __future__ import annotations

import base64
import shutil
import subprocess
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.mail.servers import MailServers

DOMAIN = "mail.test"
TOKEN_SECRET = b"a secret that only the tests and Dovecot know"
_PLACES = ("folder", "mark", "imap", "imaps", "submission", "submissions", "arrival", "lmtp", "auth")
_CONFIG = Path(__file__).parent / "server_config"


def write_certificate(folder: Path) -> None:
    """A certificate that is good for ``localhost``, made on the spot, and its key."""
    key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem"
    name = "-subj /CN=localhost -addext subjectAltName=DNS:localhost -days 2 -out cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", *key.split(), *name.split()], cwd=folder, capture_output=True, check=True
    )


def _configured(servers: MailServers, name: str) -> str:
    """A settings file with our ports and places in it."""
    text = (_CONFIG / name).read_text("utf-8")
    return Template(text).substitute({place: getattr(servers, place) for place in _PLACES}, domain=DOMAIN)


def write_dovecot_files(servers: MailServers) -> None:
    """Dovecot's settings, and the secret with which it checks tokens."""
    keys = servers.folder / "keys" / "default" / "HS256"
    keys.mkdir(parents=True)
    (keys / "default").write_text(base64.b64encode(TOKEN_SECRET).decode())
    for name in ("oauth2.conf", "dovecot.conf"):
        (servers.folder / name).write_text(_configured(servers, name))


def write_postfix_files(servers: MailServers, config: Path) -> None:
    """Postfix's settings and its list of processes.

    Nothing leaves this machine: there is no way to anywhere else.
    """
    for folder in (config, servers.folder / "spool", servers.folder / "data"):
        folder.mkdir()
    shutil.chown(servers.folder / "data", "postfix", "postfix")
    for name in ("main.cf", "master.cf"):
        (config / name).write_text(_configured(servers, name))
