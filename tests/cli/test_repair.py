"""14.B13: ``pbem repair`` mends a damaged journal as far as possible, says what is lost, and 'verify'
knows of it.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import gm.cli.maintenance  # before a test puts another disk in their place
import gm.mail.repair
from gm.cli.app import gm
from gm.store.journal import Journal, journal_of
from tests.cli.conftest import TALK, Run, all_orders, content
from tests.cli.posting import LATER, START, Office, office_of

Lines = list[bytes]
RESULTS = "Poland: turn 1 has been played"


@pytest.fixture
def played(game: Path, run: Run) -> Path:
    run("receive", all_orders(game), "--at", START)
    run("amend", "gold", "LIT", "3", "--why", "a typing error")
    run("turn", "--no-html")
    run("deadline", "extend", "--hours", "2")
    return game


def harm(path: Path, change: Callable[[Lines], Lines]) -> None:
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))


HARMS: dict[str, tuple[Callable[[Lines], Lines], str, int]] = {
    "a truncated last line": (lambda lines: [*lines[:-1], lines[-1][:30]], "line 5 was cut short", 4),
    "garbage in the middle": (
        lambda lines: [*lines[:2], b"\0\xff{]\n", *lines[2:]],
        "line 3 cannot be read",
        5,
    ),
    "a line twice": (lambda lines: [*lines[:3], lines[2], *lines[3:]], "line 4 is a duplicate", 5),
    "a line taken out": (lambda lines: [*lines[:1], *lines[2:]], "line 2 does not fit the one before it", 4),
    "a line changed": (
        lambda lines: [line.replace(b"typing", b"reading") for line in lines],
        "line 3 does not fit the one before it",
        5,
    ),
    "lines swapped": (
        lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
        "the wrong order: they are sorted",
        5,
    ),
    "an empty file": (lambda lines: [], "the lines before it are missing", 0),
}


@pytest.mark.parametrize("name", HARMS)
def test_a_damaged_journal_is_mended_and_the_loss_is_told(played: Path, run: Run, name: str) -> None:
    """14.B13: the chain holds again, everything that can be read is there, the damaged file is kept."""
    change, says, left = HARMS[name]
    path = played / "journal.jsonl"
    before = journal_of(played).entries
    harm(path, change)
    damaged = path.read_bytes()
    tree = content(played)
    assert says in run("repair", "--dry-run", code=1).output
    assert (content(played), path.read_bytes()) == (tree, damaged)
    assert says in run("repair", code=1).output
    *entries, entry = journal_of(played).entries
    assert len(entries) == left
    if left == 5 and name != "a line changed":
        assert entries == list(before)
    assert (entry["did"], entry["file"], entry["turn"]) == ("repair", "journal.jsonl", 1)
    assert any(says in loss for loss in entry["lost"])
    assert (played / entry["damaged"]).read_bytes() == damaged
    assert "whole" in run("repair").output
    output = run("verify").output
    assert "journal.jsonl was repaired on" in output
    assert "could not be checked" in output
    run("turn", "--missing-ok", "--no-html")
    run("verify")


def test_a_missing_journal_is_begun_anew(played: Path, run: Run) -> None:
    """14.B13: what it said is lost, and that is said."""
    (played / "journal.jsonl").unlink()
    assert "the file was missing, and with it every line" in run("repair", code=1).output
    (entry,) = journal_of(played).entries
    assert (entry["did"], entry["turn"]) == ("repair", 1)
    assert "the file was missing" in run("verify").output


@pytest.mark.parametrize("number", range(4))
def test_a_repair_that_is_cut_short_is_done_again(played: Path, run: Run, number: int) -> None:
    """14.B13: before or after; the damaged file is kept once."""
    from gm.store import disk

    path = played / "journal.jsonl"
    harm(path, lambda lines: [line.replace(b"typing", b"reading") for line in lines])
    damaged = path.read_bytes()
    left = [number]

    def cut(real: Callable[..., None]) -> Callable[..., None]:
        def call(*words: object, **more: object) -> None:
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
            real(*words, **more)

        return call

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disk, "write_file", cut(disk.write_file))
        patch.setattr(disk, "flush_folder", cut(disk.flush_folder))
        CliRunner().invoke(gm, ["repair"])
    if path.read_bytes() == damaged:
        run("repair", code=1)
    assert "nothing to repair" in run("repair").output
    assert [path.read_bytes() for path in (played / "damaged").iterdir()] == [damaged]
    assert [entry["did"] for entry in journal_of(played).entries][-1] == "repair"


def test_whole_journals_are_left_alone(played: Path, run: Run) -> None:
    """14.B13: nothing to repair, nothing written."""
    before = content(played), (played / "journal.jsonl").read_bytes()
    assert "nothing to repair" in run("repair").output
    assert (content(played), (played / "journal.jsonl").read_bytes()) == before


def test_a_change_that_waits_to_be_finished_is_finished_after_the_repair(played: Path, run: Run) -> None:
    """14.B13: a run that was killed with a journal that is damaged meanwhile."""
    from gm.store import change

    path = played / "journal.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(change, "_finish", lambda *rest: None)
        change.carry_out(played, {"note.txt": b"kept"}, {"at": START, "did": "report", "turn": 1})
    harm(path, lambda lines: [line.replace(b"typing", b"reading") for line in lines])
    run("repair", code=1)
    run("status")
    assert (played / "note.txt").read_bytes() == b"kept"
    assert [entry["did"] for entry in journal_of(played).entries][-2:] == ["repair", "report"]


# -- the post ------------------------------------------------------------------------------------------------


@pytest.fixture
def office(game: Path, run: Run) -> Iterator[Office]:
    with office_of(game, run) as office:
        office.first_turn("LIT", TALK)
        yield office


@pytest.mark.slow
def test_a_lost_line_of_the_outbox_takes_those_with_it_that_tell_of_the_same_message(office: Office) -> None:
    """14.B13: and what is left can be read by every command."""
    path = office.game / "mail/outbox.jsonl"
    harm(path, lambda lines: lines[1:])
    office.week(LATER, code=2)
    said = office.run("repair", code=1).output
    assert "mail/outbox.jsonl is repaired." in said
    assert "refers to a lost first line" in said
    assert len(Journal(path).entries) > 20
    office.run("mail", "outbox", "--all")
    assert "mail/outbox.jsonl was repaired on" in office.run("verify").output
    office.week(LATER)
    assert office.subjects("POL")[RESULTS] == 1


@pytest.mark.slow
def test_lines_that_are_missing_at_the_end_of_the_outbox_are_told(office: Office, run: Run) -> None:
    """14.B13: its chain is whole; the GM's journal knows better."""
    run("turn", "--missing-ok", "--no-html")
    harm(office.game / "mail/outbox.jsonl", lambda lines: lines[:-8])
    assert "lines are missing that were there" in " ".join(run("repair", code=1).output.split())
    assert "mail/outbox.jsonl was repaired on" in run("verify").output


