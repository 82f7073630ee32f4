"""Pages in another language (16.15): a catalogue with all messages that are collected, and no other, says
each in other letters; then only names, codes and words of order files are in ours.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Any

import pytest
from msgspec.structs import replace

from gm.games.medieval.data.clauses_data import troop_names
from gm.games.medieval.orders.grammar import all_words
from gm.games.medieval.report.files import turn_reports
from gm.games.medieval.spec import SPEC
from tests.letters import KEPT, LANGUAGE, ours, spoken, untold
from tests.medieval.reportland import CODES, ORDERS, busy_record, data_block, laid_out

SENTENCE = re.compile(r"(?:^|[^\w.-])[A-Za-z]{2,},? [a-z]{2,} [a-z]{2,}")
UNREAD = {
    "no order is called ${word}": "an error of the page itself",
    "nobody to load": "the name of a reason",
}
"""What looks like a sentence of a script, and what it is."""


@pytest.fixture(scope="module")
def files() -> Iterator[Mapping[str, bytes]]:
    """The files of a busy turn, all of whose players read this language, and the handbook in it."""
    with spoken("medieval", "gm.games.medieval.report.turn_result"):
        record = replace(
            busy_record(), languages=dict.fromkeys(CODES, LANGUAGE), deadline="Sunday 2026-11-29 20:00 UTC"
        )
        lesson = SPEC.handbook(SPEC.shipped_table("minsk"), None, LANGUAGE)
        # what the turn says of the lesson's orders, drawings
        lesson = re.sub(r'<svg\b.*?</svg>|<table class="books.*?</table>', "", lesson, flags=re.DOTALL)
        yield turn_reports(record) | {"handbook": lesson.encode()}


@cache
def names() -> set[str]:
    """The words of names, which are the same in every language, and of order files."""
    record = busy_record()
    rules = busy_record().rules
    worlds = (busy_record().before, busy_record().after)
    names_kept = [
        "gm UTC Medieval Diplomacy David of Grodno Algirdas Dietrich Altenburg",
        *CODES,
        *ORDERS.values(),
        *troop_names().one.values(),
        *troop_names().many.values(),
    ]
    names_kept += [
        *rules.troops,
        *(fortification.name for fortification in rules.fortifications),
        *(word.name for word in all_words()),
    ]
    for board in (record.atlas, SPEC.shipped_table("minsk").board):
        names_kept += [board.name, board.title, *board.locations]
        names_kept += [place.city.name for place in board.locations.values() if place.city]
        names_kept += [f"{realm.code} {realm.name} {realm.ruler}" for realm in board.realms.values()]
    names_kept += [
        text for world in worlds for realm in world.realms.values() for text in (realm.name, realm.ruler)
    ]
    units = list(chain.from_iterable(world.units.values() for world in worlds))
    names_kept += list(chain.from_iterable((unit.name or "", *unit.commander_names) for unit in units))
    return set(re.findall("[a-z]+", " ".join(names_kept).lower()))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ENG.html", "DEN.html", "battles/02-flanders.xx.html", "handbook"])
def test_a_page_has_no_words_but_those_of_its_language(files: Mapping[str, bytes], name: str) -> None:
    page = laid_out(files[name if name == "handbook" else f"results/{name}"].decode())
    assert '<html lang="xx">' in page
    assert untold(page, names()) == set()


@pytest.mark.slow
def test_sentences_of_scripts_and_of_their_data_are_of_the_language_too(files: Mapping[str, bytes]) -> None:
    page = files["results/ENG.html"].decode()
    texts = list(
        chain.from_iterable(strings(json.loads(data_block(page, block))) for block in ("gm-world", "gm-own"))
    )
    for script in re.findall(r"<script>(.*?)</script>", page, re.DOTALL):
        texts += ["".join(groups) for groups in re.findall(r'"([^"\\\n]*)"|`([^`\n]*)`', script)]
    sentences_found = {
        text for text in texts if SENTENCE.search(KEPT.sub("", text)) and not re.search(r"^#|\);", text)
    }
    assert {text for text in sentences_found if ours(KEPT.sub("", text), names())} == set(UNREAD)


def strings(data: Any) -> Iterator[str]:
    """The texts in data, without keys."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, (dict, list)):
        for child in data.values() if isinstance(data, dict) else data:
            yield from strings(child)
