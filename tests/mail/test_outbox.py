"""The outbox: each message goes out once, whatever breaks, and what cannot go out is told."""

import hashlib
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from gm.mail.outbox import KEPT, LONGEST_WAIT, Outbox, Outgoing, State, readdressed
from gm.mail.sending import Arrived, Delivery, RefusedError, Send, SmtpTransport, UnreachableError, deliver
from gm.mail.settings import MailSettings
from tests.mail.smtp_stub import smtp_stub

NOW = datetime(2026, 1, 11, 20, 0, tzinfo=UTC)


class Crash(BaseException):
    """The process is killed here."""


class Server:
    """An SMTP server as a transport sees it.

    ``answers``: what to do with each message, the last for all after.
    """

    def __init__(self, *answers: Exception | BaseException | None) -> None:
        self.got: list[tuple[tuple[str, ...], bytes]] = []
        self.connections = 0
        self.words = ""
        self._answers = list(answers) or [None]

    def connect(self) -> Send:
        self.connections += 1
        return self.send

    def send(self, recipients: tuple[str, ...], data: bytes) -> str:
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if answer is None or isinstance(answer, Crash) or getattr(answer, "unsure", False):
            self.got.append((recipients, data))
        if answer is not None:
            raise answer
        return self.words


def settings(**outward: object) -> MailSettings:
    return MailSettings.model_validate(
        {
            "gm": "gm@example.org",
            "sender": "europe@example.org",
            "inward": {"kind": "maildir", "path": "Maildir"},
            "outward": {"host": "localhost", "copy_to": "europe@example.org", **outward},
        }
    )


def letter(once: str = "results 1 ENG", to: str = "anna@example.org", **more: object) -> Outgoing:
    return Outgoing(once=once, kind="results", to=to, subject="Turn 1", text="Hello", **more)  # type: ignore[arg-type]


@pytest.fixture
def outbox(tmp_path: Path) -> Outbox:
    return Outbox(tmp_path / "mail", "europe", "a secret")


def again(outbox: Outbox) -> Outbox:
    """The outbox as the next run finds it."""
    return Outbox(outbox.path("x").parent.parent, "europe", "a secret")


def round_of(
    outbox: Outbox, server: Server, now: datetime = NOW, arrived: Arrived | None = None, **outward: object
) -> Delivery:
    return deliver(outbox, settings(**outward).outward, server.connect, lambda: now, arrived)


def states(outbox: Outbox) -> list[State]:
    return [message.state for message in again(outbox).messages]


def test_a_message_is_queued_and_sent_once_however_often_it_is_asked_for(outbox: Outbox) -> None:
    server = Server()
    assert outbox.queue(letter(), b"mail", NOW)
    assert not outbox.queue(letter(), b"other bytes", NOW)
    assert not again(outbox).queue(letter(), b"mail", NOW)
    for _ in range(3):
        round_of(again(outbox), server)
    assert server.got == [(("anna@example.org", "europe@example.org"), b"mail")]
    assert states(outbox) == [State.SENT]


def test_no_connection_is_opened_when_there_is_nothing_to_send(outbox: Outbox) -> None:
    server = Server()
    assert round_of(outbox, server) == Delivery()
    assert server.connections == 0


@pytest.mark.slow
def test_what_a_server_does_not_take_now_is_tried_again_after_longer_and_longer_waits(outbox: Outbox) -> None:
    outbox.queue(letter(), b"mail", NOW)
    server = Server(RefusedError("450 mailbox busy", forever=False))
    now = NOW
    tried = []
    for _ in range(1000):
        before = again(outbox).messages[0].tries
        round_of(again(outbox), server, now, tries=6)
        if again(outbox).messages[0].tries > before:
            tried.append(now)
        now += timedelta(minutes=5)
    waits = [second - first for first, second in pairwise(tried)]
    assert len(tried) == 6
    assert waits == sorted(waits)
    assert all(wait <= LONGEST_WAIT for wait in waits)
    (posted,) = again(outbox).messages
    assert (posted.state, posted.words) == (State.FAILED, "450 mailbox busy")


def test_what_will_never_be_taken_is_not_tried_again_and_stops_nobody_else(outbox: Outbox) -> None:
    outbox.queue(letter("one", "nobody@example.org"), b"1", NOW)
    outbox.queue(letter("two"), b"2", NOW)
    server = Server(RefusedError("550 no such user", forever=True), None)
    delivery = round_of(outbox, server)
    assert [message.to for message in delivery.failed] == ["nobody@example.org"]
    assert [message.to for message in delivery.sent] == ["anna@example.org"]
    round_of(again(outbox), server, NOW + timedelta(days=2))
    assert len(server.got) == 1


def test_a_server_that_cannot_be_reached_is_asked_once_a_round(outbox: Outbox) -> None:
    for number in range(5):
        outbox.queue(letter(str(number)), b"mail", NOW)
    down = Server()
    down.connect = _down  # type: ignore[method-assign]
    delivery = round_of(outbox, down)
    assert delivery.problem == "no answer"
    assert len(delivery.waiting) == 5
    server = Server()
    assert len(round_of(again(outbox), server, NOW + timedelta(hours=1)).sent) == 5


