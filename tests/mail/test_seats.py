"""Seats: a game that fills itself by letters, a player who drops out and a stranger who takes his place."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.cli.postal import serve_seats
from gm.cli.session import changing, open_campaign
from gm.mail.game_mail import GameMail
from gm.mail.letter import Letter
from gm.mail.requests import join_code
from gm.mail.results import publish_results
from gm.mail.wishes import asked_of
from gm.store.journal import journal_of
from gm.store.settings import Tenure
from gm.text.names import the
from tests.cli.posting import office_of
from tests.commands import command
from tests.mail.conftest import GAME, GM, Game
from tests.mail.correspondents import Correspondent, Neighbour, template_of
from tests.mail.office import NOW, flat, mail, mark
from tests.mail.office import Office as Minsk
from tests.mail.servers import MailServers

WORDS = [
    "report",
    "status",
    "orders",
    "help",
    "away",
    "extend",
    "resign",
    "address",
    "language",
    "reminders",
    "join",
]
BEGIN = datetime.fromisoformat("2026-01-05 12:00")
PEOPLE = {name: f"{name}.somebody@mail.test" for name in ("anna", "ben", "carla", "dan", "eve")}


class Stranger(Correspondent):
    """The same over the servers; what is no order file is the text of his letter."""

    def write(self, orders: str, *, subject: str = "", name: str = "orders.yaml") -> EmailMessage:
        if "\n" in orders:
            return super().write(orders, subject=subject, name=name)
        letter = self._letter(subject)
        letter.set_content(f"{orders}\n")
        return self.send(letter)


@dataclass
class Club:
    """A game with free seats, and people who are in none yet."""

    folder: Path
    week: Callable[[str], object]
    people: dict[str, Any]
    realms: tuple[str, str, str, str]
    now: datetime = BEGIN

    def run(self, **later: int) -> None:
        self.now += timedelta(**(later or {"hours": 1}))
        self.week(str(self.now))

    def about(self, name: str, subject: str) -> list[EmailMessage]:
        return [letter for letter in self.people[name].inbox() if letter["Subject"].startswith(subject)]

    def write(self, name: str, subject: str, text: str = "") -> None:
        """Somebody writes, and the week looks into the mailbox."""
        self.people[name].write(text, subject=subject)
        self.run()

    def answer(self, name: str, letter: EmailMessage) -> None:
        self.write(name, f"Re: {letter['Subject']}", "yes")

    def join(self, name: str, realm: str) -> None:
        self.write(name, f"join {realm}")
        self.answer(name, self.about(name, f"join {realm}")[-1])

    def play(self, *names: str) -> None:
        """These send the template of the newest letter that has one as it is, and the deadline passes."""
        for name in names:
            letters = [
                letter
                for letter in self.people[name].inbox()
                if "Your key for" in letter["Subject"] or "You play" in letter["Subject"]
            ]
            self.people[name].write(template_of(letters[-1]), subject=f"Re: {letters[-1]['Subject']}")
        campaign = open_campaign(self.folder)
        self.run()
        due = campaign.deadline(campaign.next_turn).replace(tzinfo=None)
        self.now = due - timedelta(hours=1)
        for minutes in (30, 35):  # the mailbox is read before and after it
            self.run(minutes=minutes)
        assert open_campaign(self.folder).newest_turn == campaign.next_turn


def begin(folder: Path, first: str, *game: str) -> None:
    rules = ("--open", "--missed", "2", "--policy", "raider", "--every", "7d", "--at", BEGIN)
    command(
        "new",
        folder,
        *game,
        "--player",
        f"{first}={PEOPLE['anna']}",
        "--seed",
        "s",
        "--key-secret",
        "k",
        *rules,
    )


def a_seat_is_filled_again(club: Club) -> None:
    """The whole story: it begins when all are in, one drops out, a bot steps in, a stranger takes over."""
    club.run()
    _, second, third, last = realms = club.realms
    assert open_campaign(club.folder).calendar.hold == "the game begins when all seats are taken"
    for name, realm in (("ben", second), ("carla", third)):
        club.join(name, realm)
        (dossier,) = club.about(name, "You play ")
        assert template_of(dossier)
    club.run(days=20)
    assert open_campaign(club.folder).newest_turn == 0  # it waits for the last seat
    club.join("dan", last)
    campaign = open_campaign(club.folder)
    assert not campaign.calendar.hold
    assert not campaign.open_seats
    assert campaign.deadline(1).replace(tzinfo=None) > club.now + timedelta(days=2)
    for name in ("anna", "ben", "carla", "dan"):
        assert len(club.about(name, "The game begins")) == 1
    club.play("anna", "ben", "carla", "dan")
    for _ in range(2):
        club.play("anna", "ben", "carla")
    campaign = open_campaign(club.folder)
    seat = campaign.folder.players.of(last)
    assert seat is not None
    assert (seat.bot, seat.open, seat.address) == ("raider", True, "")
    assert seat.tenure == (Tenure(first=1, last=3),)
    (name_of_it,) = (seat.name for seat in campaign.seats if seat.code == last)
    (left,) = club.about("dan", f"You no longer play {the(name_of_it)}")
    assert "have arrived for 2 turns in a row" in flat(left)
    for name in ("anna", "ben", "carla"):
        assert "it is played by: raider" in flat(club.about(name, f"An open seat: {the(name_of_it)}")[0])
    club.play("anna", "ben", "carla")
    club.join("eve", last)
    seat = open_campaign(club.folder).folder.players.of(last)
    assert seat is not None
    assert (seat.bot, seat.open, seat.address, seat.seated) == ("", False, PEOPLE["eve"], 5)
    assert seat.tenure == (Tenure(first=1, last=3), Tenure(bot="raider", first=4, last=4))
    club.play("anna", "ben", "carla", "eve")
    campaign = open_campaign(club.folder)
    assert sorted(campaign.folder.turn_record(5)["orders"]) == sorted(realms)
    for name in PEOPLE:
        ids = [letter["Message-ID"] for letter in club.people[name].inbox()]
        assert len(ids) == len(set(ids))
        others = [address for other, address in PEOPLE.items() if other != name]
        assert not [
            letter
            for letter, other in product(club.people[name].inbox(), others)
            if other in letter.as_string()
        ]
    assert sum(entry["did"] == "player replace" for entry in journal_of(club.folder).entries) == 4


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    """On islands, where reports are small; over the servers it is Minsk."""
    realms = ("BLUE", "GREEN", "RED", "YELLOW")
    begin(tmp_path / "club", realms[0], "--game", "conquestination", "--set", "players=4")
    monkeypatch.chdir(tmp_path / "club")
    with office_of(tmp_path / "club", command) as office:
        people = {name: Neighbour(office, address) for name, address in PEOPLE.items()}
        yield Club(tmp_path / "club", office.week, people, realms)


@pytest.mark.slow
def test_a_dropped_players_seat_is_filled_by_a_strangers_letter(club: Club) -> None:
    a_seat_is_filled_again(club)


@pytest.mark.slow
def test_who_takes_a_seat_over_does_not_read_what_was_written_before(
    office: Minsk, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.edit("game.yaml", {"late: take": "open: true\npress: {kinds: [signed]}\nlate: take"})
    publish_results(office.post, NOW)

    def letter(sender: str, subject: str, text: str, number: int) -> None:
        office.receive(mail(text, sender=f"{sender}@example.org", subject=subject, number=str(number)))
        with changing(office.folder, by_steps=True) as campaign:
            serve_seats(GameMail(campaign), NOW)

    letter("anna", f"Re: {mark(office)}", "To: POL\n\nLet us take Riga.\n", 1)
    letter("piotr", f"Re: {mark(office, 'POL')}", "To: LIT\n\nGladly.\n", 2)
    letter("piotr", f"resign {mark(office, 'POL')}", "yes", 3)
    letter("carla", f"join POL [{join_code(office.post, 'POL', 'carla@example.org', NOW)}]", "yes", 4)
    letter("anna", f"Re: {mark(office)}", "To: POL\n\nWho are you?\n", 5)
    monkeypatch.chdir(office.folder)
    command("turn", "--missing-ok")
    reports = {
        code: (office.folder / f"turns/turn-01/results/{code}.html").read_text() for code in ("LIT", "POL")
    }
    for text, readers in (
        ("Let us take Riga.", ["LIT"]),
        ("Gladly.", ["LIT"]),
        ("Who are you?", ["LIT", "POL"]),
    ):
        assert [code for code, page in reports.items() if text in page] == readers


@pytest.mark.slow
def test_a_flood_of_strangers_stops_nobody_whose_server_vouches_for_him(office: Minsk) -> None:
    """Forged strangers use up their own allowance, and the game master hears of them once."""
    office.edit("game.yaml", {"late: take": "open: true\nlate: take"})
    office.edit("mail.yaml", {'trusted: ""': "trusted: mx.example.org"})

    def joins(*addresses: str, server: str = "mx.evil.example", hours: int = 0) -> int:
        """How many of so many who want to join get a letter."""
        before = sum(kind == "stranger" for kind, _ in office.kinds())
        for address in addresses:
            result = f"{server}; dmarc=pass (p=NONE) header.from={address.partition('@')[2]}"
            header = {"Authentication-Results": result}
            office.drop(
                mail("", sender=address, subject="join POL", number=f"{hours}{address}", header=header)
            )
        office.fetch(NOW + timedelta(hours=hours))
        return sum(kind == "stranger" for kind, _ in office.kinds()) - before

    def told() -> int:
        return sum(kind == "gm" for kind, _ in office.kinds())

    forged = [f"x@forged{number}.example" for number in range(25)]
    assert joins(*forged) == 10
    assert (len(office.moved("gm-aside")), told()) == (15, 1)
    assert joins("carla@honest.example", server="mx.example.org") == 1
    assert joins("dan@honest.example") == 0
    assert joins("dan@honest.example", hours=2) == 1
    assert (
        joins(*(f"{name}@honest.example" for name in "abcdefghijklmnopqrstuvwxyz"), server="mx.example.org")
        == 18
    )
    assert [joins(*forged, hours=hours) for hours in (4, 6, 8, 10, 11)] == [10, 10, 10, 9, 0]
    assert told() == 1
    assert joins("dan@honest.example", hours=27) == 1


@given(st.text(max_size=40), st.sampled_from(WORDS), st.text(max_size=60))
def test_whatever_a_subject_says_it_asks_for_something_known_or_nothing(
    front: str, word: str, rest: str
) -> None:
    subject = f"{front}{word} {rest}"
    asked = asked_of(Letter(fingerprint="x", sender="anna@example.org", whole_subject=subject), {})
    if asked is not None and not (asked.word == "help" and asked.what):  # what nobody understands
        assert asked.word in WORDS
        assert (
            asked_of(Letter(fingerprint="x", whole_subject=f"Re: {asked.words} [minsk t1 LIT]"), {}) == asked
        )


@pytest.mark.slow
def test_the_same_over_dovecot_and_postfix(mailboxes: MailServers, tmp_path: Path) -> None:
    mailboxes.add(*(address for address in PEOPLE.values() if address not in mailboxes.users))
    (tmp_path / "password").write_text(mailboxes.password(GAME))
    begin(tmp_path / "club", "LIT")
    login = ("--user", GAME, "--ca-file", mailboxes.ca_file, "--password-file", tmp_path / "password")
    ports = ("--imap", f"localhost:{mailboxes.imap}", "--smtp", f"localhost:{mailboxes.submission}")
    game = Game(tmp_path / "club")
    game.gm("mail", "setup", "--from", GAME, "--gm", GM, *ports, "--security", "starttls", *login)
    people = {name: Stranger(mailboxes, address, GAME) for name, address in PEOPLE.items()}
    a_seat_is_filled_again(Club(game.folder, lambda at: game.week(at), people, ("LIT", "NOV", "POL", "TEU")))
