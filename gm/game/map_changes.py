"""Changes on a map between two turns: one comparison for reports, the table, histories and sites.

It is made of what its reader may know: the owners that the reader sees, and the reader's stories of turns.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from typing import Any

from gm.core.values import Record
from gm.game.answers import TurnStory, differences
from gm.text.languages import Translate

Owners = Mapping[str, str]  # The owner's code by the code of each place; places that nobody owns are left out


class ChangeKind(StrEnum):
    """What can change on a map."""

    HANDS = "hands"  # a place has another owner, or none any more
    BATTLE = "battle"
    BUILT = "built"  # something was built at a place


class MapChange(Record):
    """A change at a place, or a battle between two places."""

    kind: ChangeKind
    places: tuple[str, ...]  # their codes
    former: str = ""  # the code of the owner before, if a place changed hands; empty: nobody
    owner: str = ""  # the code of the owner now, if a place changed hands; empty: nobody
    what: str = ""  # what was built, in words


class LegendRow(Record):
    """A row of the legend."""

    mark: str  # a key of MARKS
    words: str  # what happened
    places: tuple[str, ...]  # the names of the places where it did


class MapReader(Record):
    """A reader of map changes, with the names and the language in which they get them."""

    code: str  # the reader's party; empty: everybody
    parties: Mapping[str, str]  # the names of parties, by code
    called: Mapping[str, str]  # the names of places, by code
    translate: Translate


MARKS = {"won": "+", "lost": "−", "hands": "⇄", "battle": "✶", "built": "▲"}
"""The sign of each mark of the map, in the order of the legend: marks do not differ by colour alone."""


def map_changes(before: Owners, after: Owners, stories: Iterable[TurnStory]) -> tuple[MapChange, ...]:
    """Return the changes of owners between two positions, and the battles and buildings in ``stories``.

    The stories are those of the turns between the positions. A place whose owner is the same again did not
    change; several battles at a place, or between the same two, are one change.
    """
    stories = tuple(stories)
    hands = (
        MapChange(ChangeKind.HANDS, (place,), former or "", owner or "")
        for place, former, owner in differences(before, after)
    )
    fights = chain.from_iterable(story.fights for story in stories)
    battle_places = dict.fromkeys(fight.places for fight in fights if fight.places)
    works = chain.from_iterable(story.built for story in stories)
    buildings = dict.fromkeys((work.place, work.what) for work in works)
    return (
        *hands,
        *(MapChange(ChangeKind.BATTLE, places) for places in battle_places),
        *(MapChange(ChangeKind.BUILT, (place,), what=what) for place, what in buildings),
    )


def legend(changes: Iterable[MapChange], reader: MapReader) -> tuple[LegendRow, ...]:
    """Return changes in words, a row for all places with the same change, in the order of MARKS."""
    patterns = patterns_in(reader.translate)
    rows: dict[tuple[str, str], list[str]] = {}  # the names of places, by (mark, words)
    for change in changes:
        name = _pattern_of(change, reader.code)
        values = {
            "former": reader.parties.get(change.former, ""),
            "owner": reader.parties.get(change.owner, ""),
            "what": change.what,
        }
        # ``won-nobody`` has the mark of ``won``
        key = (name.partition("-")[0], patterns[name].format(**values))
        rows.setdefault(key, []).append(
            " – ".join(reader.called.get(place, place) for place in change.places)
        )
    order = list(MARKS)
    keys = sorted(rows, key=lambda key: (order.index(key[0]), key[1]))
    return tuple(LegendRow(mark, words, tuple(sorted(rows[mark, words]))) for mark, words in keys)


def patterns_in(translate: Translate) -> dict[str, str]:
    """Return the translated patterns of the legend, by the names that :func:`_pattern_of` returns."""
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
    """Return the name of the pattern about a change, for a reader of this party (empty: everybody)."""
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
    """Return the changes of each turn after the first.

    ``owners`` and ``stories``: one for each turn; the first story is not used.
    """
    turns = zip(owners, owners[1:], stories[1:], strict=False)
    return [map_changes(before, after, [story]) for before, after, story in turns]


def changes_data(
    steps: Iterable[Sequence[MapChange]], reader: MapReader, first_places: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the data of a page's script (``templates/story/changes.js``).

    The data are the changes of each step (:func:`_rows`), and the codes of places and parties and the things
    built to which the numbers in them refer. ``first_places``: codes of places that the page has elsewhere:
    they have the first numbers, and are left out of ``places``.
    """
    places = {place: number for number, place in enumerate(first_places)}
    owners = {"": 0}  # nobody
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
    """Return the changes of a step in numbers: [[place, former, owner] ...], battles, [[place, thing] ...].

    A battle is [place] or [place, place]. ``places``, ``owners`` and ``things``: the number of each so far;
    new ones are added.
    """
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
    """Return the number of a name; a new name is added with the next number."""
    return numbers.setdefault(name, len(numbers))
