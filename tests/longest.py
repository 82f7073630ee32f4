"""The order of tests: the longest first, so that no worker waits for another's last one."""

from collections.abc import Sequence
from typing import Protocol, TypeVar


class Marked(Protocol):
    """A test with its marks."""

    def get_closest_marker(self, name: str) -> object | None: ...


Item = TypeVar("Item", bound=Marked)


def seconds_of(item: Marked) -> float:
    """Return how many seconds a test takes by its mark ``long``; 0 without one."""
    mark = item.get_closest_marker("long")
    return float(mark.args[0]) if mark is not None else 0.0  # type: ignore[attr-defined]


def longest_first(items: Sequence[Item]) -> list[Item]:
    """Return the tests for two workers, each of which begins with a half of them: every second long one in
    each.

    The others stay as they are: they share what their file has set up.
    """
    long = sorted((test for test in items if seconds_of(test)), key=seconds_of, reverse=True)
    short = [test for test in items if not seconds_of(test)]
    ours = long[0::2]
    cut = max(0, len(items) // 2 - len(ours))
    return [*ours, *short[:cut], *long[1::2], *short[cut:]]
