"""Questions about odds that have no answer are refused in German, also without a game in a folder."""

from pathlib import Path

import pytest

from gm.games import game_spec
from tests.commands import command

Games = dict[str, Path]

MEMBERS = {"conqueror": "WESS", "conquestination": "RED", "medieval": "LIT"}
"""By game: whose results are asked about."""
TYPED = {
    "medieval": [
        (("30 Longbowmen",), "Eine Schlacht braucht zwei Streitmächte mit 'vs' dazwischen, etwa"),
        (("3 Archers vs 1 Archers rank 9",), "Eine Reihe ist eine Zahl von 1 bis 5, nicht 9."),
        (("3 Archers vs A1",), "A1 ist eine Einheit eines Spiels: Sag mit --results oder --game"),
        (("--sea", "3 Archers vs 1 Archers"), "Auf See braucht jede Einheit Schiffe."),
        (("-f", "99", "3 Archers vs 1 Archers"), "Befestigungen haben die Stufen 1 bis"),
        (("3 Archrs vs 1 Archers",), "Kein Truppentyp heißt 'Archrs': meintest du 'Archers'?"),
    ],
    "conqueror": [
        (("8 vs",), 'Schreib, wer angreift und wer verteidigt, etwa "8 vs 5", "4 and 6 vs 5" oder mit'),
        (("8 vs 999",), "Die Aussichten werden für höchstens 300 Armeen auf einer Seite berechnet."),
        (("-f", "9", "8 vs 5"), "Es gibt keine Werke der Stufe 9, sondern 1 Fort, 2 "),
    ],
    "conquestination": [
        (("9 against 3",), 'Schreib es wie eines von diesen: "9 vs 10"'),
        (("9 vs 999",), "Eine Streitmacht hat 1 bis 400 Einheiten."),
        (("A1 vs B1",), "Länder brauchen eine Stellung (--results FILE, --game FOLDER); ohne eine"),
    ],
}
"""By game: forces that are typed without a position, and what is said of them."""
ASKED = {
    "medieval": [
        (("--march", "A99:Minsk"), "Es gibt keine Einheit 'A99' mit Truppen"),
        (("--march", "LIT/G1:Minsk"), "LIT/G1 ist eine Garnison: Sie bleibt, wo sie ist."),
        (("--at", "Atlantis"), "Kein Ort dieser Karte heißt 'Atlantis'"),
        (("--at", "Minsk"), "In Minsk gibt es keine Schlacht, denn dort ist niemand mit jemandem im Krieg"),
    ],
    "conqueror": [
        (("--march", "WESS:NOWHERE"), "Keine Provinz heißt 'NOWHERE'"),
        (("--march", "WESS:BULG"), "WESS liegt nicht neben BULG; daneben liegen "),
    ],
    "conquestination": [
        (("--march", "A1:Z9"), "Kein Land heißt 'Z9'"),
        (("--march", "A1:A1"), "ist kein Nachbar von A1"),
    ],
}
"""By game: questions about a position, and what is said of them."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Games:
    """A new game of each kind, by its key."""
    top = tmp_path_factory.mktemp("games")
    for key in MEMBERS:
        command("new", top / key, "--game", key)
    return {key: top / key for key in MEMBERS}


def refused(*words: object) -> str:
    """Return what is said in German of a question that is refused, on one line."""
    return " ".join(command("--language", "de", "odds", *words, code=2).output.split())


def test_forces_that_are_typed_are_refused_in_the_language(games: Games) -> None:
    """With the map of a game, with the game, and with a player's results."""
    for key, member in MEMBERS.items():
        results = games[key] / "turns" / "turn-00" / "results" / f"{member}.yaml"
        map_name = game_spec(key).default_map
        for words, says in TYPED[key]:
            assert says in refused(*words, "--map", map_name)
        for words, says in TYPED[key][:2]:
            assert says in refused(*words, "--game", games[key])
            assert says in refused(*words, "--results", results)


def test_questions_about_a_position_are_refused_in_the_language(games: Games) -> None:
    """With the game, and with a player's results."""
    for key, member in MEMBERS.items():
        results = games[key] / "turns" / "turn-00" / "results" / f"{member}.yaml"
        for words, says in ASKED[key]:
            assert says in refused(*words, "--game", games[key])
            assert says in refused(*words, "--results", results)
