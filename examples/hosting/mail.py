"""Run the mail server of the demo, Dovecot and Postfix as the tests start them; a file says how to log in."""

import json
import signal
import sys
from pathlib import Path

from tests.mail.servers import MailServers, running_servers

GAME = "game@mail.test"
MASTER = "master@mail.test"
PLAYERS = ("lit@mail.test", "nov@mail.test", "pol@mail.test", "teu@mail.test")


def login_data(servers: MailServers) -> dict[str, object]:
    """Make the mailboxes; return what the demo needs: ports, the certificate, passwords by address."""
    servers.add(GAME, MASTER, *PLAYERS)
    return {
        "imap": servers.imap,
        "smtp": servers.submission,
        "certificate": servers.ca_file.read_text(),
        "passwords": {address: servers.password(address) for address in servers.users},
    }


def main() -> None:
    path = Path(sys.argv[1])
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit())
    with running_servers() as servers:
        path.write_text(json.dumps(login_data(servers)))
        path.chmod(0o644)
        signal.pause()


if __name__ == "__main__":
    main()
