"""The cost of a call, against a yardstick measured beside it: a slow machine fails no test."""

import time
from collections.abc import Callable

YARDSTICK = 0.016
"""Seconds of the processor's time that ``_yardstick`` takes on the machine for which the tests' limits
were written."""
ATTEMPTS = 5
"""Calls of which the cheapest counts, where the first one is over the limit."""


def cost(call: Callable[[], object], limit: float, attempts: int = ATTEMPTS) -> float:
    """Return what a call costs, in seconds of a quick machine's processor.

    A first call under the limit is enough: no machine makes a call cheaper than it is. Over the limit, each
    call is measured against the yardstick before and behind it. A call that cannot be made twice has one
    attempt; its yardstick is measured behind it alone.
    """
    least = processor_seconds(call)
    if least < limit:
        return least
    least /= _slowness()
    for _ in range(attempts - 1):
        if least < limit:
            return least
        before = _slowness()
        seconds = processor_seconds(call)
        behind = _slowness()
        least = min(least, seconds / max(before, behind))
    return least


def processor_seconds(call: Callable[[], object]) -> float:
    """Return the processor's time that one call takes, in seconds."""
    start = time.process_time()
    call()
    return time.process_time() - start


def _slowness() -> float:
    """Return how many times as long as the quick machine this one takes now; never less than once."""
    return max(1.0, processor_seconds(_yardstick) / YARDSTICK)


def _yardstick() -> int:
    """Do a fixed piece of what readers do: lines cut, words counted, numbers added.

    Return how many words were seen.
    """
    words: dict[str, int] = {}
    text = "march: Kent, hold, transfer: 3 Archers to York\n" * 20_000
    for line in text.splitlines():
        for word in line.split():
            words[word] = words.get(word, 0) + len(word)
    return len(words)
