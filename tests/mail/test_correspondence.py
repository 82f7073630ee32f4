"""Letters to a game, and all that comes of them: a case of ``correspondence.yaml`` is a few letters in
order.
"""

import hashlib
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from gm.cli.app import gm
from gm.cli.postal import serve_seats
from gm.cli.session import changing
from gm.mail.game_mail import GameMail, subject_mark
from gm.mail.outbox import State
from gm.mail.requests import code_for
from gm.mail.results import publish_results
from gm.mail.status import unsubscribed
from tests.examples import some, sweep
from tests.mail.office import NOW, Office, enclosed, flat, keyless, mail, mark, text_of
from tests.mail.shapes.pieces import (
    OLD,
    ORDERS,
    OURS,
    PLAIN,
    attached,
    key,
    orders,
    parsed,
    parts,
    sample,
    zipped,
)

CASES: dict[str, Any] = {
    name: case
    for file in ("correspondence.yaml", "press.yaml")
    for name, case in YAML(typ="safe").load(Path(__file__).with_name(file).read_text("utf-8")).items()
}
TEXTS = {"ORDERS": ORDERS, "PLAIN": PLAIN, "OLD": OLD}
MIXED = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n'


@pytest.mark.clause("O1")
@pytest.mark.parametrize("name", sweep(CASES, *some(CASES)))
def test_letters_are_dealt_with(office: Office, name: str) -> None:
    case = CASES[name]
    for file, changes in case.get("edit", {}).items():
        office.edit(file, changes)
    if case.get("week"):
        publish_results(office.post, NOW)
    for number, letter in enumerate(case["letters"], start=1):
        seen = len(office.sent())
        for message in office.post.outbox.messages if letter.get("delivered") else ():
            office.post.outbox.set_state(message.id, State.SENT, NOW)
        office.drop(written(office, letter, number), arrived=moment(letter.get("arrived")))
        if letter.get("waits"):
            continue
        fetched = office.fetch(moment(letter.get("at")) or NOW)
        if case.get("week"):
            with changing(office.folder, by_steps=True) as campaign:
                serve_seats(GameMail(campaign), moment(letter.get("at")) or NOW)
        if "outcome" in letter:
            assert [outcome for _, _, outcome in fetched.letters][-1:] == [letter["outcome"]]
        check(office, letter.get("then", {}), office.sent()[seen:], office.kinds()[seen:])


def moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None


def filled(office: Office, text: str) -> str:
    """A text of the cases: ``{key LIT}``, ``{orders POL}`` and the like stand for what the game has."""
    words = {
        "key": key,
        "orders": orders,
        "keyless": keyless,
        "mark": lambda realm: mark(office, realm),
        "broken": lambda realm: mark(office, realm).replace("-", "-\n ", 1),
        "token": lambda realm: mark(office, realm)[-15:-1],
        "sign": lambda realm: f"[minsk{passed_to(office, realm)['Subject'].partition('[minsk')[2]}",
        "passed": lambda realm: passed_to(office, realm)["Message-ID"],
        "sha": lambda name: hashlib.sha256(TEXTS[name].encode()).hexdigest(),
    }
    text = re.sub(rf"\{{({'|'.join(words)}) ([A-Z]{{3,6}})\}}", lambda match: words[match[1]](match[2]), text)
    # the code that was sent to an address: {code join POL new@example.org}
    codes = r"\{code (address|join) ([A-Z]{3}) (\S+)\}"
    day = {"join": NOW.date()}
    text = re.sub(codes, lambda match: f"[{code_for(office.post, *match.groups(), day.get(match[1]))}]", text)
    return re.sub(rf"\{{({'|'.join(TEXTS)})\}}", lambda match: TEXTS[match[1]], text)


def passed_to(office: Office, realm: str) -> EmailMessage:
    """The last letter between players that a realm got."""
    *_, last = (
        message
        for message in office.post.outbox.messages
        if message.kind == "press" and message.realm == realm
    )
    return parsed(office.post.outbox.path(last.id).read_bytes())


def content_of(office: Office, content: str | dict[str, str]) -> str | bytes:
    return filled(office, content) if isinstance(content, str) else zipped(content)


def written(office: Office, letter: Mapping[str, Any], number: int) -> bytes:
    """A letter of a case: its ``body``, or ``files`` as (name, content), or a ``sample`` about our letter
    of advice.
    """
    if "sample" in letter:
        data = sample(letter["sample"])
        advice = [message.id for message in office.post.outbox.messages if message.kind == "advice"]
        ours = office.post.message_id(advice[0]) if advice and not letter.get("strange") else OURS
        for before, after in {OURS: ours, **letter.get("replace", {})}.items():
            data = data.replace(before.encode(), after.encode())
        return data
    body = filled(office, letter.get("body", ""))
    more = ""
    if "files" in letter:
        body = parts("b", *(attached(name, content_of(office, content)) for name, content in letter["files"]))
        more = MIXED
    header = {name: filled(office, value) for name, value in letter.get("header", {}).items()}
    subject = filled(office, letter.get("subject", "orders"))
    sender = letter.get("from", "Anna <anna@example.org>")
    return mail(
        body, sender=sender, subject=subject, number=str(letter.get("id", number)), more=more, header=header
    )


