"""Hooks: what everybody may know of a game is told to programs and web addresses, once each, and delays
nothing.
"""

import json
import os
import socket
import sys
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from gm.cli.hooks import tell_of
from gm.cli.session import changing
from gm.mail import telling
from gm.mail.game_mail import GameMail
from gm.mail.hooks import KEPT, TRIES, outbox_of, queue_turn
from gm.mail.outbox import State
from gm.mail.results import publish_results
from gm.mail.telling import Notification, request_of, services
from gm.store.folder import TURN_FILE
from gm.store.hooks import SERVICES, Hook
from tests.cli.posting import AFTER, BEFORE, DAY_BEFORE, START, office_of
from tests.commands import command
from tests.mail import office as posted
from tests.mail.office import NOW, Office, flat
from tests.mail.receiver import Receiver, killed_while_it_thinks, receiving
from tests.mail.test_kills import ended_before
from tests.waiting import PATIENCE

mail_game = posted.mail_game
make_office = posted.make_office
office = posted.office  # fixtures

TOKEN = "token-of-the-club"  # noqa: S105


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


def add_hooks(folder: Path, *hooks: str) -> None:
    """Write hooks into a game's settings, as a GM would."""
    with (folder / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("".join(["hooks:\n", *(f"  - {{{hook}}}\n" for hook in hooks)]))


def play(folder: Path) -> None:
    command("turn", "--missing-ok", "--no-html", "--game", folder, "--at", "2026-01-09 20:05")


@pytest.fixture
def told(office: Office, receiver: Receiver) -> Office:
    """A game with a hook that was given its first turn to tell."""
    add_hooks(office.folder, f"name: club, url: '{receiver.url}'")
    play(office.folder)
    with changing(office.folder) as campaign:
        queue_turn(campaign, NOW)
    return office


def tell(office: Office, minutes: float = 0) -> None:
    tell_of(office.folder, str(NOW + timedelta(minutes=minutes)), quiet=True)


def states(office: Office) -> list[State]:
    return [message.state for message in outbox_of(office.post.campaign).messages]


# -- what is told, and when ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_week_tells_of_a_reminder_a_turn_and_a_free_seat_once_each(
    ready: Path, receiver: Receiver
) -> None:
    """Repeated runs notify each hook once of each event, in the hook's language and of its events alone."""
    add_hooks(
        ready,
        f"name: club, url: '{receiver.url}'",
        f"name: seats, url: '{receiver.url}', events: [seat], language: de",
    )
    (ready / "inbox/turn-01/POL.yaml").unlink()
    with office_of(ready, command) as office:
        for at in (START, DAY_BEFORE, DAY_BEFORE, BEFORE, BEFORE):
            office.week(at)
        office.week(AFTER, "--anyway")
        office.week(AFTER)
        command("open", "POL", "--at", AFTER)
        for _ in range(2):
            office.week(AFTER, code=None)
    notifications = [json.loads(body) for body in receiver.bodies()]
    assert [notification["event"] for notification in notifications] == [
        "reminder",
        "reminder",
        "turn",
        "seat",
        "seat",
    ]
    assert [notification["turn"] for notification in notifications] == [1, 1, 1, 2, 2]
    titles = [notification["title"].partition(": ")[2] for notification in notifications]
    seat = ["Poland is open to a new player", "Poland sucht einen neuen Spieler"]
    assert titles[1:] == ["orders are due in 12 hours", "turn 1 has been played", *seat]
    assert "Orders for turn 2 are due Friday 2026-01-16" in notifications[2]["text"]


def test_a_game_without_mail_tells_of_a_turn_when_it_is_played(ready: Path, receiver: Receiver) -> None:
    add_hooks(ready, f"name: club, url: '{receiver.url}'")
    for _ in range(2):
        command("turn", "--missing-ok", "--no-html")
    assert [json.loads(body)["turn"] for body in receiver.bodies()] == [1, 2]


@pytest.mark.slow
def test_the_map_goes_along_as_a_picture(ready: Path, receiver: Receiver) -> None:
    add_hooks(ready, f"name: club, url: '{receiver.url}', map: true")
    command("hooks", "test")
    ((_, _, body),) = receiver.got
    assert json.loads(body)["map"].startswith("iVBORw0KGgo")


def test_a_program_gets_it_on_its_input(told: Office, tmp_path: Path) -> None:
    write = [
        sys.executable,
        "-c",
        f"import sys; open({str(tmp_path / 'got')!r}, 'a').write(sys.stdin.read())",
    ]
    told.edit("game.yaml", {"url: ": f"run: {json.dumps(write)}, language: de}} #"})
    tell(told)
    tell(told)
    assert json.loads((tmp_path / "got").read_text(encoding="utf-8"))["event"] == "turn"


