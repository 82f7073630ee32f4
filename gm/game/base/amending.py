"""What a GM may change between turns in any small game: who gives orders, and the corrections that the game offers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gm.core.diagnostics import did_you_mean, fold, nearest, shown
from gm.core.events import Event
from gm.game.base.events import Amended, ControllerSet
from gm.game.base.position import CONTROLLERS, PLAYER
from gm.game.spec import GameData

if TYPE_CHECKING:
    from gm.game.base.game import BaseGame

STEP = "orders"


def with_standings(state: Any, standings: Mapping[str, tuple[str | None, str | None]]) -> tuple[Any, tuple[Event, ...]]:
    """The state with the GM's controllers in it, and what that changed. The status is the game's own business.

    Raises ``ValueError`` for a party or a word that there is not.
    """
    changes: dict[str, dict[str, Any]] = {}
    events: list[Event] = []
    for code in sorted(standings):
        if code not in state.parties:
            raise ValueError(f"this game has no realm {code}; it has {', '.join(sorted(state.parties))}")
        status, controller = standings[code]
        party = state.parties[code]
        if status is not None and status != party.status:
            raise ValueError(f"the status of {code} can be nothing but {party.status}: it follows from the game")
        if controller is None or controller == party.controller:
            continue
        if controller not in CONTROLLERS:
            raise ValueError(f"the controller of {code} can be {' or '.join(CONTROLLERS)}, not {controller!r}")
        changes[code] = {"controller": controller, **({"missed": 0} if controller == PLAYER else {})}
        events.append(ControllerSet(step=STEP, party=code, controller=controller))
    return state.with_parties(changes), tuple(events)


def amend(
    spec: BaseGame[Any], table: GameData, state: Any, words: Sequence[str], why: str
) -> tuple[Any, tuple[Event, ...]]:
    """The state with one correction in it, and the event of that. Raises ``ValueError`` for one that cannot be."""
    kind = words[0].lower() if words else ""
    if kind not in spec.corrections:
        known = ", ".join(spec.corrections) or "nothing"
        hint = did_you_mean(nearest(kind, spec.corrections)) if kind else ""
        raise ValueError(f"nothing called {shown(kind)} can be corrected; {hint or f'there is {known}'}")
    correction = spec.corrections[kind]
    expected = len(correction.usage.partition("   ")[0].split())
    if len(words) != expected:
        usage, _blank, example = correction.usage.partition("   ")
        raise ValueError(f"write it like this: {usage}{f', {example.strip()}' if example else ''}")
    after, says = correction.change(table, state, list(words[1:]))
    if after == state:
        raise ValueError(f"that changes nothing: {says}")
    problems = spec.broken(table, after)
    if problems:
        raise ValueError(f"that would leave a position that cannot be: {problems[0]}")
    return after, (Amended(step=STEP, what=says, why=why),)


def the_one(word: str, names: Iterable[str], what: str) -> str:
    """The one of ``names`` that a word means, whatever its case. Raises ``ValueError`` with the nearest."""
    known = list(names)
    found = next((name for name in known if fold(name) == fold(word)), None)
    if found is None:
        listed = f"there is {', '.join(known)}" if len(known) < 12 else ""
        hint = did_you_mean(nearest(word, known)) or listed
        raise ValueError(f"no {what} is called {shown(word)}" + (f": {hint}" if hint else ""))
    return found


def whole(word: str, what: str, low: int, high: int) -> int:
    """A whole number. Raises ``ValueError``."""
    text = word.replace("−", "-")
    if not text.lstrip("+-").isascii() or not text.lstrip("+-").isdigit() or not low <= int(text[:12]) <= high:
        raise ValueError(f"{shown(word)} is no {what}: it goes from {low} to {high}")
    return int(text)
