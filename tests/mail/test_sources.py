"""Where letters come from: order of arrival, moving without losing, and never more of a message than is
asked for.
"""

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gm.mail.exchange import mailbox
from gm.mail.settings import Inward
from gm.mail.source import Disposition, FilesSource, MailboxError, MaildirSource, MboxSource, Source
from tests.mail.office import NOW, Office, fetch, mail
from tests.mail.shapes.pieces import OLD, PLAIN
from tests.waiting import wait_for

INWARD = Inward(kind="maildir", path="box")


def bodies(source: Source, length: int = 1000) -> list[bytes]:
    """What waits, without the headers."""
    return [message.read(length).partition(b"\n\n")[2] for message in source.waiting()]


# -- Maildir -------------------------------------------------------------------------------------------------


@pytest.fixture
def box(tmp_path: Path) -> Path:
    for part in ("new", "cur", "tmp"):
        (tmp_path / part).mkdir()
    return tmp_path


def put(box: Path, name: str, text: str, part: str = "new") -> None:
    (box / part / name).write_bytes(mail(text, number=text))


def test_a_maildir_gives_letters_in_order_of_arrival(box: Path) -> None:
    put(box, "1767614402.M10P7.host", "third")
    put(box, "1767614402.M9P7.host:2,S", "second", "cur")
    put(box, "1767614401.V1.host", "first")
    put(box, "99999999999999.odd", "last")
    put(box, "odd", "before all", "cur")
    (box / "tmp" / "1767614400.half").write_text("half a letter")
    (box / "new" / "1767614400.link").symlink_to("/etc/passwd")
    source = MaildirSource(box, INWARD)
    assert bodies(source) == [b"before all", b"first", b"second", b"third", b"last"]
    assert [message.arrived for message in source.waiting()][:2] == [
        None,
        datetime(2026, 1, 5, 12, 0, 1, tzinfo=UTC),
    ]


@pytest.mark.parametrize("mark", [":2,", "!2,"])  # of most systems, and of Windows
def test_a_maildir_moves_letters_with_their_marks_and_knows_them_afterwards(
    mark: str, box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.mail.source.FLAGS", mark)
    put(box, f"1767614402.M9P7.host{mark}FR", "a", "cur")
    put(box, "1767614403.M9P7.host", "b")
    source = MaildirSource(box, INWARD)
    first, second = source.waiting()
    source.put(first, Disposition.DONE)
    source.put(second, Disposition.ASIDE)
    source.put(second, Disposition.ASIDE)  # and once more: nothing happens
    assert [path.name for path in (box / ".gm-done/cur").iterdir()] == [f"1767614402.M9P7.host{mark}FRS"]
    assert [path.name for path in (box / ".gm-aside/cur").iterdir()] == [f"1767614403.M9P7.host{mark}S"]
    assert (box / ".gm-done/maildirfolder").is_file()
    assert list(source.waiting()) == []
    assert source.holds("a@example.org")
    assert source.holds("b@example.org")
    assert not source.holds("c@example.org")
    assert first.read(100) == b""


def test_no_more_of_a_letter_is_read_than_is_asked_for(box: Path) -> None:
    put(box, "1.host", "x" * 5000)
    (message,) = MaildirSource(box, INWARD).waiting()
    assert message.size > 5000
    assert len(message.read(100)) == 100


def test_a_folder_that_is_no_maildir_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MailboxError, match="lacks the folders"):
        MaildirSource(tmp_path, INWARD)


def test_a_letter_that_cannot_be_read_keeps_nobody_waiting(office: Office) -> None:
    (office.box / "new" / "0.dir.host").write_bytes(b"x")
    office.drop(mail(PLAIN))
    post = office.post
    with mailbox(post, ()) as source:
        assert isinstance(source, MaildirSource)
        real = source.waiting

        def failing() -> Any:
            for message in real():
                if message.name.endswith("0.dir.host"):
                    yield type(message)(message.name, 1, _no_permission)
                else:
                    yield message

        source.waiting = failing  # type: ignore[method-assign]
        fetched = fetch(post, source, NOW)
    assert "0.dir.host) cannot be read: Permission denied" in fetched.troubles[0]
    assert office.standing() == PLAIN.encode()
    assert office.waiting() == ["0.dir.host"]


def _no_permission(length: int) -> bytes:
    raise PermissionError(13, "Permission denied")


# -- mbox ----------------------------------------------------------------------------------------------------