def test_a_turn_that_was_taken_back_is_told_again_when_it_is_another(
    told: Office, receiver: Receiver
) -> None:
    for published in ("--unpublished", "--unpublished", "--published"):
        command("undo", published, "--game", told.folder, "--why", "a slip")
        play(told.folder)
        publish_results(told.post, NOW)
        tell(told)
    assert [("(again)" in json.loads(body)["title"]) for body in receiver.bodies()] == [False, True]


# -- once each -----------------------------------------------------------------------------------------------

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that can fork")


@forks
@pytest.mark.slow
def test_each_is_told_once_wherever_a_run_is_killed(office: Office, receiver: Receiver) -> None:
    """At each of over fifty changes a run is killed that publishes and tells: all hooks hear of the turn
    once.
    """
    played = office
    names = "abcdefgh"
    add_hooks(played.folder, *(f"name: {name}, url: '{receiver.url}/{name}'" for name in names))
    play(played.folder)
    at = 1

    def whole() -> None:
        with changing(played.folder, by_steps=True) as campaign:
            publish_results(GameMail(campaign), NOW)
        tell(played, 60)

    while True:
        receiver.got.clear()
        for path in (played.folder / "mail").rglob("*"):
            if path.is_file():
                path.unlink()
        ended = ended_before(at, str(played.folder.parent), whole)
        whole()
        assert Counter(path[-1] for path, _, _ in receiver.got) == Counter(names), (
            f"killed before change {at}"
        )
        if ended:
            break
        at += 1
    assert at > 50


@forks
def test_who_is_killed_while_a_receiver_thinks_tells_it_nothing_twice(
    told: Office, receiver: Receiver
) -> None:
    killed_while_it_thinks(receiver, partial(tell, told))
    tell(told)
    tell(told)
    assert len(receiver.got) == 1
    (entry,) = outbox_of(told.post.campaign).messages
    assert (entry.state, "may not have arrived" in entry.words) == (State.SENT, True)


# -- receivers that are dead, slow or strange ----------------------------------------------------------------


def test_a_dead_receiver_is_asked_after_longer_and_longer_waits_and_given_up(
    told: Office, receiver: Receiver
) -> None:
    receiver.code = 503
    tell(told)
    due = [5, 15, 35, 75, 155, 315, 635]
    for number, minutes in enumerate(due, start=1):
        tell(told, minutes - 1)
        assert len(receiver.got) == number
        assert states(told) != [State.FAILED]
        tell(told, minutes)
    assert (len(receiver.got), states(told)) == (TRIES, [State.FAILED])
    (letter,) = [letter for letter in told.sent() if "could not be notified" in str(letter["Subject"])]
    assert "it answers 503 (Service Unavailable)" in flat(letter)
    receiver.code = 204
    command("hooks", "send", "--again", "--game", told.folder)
    assert states(told) == [State.SENT]


def test_a_hook_that_is_removed_while_it_is_told_needs_no_letter(told: Office, receiver: Receiver) -> None:
    def remove_hook() -> bool:
        settings = told.folder / "game.yaml"
        text = settings.read_text("utf-8")
        settings.write_text(text[: text.index("hooks:")], "utf-8")
        return True

    receiver.code = 404
    receiver.before = remove_hook
    tell(told)
    assert states(told) == [State.FAILED]
    assert not [letter for letter in told.sent() if "could not be notified" in str(letter["Subject"])]


def test_nobody_is_told_what_is_no_news_any_more(told: Office, receiver: Receiver) -> None:
    tell(told, KEPT / timedelta(minutes=1) + 1)
    assert (receiver.got, states(told)) == ([], [State.EXPIRED])


@pytest.mark.parametrize(("code", "state"), [(302, State.FAILED), (404, State.FAILED), (429, State.LATER)])
def test_redirects_are_not_followed_and_refusals_are_final(
    told: Office, receiver: Receiver, code: int, state: State
) -> None:
    receiver.code = code
    tell(told)
    assert (len(receiver.got), states(told)) == (1, [state])


