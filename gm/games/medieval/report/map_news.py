"""A turn's battles and structures by place, for the map's mode that shows changes (B1, L8, W8)."""

from collections.abc import Iterator

from gm.core.values import PUBLIC
from gm.game.answers import Fight, TurnStory, Work
from gm.game.map_changes import MapReader
from gm.games.medieval.events import final
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.turn_result import TurnView
from gm.games.medieval.standings import WALLS, thing_of


def places_of(battle: BattleEntry) -> tuple[str, ...]:
    """Return the place of a battle, or the two places between which it was."""
    return tuple(filter(None, (battle.report.place, battle.report.other_place)))


def works_in(view: TurnView, realm: str) -> Iterator[Work]:
    """Yield the structures built in a turn, as far as a realm may know of them."""
    for event in view.seen(realm, final.StructureBuilt):
        yield Work(event.province, thing_words(thing_of(event), view.formatter))


def thing_words(thing: str, formatter: MedievalFormatter) -> str:
    """Return the words for a structure, given as ``harbour`` or, with a level, as ``fortification 2``."""
    if not thing.startswith(f"{WALLS} "):
        return formatter.figure(thing, "structure")
    level = thing.removeprefix(f"{WALLS} ")
    return formatter.phrase(
        "{structure} of level {level}", structure=formatter.figure(WALLS, "structure"), level=level
    )


def map_story(view: TurnView) -> TurnStory:
    """Return a turn's battles and new structures by place, as far as everybody may know of them."""
    fights = tuple(Fight(places_of(battle), battle.title, "") for battle in view.battles)
    return TurnStory(fights, built=tuple(works_in(view, PUBLIC)))


def reader_of(view: TurnView, realm: str = "") -> MapReader:
    """Return the reader of map changes: a realm's player, or, without a code, everybody."""
    in_prose = view.formatter.with_articles()
    names = {code: str(in_prose.realm(code)) for code in view.result.after.realms}
    return MapReader(realm, names, {}, view.formatter.translate)