def _down() -> Send:
    raise UnreachableError("no answer")


@pytest.mark.parametrize(
    "stops", [Crash(), UnreachableError("broken pipe", unsure=True)], ids=["killed", "broken"]
)
def test_a_message_whose_fate_is_unknown_is_settled_by_its_copy(outbox: Outbox, stops: BaseException) -> None:
    outbox.queue(letter(), b"mail", NOW)
    server = Server(stops, None)
    with suppress(Crash):
        round_of(outbox, server)
    assert states(outbox) == [State.SENDING]
    # the copy arrived: it went out, and is never sent again
    asked: list[str] = []
    delivery = round_of(
        again(outbox), server, NOW + timedelta(hours=1), lambda number: not asked.append(number)
    )
    assert asked == [outbox.id_of("results 1 ENG")]
    assert [message.words for message in delivery.sent] == ["its copy arrived"]
    assert len(server.got) == 1


def test_without_a_copy_it_goes_out_again_but_only_after_the_time_of_grace(outbox: Outbox) -> None:
    outbox.queue(letter(), b"mail", NOW)
    server = Server(Crash(), None)
    with pytest.raises(Crash):
        round_of(outbox, server)
    server.got.clear()  # the server never had it
    round_of(again(outbox), server, NOW + timedelta(minutes=9), lambda number: False)
    assert server.got == []
    round_of(again(outbox), server, NOW + timedelta(minutes=10), lambda number: False)
    assert [data for _, data in server.got] == [b"mail"]


