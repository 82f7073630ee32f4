"""Public changes on the map as the record of a turn has them, so that no page decodes an earlier state.

A page shows the changes in steps. Each of its last turns is a step. Older turns come from records: each is a
step, too; if there are too many changes, ten turns together are one, and if need be the oldest are left out.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, Protocol

from gm.core.values import Event, Record
from gm.game.answers import differences
from gm.game.map_changes import ChangeKind, MapChange
from gm.store.formats import JsonObject
from gm.text.languages import translator

CHANGED = "changed"
"""The key of a turn's record, with ``{hands: [[place, former, owner]], battles: [[place ...]],
built: [[place, thing]], name: the turn in words}``."""

MOST = 2_000
"""Changes that a page has at most: about 18 kB."""

SINGLE = 20
"""So many last turns are steps of their own, however many changes there are."""

APART = 10
"""Of older turns every tenth can be compared with where there are too many changes for all."""


class MapEvents(Protocol):
    """The methods by which a game says what its events changed on the map."""

    key: str  # the game's

    def seats(self, table: Any, state: Any) -> Sequence[Any]:
        """Return all seats, as :class:`gm.game.spec.GameSpec` has them."""

    def fought_at(self, event: Event) -> tuple[str, ...]:
        """Return the place, or the two, of the battle that an event tells of; empty for other events."""
        return ()

    def built_at(self, event: Event, after: Any) -> tuple[str, tuple[str, ...]]:
        """Return (place, codes of what an event built there); both are empty for other events.

        ``after``: the state after the turn.
        """
        return "", ()

    def party_words(self, table: Any, state: Any, language: str) -> Mapping[str, str]:
        """Return the names of parties as they stand within a sentence, by code."""
        translate = translator(self.key, language)
        return {seat.code: translate(seat.name) for seat in self.seats(table, state)}

    def thing_words(self, thing: str, formatter: Any) -> str:
        """Return the words for the code of something that was built."""
        return str(formatter.called(thing))


def changes_record(
    spec: MapEvents, owners: Sequence[Mapping[str, str]], events: Iterable[Event], after: Any
) -> JsonObject:
    """Return a turn's public changes as data (:data:`CHANGED`), without the turn's name.

    ``owners``: the owner's code by place, before the turn and after it; ``after``: the state after it.
    """
    before, now = owners
    public = [event for event in events if event.visible_to("")]  # to everybody
    built = (spec.built_at(event, after) for event in public)
    works = dict.fromkeys((place, thing) for place, things in built for thing in things)
    battle_places = dict.fromkeys(filter(None, map(spec.fought_at, public)))
    return {
        "hands": [[place, former or "", owner or ""] for place, former, owner in differences(before, now)],
        "battles": list(map(list, battle_places)),
        "built": list(map(list, works)),
    }


def recorded_step(record: JsonObject, words: Callable[[str], str]) -> tuple[MapChange, ...]:
    """Return the changes in a record; ``words`` returns the words for the code of a thing."""
    return (
        *(
            MapChange(ChangeKind.HANDS, (place,), former, owner)
            for place, former, owner in record.get("hands", ())
        ),
        *(MapChange(ChangeKind.BATTLE, tuple(places)) for places in record.get("battles", ())),
        *(
            MapChange(ChangeKind.BUILT, (place,), what=words(thing))
            for place, thing in record.get("built", ())
        ),
    )


class Step(Record):
    """The changes of one or several turns; ``since``: the number of the turn before the first of them."""

    since: int
    changes: tuple[MapChange, ...]


def steps_for_page(older: Sequence[Step], last: Sequence[Step]) -> list[Step]:
    """Return the steps of a page, the oldest first: all of ``last``, after those that fit of ``older``.

    A battle or building is in one of the older steps only. If these have too many changes, all but the last
    ``SINGLE`` turns become one step for ten turns each, and then the oldest steps are left out.
    """
    room = MOST - _size(last)
    early = _without_repeats(older)
    if _size(early) > room:
        single_count = min(max(0, SINGLE - len(last)), len(older))
        first_single = len(older) - single_count
        early = _without_repeats([*_every_tenth(older[:first_single]), *older[first_single:]])
    while early and _size(early) > room:
        early = early[1:]
    return [*early, *last]


def recorded_steps(
    records: Sequence[JsonObject], newest: int, turn: int, words: Callable[[str], str]
) -> list[Step]:
    """Return the steps of the turns up to ``turn`` from records.

    ``newest``: the turn of the last record; ``words``: returns the words for the code of a thing.
    """
    first = newest - len(records) + 1
    return [
        Step(number - 1, recorded_step(record, words))
        for number, record in enumerate(records, first)
        if number <= turn
    ]


def compared_from(steps: Sequence[Step]) -> int:
    """Return the earliest turn from which on every turn can be chosen to compare with; 0 is the start."""
    since = [step.since for step in steps]
    after_gaps = [late for early, late in pairwise(since) if late - early > 1]
    return max([*since[:1], *after_gaps], default=0)


def _size(steps: Iterable[Step]) -> int:
    """Return how many changes the steps have in all."""
    return sum(len(step.changes) for step in steps)


def _every_tenth(steps: Sequence[Step]) -> Iterator[Step]:
    """Yield one step for the steps of each ten turns: of turns 1 to 10, of 11 to 20, and so on."""
    for _, turns in groupby(steps, lambda step: step.since // APART):
        part = tuple(turns)
        yield Step(part[0].since, together(step.changes for step in part))


def together(steps: Iterable[Iterable[MapChange]]) -> tuple[MapChange, ...]:
    """Return several turns' changes as one step: each place's first and last owner, everything else once.

    A place that has its first owner again has not changed hands.
    """
    change_of: dict[tuple[Any, ...], MapChange] = {}
    for changes in steps:
        for change in changes:
            key = _key(change)
            first = change_of.get(key, change)
            change_of[key] = change.evolve(former=first.former)
    return tuple(
        change
        for change in change_of.values()
        if change.kind is not ChangeKind.HANDS or change.former != change.owner
    )


def _key(change: MapChange) -> tuple[Any, ...]:
    """Return all of a change but the owners. Changes with equal keys become one."""
    return change.kind, change.places, change.what


def _without_repeats(steps: Sequence[Step]) -> list[Step]:
    """Return steps in which each battle or building is only in the last of the steps that had it."""
    seen = set[tuple[Any, ...]]()
    kept = list[Step]()
    for step in reversed(steps):
        fresh = tuple(
            change for change in step.changes if change.kind is ChangeKind.HANDS or _key(change) not in seen
        )
        seen.update(map(_key, fresh))
        kept.append(Step(step.since, fresh))
    return kept[::-1]
