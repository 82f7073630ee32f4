"""Why something of a turn came out as it did, in any small game: the events that name it, with their rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

from gm.core.diagnostics import did_you_mean, fold, nearest, shown
from gm.core.events import DiceRolled, Event
from gm.core.plain_data import plain
from gm.game.answers import Explanation
from gm.game.base.events import LineSettled
from gm.game.base.scene import Scene, scene_of
from gm.game.base.summary import rounded
from gm.game.diff import Fates, fates, fates_contrasted, told
from gm.game.spec import GameData
from gm.game.turn_result import TurnResult

if TYPE_CHECKING:
    from gm.game.base.game import BaseGame

QUESTIONS: Mapping[str, str] = {
    "PLAYER": "a player's orders, line by line, and what happened to him",
    "PLAYER:12": "the order in a line of a player's file",
    "NAME": "a place, a unit or whatever else the events name: what happened to it",
    "turn": "the whole turn, step by step, with its dice",
}
_LINE = re.compile(r"([A-Za-z0-9]{1,20}):([0-9]{1,6})\Z")


def explain(spec: BaseGame[Any], table: GameData, played: TurnResult, words: Sequence[str]) -> tuple[Explanation, ...]:
    """The answer. Raises ``ValueError``, with the nearest name, for a question about nothing that there is."""
    scene = scene_of(spec, table, played, None)
    asked = " ".join(" ".join(words).split())
    if not asked:
        raise ValueError("there is no question")
    found = _LINE.match(asked)
    parties = played.after.parties
    if found:
        code = _party(found[1], parties)
        return tuple(_line(scene, code, int(found[2])))
    if fold(asked) == "turn":
        return tuple(_events(scene, played.events))
    if asked.upper() in parties:
        code = asked.upper()
        return (*_orders(scene, code), *_events(scene, _about(scene, code)))
    code = _named(scene, asked)
    told = _about(scene, code)
    if not told:
        return (Explanation(f"Nothing happened to {scene.tell.called(code)} in this turn."),)
    return tuple(_events(scene, told))


def _party(word: str, parties: Mapping[str, Any]) -> str:
    if word.upper() not in parties:
        hint = did_you_mean(nearest(word, parties)) or f"there is {', '.join(parties)}"
        raise ValueError(f"no player is called {shown(word)}: {hint}")
    return word.upper()


def _named(scene: Scene, word: str) -> str:
    """The code that a word of the question means: any that the game has a name for, or that an event holds."""
    names = dict(scene.spec.names(scene.table, scene.played.before))
    names |= scene.spec.names(scene.table, scene.played.after)
    known = {fold(code): code for code in names} | {fold(name): code for code, name in names.items()}
    for event in scene.played.events:
        known |= {fold(each): each for each in _texts(plain(event)) if len(each) < 40 and fold(each) not in known}
    if fold(word) not in known:
        hint = did_you_mean(nearest(word, known.values())) or "see 'gm why' for what can be asked"
        raise ValueError(f"nothing in this turn is called {shown(word)}: {hint}")
    return known[fold(word)]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _about(scene: Scene, code: str) -> list[Event]:
    """The events that hold a code anywhere, dice included."""
    found: list[Event] = []
    for event in scene.played.events:
        if isinstance(event, LineSettled):
            continue
        data = plain(event)
        if isinstance(event, DiceRolled):
            if code in event.label.split(" | "):
                found.append(event)
        elif code in _texts({name: value for name, value in data.items() if name not in ("step", "audience")}):
            found.append(event)
    return found


def _names(event: Event, codes: Set[str]) -> bool:
    """Whether an event, other than a line's own outcome, holds one of these codes."""
    return (
        bool(codes) and not isinstance(event, LineSettled | DiceRolled) and not codes.isdisjoint(_texts(plain(event)))
    )


def _events(scene: Scene, events: Sequence[Event]) -> Iterator[Explanation]:
    titles = dict(scene.spec.step_titles())
    step: str | None = None
    for event in events:
        text = _dice(event) if isinstance(event, DiceRolled) else scene.says(event)
        if not text:
            continue
        if event.step != step:
            step = event.step
            yield Explanation(f"{titles.get(event.step, 'Around the turn')}:")
        yield Explanation(text, str(getattr(event, "clause", "")), 1)


def _dice(event: DiceRolled) -> str:
    asked = ", ".join(f"{times} × {what}" for what, times in event.asked)
    return f"Dice “{event.label}” ({asked}): {', '.join(map(str, event.outcomes))}."


def _orders(scene: Scene, code: str) -> Iterator[Explanation]:
    settled = sorted(
        (e for e in scene.played.events if isinstance(e, LineSettled) and e.audience == code), key=lambda e: e.line
    )
    name = scene.tell.called(code)
    yield Explanation(f"The orders of {name}:" if settled else f"{name} gave no orders that came into the turn.")
    yield from (_fate(scene, each) for each in settled)
    reading = scene.played.readings.get(code)
    for found in reading.diagnostics if reading else ():
        yield Explanation(f"Line {found.line}: {found.message}.", found.clause, 1)


def _fate(scene: Scene, event: LineSettled) -> Explanation:
    clause, why = scene.tell.reason(event.reason, event.figures) if event.reason else ("", "")
    return Explanation(f"Line {event.line}, “{event.text}”: {event.fate.value}{f': {why}' if why else ''}.", clause, 1)


def _line(scene: Scene, code: str, number: int) -> Iterator[Explanation]:
    settled = [e for e in scene.played.events if isinstance(e, LineSettled) and e.audience == code and e.line == number]
    yield from (_fate(scene, each) for each in settled)
    named = {word for each in settled for word in each.figures.get("about", ())}
    yield from _events(scene, [event for event in scene.played.events if _names(event, named)])
    reading = scene.played.readings.get(code)
    findings = [each for each in (reading.diagnostics if reading else ()) if each.line == number]
    yield from (Explanation(f"Line {found.line}: {found.message}.", found.clause, 1) for found in findings)
    if not settled and not findings:
        raise ValueError(f"in line {number} of the file of {scene.tell.called(code)} stands no order")


def diff(spec: BaseGame[Any], table: GameData, played: TurnResult, other: TurnResult) -> tuple[Explanation, ...]:
    """The differences of ``other`` from ``played``: fates of lines, what happened, figures."""
    one, two = scene_of(spec, table, played, None), scene_of(spec, table, other, None)
    return told(
        (
            ("Orders:", fates_contrasted(_fates(one), _fates(two), one.tell.called)),
            ("Happened, and does not now:", _lacking(one, two)),
            ("Happens now, and did not:", _lacking(two, one)),
            ("Figures:", _figures(one, two)),
        )
    )


def _fates(scene: Scene) -> Fates:
    return fates((each for each in scene.played.events if isinstance(each, LineSettled)), scene.tell.reason)


def _lacking(one: Scene, two: Scene) -> list[str]:
    """What happened in one and not in the other."""
    left = [two.says(each) for each in two.played.events if not isinstance(each, LineSettled | DiceRolled)]
    found = []
    for event in one.played.events:
        text = "" if isinstance(event, LineSettled | DiceRolled) else one.says(event)
        if text in left:
            left.remove(text)
        elif text:
            found.append(text)
    return found


def _figures(one: Scene, two: Scene) -> Iterator[str]:
    was = one.spec.figures(one.table, one.played.after)
    now = two.spec.figures(two.table, two.played.after)
    for code, row in was.items():
        for name, value in row.items():
            other = now.get(code, {}).get(name, 0)
            if other != value:
                yield f"{one.tell.called(code)}, {name}: was {rounded(value)}, now {rounded(other)}"
