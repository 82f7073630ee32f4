"""Programs think while people look at the page (issue 39, item 3): the same turn, nothing twice, no
process left.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from gm.campaign.bot_orders import bots_to_ask, talk_before, view_of_bot
from gm.cli.play import table_of, told
from gm.cli.session import open_campaign
from gm.core.diagnostics import says
from gm.game.bots import bots_by_name
from gm.game.talk import Talk
from gm.games import GAMES, game_spec
from gm.play import thinking
from gm.play.server import application
from gm.play.thinking import Ahead, Doing, Pool
from gm.text.languages import translator
from tests.commands import command
from tests.examples import sweep
from tests.play.asking import HOST, TOKEN, Window
from tests.play.test_play import AT, OTHERS, begun, sheet, table  # noqa: F401 - fixtures

MINSK = ("--map", "minsk", "--play", "POL", "--bots", "page")


@pytest.fixture(scope="module")
def ahead() -> Iterator[Ahead]:
    """Two processes for all tests of this file."""
    made = Ahead(2, game_spec, count().__next__)
    yield made
    made.end()


@pytest.fixture
def all_think(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every program think ahead, also one that takes no time."""
    monkeypatch.setattr(thinking, "bots_that_think", bots_to_ask)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The game and the party of each view that processes are asked to think about."""
    seen: list[tuple[str, str]] = []
    submit = Pool.submit

    def noted(pool: Pool, game: str, name: str, packed: bytes, code: str) -> Future[bytes]:
        seen.append((game, code))
        return submit(pool, game, name, packed, code)

    monkeypatch.setattr(Pool, "submit", noted)
    return seen


def seated(folder: Path, seat: str, ahead: Ahead | None = None, turn: int = 1) -> Window:
    """A window on a table whose programs think ahead."""
    return Window(application(table_of(folder, ahead), TOKEN, HOST, told), folder, seat, turn)


def files_of(folder: Path) -> dict[str, bytes]:
    """All that was written of a game's turns."""
    turns = folder / "turns"
    return {
        str(path.relative_to(turns)): path.read_bytes() for path in sorted(turns.rglob("*")) if path.is_file()
    }


