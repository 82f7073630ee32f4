"""Why orders are advised: who holds a place, and how strong."""

from collections.abc import Iterator, Sequence
from typing import Any

from gm.game.answers import Advice, TriedOrder
from gm.game.base.hooks import formatter_of
from gm.game.values import GameData
from gm.games.conquest_structures.orders import Build, Hold, Line, Move
from gm.games.conquest_structures.state import Conquest
from gm.text.languages import Translate


def advice(
    spec: Any,
    table: GameData,
    state: Conquest,
    party: str,
    sheet: Any,
    orders: Sequence[TriedOrder],
    translate: Translate,
) -> Iterator[Advice]:
    """Yield each line in words, with its reason."""
    phrase = formatter_of(spec, table, (state,), translate).phrase
    for line in sheet.orders.lines:
        words, why = _told(line, table, state, party, phrase, translate)
        if words:
            yield Advice(line.written.line, line.written.column, words, why)


def _told(
    line: Line, table: GameData, state: Conquest, party: str, phrase: Any, translate: Translate
) -> tuple[str, str]:
    if isinstance(line, Build):
        words = phrase("Build in {place}: {units}.", place=line.place, units=_units(line, translate))
        return words, phrase("Whoever has more units holds more structures.")
    if isinstance(line, Hold):
        words = phrase("Hold {place} with {units}.", place=line.place, units=_units(line, translate))
        return words, phrase("Units that hold defend.")
    if not isinstance(line, Move):
        return "", ""
    words = phrase(
        "Move to {target} from {place}: {units}.", target=line.target, place=line.place, units=_units(line, translate)
    )
    owner = state.owners[line.target]
    if owner == party:
        return words, phrase("It is yours, and they are needed there.")
    against = sum(table.rules.units[unit.type].strength for unit in state.at(line.target) if unit.owner != party)
    return words, phrase("It is not yours yet, and its defence has strength {strength}.", strength=against)


def _units(line: Any, translate: Translate) -> str:
    """Return the units of a line in words."""
    names = [
        f"{item.count or ''} {translate(item.type) if item.type else f'u{item.number}'}".strip() for item in line.items
    ]
    return ", ".join(names) or str(translate("all that are there"))
