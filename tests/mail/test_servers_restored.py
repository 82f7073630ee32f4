"""14.B13 over real mail servers: a backup is restored in mid-turn, and two copies of a game meet at one
mailbox.
"""

import shutil
import subprocess
import sys
from collections import Counter
from itertools import chain

import pytest

from tests.mail.conftest import FOUR, GAME, Game, address_of
from tests.mail.correspondents import PROGRAMS, Correspondent, template_of
from tests.mail.servers import MailServers


def standing(game: Game, turn: int) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (game.folder / f"inbox/turn-{turn:02}").glob("*.yaml")}


def ids(players: dict[str, Correspondent]) -> Counter[str]:
    """How often each letter of the game reached somebody."""
    letters = chain.from_iterable(player.inbox() for player in players.values())
    return Counter(str(letter["Message-ID"]) for letter in letters)


@pytest.mark.slow
def test_a_restored_game_takes_its_letters_again_over_dovecot(mailboxes: MailServers, game: Game) -> None:
    """A backup takes its letters out of the mailbox again, plays the same turn, and sends nothing twice."""
    players = {
        realm: Correspondent(mailboxes, address_of(realm), GAME, PROGRAMS[at])
        for at, realm in enumerate(FOUR)
    }
    game.week("2024-01-05 12:10")
    backup = game.folder.parent / "backup.zip"
    game.gm("export", "--out", backup)
    for realm, player in players.items():
        start = player.key()
        player.answer(start, template_of(start) + f"# of {realm}\n")
    game.week("2024-01-12 19:50")
    game.week("2024-01-12 19:55")  # the copies are put aside
    game.week("2024-01-12 20:05")
    results = players["LIT"].key("turn 2")
    players["LIT"].answer(results, template_of(results) + "# of turn 2\n")
    game.week("2024-01-13 12:00")
    game.week("2024-01-13 12:05")
    before = standing(game, 2)
    sent = ids(players)
    state = game.state(1)
    assert set(before) == {"LIT.yaml"}
    assert mailboxes.letters(GAME) == []

    copy = Game(game.folder.parent / "restored")
    command = [sys.executable, "-m", "gm", "import", str(backup), str(copy.folder), "--trust-commands"]
    subprocess.run(command, check=True, capture_output=True)
    said = copy.week("2024-01-13 12:10", code=2)
    assert "Another copy of the game europe reads its mailbox" in said
    copy.gm("mail", "take-over")
    assert "Another copy" in game.week("2024-01-13 12:11", code=2)
    copy.week("2024-01-13 12:15", code=1)  # the mailbox was not read before the deadline
    assert set(standing(copy, 1)) == {f"{realm}.yaml" for realm in FOUR}
    copy.week("2024-01-13 12:20", "--anyway")
    assert copy.state(1) == state
    copy.week("2024-01-13 12:25")
    assert standing(copy, 2) == before
    assert ids(players) == sent  # nobody got anything twice, or an answer more
    shutil.rmtree(game.folder)
    copy.week("2024-01-13 12:30")
