"""A player's own channel: confirmed by a code, told once of what is news, never of a secret.

No private network.
"""

import json
import os
import socket
import ssl
import zipfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from gm.cli.hooks import tell_of
from gm.cli.session import changing
from gm.mail import telling
from gm.mail.channels import CODES_A_DAY, channels_of, outbox_of, place_of, queue_news
from gm.mail.game_mail import GameMail
from gm.mail.outbox import State
from gm.mail.results import publish_results
from gm.mail.sending import RefusedError
from gm.mail.telling import Notification
from gm.store.hooks import Channel, Hook
from tests.cli.posting import ADDRESSES, BEFORE, DAY_BEFORE, START, office_of
from tests.commands import command
from tests.mail import office as posted
from tests.mail.office import NOW, Office, flat, keyless, mail, mark
from tests.mail.receiver import Receiver, killed_while_it_thinks, receiving
from tests.mail.server_files import write_certificate
from tests.mail.test_kills import ended_before, kill_everywhere

mail_game = posted.mail_game
make_office = posted.make_office
office = posted.office  # fixtures
MakeOffice = Callable[[str], Office]

NEWS = Notification("turn", "minsk", 1, "", "")
TOPIC = "token-of-the-club"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as listening:
        yield listening


@pytest.fixture
def open_office(office: Office) -> Office:
    """A game that lets players name channels on this machine."""
    office.edit("mail.yaml", {"channels: known": "channels: loopback"})
    return office


def write(
    office: Office, subject: str, number: int, realm: str = "LIT", sender: str = "anna@example.org"
) -> str:
    """A letter that asks for something, with its token; what came of it."""
    fetched = office.receive(
        mail("", sender=sender, subject=f"{subject} {mark(office, realm)}", number=str(number))
    )
    return fetched.letters[-1][2]


def tell(office: Office, minutes: float = 0) -> None:
    tell_of(office.folder, str(NOW + timedelta(minutes=minutes)), quiet=True)


def messages(receiver: Receiver) -> list[dict[str, Any]]:
    return [json.loads(body) for body in receiver.bodies()]


def code_in(receiver: Receiver) -> str:
    """The code that came last."""
    return str(messages(receiver)[-1]["text"]).rpartition(" ")[2]


def confirmed(office: Office, receiver: Receiver) -> Office:
    write(office, f"notify: {receiver.url}", 1)
    tell(office)
    write(office, f"notify: {code_in(receiver)}", 2)
    receiver.got.clear()
    return office


# -- how one is named and confirmed --------------------------------------------------------------------------


@pytest.mark.slow
def test_a_channel_is_told_nothing_but_a_code_until_its_player_answers_with_it(
    open_office: Office, receiver: Receiver
) -> None:
    """Ask, wrong code, right code, off: each answer says what is."""
    office = open_office
    assert write(office, f"notify: {receiver.url}/aB", 1) == "LIT wants to be notified: 127.0.0.1/… (sent)"
    publish_results(office.post, NOW)
    tell(office)
    tell(office)
    assert [(message["event"], message["title"]) for message in messages(receiver)] == [
        ("code", "Medieval Diplomacy, minsk: the code for this channel")
    ]
    assert channels_of(office.post) == {}
    assert write(office, "notify: aaaa-bbbb-cccc", 2) == "LIT wants to be notified:  (code)"
    assert write(office, f"Re: notify: {code_in(receiver)}", 3).endswith("/…")
    assert list(channels_of(office.post)) == ["LIT"]
    assert write(office, "notify: off", 4) == "LIT wants to be notified: off"
    assert channels_of(office.post) == {}
    server = receiver.url.rpartition("/")[0]
    subjects = [
        str(message["Subject"]).partition(" [")[0] for message in office.sent() if "notif" in flat(message)
    ]
    assert subjects[-4:] == [
        "One step left: notify 127.0.0.1/…",
        "No: notify",
        f"Done: notify {server}/…",
        "Done: notify off",
    ]