def test_a_run_killed_at_any_write_loses_and_doubles_nothing(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kill at the n-th flush to the disk, for every n, and run again with a mailbox that tells the truth."""
    import os

    real = os.fsync
    for deadly in range(1, 40):
        folder = outbox.path("x").parent.parent / f"run-{deadly}"
        server = Server()
        left = [deadly]

        def fsync(handle: int, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] == 0:
                raise Crash
            real(handle)

        monkeypatch.setattr(os, "fsync", fsync)
        killed = False
        try:
            _queue_and_send(folder, server, NOW + timedelta(hours=1))
        except Crash:
            killed = True
        monkeypatch.setattr(os, "fsync", real)
        _queue_and_send(folder, server, NOW + timedelta(hours=1))
        _queue_and_send(folder, server, NOW + timedelta(hours=2))
        assert sorted(data for _, data in server.got) == [b"a", b"b", b"c"], deadly
        if not killed:
            break
    assert not killed
    assert deadly > 9


def _queue_and_send(folder: Path, server: Server, now: datetime) -> None:
    box = Outbox(folder, "europe", "a secret")
    for name in ("a", "b", "c"):
        box.queue(letter(name), name.encode(), NOW)
    taken = {box.id_of(data.decode()) for _, data in server.got}
    round_of(box, server, now, lambda number: number in taken)


def test_while_nobody_can_tell_whether_a_copy_arrived_it_waits_and_the_others_go_out(outbox: Outbox) -> None:
    outbox.queue(letter("one"), b"1", NOW)
    with pytest.raises(Crash):
        round_of(outbox, Server(Crash()))
    again(outbox).queue(letter("two"), b"2", NOW)
    server = Server()
    delivery = round_of(again(outbox), server, NOW + timedelta(days=3), lambda number: None)
    assert [data for _, data in server.got] == [b"2"]
    assert [message.once for message in delivery.waiting] == ["one"]


def test_a_reminder_whose_sending_was_cut_short_is_not_sent_again_too_late(outbox: Outbox) -> None:
    outbox.queue(letter("reminder", expires=NOW + timedelta(hours=1)), b"mail", NOW)
    with pytest.raises(Crash):
        round_of(outbox, Server(Crash()))
    server = Server()
    round_of(again(outbox), server, NOW + timedelta(hours=2), lambda number: False)
    assert (server.got, states(outbox)) == ([], [State.EXPIRED])


def test_a_clock_that_was_put_back_keeps_nothing_waiting(outbox: Outbox) -> None:
    outbox.queue(letter(), b"mail", NOW + timedelta(days=300))
    round_of(outbox, Server(RefusedError("450 busy", forever=False)), NOW + timedelta(days=300))
    assert states(outbox) == [State.LATER]
    assert len(round_of(again(outbox), Server(), NOW).sent) == 1


def test_why_there_is_no_copy_is_kept_with_the_message(outbox: Outbox) -> None:
    outbox.queue(letter(), b"mail", NOW)
    server = Server()
    server.words = "without a copy: 452 full"
    assert [message.words for message in round_of(outbox, server).sent] == ["without a copy: 452 full"]


def test_nothing_more_goes_out_to_somebody_who_has_left(outbox: Outbox) -> None:
    server = Server(
        None, RefusedError("550 no such user", forever=True), RefusedError("450 busy", forever=False)
    )
    for once in ("sent", "failed", "later"):
        outbox.queue(letter(once, realm="ENG"), b"mail", NOW)
    round_of(outbox, server)
    outbox.queue(letter("queued", realm="ENG"), b"mail", NOW)
    outbox.queue(letter("another", realm="FRA"), b"mail", NOW)
    assert outbox.withdraw("ENG", NOW, "he left") == 3
    assert again(outbox).withdraw("ENG", NOW, "he left") == 0
    assert states(outbox) == [State.SENT, State.DROPPED, State.DROPPED, State.DROPPED, State.QUEUED]
    round_of(again(outbox), Server(), NOW + timedelta(days=1))
    assert states(outbox)[:4] == [State.SENT, State.DROPPED, State.DROPPED, State.DROPPED]


def test_a_lost_message_goes_out_again_as_a_new_one(outbox: Outbox) -> None:
    data = b"From: a@b\r\nTo: anna@example.org\r\nMessage-ID: <old@x>\r\n\r\nTo: whom it may concern\r\n"
    outbox.queue(letter(realm="ENG"), data, NOW)
    server = Server(RefusedError("550 no such user", forever=True), None)
    round_of(outbox, server)
    number = outbox.id_of("results 1 ENG")
    first = outbox.again(number, "carla@example.org", "example.org", NOW)
    assert states(outbox) == [State.DROPPED, State.QUEUED]
    round_of(again(outbox), server)
    ((recipients, sent),) = server.got
    assert recipients == ("carla@example.org", "europe@example.org")
    assert sent == (
        b"From: a@b\r\nTo: carla@example.org\r\nMessage-ID: <gm.%s@example.org>\r\n\r\nTo: whom it may "
        b"concern\r\n" % first.encode()
    )
    # it may be lost once more, and is another one then
    box = again(outbox)
    box.set_state(first, State.BOUNCED, NOW)
    assert box.again(first, "dora@example.org", "example.org", NOW) != first


def test_an_address_in_several_lines_is_replaced_whole() -> None:
    data = b"to: somebody\r\n\twith a long name\r\nSubject: To: x\r\nmessage-id: <1@x>\r\n\r\nTo: y\r\n"
    assert (
        readdressed(data, "z@x", "2@x") == b"To: z@x\r\nSubject: To: x\r\nMessage-ID: <2@x>\r\n\r\nTo: y\r\n"
    )


def test_files_of_what_went_out_long_ago_are_thrown_away_and_nothing_else(outbox: Outbox) -> None:
    server = Server(
        None, RefusedError("550 no such user", forever=True), RefusedError("450 busy", forever=False)
    )
    for once in ("sent", "failed", "later"):
        outbox.queue(letter(once), b"mail", NOW)
    round_of(outbox, server)
    outbox.tidy(NOW + KEPT)
    assert all(outbox.path(outbox.id_of(once)).exists() for once in ("sent", "failed", "later"))
    again(outbox).tidy(NOW + KEPT + timedelta(minutes=1))
    assert [outbox.path(outbox.id_of(once)).exists() for once in ("sent", "failed", "later")] == [
        False,
        True,
        True,
    ]
    assert not again(outbox).queue(letter("sent"), b"mail", NOW)


def test_a_reminder_that_comes_too_late_is_not_sent(outbox: Outbox) -> None:
    outbox.queue(letter("reminder", expires=NOW + timedelta(hours=1)), b"mail", NOW)
    server = Server()
    round_of(outbox, server, NOW + timedelta(hours=2))
    assert server.got == []
    assert states(outbox) == [State.EXPIRED]


def test_message_ids_are_the_same_for_the_same_purpose_in_every_run(outbox: Outbox, tmp_path: Path) -> None:
    assert outbox.id_of("results 1 ENG") == again(outbox).id_of("results 1 ENG")
    assert outbox.id_of("results 1 ENG") != outbox.id_of("results 1 FRA")
    assert outbox.id_of("results 1 ENG") != Outbox(tmp_path, "asia", "a secret").id_of("results 1 ENG")


def test_who_does_not_know_the_games_secret_cannot_work_out_a_message_id(
    outbox: Outbox, tmp_path: Path
) -> None:
    """A forged bounce must name the message that it says came back."""
    once = "reminder 1 ENG 48 2026-01-09T20:00:00+00:00"
    number = outbox.id_of(once)
    assert number != Outbox(tmp_path, "europe", "another secret").id_of(once)
    for guess in (f"europe\n{once}", f"message id\neurope\n{once}", once):
        assert number != hashlib.sha256(guess.encode()).hexdigest()[:32]


def test_a_message_keeps_its_id_when_the_games_secret_is_another(outbox: Outbox) -> None:
    """And the game that ids were made without one goes on: nothing in its outbox is queued a second time."""
    outbox.queue(letter(), b"mail", NOW)
    other = Outbox(outbox.path("x").parent.parent, "europe", "another secret")
    assert other.id_of(letter().once) == outbox.id_of(letter().once)
    assert not other.queue(letter(), b"mail", NOW)


# -- a server that had all of a message and then said that it does not take it now ---------------------------


DATA = b"Subject: x\r\n\r\nhello\r\n"
TO = ("anna@example.org",)


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
