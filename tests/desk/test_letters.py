"""Issue 39, item 2: a game by mail on the desk: its letters are fetched, shown and sent, and nothing goes
unasked.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gm.cli.session import open_campaign
from tests.cli.posting import office_of
from tests.commands import command
from tests.desk.asking import begin, browser

NOW = f"{datetime.now(UTC):%Y-%m-%d %H:%M}"


@pytest.mark.slow
def test_letters_are_fetched_and_sent_and_what_goes_out_is_asked_twice(tmp_path: Path) -> None:
    """The whole post of a week: start letters, orders with a wrong and the right key, an announcement."""
    folder = begin(tmp_path / "minsk")
    command("seat", "LIT", "--email", "anna@example.org", "--game", folder)
    with office_of(folder, command, "--game", str(folder)) as office:
        window = browser(folder, tmp_path)
        week = window.week()
        assert '<h2 id="letters">' in week
        assert 'value="announce"' in week
        assert "Only you have seen its results" not in week
        assert "would" in window.press("pretend", **{"--pretend-now": f"{NOW}".replace(" ", "T")})
        asked = window.press("send")
        assert "Do it?" in asked
        assert office.subjects("LIT").total() == 0
        assert "sent" in window.press("send", sure="yes")
        assert office.subjects("LIT").total() == 1
        office.orders("LIT", NOW, key="wrong")
        office.orders("LIT", NOW, key=open_campaign(folder).keys["LIT"])
        assert "2 new letters" in window.press("fetch")
        assert "wrong keys" in window.week()
        assert window.week().count(">in<") == 1
        text = {"--subject": "A fair", "TEXT": "Come, all\nof <you>!"}
        assert "Do it?" in window.press("announce", **text)
        assert "Come, all of <you>!" in window.press("announce", sure="yes", **text)
        assert "A fair" in window.press("week", sure="yes")
        assert "Come, all" in office.text("LIT", "A fair")
        assert open_campaign(folder).newest_turn == 0
