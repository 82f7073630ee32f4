"""Changes of a turn for the map's mode for them: land, battles, structures by place (B1, L8, W8)."""

from collections.abc import Iterator

from gm.game.answers import Fight, TurnStory, Work
from gm.game.map_changes import LegendRow, MapReader, legend, map_changes
from gm.games.medieval.events import final
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.turn_view import TurnView
from gm.games.medieval.standings import owners


def places_of(battle: BattleEntry) -> tuple[str, ...]:
    """Return where a battle was: at a place, or between two."""
    return tuple(filter(None, (battle.report.place, battle.report.other_place)))


def works_in(view: TurnView, realm: str) -> Iterator[Work]:
    """Yield the buildings of a turn, as far as a realm may know of them."""
    for event in view.seen(realm, final.StructureBuilt):
        walls = event.structure == "fortification"
        what = view.formatter.fill_pattern("{structure} of level {level}" if walls else "{structure}", event)
        yield Work(event.province, what)


def map_legend(view: TurnView, realm: str) -> tuple[LegendRow, ...]:
    """Return a turn's changes on the map, in a realm's words; empty before the first turn."""
    result = view.result
    if not result.turn:
        return ()
    fights = tuple(Fight(places_of(battle), battle.title, "") for battle in view.battles)
    story = TurnStory(fights, built=tuple(works_in(view, realm)))
    formatter = view.formatter.with_articles()
    names = {code: formatter.realm(code) for code in result.after.realms}
    changes = map_changes(owners(result.before), owners(result.after), [story])
    return legend(changes, MapReader(realm, names, {}, view.formatter.translate))
