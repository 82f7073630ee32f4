"""The same turn twice: what its two courses have in common in how they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from gm.game.answers import Explanation

Fates = Mapping[tuple[str, str, int], str]
"""Each order's fate in words, by party, its text, and how often the same text came before."""

Reason = Callable[[str, Mapping[str, Any]], tuple[str, str]]
"""The clause of a reason, and the reason in words, from its key and its figures."""


def fates(settled: Iterable[Any], reason: Reason) -> Fates:
    """The fates of settled orders: events with ``audience``, ``line``, ``column``, ``text``, ``fate``, ``reason`` and
    ``figures``."""
    found: dict[tuple[str, str, int], str] = {}
    for event in sorted(settled, key=lambda each: (each.audience, each.line, each.column)):
        number = 0
        while (event.audience, event.text, number) in found:
            number += 1
        said = event.fate.value
        if event.reason:
            clause, why = reason(event.reason, event.figures)
            said = f"{said} ({why}, {clause})"
        found[event.audience, event.text, number] = said
    return found


def fates_contrasted(was: Fates, now: Fates, called: Callable[[str], str]) -> Iterator[str]:
    """What is different of orders; ``called`` names a party."""
    for key in dict.fromkeys((*was, *now)):
        name = f"{called(key[0])}, “{key[1]}”"
        if key not in now:
            yield f"{name}: was {was[key]}; is not ordered now"
        elif key not in was:
            yield f"{name}: was not ordered; now {now[key]}"
        elif was[key] != now[key]:
            yield f"{name}: was {was[key]}; now {now[key]}"


def told(parts: Iterable[tuple[str, Iterable[str]]]) -> tuple[Explanation, ...]:
    """Differences under their headings; headings without any are left out."""
    found: list[Explanation] = []
    for title, lines in parts:
        under = [Explanation(text, "", 1) for text in lines]
        found += [Explanation(title), *under] if under else []
    return tuple(found) or (Explanation("Nothing: the turn comes out the same."),)
