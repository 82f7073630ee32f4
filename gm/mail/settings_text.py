"""``mail.yaml`` as it is first written: every setting with what it is for."""

from __future__ import annotations

from pathlib import Path

from gm.store import StoreError
from gm.store.hand_edited import quoted, yaml_list

WAYS = ("password_env", "password_file", "password_command", "oauth2_command")
"""How the password or token can be got."""


def mail_text(
    *,
    sender: str,
    name: str,
    gm_addresses: tuple[str, ...],
    imap: str | None,
    maildir: Path | None,
    mbox: Path | None,
    files: Path | None,
    smtp: str,
    security: str,
    user: str,
    trusted: str,
    gate: bool,
    **secret: str,
) -> str:
    """The text of the file. ``secret``: the ways to get the password, and ``ca_file``. Raises ``StoreError`` for a port
    that is none."""
    login = [
        f"  user: {quoted(user)}",
        "  # how to get the password, one of: password_env, password_file, password_command, oauth2_command (a token)",
        *(
            f"  {way}: {quoted(_whole(secret[way]) if way == 'password_file' else secret[way])}"
            for way in WAYS
            if secret[way]
        ),
        f"  ca_file: {quoted(_whole(secret['ca_file']))}            # certificates to trust; empty: the system's",
    ]
    if imap is not None:
        host, port = _host(imap)
        inward = ["  kind: imap", f"  host: {quoted(host)}", f"  port: {port}                       # 0: the usual one"]
        inward += [f"  security: {security}                 # tls, starttls, or none (only on this machine)", *login]
        inward += ["  folder: INBOX"]
    else:
        kind, path = next((k, p) for k, p in (("maildir", maildir), ("mbox", mbox), ("files", files)) if p is not None)
        inward = [f"  kind: {kind}", f"  path: {quoted(str(path.resolve()))}"]
    host, port = _host(smtp)
    lines = [
        "# How this game gets and sends its post. No password stands here, only how to get one.",
        "schema: 1",
        f"sender: {quoted(sender)}",
        f"sender_name: {quoted(name)}",
        f"gm: {yaml_list(gm_addresses or (sender,))}             # who hears of problems; several: [one, another]",
        f"trusted: {quoted(trusted)}             # the name with which your own server signs Authentication-Results",
        "inward:",
        *inward,
        "  done: gm-done                 # the folder for letters that were dealt with",
        "  aside: gm-aside               # the one for those that need your eye",
        "outward:",
        f"  host: {quoted(host)}",
        f"  port: {port}",
        f"  security: {security}",
        *login,
        f"  copy_to: {quoted(sender)}      # the mailbox above: a copy of each letter proves that it went out",
        "  grace_minutes: 10             # so long a copy may take to arrive",
        "reminders: [48, 12]             # hours before the deadline; each player gets each once",
        "enclosed:                       # what goes along with each report, in bytes",
        "  zip_above: 200000             # a larger report is packed into a .zip, with its data",
        "  rolls_limit: 1000000          # dice.jsonl, with which everybody can check the dice; 0: not sent",
        "care:",
        "  outage_hours: 12              # unread for longer before the deadline, the mailbox stops the turn",
        "  missing_percent: 40           # more missing orders than these stop it too, if it is not one alone",
        f"  gate: {str(gate).lower()}                   # true: a turn is mailed only after 'gm week --publish'",
        "  answers_a_day: 20             # of one kind, to one address",
        "  notices_a_day: 3              # about orders without a right key, to one player",
        "  forwards_a_day: 5             # letters without orders, of one player, that are passed on to you",
        "  letter_limit: 10000000        # bytes",
    ]
    return "\n".join(lines) + "\n"


def _whole(path: str) -> str:
    """A path that means the same from wherever gm is called."""
    return str(Path(path).expanduser().resolve()) if path else ""


def _host(text: str) -> tuple[str, int]:
    host, _, port = text.partition(":")
    if port and not (port.isdigit() and int(port) < 65536):
        raise StoreError(f"{text!r}: what follows the colon is no port.")
    return host, int(port or 0)
