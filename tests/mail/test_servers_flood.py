"""A mailbox with ten thousand letters: all are dealt with, in little memory, and the players' are among
them.
"""

import json
import time
from collections.abc import Iterator

import pytest

from tests.mail.conftest import FOUR, GAME, NewGame, address_of
from tests.mail.correspondents import Correspondent, template_of
from tests.mail.peak import peak_of
from tests.mail.servers import MailServers

MANY = 10_000
MEMORY = 200.0
"""Megabytes that reading them may take."""
PATIENCE = 900.0
"""Seconds."""
FETCH = "from gm.cli import main; main()"


def flood(template: str) -> Iterator[bytes]:
    """Letters of every sort.

    Each thousandth is a megabyte long, and one in a hundred claims to be Lithuania's.
    """
    forged = template.partition("key:")[0] + "key: eager-swan-11\n"
    for number in range(MANY):
        head = (
            f"From: Somebody <somebody{number % 500}@elsewhere.test>\r\nMessage-ID: "
            f"<{number}@elsewhere.test>\r\n"
        )
        text = f"Letter {number}.\r\n" * (60_000 if number % 1000 == 0 else 40)
        match number % 10:
            case 0 if number % 100 == 0:
                yield (
                    f"{head}Subject: orders\r\n\r\n{forged}".replace("\n", "\r\n")
                    .replace("\r\r", "\r")
                    .encode()
                )
            case 1 | 2:
                reply = f"{head}Subject: Automatic reply: results\r\nAuto-Submitted: auto-replied"
                yield f"{reply}\r\n\r\n{text}".encode()
            case 3:
                yield f"{head}Subject: news\r\nList-Id: <news.elsewhere.test>\r\n\r\n{text}".encode()
            case 4:
                returned = f"Return-Path: <>\r\n{head}Subject: Undelivered Mail\r\nX-Failed-Recipients: a@b"
                yield f"{returned}\r\n\r\n{text}".encode()
            case _:
                yield f"{head}Subject: Bargains ({number})\r\n\r\n{text}".encode()


@pytest.mark.slow
def test_ten_thousand_letters_are_read_in_little_memory(
    mailboxes: MailServers, new_game: NewGame, request: pytest.FixtureRequest
) -> None:
    """The whole flood is dealt with once, real orders count, and a flooded player hears of it three times."""
    game = new_game(mailboxes, small=True)
    game.week("2024-01-05 12:10")
    players = [Correspondent(mailboxes, address_of(realm), GAME) for realm in FOUR]
    starts = [player.key() for player in players]
    game.week("2024-01-05 12:15")
    players[0].answer(starts[0], template_of(starts[0]))
    assert mailboxes.put(GAME, flood(template_of(starts[0]))) == MANY
    players[1].answer(starts[1], template_of(starts[1]))

    began = time.monotonic()
    _, memory = peak_of(
        FETCH, "mail", "fetch", "--game", game.folder, "--at", "2024-01-06 12:00", timeout=PATIENCE
    )
    seconds = time.monotonic() - began
    reporter = request.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        reporter.write_line(
            f"{MANY} letters: {seconds:.0f} s, {seconds / MANY * 1000:.1f} ms a letter, {memory:.0f} MB"
        )
    assert memory < MEMORY

    assert mailboxes.letters(GAME) == []
    moved = [len(mailboxes.letters(GAME, folder)) for folder in ("gm-done", "gm-aside")]
    assert sum(moved) == MANY + 2 + 8  # and the copies of four starts with their keys
    assert json.loads(game.gm("status", "--json"))["missing"] == ["POL", "TEU"]
    # nobody is flooded in turn: Lithuania hears of some of those who wrote in its name
    game.week("2024-01-06 12:05")
    mailboxes.delivered()
    assert len(players[0].about("without your key")) == 3
    assert len(players[0].about("Orders received")) == 1
    assert len(players[2].inbox()) == 2
    # and none is read a second time
    assert "0 new letters" in game.gm("mail", "fetch", at="2024-01-06 12:10")
