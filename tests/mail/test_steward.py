"""Issue 39, item 7: a player of a game by mail has a steward act until he sends orders, and reads what it
did.
"""

from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest

from gm.store.folder import GameFolder
from gm.store.inbox import decisions_of
from tests.cli.conftest import Run, fresh_game, game, office
from tests.cli.posting import ADDRESSES, AFTER, BEFORE, KEY, LATER, SENDER, START, Office
from tests.commands import run
from tests.remembered import remembered

__all__ = ["fresh_game", "game", "office", "remembered", "run"]

ACTED = "No orders of yours were in, so your steward acted"


def ask(office: Office, realm: str, words: str, at: str) -> None:
    """Let a player answer the letter with the key by a request."""
    own = [letter for letter in office.smtp.letters(ADDRESSES[realm]) if KEY in letter["Subject"]][-1]
    letter = EmailMessage()
    letter["From"] = ADDRESSES[realm]
    letter["To"] = SENDER
    letter["Subject"] = f"{words} Re: {own['Subject']}"
    letter["Message-ID"] = f"<{words.replace(' ', '-')}@example.org>"
    letter.set_content("")
    office.drop(letter.as_bytes(policy=SMTP), at)


@pytest.mark.slow
def test_a_steward_is_asked_for_by_letter_acts_and_tells_its_player_alone(
    office: Office, game: Path, run: Run
) -> None:
    office.week(START)
    ask(office, "LIT", "away: steward", START)
    office.week(BEFORE)
    said = office.text("LIT", "Done: away steward")
    assert "You are away until you send orders, and until turn 12 at most" in said
    assert "recruits nobody, gives nothing away and answers no letters" in said
    assert office.subjects("LIT")["Your orders are missing: turn 1"] == 0
    for realm in ("NOV", "POL", "TEU"):
        office.orders(realm, BEFORE)
    office.week(AFTER)
    office.week(LATER)
    assert ACTED in office.text("LIT", "turn 1 has been played")
    assert ACTED not in office.text("POL", "turn 1 has been played")
    office.orders("LIT", LATER, turn=2)
    office.week(LATER)
    office.week("2026-01-16 19:55")
    office.week("2026-01-16 20:05", "--anyway")
    assert [decisions_of(GameFolder(game).turn_record(turn)).deputies for turn in (1, 2)] == [("LIT",), ()]
    assert "away" not in run("status").output
    assert ACTED not in office.text("LIT", "turn 2 has been played")