def test_who_proves_nothing_is_asked_first(open_office: Office, receiver: Receiver) -> None:
    """Also with the longest address that there may be, as a mail program folds the subject of the answer."""
    url = f"{receiver.url}/"
    url += "aB3-_"[: (200 - len(url)) % 5] + "aB3-_" * ((200 - len(url)) // 5)
    asked_for = open_office.receive(mail("", subject=f"notify: {url}"))
    open_office.receive(mail("", subject=f"notify: {url}", sender="stranger@example.net", number="2"))
    tell(open_office)
    assert (receiver.got, "aB3" in str(asked_for.letters), len(url)) == ([], False, 200)
    (asked,) = open_office.sent()
    assert str(asked["Subject"]).startswith(f"notify {url} [minsk")
    answer = EmailMessage()
    answer["From"] = "anna@example.org"
    answer["Subject"] = f"Re: {asked['Subject']}"
    answer["Message-ID"] = "<3@example.org>"
    open_office.receive(answer.as_bytes(policy=SMTP))
    tell(open_office)
    assert [message["event"] for message in messages(receiver)] == ["code"]
    assert receiver.got[0][0] == urlsplit(url).path


def test_a_day_has_so_many_codes(open_office: Office, receiver: Receiver) -> None:
    outcomes = [
        write(open_office, f"notify: {receiver.url}/{number}", number) for number in range(CODES_A_DAY + 1)
    ]
    assert [outcome.rpartition(" ")[2] for outcome in outcomes] == ["(sent)"] * CODES_A_DAY + ["(held)"]
    tell(open_office)
    assert len(receiver.got) <= CODES_A_DAY


PLACES = {
    "ntfy.sh/Topic-1": ("https://ntfy.sh/Topic-1", "ntfy", ""),
    "<https://ntfy.sh/t>": ("https://ntfy.sh/t", "ntfy", ""),
    "HTTPS://Discord.com/api/webhooks/1/aB?w=1": ("https://discord.com/api/webhooks/1/aB?w=1", "discord", ""),
    "https://hooks.slack.com/services/T/B/x": ("https://hooks.slack.com/services/T/B/x", "slack", ""),
    "https://ntfy.example.org/t": ("https://ntfy.example.org/t", "ntfy", "service"),
    "https://example.org/hook": ("https://example.org/hook", "json", "service"),
    "https://ntfy.sh.example.org/t": ("https://ntfy.sh.example.org/t", "ntfy", "service"),
    **dict.fromkeys(
        [
            *("ntfy.sh", "ntfy.sh/", "ntfy.sh/a/b", "ntfy.sh/t?email=victim@example.org", "http://ntfy.sh/t"),
            *("https://ntfy.sh:8443/t", "https://me@ntfy.sh/t", "https://127.0.0.1/x", "https://[::1]/x"),
            *("localhost/x", "https://0x7f.1/x", "https://2130706433/x", "file:///etc/passwd", "x" * 255),
            *("https://ntfy.sh\\@10.0.0.1/t", "http://127.0.0.1:9/x"),
            *("https://example.org/a b", "https://example.org/\N{SNOWMAN}", "https://example.org/#x"),
        ],
        ("", "", "form"),
    ),
    "kq3v-x5tm-2a7c": ("", "", "code"),
}


@pytest.mark.parametrize("written", PLACES)
def test_only_names_of_public_services_are_addresses(written: str) -> None:
    place = place_of(written, "known")
    assert (place.url, place.service, place.why) == PLACES[written]
    why = PLACES[written][2]
    assert place_of(written, "any").why == ("" if why == "service" else why)
    assert place_of(written, "none").why == "closed"


PRIVATE = """127.0.0.1 10.1.2.3 192.168.0.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 ::1 fe80::1 fd00::1
::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: ff02::1 93.184.215.14,127.0.0.1"""


@pytest.mark.parametrize("addresses", PRIVATE.split())
def test_no_name_leads_into_a_private_network(
    addresses: str, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in addresses.split(",")
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers)
    monkeypatch.setattr(socket, "create_connection", lambda *_, **__: pytest.fail("a connection"))
    channel = Channel(name="c", realm="LIT", url="https://example.org/x")
    with pytest.raises(RefusedError, match="private network") as refused:
        telling.tell(channel, NEWS, office.folder, lambda: None)
    assert refused.value.forever


def test_the_address_that_was_looked_at_is_the_one_that_is_called(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No name is looked up a second time between the check and the call."""
    called = list[object]()

    def call(place: object, timeout: float) -> socket.socket:
        called.append(place)
        raise OSError(111, "connection refused")

    answers = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))
        for address in ("93.184.215.14", "2606:2800::1")
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers)
    monkeypatch.setattr(socket, "create_connection", call)
    with pytest.raises(RefusedError, match="cannot be reached"):
        telling.tell(
            Channel(name="c", realm="LIT", url="https://example.org/x"),
            NEWS, office.folder, lambda: None,
        )  # fmt: skip
    assert called == [("93.184.215.14", 443), ("2606:2800::1", 443)]


@pytest.mark.slow
def test_a_game_may_have_none(open_office: Office, receiver: Receiver) -> None:
    office = confirmed(open_office, receiver)
    office.edit("mail.yaml", {"channels: loopback": "channels: none"})
    publish_results(office.post, NOW)
    tell(office)
    assert (receiver.got, channels_of(office.post)) == ([], {})
    assert write(office, f"notify: {receiver.url}", 5).endswith("(closed)")


# -- what is told --------------------------------------------------------------------------------------------


def test_results_reminders_and_letters_are_told_once_each_and_no_secret_with_them(
    open_office: Office, receiver: Receiver
) -> None:
    """Press and a turn, published twice."""
    office = open_office
    office.edit("game.yaml", {"late: take": "press: {kinds: [signed]}\nlate: take"})
    confirmed(office, receiver)
    text = "To: LIT\n\nthe plot against NOV"
    office.receive(
        mail(text, sender="piotr@example.org", subject=f"a plot {mark(office, 'POL')}", number="8")
    )
    office.receive(mail(keyless(body="units: {}\n"), subject=f"Re: {mark(office)}", number="9"))
    secrets = secrets_of(office)
    command("turn", "--missing-ok", "--no-html", "--game", office.folder, "--at", "2026-01-09 20:05")
    for _ in range(2):
        publish_results(office.post, NOW)
        tell(office)
        tell(office)
    assert [
        (message["event"], message["turn"], message["title"].partition(": ")[2])
        for message in messages(receiver)
    ] == [
        ("press", 1, "a letter has arrived for you"),
        ("turn", 1, "the results of turn 1 are out"),
    ]
    secrets |= secrets_of(office)
    for _, headers, body in receiver.got:
        leaked = [secret for secret in secrets if secret in json.dumps(headers) + body.decode()]
        assert leaked == []


def secrets_of(office: Office) -> set[str]:
    """Keys, tokens, addresses, names and texts: what no channel may hold."""
    campaign = office.post.campaign
    players = campaign.folder.players.players
    names = {seat.name for seat in campaign.seats} | {seat.code for seat in campaign.seats}
    tokens = {mark(office, player.realm, campaign.next_turn)[1:-1] for player in players}
    own = {text for player in players for text in (player.address, player.secret, player.name)}
    return {*names, *tokens, *own, *campaign.keys.values(), "plot", "example.org"} - {""}


@pytest.mark.slow
def test_the_week_reminds_who_is_missing_and_tells_in_the_player_s_language(
    ready: Path, receiver: Receiver
) -> None:
    """Two players, one of whom has sent no orders."""
    players = ready / "players.yaml"
    players.write_text(players.read_text("utf-8").replace("realm: POL", "realm: POL, language: de"), "utf-8")
    (ready / "inbox/turn-01/POL.yaml").unlink()
    (ready / "inbox/turn-01/NOV.yaml").unlink()
    with office_of(ready, command) as office:
        office.set_mail(channels="loopback")
        office.week(START)
        for realm in ("POL", "LIT"):
            own = mark(Office(ready), realm)
            ask = f"notify: {receiver.url} {own}"
            office.drop(mail("", sender=ADDRESSES[realm], subject=ask, number=realm), START)
            command("mail", "fetch", "--at", START)
            answer = f"notify: {code_in(receiver)} {own}"
            office.drop(mail("", sender=ADDRESSES[realm], subject=answer, number=f"{realm}-2"), START)
        for at in (START, DAY_BEFORE, DAY_BEFORE, BEFORE, BEFORE):
            office.week(at)
        assert "Notified besides by mail: LIT, POL" in command("status", "--at", BEFORE).output
        said = command("hooks").output
        assert "named by the player of POL" in said
        assert (
            TOPIC
            not in said
            + command("hooks", "show", "--json").output
            + command("mail", "outbox", "--all").output
        )
    titles = [message["title"].partition(": ")[2] for message in messages(receiver)]
    assert titles == [
        "der Code dieses Kanals",
        "the code for this channel",
        *(f"deine Befehle sind in {hours} Stunden fällig" for hours in (48, 12)),
    ]
    assert messages(receiver)[-1]["text"].startswith("Die Befehle für Zug 1 sind fällig")


# -- once each, and receivers that are dead or slow ----------------------------------------------------------

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that can fork")


@forks
@pytest.mark.slow
def test_a_round_of_such_letters_may_be_killed_anywhere(make_office: MakeOffice) -> None:
    def make(name: str) -> Office:
        office = make_office(name)
        office.edit("mail.yaml", {"channels: known": "channels: loopback"})
        return office

    def fill(office: Office) -> None:
        for number, wish in enumerate(("http://127.0.0.1:9/x", "http://127.0.0.1:9/y", "off")):
            office.drop(mail("", subject=f"notify: {wish} {mark(office)}", number=str(number)))

    assert kill_everywhere(make, fill) > 20


@forks
@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_results_are_told_once_wherever_a_run_is_killed(
    open_office: Office, receiver: Receiver, step: int
) -> None:
    """After each kill a whole run follows."""
    office = confirmed(open_office, receiver)
    command("turn", "--missing-ok", "--no-html", "--game", office.folder, "--at", "2026-01-09 20:05")
    before = {path: path.read_bytes() for path in (office.folder / "mail").rglob("*") if path.is_file()}

    def whole() -> None:
        with changing(office.folder, by_steps=True) as campaign:
            publish_results(GameMail(campaign), NOW)
        tell(office, 60)

    at = 1
    while True:
        receiver.got.clear()
        for path in (office.folder / "mail").rglob("*"):
            if path.is_file() and path not in before:
                path.unlink()
        for path, data in before.items():
            path.write_bytes(data)
        ended = ended_before(at, str(office.folder.parent), whole)
        whole()
        assert [message["event"] for message in messages(receiver)] == ["turn"], f"killed before change {at}"
        if ended:
            break
        at += step
    assert at > 10


@forks
def test_who_is_killed_while_a_channel_thinks_tells_it_nothing_twice(
    open_office: Office, receiver: Receiver
) -> None:
    """The receiver kills the run that has just called it."""
    office = confirmed(open_office, receiver)
    queue_news(office.post, "LIT", "press", "a letter", NOW)
    killed_while_it_thinks(receiver, partial(tell, office))
    tell(office)
    tell(office)
    assert len(receiver.got) == 1
    assert outbox_of(office.post.campaign).messages[-1].state is State.SENT


@pytest.mark.parametrize(("code", "tries"), [(404, 1), (302, 1), (503, 8)])
def test_a_dead_channel_is_its_player_s_business(
    open_office: Office, receiver: Receiver, code: int, tries: int, capsys: pytest.CaptureFixture[str]
) -> None:
    office = confirmed(open_office, receiver)
    queue_news(office.post, "LIT", "press", "a letter", NOW)
    receiver.code = code
    for minutes in (0, 5, 15, 35, 75, 155, 315, 635, 1275):
        tell(office, minutes)
    assert len(receiver.got) == tries
    (letter,) = [
        message for message in office.sent() if "did not reach your channel" in str(message["Subject"])
    ]
    assert (letter["To"], str(code) in flat(letter)) == ("anna@example.org", False)
    assert capsys.readouterr().err == ""
    command("hooks", "show", "--game", office.folder)


def test_a_slow_channel_keeps_no_hook_of_the_game_waiting(
    open_office: Office, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its silence costs its own time alone."""
    monkeypatch.setattr(telling, "ANSWERING", 0.3)
    office = confirmed(open_office, receiver)
    queue_news(office.post, "LIT", "press", "a letter", NOW)
    with (office.folder / "game.yaml").open("a", encoding="utf-8") as file:
        file.write(f"hooks:\n  - {{name: club, url: '{receiver.url}/club'}}\n")
    command("turn", "--missing-ok", "--no-html", "--game", office.folder, "--at", "2026-01-09 20:05")
    publish_results(office.post, NOW)
    order = list[str]()

    def slow() -> bool:
        order.append(receiver.got[-1][0].rpartition("/")[2])
        return order[-1] == "club"

    receiver.before = slow
    tell(office)
    assert order[0] == "club"
    assert {entry.state for entry in outbox_of(office.post.campaign).messages if not entry.realm} == {
        State.SENT
    }


def test_a_server_that_never_ends_its_handshake_is_cut_off(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "ANSWERING", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as door:
        hook = Hook(name="c", url=f"https://127.0.0.1:{door.getsockname()[1]}/x")
        with pytest.raises(RefusedError, match="cannot be reached"):
            telling.tell(hook, NEWS, office.folder, lambda: None)


def test_a_server_proves_who_it_is(office: Office, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A certificate for localhost is good for localhost, and for no other name of the same address."""
    write_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    with receiving(context) as secure:
        channel = Channel(name="c", realm="LIT", url=secure.url, loopback=True)
        with pytest.raises(RefusedError, match="certificate"):
            telling.tell(channel, NEWS, office.folder, lambda: None)
        named = channel.evolve(url=secure.url.replace("127.0.0.1", "localhost"))
        telling.tell(named, NEWS, office.folder, lambda: None)
        assert [headers["Host"].partition(":")[0] for _, headers, _ in secure.got] == ["localhost"]


# -- private -------------------------------------------------------------------------------------------------


def test_a_new_player_has_no_channel_of_the_one_before(open_office: Office, receiver: Receiver) -> None:
    office = confirmed(open_office, receiver)
    command("player", "replace", "LIT", "--email", "heir@example.org", "--game", office.folder)
    assert channels_of(office.post) == {}


def test_archives_hold_no_channel_or_let_it_wait_for_the_game_master(
    open_office: Office, receiver: Receiver, tmp_path: Path
) -> None:
    """A full archive is a backup: channels wait in it for a word of the game master."""
    office = confirmed(open_office, receiver)
    archive = tmp_path / "a.zip"
    command("export", "--without-keys", "--out", archive, "--game", office.folder)
    with zipfile.ZipFile(archive) as packed:
        assert [name for name in packed.namelist() if TOPIC.encode() in packed.read(name)] == []
    command("export", "--out", archive, "--force", "--game", office.folder)
    command("import", archive, tmp_path / "copy")
    waiting = command("trust", "--json", "--game", tmp_path / "copy", code=1).output
    assert "sends news of the game to web addresses of players" in waiting
    copy = Office(tmp_path / "copy")
    queue_news(copy.post, "LIT", "press", "a letter", NOW)
    tell(copy)
    assert receiver.got == []
    assert TOPIC not in waiting


def test_nobody_reads_it_in_what_a_command_says_or_in_the_journal_of_letters_but_once(
    open_office: Office, receiver: Receiver
) -> None:
    fetched = open_office.receive(mail("", subject=f"notify: {receiver.url} {mark(open_office)}"))
    assert TOPIC not in str(fetched.letters)
    journal = (open_office.folder / "mail/letters.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line).get("what") for line in journal if TOPIC in line] == ["channel"]
