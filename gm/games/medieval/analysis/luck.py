"""The luck ledger: hits to be expected against hits made, for each realm over the whole game (B5, B14).

The sums are carried from turn to turn, so that no old log is read again: ``{"luck": {"ENG": [battles, hits made,
"expected", "variance"]}}``. Battles of logs that do not tell what was expected are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from gm.core.events import Event
from gm.core.values import Record
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.battle_entries import Luck, luck_of
from gm.games.medieval.report.turn_result import MedievalFormatter
from gm.store.formats import JsonObject
from gm.text.pages import capitalised, figure

LUCK = "luck"


class LuckRow(Record):
    """A realm's luck in all its battles so far: hits expected to one digit, ``more`` with its sign, rounded percent."""

    name: str
    battles: int
    luck: Luck
    made: int
    expected: Decimal
    difference: Decimal
    more: str
    percent: int
    words: str


def luck_after(earlier: JsonObject, events: Iterable[Event]) -> JsonObject:
    """The sums with these events' battles in them."""
    sums: dict[str, list[Any]] = {realm: list(each) for realm, each in earlier.get(LUCK, {}).items()}
    for event in events:
        if not isinstance(event, BattleFought):
            continue
        for realm in event.report.realms:
            luck = luck_of(event.report, (realm,))
            if luck is None or not event.report.rounds:
                continue
            battles, made, expected, variance = sums.get(realm, (0, 0, "0", "0"))
            sums[realm] = [
                battles + 1,
                made + luck.made,
                str(Decimal(expected) + luck.expected),
                str(Decimal(variance) + luck.variance),
            ]
    return {LUCK: dict(sorted(sums.items()))}


def luck_rows(tally: Mapping[str, Any], speaker: MedievalFormatter) -> list[LuckRow]:
    """The ledger, the luckiest first; realms that fought no battle are not in it."""
    rows = []
    for realm, (battles, made, expected, variance) in tally.get(LUCK, {}).items():
        luck = Luck(made, Decimal(expected), Decimal(variance))
        name, difference = capitalised(speaker.realm(realm)), round(luck.difference, 1)
        more = f"{'+' if difference > 0 else ''}{figure(difference)}"
        percent = round(100 * luck.difference / luck.expected) if luck.expected else 0
        words, due = luck.degree or "as expected", round(luck.expected, 1)
        rows.append((realm, LuckRow(name, battles, luck, made, due, difference, more, percent, words)))
    return [row for _, row in sorted(rows, key=lambda each: (-each[1].luck.score, each[0]))]