def check(
    office: Office, then: Mapping[str, Any], sent: list[EmailMessage], kinds: list[tuple[str, str]]
) -> None:
    """What stands, what was sent because of the letter, where letters were put, and what is noted."""
    for realm, text in then.get("standing", {}).items():
        assert office.standing(realm) == (None if text is None else filled(office, text).encode())
    if "sent" in then:
        assert kinds == [tuple(expected["as"]) for expected in then["sent"]]
        for expected, message in zip(then["sent"], sent, strict=True):
            check_letter(office, expected, message)
    for folder, count in then.get("moved", {}).items():
        assert len(office.moved(folder)) == count
    assert then.get("kept", True) or not (office.folder / "inbox").exists()
    for kind, state in then.get("states", {}).items():
        assert [message.state for message in office.post.outbox.messages if message.kind == kind] == [state]
    for kind, words in then.get("words", {}).items():
        assert [message.words for message in office.post.outbox.messages if message.kind == kind] == [words]
    for realm, entry in then.get("players", {}).items():
        player = office.post.campaign.folder.players.of(realm)
        assert {name: getattr(player, name) for name in entry} == entry
    for name, value in then.get("noted", {}).items():
        assert office.post.log.entries[-1][name] == value
    if "unsubscribed" in then:
        assert unsubscribed(office.post) == set(then["unsubscribed"])


def check_letter(office: Office, expected: Mapping[str, Any], message: EmailMessage) -> None:
    """Check a letter's subject, words, header and files against what is expected."""
    text = flat(message)
    if "subject" in expected:
        assert str(message["Subject"]).partition(" [minsk")[0] == expected["subject"]
    for words in expected.get("says", ()):
        assert " ".join(filled(office, words).split()) in text
    for words in expected.get("hides", ()):
        hidden = filled(office, words)
        assert hidden not in text_of(message)
        assert hidden not in message.as_string()
    for name, value in expected.get("header", {}).items():
        assert message[name] == value
    if "files" in expected:
        assert {name: data.decode() for name, data in enclosed(message).items()} == {
            name: filled(office, content) for name, content in expected["files"].items()
        }


# -- 14.B11: every letter names a way to the GM, and what a player writes that is no orders reaches him ------

MASTER = "master@example.org"
TO_GM = "For anything other than orders, write to the game master: master@example.org."


def passed_on(office: Office) -> list[str]:
    return [text_of(letter) for letter in office.sent() if letter["To"] == MASTER]


def test_every_letter_to_a_player_names_the_gm(office: Office) -> None:
    office.drop(mail(PLAIN, number="1", sender="anna@elsewhere.example"))
    office.drop(mail("hello", number="2", sender="nikita@example.org"))
    office.receive(mail(orders("TEU").replace(key("TEU"), "x"), number="3", sender="m@example.net"))
    letters = [letter for letter in office.sent() if letter["To"] != MASTER]
    assert {kind for kind, _ in office.kinds()} == {"receipt", "advice", "notice", "gm"}
    for letter in letters:
        assert flat(letter).endswith(TO_GM), letter["Subject"]
        assert letter["From"].addresses[0].addr_spec == "gm@example.org"
        assert letter["Reply-To"] is None  # an answer goes to the game


def test_a_letter_without_orders_is_passed_on_with_its_words_and_without_its_secrets(office: Office) -> None:
    player = office.post.campaign.folder.players.of("LIT")
    assert player is not None
    mark = subject_mark(player, "minsk", 1)
    office.receive(mail(f"May I {{{{ cheat }}}}?\n<b>{key('LIT')}</b> \x1b[31m\n", subject=f"Re: hm {mark}"))
    (forwarded, advice) = office.sent()
    assert (forwarded["To"], forwarded["Reply-To"]) == (MASTER, "anna@example.org")
    assert forwarded["Subject"] == "From Lithuania: Re: hm [minsk]"
    text = text_of(forwarded)
    assert "May I {{ cheat }}?" in text
    assert key("LIT") not in text
    assert "\x1b" not in text
    assert "<b>" not in forwarded.get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert "What you wrote was passed on to the game master." in flat(advice)
    assert "\r\n\r\n* There is no order file in your letter." in text_of(advice)
    office.fetch(NOW + timedelta(hours=1))
    assert len(office.sent()) == 2


def test_so_many_a_day_are_passed_on_and_the_others_are_counted(office: Office) -> None:
    for number in range(8):
        office.drop(mail(f"and {number}", number=str(number)))
    office.receive(mail("me too", number="x", sender="piotr@example.org"))
    assert len(passed_on(office)) == 6
    said = CliRunner().invoke(gm, ["status", "--game", str(office.folder), "--at", "2026-01-06 12:00"]).output
    assert "9 letters without orders for this turn (LIT 8, POL 1); 3 of them only in gm-aside." in said
    office.receive(mail("tomorrow", number="y"), NOW + timedelta(days=1, minutes=1))
    assert len(passed_on(office)) == 7


# -- reminders that a player does not want, or wants again ---------------------------------------------------


def wish(office: Office, words: str, number: str) -> None:
    office.receive(mail("", subject=f"{words} {mark(office)}", number=number))


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
    run = [
        "player",
        "replace",
        "LIT",
        "--name",
        "Carla",
        "--email",
        "carla@example.org",
        "--game",
        str(office.folder),
    ]
    assert CliRunner().invoke(gm, run).exit_code == 0
    assert unsubscribed(office.post) == frozenset()
