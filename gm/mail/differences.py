"""What is different: between two versions of a realm's orders, for a receipt, and between two results letters."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gm.campaign.open import Campaign
from gm.core.diagnostics import printable
from gm.store.inbox import fingerprint
from gm.text.pages import listed

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


# -- results -----------------------------------------------------------------------------------------------------------

PARTS = {
    "dice": "the dice with their seals",
    "position": "the position",
    "events": "what happened",
    "orders": "what became of your own orders",
    "next": "the key or the deadline of your next orders",
    "report": "how the report shows it",
}
"""The parts of a player's results, in the words in which he is told of them."""

_WHERE = {
    **dict.fromkeys(("orders_received", "orders_late", "private"), "orders"),
    **dict.fromkeys(("key", "next_deadline", "next_turn"), "next"),
    **dict.fromkeys(("events", "luck", "tally"), "events"),
    **dict.fromkeys(("dice", "next_seal"), "dice"),
}
"""To which part an entry of a results file belongs; all others are the position."""


@dataclass(frozen=True, slots=True)
class Correction:
    """Why a letter replaces one that its reader has, and which parts of it are others or the same, in words."""

    why: str
    differs: str
    same: str


def content_of(data: Mapping[str, Any], shown: bytes) -> dict[str, str]:
    """A fingerprint of each part of a player's results: the data for programs, and the report."""
    parts: dict[str, dict[str, Any]] = {}
    for name, value in data.items():
        parts.setdefault(_WHERE.get(name, "position"), {})[name] = value
    own = dict(parts.get("orders", {}).get("private") or {})
    parts.setdefault("dice", {})["rolls"] = own.pop("rolls", None)
    parts.setdefault("orders", {})["private"] = own
    marks = {name: fingerprint(json.dumps(part, sort_keys=True, default=str).encode()) for name, part in parts.items()}
    return {**marks, "report": fingerprint(shown)}


def withdrawn_content(campaign: Campaign, realm: str, turn: int) -> dict[str, str]:
    """The same of the results that were withdrawn, as they are kept; nothing when they are not there."""
    withdrawn = campaign.folder.inbox(turn).withdrawn()
    if withdrawn is None:
        return {}
    folder = campaign.folder.undone / withdrawn.kept / "results"
    try:
        data, shown = (folder / f"{realm}.yaml").read_bytes(), (folder / f"{realm}.html").read_bytes()
        return content_of(campaign.spec.results_data(data, realm), shown)
    except (OSError, ValueError):
        return {}


def correction_of(why: str, before: Mapping[str, str], now: Mapping[str, str]) -> Correction:
    """What a letter says that replaces another. How the report shows it is news only when nothing else is."""
    shared = [name for name in PARTS if name in before and name in now]
    differs = [name for name in shared if before[name] != now[name]]
    if differs != ["report"]:
        differs = [name for name in differs if name != "report"]
    same = [name for name in shared if before[name] == now[name] and name not in ("report", "next")]
    words = [listed([PARTS[name] for name in names]) if names else "" for names in (differs, same)]
    return Correction(why, *words)
