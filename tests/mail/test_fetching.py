"""What becomes of a letter: whose it is, what is kept, who is told, and that nothing happens twice."""

import json
from datetime import timedelta

import pytest

from gm.mail import fetching, rendering
from gm.mail.exchange import mailbox
from gm.mail.fetching import Stray
from gm.mail.game_mail import READ, GameMail
from gm.mail.order_letters import Orders
from gm.mail.source import MailboxError
from tests.mail.office import GM, NOW, Office, fetch, flat, keyless, mail, mark
from tests.mail.shapes.pieces import OLD, ORDERS, PLAIN, key, orders

MASTER = "master@example.org"


# -- once, and nothing lost ----------------------------------------------------------------------------------


def test_a_letter_is_dealt_with_once_however_it_comes_again(office: Office) -> None:
    office.receive(mail(PLAIN))
    before = (office.folder / "inbox/turn-01/receipts.json").read_bytes()
    office.drop(mail(PLAIN))  # the same bytes
    office.drop(mail(PLAIN, header={"Received": "by another way"}))  # the same letter by another way
    fetched = office.fetch(NOW + timedelta(hours=1))
    assert fetched.letters == []
    assert (office.folder / "inbox/turn-01/receipts.json").read_bytes() == before
    assert len(office.sent()) == 1
    assert len(office.moved("gm-done")) == 3


def test_a_letter_of_the_last_turn_that_comes_again_changes_nothing(office: Office) -> None:
    office.receive(mail(OLD))
    from gm.campaign.plan import turn_plan
    from gm.cli.turn import play

    campaign = office.post.campaign
    play(campaign, turn_plan(campaign))
    office.drop(mail(PLAIN, number="9", sender="mallory@example.net"))  # with last turn's key
    fetched = office.fetch(NOW + timedelta(days=5))
    assert fetched.letters[0][2] == "LIT late"
    assert office.standing(turn=2) is None
    assert {to for _, to in office.kinds()} == {"anna@example.org"}
    text = flat(office.sent()[-1])
    assert "it is for turn 1, and arrived 16 hours after the deadline of that turn (Friday 2026-01-09" in text
    assert "The turn was played" in text
    # a token of the last turn is good for nothing at all
    office.receive(
        mail(keyless().replace("turn: 1", "turn: 2"), number="10", subject=mark(office, "LIT", 1)),
        NOW + timedelta(days=5),
    )
    assert office.standing(turn=2) is None


def test_the_template_that_came_along_by_accident_does_not_undo_orders(office: Office) -> None:
    template = (office.folder / "turns/turn-00/next/LIT.yaml").read_bytes()
    office.drop(mail(PLAIN))
    office.receive(mail(template.replace(b"\n", b"\r\n"), number="2", subject="a question"))
    assert office.standing() == PLAIN.encode()
    assert "just as it was sent" in flat(office.sent()[1])
    # where nothing stands it says at least that somebody is there
    pol = (office.folder / "turns/turn-00/next/POL.yaml").read_bytes()
    office.receive(mail(pol, number="3", sender="piotr@example.org"))
    assert office.standing("POL") is not None


def test_a_mailbox_folder_that_cannot_be_made_keeps_nobody_waiting(office: Office) -> None:
    (office.box / ".gm-done").write_text("not a folder")
    office.drop(mail(PLAIN))
    fetched = office.receive(mail(orders("POL"), number="2", sender="piotr@example.org"))
    assert "cannot be moved to gm-done" in fetched.problem
    assert office.standing("POL") is not None
    assert office.fetch().letters == []


