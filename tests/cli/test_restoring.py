"""14.B13: a backup is restored while letters went on coming, and two copies of a game meet at one mailbox."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gm.mail.settings import Inward
from gm.mail.source import Lease, MaildirSource
from tests.cli.conftest import Run
from tests.cli.posting import (
    AFTER,
    BEFORE,
    DAY_BEFORE,
    LATER,
    MASTER,
    REALMS,
    SENDER,
    START,
    Office,
    office_of,
)

RECRUIT = "units:\n  Minsk:\n    recruit: {Archers: 1}\n"
NEXT = "2026-01-12 12:00"
"""After turn 1 was played."""


@dataclass
class Copies:
    """A game with post, and what became of it after a backup was made."""

    office: Office
    backup: Path
    now: str = START

    def week(self, at: str, *options: str, code: int = 0) -> str:
        """A run of the game at that time; copies of what it sends arrive then."""
        self.now = at
        self.office.week(at, *options, code=code)
        return self.office.week(at, code=code).output  # the copies are put aside

    def restore(self) -> Path:
        """The backup in another folder, while the game itself is lost."""
        folder = self.backup.parent / "restored"
        self.office.run("import", self.backup, folder, "--trust-commands")
        shutil.move(self.office.game, self.backup.parent / "lost")
        return folder


@pytest.fixture
def copies(game: Path, run: Run) -> Iterator[Copies]:
    with office_of(game, run) as office:
        copies = Copies(office, game.parent / "backup.zip")

        def deliver(recipients: tuple[str, ...], data: bytes) -> None:
            if SENDER in recipients:
                office.drop(data, copies.now)

        office.smtp.deliver = deliver
        copies.week(START)
        run("export", "--out", copies.backup)
        yield copies


def standing(game: Path, turn: int) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (game / f"inbox/turn-{turn:02}").glob("*.yaml")}


def in_copy(copies: Copies, folder: Path, at: str, *options: str, code: int = 0) -> str:
    copies.now = at
    return copies.office.run("week", *options, "--at", at, "--game", folder, code=code).output


@pytest.mark.slow
def test_letters_with_receipts_are_taken_again_and_answered_once(copies: Copies, run: Run) -> None:
    """14.B13: they lie in gm-done; nobody gets a second receipt, and what arrived in time is in time."""
    office = copies.office
    office.orders("LIT", DAY_BEFORE, RECRUIT)
    office.orders("POL", DAY_BEFORE)
    copies.week(DAY_BEFORE)
    office.orders("LIT", BEFORE)  # a second thought
    copies.week(BEFORE)
    before = standing(office.game, 1)
    sent = sum(office.subjects().values())
    assert {"LIT.yaml", "POL.yaml"} == set(before)
    folder = copies.restore()
    run("mail", "take-over", "--game", folder)
    assert "was not searched since" in run("turn", "--game", folder, code=1).output
    in_copy(copies, folder, BEFORE)
    assert standing(folder, 1) == before
    assert sum(office.subjects().values()) == sent
    receipts = json.loads((folder / "inbox/turn-01/receipts.json").read_bytes())["receipts"]
    assert [receipt["realm"] for receipt in receipts] == ["LIT", "POL", "LIT"]
    assert not any(receipt["late"] for receipt in receipts)
    assert not (folder / "mail/restored.json").exists()


@pytest.mark.slow
def test_what_a_receipt_tells_of_and_no_letter_brings_back_stops_the_turn(copies: Copies, run: Run) -> None:
    """14.B13: the GM is told exactly which orders are missing before anything is played."""
    office = copies.office
    for realm in REALMS:
        office.orders(realm, DAY_BEFORE)
    copies.week(DAY_BEFORE)
    for path in (office.box / ".gm-done" / "cur").iterdir():
        if b"POL@example.org>" in path.read_bytes() and b"X-GM-Game" not in path.read_bytes():
            path.unlink()
    folder = copies.restore()
    run("mail", "take-over", "--game", folder)
    in_copy(copies, folder, BEFORE, code=1)
    said = run("status", "--game", folder, "--at", BEFORE).output
    assert "orders that had a receipt are no longer in the mailbox: POL, letter <" in said
    assert "POL@example.org>, whose receipt went out 2026-01-08 21:00" in said
    assert "LIT, letter" not in said
    assert "POL, letter <" in run("turn", "--game", folder, code=1).output
    said = in_copy(copies, folder, AFTER, code=1)
    assert not (folder / "turns/turn-01").exists()
    assert "POL@example.org>" in office.text(MASTER, "Turn 1 waits for you")
    in_copy(copies, folder, LATER, "--anyway", code=1)
    assert (folder / "turns/turn-01").exists()
    in_copy(copies, folder, LATER)
    assert "had a receipt" not in run("status", "--game", folder, "--at", LATER).output


@pytest.mark.slow
def test_a_turn_that_was_played_since_is_played_again_and_mailed_once(copies: Copies, run: Run) -> None:
    """14.B13: letters for the turn after wait until it is: nobody is told that his key is wrong."""
    office = copies.office
    for realm in REALMS:
        office.orders(realm, DAY_BEFORE, RECRUIT if realm == "LIT" else "")
    copies.week(DAY_BEFORE)
    copies.week(BEFORE)
    copies.week(AFTER)
    office.orders("LIT", NEXT, RECRUIT, turn=2)
    copies.week(NEXT)
    states = [(office.game / f"turns/turn-0{turn}/state.json").read_bytes() for turn in (0, 1)]
    before = standing(office.game, 2)
    sent = office.subjects()
    folder = copies.restore()
    run("mail", "take-over", "--game", folder)
    in_copy(copies, folder, NEXT, code=1)  # the mailbox was not read before the deadline, as far as it knows
    assert not (folder / "turns/turn-01").exists()
    in_copy(copies, folder, NEXT, "--anyway")
    assert [(folder / f"turns/turn-0{turn}/state.json").read_bytes() for turn in (0, 1)] == states
    in_copy(copies, folder, NEXT)
    assert standing(folder, 2) == before
    notices = {
        words: count for words, count in (office.subjects() - sent).items() if "waits for you" not in words
    }
    assert notices == {}
    assert not (folder / "mail/restored.json").exists()


@pytest.mark.slow
def test_two_copies_at_one_mailbox_notice_each_other(copies: Copies, run: Run) -> None:
    """14.B13: whichever comes second stops before it reads, sends or plays, until its GM takes over.

    Then the other.
    """
    office = copies.office
    other = office.game.parent / "other"
    shutil.copytree(office.game, other)
    for realm in REALMS:
        office.orders(realm, DAY_BEFORE)
    copies.week(DAY_BEFORE)
    sent = sum(office.subjects().values())
    for words in (["week", "--at", AFTER], ["mail", "fetch", "--at", AFTER]):
        said = run(*words, "--game", other, code=2).output
        assert "Another copy of the game minsk reads its mailbox" in said
        assert str(office.game) in said
        assert "pbem mail take-over" in said
    assert sum(office.subjects().values()) == sent
    assert not (other / "inbox").exists()
    assert not (other / "turns/turn-01").exists()
    run("mail", "take-over", "--game", other)
    assert "Another copy" in office.week(BEFORE, code=2).output
    in_copy(copies, other, BEFORE)
    assert standing(other, 1) == standing(office.game, 1)
    assert sum(office.subjects().values()) == sent


@pytest.mark.slow
def test_a_folder_that_was_moved_goes_on(copies: Copies, run: Run) -> None:
    """14.B13: one copy alone is never stopped, wherever it lies and however often it is killed in between."""
    moved = copies.office.game.parent / "moved"
    shutil.move(copies.office.game, moved)
    in_copy(copies, moved, DAY_BEFORE)
    token = json.loads((moved / "mail/lease.json").read_bytes())["tokens"]
    (moved / "mail/lease.json").write_text(json.dumps({"tokens": [*token, "0" * 32]}), encoding="utf-8")
    in_copy(copies, moved, DAY_BEFORE)
    (lease,) = (path for path in copies.office.box.glob("gm-lease-*") if path.suffix != ".lock")
    lease.unlink()
    in_copy(copies, moved, DAY_BEFORE)


@pytest.mark.slow
def test_of_two_that_come_at_once_one_wins(tmp_path: Path) -> None:
    """14.B13: a lease that changed since it was read is not replaced."""
    for part in ("new", "cur"):
        (tmp_path / part).mkdir()
    source = MaildirSource(tmp_path, Inward(kind="maildir", path=str(tmp_path)))
    assert source.put_lease("x", [], Lease("a"))
    assert source.put_lease("x", ["a"], Lease("b"))
    assert not source.put_lease("x", ["a"], Lease("c"))
    assert [lease.token for lease in source.leases("x")] == ["b"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mbox", "files"])
def test_where_nothing_can_be_left_it_is_said(copies: Copies, run: Run, kind: str) -> None:
    """14.B13: an mbox file and saved mails hold no lease; they lose nothing either."""
    office = copies.office
    place = office.game.parent / "saved"
    place.touch() if kind == "mbox" else place.mkdir()
    office.set_mail(kind=kind, path=json.dumps(str(place)))
    said = run("mail", "take-over", "--game", office.game, code=2).output
    assert f"A mailbox of kind {kind} cannot hold word of who reads it" in said
    assert "It cannot hold word of who reads it" in run("mail", "check", "--game", office.game).output


@pytest.mark.slow
def test_from_an_mbox_file_all_is_read_again_in_its_order(copies: Copies, run: Run) -> None:
    """14.B13: nothing was moved there; letters behind the results of a turn wait until it is played again."""
    office = copies.office
    for realm in REALMS:
        office.orders(realm, DAY_BEFORE)
    copies.week(DAY_BEFORE)
    copies.week(BEFORE)
    copies.week(AFTER)
    office.orders("LIT", NEXT, RECRUIT, turn=2)
    copies.week(NEXT)
    before = standing(office.game, 2)
    sent = office.subjects()
    state = (office.game / "turns/turn-01/state.json").read_bytes()
    folder = copies.restore()
    letters = sorted(office.box.rglob("cur/*"), key=lambda path: path.name)
    mbox = office.box.parent / "all.mbox"
    lines = "From gm@example.org Mon Jan  5 12:00:00 2026\n"
    texts = [path.read_bytes().replace(b"\r\n", b"\n").replace(b"\nFrom ", b"\n>From ") for path in letters]
    mbox.write_bytes(b"".join(lines.encode() + text + b"\n" for text in texts))
    office.game = folder
    office.set_mail(kind="mbox", path=json.dumps(str(mbox)))
    run(
        "trust",
        *(
            command["mark"]
            for command in json.loads(run("trust", "--json", "--game", folder, code=1).output)["commands"]
        ),
        "--game",
        folder,
    )
    in_copy(copies, folder, NEXT, code=1)
    assert set(standing(folder, 1)) == {f"{realm}.yaml" for realm in REALMS}
    in_copy(copies, folder, NEXT, "--anyway")
    assert (folder / "turns/turn-01/state.json").read_bytes() == state
    in_copy(copies, folder, NEXT)
    assert standing(folder, 2) == before
    assert {words for words in office.subjects() - sent if "waits for you" not in words} == set()
