"""E-mail addresses, checked in the same way wherever one comes in: by a command, in a file, in a letter's header."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LENGTH = 254
_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}\Z")
_DOMAIN = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?\Z")
_LABEL = 63


def checked_address(text: str) -> str:
    """An address to compare and to write to: domain in lower case, by IDNA where it is not ASCII. Raises
    ``ValueError``."""
    given = text.strip()
    local, at, domain = given.rpartition("@")
    if len(given) > _LENGTH:
        raise ValueError(f"an e-mail address has at most {_LENGTH} characters; this one begins {given[:40]!r}")
    if "@" in local:
        raise ValueError(f"{given!r} is no e-mail address but several: give each by itself")
    if not at or not local or not domain:
        raise ValueError(f"{given!r} is no e-mail address; write it like anna@example.org")
    if not _LOCAL.match(local):
        raise ValueError(f"{given!r} is no e-mail address: before the @ stand plain letters, without spaces")
    return f"{local}@{_domain(domain, given)}"


def checked_addresses(texts: Iterable[str]) -> tuple[str, ...]:
    """Several addresses, each once. Raises ``ValueError``."""
    return tuple(dict.fromkeys(checked_address(each) for each in texts))


def _domain(domain: str, given: str) -> str:
    found = domain.lower()
    if not domain.isascii():
        import idna

        try:
            found = idna.encode(domain, uts46=True).decode("ascii").lower()
        except idna.IDNAError as error:
            raise ValueError(f"{given!r} is no e-mail address: {error}") from None
    labels = found.split(".")
    if not _DOMAIN.match(found) or not all(0 < len(label) <= _LABEL for label in labels):
        raise ValueError(f"{given!r} is no e-mail address: what stands after the @ is no name of a server")
    return found
