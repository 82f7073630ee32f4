"""Killing a round of fetching at each of its writes: the next one ends where an undisturbed one does."""

import os
import shutil
import signal
import sys
import warnings
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from gm.cli.postal import serve_seats
from gm.cli.session import changing
from gm.mail.game_mail import READ, GameMail
from gm.mail.requests import code_for
from gm.mail.results import publish_results
from gm.store.journal import Journal
from tests.faults.commands import same_secrets
from tests.mail.office import NOW, Office, mail, mark
from tests.mail.shapes.pieces import OLD, PLAIN, attached, key, letter, orders, parts, sample

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that can fork")

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = ("os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.link", "os.symlink")


def content(office: Office) -> dict[str, object]:
    """Everything that a round leaves behind, in the game and in the mailbox.

    That the mailbox was read is noted by the round that comes to its end: of the journal only the rest is
    compared.
    """
    top = office.folder.parent
    contents: dict[str, object] = {
        str(path.relative_to(top)): path.read_bytes()
        for path in sorted(top.rglob("*"))
        if path.is_file() and path.name not in (".lock", "journal.jsonl")  # which tells the time
    }
    for path in top.rglob("mail/letters.jsonl"):
        entries = Journal(path).entries
        contents[str(path.relative_to(top))] = [entry for entry in entries if entry.get("what") != READ]
    return contents


Round = Callable[[Office], object]


def fetched(office: Office) -> None:
    """A round of fetching, as this kind of office does it."""
    office.fetch()


def served(office: Office) -> None:
    """A round of fetching, and all that letters ask for is done.

    What is drawn at random is the same in every run.
    """
    office.fetch()
    with same_secrets(), changing(office.folder, by_steps=True) as campaign:
        serve_seats(GameMail(campaign), NOW)
    office.post.log.sweep()  # as the next round does


def round_that_dies(office: Office, at: int, whole: Round = fetched) -> bool:
    """One round in a process of its own, killed before its change number ``at``.

    Whether it came to its end.
    """
    return ended_before(at, str(office.folder.parent), lambda: whole(office))


def ended_before(at: int, top: str, work: Callable[[], object]) -> bool:
    """Some work in a process of its own, killed before its change number ``at`` below a folder.

    Whether it ended.
    """

    def kill(number: int) -> None:
        if number == at:
            os.kill(os.getpid(), signal.SIGKILL)

    return in_a_process(top, work, kill)


