"""Huge letters and very many of them: little memory, and none is lost."""

import base64
import os
from pathlib import Path

import pytest

from tests.mail.office import NOW, Office, flat, mail, mixed
from tests.mail.peak import needs_peak, peak_of
from tests.mail.shapes.pieces import PLAIN, attached, key, orders

FETCH = """
import resource, sys
from pathlib import Path
from tests.mail.office import Office, flat
resource.setrlimit(resource.RLIMIT_DATA, (400_000_000, 400_000_000))
fetched = Office(Path(sys.argv[1])).fetch()
print(fetched.seen, len(fetched.letters))
"""


def measured(office: Office) -> tuple[int, int, float]:
    """(seen, new, megabytes) of a round of fetching in a process of its own."""
    (said,), peak = peak_of(FETCH, office.folder, timeout=600)
    seen, new = map(int, said.split())
    return seen, new, peak


def huge(path: Path, megabytes: int) -> None:
    """A letter with one huge attachment, written without having it in memory."""
    with path.open("wb") as file:
        file.write(mixed(attached("orders.yaml", "x")).partition(b"eA==")[0])
        line = base64.b64encode(b"orders: 1" * 6) + b"\n"
        for _ in range(megabytes):
            file.write(line * (1_000_000 // len(line)))


@pytest.mark.slow
@needs_peak
def test_huge_attachments_are_not_read_whole(office: Office) -> None:
    for number in range(3):
        huge(office.box / "new" / f"{number}.big.host", 100)
    huge(office.box / "new" / "9.big.host", 9)  # just small enough to be read
    office.drop(mail(PLAIN))
    seen, new, peak = measured(office)
    assert seen == 5
    assert peak < 200
    assert office.standing() == PLAIN.encode()
    advice = [letter for letter in office.sent() if letter["Subject"].startswith("No orders accepted")]
    assert advice
    assert all("far larger than any order file" in flat(letter) for letter in advice)
    assert new >= 3
    assert len(office.moved("gm-aside")) == seen - 1


def children_seconds() -> float:
    """Return the processor's time of all processes that this one has waited for."""
    spent = os.times()
    return spent.children_user + spent.children_system


@pytest.mark.slow
@needs_peak
def test_ten_thousand_letters_take_little_memory_and_are_all_dealt_with(office: Office) -> None:
    for number in range(10_000):
        kind = number % 4
        body = [
            f"spam {number}",
            orders("LIT", f"# {number}\n").replace(key("LIT"), "x"),
            f"hello {number}",
            "x" * 3000,
        ][kind]
        sender = ["s@example.net", "m@example.net", "anna@example.org", f"s{number}@example.net"][kind]
        office.drop(mail(body, number=str(number), sender=sender))
    office.drop(mail(PLAIN, number="real"))
    before = children_seconds()
    seen, new, peak = measured(office)
    assert (seen, new) == (10_001, 10_001)
    assert peak < 200
    assert children_seconds() - before < 300
    assert office.standing() == PLAIN.encode()
    assert sorted(kind for kind, _ in office.kinds()) == ["advice"] * 20 + ["gm"] * 5 + ["notice"] * 3 + [
        "receipt"
    ]
    assert office.waiting() == []
    again = office.fetch(NOW)
    assert (again.seen, again.letters) == (0, [])
