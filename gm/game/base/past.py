"""The last turns on a party's page: the map as it was after each, to step through, and each turn in words.

A ``scene`` is a :class:`gm.game.base.hooks.Scene`, and ``spec`` are the game's hooks.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from gm.core.diagnostics import Message, said
from gm.core.values import Record
from gm.game.answers import TurnStory
from gm.game.map_changes import MapReader, Owners, changes_data, steps_between
from gm.game.map_record import Step, compared_from, recorded_steps, steps_for_page
from gm.game.values import GameData, MapView, TurnResult
from gm.text.frames import stepping
from gm.text.languages import Translate, translator
from gm.text.pages import fragment
from gm.text.words import turn_in_words

STEPPER = ("game/dom.js", "story/changes.js", "story/stepper.js")
STEPPER_STYLE = "story/story.css"


def drawn_before(spec: Any, table: GameData, result: TurnResult, language: str) -> list[str]:
    """Return the maps after the turns in ``result.past``, as everybody may see them.

    They are the same for the pages of all parties in a language.
    """
    picture = spec.module("report").Picture
    translate = translator(spec.key, language)
    drawings = []
    for state, events in result.past:
        public_state = spec.seen(table, state, "")
        view = MapView(events=tuple(event for event in events if event.visible_to("")))
        drawings.append(
            picture(table, public_state, view, translate).svg(spec.key, spec.label(public_state, translate))
        )
    return drawings


class Remembered(Record):
    """A turn on a page: its name, its story for the page's reader, and the owners of places after it."""

    name: str
    story: TurnStory
    owners: Owners


def _last_turns(scene: Any) -> tuple[Remembered, ...]:
    """Return the last turns, the newest among them, as far as a party's player may know them.

    Of turns that an earlier player of the party played, that is what everybody may know. Empty if there is no
    turn before the newest.
    """
    spec = scene.spec
    result = scene.result
    if not result.past:
        return ()
    states = [*result.past, (result.after, result.events)]
    turns = list[Remembered]()
    for at, (state, events) in enumerate(states):
        before, _ = states[max(0, at - 1)]
        turn = TurnResult(game=result.game, before=before, after=state, events=events)
        # the position from which the player's first turn started is known to them, too
        reader = scene.code if state.turn >= result.seated.get(scene.code, 1) - 1 else ""
        # the state before the first of them is not known, and so there is no story of it
        story = spec.turn_story(scene.table, turn, reader, scene.language) if at else TurnStory()
        owners = spec.owners(scene.table, spec.seen(scene.table, state, reader))
        turns.append(Remembered(_name_of(scene, state), story, owners))
    return tuple(turns)


def _name_of(scene: Any, state: Any) -> str:
    """Return the name of the turn that led to a state, in the reader's language."""
    translate = scene.translate
    return turn_in_words(scene.spec.played_name(state), translate) if state.turn else translate("the start")


def past_part(scene: Any, before: Sequence[str]) -> tuple[str, dict[str, Any] | None]:
    """Return (last turns as HTML, data of the script that steps through them) for a party's page.

    ``before``: the maps after the turns before the newest. The HTML is empty, and the data None, if there
    is no turn before the newest.
    """
    turns = _last_turns(scene)
    if not turns:
        return "", None
    steps = _compared_steps(scene, turns)
    return _in_words(scene, turns, steps), _stepper_data(scene, before, turns, steps)


def _in_words(scene: Any, turns: Sequence[Remembered], steps: Sequence[Step]) -> str:
    """Return the HTML of turns in words, and of the control that steps through their maps.

    ``steps``: the changes of the turns that the page can compare.
    """
    first = compared_from(steps)
    values = {
        "turns": [(turn.name, turn.story) for turn in turns],
        "_": scene.translate,
        "compared_from": _name_of_turn(scene, first) if first else "",
    }
    return fragment("story/past.html", values, scene.language)


def _stepper_data(
    scene: Any, before: Sequence[str], turns: Sequence[Remembered], steps: Sequence[Step]
) -> dict[str, Any]:
    """Return the data of the script that steps from the maps ``before`` to that of the page.

    Their entry ``earlier``: (distance, name) of each turn that is older than the first map but can be
    compared, the oldest first; the distance from the turn of the first map is below 0.
    """
    reader = map_reader(scene.spec, scene.table, scene.after, scene.code, scene.language)
    # one step leads from each of the turns with a map to the next: one step fewer than there are turns
    older = steps[: len(steps) - (len(turns) - 1)]
    drawings = [(drawing, "") for drawing in (*before, scene.drawing)]
    return stepping(drawings) | {
        "names": [turn.name for turn in turns],
        "changes": changes_data([step.changes for step in steps], reader),
        "earlier": [(at - len(older), _name_of_turn(scene, step.since)) for at, step in enumerate(older)],
    }


def _compared_steps(scene: Any, turns: Sequence[Remembered]) -> list[Step]:
    """Return the changes of the last turns, and of earlier ones as far as records and room on the page go."""
    result = scene.result
    last = steps_between([turn.owners for turn in turns], [turn.story for turn in turns])
    first = result.turn - len(last)
    words = partial(scene.spec.thing_words, formatter=scene.formatter)
    older = recorded_steps(result.changed, result.turn - 1, first, words)
    return steps_for_page(older, [Step(first + at, changes) for at, changes in enumerate(last)])


def _name_of_turn(scene: Any, turn: int) -> str:
    """Return the name of an earlier turn in the reader's language: that in its record, if there is one."""
    if not turn:
        return str(scene.translate("the start"))
    result = scene.result
    # the records are those of the turns just before the newest one
    at = turn - result.turn + len(result.changed)
    name = result.changed[at]["name"] if at >= 0 else f"turn {turn}"
    return turn_in_words(name, scene.translate)


def map_reader(spec: Any, table: GameData, state: Any, code: str, language: str) -> MapReader:
    """Return the reader of map changes: a party's player, or everybody if no party is given."""
    translate = translator(spec.key, language)
    parties = spec.party_words(table, state, language)
    called = {place: _place_words(name, translate) for place, name in spec.names(table, state).items()}
    return MapReader(code, parties, called, translate)


def _place_words(name: Any, translate: Translate) -> str:
    """Return a place's name, a text or a message, in a language."""
    return said(name, translate) if isinstance(name, Message) else translate(name)
