"""Before a game of ``pbem play`` and after it: the choice of a realm, a reign's end, its chronicle and the
scores.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from gm.cli import play
from gm.cli.session import open_campaign
from gm.game.values import TurnResult
from gm.games.medieval.spec import SPEC
from gm.play.opening import Choice, Difficulty, Level, Opening, difficulties, levels
from gm.play.reign import is_closed, own_seat, solo_game, solo_games
from gm.play.server import playing_again
from gm.store.deadlines import NEVER
from tests.commands import command
from tests.play.asking import HOST, TOKEN, Answer, Window, call, window
from tests.play.test_play import AT, sheet

SOLO = ("--map", "minsk", "--play", "NOV", "--bots", "--every", "none", *AT)


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of one player before its first turn; not to be changed."""
    folder = tmp_path_factory.mktemp("solo") / "begun"
    command("new", folder, *SOLO)
    return folder


@pytest.fixture
def solo(begun: Path, tmp_path: Path) -> Window:
    """The same, to play on."""
    return window(Path(shutil.copytree(begun, tmp_path / "solo")), "NOV")


@pytest.fixture
def opening(tmp_path: Path) -> Iterator[Opening]:
    options = {"folder": tmp_path / "chosen", "language": None, "every": NEVER}
    with click.Context(play.command, info_name="play"):
        yield play.opening_of(SPEC, options, Choice(map="minsk", realm="", level="mixed"))


@pytest.fixture
def asked(opening: Opening, tmp_path: Path) -> Callable[..., Answer]:
    app = playing_again(opening, lambda: play.table_of(tmp_path / "chosen"), TOKEN, HOST, play.told, None)

    def ask(method: str, path: str, body: str = "", query: str = "") -> Answer:
        return call(app, method, f"/{TOKEN}/{path}", body.encode(), query=query)

    return ask


# -- the choice ----------------------------------------------------------------------------------------------


def test_every_realm_can_be_chosen_with_what_is_known_of_it(asked: Callable[..., Answer]) -> None:
    text = asked("GET", "").text
    assert re.findall(r'name="?realm"? value="?(\w+)', text) == ["LIT", "NOV", "POL", "TEU"]
    assert re.findall(r'name="?level"? value="?(\w+)', text) == ["mixed", "page", "squire", "knight", "king"]
    difficulty = difficulties("medieval")["minsk"]
    assert f"Wins {difficulty.realms['NOV'].first}% of games" in text
    assert f"From {difficulty.games} games between bots" in text
    assert "pbem " not in text, "no command is named where one only presses Play"
    assert 'class="u-NOV"' in text, "the map is there"
    assert "No game has been played here yet." in text
    assert "map=europe-1320" in text
    assert 'data-map="hexland"' in asked("GET", "", query="map=hexland").text
    assert 'data-map="minsk"' in asked("GET", "", query="map=%3Cscript%3E").text


def test_what_was_chosen_begins_and_is_played_from_then_on(
    asked: Callable[..., Answer], tmp_path: Path
) -> None:
    answer = asked("POST", "begin", json.dumps({"map": "minsk", "realm": "TEU", "level": "page"}))
    assert answer.data == {"go": True}
    assert "You play the Teutonic Order." in asked("GET", "").text
    campaign = open_campaign(tmp_path / "chosen")
    assert {seat.code: seat.bot for seat in campaign.seats} == {
        "LIT": "page",
        "NOV": "page",
        "POL": "page",
        "TEU": "",
    }
    assert campaign.folder.settings.deadline.never


@pytest.mark.parametrize(
    "body",
    [
        "",
        "nonsense",
        '{"map": "minsk"}',
        '{"map": "minsk", "realm": "", "level": "mixed"}',
        '{"map": "minsk", "realm": "ENG", "level": "mixed"}',
        '{"map": "../minsk", "realm": "TEU", "level": "mixed"}',
        '{"map": "minsk", "realm": "TEU", "level": "program:rm"}',
    ],
)
def test_what_cannot_be_chosen_begins_nothing(
    asked: Callable[..., Answer], tmp_path: Path, body: str
) -> None:
    answer = asked("POST", "begin", body)
    assert (answer.status, answer.data) == (409, {"says": "Choose a realm first.", "stale": False})
    assert not (tmp_path / "chosen").exists()


