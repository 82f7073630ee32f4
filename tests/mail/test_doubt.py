"""A server that had all of a message and then said that it does not take it now: nobody knows whether it did."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from gm.mail.outbox import Outbox, State
from gm.mail.sending import RefusedError, SmtpTransport, UnreachableError
from tests.mail.smtp_stub import smtp_stub
from tests.mail.test_outbox import NOW, Server, again, letter, round_of, settings, states

DATA = b"Subject: x\r\n\r\nhello\r\n"
TO = ("anna@example.org",)


@pytest.fixture
def outbox(tmp_path: Path) -> Outbox:
    return Outbox(tmp_path / "mail", "europe", "a secret")


@pytest.mark.parametrize(("answer", "doubt"), [("451 queue file write error", True), ("554 spam", False)])
def test_a_refusal_of_the_whole_message_leaves_a_doubt_unless_it_is_for_good(
    tmp_path: Path, answer: str, doubt: bool
) -> None:
    with smtp_stub() as stub:
        transport = SmtpTransport(settings(port=stub.port, security="none"), tmp_path)
        stub.data = answer
        with pytest.raises(RefusedError) as caught:
            transport.send(TO, DATA)
        assert (caught.value.doubt, caught.value.forever) == (doubt, not doubt)
        stub.refused = {TO[0]: "450 busy"}
        with pytest.raises(RefusedError) as caught:
            transport.send(TO, DATA)
        assert not caught.value.doubt
        stub.refused = {}
        stub.data = "421 closing"
        with pytest.raises(UnreachableError) as closed:
            transport.send(TO, DATA)
        assert closed.value.unsure
        transport.close()


def test_a_server_that_took_a_message_and_said_that_it_did_not_gets_it_once(outbox: Outbox) -> None:
    """What was refused when it was there as a whole may have been taken: its copy tells."""
    outbox.queue(letter(), b"mail", NOW)
    outbox.queue(letter("results 1 FRA", "bob@example.org"), b"mail 2", NOW)
    busy = Server(RefusedError("451 queue file write error", forever=False, doubt=True))
    round_of(outbox, busy)
    assert states(outbox) == [State.LATER] * 2
    # nobody can look into the mailbox: nothing goes out that may be there
    later = NOW + timedelta(hours=1)
    server = Server()
    round_of(again(outbox), server, later, lambda number: None)
    assert server.got == []
    there = outbox.id_of("results 1 ENG")
    round_of(again(outbox), server, later, lambda number: number == there)
    assert [data for _, data in server.got] == [b"mail 2"]
    assert states(outbox) == [State.SENT] * 2


def test_what_was_refused_before_it_was_handed_over_waits_for_no_mailbox(outbox: Outbox) -> None:
    outbox.queue(letter(), b"mail", NOW)
    round_of(outbox, Server(RefusedError("450 mailbox busy", forever=False)))
    server = Server()
    round_of(again(outbox), server, NOW + timedelta(hours=1), lambda number: None)
    assert len(server.got) == 1
