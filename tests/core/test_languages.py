"""Other languages: catalogues are complete, compiled as they stand, and reach the player who wants them."""

import io
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from gm import resources
from gm.games import GAMES
from gm.resources import resource
from gm.text.languages import SHARED, languages_of, translator
from gm.text.pages import environment
from tests import messages
from tests.renaming import rename, renamings

CATALOGUES = [(key, language) for key in (SHARED, *GAMES) for language in messages.catalogues(key)]


@pytest.mark.parametrize(("key", "language"), CATALOGUES)
def test_a_catalogue_is_complete_and_compiled_from_what_stands_there(key: str, language: str) -> None:
    path = messages.catalogues(key)[language]
    catalogue = messages.updated(path, language, messages.messages(key))
    lost = [
        f"translation missing: {message.id}"
        for message in catalogue
        if message.id and not messages.is_translated(message)
    ]
    assert not lost, "\n".join(
        [*lost, f"fill it in in {path}, or change sentences by python -m tests.messages --rename"]
    )
    assert messages.po_bytes(catalogue) == path.read_bytes(), "run python -m tests.messages"
    assert messages.mo_bytes(catalogue) == path.with_name("messages.mo").read_bytes(), (
        "run python -m tests.messages"
    )


@pytest.mark.parametrize(("key", "language"), CATALOGUES)
def test_a_translation_fills_in_the_same_figures(key: str, language: str) -> None:
    import re

    path = messages.catalogues(key)[language]
    for message in messages.updated(path, language, messages.messages(key)):
        if message.id:
            expected, fields = (
                set(re.findall(r"{(\w+)", str(text))) for text in (message.id, message.string)
            )
            assert fields == expected, message.id


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
    folder = tmp_path / "rules" / "tiny" / "locale" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    own = Catalog(locale="de")
    own.add("knight", "Ritter")
    (folder / "messages.mo").write_bytes(messages.mo_bytes(own))
    monkeypatch.setattr(resources, "_ROOTS", [*resources._ROOTS, tmp_path])
    languages_of.cache_clear()
    translator.cache_clear()
    translate = translator("tiny", "de")
    assert (translate("knight"), translate("Dice"), translate("pawn")) == ("Ritter", "Würfel", "pawn")
    languages_of.cache_clear()
    translator.cache_clear()


def test_a_sentence_is_changed_in_all_places_and_keeps_its_translation(tmp_path: Path) -> None:
    """A renaming reaches templates, rules and code, keeps the German, and tells what it found nowhere."""
    sources = {
        "templates/one.html": "<p>The price was\n   1 of 5 ships.</p>",
        "rules/two.yaml": "says: 'It''s so: the price was 1 of 5 ships.'\n",
        "gm/three.py": 'say("The price was 1 of 5 ships.")\n',
    }
    for name, text in sources.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    catalogue = Catalog(locale="de", fuzzy=False)
    catalogue.add("The price was 1 of 5 ships.", "Es kostete eins von fünf Schiffen.")
    catalogue.add("Well. The price was 1 of 5 ships. So?", "Nun. Es kostete eins von fünf Schiffen. Und?")
    catalogue.add(
        ("One. The price was 1 of 5 ships.", "{n}. The price was 1 of 5 ships."), ("Eins.", "{n} davon.")
    )
    po = tmp_path / "messages.po"
    po.write_bytes(messages.po_bytes(catalogue))
    (tmp_path / "list.yaml").write_text(
        "- {old: The price was 1 of 5 ships., new: It cost one of the five ships.}\n"
        "- {old: nobody says this anywhere, new: nor this}\n"
    )
    lines = list(rename(tmp_path, renamings(tmp_path / "list.yaml"), {po: "de"}))
    assert lines == [
        "2 places: The price was 1 of 5 ships.",
        "FOUND NOWHERE, edit it by hand: nobody says this anywhere",
    ]
    assert (tmp_path / "templates" / "one.html").read_text() == "<p>It cost one of the five ships.</p>"
    assert (tmp_path / "rules" / "two.yaml").read_text() == sources[
        "rules/two.yaml"
    ]  # another sentence: a small letter
    after = read_po(io.BytesIO(po.read_bytes()), locale="de")
    assert after.get("It cost one of the five ships.").string == "Es kostete eins von fünf Schiffen."
    assert after.get("Well. It cost one of the five ships. So?").string.startswith("Nun.")
    assert after.get("One. It cost one of the five ships.").string == ("Eins.", "{n} davon.")


def test_a_short_message_is_changed_only_where_it_is_whole(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    lines = (
        '<dt>{{ _("Sold out") }}</dt>',
        "<dt>Sold out</dt>",
        '{{ _("Sold out: {0}.") }}',
        "Sold out, with new dice",
    )
    source = tmp_path / "templates" / "one.html"
    source.write_text("\n".join(lines))
    (tmp_path / "list.yaml").write_text("- {old: Sold out, new: None left}\n")
    assert list(rename(tmp_path, renamings(tmp_path / "list.yaml"), {})) == ["2 places: Sold out"]
    changed = ['<dt>{{ _("None left") }}</dt>', "<dt>None left</dt>"]
    assert source.read_text().splitlines() == [*changed, *lines[2:]]


def test_a_sentence_does_not_lose_a_figure(tmp_path: Path) -> None:
    (tmp_path / "list.yaml").write_text("- {old: 'costs {gold}', new: 'is dear'}\n")
    with pytest.raises(ValueError, match="do not fill in the same figures"):
        renamings(tmp_path / "list.yaml")
