"""Whose a letter is: by the key in its file or the token in its subject, and never by what it says it is from."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from gm.cli.app import gm
from gm.mail.game_mail import reply_token
from gm.mail.status import unsubscribed
from tests.mail.office import Office, flat, keyless, mail, mark, text_of
from tests.mail.shapes.pieces import PLAIN, key, orders

MASTER = "master@example.org"
DEADLINE = datetime(2026, 1, 9, 20, 0, tzinfo=UTC)


@pytest.mark.clause("O1")
def test_orders_with_the_right_key_are_taken_and_answered_to_the_address_on_file(office: Office) -> None:
    fetched = office.receive(mail(PLAIN))
    assert [outcome for _, _, outcome in fetched.letters] == ["LIT taken"]
    assert office.standing() == PLAIN.encode()
    (receipt,) = office.sent()
    assert receipt["To"] == "anna@example.org"
    assert receipt["In-Reply-To"] == "<1@example.org>"
    assert receipt["Auto-Submitted"] == "auto-replied"
    assert office.moved("gm-done")
    assert not office.waiting()


def test_an_answer_to_a_letter_of_ours_proves_itself_without_a_key(office: Office) -> None:
    office.receive(mail(keyless(), subject=f"AW: Lithuania: the game begins {mark(office, 'LIT')}"))
    assert office.standing() == keyless().encode()
    # also when a program breaks the subject in two inside the token
    token = mark(office, "POL").replace("-", "-\n ", 1)
    office.receive(mail(keyless("POL"), number="2", sender="piotr@example.org", subject=f"Re: {token}"))
    assert office.standing("POL") == keyless("POL").encode()


def test_a_token_from_another_address_proves_nothing(office: Office) -> None:
    """14.A2: who was sent a letter on has its subject; only its player's own address makes it good."""
    subject = f"Fwd: Lithuania: the game begins {mark(office, 'LIT')}"
    fetched = office.receive(mail(keyless(), subject=subject, sender="mallory@example.net"))
    assert fetched.letters[0][2] == "no right key: nothing was kept"
    assert office.kinds() == [("notice", "anna@example.org")]
    office.receive(mail(PLAIN, subject=subject, sender="mallory@example.net", number="2"))
    assert office.standing() == PLAIN.encode()  # a right key is enough, from wherever it comes


@pytest.mark.parametrize(
    "forged",
    [
        "[minsk t1 LIT aaaa-bbbb-cccc]",
        "[minsk t2 LIT {token}]",
        "[minsk t1 POL {token}]",
        "[minsk t0 LIT {token}]",
        "[minsk t1 LIT ]",
        "",
    ],
)
def test_no_other_token_proves_anything(office: Office, forged: str) -> None:
    player = office.post.campaign.folder.players.of("LIT")
    assert player is not None
    office.receive(
        mail(keyless(), subject=forged.format(token=reply_token(player, "minsk", 1)), sender="m@example.net")
    )
    assert office.standing() is None
    assert not (office.folder / "inbox").exists()


def test_a_token_is_good_for_its_own_realm_alone(office: Office) -> None:
    office.receive(mail(keyless("POL"), subject=mark(office, "LIT")))
    assert office.standing("POL") is None
    # the owner is told, and so is the one who has proven who he is; the address it came from is not
    assert office.kinds() == [("notice", "piotr@example.org"), ("advice", "anna@example.org")]


def test_a_wrong_key_keeps_nothing_and_only_the_owner_is_told(office: Office) -> None:
    fetched = office.receive(
        mail(orders("LIT").replace(key("LIT"), "brave-otter-71"), sender="Mallory <mallory@example.net>")
    )
    assert fetched.letters[0][2] == "no right key: nothing was kept"
    assert not (office.folder / "inbox").exists()
    (notice,) = office.sent()
    assert notice["To"] == "anna@example.org"
    assert "mallory@example.net" in text_of(notice)
    assert "brave-otter-71" not in notice.as_string()
    assert "In-Reply-To" not in notice
    assert len(office.moved("gm-aside")) == 1