@pytest.mark.slow
def test_a_lost_outbox_is_found_again_by_its_messages_and_sends_nothing_twice(office: Office) -> None:
    """14.B13: the GM decides what goes out again."""
    (office.game / "mail/outbox.jsonl").unlink()
    said = office.run("repair", code=1).output
    assert "messages were found again by their files" in said
    office.run("mail", "send", "--at", LATER)
    office.week(LATER)
    assert office.subjects("POL")[RESULTS] == 1
    assert "whether it arrived is not known" in office.run("mail", "outbox").output
    office.run("mail", "again", "POL", "--at", LATER)
    office.run("mail", "send", "--only-waiting", "--at", LATER)
    assert office.subjects("POL")[RESULTS] == 2


@pytest.mark.slow
def test_lost_letters_are_told_and_the_week_goes_on(office: Office) -> None:
    """14.B13: letters that were dealt with are in another folder of the mailbox: nothing is dealt with
    twice.
    """
    (office.game / "mail/letters.jsonl").unlink()
    assert "mail/letters.jsonl is repaired." in office.run("repair", code=1).output
    receipts = office.subjects("POL")["Orders received: turn 1"]
    office.week(LATER)
    assert office.subjects("POL")[RESULTS] == 1
    assert office.subjects("POL")["Orders received: turn 1"] == receipts
