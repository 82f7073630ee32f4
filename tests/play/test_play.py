"""``pbem play`` without a browser: who may ask, the forecast, turns, back again, several on one chair,
five games.
"""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from gm.bots.registry import bot_named
from gm.cli.play import table_of, told
from gm.cli.serving import PORTS, listening_at, ports_of
from gm.cli.session import open_campaign
from gm.core.yaml.models import load_data
from gm.game.bots import bot_view
from gm.games import GAMES
from gm.play.practice import practice
from gm.play.server import application
from gm.store.disk import locked
from gm.store.folder import GameFolder
from gm.text.pages import gold
from tests.commands import command
from tests.examples import sweep
from tests.play.asking import HOST, TOKEN, Window, call, together, window

AT = ("--at", "2026-01-05 12:00", "--seed", "play", "--key-secret", "play")
OTHERS = {  # another game's seat, and options that make it small
    "conquest-structures": ("RED", ()),
    "conquest-fields": ("RED", ()),
    "conquestination": ("RED", ()),
    "conqueror": ("WESS", ("--set", "max_players=4")),
}


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Games at their start, each made once; not to be changed."""
    made: dict[tuple[object, ...], Path] = {}

    def begin(*words: object) -> Path:
        if words not in made:
            made[words] = tmp_path_factory.mktemp("begun") / "table"
            command("new", made[words], *words, *AT)
        return made[words]

    return begin


@pytest.fixture
def table(begun: Callable[..., Path], tmp_path: Path) -> Callable[..., Path]:
    """The same, to play on."""

    def copied(*words: object) -> Path:
        return Path(shutil.copytree(begun(*words), tmp_path / "table"))

    return copied


def sheet(folder: Path, seat: str, *lines: str) -> str:
    """The template of a seat's next orders with lines below it."""
    game = GameFolder(folder)
    return "\n".join(
        [(game.turn_path(game.newest_turn()) / "next" / f"{seat}.yaml").read_text("utf-8"), *lines, ""]
    )


# -- who may ask ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "heads"),
    [
        ("/", {}),
        ("/a-tokem/", {}),
        (f"/{TOKEN}", {}),
        (f"/{TOKEN}/", {"host": "evil.example:8000"}),
        (f"/{TOKEN}/", {"host": "localhost:8000"}),
        (f"/{TOKEN}/", {"origin": "http://evil.example"}),
        (f"/{TOKEN}/", {"origin": "null"}),
        (f"/{TOKEN}/", {"origin": "http://127.0.0.1:8001"}),
        (f"/{TOKEN}/", {"sec-fetch-site": "cross-site"}),
        (f"/{TOKEN}/", {"sec-fetch-site": "same-site"}),
    ],
)
def test_strangers_find_nothing(begun: Callable[..., Path], path: str, heads: dict[str, str]) -> None:
    app = window(begun("--map", "minsk", "--play", "POL", "--bots")).app
    for method in ("GET", "POST", "OPTIONS"):
        answer = call(app, method, path, heads=heads)
        assert (answer.status, answer.body) == (404, b"Page not found.")
        assert "access-control-allow-origin" not in answer.heads


def test_the_page_may_run_its_own_scripts_ask_this_server_and_stand_in_no_other_page(
    begun: Callable[..., Path],
) -> None:
    folder = begun("--map", "minsk", "--play", "POL", "--bots")
    plain = (folder / "turns/turn-00/results/POL.html").read_text("utf-8")
    answer = window(folder).page()
    headers = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
    assert call(window(folder).app, "GET", f"/{TOKEN}/", heads=headers).body == answer.body
    policy = answer.text.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0]
    before = plain.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0]
    scripts = set(policy.split()) - set(before.split()) - {"'self';"}
    assert len(scripts) == 2, "the bar's, and what takes hints over"
    kept = " ".join(source for source in policy.split() if source not in scripts)
    assert kept == before.replace("connect-src 'none'", "connect-src 'self'")
    assert answer.heads["x-frame-options"] == "DENY"
    assert answer.heads["cache-control"] == "no-store"
    assert answer.text.startswith(plain[: plain.index("<meta http-equiv")])


