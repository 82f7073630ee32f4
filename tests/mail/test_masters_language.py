"""The game master's language is one setting, ``language`` in game.yaml, for letters, summary and commands."""

import json
import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from gm.core.diagnostics import says
from gm.mail.results import notify_waiting
from gm.mail.service import Service
from gm.mail.week import Guard, Waits
from gm.resources import resource
from gm.text.languages import translator
from tests.commands import command
from tests.mail.office import NOW, Office, flat, mail
from tests.mail.shapes.pieces import PLAIN, sample
from tests.messages import messages_of

MASTER = "master@example.org"
FOR_THE_GM = ("guesses", "hook-lost", "lost", "passed-on", "press-copy", "returned", "stray", "strangers")
FOR_THE_GM += ("trouble", "waits", "opening", "unknown-address")
"""The letters that a game sends to its master."""
SUMMARY = "turns/turn-01/summary.html"
PRECISE = "pbem "
"""How lines begin that are typed as they stand."""


@pytest.fixture
def german(office: Office) -> Office:
    """A game whose master reads German, and whose players read English."""
    office.edit("game.yaml", {"late: take": "language: de\nlate: take"})
    return office


def letters(office: Office) -> list[EmailMessage]:
    """Return the letters to the game master."""
    return [letter for letter in office.sent() if letter["To"] == MASTER]


def test_letters_to_the_game_master_are_in_his_language_and_the_players_in_theirs(german: Office) -> None:
    german.drop(mail(PLAIN, number="1", sender="anna@elsewhere.example"))
    german.drop(mail("hello", number="2", sender="nikita@example.org"))
    german.receive(sample("bounce-qmail"))
    texts = [flat(letter) for letter in letters(german)]
    said = (
        "Die Meldung nennt weder die Kennung eines Briefs dieses Spiels",
        "Ein Brief vom Spieler von Novgorod enthält keine Befehle: Er ist für dich.",
        "Befehle für Lithuania, Zug 1, kamen mit dem richtigen Schlüssel",
    )
    assert [words for words in said if not any(words in text for text in texts)] == []
    assert {letter["Content-Language"] for letter in letters(german)} == {"de"}
    others = [letter for letter in german.sent() if letter["To"] != MASTER]
    assert {letter["Content-Language"] for letter in others} == {None}
    assert "from" in flat(others[0])


def test_what_waits_is_told_in_it_with_its_reasons(german: Office) -> None:
    waits = (Waits(Guard.HOLD, says("the game is on hold: {0}", "12")),)
    notify_waiting(german.post, waits, NOW)
    german.post.queue(Service(german.post, NOW).opening_notice("TEU", "gm opening TEU", "missed"), NOW)
    waiting, opening = letters(german)
    assert waiting["Subject"].startswith("Zug 1 wartet auf dich")
    assert "das Spiel ruht: 12" in flat(waiting)
    assert "pbem deadline extend --hours 24" in flat(waiting)
    assert opening["Subject"].startswith("Ein freier Platz: Teutonic Order")


@pytest.mark.parametrize("name", FOR_THE_GM)
def test_each_of_these_letters_can_be_had_in_german(name: str) -> None:
    say = translator("game", "de")
    source = resource("templates", "mail", f"{name}.txt").read_text("utf-8")
    same = [text for text in messages_of(source, f"{name}.txt") if say(text) == text]
    assert [text for text in same if not text.startswith((PRECISE, "{{"))] == []


def test_a_new_game_has_its_makers_language_for_commands_and_summary(tmp_path: Path) -> None:
    german = tmp_path / "german"
    english = tmp_path / "english"
    setup = ("--id", "game", "--play", "TEU", "--bots", "conqueror", "--every", "none", "--seed", "1")
    command("--language", "de", "new", german, *setup, "--key-secret", "1")
    command("new", english, *setup, "--key-secret", "1")
    for folder in (german, english):
        command("turn", "--game", folder, "--missing-ok")
    page = (german / SUMMARY).read_text("utf-8")
    assert '<html lang="de">' in page
    assert "Diese Seite zeigt, was die Reiche voreinander geheim halten" in page
    links = re.findall(r'href="(results/battles/[^"#]+|results/herald[^"#]+)"', page)
    assert links
    assert [link for link in links if not (german / "turns/turn-01" / link).is_file()] == []
    assert '<html lang="en">' in (english / SUMMARY).read_text("utf-8")
    plain = {(folder / SUMMARY).with_suffix(".txt").read_bytes() for folder in (german, english)}
    assert len(plain) == 1
    assert "Befehle da: 0 von 1. Es fehlen: TEU." in command("status", "--game", german).output
    assert "Orders" in command("--language", "en", "status", "--game", german).output
    assert "Orders" in command("status", "--game", english).output
    told = [json.loads(command("status", "--game", each, "--json").output) for each in (german, english)]
    assert told[0]["realms"] == told[1]["realms"]
    command("verify", "--game", german, "--replay")


def test_an_unknown_language_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    command("new", folder, "--play", "TEU", "--every", "none")
    path = folder / "game.yaml"
    path.write_text(path.read_text("utf-8").replace("late:", "language: deutsch\nlate:"), "utf-8")
    output = command("status", "--game", folder, code=2).output
    assert "'deutsch' is none of the languages en, de" in output
