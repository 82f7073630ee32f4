"""A disk with a cache that a power cut empties: what a run of operations leaves, whenever the power goes.

What was written and not flushed may be there, in part, or not at all; a name that was given or taken away
counts for certain only when its folder was flushed. A rename from one folder to another happens in both or in
none, as on every file system with a journal.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.layer import Op

Tree = dict[str, bytes | None]  # names below the top, with the content of a file or none for a folder

MANY = 3  # with more names than these unsettled, not every combination of them is looked at


@dataclass(eq=False)
class Node:
    """A file or folder: as programs see it, and as it is after a power cut."""

    folder: bool
    content: bytes = b""
    kept: bytes = b""
    names: dict[str, Node] = field(default_factory=dict)
    kept_names: dict[str, Node] = field(default_factory=dict)


# what belongs together: (folder, name, what it names from then on)
Renaming = list[tuple[Node, str, Node | None]]


class Cache:
    """A folder on such a disk. At first, all of it is safe."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self._root = _read(top)
        self._handles: dict[int, Node] = {}
        self._unsettled: list[Renaming] = []

    def do(self, op: Op) -> None:
        """One operation, as the layer has written it down."""
        if op.kind == "open":
            folder, name = self._place(op.path)
            opened = folder.names.get(name) if name else folder
            if opened is None:
                opened = Node(folder=False)
                self._rename([(folder, name, opened)])
            if op.flags & os.O_TRUNC:
                opened.content = b""
            self._handles[op.handle] = opened
        elif op.kind == "write":
            node = self._handles[op.handle]
            before = node.content[: op.offset].ljust(op.offset, b"\0")
            node.content = before + op.data + node.content[op.offset + len(op.data) :]
        elif op.kind == "ftruncate":
            node = self._handles[op.handle]
            node.content = node.content[: op.offset].ljust(op.offset, b"\0")
        elif op.kind == "fsync":
            self._flush(self._handles[op.handle])
        elif op.kind == "mkdir":
            folder, name = self._place(op.path)
            self._rename([(folder, name, Node(folder=True))])
        elif op.kind in ("rmdir", "unlink", "remove"):
            folder, name = self._place(op.path)
            self._rename([(folder, name, None)])
        elif op.kind in ("rename", "replace"):
            (source, old), (target, new) = self._place(op.path), self._place(op.target)
            self._rename([(target, new, source.names[old]), (source, old, None)])
        else:
            assert op.kind == "close", op.kind

    def now(self) -> Tree:
        """What a killed run leaves: the system's cache outlives it."""
        return _tree(self._root, lambda node: node.names, lambda node: node.content)

    def after_cuts(self) -> Iterator[Tree]:
        """Everything that a power cut at this moment may leave."""
        for chosen in _choices(len(self._unsettled)):
            names = self._names_with([self._unsettled[index] for index in chosen])
            for torn in (lambda node: node.kept, lambda node: node.content, _half, _holes):
                yield _tree(self._root, lambda node, names=names: names.get(node, node.kept_names), torn)

    def _names_with(self, renamings: Sequence[Renaming]) -> dict[Node, dict[str, Node]]:
        names: dict[Node, dict[str, Node]] = {}
        for renaming in renamings:
            for folder, name, node in renaming:
                _put(names.setdefault(folder, dict(folder.kept_names)), name, node)
        return names

    def _place(self, path: str) -> tuple[Node, str]:
        parts = Path(path).relative_to(self.top).parts
        folder = self._root
        for part in parts[:-1]:
            folder = folder.names[part]
        return folder, parts[-1] if parts else ""

    def _rename(self, renaming: Renaming) -> None:
        for folder, name, node in renaming:
            _put(folder.names, name, node)
        self._unsettled.append(renaming)

    def _flush(self, node: Node) -> None:
        if not node.folder:
            node.kept = node.content
            return
        for renaming in self._unsettled:
            if any(folder is node for folder, _, _ in renaming):
                for folder, name, named in renaming:
                    _put(folder.kept_names, name, named)
        self._unsettled = [
            move for move in self._unsettled if not any(folder is node for folder, _, _ in move)
        ]


def _choices(count: int) -> list[tuple[int, ...]]:
    """Which of so many unsettled names are safe: all combinations of a few.

    None, all, one and all but one of many.
    """
    if count <= MANY:
        return [tuple(index for index in range(count) if chosen >> index & 1) for chosen in range(2**count)]
    some = sorted({0, 1, count // 2, count - 2, count - 1})
    lonely = [(index,) for index in some]
    lacking = [tuple(other for other in range(count) if other != index) for index in some]
    return [(), tuple(range(count)), *lonely, *lacking]


def _half(node: Node) -> bytes:
    start = len(node.kept) if node.content.startswith(node.kept) else 0
    return (
        node.content[: start + (len(node.content) - start + 1) // 2]
        if node.content != node.kept
        else node.content
    )


def _holes(node: Node) -> bytes:
    """The size is right and the first part was never written."""
    if node.content == node.kept:
        return node.content
    start = len(node.kept) if node.content.startswith(node.kept) else 0
    hole = (len(node.content) - start + 1) // 2
    return node.content[:start] + b"\0" * hole + node.content[start + hole :]


def _put(names: dict[str, Node], name: str, node: Node | None) -> None:
    if node is None:
        names.pop(name, None)
    else:
        names[name] = node


def _read(path: str | Path) -> Node:
    """Read a file or a folder; of many small files, most of the time is spent on their paths."""
    if not os.path.isdir(path):  # noqa: PTH112
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read()
        return Node(False, data, data)
    with os.scandir(path) as entries:
        paths = {entry.name: entry.path for entry in entries}
    names = {name: _read(paths[name]) for name in sorted(paths)}
    return Node(True, names=names, kept_names=dict(names))


def _tree(root: Node, names: object, content: object, prefix: str = "") -> Tree:
    tree: Tree = {}
    for name, node in sorted(names(root).items()):  # type: ignore[operator]
        if node.folder:
            tree[prefix + name] = None
            tree |= _tree(node, names, content, f"{prefix}{name}/")
        else:
            tree[prefix + name] = content(node)  # type: ignore[operator]
    return tree


def write_tree(tree: Tree, top: Path) -> None:
    """Make a folder hold exactly this."""
    for name in sorted(tree):
        data = tree[name]
        if data is None:
            (top / name).mkdir(parents=True, exist_ok=True)
        else:
            (top / name).write_bytes(data)
            os.utime(top / name, (0, 0))  # all files are of the same age: commands take the older ones first


def read_tree(top: Path) -> Tree:
    """What a folder holds."""
    return _tree(_read(top), lambda node: node.names, lambda node: node.content)
