"""The last turns on a party's page: the drawing as it was after each, to step through, and each in words."""

from collections.abc import Sequence
from typing import Any

from gm.core.diagnostics import Message, said
from gm.core.values import Record
from gm.game.answers import TurnStory
from gm.game.map_changes import MapReader, Owners, changes_data, steps_between
from gm.game.values import GameData, MapView, TurnResult
from gm.text.frames import stepping
from gm.text.languages import Translate, translator
from gm.text.pages import fragment
from gm.text.words import turn_in_words

STEPPER = ("game/dom.js", "story/changes.js", "story/stepper.js")
STEPPER_STYLE = "story/story.css"


def drawn_before(spec: Any, table: GameData, result: TurnResult, language: str) -> list[str]:
    """Return the drawings of earlier turns from the public view: the same for all pages in a language."""
    picture = spec.module("report").Picture
    translate = translator(spec.key, language)
    drawings = []
    for state, events in result.past:
        seen = spec.seen(table, state, "")
        view = MapView(events=tuple(event for event in events if event.visible_to("")))
        drawings.append(picture(table, seen, view, translate).svg(spec.key, spec.label(seen, translate)))
    return drawings


class Remembered(Record):
    """An earlier turn on a page: its title, its news for the page's reader, and the owners then."""

    name: str
    story: TurnStory
    owners: Owners


def remembered(scene: Any) -> tuple[Remembered, ...]:
    """Return the last turns and the newest, as far as a party's player may know them.

    Empty before there are two.

    What a former player of the party was told is left out.
    """
    spec = scene.spec
    result = scene.result
    if not result.past:
        return ()
    states = [*result.past, (result.after, result.events)]
    turns = list[Remembered]()
    for at, (state, events) in enumerate(states):
        turn = TurnResult(game=result.game, before=states[max(0, at - 1)][0], after=state, events=events)
        reader = scene.code if state.turn >= result.seated.get(scene.code, 1) - 1 else ""
        story = spec.turn_story(scene.table, turn, reader, scene.language) if at else TurnStory()
        owners = spec.owners(scene.table, spec.seen(scene.table, state, reader))
        turns.append(Remembered(_name_of(scene, state), story, owners))
    return tuple(turns)


def _name_of(scene: Any, state: Any) -> str:
    translate = scene.translate
    return turn_in_words(scene.spec.played_name(state), translate) if state.turn else translate("the start")


def past_html(scene: Any, turns: Sequence[Remembered]) -> str:
    """Return turns in words, and the control that steps through their drawings; empty without turns."""
    if not turns:
        return ""
    told = [(turn.name, turn.story) for turn in turns]
    return fragment("story/past.html", {"turns": told, "_": scene.translate}, scene.language)


def past_steps(scene: Any, before: Sequence[str], turns: Sequence[Remembered]) -> dict[str, Any]:
    """Return the data of the script that steps from the drawings ``before`` to that of the page."""
    reader = map_reader(scene.spec, scene.table, scene.after, scene.code, scene.translate)
    steps = steps_between([turn.owners for turn in turns], [turn.story for turn in turns])
    changes = changes_data(steps, reader)
    names = [turn.name for turn in turns]
    drawings = [(drawing, "") for drawing in (*before, scene.drawing)]
    return stepping(drawings) | {"names": names, "changes": changes}


def map_reader(spec: Any, table: GameData, state: Any, code: str, translate: Translate) -> MapReader:
    """Return the reader of map changes: a party's player, or everybody if no party is given."""
    parties = {seat.code: translate(seat.name) for seat in spec.seats(table, state)}
    called = {place: _in_words(name, translate) for place, name in spec.names(table, state).items()}
    return MapReader(code, parties, called, translate)


def _in_words(name: Any, translate: Translate) -> str:
    return said(name, translate) if isinstance(name, Message) else translate(name)
