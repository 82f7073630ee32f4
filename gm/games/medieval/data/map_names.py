"""Names in a map or start file: where they stand, and whether they mean something."""

from __future__ import annotations

from collections.abc import Iterable

from gm.core.diagnostics import Diagnostic, Severity, did_you_mean, fold, nearest, shown
from gm.core.yaml.source import Mapping, Node


class Names:
    """One entry of a file, found by its keys from the top; makes findings about what stands in it."""

    def __init__(self, node: Node, *path: str) -> None:
        self._key: Node = node
        self.node: Node = node
        for name in path:
            if isinstance(self.node, Mapping) and name in self.node.entries:
                self._key, self.node = self.node.entries[name]

    def key(self, code: str, message: str, *, severity: Severity = "error") -> Diagnostic:
        """A finding about the entry's own name."""
        return self._key.diagnostic(code, message, severity=severity)

    def unknown_key(self, code: str, what: str, name: str, known: Iterable[str]) -> Diagnostic:
        """A finding about the entry's own name, which should be one of ``known``."""
        return unknown_name(self._key, code, what, name, known)

    def below(self, *path: str) -> Names:
        """The entry under this one."""
        found = Names(self.node, *path)
        if found._key is self.node:
            found._key = self._key
        return found

    def at(self, field: str, code: str, message: str, *, clause: str = "") -> Diagnostic:
        """A finding about one field of the entry; about its name when the field is not written."""
        found = self.node.get(field) if isinstance(self.node, Mapping) else None
        return (found or self._key).diagnostic(code, message, clause=clause)

    def unknown(self, field: str, code: str, what: str, name: str, known: Iterable[str]) -> Diagnostic:
        """A finding about a field that should name one of ``known``."""
        found = self.node.get(field) if isinstance(self.node, Mapping) else None
        return unknown_name(found or self._key, code, what, name, known)


def unknown_name(node: Node, code: str, what: str, name: str, known: Iterable[str]) -> Diagnostic:
    """A finding about a name that is none of ``known``, with the nearest of them."""
    return node.diagnostic(code, f"no {what} is called {shown(name)}", suggestion=did_you_mean(nearest(name, known)))


def distinct_names(node: Node) -> list[Diagnostic]:
    """Places whose names are one and the same to a player, who need not mind case and accents (O8)."""
    findings = []
    seen: dict[str, str] = {}
    for section in ("provinces", "seas"):
        entries = node.get(section) if isinstance(node, Mapping) else None
        for key, _ in entries if isinstance(entries, Mapping) else ():
            other = seen.setdefault(fold(key.text), f"{shown(key.text)} in {section}")
            if other != f"{shown(key.text)} in {section}":
                message = f"{shown(key.text)} cannot be told from {other}"
                findings.append(key.diagnostic("map/duplicate-name", message, clause="O8"))
    return findings
