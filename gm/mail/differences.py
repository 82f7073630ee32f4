"""What is different between two versions of a realm's orders, for a receipt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gm.core.diagnostics import printable

_CHANGES = 40
"""Lines of difference that a receipt shows."""
_KEY = re.compile(r"\s*[\"']?key[\"']?\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Difference:
    """What is different between two versions of a realm's orders: in words, or line by line where words say nothing."""

    what: str
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    more: int = 0


def difference(before: Sequence[str], now: Sequence[str], old: bytes, new: bytes) -> Difference:
    """Between two files, given as their orders in words and as bytes; the key is nobody's business."""
    removed, added = _more(before, now), _more(now, before)
    if removed or added:
        return _shortened("orders", removed, added)
    old_lines, new_lines = _lines(old), _lines(new)
    removed, added = _more(old_lines, new_lines), _more(new_lines, old_lines)
    if removed or added:
        return _shortened("lines", removed, added)
    return Difference("order")


def _shortened(what: str, removed: list[str], added: list[str]) -> Difference:
    more = max(0, len(removed) - _CHANGES) + max(0, len(added) - _CHANGES)
    return Difference(what, tuple(removed[:_CHANGES]), tuple(added[:_CHANGES]), more)


def _lines(data: bytes) -> list[str]:
    """The lines of a file as they can be shown, without empty ones and the key."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = (printable(line.strip().expandtabs(2))[:200] for line in text.splitlines() if not _KEY.match(line))
    return [line for line in lines if line]


def _more(these: Sequence[str], those: Sequence[str]) -> list[str]:
    """What stands in the first and not, or not so often, in the second."""
    left = Counter(those)
    found = []
    for each in these:
        if left[each]:
            left[each] -= 1
        else:
            found.append(each)
    return found
