"""Entries of a map or scenario file, found by their keys, and the findings about them."""

from collections.abc import Iterable, Iterator

from gm.core.diagnostics import Diagnostic, Severity, SourceError, did_you_mean, nearest, shown
from gm.core.yaml import source
from gm.core.yaml.source import Node, Scalar


class Entry:
    """One entry of a file, found by its keys from the top; it makes findings about itself.

    A finding stands at a ``field`` of the entry, or, if that is empty or not in the file, at the entry's key.
    """

    def __init__(self, node: Node, *path: str, key: Node | None = None) -> None:
        """Follow a path of keys from a node, as far as the file has it. ``key``: the node's own key."""
        self._key = key or node
        self.node = node
        for name in path:
            if isinstance(self.node, source.Mapping) and name in self.node.entries:
                self._key, self.node = self.node.entries[name]

    def below(self, *path: str) -> "Entry":
        """Return the entry at a path of keys below this one."""
        return Entry(self.node, *path, key=self._key)

    def at(
        self, field: str, code: str, message: str, *, clause: str = "", severity: Severity = "error"
    ) -> Diagnostic:
        """Return a finding about a field, or about the whole entry if ``field`` is empty.

        ``code``: the finding's key (``map/no-city``); ``clause``: its rule.
        """
        return self._field(field).diagnostic(code, message, clause=clause, severity=severity)

    def unknown(self, field: str, code: str, what: str, name: str, known: Iterable[str]) -> Diagnostic:
        """Return the finding that ``name`` is none of ``known``, which are called ``what`` in the message.

        It is at the field, or at the item with this name if the field is a list. ``code``: the finding's key.
        """
        field_node = self._field(field)
        items = field_node if isinstance(field_node, source.Sequence) else ()
        items_of_name = (item for item in items if isinstance(item, Scalar) and item.text == name)
        return unknown_name(next(items_of_name, field_node), code, what, name, known)

    def _field(self, field: str) -> Node:
        """Return the node at which findings about a field stand."""
        return (self.node.get(field) if isinstance(self.node, source.Mapping) else None) or self._key


def entries(node: Node, section: str) -> Iterator[tuple[Scalar, Node]]:
    """Return (key, value) of each entry in a section of a file; none if it is missing or no mapping."""
    section_node = node.get(section) if isinstance(node, source.Mapping) else None
    return iter(section_node) if isinstance(section_node, source.Mapping) else iter(())


def unknown_name(node: Node, code: str, what: str, name: str, names: Iterable[str]) -> Diagnostic:
    """Return the finding that ``name``, at ``node``, is none of ``names``; it suggests the nearest.

    ``code``: the finding's key; ``what``: how the message calls such a thing, such as ``place``.
    """
    return node.diagnostic(
        code, f"no {what} is called {shown(name)}", suggestion=did_you_mean(nearest(name, names))
    )


def raise_all(findings: list[Diagnostic]) -> None:
    """Raise ``SourceError`` with the findings in the order of the file, if there are any."""
    if findings:
        raise SourceError(*sorted(findings, key=lambda finding: (finding.line, finding.column)))
