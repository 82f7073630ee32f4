"""The order of tests: the longest first, so that no worker waits for another's last one."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol, TypeVar


class Marked(Protocol):
    """A test with its place, ``tests/core/test_dice.py::test_a_roll``, and its marks."""

    @property
    def nodeid(self) -> str: ...

    def get_closest_marker(self, name: str) -> object | None: ...


Item = TypeVar("Item", bound=Marked)


def seconds_of(item: Marked) -> float:
    """Return how many seconds a test takes by its mark ``long``; 0 without one."""
    mark = item.get_closest_marker("long")
    return float(mark.args[0]) if mark is not None else 0.0  # type: ignore[attr-defined]


def folder_of(item: Marked) -> str:
    """Return the folder in which a test stands."""
    return item.nodeid.partition("::")[0].rpartition("/")[0]


def longest_first(items: Sequence[Item]) -> list[Item]:
    """Return the tests for two workers, each of which begins with a half of them: every second long one in
    each.

    Of the others, the folders with the fewest tests come first, each as it is: its tests share a game that is
    made for them. A worker takes tests over from the end of what another has left: from the largest folders.
    """
    long = sorted((test for test in items if seconds_of(test)), key=seconds_of, reverse=True)
    sizes = Counter(map(folder_of, items))
    others = (test for test in items if not seconds_of(test))
    short = sorted(others, key=lambda test: sizes[folder_of(test)])
    ours = long[0::2]
    cut = max(0, len(items) // 2 - len(ours))
    return [*ours, *short[:cut], *long[1::2], *short[cut:]]
