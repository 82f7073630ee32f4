"""Half-moves that are played as they come, and weeks of vacation: with a Maildir, and over real mail
servers.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from gm.cli.session import open_campaign
from gm.store.journal import journal_of
from tests.cli.posting import office_of
from tests.commands import command
from tests.conquest_fields.boards import words
from tests.mail.conftest import GAME, GM, Game
from tests.mail.correspondents import Correspondent, Neighbour, template_of
from tests.mail.office import flat
from tests.mail.servers import MailServers

BEGIN = datetime.fromisoformat("2026-01-05 12:00")
SIDES = {"RED": "anna.red@mail.test", "GREEN": "ben.green@mail.test"}


@dataclass
class Duel:
    """A game of two on fields. Turn 1 is due on Friday 2026-01-09 at 20:00 UTC, the others two days apart."""

    folder: Path
    week: Callable[[str], object]
    players: dict[str, Any]
    now: datetime = BEGIN

    @property
    def turn(self) -> int:
        return open_campaign(self.folder).newest_turn

    @property
    def due(self) -> datetime:
        return open_campaign(self.folder).deadline(self.turn + 1).replace(tzinfo=None)

    def run(self, hours: int = 1) -> None:
        self.now += timedelta(hours=hours)
        self.week(str(self.now))

    def about(self, side: str, subject: str) -> list[EmailMessage]:
        return [letter for letter in self.players[side].inbox() if letter["Subject"].startswith(subject)]

    def move(self, line: str = "") -> str:
        """Whoever is to move answers the letter with his key by a move; returns what the receipt says."""
        campaign = open_campaign(self.folder)
        side = campaign.state.to_move
        board = campaign.table.board
        *_, made = campaign.state.position(board).moves(board)
        letter = self.about(side, "Your key for")[-1]
        self.players[side].answer(letter, f"{template_of(letter)}\nmove: {words(board, made)}\n{line}\n")
        self.run()
        return flat(self.about(side, "Orders received")[-1])

    def play(self, half_moves: int) -> None:
        """So many, each in the run that finds its letter; all letters about them come once."""
        for turn in range(self.turn + 1, self.turn + half_moves + 1):
            self.run()
            assert self.turn == turn - 1  # nothing is in: nothing is played
            assert (
                "All orders are in, and the turn will be played at once; its deadline would have been"
                in self.move()
            )
            assert self.turn == turn
            # two days from the time of day that was nearest
            assert (self.due.hour, abs(self.due - timedelta(days=2) - self.now) <= timedelta(hours=12)) == (
                20,
                True,
            )
        for side, player in self.players.items():
            assert set(Counter(letter["Message-ID"] for letter in player.inbox()).values()) == {1}, side
            assert sum(" has been played" in letter["Subject"] for letter in player.inbox()) == self.turn


def begin(folder: Path) -> None:
    pace = ("--every", "2d", "--early", "--vacations", "1", "--first", "2026-01-09", "--at", BEGIN)
    seats = (f"--player={side}={address}" for side, address in SIDES.items())
    command("new", folder, "--game", "conquest-fields", "--seed", "s", "--key-secret", "k", *pace, *seats)


@pytest.fixture
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Duel]:
    begin(tmp_path / "duel")
    monkeypatch.chdir(tmp_path / "duel")
    with office_of(tmp_path / "duel", command) as office:
        players = {side: Neighbour(office, address) for side, address in SIDES.items()}
        yield Duel(tmp_path / "duel", office.week, players)


@pytest.mark.slow
def test_a_half_move_is_played_in_the_run_in_which_it_comes_unless_it_says_no(duel: Duel) -> None:
    duel.run()
    duel.play(3)
    due = duel.due
    assert "played when your file no longer says 'ready: no', and no later than" in duel.move("ready: no")
    while duel.now < due:
        assert duel.turn == 3
        duel.run(11)
    assert duel.turn == 4


@pytest.mark.slow
def test_a_week_of_vacation_is_taken_by_letter_once_and_told_to_all(duel: Duel) -> None:
    duel.run()
    anna, ben = duel.players.values()
    (letter,) = duel.about("RED", "Your key for")
    # whoever writes of it in somebody's name takes none; whoever asks twice gets one, also when a run is
    # killed between
    ben.answer(letter, "", "vacation Re:")
    for day in ("01-09", "01-16", "01-16"):
        duel.run()
        log = duel.folder / "mail/letters.jsonl"
        done = log.read_bytes().rfind(b'{"what": "vacation"')
        log.write_bytes(log.read_bytes()[: done if done >= 0 else None])
        duel.run()
        assert f"{duel.due:%m-%d %H:%M}" == f"{day} 20:00"
        anna.answer(letter, "", "Vacation, please:")
    for side in SIDES:
        (notice,) = duel.about(side, "A week of vacation: half-move 1")
        assert "Red is taking a week of vacation: the turn is postponed by a week" in flat(notice)
    (refused,) = duel.about("RED", "No vacation: half-move 1")
    assert "You have no weeks of vacation left. Nothing has changed" in flat(refused)
    assert [entry["what"] for entry in journal_of(duel.folder).entries if entry["did"] == "deadline"] == [
        "vacation"
    ]


@pytest.mark.slow
def test_twenty_half_moves_over_dovecot_and_postfix(mailboxes: MailServers, tmp_path: Path) -> None:
    mailboxes.add(*(address for address in SIDES.values() if address not in mailboxes.users))
    (tmp_path / "password").write_text(mailboxes.password(GAME))
    begin(tmp_path / "duel")
    login = ("--user", GAME, "--ca-file", mailboxes.ca_file, "--password-file", tmp_path / "password")
    ports = ("--imap", f"localhost:{mailboxes.imap}", "--smtp", f"localhost:{mailboxes.submission}")
    game = Game(tmp_path / "duel")
    game.gm("mail", "setup", "--from", GAME, "--gm", GM, *ports, "--security", "starttls", *login)
    players = {side: Correspondent(mailboxes, address, GAME) for side, address in SIDES.items()}
    duel = Duel(game.folder, lambda at: game.week(at), players)
    duel.run()
    duel.play(20)
