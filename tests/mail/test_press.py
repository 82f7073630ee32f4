"""Five players write to each other while the game's runs are killed: each letter arrives once, and shows
no address.
"""

import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from gm.campaign.press import judged
from gm.cli.app import gm
from gm.cli.session import open_campaign
from gm.core.diagnostics import printable
from gm.mail.game_mail import GameMail, subject_mark
from gm.mail.letter import read_letter
from gm.mail.outcome import Desk
from gm.mail.press import judged_letters, press_letter
from gm.mail.service import Service
from gm.store.press import Press, PressRule
from tests.cli.posting import SENDER, office_of
from tests.commands import command
from tests.examples import examples
from tests.mail.conftest import GAME, GM, Game
from tests.mail.correspondents import Correspondent, Neighbour
from tests.mail.office import NOW, mail
from tests.mail.servers import MailServers
from tests.mail.test_kills import ended_before

REALMS = ("BLUE", "GREEN", "PURPLE", "RED", "YELLOW")
ADDRESSES = {realm: f"{realm.lower()}.player@mail.test" for realm in REALMS}
BEGIN = datetime.fromisoformat("2026-01-05 12:00")
LONGEST = 1.4
"""Seconds after which a run over the servers is killed at the latest.

Earlier, when others had ended by then."""
_TEXT = re.compile(r"\bletter (\w+) from (\w+) to (\w+)\b")


def begin(folder: Path) -> None:
    """A game of five, in which somebody may write a hundred letters a day."""
    seats = (f"--player={realm}={address}" for realm, address in ADDRESSES.items())
    due = ("--deadline", "friday 20:00", "--first", "2026-01-09", "--at", BEGIN, "--set", "players=5")
    secret = ("--seed", "s", "--key-secret", "k", "--id", "islands")
    command("new", folder, "--game", "conquestination", *seats, *due, *secret, "--press", "signed")
    path = folder / "game.yaml"
    path.write_text(re.sub(r"a_day: \d+ ", "a_day: 100", path.read_text()))


@dataclass
class Exchange:
    """The players, what they wrote, and the game's runs.

    ``kill`` runs one, and kills it at a moment that is drawn.
    """

    folder: Path
    game: str
    players: dict[str, Any]
    week: Callable[[str], object]
    kill: Callable[[str, random.Random], bool]
    now: datetime = BEGIN
    killed: int = 0

    def __post_init__(self) -> None:
        self.written: list[tuple[str, str, str]] = []
        self.answered: set[str] = set()
        self.dice = random.Random("press")  # noqa: S311 - the same moments in every run

    def write(self, realm: str, other: str, letter: EmailMessage, *, to: str = "") -> None:
        """A letter that is an answer to another, as mail programs write it: with all that is nobody's
        business.
        """
        mark = f"{len(self.written):03}"
        address = ADDRESSES[realm]
        answer = EmailMessage()
        answer["From"] = f"Me <{address}>"
        answer["To"] = self.game
        answer["Subject"] = f"Re: {letter['Subject']}"
        answer["Message-ID"] = f"<{mark}@{realm.lower()}.test>"
        answer["In-Reply-To"] = letter["Message-ID"]
        answer["Reply-To"] = answer["Disposition-Notification-To"] = address
        quoted = f"On Mon, 5 Jan 2026 at 12:00 {address} wrote:\n> {address}\n"
        text = f"letter {mark} from {realm} to {other}, {address}\n\n-- \n{address}\n\n{quoted}"
        answer.set_content(f"To: {to}\n{text}" if to else text)
        self.players[realm].send(answer)
        self.written.append((mark, realm, other))

    def begin(self) -> None:
        """Everybody gets his key, and writes to everybody else as an answer."""
        self.runs()
        for realm in REALMS:
            (key,) = [
                letter
                for letter in self.players[realm].inbox()
                if letter["Subject"].startswith("Your key for")
            ]
            for other in REALMS:
                if other != realm:
                    self.write(realm, other, key, to=other)

    def go_on(self) -> None:
        """Everybody answers each letter from another player that he has not answered yet."""
        for realm in REALMS:
            for letter in self.players[realm].inbox():
                if " writes [" in letter["Subject"] and letter["Message-ID"] not in self.answered:
                    self.answered.add(letter["Message-ID"])
                    self.write(realm, letter["Subject"].partition(" ")[0].upper(), letter)

    def runs(self, kills: int = 0) -> None:
        """So many runs that are killed, and those that make up for them, after the time of grace."""
        until = self.killed + kills
        while self.killed < until:
            self.now += timedelta(minutes=1)
            self.killed += self.kill(str(self.now), self.dice)
        for _ in range(3 if kills else 1):
            self.now += timedelta(minutes=15)
            self.week(str(self.now))

    def check(self) -> None:
        """Each letter came once, to whom it was for, and nothing that anybody got shows another's address."""
        came: Counter[tuple[str, str, str]] = Counter()
        for realm in REALMS:
            others = list(
                chain.from_iterable(
                    (ADDRESSES[other], f"@{other.lower()}.test") for other in REALMS if other != realm
                )
            )
            letters = self.players[realm].inbox()
            assert max(Counter(letter["Message-ID"] for letter in letters).values()) == 1
            for letter in letters:
                said = told(letter)
                assert [other for other in others if other in said] == [], said
                if " writes [" in letter["Subject"]:
                    (text,) = _TEXT.findall(letter.get_body(("plain",)).get_content())  # type: ignore[union-attr]
                    assert text[2] == realm
                    came[text] += 1
        assert came == Counter(dict.fromkeys(self.written, 1))

    def check_reports(self) -> None:
        """Each player's report has his letters, and nobody else's."""
        command("turn", "--missing-ok", "--game", self.folder)
        for realm in REALMS:
            page = (self.folder / f"turns/turn-01/results/{realm}.html").read_text()
            texts = {
                text for text in self.written if f"letter {text[0]} from {text[1]} to {text[2]}, (…)" in page
            }
            assert texts == {text for text in self.written if realm in text[1:]}
            assert [address for address in ADDRESSES.values() if address in page] == []


