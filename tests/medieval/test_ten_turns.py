"""Ten turns of Europe as a player reads them: no sentence comes back more than five times, but those named
here.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain

import pytest

from gm.games.medieval.data.clauses_data import troop_names
from gm.games.medieval.report.files import herald_file, turn_reports
from gm.games.medieval.report.turn_result import MedievalResult
from gm.text.languages import ENGLISH
from tests.medieval.reading import Reader, pattern_of, sentences
from tests.medieval.test_bots_games import PlayedTurn, game, table_of

TURNS = 10
OFTEN = 5
READER = "POL"
QUICK = ("builder", "conqueror", "raider")  # bots that take no time

OTHERS = "details.battle"
LEDGERS = {
    "changed": "what changed, what is near and what can be bought: one line for each, with its figures",
    "headquarters": "the forecast and its conditions: the same figures every turn",
    "write": "how to write orders: the same words every turn",
    "messages": "one line for each order and each event, in the words of its rule",
    "battles-of-others": "a list of results: one line for each battle of others, the rest folded away",
    "map": "the legend, and figures for each place",
    "near": "one line for each place, with its figures",
    "provinces": "notes on a table",
    "places": "notes on a table",
    "units": "notes on a table",
    "realms": "notes on a table",
    "relations": "one line for each pair of realms that the table names",
    "race": "how the game is won: the same words every turn",
    "history": "one line for each kind of event in each turn",
    "world": "the chronicle: one line for each event, in the words of its rule",
    "study": "notes on tables",
    "rules": "the clauses that a page names",
    "dice": "how to check the dice: the same words every turn",
}
"""The parts of a page that are looked up, not read: why their lines may come again."""
LINES = {
    "where and when a battle was, and who won": r"(?:Land|Sea) battle: |Battle at a border|X wins?\.$",
    "the chances, as figures with a label": r"The chances:",
    "how to read tables and pictures of battles": (
        r"Troops are soldiers|Every N points|In the pictures|Who is hit:|In brief|Every round is"
    ),
    "one line of figures for each siege, engine, wounded and captured": (
        r"A fortification of level|X: N |(?:The wounded|Captures|Skills gained|Aboard sunken)|X: |No X|.* "
        r"captures N"
    ),
    "the hits, as figures with a label": r"Its (?:own|enemies') hits: N made, N expected",
    "the head and the foot of a page": (
        r"Made from the public events|Each piece of news|Skip to the content|Europe N|Print my realm|This "
        r"page is for"
    ),
}
"""The lines of battles and of the Herald that may come again, by what they are."""


@cache
def played() -> tuple[PlayedTurn, ...]:
    """The turns, which their seed decides."""
    return tuple(game("europe-1320", TURNS, QUICK))


def pages(turn: PlayedTurn) -> Iterator[tuple[str, str]]:
    """Yield the two pages that a player reads of a turn, by name."""
    table = table_of("europe-1320")
    result = MedievalResult(
        game="europe",
        before=turn.before,
        after=turn.after,
        events=turn.events,
        rules=table.rules,
        atlas=table.board,
        deadline="Sunday 29 November, 20:00",
    )
    files = turn_reports(result)
    for name in (f"results/{READER}.html", herald_file(ENGLISH)):
        yield name, files[name].decode()


def names_of(turn: PlayedTurn) -> set[str]:
    """All names of the map, of realms and of commanders, and of troops."""
    atlas = table_of("europe-1320").board
    names = {*atlas.locations, *troop_names().one.values(), *troop_names().many.values(), "Commander"}
    names |= {place.city.name for place in atlas.locations.values() if place.city}
    for seat in atlas.realms.values():
        names |= {seat.name, seat.adjective, seat.ruler}
    for world in (turn.before, turn.after):
        names |= set(chain.from_iterable(unit.commander_names for unit in world.units.values()))
    return names


def part_of(marks: frozenset[str]) -> str:
    """Return the part of a page that a block stands in; empty for what is read as a text."""
    if OTHERS in marks:
        return "battles-of-others"
    return next((name for name in LEDGERS if name in marks), "")


@cache
def table() -> Mapping[int, Counter[str]]:
    """How often a player reads each pattern in each turn."""
    counts_by_turn: dict[int, Counter[str]] = {}
    for number, turn in enumerate(played(), 1):
        names = names_of(turn)
        counts = counts_by_turn.setdefault(number, Counter())
        for _, page in pages(turn):
            read = [text for marks, text in Reader(page).blocks if not part_of(marks)]
            all_sentences = chain.from_iterable(sentences(text) for text in read)
            counts.update(pattern_of(sentence, names) for sentence in all_sentences)
    return counts_by_turn


def may_repeat(pattern: str) -> bool:
    return any(re.match(lines, pattern) for lines in LINES.values())


@pytest.mark.slow
def test_no_sentence_comes_back_more_than_five_times_in_ten_turns() -> None:
    whole = sum(table().values(), Counter[str]())
    assert len(whole) > 200
    often = {pattern: count for pattern, count in whole.items() if count > OFTEN and not may_repeat(pattern)}
    assert often == {}


@pytest.mark.slow
def test_no_sentence_of_a_turn_is_read_twice() -> None:
    twice = {
        (turn, pattern): count
        for turn, counts in table().items()
        for pattern, count in counts.items()
        if count > 1 and len(pattern.split()) > 4 and not may_repeat(pattern)
    }
    assert twice == {}


@pytest.mark.slow
def test_a_sentence_rarely_comes_back_within_three_turns() -> None:
    seen = [{pattern for pattern in counts if not may_repeat(pattern)} for counts in table().values()]
    again = sum(
        len(now & (before | earlier)) for earlier, before, now in zip(seen, seen[1:], seen[2:], strict=False)
    )
    assert again * 5 < sum(map(len, seen[2:]))


@pytest.mark.slow
@pytest.mark.parametrize("kind", LINES)
def test_what_may_repeat_does(kind: str) -> None:
    whole = sum(table().values(), Counter[str]())
    assert sum(count for pattern, count in whole.items() if re.match(LINES[kind], pattern)) > OFTEN
