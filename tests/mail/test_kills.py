"""Killing a round of fetching at each of its writes: the next one ends where an undisturbed one does."""

import os
import signal
import sys
import warnings
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from gm.mail.game_mail import READ
from gm.store.journal import Journal
from tests.mail.office import NOW, Office, mail
from tests.mail.shapes.pieces import OLD, PLAIN, attached, key, letter, orders, parts, sample

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that can fork")

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = ("os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.link", "os.symlink")


def content(office: Office) -> dict[str, object]:
    """Everything that a round leaves behind, in the game and in the mailbox.

    That the mailbox was read is noted by the round that comes to its end: of the journal only the rest is compared.
    """
    top = office.folder.parent
    found: dict[str, object] = {
        str(path.relative_to(top)): path.read_bytes()
        for path in sorted(top.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }
    for path in top.rglob("mail/letters.jsonl"):
        entries = Journal(path).entries
        found[str(path.relative_to(top))] = [entry for entry in entries if entry.get("what") != READ]
    return found


def round_that_dies(office: Office, at: int) -> bool:
    """One round in a process of its own, killed before its change number ``at``; whether it came to its end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of forks beside threads
        child = os.fork()
    if child == 0:
        left = at
        top = str(office.folder.parent)

        def watch(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left
            changes = event in CHANGES or (event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITES)
            if changes and str(arguments[0]).startswith(top):
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.addaudithook(watch)
            office.fetch()
        except BaseException:
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return not os.WIFSIGNALED(status)


def kill_everywhere(make: Callable[[str], Office], fill: Callable[[Office], None], step: int = 1) -> int:
    """Compare an undisturbed round with one that was killed at each of its changes; returns how many these are."""
    calm = make("calm")
    fill(calm)
    calm.fetch()
    wanted = content(calm)
    at = 1
    while True:
        office = make(f"killed-{at}")
        fill(office)
        ended = round_that_dies(office, at)
        if not ended:
            office.fetch()
        assert content(office) == wanted, f"killed before change {at}"
        if ended:
            return at - 1
        at += step


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
        "b", attached("a", orders("POL")), attached("b", orders("POL", "headquarters:\n  offer_peace: [TEU]\n"))
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


@pytest.mark.slow
def test_a_round_of_many_letters_may_be_killed_at_each_of_its_changes(make_office: Callable[[str], Office]) -> None:
    assert kill_everywhere(make_office, drop_all_sorts) >= 40


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
