"""A party's name within an English sentence has its article: "the Teutonic Order", in all games."""

import re
from itertools import chain

import pytest

from gm.core.diagnostics import said
from gm.game.base.events import Written
from gm.games import game_spec
from gm.games.medieval.orders.model import DeclareWar
from gm.games.medieval.orders.worded import sentence
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.resources import resource
from gm.text.languages import translator
from gm.text.names import subject, the, with_article
from gm.text.pages import environment
from tests.articles import names_with_article, without_article

FOLDERS = ("mail", "play", "desk", "cli", "site", "story", "game")
CODES = {"new.txt"}
"""Where a realm is its code."""
NAMES = "realm|name|who|author|readers|winners|whom|late|asked_name|seat.name|reader"
UNMARKED = re.compile(
    r"\b(?:of|to|from|for|by|with|play|plays)\s\{\{ "
    rf"(?:{NAMES})(?:\|listed(?:\([^)]*\))?|\|join\([^)]*\))? \}}\}}"
)
"""A name behind a preposition without the filter that gives it its article."""


def test_names_that_have_an_article_get_it_in_english_and_in_no_other_language() -> None:
    assert names_with_article() == ["Golden Horde", "Teutonic Order"]
    german = translator("game", "de")
    for name in names_with_article():
        assert with_article(name) == the(name) == f"the {name}"
        assert subject(name) == f"The {name}"
        assert said(the(name), german) == said(subject(name), german) == name
    assert the("Poland") == subject("Poland") == "Poland"
    assert the("") == ""


@pytest.mark.parametrize(("language", "text"), [("en", "the Teutonic Order"), ("de", "Teutonic Order")])
def test_templates_ask_for_a_names_article_in_their_language(language: str, text: str) -> None:
    template = environment("game", language, markup=False).from_string("{{ name|the }}")
    assert template.render(name="Teutonic Order") == text


def test_no_template_has_a_name_behind_a_preposition_without_asking() -> None:
    files = chain.from_iterable(resource("templates", folder).rglob("*.*") for folder in FOLDERS)
    texts = {
        path: path.read_text("utf-8")
        for path in files
        if path.suffix in (".txt", ".html") and path.name not in CODES
    }
    assert texts
    found = {path.name: UNMARKED.findall(text) for path, text in texts.items()}
    assert {name: places for name, places in found.items() if places} == {}


def test_an_order_in_words_names_each_realm_of_each_map_with_its_article() -> None:
    spec = game_spec("medieval")
    for name, folder in spec.maps().items():
        table = spec.shipped_table(name)
        world = spec.start(table, folder, None)
        formatter = MedievalFormatter(world, atlas=table.board)
        for code, realm in world.realms.items():
            order = DeclareWar(Written(1, 1, f"declare_war: {code}"), code)
            assert sentence(order, formatter).endswith(f" {with_article(realm.name)}")
            in_german = MedievalFormatter(world, translate=translator("medieval", "de"))
            assert "the " not in sentence(order, in_german)


def test_a_sentence_without_the_article_is_found() -> None:
    assert [*without_article("The orders of Teutonic Order are due.")] == ["of Teutonic Order"]
    assert [*without_article("Golden Horde has no A7.")] == ["Golden Horde has"]
    assert not [*without_article("Orders of the Teutonic Order. Teutonic Order: in. TEU Teutonic Order")]
