"""14.B8: five games of five kinds on one mailbox over real mail servers, each player with a program of his
own.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.mail.club import KINDS, found_club, game_id, standing, templates
from tests.mail.conftest import GAME, GM, Game
from tests.mail.correspondents import PROGRAMS, Correspondent, attachments, gmail, webmail
from tests.mail.servers import MailServers

ANNA = "anna@mail.test"


def command(arguments: Sequence[object]) -> None:
    subprocess.run([sys.executable, "-m", "gm", *map(str, arguments)], check=True, capture_output=True)


def start_of(player: Correspondent, kind: str, words: str = "the game begins") -> object:
    """The letter of a game of the club that a player got."""
    (letter,) = [letter for letter in player.about(words) if f"[{game_id(kind)} " in letter["Subject"]]
    return letter


@pytest.mark.slow
def test_five_games_on_one_mailbox_over_dovecot(mailboxes: MailServers, tmp_path: Path) -> None:
    """Each letter reaches its own game, also if it answers another's, and a broken game holds up no other."""
    people = {name: f"{name}@mail.test" for name in ("anna", *KINDS)}
    mailboxes.add(*(address for address in people.values() if address not in mailboxes.users))
    (tmp_path / "password").write_text(mailboxes.password(GAME))
    login = ["--user", GAME, "--ca-file", mailboxes.ca_file, "--password-file", tmp_path / "password"]
    servers = ["--imap", f"localhost:{mailboxes.imap}", "--smtp", f"localhost:{mailboxes.submission}"]
    setup = ["--from", GAME, "--gm", GM, *servers, "--security", "starttls", *login]
    found_club(tmp_path / "games", command, "mail.test", setup)
    club = Game(tmp_path / "games")
    games = {kind: club.folder / kind for kind in KINDS}
    anna = Correspondent(mailboxes, ANNA, GAME, gmail)
    others = {
        kind: Correspondent(mailboxes, people[kind], GAME, PROGRAMS[at]) for at, kind in enumerate(KINDS)
    }

    club.week("2026-01-05 12:10")
    assert len(anna.about("the game begins")) == len(KINDS)
    orders = {kind: templates(folder) for kind, folder in games.items()}
    # anna answers the wrong game's letter each time, once with the orders of two games in the text of her
    # letter
    first, second, *rest = [kind for kind in KINDS if ANNA in orders[kind]]
    anna.program = webmail
    both = f"{orders[first][ANNA]}```\n\nand\n\n```yaml\n{orders[second][ANNA]}"
    anna.answer(start_of(anna, rest[0], "Your key"), both, name="two")  # type: ignore[arg-type]
    anna.program = gmail
    for kind, wrong in zip(rest, (first, second, *rest), strict=False):
        anna.answer(start_of(anna, wrong, "Your key"), orders[kind][ANNA])  # type: ignore[arg-type]
    for kind, player in others.items():
        if player.address in orders[kind]:
            player.answer(player.key(), orders[kind][player.address])
    others["conqueror"].away(others["conqueror"].inbox()[0])
    club.week("2026-01-06 12:00")
    for kind, folder in games.items():
        expected = sorted(text.encode() for text in orders[kind].values())
        assert [data.replace(b"\r\n", b"\n") for data in standing(folder)] == expected, kind
    receipts = Counter(
        letter["Subject"].partition("[")[2].partition(" t1 ")[0] for letter in anna.about("Orders received")
    )
    assert receipts == {game_id(kind): 1 for kind in KINDS if ANNA in orders[kind]}
    assert len(mailboxes.letters(GAME)) == len(anna.about("Orders received")) + sum(
        len(player.about("Orders received")) for player in others.values()
    )  # the copies of the answers, which the next round moves

    # one of them breaks: its player's letter waits, and the four others are played
    club.week("2026-01-09 15:00")
    broken = games["conqueror"] / "game.yaml"
    good = broken.read_text()
    broken.write_text(good.replace("late: take", "late: perhaps"))
    others["conqueror"].answer(
        others["conqueror"].key(), orders["conqueror"]["conqueror@mail.test"] + "# again\n"
    )
    assert "'late' is either take or refuse" in club.week("2026-01-09 19:58", code=2)
    club.week("2026-01-09 20:02", code=2)
    played = {kind for kind, folder in games.items() if (folder / "turns/turn-01").is_dir()}
    assert played == set(KINDS) - {"conqueror"}
    broken.write_text(good)
    club.week("2026-01-09 20:04")
    assert others["conqueror"].about("No orders accepted")  # it had nothing new in it
    assert (games["conqueror"] / "turns/turn-01").is_dir()
    for kind, player in others.items():
        (letter,) = player.about(" has been played")
        assert f"[{game_id(kind)} " in letter["Subject"]
        assert attachments(letter)
    assert len(anna.about(" has been played")) == len(KINDS)
    club.week("2026-01-09 20:09")
    assert mailboxes.letters(GAME) == []
    for player in (anna, *others.values()):
        assert set(Counter(letter["Message-ID"] for letter in player.inbox()).values()) == {1}
