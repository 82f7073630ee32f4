"""What can go wrong between the game and real mail servers: all is told in a sentence, nothing is lost or
doubled.
"""

import json
import re
import subprocess
import sys
from collections import Counter

import pytest

from tests.mail.accounts import START, complaint, everybody_has, reader
from tests.mail.conftest import FOUR, GAME, GM, Game, NewGame, address_of
from tests.mail.correspondents import Correspondent, template_of
from tests.mail.servers import MailServers
from tests.mail.stripping import stripped
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

LIT = address_of("LIT")

# -- servers that are not who they should be -----------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [{"ca_file": '""'}, {"host": "127.0.0.1"}],
    ids=["made by nobody known", "made for another name"],
)
@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_certificate_that_does_not_fit_ends_the_connection_before_the_password(
    mailboxes: MailServers, new_game: NewGame, settings: dict[str, str], security: str
) -> None:
    game = new_game(mailboxes, security=security, small=True)
    before = logins(mailboxes)
    game.set_mail(**settings)
    said = game.week("2024-01-05 12:10", code=1)
    assert said.count("could not prove its identity") == 2
    assert logins(mailboxes) == before
    game.set_mail(host="localhost", ca_file=f'"{mailboxes.ca_file}"')
    game.week("2024-01-05 12:15")
    everybody_has(mailboxes, game, START)


def logins(servers: MailServers) -> int:
    """How often somebody got in, at both servers."""
    postfix, dovecot = ((servers.folder / name).read_text() for name in ("postfix.log", "dovecot.log"))
    return (
        postfix.count("sasl_username=")
        + dovecot.count("imap-login: Info: Login:")
        + dovecot.count("auth failed")
    )


def test_who_takes_the_offer_of_encryption_away_gets_neither_password_nor_mail(
    mailboxes: MailServers, game: Game
) -> None:
    before = logins(mailboxes)
    settings = (game.folder / "mail.yaml").read_text()
    with stripped(mailboxes.imap) as imap, stripped(mailboxes.submission) as smtp:
        changed = settings.replace(f"port: {mailboxes.imap} ", f"port: {imap} ")
        (game.folder / "mail.yaml").write_text(
            changed.replace(f"port: {mailboxes.submission}", f"port: {smtp}")
        )
        said = game.week("2024-01-05 12:10", code=1)
    assert said.count("STARTTLS") == 2
    assert logins(mailboxes) == before
    (game.folder / "mail.yaml").write_text(settings)
    game.week("2024-01-05 12:15")
    everybody_has(mailboxes, game, START)


# -- servers that do not take everything ---------------------------------------------------------------------


def test_a_mailbox_that_is_busy_gets_its_letter_later_and_nobody_twice(
    mailboxes: MailServers, game: Game
) -> None:
    mailboxes.refuse({LIT: "450 4.2.1 mailbox busy"})
    assert "6 letters sent, 2 waiting" in game.week("2024-01-05 12:10")
    waiting, _key = json.loads(game.gm("mail", "outbox", "--json"))["letters"]
    assert (waiting["state"], waiting["to"]) == ("later", LIT)
    assert "mailbox busy" in waiting["words"]
    # nothing went out of it, also no copy: that would prove something that is not so
    mailboxes.delivered()
    assert len(mailboxes.numbers(GAME)) == 6
    assert "0 letters sent, 2 waiting" in game.week("2024-01-05 12:13")
    mailboxes.refuse({})
    assert "2 letters sent, 0 waiting" in game.week("2024-01-05 12:16")
    game.week("2024-01-05 12:20")
    everybody_has(mailboxes, game, START)


def test_an_address_that_is_not_there_fails_alone_and_shows_until_it_is_corrected(
    mailboxes: MailServers, game: Game
) -> None:
    game.gm("seat", "LIT", "--email", "nobody@mail.test")
    said = game.week("2024-01-05 12:10", code=1)
    assert re.search(r"FAILED  nobody@mail.test  Lithuania: the game begins  550 5.1.1", said)
    assert re.search(r"FAILED  nobody@mail.test  Your key for turn 1, for you alone  550 5.1.1", said)
    # six to the other players, and one about the lost ones (14.B9)
    assert "7 letters sent, 0 waiting" in said
    (notice,) = Correspondent(mailboxes, GM, GAME).inbox()
    assert notice["Subject"] == "Letters that did not arrive [europe]"
    lost = re.findall("the game begins|Your key for turn 1", str(notice.get_body(("plain",))))
    assert lost == ["the game begins", "Your key for turn 1"]
    assert game.week("2024-01-05 12:15", "--quiet") == ""
    assert re.search(r"failed  nobody@mail.test  Lithuania: the game begins: 550", game.gm("status"))
    game.gm("seat", "LIT", "--email", LIT)
    assert LIT in game.gm("mail", "again", "LIT", at="2024-01-05 12:20")
    game.week("2024-01-05 12:25")
    mailboxes.delivered()
    letter = reader(mailboxes, "LIT").key()
    assert letter["To"] == LIT
    assert "realm: LIT" in template_of(letter)
    everybody_has(mailboxes, game, START)


