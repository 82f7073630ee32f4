"""Files to be written, each made when its turn comes: all pages of a large game together would fill the memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import groupby
from typing import TypeAlias

Content: TypeAlias = bytes | list[bytes]
"""A file's bytes, whole or in pieces that belong one after the other: several files may share large ones."""

_LARGE = 1 << 16


class Files(Mapping[str, bytes]):
    """Files by name. The content of one that is given as a function is made whenever it is asked for, and not kept."""

    def __init__(self, given: Mapping[str, Content | Callable[[], Content]]) -> None:
        self._given: dict[str, Content | Callable[[], Content]] = dict(given)

    def __getitem__(self, name: str) -> bytes:
        pieces = self.pieces(name)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __contains__(self, name: object) -> bool:
        return name in self._given

    def pieces(self, name: str) -> list[bytes]:
        """A file's content in pieces, without putting them together."""
        content = self._given[name]
        made = content() if callable(content) else content
        return made if isinstance(made, list) else [made]

    def and_then(self, others: Mapping[str, bytes]) -> Files:
        """These and others after them, none of which is made by that."""
        return Files({**self._given, **(others._given if isinstance(others, Files) else others)})

    def without(self, names: Collection[str]) -> Files:
        """All but these, none of which is made by that."""
        return Files({name: content for name, content in self._given.items() if name not in names})


def gathered(pieces: Iterable[bytes]) -> list[bytes]:
    """The same content in few pieces: small ones are put together, large ones left as they are."""
    found: list[bytes] = []
    for large, group in groupby(pieces, lambda piece: len(piece) >= _LARGE):
        run = list(group)
        found += run if large else [b"".join(run)]
    return found