def test_an_address_at_which_nobody_listens_delays_no_turn(ready: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    add_hooks(ready, f"name: club, url: 'http://127.0.0.1:{port}/{TOKEN}'")
    said = command("turn", "--missing-ok", "--no-html").output
    assert "Turn 1 has been played" in said
    said = command("hooks", "show").output
    assert "cannot be reached: connection refused" in said
    assert TOKEN not in said


def test_a_turn_is_whole_on_the_disk_before_anybody_is_told(ready: Path, receiver: Receiver) -> None:
    wholes = list[bool]()

    def asked() -> bool:
        wholes.append((ready / "turns/turn-01" / TURN_FILE).is_file())
        return True

    receiver.before = asked
    receiver.code = 503
    add_hooks(ready, f"name: club, url: '{receiver.url}'")
    assert "Turn 1 has been played" in command("turn", "--missing-ok", "--no-html").output
    assert wholes == [True]


def test_a_receiver_that_thinks_keeps_no_other_command_waiting(told: Office, receiver: Receiver) -> None:
    free = list[bool]()

    def asked() -> bool:
        with changing(told.folder, by_steps=True) as campaign:
            free.append(outbox_of(campaign).messages[0].doubt)
        tell(told)  # and another run does not tell it, too
        return True

    receiver.before = asked
    tell(told)
    assert (free, len(receiver.got), states(told)) == ([True], 1, [State.SENT])


@pytest.mark.parametrize("drip", [b"", b"H"], ids=["silent", "a byte at a time"])
def test_who_answers_slowly_or_for_ever_is_cut_off_and_told_nothing_twice(
    told: Office, monkeypatch: pytest.MonkeyPatch, drip: bytes
) -> None:
    """A receiver that drips or is silent costs seconds, and its notification has failed after one call."""
    monkeypatch.setattr(telling, "ANSWERING", 0.3)
    calls = 0

    def serve(door: socket.socket) -> None:
        nonlocal calls
        line, _ = door.accept()
        calls += 1
        with line:
            line.recv(100_000)
            end = time.monotonic() + PATIENCE
            while drip and time.monotonic() < end:
                try:
                    line.sendall(drip)
                except OSError:
                    break
                time.sleep(0.02)
            line.settimeout(PATIENCE)
            while not drip and line.recv(1000):
                pass

    with socket.create_server(("127.0.0.1", 0)) as door:
        thread = threading.Thread(target=serve, args=(door,), daemon=True)
        thread.start()
        told.edit(
            "game.yaml", {"http://127.0.0.1:": f"http://127.0.0.1:{door.getsockname()[1]}/", "/" + TOKEN: ""}
        )
        started = time.monotonic()
        tell(told)
        tell(told, 600)
    assert time.monotonic() - started < PATIENCE / 2
    assert (calls, states(told)) == (1, [State.FAILED])


# -- bodies --------------------------------------------------------------------------------------------------

HOSTILE = "@everyone <!channel> *b* [here](http://x) {title} é\nsecond"


def told_of(picture: bytes = b"") -> Notification:
    return Notification("turn", "europe", 3, "Turn 3 <é>", HOSTILE, picture)


def test_each_service_gets_it_as_it_wants_it() -> None:
    assert tuple(services()) == SERVICES
    bodies = {name: request_of(name, told_of()) for name in SERVICES}
    assert json.loads(bodies["json"].body) == {
        "event": "turn", "game": "europe", "turn": 3, "title": "Turn 3 <é>", "text": HOSTILE,
    }  # fmt: skip
    discord = json.loads(bodies["discord"].body)
    assert discord["allowed_mentions"] == {"parse": []}
    assert discord["content"] == (
        "**Turn 3 \\<é>**\n@everyone \\<!channel> \\*b\\* \\[here](http://x) {title} é\nsecond"
    )
    assert json.loads(bodies["slack"].body)["text"].startswith(
        "*Turn 3 &lt;é&gt;*\n@everyone &lt;!channel&gt;"
    )
    assert (bodies["ntfy"].headers["Title"], bodies["ntfy"].body.decode()) == ("Turn 3 <é>", HOSTILE)


def test_a_picture_goes_where_a_service_takes_a_file(office: Office, receiver: Receiver) -> None:
    form = request_of("discord", told_of(b"PNG"))
    boundary = form.headers["Content-Type"].partition("boundary=")[2]
    parts = form.body.split(f"--{boundary}".encode())
    assert [b'name="payload_json"' in parts[1], b'name="files[0]"; filename="map.png"' in parts[2]] == [
        True,
        True,
    ]
    assert parts[2].endswith(b"\r\n\r\nPNG\r\n")
    assert b"PNG" not in request_of("slack", told_of(b"PNG")).body
    hook = Hook(name="phone", service="ntfy", url=receiver.url)
    telling.tell(hook, told_of(b"PNG"), office.folder, lambda: None)
    ((_, headers, body),) = receiver.got
    assert (body, headers["Filename"], headers["Title"]) == (
        b"PNG",
        "map.png",
        "=?utf-8?b?VHVybiAzIDzDqT4=?=",
    )
    assert "\n" not in headers["Message"]


def test_a_long_text_is_cut_for_a_service() -> None:
    long = told_of().evolve(text="x" * 5000)
    assert len(json.loads(request_of("discord", long).body)["content"]) < 2000


# -- what came with an archive, and what is secret -----------------------------------------------------------


@pytest.mark.slow
def test_hooks_of_an_imported_game_are_off_until_they_are_confirmed(
    told: Office, receiver: Receiver, tmp_path: Path
) -> None:
    folder = tmp_path / "copy"
    archive = tmp_path / "a.zip"
    command("export", "--out", archive, "--game", told.folder)
    command("import", archive, folder)
    assert not (folder / "mail/hooks").exists()  # else the copy would tell what the first one tells
    play(folder)
    copy = Office(folder)
    publish_results(copy.post, NOW)
    command("hooks", "send", "--game", folder)
    assert "off until 'pbem trust' confirms it" in command("hooks", "show", "--game", folder).output
    assert TOKEN not in command("hooks", "test", "--game", folder, code=2).output
    assert receiver.got == []
    (mark,) = [
        command_row["mark"]
        for command_row in json.loads(command("trust", "--json", "--game", folder, code=1).output)["commands"]
        if command_row["where"] == "game.yaml, hook club"
    ]
    command("trust", mark, "--game", folder, code=None)
    play(folder)
    publish_results(copy.post, NOW)
    tell(copy)
    assert [json.loads(body)["turn"] for body in receiver.bodies()] == [3]


@pytest.mark.parametrize(
    "hooks",
    [
        "hooks:\n  - name: club\n    url: https://example.org/{token}\n",
        "hooks: [\n{{name: club, url: 'https://example.org/{token}'}}]  # was https://example.org/{token}\n",
        "# once https://example.org/{token}\n\"hooks\": [{{name: c, run: [x, '{token}']}}]\n",
        "# hooks: [{{url: https://example.org/{token}}}]\n",
    ],
)
def test_an_archive_without_keys_has_no_address(ready: Path, hooks: str) -> None:
    with (ready / "game.yaml").open("a", encoding="utf-8") as file:
        file.write(hooks.format(token=TOKEN))
    command("export", "--without-keys", "--out", "a.zip")
    with zipfile.ZipFile("a.zip") as archive:
        assert [name for name in archive.namelist() if TOKEN.encode() in archive.read(name)] == []
    command("import", "a.zip", "copy")


@pytest.mark.parametrize(
    ("hook", "says"),
    [
        (f"name: club, url: 'ftp://example.org/{TOKEN}'", "begin with http:// or https://"),
        (f"name: club, url: example.org/{TOKEN}", "begin with http:// or https://"),
        (f"name: club, url: 'https://me:{TOKEN}@example.org/'", "begin with http:// or https://"),
        (f"name: club, url: 'https://example.org/{TOKEN}', run: [x]", "either a 'url' or a program"),
        (f"name: club, url: 'https://example.org/{TOKEN}', to: x", "no field 'to' here"),
        (f"name: club, url: 'https://example.org/{TOKEN}', events: [turns]", "turn, reminder or seat"),
        (f"name: c b, url: 'https://example.org/{TOKEN}'", "of letters, digits, - and _"),
    ],
)
def test_a_wrong_hook_is_told_without_its_address(ready: Path, hook: str, says: str) -> None:
    add_hooks(ready, hook)
    said = command("hooks", "show", code=2).output
    assert says in said
    assert TOKEN not in said


def test_hooks_are_shown_and_tried(ready: Path, receiver: Receiver) -> None:
    assert "This game has no hooks" in command("hooks").output
    add_hooks(ready, f"name: club, url: '{receiver.url}'", "name: prog, run: [/nowhere/at-all, --loud]")
    said = command("hooks", "show").output
    assert [said[:10], said[said.index("prog") :][:30]] == ["club  json", "prog  program, /nowhere/at-all"]
    said = command("hooks", "test", code=1).output
    assert "club was told" in said
    assert "prog was not told (/nowhere/at-all): it cannot be started: no such file" in said
    assert [json.loads(body)["event"] for body in receiver.bodies()] == ["test"]
    assert "There is no hook zzz; game.yaml has club, prog" in command("hooks", "test", "zzz", code=2).output