def test_a_stranger_hears_nothing_whatever_he_sends(office: Office) -> None:
    for number, body in enumerate(("hello", "orders: 1\n", "orders: [", orders("XYZ"), keyless(), "x" * 5000)):
        office.drop(mail(body, sender="stranger@example.net", number=str(number)))
    office.fetch()
    assert "stranger@example.net" not in {to for _, to in office.kinds()}


def test_a_right_key_from_another_address_counts_and_all_three_hear_of_it(office: Office) -> None:
    header = {"Authentication-Results": "mail.example.org; spf=pass smtp.mailfrom=work.example.com"}
    settings = office.folder / "mail.yaml"
    settings.write_text(settings.read_text("utf-8").replace('trusted: ""', "trusted: mail.example.org"), "utf-8")
    office.receive(mail(PLAIN, sender="anna@work.example.com", header=header))
    assert office.standing() == PLAIN.encode()
    assert office.kinds() == [
        ("receipt", "anna@example.org"),
        ("notice", "anna@work.example.com"),
        ("notice", MASTER),
    ]
    receipt, sender, master = (text_of(each) for each in office.sent())
    assert "came from anna@work.example.com" in " ".join(receipt.split())
    assert "spf=pass" in receipt
    assert "SHA-256" not in sender
    assert key("LIT") not in sender + master
    assert "gm seat LIT --email anna@work.example.com" in master
    assert "spf=pass" in master
    # the server's word stays with the record of the letter
    (entry,) = office.post.log.entries
    assert entry["authentication"] == ["mail.example.org; spf=pass smtp.mailfrom=work.example.com"]
    # from the same address once more: the player gets his receipt, and nobody else is bothered
    office.receive(mail(orders("LIT"), sender="anna@work.example.com", number="2"))
    assert office.kinds()[3:] == [("receipt", "anna@example.org")]


def test_one_letter_may_hold_orders_of_several_realms_and_files_of_the_same_name(office: Office) -> None:
    body = (
        'Content-Disposition: attachment; filename="orders.yaml"\nContent-Type: text/plain\n\n{}'
        '\n--b\nContent-Disposition: attachment; filename="orders.yaml"\nContent-Type: text/plain\n\n{}\n--b--\n'
    ).format(PLAIN, orders("POL"))
    office.receive(mail(f"--b\n{body}", more='MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n'))
    assert office.standing("LIT") == PLAIN.encode()
    assert office.standing("POL") == orders("POL").encode()
    assert {to for kind, to in office.kinds() if kind == "receipt"} == {"anna@example.org", "piotr@example.org"}


def test_a_known_address_that_names_no_realm_of_the_game_is_told_where_to_look(office: Office) -> None:
    office.receive(mail(orders("LIT").replace("realm: LIT", "realm: LTI")))
    (advice,) = office.sent()
    assert "did you mean 'LIT'" in text_of(advice)
    assert advice["To"] == "anna@example.org"


# -- reminders that a player does not want, or wants again -------------------------------------------------------------


def wish(office: Office, words: str, number: str) -> None:
    office.receive(mail("", subject=f"{words} {mark(office)}", number=number))


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
    texts = [flat(letter) for letter in office.sent()]
    assert '"subscribe" as the first word' in texts[0]
    assert '"unsubscribe" as the first word' in texts[1]
    assert all(letter["Auto-Submitted"] == "auto-replied" for letter in office.sent())


@pytest.mark.parametrize("subject", ["subscribe", "subscribe [minsk t1 LIT aaaa-bbbb-cccc]"])
def test_a_stranger_cannot_subscribe_anybody_and_learns_nothing(office: Office, subject: str) -> None:
    wish(office, "unsubscribe", "1")
    office.receive(mail("", subject=subject, number="2", sender="else@example.com"))
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
