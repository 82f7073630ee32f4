"""A week that is killed at any moment, and run again: every letter arrives once, a turn is whole or not
there.

The moments are drawn by seed. What arrives is counted in the mailboxes, after the servers have done all their
work. Some games are small, so that there can be many moments; some are large, so that letters are long on
their way.
"""

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
from itertools import chain
from pathlib import Path

import pytest
from click.testing import CliRunner

from gm.cli.app import gm
from gm.cli.session import open_campaign
from gm.mail.game_mail import GameMail
from tests.mail.conftest import FOUR, GAME, REALMS, Game, NewGame, address_of, new_game_in
from tests.mail.correspondents import PROGRAMS, Correspondent, template_of
from tests.mail.servers import MailServers
from tests.waiting import wait_for

PLAYED = "2024-01-12 20:05"
"""When the turn is due."""
AGAIN = ("2024-01-12 20:20", "2024-01-12 20:35")
"""When it runs again: the first time after the time of grace."""
FETCHED = "2024-01-08 12:00"


@dataclass
class Ready:
    """A game before its deadline, with all orders in, and what an undisturbed week makes of it."""

    realms: tuple[str, ...]
    folder: Path
    played: Path
    """The same when the turn is played and nothing of it is mailed."""
    waiting: list[bytes]
    """The players' letters as they came, to be read again."""
    turn: dict[str, bytes]
    """Every file of the turn."""
    results: dict[str, list[str]]
    """The Message-IDs of each player's results and of the letter with his next key."""
    to_turn: float
    """Seconds until the turn was there."""
    mailing: float
    """Seconds from the first letter that is queued to the end."""
    fetching: float
    """Seconds of a week in which all the letters are read."""


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


SIZES = {"small": FOUR, "large": REALMS}


@pytest.fixture(scope="module")
def ready_games() -> dict[str, Ready]:
    """Those that were made already, by their size."""
    return {}


@pytest.fixture
def ready(
    size: str, ready_games: dict[str, Ready], mailboxes: MailServers, tmp_path_factory: pytest.TempPathFactory
) -> Ready:
    """Four players of the small map, or eight of Europe, have got their first letter and sent their
    orders.
    """
    if size not in ready_games:
        ready_games[size] = make_ready(SIZES[size], mailboxes, new_game_in(tmp_path_factory.mktemp(size)))
    return ready_games[size]


def moments(large: int, small: int) -> pytest.MarkDecorator:
    """So many seeds for games of each size."""
    sizes = ["large"] * large + ["small"] * small
    return pytest.mark.parametrize(("size", "seed"), [(size, seed) for seed, size in enumerate(sizes)])


def make_ready(realms: tuple[str, ...], servers: MailServers, make: NewGame) -> Ready:
    """Play a turn undisturbed, measure its parts in seconds, and keep the folder from before the turn."""
    game = make(servers, small=realms == FOUR)
    game.week("2024-01-05 12:10")
    for number, realm in enumerate(realms):
        player = Correspondent(servers, address_of(realm), GAME, PROGRAMS[number % len(PROGRAMS)])
        start = player.key()
        player.answer(
            start, template_of(start).replace("headquarters:\n", f"headquarters:\n  proclamation: {realm}\n")
        )
    unread = game.folder.with_name("unread")
    shutil.copytree(game.folder, unread)
    waiting = [letter for letter in servers.letters(GAME) if b"X-GM-Game:" not in letter]
    began = time.monotonic()
    game.week(FETCHED)
    fetching = time.monotonic() - began
    game.week("2024-01-12 19:50")
    folder = game.folder.with_name("before")
    shutil.copytree(game.folder, folder)

    played = Game(game.folder.with_name("played"))
    shutil.copytree(folder, played.folder)
    played.gm("turn", at=PLAYED)

    began = time.monotonic()
    with started(game, PLAYED) as run:
        wait_for((game.folder / "turns/turn-01").is_dir, "the turn")
        to_turn = time.monotonic() - began
        wait_for(partial(is_mailing, game.folder), "the first letter")
        mailing = time.monotonic()
        run.communicate()
        mailing = time.monotonic() - mailing
    assert run.returncode == 0
    turn = content(game.folder / "turns/turn-01")
    by_hand = content(played.folder / "turns/turn-01")
    assert [name for name in by_hand.keys() | turn.keys() if by_hand.get(name) != turn.get(name)] == []
    outbox = json.loads(game.gm("mail", "outbox", "--all", "--json"))["letters"]
    results: dict[str, list[str]] = {}
    for row in outbox:
        if row["subject"].startswith("Your key for turn 2") or row["subject"].endswith(
            "turn 1 has been played"
        ):
            results.setdefault(row["to"], []).append(f"gm.{row['id']}@mail.test")
    assert set(results) == {address_of(realm) for realm in realms}
    return Ready(realms, folder, played.folder, waiting, turn, results, to_turn, mailing, fetching)


def is_mailing(folder: Path) -> bool:
    return "results 1 " in (folder / "mail/outbox.jsonl").read_text()


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

    def kill(
        self, source: Path, at: str, seed: str, longest: float, begins: Callable[[Path], object]
    ) -> Game:
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
@moments(large=10, small=40)
def test_a_mailing_that_is_killed_reaches_every_player_once(
    ready: Ready, mailboxes: MailServers, tmp_path: Path, seed: int
) -> None:
    game = Killer(mailboxes, tmp_path).kill(
        ready.played, PLAYED, f"mailing {seed}", ready.mailing, is_mailing
    )
    assert content(game.folder / "turns/turn-01") == ready.turn
    finish(game, mailboxes)
    each_has_results_once(ready, game, mailboxes)


@pytest.mark.slow
@moments(large=2, small=8)
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
@moments(large=2, small=8)
def test_a_reading_of_the_mailbox_that_is_killed_answers_every_letter_once(
    ready: Ready, mailboxes: MailServers, tmp_path: Path, seed: int
) -> None:
    killer = Killer(mailboxes, tmp_path, tuple(ready.waiting))
    unread = ready.folder.with_name("unread")
    game = killer.kill(unread, FETCHED, f"fetching {seed}", ready.fetching, lambda _: True)
    finish(game, mailboxes, ("2024-01-08 12:15", "2024-01-08 12:30"))
    for realm in ready.realms:
        (receipt,) = Correspondent(mailboxes, address_of(realm), GAME).inbox()
        assert receipt["Subject"].startswith("Orders received: turn 1")
        assert "version 1 of" in receipt.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    status = json.loads(game.gm("status", "--json", at="2024-01-08 13:00"))
    assert status["complete"]
    assert mailboxes.letters(GAME) == []
    assert len(
        [letter for letter in mailboxes.letters(GAME, "gm-done") if b"X-GM-Game:" not in letter]
    ) == len(ready.waiting)


def finish(game: Game, servers: MailServers, times: tuple[str, ...] = AGAIN) -> None:
    """What cron does: run it again, and again.

    These runs nobody kills, and they need no processes of their own.
    """
    for at in times:
        servers.settled()
        result = CliRunner().invoke(gm, ["week", "--game", str(game.folder), "--at", at])
        assert result.exit_code == 0, result.output
    servers.settled()
    assert GameMail(open_campaign(game.folder)).outbox.open() == ()


def each_has_results_once(ready: Ready, game: Game, servers: MailServers) -> None:
    assert content(game.folder / "turns/turn-01") == ready.turn
    for address, numbers in ready.results.items():
        assert sorted(servers.numbers(address)) == sorted(numbers)
    assert sorted(servers.numbers(GAME)) == sorted(chain.from_iterable(ready.results.values()))
