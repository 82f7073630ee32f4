"""The journal: lines are only added, survive a pulled plug, and show it when somebody changes one."""

import hashlib
import json
from pathlib import Path

import pytest

from gm.store import BrokenFolderError
from gm.store.journal import START, Journal

ENTRIES = ({"did": "undo", "turn": 3}, {"did": "amend", "why": "ein Brief\nkam zu spät"}, {})


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    journal = Journal(tmp_path / "some" / "journal.jsonl")
    for entry in ENTRIES:
        journal.append(entry)
    return journal


def test_what_was_added_is_read_again_by_the_next_run(journal: Journal) -> None:
    assert journal.entries == ENTRIES
    again = Journal(journal.path)
    assert again.entries == ENTRIES
    again.append({"did": "turn"})
    assert Journal(journal.path).entries == (*ENTRIES, {"did": "turn"})
    assert Journal(journal.path.with_name("none.jsonl")).entries == ()


def test_anybody_can_check_the_chain(journal: Journal) -> None:
    chain = START
    for line in journal.path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        said = entry.pop("chain")
        chain = hashlib.sha256(f"{chain}\n{json.dumps(entry, ensure_ascii=False)}".encode()).hexdigest()
        assert said == chain


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_line_that_was_not_finished_never_was(journal: Journal, cut: int) -> None:
    journal.append({"did": "a line that the plug cuts short"})
    data = journal.path.read_bytes()
    journal.path.write_bytes(data[:-cut])
    again = Journal(journal.path)
    assert again.entries == ENTRIES
    again.append({"did": "next"})
    assert Journal(journal.path).entries == (*ENTRIES, {"did": "next"})


@pytest.mark.parametrize("line", [0, 1, 2])
def test_a_changed_line_shows(journal: Journal, line: int) -> None:
    lines = journal.path.read_text(encoding="utf-8").splitlines()
    entry = json.loads(lines[line])
    lines[line] = json.dumps({"turn": 4, **entry})
    journal.path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(
        BrokenFolderError, match=f"journal.jsonl:{line + 1}: this line or one before it was changed"
    ):
        _ = Journal(journal.path).entries


def test_a_line_taken_out_shows_and_so_does_nonsense(journal: Journal) -> None:
    lines = journal.path.read_text(encoding="utf-8").splitlines(keepends=True)
    journal.path.write_text("".join(lines[1:]), encoding="utf-8")
    with pytest.raises(BrokenFolderError, match="does not fit the chain"):
        _ = Journal(journal.path).entries
    journal.path.write_text("".join([*lines, "hello\n"]), encoding="utf-8")
    with pytest.raises(BrokenFolderError, match="jsonl:4: this is not a line of a journal"):
        _ = Journal(journal.path).entries
