"""The mail server of the demo: Dovecot and Postfix as the tests start them. Says in a file how to log in."""

import json
import signal
import sys
from pathlib import Path

from tests.mail.servers import MailServers, running_servers

GAME, MASTER = "game@mail.test", "master@mail.test"


def told(servers: MailServers) -> dict[str, object]:
    """What the demo has to know; the mailboxes are made."""
    from_realms = [f"{realm}@mail.test" for realm in ("lit", "nov", "pol", "teu")]
    servers.add(GAME, MASTER, *from_realms)
    passwords = {each: servers.password(each) for each in servers.users}
    ports = {"imap": servers.imap, "smtp": servers.submission}
    return {**ports, "certificate": servers.ca_file.read_text(), "passwords": passwords}


def main() -> None:
    path = Path(sys.argv[1])
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: sys.exit())
    with running_servers() as servers:
        path.write_text(json.dumps(told(servers)))
        path.chmod(0o644)
        signal.pause()


if __name__ == "__main__":
    main()
