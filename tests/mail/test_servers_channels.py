"""A player's own channel over real mail servers: named, confirmed and used by letters of a mail program."""

import json
from email.message import EmailMessage

from tests.mail.conftest import GAME, Game, address_of
from tests.mail.correspondents import Correspondent, gmail
from tests.mail.receiver import receiving
from tests.mail.servers import MailServers


def ask(player: Correspondent, wish: str) -> None:
    """Answer the letter with the key; the wish stands before its subject."""
    answer = EmailMessage()
    answer.set_content("")
    player.put(answer, f"{wish} Re: {player.key()['Subject']}")


def test_a_player_names_a_channel_and_is_reminded_there(game: Game, mailboxes: MailServers) -> None:
    """Its receiver listens on loopback; every command is a process of its own."""
    game.set_mail(channels="loopback")
    player = Correspondent(mailboxes, address_of("LIT"), GAME, gmail)
    with receiving() as receiver:
        game.week("2024-01-05 12:10")
        ask(player, f"notify: {receiver.url}")
        game.gm("mail", "fetch", at="2024-01-05 12:20")
        code = json.loads(receiver.bodies()[-1])["text"].rpartition(" ")[2]
        ask(player, f"notify: {code}")
        game.week("2024-01-05 12:30")
        assert len(player.about("Done: notify")) == 1
        game.week("2024-01-11 21:00")
        assert [json.loads(body)["event"] for body in receiver.bodies()] == ["code", "reminder"]
    assert "Notified besides by mail: LIT" in game.gm("status", at="2024-01-11 21:01")
