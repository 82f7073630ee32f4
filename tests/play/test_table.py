"""``pbem play`` without a browser: items 35 and 36 (rolls, advice, ends, another game, who is thinking)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from gm.cli import play
from gm.cli.play import table_of
from gm.cli.session import open_campaign
from gm.game.answers import Advice
from gm.games import GAMES, game_spec
from gm.games.medieval.spec import SPEC
from gm.play.advice import most_important
from gm.play.opening import PERSON, Choice, Difficulty, levels
from gm.play.programs import adviser_of
from gm.play.server import playing_again
from gm.store.deadlines import NEVER
from tests.commands import command
from tests.examples import sweep
from tests.play.asking import HOST, TOKEN, call, window
from tests.play.test_play import AT, OTHERS, begun, sheet, table  # noqa: F401 - fixtures

STRONGEST = {
    "conquest-structures": "marshal",
    "conquest-fields": "master",
    "conquestination": "general",
    "conqueror": "steward",
}


def test_the_strongest_program_gives_advice() -> None:
    """Item 35: of those that think longer the last, else the one that a game names."""
    for key, name in STRONGEST.items():
        spec = game_spec(key)
        assert adviser_of(spec) == name
    assert adviser_of(SPEC) == list(SPEC.thinkers)[-1]


def test_of_many_orders_the_three_that_matter_most_come_first() -> None:
    """Issue 39, item 4: what only serves another order is none of them, and of few all are read."""
    orders = [Advice(line, 1, f"{line}.", "", weight) for line, weight in enumerate([0, 1, 3, 2, 3, 0])]
    assert [advice.line for advice in most_important(orders)] == [2, 4, 3]
    assert [advice.line for advice in most_important(orders[:4])] == [2, 3, 1]
    assert most_important(orders[:3]) == []
    assert most_important(orders[5:] * 5) == []


@pytest.mark.parametrize("game", sweep(["medieval", "conqueror", "conquestination"], "conqueror"))
def test_a_hint_says_first_what_matters_most(game: str, table: Callable[..., Path]) -> None:  # noqa: F811
    """Issue 39, item 4: at most three, each one of the orders below, with its reason."""
    seat, options = OTHERS.get(game, ("POL", ("--map", "minsk")))
    page = window(table("--game", game, *options, "--play", seat, "--bots"), seat)
    hint = page.ask("hint").data["html"]
    every = re.findall(r"<li>(<strong>.*?) <span", hint)
    foremost, is_long, _ = hint.rpartition("All orders")
    hints = re.findall(r"<li>(<strong>.*?</strong> .*?)(?=<button|</li>)", foremost)
    assert bool(is_long) == (len(every) > 3)
    assert (1 <= len(hints) <= 3) == bool(is_long)
    assert set(hints) <= set(every)


@pytest.mark.parametrize("game", sweep(GAMES, "conqueror", "conquest-fields"))
def test_advice_is_in_words_and_says_why(game: str, table: Callable[..., Path]) -> None:  # noqa: F811
    """Item 35: each order in words, with a sentence of reason, and no line of a file."""
    seat, options = OTHERS.get(game, ("POL", ("--map", "minsk")))
    page = window(table("--game", game, *options, "--play", seat, "--bots"), seat)
    hint = page.ask("hint").data
    items = re.findall(r"<li>(.*?) <span", hint["html"])
    assert items
    for line in items:
        assert re.fullmatch(r"<strong>[^<{]+\.</strong> [^<{]+\.", line), line


def test_whoever_gives_no_orders_is_asked_once(begun: Callable[..., Path]) -> None:  # noqa: F811
    """Item 35: in every game, and not when there are some."""
    for game in ("medieval", "conquestination", "conqueror", "conquest-structures"):
        seat, options = OTHERS.get(game, ("POL", ("--map", "minsk")))
        page = window(begun("--game", game, *options, "--play", seat, "--bots"), seat)
        answer = page.ask("check", sheet(page.folder, seat)).data
        assert answer["doubt"] == "You have given no orders. Press again to play without any.", game


@pytest.mark.slow
def test_the_server_says_who_is_thinking(table: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    """Item 35: by name, for whom, and how far."""
    folder = table("--map", "minsk", "--play", "POL", "--bots", "raider")
    here = table_of(folder)
    doings = list[str]()
    plays = here._lent.play

    def played(*arguments: object) -> object:
        doings.append(here.doing)
        return plays(*arguments)

    monkeypatch.setattr(
        "gm.play.table.bots_of", lambda spec, _: lambda name: doings.append(here.doing) or spec.bots[name]
    )
    here._lent = here._lent.evolve(play=played)
    here.play("POL", 1, sheet(folder, "POL").encode())
    assert doings[0] == "raider thinks for Lithuania: 1 of 3."
    assert doings[2].endswith(": 3 of 3.")
    assert doings[-1] == "The turn has been played, and its reports are written."
    assert here.doing == ""


@pytest.mark.parametrize(
    ("words", "mode"),
    [
        (("--play", "RED", "--bots", "--set", "players=4"), "single"),
        (("--play", "RED", "--play", "BLUE", "--bots", "--set", "players=3"), "single"),
        (("--player", "RED=a@example.org", "--player", "BLUE=b@example.org"), "single"),
        (("--player", "RED=a@example.org", "--bots", "--set", "players=4"), "round"),
        (("--play", "RED", "--play", "BLUE", "--play", "GREEN"), "round"),
        (("--play", "RED", "--bots", "--set", "mode=round"), "round"),
        (("--bots",), "round"),
    ],
)
def test_one_or_two_play_turn_by_turn(words: tuple[str, ...], mode: str, tmp_path: Path) -> None:
    """Item 36: alone at a table or for two, if nobody says otherwise."""
    command("new", tmp_path / "game", "--game", "conquestination", *words, *AT)
    assert open_campaign(tmp_path / "game").state.settings.mode == mode


def test_another_game_is_chosen_and_begun_in_a_folder_of_its_own(tmp_path: Path) -> None:
    """Item 35: play again, another board, colour, opponent and level, or against somebody at the table."""
    folder = tmp_path / "solo"
    command("new", folder, "--map", "minsk", "--play", "POL", "--bots", "--every", "none", *AT)
    options = {"folder": folder, "language": "en", "every": NEVER}
    with click.Context(play.command, info_name="play"):
        opening = play.opening_of(SPEC, options, Choice(map="minsk", realm="", level="mixed"))
        first = table_of(folder)
        app = playing_again(opening, lambda: table_of(options["folder"]), TOKEN, HOST, play.told, first)
        assert "You play Poland." in call(app, "GET", f"/{TOKEN}/").text
        page = call(app, "GET", f"/{TOKEN}/again", query="game=conquest-fields").text
        assert "Choose whom you play" in page
        assert 'value="person"' in page or "value=person" in page
        chosen = '{"game": "conquest-fields", "map": "squares4-6x6", "realm": "GREEN", "level": "person"}'
        assert call(app, "POST", f"/{TOKEN}/begin", chosen.encode()).data == {"go": True}
        assert "You play Red." in call(app, "GET", f"/{TOKEN}/").text
    seats = open_campaign(tmp_path / "solo-2").seats
    assert {(seat.code, seat.played, seat.bot) for seat in seats} == {("RED", True, ""), ("GREEN", True, "")}


def test_levels_of_games_that_nobody_measured_are_their_programs() -> None:
    """Item 35: one opponent is a program of a level, or a person; several may be of different tempers."""
    names = [level.name for level in levels(game_spec("conquest-fields"), Difficulty(), 1, person=True)]
    assert names == ["random", "greedy", "minimax", "veteran", "master", PERSON]
    assert levels(game_spec("conqueror"), Difficulty(), 7)[0].name == "mixed"
