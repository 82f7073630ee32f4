"""The end of a game by votes, over mail: nobody hears of a vote before it passes, then each gets the last
results and the page of the whole game, once, also when the run that plays the last turn is killed.
"""

import os
import re
import shutil
from collections import Counter
from email.message import EmailMessage

import pytest

from gm.cli.session import open_campaign
from tests.commands import command
from tests.conquest_fields.boards import words
from tests.mail.correspondents import template_of
from tests.mail.office import flat
from tests.mail.test_early import SIDES, Duel, duel
from tests.mail.test_kills import ended_before

__all__ = ["duel"]


def body(letter: EmailMessage) -> str:
    """All that a letter says, its enclosures in it."""
    return "\n".join(
        str(part.get_content()) for part in letter.walk() if part.get_content_maintype() == "text"
    )


def drop_move(duel: Duel, line: str) -> None:
    """The letter with the next move and a line more arrives."""
    campaign = open_campaign(duel.folder)
    *_, made = campaign.state.position(campaign.table.board).moves(campaign.table.board)
    side = campaign.state.to_move
    key = duel.about(side, "Your key for")[-1]
    orders = template_of(key).replace("# vote: draw", line)
    duel.players[side].answer(key, f"{orders}\nmove: {words(campaign.table.board, made)}\n")


@pytest.fixture
def nearly_over(duel: Duel) -> Duel:
    """A game in which red has voted for a draw, and green's vote is in the mailbox."""
    duel.run()
    drop_move(duel, "vote: draw")
    duel.run()
    assert duel.turn == 1
    drop_move(duel, "vote: draw")
    return duel


def letters_are_whole(duel: Duel) -> None:
    """Two weeks after, however often it was killed: all is over, and everybody has got each letter once."""
    for hours in (1, 24, 24):
        duel.run(hours)
    assert duel.turn == 2
    assert "it is a draw" in command("status", "--game", str(duel.folder)).output
    for side, player in duel.players.items():
        inbox = player.inbox()
        assert set(Counter(letter["Message-ID"] for letter in inbox).values()) == {1}, side
        assert sum(letter["Subject"].startswith("The whole game:") for letter in inbox) == 1
        assert sum(" has been played" in letter["Subject"] for letter in inbox) == 2


def test_a_vote_is_told_to_its_voter_alone_until_it_passes(nearly_over: Duel) -> None:
    (receipt,) = nearly_over.about("RED", "Orders received")
    assert "It votes 'draw', from this turn until you send orders without it." in flat(receipt)
    first, *later = nearly_over.players["GREEN"].inbox()
    assert later
    assert "vote: draw" in body(first)  # in the handbook
    heard = "\n".join(map(body, later))
    assert not re.search(r"(?<!# )vote: draw|votes 'draw'|by a vote", heard)


@pytest.mark.slow
def test_everybody_gets_the_page_of_the_whole_game_once(nearly_over: Duel) -> None:
    letters_are_whole(nearly_over)
    for side in SIDES:
        (last,) = nearly_over.about(side, "The whole game: duel is over")
        assert "The game is a draw." in flat(last)
        page = body(last)
        assert page.count("vote: draw") == 2
        assert "key:" not in page
        assert not any(address in page for address in SIDES.values())
        secret = open_campaign(nearly_over.folder).folder.turn_record(2)["proof"]["secret"]
        assert secret in page


@pytest.mark.slow
def test_letters_are_told_at_the_end_once_everybody_agrees_and_only_then(duel: Duel) -> None:
    """Letters stay closed while one player has not agreed; then both players get them, without addresses."""
    with (duel.folder / "game.yaml").open("a") as settings:
        settings.write("press: {kinds: [signed, anonymous]}\n")
    duel.run()
    text = "Hi <b>there</b>, write to ann@example.org"
    drop_move(duel, f"vote: draw\npress:\n  - {{to: GREEN, text: '{text}'}}\n  - letters: open")
    duel.run()
    drop_move(
        duel, "vote: draw\npress: [{to: RED, as: anonymous, text: Guess who}, {mute: RED}, {letters: closed}]"
    )
    duel.run()
    for side in SIDES:  # nobody hears who agrees
        (last,) = duel.about(side, "The whole game:")
        assert 'reply to this letter with "Letters: open" as its first line' in flat(last)
        assert "Guess who" not in body(last)
    duel.run()
    duel.players["GREEN"].answer(last, "Letters: open\n\nWhy not?")
    for _ in range(2):
        duel.run()
    (said,) = duel.about("GREEN", "Your request is noted")
    assert "all may read the letters between players when the game is over" in flat(said)
    for side in SIDES:
        assert len(duel.about(side, "The whole game:")) == 2
        page = (
            body(duel.about(side, "The whole game:")[-1])
            .partition('id="letters"')[2]
            .partition("<section")[0]
        )
        rows = [re.sub(r"<[^>]+>", " ", text).split() for text in page.split("<tr>")[2:]]
        assert [" ".join(row) for row in rows] == [
            "1 Red Green Hi &lt;b&gt;there&lt;/b&gt;, write to (…)",
            "2 somebody not named Guess who",
        ]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that can fork")
@pytest.mark.slow
def test_the_last_run_may_be_killed_at_any_of_its_changes(nearly_over: Duel) -> None:
    duel = nearly_over
    top = nearly_over.folder.parent
    smtp = duel.players["RED"].office.smtp
    now = nearly_over.now
    at = 1
    ended = False
    before = top.with_name(f"{top.name}-before")
    got = list(smtp.got)
    shutil.copytree(top, before)
    while not ended:
        ended = ended_before(at, str(top), duel.run)
        duel.now = now
        letters_are_whole(duel)
        shutil.rmtree(top)
        shutil.copytree(before, top)
        os.chdir(duel.folder)
        smtp.got[:] = got
        duel.now = now
        at += 1
    assert at > 40
