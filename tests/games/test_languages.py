"""A small game in another language: what a player reads of it has no word but names, codes and words of
order files.
"""

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from msgspec.structs import replace

from gm.text.languages import translator
from tests.games.playing import GAME, KEY, begun
from tests.letters import LANGUAGE, ours, spoken, untold

NAMES = {
    "conquest-fields": "human random greedy veteran red",
    "conquestination": "max keep won lost joined round single",
    "conqueror": "taxes recruit diplomat fort keep castle farms develop advance",
    "conquest-structures": "PopCap seats supply priority",
}
"""What is the same in every language: what has no other word, and words of order files that a page
explains."""
REMARK = re.compile(r"# (?!-|\s|\w+:)(?!yaml)([^#\n]*)")
# Where the order writer's tables hold words
TOLD = ("title", "says", "kind", "also", "facts", "words", "names")


def told(data: Any, is_text: bool = False) -> Iterator[str]:
    """The texts in tables that people read."""
    if isinstance(data, str) and is_text:
        yield data
    elif isinstance(data, (dict, list)):
        for name, child in data.items() if isinstance(data, dict) else ((None, child) for child in data):
            yield from told(child, is_text or name in TOLD)


@pytest.mark.parametrize("key", NAMES)
def test_what_a_player_reads_is_in_his_language(key: str) -> None:
    """In page, handbook, template, mail and order writer no word is left untranslated but names."""
    game = begun(key)
    spec: Any = game.spec
    *_, turn = game.turns("languages", 4)
    with spoken(key):
        translate = translator(key, LANGUAGE)
        turn = replace(
            turn, languages=dict.fromkeys(turn.after.parties, LANGUAGE), keys=dict.fromkeys(turn.keys, KEY)
        )
        code = game.parties(turn.after)[0]
        called = spec.names(game.table, turn.after)
        names = [*filter(str.isupper, called), *(name for name in called.values() if translate(name) == name)]
        words = " ".join(
            (GAME, KEY, spec.title, NAMES[key], "gm UTC yaml true false all", *turn.keys, *names)
        ).lower()
        words_kept = set(re.findall("[a-z]+", words))
        files = {name: data.decode() for name, data in spec.reports(game.table, turn).items()}
        page = files[f"results/{code}.html"]
        template = files[f"next/{code}.yaml"]
        guide = spec.handbook(game.table, turn.before, LANGUAGE)
        assert '<html lang="xx">' in page
        assert '<html lang="xx">' in guide
        tables = re.findall(r'<script type="application/json" id="writer-data">(.*?)</script>', page)
        left = {
            "page": untold(page, words_kept),
            "handbook": untold(guide, words_kept),
            "template": ours(" ".join(REMARK.findall(template)), words_kept),
            "mail": set(
                chain.from_iterable(ours(text, words_kept) for text in spec.digests(game.table, turn)[code])
            ),
            "writer": {
                word
                for table in tables
                for text in told(json.loads(table))
                for word in ours(text, words_kept)
            },
        }
        assert not any(left.values()), left
        assert game.read(template.encode(), code, turn.after).sheet is not None


def test_provinces_have_their_german_names_in_reports_and_order_files() -> None:
    game = begun("conqueror")
    turn = next(game.turns("names", 1))
    turn = replace(turn, languages=dict.fromkeys(turn.after.parties, "de"))
    page = dict(game.spec.reports(game.table, turn))["results/DANE.html"].decode()
    assert "Dänemark" in page
    assert not re.search(
        "Denmark|East Anglia|Bohemia", re.sub("<script.*?</script>", "", page, flags=re.DOTALL)
    )
    head = f"game: {GAME}\nturn: {game.spec.quoted(game.state)}\nplayer: wess\nkey: {KEY}\n"
    reading = game.read(f"{head}moves: [Wessex -> Mercien]\n".encode(), "WESS")
    assert reading.diagnostics == ()
    assert reading.sheet is not None
    assert reading.sheet.orders.moves[0].target == "MERC"