def test_what_the_server_does_not_understand_it_says_so(begun: Callable[..., Path]) -> None:
    page = window(begun("--map", "minsk", "--play", "POL", "--bots"), "POL")
    assert page.ask("nonsense").status == 400
    assert page.ask("check", b"x" * (1024 * 1024 + 1)).status == 400
    assert page.evolve(turn=10**9).ask("check").status == 400
    assert call(page.app, "PUT", f"/{TOKEN}/").status == 405
    assert call(page.app, "GET", f"/{TOKEN}/../game.yaml").status == 404
    strange = page.ask("check", b"\xff\xfe\x00<script>")
    assert strange.status == 200
    assert "<script>" not in strange.data["html"]
    assert page.ask("play", b"\xff\xfe\x00").status == 409


def test_a_folder_has_a_port_of_its_own_and_takes_the_next_when_that_is_taken(tmp_path: Path) -> None:
    ports = ports_of(tmp_path)
    first = listening_at(ports)
    second = listening_at(ports)
    try:
        one, other = (window_socket.getsockname() for window_socket in (first, second))
        assert (one[0], other[0]) == ("127.0.0.1", "127.0.0.1")
        assert one[1] in PORTS
        assert other[1] - one[1] in (1, 1 - len(PORTS))
    finally:
        first.close()
        second.close()
    again = listening_at(ports)
    assert again.getsockname() == one
    again.close()


