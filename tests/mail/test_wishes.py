"""Reminders that a player does not want, or wants again: his own last word counts, and nobody else's."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from gm.cli.app import gm
from gm.mail.game_mail import subject_mark
from gm.mail.status import unsubscribed
from tests.mail.office import Office, mail, text_of


def mark(office: Office, realm: str = "LIT", turn: int = 1) -> str:
    """What stands in the subjects of our letters to a realm."""
    player = office.post.campaign.folder.players.of(realm)
    assert player is not None
    return subject_mark(player, "minsk", turn)


def wish(office: Office, words: str, number: str) -> None:
    office.drop(mail("", subject=f"{words} {mark(office)}", number=number))
    office.fetch()


def test_who_unsubscribed_can_subscribe_again_and_is_told_at_his_own_address(office: Office) -> None:
    wish(office, "unsubscribe", "1")
    assert unsubscribed(office.post) == {"LIT"}
    wish(office, "RE: Subscribe", "2")
    assert unsubscribed(office.post) == frozenset()
    wish(office, "subscribe", "3")
    assert unsubscribed(office.post) == frozenset()
    wish(office, "unsubscribe", "4")
    assert unsubscribed(office.post) == {"LIT"}
    assert office.kinds() == [("advice", "anna@example.org")] * 4
    subjects = [letter["Subject"].partition(" [")[0] for letter in office.sent()]
    assert subjects == ["No more reminders", "You will be reminded", "You will be reminded", "No more reminders"]
    texts = [" ".join(text_of(letter).split()) for letter in office.sent()]
    assert '"subscribe" as the first word' in texts[0]
    assert '"unsubscribe" as the first word' in texts[1]
    assert all(letter["Auto-Submitted"] == "auto-replied" for letter in office.sent())


@pytest.mark.parametrize("subject", ["subscribe", "subscribe [minsk t1 LIT aaaa-bbbb-cccc]"])
def test_a_stranger_cannot_subscribe_anybody_and_learns_nothing(office: Office, subject: str) -> None:
    wish(office, "unsubscribe", "1")
    office.drop(mail("", subject=subject, number="2", sender="else@example.com"))
    office.fetch()
    assert unsubscribed(office.post) == {"LIT"}
    assert {to for _, to in office.kinds()} == {"anna@example.org"}


@pytest.mark.parametrize("words", ["subscribed", "Re: how do I subscribe", "subscription", "not subscribe"])
def test_other_words_are_no_wish(office: Office, words: str) -> None:
    wish(office, "unsubscribe", "1")
    wish(office, words, "2")
    assert unsubscribed(office.post) == {"LIT"}


def test_the_gm_can_say_it_for_a_player(office: Office) -> None:
    def said(word: str) -> str:
        result = CliRunner().invoke(gm, ["player", "reminders", "LIT", word, "--game", str(office.folder)])
        assert result.exit_code == 0, result.output
        return result.output

    wish(office, "unsubscribe", "1")
    assert said("off") == "LIT is not reminded, as before.\n"
    assert said("on") == "LIT is reminded.\n"
    assert unsubscribed(office.post) == frozenset()
    assert said("off") == "LIT is not reminded.\n"
    assert unsubscribed(office.post) == {"LIT"}
    wish(office, "subscribe", "2")
    assert unsubscribed(office.post) == frozenset()


def test_what_a_player_wished_is_not_his_successors_wish(office: Office) -> None:
    wish(office, "unsubscribe", "1")
    run = ["player", "replace", "LIT", "--name", "Carla", "--email", "carla@example.org", "--game", str(office.folder)]
    assert CliRunner().invoke(gm, run).exit_code == 0
    assert unsubscribed(office.post) == frozenset()