def told(letter: EmailMessage) -> str:
    """All that stands in a letter, header and parts."""
    parts = [str(letter.items())]
    for part in letter.walk():
        if not part.is_multipart():
            parts += [str(part.items()), part.get_payload(decode=True).decode("utf-8", "replace")]  # type: ignore[union-attr]
    return "\n".join(parts)


@pytest.fixture
def neighbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Exchange]:
    folder = tmp_path / "islands"
    begin(folder)
    monkeypatch.chdir(folder)
    with office_of(folder, command) as office:
        players = {realm: Neighbour(office, address) for realm, address in ADDRESSES.items()}

        def kill(at: str, dice: random.Random) -> bool:
            return not ended_before(dice.randint(1, 90), str(tmp_path), lambda: office.week(at))

        yield Exchange(folder, SENDER, players, lambda at: office.week(at), kill)


@pytest.mark.slow
def test_letters_between_five_players_arrive_once_however_often_the_game_is_killed(
    neighbours: Exchange,
) -> None:
    neighbours.begin()
    neighbours.runs(kills=3)
    neighbours.go_on()
    neighbours.runs(kills=2)
    neighbours.check()
    neighbours.check_reports()
    neighbours.go_on()  # letters from before the turn, whose results go out at the same time
    neighbours.runs(kills=1)
    neighbours.check()
    assert len(neighbours.written) == 60


@pytest.mark.slow
def test_two_hundred_letters_under_fifty_kills(neighbours: Exchange) -> None:
    exchange(neighbours)


def exchange(players: Exchange) -> None:
    players.begin()
    for _ in range(9):
        players.runs(kills=5)
        players.go_on()
    players.runs(kills=5)
    players.check()
    assert (len(players.written), players.killed) == (200, 50)


@pytest.mark.slow
def test_two_hundred_letters_under_fifty_kills_over_dovecot_and_postfix(
    mailboxes: MailServers, tmp_path: Path
) -> None:
    """Letters between players go over real servers while the runs of the week are killed at drawn moments."""
    mailboxes.add(*(address for address in ADDRESSES.values() if address not in mailboxes.users))
    (tmp_path / "password").write_text(mailboxes.password(GAME))
    game = Game(tmp_path / "islands")
    begin(game.folder)
    login = ("--user", GAME, "--ca-file", mailboxes.ca_file, "--password-file", tmp_path / "password")
    ports = ("--imap", f"localhost:{mailboxes.imap}", "--smtp", f"localhost:{mailboxes.submission}")
    game.gm("mail", "setup", "--from", GAME, "--gm", GM, *ports, "--security", "starttls", *login)
    players = {realm: Correspondent(mailboxes, address, GAME) for realm, address in ADDRESSES.items()}

    def week(at: str) -> None:
        mailboxes.settled()
        CliRunner().invoke(gm, ["week", "--game", str(game.folder), "--at", at])
        mailboxes.settled()

    span = LONGEST

    def kill(at: str, dice: random.Random) -> bool:
        nonlocal span
        words = [sys.executable, "-m", "gm", "week", "--game", str(game.folder), "--at", at]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            time.sleep(span * (0.3 + 0.7 * dice.random()))
            run.send_signal(signal.SIGKILL)
        mailboxes.settled()
        hit = run.returncode == -signal.SIGKILL
        span = min(LONGEST, span * 1.25) if hit else span * 0.6
        return hit

    exchange(Exchange(game.folder, GAME, players, week, kill))
    assert open_campaign(game.folder).newest_turn == 0


