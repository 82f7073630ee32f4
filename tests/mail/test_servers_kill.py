"""A week that is killed at any moment, and run again: every letter arrives once, a turn is whole or not there.

The moments are drawn by seed. What arrives is counted in the mailboxes, after the servers have done all their work.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.mail.conftest import GAME, REALMS, Game, NewGame, address_of, new_game_in
from tests.mail.correspondents import PROGRAMS, Correspondent, template_of
from tests.mail.servers import MailServers, wait_for

PLAYED = "2024-01-12 20:05"
"""When the turn is due."""
AGAIN = ("2024-01-12 20:20", "2024-01-12 20:35")
"""When it runs again: the first time after the time of grace."""
FETCHED = "2024-01-08 12:00"


@dataclass
class Ready:
    """A game before its deadline, with all orders in, and what an undisturbed week makes of it."""

    folder: Path
    waiting: list[bytes]
    """The players' letters as they came, to be read again."""
    turn: dict[str, bytes]
    """Every file of the turn."""
    results: dict[str, str]
    """The Message-ID of each player's results."""
    to_turn: float
    """Seconds until the turn was there."""
    mailing: float
    """Seconds from then on."""
    fetching: float
    """Seconds of a week in which all the letters are read."""


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def ready(servers: MailServers, tmp_path_factory: pytest.TempPathFactory) -> Ready:
    """Eight players of Europe have got their first letter and sent their orders."""
    make: NewGame = new_game_in(tmp_path_factory.mktemp("ready"))
    servers.empty()
    game = make(servers)
    game.week("2024-01-05 12:10")
    for number, realm in enumerate(REALMS):
        player = Correspondent(servers, address_of(realm), GAME, PROGRAMS[number % len(PROGRAMS)])
        (start,) = player.inbox()
        player.answer(start, template_of(start).replace("headquarters:\n", f"headquarters:\n  proclamation: {realm}\n"))
    unread = game.folder.with_name("unread")
    shutil.copytree(game.folder, unread)
    waiting = [each for each in servers.letters(GAME) if b"X-GM-Game:" not in each]
    began = time.monotonic()
    game.week(FETCHED)
    fetching = time.monotonic() - began
    game.week("2024-01-12 19:50")
    folder = game.folder.with_name("before")
    shutil.copytree(game.folder, folder)

    began = time.monotonic()
    with started(game, PLAYED) as run:
        wait_for((game.folder / "turns/turn-01").is_dir, "the turn")
        to_turn = time.monotonic() - began
        run.communicate()
        mailing = time.monotonic() - began - to_turn
    assert run.returncode == 0
    turn = content(game.folder / "turns/turn-01")
    found = json.loads(game.gm("mail", "outbox", "--all", "--json"))
    results = {
        each["to"]: f"gm.{each['id']}@mail.test" for each in found if each["subject"].endswith("turn 1 is played")
    }
    assert set(results) == {address_of(realm) for realm in REALMS}
    return Ready(folder, waiting, turn, results, to_turn, mailing, fetching)


def started(game: Game, at: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "gm", "week", "--game", str(game.folder), "--at", at]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def killed(game: Game, at: str, begins: Callable[[], object], delay: float) -> bool:
    """Run the week and kill it so many seconds after something began; whether it was still at work."""
    with started(game, at) as run:
        wait_for(lambda: begins() or run.poll() is not None, "the run to get that far")
        time.sleep(delay)
        run.send_signal(signal.SIGKILL)
        run.communicate()
    return run.returncode == -signal.SIGKILL


@dataclass
class Killer:
    """Kills the week of copies of a game at moments that a seed draws."""

    servers: MailServers
    tmp_path: Path
    letters: tuple[bytes, ...] = ()
    """What is in the game's mailbox before each run."""

    def kill(self, source: Path, at: str, seed: str, longest: float, begins: Callable[[Path], object]) -> Game:
        """A copy of a game whose week was killed within so many seconds after something began."""
        delay = random.Random(seed).random() * longest  # noqa: S311 - the same moments in every run
        for attempt in range(20):
            self.servers.settled()
            self.servers.empty()
            self.servers.put(GAME, iter(self.letters))
            game = Game(self.tmp_path / f"try-{attempt}")
            shutil.copytree(source, game.folder)
            if killed(game, at, partial(begins, game.folder), delay):
                return game
            delay *= 0.7  # it had ended, and nothing was killed: everything as before, and sooner
        raise AssertionError("the week always ends before it is killed")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
def test_a_mailing_that_is_killed_reaches_every_player_once(
    ready: Ready, mailboxes: MailServers, tmp_path: Path, seed: int
) -> None:
    def begins(folder: Path) -> bool:
        return "results 1 " in (folder / "mail/outbox.jsonl").read_text()

    game = Killer(mailboxes, tmp_path).kill(ready.folder, PLAYED, f"mailing {seed}", ready.mailing, begins)
    assert content(game.folder / "turns/turn-01") == ready.turn
    finish(game, mailboxes)
    each_has_results_once(ready, game, mailboxes)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_turn_that_is_killed_is_whole_or_not_there(
    ready: Ready, mailboxes: MailServers, tmp_path: Path, seed: int
) -> None:
    killer = Killer(mailboxes, tmp_path)
    game = killer.kill(ready.folder, PLAYED, f"turn {seed}", ready.to_turn * 1.1, lambda _: True)
    assert game.turns in (["turn-00"], [".turn-01.building", "turn-00"], ["turn-00", "turn-01"])
    if "turn-01" in game.turns:
        assert content(game.folder / "turns/turn-01") == ready.turn
    finish(game, mailboxes)
    assert game.turns == ["turn-00", "turn-01"]
    each_has_results_once(ready, game, mailboxes)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(15))
def test_a_reading_of_the_mailbox_that_is_killed_answers_every_letter_once(
    ready: Ready, mailboxes: MailServers, tmp_path: Path, seed: int
) -> None:
    killer = Killer(mailboxes, tmp_path, tuple(ready.waiting))
    unread = ready.folder.with_name("unread")
    game = killer.kill(unread, FETCHED, f"fetching {seed}", ready.fetching, lambda _: True)
    finish(game, mailboxes, ("2024-01-08 12:15", "2024-01-08 12:30"))
    for realm in REALMS:
        (receipt,) = Correspondent(mailboxes, address_of(realm), GAME).inbox()
        assert receipt["Subject"].startswith("Orders received: turn 1")
        assert "version 1 of" in receipt.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    status = json.loads(game.gm("status", "--json", at="2024-01-08 13:00"))
    assert status["complete"]
    assert mailboxes.letters(GAME) == []
    assert len([each for each in mailboxes.letters(GAME, "gm-done") if b"X-GM-Game:" not in each]) == len(ready.waiting)


def finish(game: Game, servers: MailServers, times: tuple[str, ...] = AGAIN) -> None:
    """What cron does: run it again, and again."""
    for at in times:
        servers.settled()
        game.week(at)
    servers.settled()


def each_has_results_once(ready: Ready, game: Game, servers: MailServers) -> None:
    assert content(game.folder / "turns/turn-01") == ready.turn
    for address, number in ready.results.items():
        assert servers.numbers(address) == [number]
    assert sorted(servers.numbers(GAME)) == sorted(ready.results.values())
    assert json.loads(game.gm("mail", "outbox", "--json")) == []
