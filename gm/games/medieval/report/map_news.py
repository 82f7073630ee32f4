"""Changes of a turn for the map's mode for them: land, battles, structures by place (B1, L8, W8)."""

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
    """Return where a battle was: at a place, or between two."""
    return tuple(filter(None, (battle.report.place, battle.report.other_place)))


def works_in(view: TurnView, realm: str) -> Iterator[Work]:
    """Yield the buildings of a turn, as far as a realm may know of them."""
    for event in view.seen(realm, final.StructureBuilt):
        yield Work(event.province, thing_words(thing_of(event), view.formatter))


def thing_words(thing: str, formatter: MedievalFormatter) -> str:
    """Return the words for the code of what was built."""
    if not thing.startswith(f"{WALLS} "):
        return formatter.figure(thing, "structure")
    level = thing.removeprefix(f"{WALLS} ")
    return formatter.phrase(
        "{structure} of level {level}", structure=formatter.figure(WALLS, "structure"), level=level
    )


def map_story(view: TurnView) -> TurnStory:
    """Return a turn's battles and buildings by place, as far as everybody may know of them."""
    fights = tuple(Fight(places_of(battle), battle.title, "") for battle in view.battles)
    return TurnStory(fights, built=tuple(works_in(view, PUBLIC)))


def reader_of(view: TurnView, realm: str = "") -> MapReader:
    """Return the reader of map changes: a realm's player, or everybody."""
    in_prose = view.formatter.with_articles()
    names = {code: str(in_prose.realm(code)) for code in view.result.after.realms}
    return MapReader(realm, names, {}, view.formatter.translate)