@pytest.mark.slow
def test_who_reads_along_has_said_so_when_the_game_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game master who did not gets no copies by a change of the settings; nothing is lost by it."""
    folder = tmp_path / "islands"
    begin(folder)
    monkeypatch.chdir(folder)
    path = folder / "game.yaml"
    text = path.read_text()
    path.write_text(text.replace("gm_reads: false", "gm_reads: true "))
    said = command("turn", "--missing-ok", code=2).output
    assert "'gm_reads' cannot be set: the game did not say so when it began" in " ".join(said.split())
    path.write_text(text)
    command("turn", "--missing-ok")
    command("new", tmp_path / "open", "--press", "signed", "--gm-reads", "--player", "LIT=a@mail.test")
    command("turn", "--missing-ok", "--game", tmp_path / "open")


HOSTILE = st.text(st.sampled_from("aZ9 \t\n\r@.:,>-+_<[]{}%\\\0\u202e\u200b\ud83d\uff20é"), max_size=300)


@examples(500, 25)
@given(head=st.sampled_from(("", "To: POL\n", "To: all\nAs: ")), text=HOSTILE, subject=HOSTILE)
def test_whatever_somebody_writes_is_judged_and_shows_no_address(
    mail_game: Path, head: str, text: str, subject: str
) -> None:
    """Of any text nothing is passed on that looks like an address of a player, or cannot be shown."""
    post = GameMail(open_campaign(mail_game))
    post.campaign.folder.settings = post.campaign.folder.settings.evolve(press=PressRule(kinds=("signed",)))
    token = subject_mark(post.campaign.folder.players.of("LIT"), "minsk", 1)  # type: ignore[arg-type]
    data = mail(f"{head}{text}anna@example.org {text}".encode("utf-8", "replace"), subject=f"x {token}")
    letter = read_letter(data).evolve(subject=subject)
    wish = press_letter(post, letter)
    assert (wish is not None) or not head
    if wish is not None:
        assert wish.writer == "LIT"
        for letter_out in judged_letters(Desk(post, Service(post, NOW), letter, NOW, NOW), wish):
            assert "anna@example.org" not in f"{letter_out.text} {letter_out.subject}"
            assert letter_out.text == "\n".join(map(printable, letter_out.text.split("\n")))
            assert len(letter_out.text) <= 4000 or letter_out.why


@pytest.mark.parametrize(
    ("changed", "back", "why"),
    [
        ({"out": True}, False, "Poland is out of the game"),
        ({"played": False}, False, "nobody plays Poland who could read it"),
        # who is answered is not named
        ({"out": True}, True, "the writer of the letter you answered is no longer in the game"),
        ({}, False, ""),
    ],
)
def test_nothing_is_written_to_whom_nobody_reads_for(
    mail_game: Path, changed: dict[str, bool], back: bool, why: str
) -> None:
    """A realm that is out, and one that nobody plays; who is out himself writes to nobody."""
    campaign = open_campaign(mail_game)
    campaign.folder.settings = campaign.folder.settings.evolve(press=PressRule(kinds=("signed",)))
    seats = tuple(seat.evolve(**changed) if seat.code == "POL" else seat for seat in campaign.seats)
    vars(campaign)["seats"] = seats
    letter = Press(mark="m", author="LIT", to=("POL",), kind="", turn=1, at=NOW, text="Hello", back=back)
    judgement = judged(campaign, (), letter)
    assert (judgement.why[0].format(*judgement.why[1:]) if judgement.why else "", judgement.readers) == (
        why,
        () if why else ("POL",),
    )
    own = judged(campaign, (), letter.evolve(author="POL", to=("all",), back=False))
    assert own.why == (("a player who is out of the game cannot send letters",) if changed.get("out") else ())
    assert own.readers == (() if own.why else ("LIT", "NOV", "TEU"))
    assert ("POL" in judged(campaign, (), letter.evolve(to=("all",))).readers) == (not changed)
