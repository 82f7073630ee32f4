"""``mail.yaml`` as it is first written: every setting with what it is for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gm.mail.rendering import filled
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
    for each in ("password_file", "ca_file"):  # they mean the same from wherever gm is called
        secret[each] = str(Path(secret[each]).expanduser().resolve()) if secret[each] else ""
    places = {"imap": imap, "maildir": maildir, "mbox": mbox, "files": files}
    kind, place = next((kind, place) for kind, place in places.items() if place is not None)
    values: dict[str, Any] = {
        "kind": kind,
        "path": quoted(str(Path(place).resolve())),
        "security": security,
        "ways": [(way, quoted(secret[way])) for way in WAYS if secret[way]],
        "gm": yaml_list(gm_addresses or (sender,)),
        "gate": str(gate).lower(),
    }
    texts = {"sender": sender, "name": name, "user": user, "trusted": trusted, "ca_file": secret["ca_file"]}
    for server, text in (("imap", imap or ""), ("smtp", smtp)):
        texts[f"{server}_host"], port = _host(text)
        values[f"{server}_port"] = port
    return filled("settings.yaml.txt", values | {each: quoted(text) for each, text in texts.items()}) + "\n"


def _host(text: str) -> tuple[str, int]:
    host, _, port = text.partition(":")
    if port and not (port.isdigit() and int(port) < 65536):
        raise StoreError(f"{text!r}: what follows the colon is no port.")
    return host, int(port or 0)