def test_what_does_not_end_is_not_waited_for(
    begun: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.play.server.PATIENCE", 0.05)
    page = window(begun("--map", "minsk", "--play", "POL", "--bots"), "POL")
    assert (
        call(page.app, "POST", f"/{TOKEN}/check", b"orders: 1", query="seat=POL&turn=1", ends=False).status
        == 400
    )


def test_a_page_that_waits_for_a_turn_keeps_nobody_else_waiting(begun: Callable[..., Path]) -> None:
    """item 31: a second tab, opened while a turn is played, must not stop the server."""
    table = table_of(begun("--map", "minsk", "--play", "POL", "--bots"))
    app = application(table, TOKEN, HOST, told)
    held = threading.Event()
    over = threading.Event()

    def work() -> bool:
        with table.at_rest():
            held.set()
            return over.wait(5)

    with ThreadPoolExecutor(2) as crowd:
        worked = crowd.submit(work)
        held.wait(20)
        page, doing = together(app, f"/{TOKEN}/", f"/{TOKEN}/doing", over)
    assert worked.result(), "the other was answered while the page waited"
    assert doing.data == {"says": ""}
    assert page.status == 200


def test_a_game_that_cannot_be_read_is_told_in_words(table: Callable[..., Path]) -> None:
    """item 31: whatever goes wrong, the answer is not a bare "Internal Server Error"."""
    page = window(table("--map", "minsk", "--play", "POL", "--bots"), "POL")
    (page.folder / "players.yaml").write_text("players: [", encoding="utf-8")
    answer = page.page()
    assert answer.status == 500
    assert "players.yaml" in answer.text
    assert page.ask("check").status == page.ask("hint").status == 409
    assert "players.yaml" in page.ask("undo").data["says"]


@pytest.mark.slow
def test_the_page_speaks_its_seats_language(table: Callable[..., Path]) -> None:
    page = window(table("--map", "minsk", "--play", "TEU", "--bots", "--language", "de"), "TEU")
    text = page.page().text
    assert '<html lang="de"' in text
    assert "Zug 1 spielen" in text
    assert "Drück noch einmal" in page.ask("check", sheet(page.folder, "TEU", "nonsense: 1")).data["doubt"]
    assert page.ask("check").data["says"] == "Die Befehle lassen sich nicht lesen."
    assert "Diese Befehle übernehmen" in page.ask("hint").data["html"]
    assert page.ask("undo").data["says"] == "Es wurde noch kein Zug gespielt."


def test_who_would_do_nothing_is_asked_first(begun: Callable[..., Path]) -> None:
    page = window(begun("--game", "conquest-fields", "--play", "RED", "--bots"), "RED")
    assert (
        page.ask("check", sheet(page.folder, "RED"))
        .data["doubt"]
        .startswith("None of these orders would succeed.")
    )
    assert not page.ask("check", sheet(page.folder, "RED", "move: {from: a1, to: a2}")).data["doubt"]


@pytest.mark.parametrize("game", sweep(GAMES, "medieval", "conquest-fields"))
def test_where_nothing_is_due_no_page_names_a_deadline(game: str, table: Callable[..., Path]) -> None:
    seat, more = OTHERS.get(game, ("POL", ("--map", "minsk")))
    page = window(table("--game", game, "--play", seat, *more, "--bots", "--every", "none"), seat)
    assert "orders due" not in page.page().text
    assert "orders due" not in page.done("play", sheet(page.folder, seat)).page().text


# -- playing -------------------------------------------------------------------------------------------------


def advised(page: Window) -> bytes:
    """What a program would order in the window's seat."""
    campaign = open_campaign(page.folder)
    key = campaign.keys[page.seat]
    view = bot_view(campaign.spec, campaign.table, campaign.state, page.seat, game="table", key=key, seed="x")
    return bytes(bot_named(campaign.spec, next(iter(campaign.spec.bots))).orders(view))


@pytest.mark.slow
def test_the_forecast_is_what_happens_against_standing_realms(table: Callable[..., Path]) -> None:
    folder = table("--map", "minsk", "--play", "POL")
    page = window(folder, "POL")
    compared = 0
    for _ in range(3):
        orders = advised(page)
        checked = page.ask("check", orders).data
        assert not checked["doubt"]
        page = page.done("play", orders)
        results = load_data(folder / f"turns/turn-{page.turn - 1:02}/results/POL.yaml")[0]
        fates = results["private"]["orders"]
        listed = checked["html"].partition('<ul class="play-orders">')[2].partition("</ul>")[0]
        assert listed.count("<li>") == len(fates)  # each in words, none in the words of a file
        assert not re.search(r"[{}\[\]]|\w_\w", re.sub(r"<[^>]*>", "", listed))
        done = sum(fate["fate"] == "done" for fate in fates)
        assert checked["says"].startswith(f"Forecast: {done} of {len(fates)} order")
        assert (
            f"Treasury: {gold(open_campaign(folder).snapshot.realms['POL'].treasury)} gold" in checked["html"]
        )
        compared += len(fates)
    assert compared > 10


@pytest.mark.parametrize("game", sweep(GAMES, "conqueror", "conquest-fields"))
def test_every_game_is_played_and_taken_back(table: Callable[..., Path], game: str) -> None:
    seat, options = OTHERS.get(game, ("POL", ("--map", "minsk")))
    folder = table("--game", game, *options, "--play", seat, "--bots")
    before = (folder / "turns/turn-00/state.json").read_bytes()
    page = window(folder, seat)
    first = page.page()
    assert (first.status, 'id="play"' in first.text, 'id="play-text"' in first.text) == (
        200,
        True,
        game != "medieval",
    )
    hint = page.ask("hint").data
    assert "would order" in hint["html"]
    orders = advised(page)
    assert "Forecast: " in page.ask("check", orders).data["says"]
    page = page.done("play", orders)
    assert page.page().text != first.text
    assert GameFolder(folder).newest_turn() == 1
    assert "Take back" in page.page().text
    page = page.done("undo")
    assert GameFolder(folder).newest_turn() == 0
    assert (folder / "turns/turn-00/state.json").read_bytes() == before
    page.done("play", orders)
    command("verify", "--replay", "--game", folder)


def test_only_orders_of_who_sits_there_are_taken_and_none_that_cannot_be_read(
    table: Callable[..., Path],
) -> None:
    folder = table("--map", "minsk", "--play", "POL", "--play", "LIT", "--bots")
    page = window(folder, "POL").done("sit", "POL")
    for text in (sheet(folder, "LIT"), "orders: 1\n", "", "\0"):
        answer = page.ask("done", text)
        assert (answer.status, answer.data["stale"]) == (409, False)
        assert answer.data["says"].startswith("The orders cannot be read.")
    assert not (folder / "inbox").exists()


# -- windows, other commands, several people -----------------------------------------------------------------


def test_a_window_that_is_older_than_the_game_changes_nothing(table: Callable[..., Path]) -> None:
    folder = table("--map", "minsk", "--play", "POL", "--bots")
    page = window(folder, "POL")
    page.done("play", sheet(folder, "POL"))
    for act in ("check", "play", "hint", "undo", "done"):
        answer = page.ask(act, "anything")
        assert (answer.status, answer.data["stale"]) == (409, True)
        assert "has moved on" in answer.data["says"]
    assert GameFolder(folder).newest_turn() == 1
    command("undo", "--game", folder)
    assert page.ask("check", sheet(folder, "POL")).status == 200, "another command's change is seen"


def test_a_folder_that_another_command_holds_is_left_alone(table: Callable[..., Path]) -> None:
    folder = table("--map", "minsk", "--play", "POL", "--bots")
    page = window(folder, "POL")
    with locked(folder):
        answer = page.ask("play", sheet(folder, "POL"))
        assert (answer.status, "Another pbem is working" in answer.data["says"]) == (409, True)
        assert page.ask("check", sheet(folder, "POL")).status == 200
    page.done("play", sheet(folder, "POL"))


def test_several_share_a_chair_with_a_curtain_between(table: Callable[..., Path]) -> None:
    folder = table("--map", "minsk", "--play", "POL", "--play", "LIT", "--bots")
    curtain = window(folder, "")
    assert "I play Poland" in curtain.page().text
    assert "brave" not in curtain.page().text
    assert curtain.ask("play").data["says"] == "Orders are missing from Lithuania and Poland."
    pol = curtain.done("sit", "POL").evolve(seat="POL")
    assert "<h1>Poland</h1>" in pol.page().text
    lit = curtain.evolve(seat="LIT")
    assert lit.ask("check", sheet(folder, "LIT")).data["stale"], "the chair is Poland's"
    pol.done("done", sheet(folder, "POL"))
    assert "<h1>Poland</h1>" not in curtain.page().text, "nobody who goes back sees Poland's page"
    assert curtain.page().text.count("orders are in") == 1
    curtain.done("sit", "LIT")
    lit.done("done", sheet(folder, "LIT"))
    curtain = curtain.done("play")
    assert GameFolder(folder).newest_turn() == 1
    curtain.done("undo")
    assert (folder / "undone/turn-01-1").is_dir()
    seals = load_data(folder / "game.yaml")[0]["renewed"]
    assert list(seals) == ["1"], "who has seen a turn rolls other dice the next time"
    assert curtain.ask("sit", "NOV").data["says"] == "That is not played here."


def test_two_at_one_board_take_turns_without_a_curtain(table: Callable[..., Path]) -> None:
    folder = table("--game", "conquest-fields", "--play", "RED", "--play", "GREEN")
    page = window(folder, "RED")
    assert "<h1>Red</h1>" in page.page().text
    page = page.done("play", sheet(folder, "RED", "move: a1-a2"))
    assert "<h1>Green</h1>" in page.page().text
    assert page.ask("check").data["stale"]
    page.evolve(seat="GREEN").done("play", sheet(folder, "GREEN", "move: a6-a5"))


def test_the_level_of_the_one_opponent_can_be_changed(table: Callable[..., Path]) -> None:
    folder = table("--game", "conquest-fields", "--play", "RED", "--bots", "random")
    page = window(folder, "RED")
    assert '<option value="random" title="plays any move, without a plan" selected>' in page.page().text
    assert page.ask("level", "program:rm").data["says"] == "No bot of this name plays here."
    page.done("level", "minimax")
    page = page.done("play", sheet(folder, "RED", "move: a1-a2"))
    history = load_data(folder / "turns/turn-01/state.json")[0]["history"]
    assert [half_move["by"] for half_move in history] == ["human", "minimax"]


def test_a_game_by_post_is_not_played_at_the_table(table: Callable[..., Path]) -> None:
    folder = table("--map", "minsk", "--play", "POL", "--bots")
    (folder / "mail.yaml").write_text("", encoding="utf-8")
    assert "is played by mail" in command("play", folder, "--no-browser", code=1).output


def test_what_is_not_said_is_chosen_and_a_game_that_is_there_is_not_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Any] = []

    def serve(
        folder: Path, application: Callable[[str, str], Any], port: int | None, *, browser: bool
    ) -> None:
        page = call(application(TOKEN, HOST), "GET", f"/{TOKEN}/").text
        name = re.search(r"You play ([^.]+)\. Give", page)
        served.append(("Choose whom you play" in page, name and name[1], port, browser))

    monkeypatch.setattr("gm.cli.play.serve", serve)
    command("play", tmp_path / "solo", "--port", "8123")
    assert not (tmp_path / "solo").exists()
    said = command("play", tmp_path / "solo", "--map", "minsk", "--play", "LIT").output
    assert "A new game of Medieval Diplomacy" in said
    assert "solo: you play Lithuania." in said
    command("play", tmp_path / "solo", "--no-browser")
    servings = [(True, None, 8123, True), (False, "Lithuania", None, True)]
    assert served == [*servings, (False, "Lithuania", None, False)]
    assert "goes on with it" in command("play", tmp_path / "solo", "--play", "POL", code=2).output
    command("play", tmp_path / "board", "--game", "conquest-fields", "--bots", "greedy")
    assert served[-1][0], "item 35: board, colour and opponent are chosen in the browser"
    assert not (tmp_path / "board").exists()
    command("play", tmp_path / "board", "--game", "conquest-fields", "--bots", "greedy", "--play", "RED")
    assert served[-1][1] == "Red"