@pytest.mark.parametrize(
    ("game", "board", "numbers"),
    [
        ("medieval", "minsk", []),
        ("conquest-fields", "squares4-6x6", []),
        ("conquest-structures", "cross-21", [2, 3, 4]),
        ("conquest-structures", "symmetric", [2, 3, 4, 5, 6]),
        ("conquestination", "test-5", [2, 3]),
        ("conqueror", "duchies", [2]),
        ("conqueror", "europe859", [2, 3, 4, 5, 6, 7, 8]),
    ],
)
def test_how_many_play_is_offered_where_a_map_takes_different_numbers(
    asked: Callable[..., Answer], game: str, board: str, numbers: list[int]
) -> None:
    """Item 35: a link for each number; who can be chosen, and how many opponents there are, follow it."""
    offered = numbers if len(numbers) > 1 else []
    for number in (0, *offered[:2]):
        text = asked("GET", "", query=f"game={game}&map={board}&players={number}").text
        assert [int(number) for number in re.findall(r"players=(\d+)", text)] == offered
        if not number:
            continue
        assert f'data-players="{number}"' in text or f"data-players={number}" in text
        seats = re.findall(r'name="?realm"? value="?(\w+)', text)
        # Conqueror! gives the home that is asked for, and draws the others
        assert len(seats) == (8 if game == "conqueror" else number)
        assert ("Your opponent" in text) is (number == 2)


@pytest.mark.parametrize(
    ("choice", "seats"),
    [
        ({"game": "conquestination", "map": "test-5", "realm": "GREEN", "level": "mixed", "players": 3}, 3),
        (
            {
                "game": "conquest-structures",
                "map": "cross-21",
                "realm": "RED",
                "level": "person",
                "players": 2,
            },
            2,
        ),
        ({"game": "conqueror", "map": "europe859", "realm": "WESS", "level": "mixed", "players": 4}, 4),
    ],
)
def test_a_game_begins_with_as_many_players_as_were_chosen(
    asked: Callable[..., Answer], tmp_path: Path, choice: dict[str, Any], seats: int
) -> None:
    """Item 35: those whom nobody plays are the programs'."""
    for wrong in (1, 9, 77):
        assert asked("POST", "begin", json.dumps(choice | {"players": wrong})).status == 409
    assert asked("POST", "begin", json.dumps(choice)).data == {"go": True}
    seats_filled = [seat for seat in open_campaign(tmp_path / "chosen").seats if seat.played or seat.bot]
    assert len(seats_filled) == seats
    mine = {seat.code for seat in seats_filled if not seat.bot}
    assert choice["realm"] in mine
    assert len(mine) == (2 if choice["level"] == "person" else 1)


def test_only_the_page_itself_may_choose(opening: Opening, tmp_path: Path) -> None:
    app = playing_again(opening, lambda: play.table_of(tmp_path / "chosen"), TOKEN, HOST, play.told, None)
    assert call(app, "POST", "/other/begin", b"{}").status == 404
    assert call(app, "POST", f"/{TOKEN}/begin", b"{}", {"origin": "http://evil.example"}).status == 404


def test_a_level_that_would_think_for_too_long_is_not_offered() -> None:
    difficulty = Difficulty(thinking={"mixed": 0.01, "page": 0.5, "king": 4.0, "unknown": 1.0}, turn=1.0)
    levels_by_name = {level.name: level for level in levels(SPEC, difficulty, 22)}
    assert list(levels_by_name) == ["mixed", "page", "king"]
    assert levels_by_name["page"].seconds == 12.0
    assert [level.offered for level in levels_by_name.values()] == [True, True, False]
    assert [level.name for level in levels(SPEC, Difficulty(), 3)] == ["mixed"]
    assert Level(name="x", about="", seconds=60).offered


@pytest.mark.slow
def test_what_is_known_of_maps_is_of_all_their_realms() -> None:
    for name, difficulty in difficulties("medieval").items():
        table = SPEC.shipped_table(name)
        assert sorted(difficulty.realms) == sorted(table.board.realms)
        assert difficulty.run.startswith(f"pbem simulate --map {name} ")
        assert f"--games {difficulty.games} " in difficulty.run
        assert list(difficulty.thinking) == ["mixed", "page", "squire", "knight", "king"]
    assert difficulties("conquest-fields") == {}


# -- the end -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_reign_is_laid_down_told_and_taken_up_again(solo: Window) -> None:
    early = call(solo.app, "GET", f"/{TOKEN}/chronicle")
    assert (early.status, early.text) == (409, "The chronicle is written when the reign is over.")
    after = solo.done("play", sheet(solo.folder, "NOV"))
    assert 'id="play-close"' in after.page().text
    after.done("close")
    assert is_closed(open_campaign(solo.folder))
    page = after.page().text
    assert "Your reign is over: read its chronicle, or play on." in page
    assert 'href="chronicle"' in page
    chronicle = call(solo.app, "GET", f"/{TOKEN}/chronicle").text
    assert "<strong>Novgorod: laid down</strong>, after turn 1." in chronicle
    assert "script-src 'none'" in chronicle
    later = after.done("play", sheet(solo.folder, "NOV"))
    assert not is_closed(open_campaign(solo.folder))
    assert call(solo.app, "GET", f"/{TOKEN}/chronicle").status == 409
    later.done("close")
    later.done("undo")
    assert not is_closed(open_campaign(solo.folder))