def test_a_copy_that_is_refused_keeps_nobodys_letter_back(mailboxes: MailServers, game: Game) -> None:
    mailboxes.refuse({GAME: "452 4.2.2 mailbox full"})
    game.week("2024-01-05 12:10")
    mailboxes.delivered()
    assert mailboxes.numbers(GAME) == []
    everybody_has(mailboxes, game, START)
    rows = json.loads(game.gm("mail", "outbox", "--all", "--json"))["letters"]
    assert all("without a copy: 452" in row["words"] for row in rows)


def test_a_sender_that_the_server_does_not_want_costs_no_letter(mailboxes: MailServers, game: Game) -> None:
    game.set_mail(sender='"not a sender"')
    assert "not an e-mail address" in game.week("2024-01-05 12:10", code=2)
    game.set_mail(sender='"x@nowhere.test"')
    mailboxes.postfix_setting("smtpd_sender_restrictions", "check_sender_access static:{554 5.7.1 not you}")
    try:
        said = game.week("2024-01-05 12:12", code=1)
    finally:
        mailboxes.postfix_setting("smtpd_sender_restrictions", "")
    assert "0 letters sent, 8 waiting" in said
    assert "accepts no mail from x@nowhere.test" in complaint(said)
    game.set_mail(sender=f'"{GAME}"')
    game.week("2024-01-05 12:30")
    everybody_has(mailboxes, game, START)


# -- servers that are away -----------------------------------------------------------------------------------


def test_while_nobody_sends_the_turn_goes_on_and_everything_waits(mailboxes: MailServers, game: Game) -> None:
    game.week("2024-01-05 12:10")
    mailboxes.delivered()
    for realm in FOUR:
        player = reader(mailboxes, realm)
        player.answer(player.key(), template_of(player.key()))
    mailboxes.postfix.stop()
    try:
        said = game.week("2024-01-12 19:50", code=1)
        assert "connection refused" in complaint(said)
        assert "4 new letters" in said
        said = game.week("2024-01-12 20:05", code=1)
        assert "0 letters sent, 12 waiting" in said  # four receipts, results and keys
        assert game.turns == ["turn-00", "turn-01"]
        assert game.week("2024-01-12 20:10", "--quiet", code=1) == ""
        assert "12 letters to send" in game.gm("status")
    finally:
        mailboxes.postfix.start()
    game.week("2024-01-12 20:30")
    everybody_has(mailboxes, game, START, "Orders received: turn 1", "{name}: turn 1 has been played")


def test_while_the_mailbox_is_away_letters_go_out_and_the_turn_waits(
    mailboxes: MailServers, game: Game
) -> None:
    mailboxes.dovecot.stop()
    try:
        # Postfix asks Dovecot for passwords: a login in clear on this machine needs none
        settings = (game.folder / "mail.yaml").read_text()
        outward = settings.index("outward:")
        plain = re.sub(r"port: \d+", f"port: {mailboxes.arrival}", settings[outward:])
        plain = re.sub(r"(?m)^  (user|password_file): .*$", r'  \1: ""', plain).replace("starttls", "none")
        (game.folder / "mail.yaml").write_text(settings[:outward] + plain)
        said = game.week("2024-01-05 12:10", code=1)
        assert "cannot be used now" in complaint(said)
        assert "8 letters sent" in said
        assert "never read" in game.gm("status")
        said = game.week("2024-01-12 20:05", code=1)
        assert "the mailbox was never read before the deadline" in said
        assert game.turns == ["turn-00"]
    finally:
        mailboxes.dovecot.start()
    mailboxes.flush()
    # eight letters of a start, four of two reminders that nobody read in time, and one for the GM
    mailboxes.delivered()
    assert [letter["Subject"] for letter in Correspondent(mailboxes, GM, GAME).inbox()] == [
        "Turn 1 waits for you [europe]"
    ]


def test_a_mail_server_that_restarts_in_the_middle_doubles_and_loses_nothing(
    mailboxes: MailServers, new_game: NewGame
) -> None:
    """Europe's reports are large enough to be on their way when it happens."""
    game = new_game(mailboxes, name="europe")
    command = [sys.executable, "-m", "gm", "week", "--game", str(game.folder), "--at", "2024-01-05 12:10"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
        journal = game.folder / "mail/outbox.jsonl"
        wait_for(lambda: journal.exists() and '"sent"' in journal.read_text(), "the first letter to go out")
        mailboxes.postfix.stop()
        said, _ = run.communicate()
    mailboxes.postfix.start()
    assert run.returncode == 1, said
    complaint(said)
    mailboxes.delivered()
    game.week("2024-01-05 12:15")
    game.week("2024-01-05 12:30")
    game.week("2024-01-05 12:35")
    mailboxes.delivered()
    rows = json.loads(game.gm("mail", "outbox", "--all", "--json"))["letters"]
    assert Counter(row["state"] for row in rows) == {"sent": 16}
    for to in {row["to"] for row in rows}:
        mine = {f"gm.{row['id']}@mail.test" for row in rows if row["to"] == to}
        assert set(mailboxes.numbers(to)) == mine
        # a mail server that dies while it delivers delivers again when it is back; it was given each letter
        # once
        queue_ids = {re.search(rb"ESMTPSA id (\w+)", letter)[1] for letter in mailboxes.letters(to)}  # type: ignore[index]
        assert len(queue_ids) == 2