def in_a_process(top: str, work: Callable[[], object], before_change: Callable[[int], None]) -> bool:
    """Some work in a process of its own, with a look before each change that it makes below a folder.

    ``before_change`` is told the number of the change, from 1. Whether the work ended.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of forks beside threads
        child = os.fork()
    if child == 0:
        number = 0
        looking = False

        def watch(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal number, looking
            changes = event in CHANGES or (
                event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITES
            )
            if changes and not looking and str(arguments[0]).startswith(top):
                number += 1
                looking = True
                before_change(number)
                looking = False

        try:
            sys.addaudithook(watch)
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return not os.WIFSIGNALED(status)


def kill_everywhere(
    make: Callable[[str], Office], fill: Callable[[Office], None], step: int = 1, whole: Round = fetched
) -> int:
    """Compare an undisturbed round with what becomes of one that was killed at its changes.

    What a kill before a change leaves is what lies on the disk then: one round is enough to copy all of it.
    Returns the number of the last change that was looked at.
    """
    calm = make("calm")
    fill(calm)
    whole(calm)
    expected = content(calm)
    office = make("killed")
    fill(office)
    top = office.folder.parent
    left = top.with_name(f"{top.name}-left")
    left.mkdir()

    def copy(number: int) -> None:
        if number % step == 1 % step:
            shutil.copytree(top, left / str(number))

    assert in_a_process(str(top), lambda: whole(office), copy)
    assert content(office) == expected
    numbers = sorted(int(path.name) for path in left.iterdir())
    for number in numbers:
        shutil.rmtree(top)
        (left / str(number)).rename(top)
        whole(office)
        assert content(office) == expected, f"killed before change {number}"
    return numbers[-1]


def drop_second_version(office: Office) -> None:
    """One letter whose receipt must tell the difference from a file that it overwrites."""
    office.drop(mail(PLAIN, number="2"))


def drop_all_sorts(office: Office) -> None:
    """Letters of every kind, one after another."""
    office.drop(mail(OLD, number="1"))
    office.drop(mail(PLAIN, number="2", sender="anna@work.example.com"))
    office.drop(mail(orders("POL", "units: ["), number="3", sender="piotr@example.org"))
    office.drop(mail(orders("TEU").replace(key("TEU"), "x"), number="4", sender="m@example.net"))
    office.drop(mail("hello", number="5", sender="nikita@example.org"))
    office.drop(sample("away-sieve"))
    head = 'From: piotr@example.org\nMessage-ID: <7@example.org>\nContent-Type: multipart/mixed; boundary="b"'
    both = parts(
        "b",
        attached("a", orders("POL")),
        attached("b", orders("POL", "headquarters:\n  offer_peace: [TEU]\n")),
    )
    office.drop(letter(head, both, trace=False))


@pytest.fixture
def after_first(make_office: Callable[[str], Office]) -> Callable[[str], Office]:
    """Offices in which a first version stands already."""

    def make(name: str) -> Office:
        office = make_office(name)
        office.receive(mail(OLD, number="1"))
        return office

    return make


def test_a_round_may_be_killed_at_any_of_its_changes(after_first: Callable[[str], Office]) -> None:
    assert kill_everywhere(after_first, drop_second_version, step=6) >= 8


@pytest.mark.slow
def test_it_may_be_killed_at_each_of_its_changes(after_first: Callable[[str], Office]) -> None:
    assert kill_everywhere(after_first, drop_second_version) >= 20


def drop_letters_between_players(office: Office) -> None:
    """One to all and the game master, one that mutes and answers, one that is refused, one of nobody."""
    office.edit(
        "game.yaml", {"late: take": "press: {kinds: [signed, anonymous, public], a_day: 1}\nlate: take"}
    )
    office.drop(mail("To: all, GM\nAs: anonymous\nHello", number="6", subject=mark(office)))
    second = mail(
        "Mute: LIT\nTo: NOV\nHello", number="7", sender="piotr@example.org", subject=mark(office, "POL")
    )
    office.drop(second)
    office.drop(mail("To: POL\nAnd one too many", number="8", subject=mark(office)))
    office.drop(mail("To: POL\nIn somebody's name", number="9", sender="piotr@example.org"))


@pytest.mark.slow
def test_a_round_of_letters_between_players_may_be_killed(make_office: Callable[[str], Office]) -> None:
    assert kill_everywhere(make_office, drop_letters_between_players, step=9) >= 9


@pytest.mark.slow
def test_a_round_of_letters_between_players_may_be_killed_at_each_of_its_changes(
    make_office: Callable[[str], Office],
) -> None:
    assert kill_everywhere(make_office, drop_letters_between_players) >= 50


@pytest.mark.slow
def test_a_round_of_many_letters_may_be_killed_at_each_of_its_changes(
    make_office: Callable[[str], Office],
) -> None:
    assert kill_everywhere(make_office, drop_all_sorts) >= 40


ASKED = {  # letters, as who writes: the subject; what is in braces stands in the letters that they have got
    "a change": ("anna: away until 3 {LIT}", "nikita: language de {NOV}", "theo: orders", "piotr: resign"),
    "another address": (
        "anna: address anna@new.example {LIT}",
        "anna@new.example: address anna@new.example {new}",
    ),
    "a resignation": ("piotr: resign {POL}",),
    "more time": ("anna: extend {LIT}", "nikita: extend {NOV}"),
    "a stranger": ("carla: join TEU", "carla: join TEU {TEU}", "dan: join NOV {NOV free}", "dan: join off"),
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.slow
def test_what_letters_ask_for_is_done_once_wherever_a_run_is_killed(
    make_office: Callable[[str], Office], asked: str
) -> None:
    """A killed run leaves no wish half done, and the next run does none twice."""

    def make(name: str) -> Office:
        office = make_office(name)
        office.edit(
            "game.yaml", {"late: take": "open: true\nlate: take", 'extensions: ""  ': 'extensions: "24h"'}
        )
        if asked == "a stranger":
            office.edit("players.yaml", {"theo@example.org": "", "realm: TEU,": "realm: TEU, open: true,"})
        publish_results(office.post, NOW)
        return office

    def fill(office: Office) -> None:
        marks = {realm: mark(office, realm) for realm in ("LIT", "NOV", "POL")}
        codes = {"new": "address LIT anna@new.example", "TEU": "join TEU carla@example.org"}
        codes |= {"NOV free": "join NOV dan@example.org"}
        marks |= {
            name: f"[{code_for(office.post, *words.split(), NOW.date() if words[0] == 'j' else None)}]"
            for name, words in codes.items()
        }
        for number, wish in enumerate(ASKED[asked]):
            name, subject = wish.split(": ", 1)
            for word, code in marks.items():
                subject = subject.replace(f"{{{word}}}", code)
            sender = name if "@" in name else f"{name}@example.org"
            office.drop(mail("yes", sender=sender, subject=subject, number=f"{number}.{name[0]}"))

    assert kill_everywhere(make, fill, 2, served) >= 20


@pytest.mark.slow
def test_a_receipt_says_what_the_killed_run_would_have_said_however_late_the_next_one_is(
    after_first: Callable[[str], Office],
) -> None:
    at = 1
    while True:
        office = after_first(f"late-{at}")
        drop_second_version(office)
        ended = round_that_dies(office, at)
        office.fetch(NOW + timedelta(hours=3))
        (_, receipt) = office.sent()
        text = receipt.as_string()
        assert "version 2" in text
        assert "+ send_ambassador: POL" in text
        if ended:
            break
        at += 7


def test_what_was_begun_is_cleared_away(office: Office) -> None:
    drop_all_sorts(office)
    office.fetch()
    begun = Path(office.folder / "mail/begun")
    assert list(begun.iterdir()) == []
