"""Files to be written, each made when its turn comes: all pages of a large game together would fill the memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Generic, TypeVar

T = TypeVar("T", str, bytes)
C = TypeVar("C", str, bytes)


class Files(Mapping[str, T], Generic[T]):
    """Files by name. The content of one that is given as a function is made whenever it is asked for, and not kept."""

    def __init__(self, given: Mapping[str, T | Callable[[], T]]) -> None:
        self._given: dict[str, T | Callable[[], T]] = dict(given)

    def __getitem__(self, name: str) -> T:
        content = self._given[name]
        return content() if callable(content) else content

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __contains__(self, name: object) -> bool:
        return name in self._given

    def and_then(self, others: Mapping[str, T]) -> Files[T]:
        """These and others after them, none of which is made by that."""
        return Files({**self._given, **(others._given if isinstance(others, Files) else others)})

    def turned(self, turn: Callable[[T], C]) -> Files[C]:
        """The same files with what ``turn`` makes of each one's content, when it is asked for."""
        return Files({name: partial(self._turned, name, turn) for name in self})

    def _turned(self, name: str, turn: Callable[[T], C]) -> C:
        return turn(self[name])
