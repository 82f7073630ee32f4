"""Requests as players write them: what counts, and what is answered with the nearest request."""

from email.message import EmailMessage
from email.policy import SMTP

import pytest

from gm.mail.letter import Letter
from gm.mail.wishes import asked_of, asks_besides, nearest_request
from tests.mail.asking import PROGRAMS, page_alone
from tests.mail.office import NOW, Office, flat, keyless, mail, mark

ANSWERED = "Re: Your orders are missing: turn 1 [minsk t1 LIT aaaa-bbbb-cccc]"


def letter(subject: str, text: str = "") -> Letter:
    return Letter(fingerprint="x", sender="anna@example.org", whole_subject=subject, text=text)


@pytest.mark.parametrize(
    ("subject", "text", "words"),
    [
        ("extend please", "", "extend"),
        ("Extend, bitte!", "", "extend"),
        ("away till turn 8", "", "away until 8"),
        ("away", "until 8", "away until 8"),
        (ANSWERED, "extend", "extend"),
        (ANSWERED, "Extend, please.\n\nSent from my iPhone", "extend"),
        (
            "AW: Deine Befehle fehlen [minsk t1 LIT aaaa-bbbb-cccc]",
            "digest: daily\n\n-- \nAnna",
            "digest daily",
        ),
        ("", "help", "help"),
        ("“digest:daily”", "", "digest daily"),
        ('"notify: kq3v-x5tm-2a7c".', "", "notify kq3v-x5tm-2a7c"),
        ("notify:https://ntfy.sh/a1", "", "notify https://ntfy.sh/a1"),
        (ANSWERED, "Notify: ntfy.sh/a1<http://ntfy.sh/a1>", "notify ntfy.sh/a1"),
        ("Away : steward", "", "away steward"),
    ],
)
def test_a_request_is_the_subject_or_the_only_line(subject: str, text: str, words: str) -> None:
    asked = asked_of(letter(subject, text), {})
    assert asked is not None
    assert (asked.words, asked.near) == (words, "")


NEAR = {
    "extnd": "extend",
    "extend 24h": "extend",
    "extension": "extend",
    "Verlängerung bitte": "extend",
    "verlaengern": "extend",
    "digest": "digest daily",
    "digest: weekly": "digest daily",
    "digset: off": "digest off",
    "täglich": "digest daily",
    "steward": "away steward",
    "Verwalter": "away steward",
    "away until 8, stewart": "away until 8, steward",
    "away tomorrow": "away until 8",
    "notify": "notify ntfy.sh/TOPIC",
    "notfy: ntfy.sh/a1": "notify ntfy.sh/a1",
    "notfy:ntfy.sh/a1": "notify ntfy.sh/a1",
    "reminder off": "reminders off",
    "vacaton": "vacation",
    "language: deutsch": "language de",
    "Hilfe": "help",
}


@pytest.mark.parametrize("words", NEAR)
@pytest.mark.parametrize("in_text", [False, True])
def test_what_is_nearly_a_request_is_answered_with_it(words: str, in_text: bool) -> None:
    asked = asked_of(letter(ANSWERED, words) if in_text else letter(words), {})
    assert asked is not None
    assert (asked.word, asked.near) == ("help", NEAR[words])


@pytest.mark.parametrize(
    "words",
    [
        *(
            "hello",
            "Thanks!",
            "Question",
            "Ok",
            "order: attack Kent",
            "help me with the map",
            "report of the war",
        ),
        *(
            "orders for turn 1",
            "Joint attack",
            "When is the deadline?",
            "Der Stand der Dinge",
            "extend?\nor not",
        ),
    ],
)
def test_what_is_none_is_a_letter_to_the_game_master(words: str) -> None:
    assert asked_of(letter(ANSWERED, words), {}) is None
    assert nearest_request(words) in ("", "extend")


@pytest.mark.parametrize("word", ["vacation", "unsubscribe"])
def test_vacation_and_reminders_may_be_the_only_line(word: str, office: Office) -> None:
    fetched = office.receive(mail(f"{word.capitalize()}, please.\n", subject=f"Re: {mark(office)}"))
    assert fetched.letters[-1][2] in ("asks for a week of vacation", "LIT wants no reminders")


def test_who_misspells_a_request_reads_the_nearest_one_and_nothing_changes(office: Office) -> None:
    office.receive(mail("", subject=f"extnd Re: {mark(office)}"))
    office.receive(
        mail("I need a day more.\nMy cat is ill.", subject=f"extnd Re: {mark(office)}", number="2")
    )
    office.edit("players.yaml", {"realm: LIT": "realm: LIT, language: de"})
    office.receive(mail("", subject=f"Verlängern Re: {mark(office)}", number="3"))
    first, passed_on, second, third = office.sent()
    assert 'not understood: "extnd". Nothing has changed. Did you mean "extend"?' in flat(first)
    assert "My cat is ill." in flat(passed_on)
    assert 'Did you mean to ask for "extend"? Then write just that as the subject' in flat(second)
    assert "„Verlängern“. Nichts hat sich geändert. Meintest du „extend“?" in flat(third)


def test_the_address_of_a_channel_stays_out_of_the_log_however_it_is_misspelt(office: Office) -> None:
    fetched = office.receive(mail("", subject=f"notfy: ntfy.sh/secret-1 Re: {mark(office)}"))
    assert "secret-1" not in str(fetched.letters)
    assert "secret-1" not in (office.folder / "mail/letters.jsonl").read_text("utf-8")


def test_a_request_beside_orders_is_not_done_and_its_player_is_told(office: Office) -> None:
    fetched = office.receive(mail(keyless(body="units: {}\n"), subject=f"extend Re: {mark(office)}"))
    assert fetched.letters[-1][2] == "LIT taken"
    (receipt,) = office.sent()
    assert "What you asked for in the subject was not done, because your letter also contains orders" in flat(
        receipt
    )
    assert not asks_besides(letter("orders for turn 1"))
    assert asks_besides(letter("vacation Re: the rest"))


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_signature_alone_is_no_letter_to_the_game_master(office: Office, program: object) -> None:
    received = told(office)
    answer = program(received, "")  # type: ignore[operator]
    seen = len(office.sent())
    office.receive(addressed(answer, f"status Re: {mark(office)}", "2"))
    assert [kind for kind, _ in office.kinds()[seen:]] == ["answer"]


def test_yes_is_read_from_a_page_too(office: Office) -> None:
    office.receive(addressed(page_alone(told(office), "Ja, sicher!"), f"Re: resign {mark(office)}", "2"))
    (entry,) = [entry for entry in office.post.log.entries if "request" in entry]
    assert (entry["request"], entry["realm"]) == ("resign", "LIT")


def test_a_question_in_a_page_reaches_the_game_master(office: Office) -> None:
    seen = len(office.sent())
    answer = page_alone(told(office), "When do we meet?")
    office.receive(addressed(answer, f"Re: {mark(office)}", "2"))
    passed_on = office.sent()[seen + 1]
    assert passed_on["To"] == "master@example.org"
    assert "When do we meet?" in flat(passed_on)


def told(office: Office) -> EmailMessage:
    """A letter of the game to Anna."""
    office.receive(mail("", subject=f"help {mark(office)}", number="first"), NOW)
    return office.sent()[-1]


def addressed(answer: EmailMessage, subject: str, number: str) -> bytes:
    answer["From"] = "Anna <anna@example.org>"
    answer["Subject"] = subject
    answer["Message-ID"] = f"<{number}@example.org>"
    return answer.as_bytes(policy=SMTP)
