"""The last turns on a party's page: the drawing as it was after each, to step through, and each in words."""

from collections.abc import Sequence
from typing import Any

from gm.game.answers import TurnStory
from gm.game.values import GameData, MapView, TurnResult
from gm.text.frames import stepping
from gm.text.languages import translator
from gm.text.pages import fragment
from gm.text.words import turn_in_words

STEPPER = "story/stepper.js"
STEPPER_STYLE = "story/story.css"


def drawn_before(spec: Any, table: GameData, result: TurnResult, language: str) -> list[str]:
    """Return the drawings of the turns before, as everybody saw them: the same for all pages in a language."""
    picture = spec.module("report").Picture
    translate = translator(spec.key, language)
    drawings = []
    for state, events in result.past:
        seen = spec.seen(table, state, "")
        view = MapView(events=tuple(event for event in events if event.visible_to("")))
        drawings.append(picture(table, seen, view, translate).svg(spec.key, spec.label(seen, translate)))
    return drawings


def past_html(scene: Any) -> str:
    """Return the last turns in words, and what steps through their drawings; nothing before there are two.

    What a party's player before its own was told is not told again.
    """
    spec = scene.spec
    result = scene.result
    translate = scene.translate
    if not result.past:
        return ""
    stories = list[TurnStory]()
    names = list[str]()
    states = [*result.past, (result.after, result.events)]
    for at, (state, events) in enumerate(states):
        turn = TurnResult(game=result.game, before=states[max(0, at - 1)][0], after=state, events=events)
        reader = scene.code if state.turn >= result.seated.get(scene.code, 1) - 1 else ""
        stories.append(spec.turn_story(scene.table, turn, reader, scene.language) if at else TurnStory())
        names.append(turn_in_words(spec.played_name(state), translate) if state.turn else translate("the start"))
    return fragment(
        "story/past.html", {"turns": list(zip(names, stories, strict=True)), "_": translate}, scene.language
    )


def past_steps(scene: Any, before: Sequence[str]) -> dict[str, Any]:
    """Return what the script steps with: from the drawings ``before`` to that of the page."""
    spec = scene.spec
    translate = scene.translate
    states = (*(state for state, _ in scene.result.past), scene.after)
    names = [
        turn_in_words(spec.played_name(state), translate) if state.turn else translate("the start") for state in states
    ]
    return stepping([(drawing, "") for drawing in (*before, scene.drawing)]) | {"names": names}
