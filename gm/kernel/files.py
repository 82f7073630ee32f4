"""Files to be written, each made when its turn comes: all pages of a large game together would fill the memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping


class Files(Mapping[str, bytes]):
    """Files by name. The content of one that is given as a function is made whenever it is asked for, and not kept."""

    def __init__(self, given: Mapping[str, bytes | Callable[[], bytes]]) -> None:
        self._given: dict[str, bytes | Callable[[], bytes]] = dict(given)

    def __getitem__(self, name: str) -> bytes:
        content = self._given[name]
        return content() if callable(content) else content

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __contains__(self, name: object) -> bool:
        return name in self._given

    def and_then(self, others: Mapping[str, bytes]) -> Files:
        """These and others after them, none of which is made by that."""
        return Files({**self._given, **(others._given if isinstance(others, Files) else others)})
