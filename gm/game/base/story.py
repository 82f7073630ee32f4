"""A turn in words for one reader: the events that the reader may know, battles and buildings by place."""

from typing import Any

from gm.game.answers import Fight, TurnStory, Work
from gm.game.base.events import happened
from gm.game.values import GameData, TurnResult
from gm.text.words import EventFormatter


def story_of(
    spec: Any, table: GameData, result: TurnResult, party: str, formatter: EventFormatter
) -> TurnStory:
    """Return the story of a turn for the player of a party; for everybody if ``party`` is empty."""
    fights = list[Fight]()
    news = list[str]()
    buildings = list[Work]()
    for event in happened(result.events):
        if not event.visible_to(party):
            continue
        place, things = spec.built_at(event, result.after)
        buildings += [Work(place, spec.thing_words(thing, formatter)) for thing in things]
        says = formatter.format_event(event)
        fought = spec.fought_at(event)
        if says and fought:
            fights.append(Fight(fought, " – ".join(map(formatter.called, fought)), says))
        elif says:
            news.append(says)
    return TurnStory(tuple(fights), tuple(news), built=tuple(buildings))