# -- practice ------------------------------------------------------------------------------------------------

BASIC = {
    *("declare_war", "grant_passage", "send_gold", "annex", "proclamation", "offer_peace", "offer_alliance"),
    *("name", "form", "retreat_level", "leader", "ranks", "disband", "recruit", "hire_commander", "build"),
    *("transfer", "load", "sail", "unload", "march", "hold", "pillage"),
}
HEAD = re.compile("(orders|game|realm|turn|key):")


@pytest.mark.slow
def test_who_has_practised_has_given_every_basic_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each lesson's example fulfils its tasks, and the five lessons together teach all basic orders."""
    monkeypatch.setattr("gm.cli.play.serve", lambda *_, **__: None)
    folder = tmp_path / "lessons"
    command("play", "--practice", folder)
    page = window(folder, practice().realm)
    words = set[str]()
    for number, lesson in enumerate(practice().lessons, 1):
        content = page.page().text
        assert f"Lesson {number} of 5: {lesson.title}" in content
        head = [
            line
            for line in sheet(folder, page.seat).splitlines()
            if re.match("(orders|game|realm|turn|key):", line)
        ]
        nothing = page.ask("check", "\n".join([*head, ""])).data
        assert "Done." not in nothing["guide"]
        orders = "\n".join([*head, lesson.example])
        checked = page.ask("check", orders).data
        assert checked["guide"].count("Done.") == len(lesson.tasks), checked["guide"]
        assert "All of it is ordered" in checked["guide"]
        assert not checked["doubt"]
        words |= set(chain.from_iterable(task.words for task in lesson.tasks))
        page = page.done("play", orders)
        content = page.page().text.partition("What happened, and why")[2]
        assert lesson.title in content
        assert "Not done" not in content.partition("</aside>")[0]
        assert f"The story of {lesson.explain}" in content
    assert words == BASIC
    assert "Practice is over" in page.page().text
    fates = load_data(folder / "turns/turn-05/results/TEU.yaml")[0]["private"]["orders"]
    assert [fate["order"] for fate in fates if fate["fate"] == "failed"] == ["offer_peace: LIT"]
