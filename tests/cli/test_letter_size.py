"""How large the letters of a turn are as they are sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from gm.campaign.play import played_turn
from gm.cli.session import open_campaign
from gm.mail.compose import Writer
from gm.mail.game_mail import GameMail
from gm.mail.rendering import message_bytes
from tests.cli.conftest import Run
from tests.mail.office import NOW

LIMIT = 400_000
PAGE = 900_000
"""Of a turn in which everybody fights; a usual one is a twelfth smaller."""
SECRETS = ("--seed", "m", "--key-secret", "x")


@pytest.mark.slow
def test_no_letter_of_a_turn_of_europe_is_larger_than_400_kilobytes(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """14.B17, 15: of the start, and of the first turn between bots, in which most battles are fought; nor is a page."""
    monkeypatch.chdir(tmp_path)
    run("new", "europe", "--map", "europe-1320", "--player", "ENG=anna@example.org", *SECRETS, "--bots")
    post_at = ("--from", "game@example.org", "--gm", "gm@example.org", "--maildir", tmp_path, "--smtp", "localhost")
    run("mail", "setup", *post_at, "--security", "none", "--game", "europe")
    start = sizes(GameMail(open_campaign(Path("europe"))), 0)
    run("turn", "--missing-ok", "--game", "europe")
    results = Path("europe/turns/turn-01/results")
    assert len(list((results / "battles").glob("*.html"))) > 50
    assert (results / "ENG.html").stat().st_size <= PAGE
    for found in (start, sizes(GameMail(open_campaign(Path("europe"))), 1)):
        assert set(found) == {"results", "orders"}
        assert max(found.values()) < LIMIT, found


@pytest.mark.slow
def test_a_realms_page_of_europe_is_at_most_900_kilobytes(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """15: of the fourth turn between bots."""
    monkeypatch.chdir(tmp_path)
    run("new", "europe", "--map", "europe-1320", "--player", "ENG=anna@example.org", *SECRETS, "--bots")
    for _ in range(3):
        run("turn", "--missing-ok", "--no-html", "--game", "europe")
    run("turn", "--missing-ok", "--game", "europe")
    assert Path("europe/turns/turn-04/results/ENG.html").stat().st_size <= PAGE * 11 // 12


def sizes(post: GameMail, turn: int) -> dict[str, int]:
    """The bytes of England's letters about a turn, by kind."""
    played = played_turn(post.campaign, turn)
    lines = post.campaign.spec.digests(post.campaign.table, played)["ENG"]
    letters = [Writer(post, NOW).results("ENG", played, lines), Writer(post, NOW).orders("ENG")]
    return {each.kind: len(message_bytes(each, "1", post.settings, "europe", NOW)) for each in letters if each}