BETWEEN = b"From anna@example.org Mon Jan  5 12:00:00 2026\n"


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_an_mbox_file_is_cut_where_its_messages_begin(tmp_path: Path, ends: bytes) -> None:
    path = tmp_path / "mbox"
    tricky = b"From the start: 12:00\n\nFrom here to there\n>From quoted 12:00\n\nFromage 12:00 2026\n"
    text = (
        BETWEEN
        + mail(b"first\n")
        + b"\n"
        + BETWEEN
        + mail(tricky, number="2")
        + b"\n"
        + BETWEEN
        + mail(b"third\n")
    )
    path.write_bytes(text.replace(b"\n", ends))
    messages = [
        data.replace(b"\r\n", b"\n")
        for data in (message.read(9000) for message in MboxSource(path).waiting())
    ]
    assert [data.partition(b"\n\n")[2] for data in messages] == [
        b"first\n",
        tricky.replace(b">From", b"From"),
        b"third\n",
    ]
    assert MboxSource(path).holds("2@example.org")
    assert not MboxSource(path).holds("3@example.org")


def test_an_mbox_file_is_read_in_pieces_whose_edges_do_not_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mbox"
    path.write_bytes(
        b"".join(BETWEEN + mail(f"{number} " * 50, number=str(number)) + b"\n\n" for number in range(40))
    )
    whole = [message.read(9000) for message in MboxSource(path).waiting()]
    assert len(whole) == 40
    for chunk in (1, 7, 1001, 1024):
        monkeypatch.setattr("gm.mail.source._CHUNK", chunk)
        assert [message.read(9000) for message in MboxSource(path).waiting()] == whole


def test_an_mbox_file_that_somebody_writes_to_waits(tmp_path: Path) -> None:
    path = tmp_path / "mbox"
    path.write_bytes(BETWEEN + mail("x"))
    (tmp_path / "mbox.lock").touch()
    with pytest.raises(MailboxError, match="is writing to"):
        list(MboxSource(path).waiting())
    (tmp_path / "mbox.lock").unlink()
    pytest.importorskip("fcntl")
    ready = tmp_path / "ready"
    script = "import fcntl, sys, time; f = open(sys.argv[1], 'r+b'); fcntl.lockf(f, fcntl.LOCK_EX); "
    script += "open(sys.argv[2], 'w').close(); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", script, str(path), str(ready)]) as writer:
        try:
            wait_for(ready.exists, "the writer's lock")
            with pytest.raises(MailboxError, match="is writing to"):
                list(MboxSource(path).waiting())
        finally:
            writer.kill()
    assert len(list(MboxSource(path).waiting())) == 1


@pytest.mark.parametrize("text", [b"", b"no message at all\n", b"\n\n\n", BETWEEN])
def test_an_mbox_file_without_a_letter_has_none(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "mbox"
    path.write_bytes(text)
    assert [body for body in bodies(MboxSource(path)) if body] == []
    with pytest.raises(MailboxError, match="no such file"):
        MboxSource(tmp_path / "none")


def test_an_mbox_file_is_fetched_again_and_again_and_each_letter_once(office: Office) -> None:
    path = office.folder.parent / "mbox"
    settings = office.folder / "mail.yaml"
    text = settings.read_text("utf-8").replace("kind: maildir", "kind: mbox").replace("../Maildir", "../mbox")
    settings.write_text(text, encoding="utf-8")
    path.write_bytes(BETWEEN + mail(OLD) + b"\n")
    assert len(office.fetch().letters) == 1
    path.write_bytes(path.read_bytes() + BETWEEN + mail(PLAIN, number="2") + b"\n")
    fetched = office.fetch()
    assert (fetched.seen, len(fetched.letters)) == (2, 1)
    assert office.fetch().letters == []
    assert office.standing() == PLAIN.encode()


# -- saved files ---------------------------------------------------------------------------------------------


def test_saved_files_are_read_by_age_and_stay(office: Office, tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    folder.mkdir()
    for name, text, age in (
        ("z.eml", OLD, 1_000),
        ("a.EML", PLAIN, 2_000),
        ("notes.txt", "no letter", 3_000),
    ):
        (folder / name).write_bytes(mail(text, number=name))
        os.utime(folder / name, (age, age))
    post = office.post
    for new in (2, 0):
        with mailbox(post, (folder,)) as source:
            assert len(fetch(post, source, NOW).letters) == new
    assert office.standing() == PLAIN.encode()
    assert sorted(path.name for path in folder.iterdir()) == ["a.EML", "notes.txt", "z.eml"]
    # one that is named is read whatever it is called
    with mailbox(post, (folder / "notes.txt",)) as source:
        assert isinstance(source, FilesSource)
        assert source.holds("notes.txt@example.org")
        assert len(fetch(post, source, NOW).letters) == 1
    with pytest.raises(MailboxError, match="There is no"):
        FilesSource(tmp_path / "none")
