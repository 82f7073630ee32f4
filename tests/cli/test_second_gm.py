"""14.B14: several game masters: letters to the GM reach each of them, and the journal says who did what."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.mail.settings import load_mail_settings
from gm.store.journal import journal_of
from tests.cli.conftest import Run, all_orders
from tests.cli.posting import AFTER, BEFORE, LATER, MASTER, START, Office, office_of

SECOND = "second@example.org"


@pytest.fixture
def office(game: Path, run: Run) -> Iterator[Office]:
    with office_of(game, run, "--gm", SECOND) as found:
        yield found


def test_setup_takes_several_addresses_and_one_alone_is_written_as_before(office: Office) -> None:
    """14.B14: ``gm:`` holds one address or a list."""
    settings = load_mail_settings(office.game)
    assert (settings.gm, settings.gms) == (MASTER, (MASTER, SECOND))
    office.set_mail(gm=MASTER)
    assert load_mail_settings(office.game).gms == (MASTER,)
    office.set_mail(gm=f"[{MASTER}, 'nobody']")
    assert "'nobody' is no e-mail address" in office.run("mail", "send", code=2).output


def test_every_gm_gets_the_letters_to_the_gm_once_each(office: Office) -> None:
    """14.B14: a turn that waits is told to both, and only once."""
    office.week(BEFORE)
    for at in (AFTER, AFTER):
        office.week(at, code=1)
    for address in (MASTER, SECOND):
        assert office.subjects(address)["Turn 1 waits for you"] == 1


def test_a_letter_to_one_gm_that_was_refused_goes_to_him_again(office: Office) -> None:
    """14.B14: ``gm mail again`` does not send the second GM's letters to the first."""
    office.smtp.refused = {SECOND: "550 no such user"}
    office.week(AFTER, code=1)
    office.smtp.refused = {}
    assert SECOND in office.run("mail", "again", "--at", LATER).output
    office.week(LATER, code=1)
    assert [office.subjects(each)["Turn 1 waits for you"] for each in (SECOND, MASTER)] == [1, 1]


def test_the_journal_says_who_did_it(game: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """14.B14: ``--as`` before ``GM_NAME`` before the login name."""
    monkeypatch.delenv("GM_NAME", raising=False)
    monkeypatch.setenv("LOGNAME", "berta")
    run("receive", all_orders(game), "--at", START)
    monkeypatch.setenv("GM_NAME", "Carla")
    run("amend", "gold", "LIT", "3", "--why", "a typing error")
    run("--as", "Dora\x07", "turn")
    entries = journal_of(game).entries
    assert [each["by"] for each in entries[-3:]] == ["berta", "Carla", "Dora\N{REPLACEMENT CHARACTER}"]
    assert all("by" in each for each in entries)
