"""Taking stock: who has which letters, and what a command complained of."""

import json
import re
from collections import Counter

from tests.mail.conftest import FOUR, GAME, Game, address_of
from tests.mail.correspondents import Correspondent
from tests.mail.servers import MailServers

NAMES = {"LIT": "Lithuania", "NOV": "Novgorod", "POL": "Poland", "TEU": "Teutonic Order"}
START = "{name}: the game begins"
PLAYED = "{name}: turn 1 has been played"
KEYS = {START: "Your key for turn 1, for you alone", PLAYED: "Your key for turn 2, for you alone"}
"""The letters with keys that go along with these."""


def reader(servers: MailServers, realm: str) -> Correspondent:
    """A realm's player at his mailbox."""
    return Correspondent(servers, address_of(realm), GAME)


def complaint(output: str) -> str:
    """The one sentence about a mail server in what a command said."""
    lines = {line for line in output.splitlines() if re.search(r"mail server|connection", line)}
    assert len(lines) == 1, output
    return lines.pop().removeprefix("Error: ")


def everybody_has(servers: MailServers, game: Game, *expected: str) -> None:
    """Each player has exactly one letter of each of these subjects, there is one copy of each, and nothing
    waits. With the letters of a turn go those with the next keys.
    """
    expected = (*expected, *(KEYS[seat] for seat in expected if seat in KEYS))
    servers.delivered()
    for realm in FOUR:
        subjects = Counter(letter["Subject"].partition(" [")[0] for letter in reader(servers, realm).inbox())
        assert subjects == Counter(subject.format(name=NAMES[realm]) for subject in expected), realm
    assert set(Counter(servers.numbers(GAME)).values()) <= {1}
    assert not json.loads(game.gm("mail", "outbox", "--json"))["letters"]