@pytest.mark.slow
def test_the_chronicle_tells_what_was_won_lost_and_fought(solo: Window) -> None:
    page = solo
    for _ in range(3):
        page = page.done("play", page.ask("hint").data["text"])
    page.done("close")
    campaign = open_campaign(page.folder)
    chronicle = call(page.app, "GET", f"/{TOKEN}/chronicle").text
    lines = list[str]()
    for turn in (1, 2, 3):
        before = campaign.state_after(turn - 1)
        after = campaign.state_after(turn)
        result = TurnResult(game="solo", before=before, after=after, events=campaign.logged(turn))
        lines += SPEC.turn_story(campaign.table, result, "NOV").own
        assert SPEC.turn_story(campaign.table, result).own == ()
    assert lines
    for line in lines:
        assert f"<li>{line}" in chronicle
    assert "The same in figures: Gold" in chronicle


def test_the_command_ends_a_reign_and_says_the_score(solo: Window) -> None:
    solo.done("play", sheet(solo.folder, "NOV"))
    output = command("play", solo.folder, "--end").output
    assert "The chronicle of your reign is in" in output
    assert re.search(r"Score \d+, where 100 is the average: number 1 of 1 game here\.", output)
    assert "laid down" in (solo.folder / "chronicle.html").read_text("utf-8")
    assert oct((solo.folder / "chronicle.html").stat().st_mode)[-3:] == "600"
    again = command("play", solo.folder, "--end").output
    assert again == output
    with pytest.raises(AssertionError, match="There is no game in"):
        command("play", solo.folder.parent / "nowhere", "--end")


@pytest.mark.slow
def test_scores_are_read_from_the_games_and_whatever_else_lies_there_is_left_out(
    solo: Window, begun: Path
) -> None:
    around = solo.folder.parent
    solo.done("play", sheet(solo.folder, "NOV")).done("close")
    shutil.copytree(begun, around / "going")
    broken = Path(shutil.copytree(begun, around / "broken"))
    (broken / "turns/turn-00/state.json").write_bytes(b"\x00")
    odd = Path(shutil.copytree(begun, around / "odd"))
    (odd / "game.yaml").write_text("[", "utf-8")
    (around / "empty").mkdir()
    (around / "foreign").mkdir()
    (around / "foreign/game.yaml").write_text("title: somebody else's\n", "utf-8")
    command(
        "new", around / "friends", "--map", "minsk", "--play", "LIT", "--play", "POL", "--bots", *SOLO[5:]
    )
    command("new", around / "mailed", "--map", "minsk", "--player", "LIT=a@example.org", "--bots", *AT)
    games = solo_games(around, play.look)
    assert {game.folder: (game.realm, game.level, game.turns, game.result, game.over) for game in games} == {
        "going": ("Novgorod", "mixed", 0, "going on", False),
        "solo": ("Novgorod", "mixed", 1, "laid down", True),
    }
    assert games[0].average >= games[1].average > 0
    assert solo_games(around / "nowhere", play.look) == []
    assert own_seat(play.look(around / "friends")) is None


@pytest.mark.parametrize("code", ["RED", "GREEN"])
def test_a_game_that_is_over_says_who_won(code: str, tmp_path: Path) -> None:
    folder = tmp_path / "duel"
    board = ("--game", "conquest-fields", "--map", "training-victory")
    command("new", folder, *board, "--play", code, "--bots", "greedy", "--every", "none", *AT)
    page = window(folder, code)
    for _ in range(12):
        if open_campaign(folder).winners is not None:
            break
        assert page.ask("play", page.ask("hint").data["text"]).status == 200
        page = page.evolve(turn=open_campaign(folder).next_turn)
    campaign = open_campaign(folder)
    assert campaign.winners is not None
    game = solo_game(campaign)
    assert game is not None
    assert game.over
    assert game.result.startswith(("won", "drawn"))
    assert game.level == "greedy"
    chronicle = call(page.app, "GET", f"/{TOKEN}/chronicle").text
    assert game.result in chronicle
    assert 'href="chronicle"' in page.page().text
