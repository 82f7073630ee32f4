"""The post of a small game: orders in the text of a letter, a receipt, the turn, the results."""

from pathlib import Path

import pytest

from gm.cli.session import open_campaign
from tests.examples import sweep
from tests.games.conftest import Run
from tests.games.playing import PLAIN
from tests.games.test_commands import order_files

LETTER = """\
From: {who}
To: gm@example.org
Subject: my orders
Message-ID: <{number}@example.org>
Date: Tue, 06 Jan 2026 12:00:00 +0000
Content-Type: text/plain; charset=utf-8

Hello,

{orders}

Best wishes
"""


@pytest.mark.parametrize("name", sweep(PLAIN, "conquest-structures", "conquest-fields"))
def test_orders_come_by_mail_and_the_week_takes_its_course(name: str, game: Path, run: Run) -> None:
    letters = game.parent / "letters"
    letters.mkdir()
    files = order_files(game, game.parent / "mail")
    players = open_campaign(game).folder.players
    for number, path in enumerate(files):
        player = players.of(path.name.split()[2])
        assert player is not None
        text = LETTER.format(who=player.email, number=number, orders=path.read_text("utf-8"))
        (letters / f"{number}.eml").write_text(text, "utf-8")
    smtp = ("--smtp", "127.0.0.1:9", "--security", "none")
    run("mail", "setup", "--from", "gm@example.org", "--files", letters, *smtp)
    run("week", "--pretend-now", "2026-01-06 12:30")
    fetched = run("mail", "fetch", "--at", "2026-01-06 12:30").output
    assert "taken" in fetched, fetched
    waiting = open_campaign(game).folder.inbox(1).current(player.realm for player in players.players)
    assert set(waiting) == {path.name.split()[2] for path in files}
    assert "missing" not in run("status", "--at", "2026-01-06 13:00").output.split("Post")[0]