@pytest.mark.parametrize("seed", sweep(["one", "two"], "one"))
@pytest.mark.parametrize("game", sweep(GAMES, "conqueror", "conquest-fields"))
def test_a_turn_is_the_same_when_it_was_thought_of_before(
    game: str, seed: str, tmp_path: Path, ahead: Ahead, all_think: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All files of the turn, in each game; and no program is asked again when the turn is played."""
    seat, options = OTHERS.get(game, ("POL", ("--map", "minsk")))
    many = ("--set", "mode=round") if game == "conquestination" else ()
    program = ("page",) if game == "medieval" else ()
    words = ("--game", game, *options, *many, "--play", seat, "--bots", *program, *AT, "--seed", seed)
    command("new", tmp_path / "table", *words)
    files = []
    for name in ("after", "before"):
        folder = Path(shutil.copytree(tmp_path / "table", tmp_path / name / "table"))
        page = seated(folder, seat, ahead if name == "before" else None)
        page.page()
        if name == "before":
            own = bots_to_ask(open_campaign(folder))
            monkeypatch.setattr(thinking.Prepared, "orders", only_known(own))
        page.done("play", sheet(folder, seat))
        files.append(files_of(folder))
    assert files[0] == files[1]
    assert any(name.startswith("turn-01") for name in files[0])


def only_known(own: dict[str, str]) -> Callable[[Any, Any], bytes]:
    """What answers for a program: what was thought before, if its party was to be asked.

    No thought of now.
    """

    def orders(prepared: thinking.Prepared, view: Any) -> bytes:
        if view.turn > 1 or view.realm not in own:
            return prepared.bot.orders(view)
        thought = prepared.ahead._thoughts[view.realm]
        assert thought.view == view
        return thought.answer.result()

    return orders


@pytest.mark.parametrize("game", GAMES)
def test_what_a_program_is_shown_holds_nothing_of_the_orders_of_people(
    game: str,
    table: Callable[..., Path],  # noqa: F811
) -> None:
    """The views before and after orders are in are equal: a program cannot know of them."""
    seat, options = OTHERS.get(game, ("POL", ("--map", "minsk")))
    folder = table("--game", game, *options, "--play", seat, "--bots")

    def views() -> list[Any]:
        campaign = open_campaign(folder)
        talk = talk_before(campaign, 1, campaign.decisions, campaign.state)
        return [view_of_bot(campaign, seat.code, talk) for seat in campaign.seats]

    before = views()
    here = table_of(folder)
    with here._at_work(seat, 1) as campaign:
        here._take(campaign, seat, sheet(folder, seat).encode())
    assert open_campaign(folder).folder.inbox(1).current([seat])
    assert views() == before


@pytest.mark.slow
def test_nothing_is_thought_twice_when_the_page_is_loaded_again(
    table: Callable[..., Path],  # noqa: F811
    ahead: Ahead,
    asked: list[tuple[str, str]],
) -> None:
    page = seated(table(*MINSK), "POL", ahead)
    for _ in range(3):
        page.page()
    first = sorted(asked)
    assert first == [("medieval", code) for code in ("LIT", "NOV", "TEU")]
    after = page.done("play", sheet(page.folder, "POL"))
    assert sorted(asked) == first
    after.page()
    after.page()
    assert sorted(asked[len(first) :]) == first


def test_thoughts_of_another_position_are_not_taken(table: Callable[..., Path], ahead: Ahead) -> None:  # noqa: F811
    """A view that differs in anything is thought about anew."""
    folder = table(*MINSK)
    campaign = open_campaign(folder)
    ahead.begin(campaign)
    talk = talk_before(campaign, 1, campaign.decisions, campaign.state)
    view = view_of_bot(campaign, "LIT", talk)
    asked_here = list[str]()

    class Page:
        name = "page"
        about = ""

        def orders(self, view: Any) -> bytes:
            asked_here.append(view.seed)
            return b"anew"

    answer = ahead.answer(Page(), view)
    assert answer == bots_by_name(campaign.spec)["page"].orders(view)
    assert asked_here == []
    assert ahead.answer(Page(), view.evolve(seed="other")) == b"anew"
    assert asked_here == ["other"]


@pytest.mark.slow
def test_a_process_that_dies_costs_no_turn(table: Callable[..., Path]) -> None:  # noqa: F811
    """Its programs are asked here, and other processes think about the next turn."""
    own = Ahead(1, game_spec, count().__next__)
    page = seated(table(*MINSK), "POL", own)
    page.page()
    try:
        for process in own._pool._executor._processes.values():  # type: ignore[union-attr]
            process.kill()
        after = page.done("play", sheet(page.folder, "POL"))
        assert sorted(path.stem for path in (page.folder / "turns/turn-01/orders").glob("*.yaml")) == [
            "LIT", "NOV", "POL", "TEU"
        ]  # fmt: skip
        after.page()
        assert all(thought.answer.result() for thought in own._thoughts.values())
    finally:
        own.end()


def test_the_bar_says_how_long_programs_will_still_think(table: Callable[..., Path]) -> None:  # noqa: F811
    """By those who have finished: three seconds for one of four leave nine, and less later.

    Nobody knows before.
    """
    folder = table(*MINSK)
    seconds = [10.0]
    own = Ahead(1, game_spec, lambda: seconds[0])
    here = Doing(own)
    answers = [Future[bytes]() for _ in range(4)]
    view = view_of_bot(open_campaign(folder), "LIT", Talk())
    own._began = 10.0
    own._thoughts = {str(at): thinking.Thought("page", view, answer) for at, answer in enumerate(answers)}
    english = translator("medieval", "en")
    for answer in answers:
        answer.add_done_callback(own._note)
    seconds[0] = 13.0
    assert own.time_left(english) == ""
    answers[0].set_result(b"")
    assert own.time_left(english) == "About 9 seconds left."
    assert own.time_left(translator("medieval", "de")) == "Noch etwa 9 Sekunden."
    seconds[0] = 15.0
    assert own.time_left(english) == "About 7 seconds left."
    seconds[0] = 30.0
    assert own.time_left(english) == "About 1 second left."
    seconds[0] = 13.0
    here._translate = english
    with here.telling(says("The turn has been played, and its reports are written."), english):
        assert here.words == "The turn has been played, and its reports are written. About 9 seconds left."
    for answer in answers[1:]:
        answer.set_result(b"")
    assert own.time_left(english) == ""


LONG = 300  # seconds after which a process that was left behind is one; it would sleep for an hour
SERVER = """
import os, sys, time
from gm.games import game_spec
from gm.play.thinking import Pool
if __name__ == "__main__":
    pool = Pool(1, game_spec)
    assert pool._executor.submit(os.getpid).result() != os.getpid()
    print("thinking", flush=True)
    pool._executor.submit(time.sleep, 3600)
    if sys.argv[1] == "close":
        pool.close()
    else:
        sys.stdin.read()
"""


@pytest.mark.parametrize("how", ["close", "kill"])
def test_no_process_is_left_when_the_table_is(how: str, tmp_path: Path) -> None:
    """Neither when it is closed while a program thinks, nor when the server is killed.

    The processes hold the other end of what is read here: it ends when all of them have.
    """
    script = tmp_path / "server.py"
    script.write_text(SERVER, "utf-8")
    words = [sys.executable, str(script), how]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "thinking\n"
        if how == "kill":
            server.kill()
        rest, _ = server.communicate(timeout=LONG)
    assert rest == ""
