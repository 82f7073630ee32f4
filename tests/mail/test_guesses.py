"""14.A1, 14.A2: keys cannot be guessed by letter, and what a player may show to others gives nothing away."""

import io
import zipfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.message import EmailMessage
from functools import cache

import pytest
from click.testing import CliRunner

from gm.cli.app import gm
from gm.core.orders.keys import make_key
from gm.mail.attachments import CANDIDATES
from gm.mail.game_mail import reply_token
from gm.mail.letter import read_letter
from gm.mail.results import publish_results
from gm.mail.status import WRONG_KEYS_LIMIT, closed_realms, wrong_keys
from tests.cost import cost
from tests.mail.office import NOW, Office, flat, keyless, mail, mark, mixed, text_of
from tests.mail.shapes.pieces import PLAIN, attached, key, orders, zipped

MASTER = "master@example.org"
MALLORY = "mallory@example.net"
SECOND = 1.0
"""So much processor time no letter may take (14.A1)."""


def guess(number: int, realm: str = "LIT") -> str:
    """An order file with a key that might be the right one."""
    return orders(realm).replace(key(realm), make_key("a stranger's guess", realm, number))


def guessing(office: Office, letters: int, first: int = 0) -> None:
    for number in range(first, first + letters):
        office.drop(mail(guess(number), sender=MALLORY, number=f"guess-{number}"))


# -- letters made to try many keys, or to take long ----------------------------------------------------------


@cache
def blocks() -> str:
    """Return two thousand guesses, each in a fence."""
    return "".join(f"```\n{guess(number)}```\n" for number in range(2000))


def parts_of(part: str) -> bytes:
    head = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n'
    return mail(f"--b\n{part}\n" * 99 + "--b--\n", more=head)