def test_a_letter_that_shows_a_bug_stays_and_keeps_nobody_waiting(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    office.drop(mail("hello", subject="breaks it [minsk t1 LIT aaaa-bbbb-cccc]"))
    office.drop(mail(orders("POL"), number="2", sender="piotr@example.org"))
    with monkeypatch.context() as patch:
        patch.setitem(fetching.HANDLERS, Stray, broken)
        for _ in range(2):
            fetched = office.fetch()
            assert "error in pbem itself" in fetched.troubles[0]
    assert office.standing("POL") is not None
    assert len(office.waiting()) == 1
    (details,) = (office.folder / "mail/trouble").iterdir()
    assert "ZeroDivisionError: a bug" in details.read_text("utf-8")
    assert [to for kind, to in office.kinds() if kind == "gm"] == [MASTER]
    # mended: nothing was lost
    assert [outcome for _, _, outcome in office.fetch().letters] == ["no orders in it (no-file)"]
    assert not office.waiting()


def test_a_disk_that_is_full_is_no_letters_fault(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    office.drop(mail(PLAIN))
    monkeypatch.setattr("gm.store.inbox.write_file", full)
    with pytest.raises(OSError, match="No space left"):
        office.fetch()
    monkeypatch.undo()
    assert [outcome for _, _, outcome in office.fetch().letters] == ["LIT taken"]


def test_that_the_mailbox_was_read_is_noted_but_not_every_few_minutes(office: Office) -> None:
    for minutes in (0, 5, 10, 15, 25, 30):
        office.fetch(NOW + timedelta(minutes=minutes))
    reads = [remark["at"] for remark in office.post.log.remarks(READ)]
    assert reads == [(NOW + timedelta(minutes=minutes)).isoformat() for minutes in (0, 25)]


def test_a_broken_mailbox_is_no_read_one(office: Office) -> None:
    post = office.post

    class Broken:
        def waiting(self) -> object:
            raise MailboxError("gone")

    with pytest.raises(MailboxError):
        fetch(post, Broken(), NOW)  # type: ignore[arg-type]
    assert list(office.post.log.remarks(READ)) == []


# -- machines ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_machines_that_answer_each_other_come_to_an_end(office: Office) -> None:
    """The worst of them: it says nowhere that it is one, and answers each letter of ours from a player's
    address.
    """
    office.drop(mail("I am not here.", subject="hm"))
    answered = 0
    for round_ in range(60):
        office.fetch(NOW + timedelta(minutes=round_))
        sent = [letter for letter in office.sent() if letter["To"] == "anna@example.org"]
        if len(sent) == answered:
            break
        answered = len(sent)
        echo = mail("I am not here.", subject=f"Re: {sent[-1]['Subject']}", number=f"echo-{round_}")
        office.drop(echo)
    assert answered == 20
    # and its player still gets a receipt for orders
    office.receive(mail(PLAIN, number="real"), NOW + timedelta(hours=2))
    assert office.kinds()[-1] == ("receipt", "anna@example.org")


def test_a_flood_with_wrong_keys_tells_the_owner_a_few_times_a_day_and_hides_no_receipt(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirty guesses make three notices, none is rendered in vain, and the true orders' receipt comes."""
    written = []
    letters = rendering.rendered
    monkeypatch.setattr(
        rendering, "rendered", lambda name, values: written.append(name) or letters(name, values)
    )
    for number in range(30):
        office.drop(
            mail(
                orders("LIT", f"# {number}\n").replace(key("LIT"), "x"),
                number=str(number),
                sender="m@example.net",
            )
        )
    office.receive(mail(PLAIN, number="real"))
    assert office.kinds() == [("notice", "anna@example.org")] * 3 + [("receipt", "anna@example.org")]
    notices = [flat(letter) for letter in office.sent()[:3]]
    assert ["You will not be notified of every further letter" in notice for notice in notices] == [
        False,
        False,
        True,
    ]
    withheld = [entry.get("withheld", 0) for entry in office.post.log.entries]
    assert sum(withheld) == 27
    # what is withheld is not written either; the GM hears of the guesses from the twentieth on
    assert written.count("wrong-key") == 3
    office.receive(
        mail(orders("LIT", "# next day\n").replace(key("LIT"), "x"), number="later", sender="m@example.net"),
        NOW + timedelta(days=1, minutes=1),
    )
    assert office.kinds()[-1] == ("notice", "anna@example.org")


# -- secrets -------------------------------------------------------------------------------------------------


def test_no_key_and_no_token_stands_in_a_journal(office: Office) -> None:
    secret = mark(office, "LIT")
    office.drop(mail(PLAIN, subject=f"orders, key {key('LIT')} {secret}"))
    office.drop(
        mail(ORDERS, subject=f"{key('LIT')} RE: {secret[:-5]}", number="2", sender="else@example.com")
    )
    office.receive(mail("hello", subject=f"token {secret[-15:-1]}", number="3"))
    text = "".join(path.read_text("utf-8") for path in (office.folder / "mail").glob("*.jsonl"))
    assert len(text.splitlines()) > 5
    assert key("LIT") not in text
    assert secret[-15:-1] not in text
    assert secret[-15:-6] not in text
    for line in text.splitlines():
        json.loads(line)


def test_what_is_kept_of_an_error_holds_no_key(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = mark(office, "LIT")[-15:-1]

    def broken(*_: object) -> object:
        raise ValueError(f"cannot make sense of 'key: {key('LIT')}' and {secret}")

    office.drop(mail(PLAIN))
    monkeypatch.setitem(fetching.HANDLERS, Orders, broken)
    assert office.fetch().troubles
    (path,) = (office.folder / "mail/trouble").iterdir()
    text = path.read_text("utf-8")
    assert "cannot make sense of" in text
    assert key("LIT") not in text
    assert secret not in text


def test_an_address_in_big_letters_is_no_other_address(office: Office) -> None:
    """What is answered a day is counted by reader."""
    office.receive(mail("hello"))
    assert office.post.count_within_day("ANNA@Example.org", "advice", NOW) == 1


def test_the_mailbox_is_left_as_it_is_by_a_check(office: Office) -> None:
    office.drop(mail(PLAIN))
    post: GameMail = office.post
    with mailbox(post, ()) as source:
        assert [message.size for message in source.waiting()] == [len(mail(PLAIN))]
        assert source.holds("1@example.org")
        assert not source.holds("2@example.org")
    assert len(office.waiting()) == 1
    assert post.settings.sender == GM
