"""Other languages: catalogues are complete, compiled as they stand, and reach the player who wants them."""

from pathlib import Path

import pytest

from gm import resources
from gm.games import GAMES
from gm.resources import resource
from gm.text.languages import SHARED, languages_of, translator
from gm.text.pages import environment
from tests import messages

CATALOGUES = [(key, language) for key in (SHARED, *GAMES) for language in messages.catalogues(key)]


@pytest.mark.parametrize(("key", "language"), CATALOGUES)
def test_a_catalogue_is_complete_and_compiled_from_what_stands_there(key: str, language: str) -> None:
    path = messages.catalogues(key)[language]
    catalogue = messages.updated(path, language, messages.messages(key))
    assert [each.id for each in catalogue if each.id and not each.string] == []
    assert messages.po_bytes(catalogue) == path.read_bytes(), "run python -m tests.messages"
    assert messages.mo_bytes(catalogue) == path.with_name("messages.mo").read_bytes(), "run python -m tests.messages"


@pytest.mark.parametrize(("key", "language"), CATALOGUES)
def test_a_translation_fills_in_the_same_figures(key: str, language: str) -> None:
    import re

    path = messages.catalogues(key)[language]
    for each in messages.updated(path, language, messages.messages(key)):
        if each.id:
            wanted, found = (set(re.findall(r"{(\w+)", str(text))) for text in (each.id, each.string))
            assert found == wanted, each.id


def test_every_letter_can_be_filled_in_in_every_language() -> None:
    for key, language in CATALOGUES:
        for path in sorted(resource("templates", "mail").glob("*.txt")):
            environment(key, language, markup=False).get_template(f"mail/{path.name}")


def test_an_unknown_language_is_english() -> None:
    assert languages_of("no such game") == ("en",)
    assert translator(SHARED, "xx")("Dice") == "Dice"
    assert translator(SHARED, "en")("Dice") == "Dice"
    assert translator(SHARED, "de")("Dice") == "Würfel"
    assert translator(SHARED, "de")("what nobody has translated") == "what nobody has translated"


def test_a_game_falls_back_on_the_kernels_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from babel.messages.catalog import Catalog

    folder = tmp_path / "rules" / "tiny" / "locale" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    own = Catalog(locale="de")
    own.add("knight", "Ritter")
    (folder / "messages.mo").write_bytes(messages.mo_bytes(own))
    monkeypatch.setattr(resources, "_ROOTS", [*resources._ROOTS, tmp_path])
    languages_of.cache_clear()
    translator.cache_clear()
    say = translator("tiny", "de")
    assert (say("knight"), say("Dice"), say("pawn")) == ("Ritter", "Würfel", "pawn")
    languages_of.cache_clear()
    translator.cache_clear()