HOSTILE: dict[str, Callable[[], bytes]] = {
    "120,000 fenced files": lambda: mail(blocks() * 60),
    "fenced files as large as is read": lambda: mail(blocks()[:250_000]),
    "fenced files in each of 99 parts": lambda: parts_of(f"Content-Type: text/plain\n\n{blocks()[:85_000]}"),
    "99 attached files": lambda: mixed(
        *(attached(f"{n}.yaml", guess(n) + "# x\n" * 20_000) for n in range(99))
    ),
    "99 zips of one file each": lambda: mixed(
        *(attached(f"{n}.zip", zipped({"a.yaml": guess(n) + "# x\n" * 250_000})) for n in range(99))
    ),
    "a list without end": lambda: mail(orders("LIT") + "units: [" + "a, " * 40_000 + "]\n"),
    "five lists": lambda: mixed(
        *(attached(f"{n}.yaml", guess(n) + "u: [" + "a, " * 40_000) for n in range(5))
    ),
    "empty lines": lambda: mail("\n" * 8_700_000),
    "empty lines as many as are read": lambda: mail("\n" * 260_000),
    "heads": lambda: mail("game: x\nturn: 1\n" * 16_000),
    "HTML": lambda: mail("<p>orders: 1<br>" * 540_000, more="Content-Type: text/html\n"),
    "parts within parts": lambda: mail(
        "".join(f'--b{n}\nContent-Type: multipart/mixed; boundary="b{n + 1}"\n\n' for n in range(50_000)),
        more='Content-Type: multipart/mixed; boundary="b0"\n',
    ),
    "letters within letters": lambda: mail(
        "Content-Type: message/rfc822\n\n" * 280_000, more="Content-Type: message/rfc822\n"
    ),
    "an endless header": lambda: b"X-Line: y\n" * 870_000 + b"\nhello\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_no_letter_takes_a_second_and_few_of_its_files_are_tried(office: Office, name: str) -> None:
    data = HOSTILE[name]()
    letter = read_letter(data)
    assert len(letter.files) <= CANDIDATES
    assert sum(len(file.data) for file in letter.files) < 700_000
    assert cost(lambda: read_letter(data), SECOND) < SECOND
    office.drop(data)
    with_the_rest = 2 * SECOND  # the journal, the outbox and the mailbox
    assert cost(office.fetch, with_the_rest, attempts=1) < with_the_rest
    assert wrong_keys(office.post).get("LIT", 0) <= CANDIDATES
    assert office.waiting() == []


def test_who_sends_too_many_files_is_told(office: Office) -> None:
    office.receive(mixed(*(attached(f"{n}.yaml", orders("LIT", f"# {n}\n")) for n in range(CANDIDATES + 1))))
    assert office.standing() == orders("LIT", f"# {CANDIDATES - 1}\n").encode()
    assert "too many order files" in flat(office.sent()[-1])


# -- a cap on wrong keys -------------------------------------------------------------------------------------


def test_after_so_many_wrong_keys_only_the_address_on_file_with_its_token_counts(office: Office) -> None:
    guessing(office, WRONG_KEYS_LIMIT - 1)
    office.fetch()
    assert closed_realms(office.post) == frozenset()
    assert MASTER not in {to for _, to in office.kinds()}
    guessing(office, 3, WRONG_KEYS_LIMIT - 1)
    office.fetch()
    assert closed_realms(office.post) == {"LIT"}
    letters = [letter for letter in office.sent() if letter["To"] == MASTER]
    assert ["Wrong keys for LIT" in letter["Subject"] for letter in letters] == [True]  # once
    # the right key counts no more, and its sender is told at his address
    office.receive(mail(PLAIN, number="right"))
    assert office.standing() is None
    assert office.sent()[-1]["To"] == "anna@example.org"
    assert "no key is accepted for this turn" in flat(office.sent()[-1])
    # an answer from the address on file does; from another it does not
    office.receive(mail(PLAIN, number="elsewhere", subject=mark(office, "LIT"), sender=MALLORY))
    assert office.standing() is None
    office.receive(mail(PLAIN, number="token", subject=mark(office, "LIT")))
    assert office.standing() == PLAIN.encode()
    # nobody else's keys are touched
    office.receive(mail(orders("POL"), number="other", sender="piotr@example.org"))
    assert office.standing("POL") == orders("POL").encode()


def test_the_gm_reads_it_in_the_status_and_new_keys_begin_anew(office: Office) -> None:
    guessing(office, WRONG_KEYS_LIMIT)
    office.fetch()
    run = CliRunner()
    said = run.invoke(gm, ["status", "--game", str(office.folder)]).output
    assert f"{WRONG_KEYS_LIMIT} wrong keys came for LIT; no key of it counts this turn." in said
    assert run.invoke(gm, ["seat", "LIT", "--new-key", "--game", str(office.folder)]).exit_code == 0
    assert wrong_keys(office.post) == {}
    new = orders("LIT").replace(key("LIT"), office.post.campaign.keys["LIT"])
    office.receive(mail(new, number="new"))
    assert office.standing() == new.encode()


def test_a_letter_that_comes_again_is_counted_once(office: Office) -> None:
    """A killed run deals with a letter again: what it held is noted together with the letter, once."""
    for _ in range(2):
        guessing(office, 4)
        office.fetch()
    assert wrong_keys(office.post) == {"LIT": 4}


@pytest.mark.parametrize(
    "mistake",
    [
        lambda right: right[:-3],
        lambda right: right.replace("o", "0", 1),
        lambda right: "put-your-key-here",
        lambda right: "x",
        lambda right: key("LIT", 5),
    ],
)
def test_who_mistypes_his_key_has_made_no_guess(office: Office, mistake: Callable[[str], str]) -> None:
    wrong = mistake(key("LIT"))
    office.receive(mail(orders("LIT").replace(key("LIT"), wrong)))
    assert wrong_keys(office.post) == ({"LIT": 1} if wrong == key("LIT", 5) else {})
    (notice,) = office.sent()
    assert notice["To"] == "anna@example.org"
    assert key("LIT") not in text_of(notice)


# -- what may be shown to others -----------------------------------------------------------------------------


def contents(message: EmailMessage) -> Iterator[bytes]:
    """All of a message in clear, also what is packed."""
    yield str(message["Subject"]).encode()
    for part in message.walk():
        data = part.get_payload(decode=True) or b""
        assert isinstance(data, bytes)
        yield data
        if part.get_content_type() == "application/zip":
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                yield from (archive.read(name) for name in archive.namelist())


def test_results_and_receipts_sent_on_let_nobody_give_orders(office: Office) -> None:
    post = office.post
    publish_results(post, NOW)
    office.receive(mail(PLAIN, number="receipt"))
    player = post.campaign.folder.players.of("LIT")
    assert player is not None
    token = reply_token(player, "minsk", 1)
    mine = [letter for letter in office.sent() if letter["To"] == "anna@example.org"]
    held = {str(letter["Subject"]).partition(" [")[0]: b"\n".join(contents(letter)) for letter in mine}
    results = held["Lithuania: the game begins"]
    secret = held["Your key for turn 1, for you alone"]
    receipt = mine[-1]
    assert key("LIT").encode() not in results
    assert token.encode() not in results
    assert b"put-your-key-here" in results
    assert key("LIT").encode() in secret
    assert token.encode() in secret
    assert token not in receipt["Subject"]
    assert key("LIT") not in text_of(receipt)
    # an ally who forges the From line, too, has nothing
    office.drop(mail(keyless(), subject=f"Re: {mine[0]['Subject']}", number="forged"))
    office.receive(mail(keyless(), subject=f"Re: {receipt['Subject']}", number="forged again"))
    assert office.standing() == PLAIN.encode()


def test_what_came_late_is_told_how_late_and_counts_for_nothing(office: Office) -> None:
    """14.B15: ten minutes late, and not "orders are for turn 2"."""
    from gm.campaign.plan import turn_plan
    from gm.cli.turn import play

    campaign = office.post.campaign
    play(campaign, turn_plan(campaign))
    due = campaign.deadline(1)
    office.drop(mail(PLAIN), arrived=due + timedelta(minutes=10))
    office.drop(
        mail(keyless(), number="2", subject=mark(office, "LIT", 1)), arrived=due + timedelta(minutes=12)
    )
    office.fetch(due + timedelta(minutes=15))
    assert office.standing(turn=2) is None
    first, second = office.sent()
    text = flat(first)
    assert first["Subject"] == "Your orders missed the deadline: turn 1 [minsk t2 LIT]"
    assert "arrived 10 minutes after the deadline of that turn (Friday 2026-01-09 20:00 UTC)" in text
    assert "The turn was played " in text
    assert text.count("turn 2") == 1
    assert (
        "Orders for turn 2 are now accepted until Friday 2026-01-16 20:00 UTC; the template and your key"
        in text
    )
    assert "The deadline is" not in text
    assert "orders are accepted for turn 2, not" not in text
    assert "12 minutes after" in flat(second)
