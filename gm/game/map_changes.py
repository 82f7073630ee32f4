"""Changes on a map between two turns: one comparison for reports, the table, histories and sites.

Its input is limited to what its reader may know: the owners that the reader sees, and the reader's stories of
turns.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from typing import Any

from gm.core.values import Record
from gm.game.answers import TurnStory, differences
from gm.text.languages import Translate

Owners = Mapping[str, str]  # The party of each place, by code; a place of nobody's is left out


class ChangeKind(StrEnum):
    """What can change on a map."""

    HANDS = "hands"
    BATTLE = "battle"
    BUILT = "built"


class MapChange(Record):
    """A change at a place, or of a battle on the way between two.

    ``former`` and ``owner``: codes of parties, empty for nobody; ``what``: the thing that was built, in
    words.
    """

    kind: ChangeKind
    places: tuple[str, ...]
    former: str = ""
    owner: str = ""
    what: str = ""


class LegendRow(Record):
    """A row of the legend: a mark, its places, and its meaning."""

    mark: str
    words: str
    places: tuple[str, ...]


class MapReader(Record):
    """The reader of map changes: a party's code (empty: everybody), names of parties and places."""

    code: str
    parties: Mapping[str, str]
    called: Mapping[str, str]
    translate: Translate


MARKS = {"won": "+", "lost": "−", "hands": "⇄", "battle": "✶", "built": "▲"}
"""The marks of the map, in the order of the legend: each has its sign, so that colour alone tells nothing."""


def map_changes(before: Owners, after: Owners, stories: Iterable[TurnStory]) -> tuple[MapChange, ...]:
    """Return the changes between two positions, and those in the ``stories`` of the turns between them.

    A province that came back to its owner did not change; a battle at a place counts once.
    """
    turns = tuple(stories)
    hands = (
        MapChange(ChangeKind.HANDS, (place,), former or "", owner or "")
        for place, former, owner in differences(before, after)
    )
    fights = chain.from_iterable(story.fights for story in turns)
    battles = dict.fromkeys(fight.places for fight in fights if fight.places)
    built = chain.from_iterable(story.built for story in turns)
    buildings = dict.fromkeys((work.place, work.what) for work in built)
    return (
        *hands,
        *(MapChange(ChangeKind.BATTLE, places) for places in battles),
        *(MapChange(ChangeKind.BUILT, (place,), what=what) for place, what in buildings),
    )


def legend(changes: Iterable[MapChange], reader: MapReader) -> tuple[LegendRow, ...]:
    """Return changes in words, a row for all places with the same change, in the order of MARKS."""
    patterns = patterns_in(reader.translate)
    rows: dict[tuple[str, str], list[str]] = {}
    for change in changes:
        name = _pattern_of(change, reader.code)
        values = {
            "former": reader.parties.get(change.former, ""),
            "owner": reader.parties.get(change.owner, ""),
            "what": change.what,
        }
        key = (name.partition("-")[0], patterns[name].format(**values))
        rows.setdefault(key, []).append(
            " – ".join(reader.called.get(place, place) for place in change.places)
        )
    order = list(MARKS)
    keys = sorted(rows, key=lambda key: (order.index(key[0]), key[1]))
    return tuple(LegendRow(mark, words, tuple(sorted(rows[mark, words]))) for mark, words in keys)


def patterns_in(translate: Translate) -> dict[str, str]:
    """Return the sentence of each name: a mark, and the parties that its sentence names."""
    return {
        "won": translate("Won from {former}"),
        "won-nobody": translate("Won (no owner before)"),
        "lost": translate("Lost to {owner}"),
        "lost-nobody": translate("Lost (no owner now)"),
        "hands": translate("Won by {owner} from {former}"),
        "hands-free": translate("Won by {owner} (no owner before)"),
        "hands-nobody": translate("Lost by {former} (no owner now)"),
        "battle": translate("Battle"),
        "built": translate("Built: {what}"),
    }


def _pattern_of(change: MapChange, reader: str) -> str:
    """Return the name of the sentence about a change for a reader."""
    if change.kind is not ChangeKind.HANDS:
        return change.kind.value
    if reader and change.owner == reader:
        return "won" if change.former else "won-nobody"
    if reader and change.former == reader:
        return "lost" if change.owner else "lost-nobody"
    if not change.former:
        return "hands-free"
    return "hands" if change.owner else "hands-nobody"


def steps_between(owners: Sequence[Owners], stories: Sequence[TurnStory]) -> list[tuple[MapChange, ...]]:
    """Return the changes of each turn after the first. ``stories``: one per turn; the first is not used."""
    turns = zip(owners, owners[1:], stories[1:], strict=False)
    return [map_changes(before, after, [story]) for before, after, story in turns]


def changes_data(
    steps: Iterable[Sequence[MapChange]], reader: MapReader, first_places: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the data of a page's script (``templates/story/changes.js``).

    These are the changes of each step, the names in them, and the words. A step is a list for each kind, with
    codes of places and parties and things as their numbers in ``places``, ``owners`` and ``things``.
    ``first_places``: codes of places that the page has elsewhere, which have the first numbers.
    """
    places = {place: number for number, place in enumerate(first_places)}
    owners = {"": 0}
    things: dict[str, int] = {}
    rows = [_rows(step, places, owners, things) for step in steps]
    new_places = list(places)[len(first_places) :]
    return {
        "steps": rows,
        "places": new_places,
        "owners": list(owners),
        "things": list(things),
        "reader": reader.code,
        "parties": dict(reader.parties),
        "called": {place: reader.called[place] for place in sorted(new_places) if place in reader.called},
        "patterns": patterns_in(reader.translate),
        "marks": MARKS,
    }


def _rows(
    step: Iterable[MapChange], places: dict[str, int], owners: dict[str, int], things: dict[str, int]
) -> list[list[list[int]]]:
    """Return a step as [[place, former, owner] ...], [[place ...] ...] and [[place, thing] ...] by number."""
    hands, battles, built = list[list[int]](), list[list[int]](), list[list[int]]()
    for change in step:
        where = [_number(places, place) for place in change.places]
        if change.kind is ChangeKind.HANDS:
            hands.append([*where, _number(owners, change.former), _number(owners, change.owner)])
        elif change.kind is ChangeKind.BATTLE:
            battles.append(where)
        else:
            built.append([*where, _number(things, change.what)])
    return [hands, battles, built]


def _number(numbers: dict[str, int], name: str) -> int:
    """Return the number of a name, a new one for a new name."""
    return numbers.setdefault(name, len(numbers))
