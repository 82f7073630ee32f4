"""The outbox: each message goes out once, whatever breaks, and what cannot go out is told."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from gm.mail.outbox import LONGEST_WAIT, Outbox, Outgoing, State
from gm.mail.sending import Delivery, RefusedError, UnreachableError, deliver
from gm.mail.settings import PostSettings

NOW = datetime(2026, 1, 11, 20, 0, tzinfo=UTC)


class Crash(BaseException):
    """The process is killed here."""


class Server:
    """An SMTP server as a transport sees it. ``answers``: what to do with each message, the last for all after."""

    def __init__(self, *answers: Exception | BaseException | None) -> None:
        self.got: list[tuple[tuple[str, ...], bytes]] = []
        self.connections = 0
        self._answers = list(answers) or [None]

    def connect(self) -> Server:
        self.connections += 1
        return self

    def send(self, recipients: tuple[str, ...], data: bytes) -> None:
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if answer is None or isinstance(answer, Crash) or getattr(answer, "unsure", False):
            self.got.append((recipients, data))
        if answer is not None:
            raise answer


def settings(**outward: object) -> PostSettings:
    return PostSettings.model_validate(
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
    return Outbox(tmp_path / "mail", "europe")


def again(outbox: Outbox) -> Outbox:
    """The outbox as the next run finds it."""
    return Outbox(outbox.path("x").parent.parent, "europe")


def round_of(
    outbox: Outbox, server: Server, now: datetime = NOW, arrived: Callable[[str], bool] | None = None, **outward: object
) -> Delivery:
    return deliver(outbox, settings(**outward), server.connect, lambda: now, arrived)


def states(outbox: Outbox) -> list[State]:
    return [each.state for each in again(outbox).messages]


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


def test_what_a_server_does_not_take_now_is_tried_again_after_longer_and_longer_waits(outbox: Outbox) -> None:
    outbox.queue(letter(), b"mail", NOW)
    server = Server(RefusedError("450 mailbox busy", forever=False))
    now, tried = NOW, []
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
    assert [each.to for each in delivery.failed] == ["nobody@example.org"]
    assert [each.to for each in delivery.sent] == ["anna@example.org"]
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


def _down() -> Server:
    raise UnreachableError("no answer")


@pytest.mark.parametrize("stops", [Crash(), UnreachableError("broken pipe", unsure=True)], ids=["killed", "broken"])
def test_a_message_whose_fate_is_unknown_is_settled_by_its_copy(outbox: Outbox, stops: BaseException) -> None:
    outbox.queue(letter(), b"mail", NOW)
    server = Server(stops, None)
    with suppress(Crash):
        round_of(outbox, server)
    assert states(outbox) == [State.SENDING]
    # the copy arrived: it went out, and is never sent again
    asked: list[str] = []
    delivery = round_of(again(outbox), server, NOW + timedelta(hours=1), lambda number: not asked.append(number))
    assert asked == [outbox.id_of("results 1 ENG")]
    assert [each.words for each in delivery.sent] == ["its copy arrived"]
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


def test_a_run_killed_at_any_write_loses_and_doubles_nothing(outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
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
    box = Outbox(folder, "europe")
    for name in ("a", "b", "c"):
        box.queue(letter(name), name.encode(), NOW)
    taken = {box.id_of(data.decode()) for _, data in server.got}
    round_of(box, server, now, lambda number: number in taken)


def test_a_reminder_that_comes_too_late_is_not_sent(outbox: Outbox) -> None:
    outbox.queue(letter("reminder", expires=NOW + timedelta(hours=1)), b"mail", NOW)
    server = Server()
    round_of(outbox, server, NOW + timedelta(hours=2))
    assert server.got == []
    assert states(outbox) == [State.EXPIRED]


def test_message_ids_are_the_same_for_the_same_purpose_in_every_run(outbox: Outbox) -> None:
    assert outbox.id_of("results 1 ENG") == again(outbox).id_of("results 1 ENG")
    assert outbox.id_of("results 1 ENG") != outbox.id_of("results 1 FRA")
    assert outbox.id_of("results 1 ENG") != Outbox(outbox.path("x").parent, "asia").id_of("results 1 ENG")
