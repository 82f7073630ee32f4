"""A whole game of three turns with eight players over real mail servers: nobody touches a file."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage

import pytest

from gm.mail.submitting import SubmitForm, with_submit_form
from tests.mail.conftest import GAME, GM, REALMS, Game, NewGame, address_of
from tests.mail.correspondents import (
    PROGRAMS,
    Correspondent,
    apple,
    attachment_name,
    attachments,
    gmail,
    template_of,
    thunderbird,
)
from tests.mail.servers import MailServers

CARLA = "carla@mail.test"
"""She takes Poland over in turn 2."""
NEW_FRANCE = "france.moved@mail.test"


@pytest.fixture
def players(mailboxes: MailServers) -> dict[str, Correspondent]:
    """The first player of each realm, each with a mail program of his own."""
    return {
        realm: Correspondent(mailboxes, address_of(realm), GAME, PROGRAMS[number % len(PROGRAMS)])
        for number, realm in enumerate(REALMS)
    }


def with_orders(template: str, *orders: str) -> str:
    """The template that came with the results, with orders written under its headquarters."""
    head, heading, rest = template.partition("headquarters:\n")
    assert heading
    return head + heading + "".join(f"  {order}\n" for order in orders) + rest


def greeting(realm: str, turn: int) -> str:
    return f'proclamation: "{realm} grüßt in turn {turn}: жыві!"'


def ours(player: Correspondent) -> list[EmailMessage]:
    """What the game sent to a player."""
    return [letter for letter in player.inbox() if letter["X-GM-Game"]]


def text_of(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def calendar(letter: EmailMessage) -> dict[str, str]:
    """The entries of the calendar file that came with a letter, unfolded (RFC 5545)."""
    data = attachments(letter)[attachment_name(letter, ".ics")].decode()
    lines = data.replace("\r\n ", "").splitlines()
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-1] == "END:VCALENDAR"
    assert all(len(line.encode()) <= 75 for line in data.split("\r\n"))
    return dict(line.split(":", 1) for line in lines)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def receipts_for(player: Correspondent, letter: EmailMessage) -> list[EmailMessage]:
    """The answers that a player got to a letter of his."""
    return [answer for answer in ours(player) if answer["In-Reply-To"] == letter["Message-ID"]]


def everything(letter: EmailMessage) -> Iterator[str]:
    """All that can be read in a letter: its header and every part of it, decoded."""
    yield "\n".join(f"{name}: {value}" for name, value in letter.items())
    for part in letter.walk():
        if not part.is_multipart():
            yield part.get_payload(decode=True).decode("utf-8", "replace")
    yield from (data.decode("utf-8", "replace") for data in attachments(letter).values())


@pytest.mark.slow
def test_a_game_of_three_turns_over_real_mail_servers(
    mailboxes: MailServers, players: dict[str, Correspondent], new_game: NewGame
) -> None:
    game = new_game(mailboxes)
    begin(game, players)
    first_turn(game, players)
    second_turn(game, mailboxes, players)
    third_turn(game, players)
    final_account(game, players)


def begin(game: Game, players: dict[str, Correspondent]) -> None:
    """The first run of the week mails the start to everybody, with a calendar entry for the deadline."""
    game.week("2024-01-05 12:10")
    game.week("2024-01-05 12:15")
    for realm, player in players.items():
        letter, secret = sorted(player.inbox(), key=lambda letter: "Your key" in letter["Subject"])
        files = attachments(letter)
        assert letter["From"] == f"Europe by mail <{GAME}>"
        assert letter["Auto-Submitted"] == "auto-generated"
        assert set(files) >= {f"{realm}-turn-00.results.yaml", f"{realm}-turn-00.html"}
        assert files[f"{realm}-turn-00.html"].lower().startswith(b"<!doctype html>")
        assert f"realm: {realm}\n" in template_of(secret)
        assert calendar(letter)["DTEND"] == "20240112T200000Z"


def first_turn(game: Game, players: dict[str, Correspondent]) -> None:
    """Play the turn with a forged letter, a second version, reminders and orders after the deadline."""
    starts = {realm: player.key() for realm, player in players.items()}
    orders = {realm: with_orders(template_of(starts[realm]), greeting(realm, 1)) for realm in REALMS}
    # Poland shows its address to everybody; France and England write to the game without answering a letter
    orders["POL"] = with_orders(
        template_of(starts["POL"]), greeting("POL", 1), "send_ambassador: [ENG, FRA, HUN]"
    )
    letters = {
        realm: players[realm].answer(starts[realm], orders[realm]) for realm in ("CAS", "HUN", "NOR", "POL")
    }
    letters |= {realm: players[realm].write(orders[realm]) for realm in ("ENG", "FRA")}
    # a stranger in the name of Venice, with a key that he made up
    stranger = Correspondent(players["VEN"].servers, players["ENG"].address, GAME, gmail)
    forged = with_orders(
        orders["VEN"].replace(key_line(orders["VEN"]), "key: eager-swan-11"), "cede_province: [Venezia]"
    )
    stranger.write(forged, subject="Venice")
    players["BYZ"].away(starts["BYZ"])
    game.week("2024-01-06 09:00")

    for realm, letter in letters.items():
        (receipt,) = receipts_for(players[realm], letter)
        assert receipt["Subject"].startswith("Orders received: turn 1")
        assert receipt["Auto-Submitted"] == "auto-replied"
        assert sha256(orders[realm]) in text_of(receipt) or players[realm].program.__name__ == "outlook"
        assert "version 1" in text_of(receipt)
    assert [
        text_of(letter) for letter in ours(players["VEN"])[1:] if "did not have your key" in text_of(letter)
    ]
    assert not players["ENG"].about("Venice")
    status = json.loads(game.gm("status", "--json", at="2024-01-06 09:01"))
    assert status["missing"] == ["BYZ", "VEN"]
    assert not (game.folder / "inbox/turn-01/VEN.yaml").exists()

    # Norway thinks again
    orders["NOR"] = with_orders(template_of(starts["NOR"]), greeting("NOR", 1), "send_gold: {ENG: 2}")
    again = players["NOR"].answer(letters["NOR"], orders["NOR"], name="second.yaml")
    game.week("2024-01-06 09:05")
    (receipt,) = receipts_for(players["NOR"], again)
    assert "version 2" in text_of(receipt)
    assert "send_gold" in text_of(receipt)

    reminded(game, players, {"BYZ", "VEN"}, "2024-01-10 20:00")
    letters["VEN"] = players["VEN"].answer(
        players["VEN"].about("orders are missing")[0], orders["VEN"], name="v.yaml"
    )
    reminded(game, players, {"BYZ"}, "2024-01-12 08:00")
    game.week("2024-01-12 19:55")
    # Byzantium comes after the deadline, but before the turn is played
    letters["BYZ"] = players["BYZ"].answer(starts["BYZ"], orders["BYZ"])
    game.week("2024-01-12 20:05")
    assert "after the deadline" in text_of(receipts_for(players["BYZ"], letters["BYZ"])[0])
    played(game, players, 1, orders)


def key_line(orders: str) -> str:
    return next(line for line in orders.splitlines() if line.startswith("key:"))


def reminded(game: Game, players: dict[str, Correspondent], realms: set[str], at: str) -> None:
    """Two runs of the week at that time remind just these, once."""
    before = {realm: len(player.about("orders are missing")) for realm, player in players.items()}
    game.week(at)
    game.week(at)
    for realm, player in players.items():
        reminders = player.about("orders are missing")
        assert len(reminders) - before[realm] == (realm in realms), realm
        assert all(
            letter["List-Unsubscribe"].startswith(f"<mailto:{GAME}?subject=unsubscribe")
            for letter in reminders
        )


def played(
    game: Game,
    players: dict[str, Correspondent],
    turn: int,
    orders: dict[str, str],
    absent: frozenset[str] = frozenset(),
) -> None:
    """The turn was played with just these orders, and everybody has its results, once."""
    # Europe's turns are large: the first is packed by the time that the third is played
    names = [name.removesuffix(".zip") for name in game.turns]
    assert names == [f"turn-{number:02}" for number in range(turn + 1)]
    folder = game.folder / f"turns/turn-{turn:02}"
    for realm, text in orders.items():
        assert (folder / f"orders/{realm}.yaml").read_bytes().decode().replace("\r\n", "\n") == text
    assert {path.stem for path in (folder / "orders").glob("*.yaml")} == set(orders)
    for realm, player in players.items():
        letters = player.about(f"turn {turn} has been played")
        assert len(letters) == (realm not in absent), realm
        for letter in letters:
            key = key_line(template_of(player.key(f"turn {turn + 1}"))).removeprefix("key: ")
            page = (
                (folder / f"results/{realm}.html")
                .read_text("utf-8")
                .replace(key, "put-your-key-here")
                .encode()
            )
            data = with_submit_form(page, submit_form(realm, turn + 1))
            assert attachments(letter)[f"{realm}-turn-{turn:02}.html"].replace(b"\r\n", b"\n") == data
            assert calendar(letter)["SUMMARY"] == f"europe: orders for turn {turn + 1} are due"


def submit_form(realm: str, turn: int) -> SubmitForm:
    """What a player's report says of the letter with his orders."""
    name = f"europe t{turn} {realm}"
    return SubmitForm(
        game="medieval",
        language="en",
        address=GAME,
        name=name,
        coming=f"turn {turn}",
        mark=f"(europe, {realm})",
    )


def second_turn(game: Game, servers: MailServers, players: dict[str, Correspondent]) -> None:
    """Play the turn in which Poland's seat changes hands and France's mailbox is lost and replaced."""
    results = {realm: player.about("turn 1 has been played")[0] for realm, player in players.items()}
    assert "VEN" in "".join(everything(results["ENG"]))
    keys = {realm: player.key("turn 2") for realm, player in players.items()}
    orders = {
        realm: with_orders(template_of(keys[realm]), greeting(realm, 2)) for realm in REALMS if realm != "FRA"
    }
    for realm in ("BYZ", "ENG", "HUN", "NOR", "POL"):
        players[realm].answer(keys[realm], orders[realm])
    game.week("2024-01-13 10:00")

    # Poland's player leaves, and Carla takes his seat
    old = players["POL"]
    secrets = {key_line(template_of(letter)) for letter in old.about("Your key for")}
    tokens = {letter["Subject"].partition("[")[2] for letter in ours(old)}
    servers.add(CARLA)
    game.gm("player", "replace", "POL", "--name", "Carla", "--email", CARLA, at="2024-01-13 11:00")
    assert "POL" in json.loads(game.gm("status", "--json", at="2024-01-13 11:00"))["missing"]
    game.week("2024-01-13 11:05")
    carla = players["POL"] = Correspondent(servers, CARLA, GAME, apple)
    (dossier,) = carla.inbox()
    names = set(attachments(dossier))
    expected = {"handbook.html", "POL-turn-01.html", "POL-turn-00.html", "POL-turn-01.results.yaml"}
    assert names == {*expected, "POL-turn-02.orders.yaml", "POL.schema.json"}
    for text in everything(dossier):
        assert old.address not in text
        assert not any(key.removeprefix("key: ") in text for key in secrets)
        assert not any(token in text for token in tokens)
    # the old one's keys open nothing any more
    old.answer(keys["POL"], with_orders(orders["POL"], "cede_province: [Poznan]"))
    game.week("2024-01-13 12:00")
    assert not (game.folder / "inbox/turn-02/POL.yaml").exists()
    orders["POL"] = with_orders(template_of(dossier), greeting("POL", 2))
    carla.answer(dossier, orders["POL"])

    for realm in ("CAS", "VEN"):
        players[realm].answer(keys[realm], orders[realm])
    game.week("2024-01-16 10:00")
    reminded(game, players, {"FRA"}, "2024-01-18 01:00")
    # France's mailbox is gone: what is sent there comes back
    servers.lose(players["FRA"].address)
    game.week("2024-01-19 19:50")
    servers.delivered()
    # a run that learns of a lost letter says so with its exit code: first of the reminder, then of the
    # results
    assert "could not be delivered" in game.week("2024-01-19 20:05", code=1)
    servers.delivered()
    played_in = dict(players)
    del played_in["FRA"]
    played(game, played_in, 2, orders)
    game.week("2024-01-19 20:10", code=1)
    status = game.gm("status", at="2024-01-19 20:11")
    assert f"bounced  {players['FRA'].address}" in status
    assert "5.1.1" in status
    # France has a new address: the GM says so and sends again what came back
    servers.add(NEW_FRANCE)
    game.gm("seat", "FRA", "--email", NEW_FRANCE)
    game.gm("mail", "again", at="2024-01-19 20:12")
    players["FRA"] = Correspondent(servers, NEW_FRANCE, GAME, thunderbird)
    game.week("2024-01-19 20:15")
    assert len(players["FRA"].about("turn 2 has been played")) == 1
    assert "bounced" not in game.gm("status", at="2024-01-19 20:20")


def third_turn(game: Game, players: dict[str, Correspondent]) -> None:
    keys = {realm: player.key("turn 3") for realm, player in players.items()}
    orders = {realm: with_orders(template_of(keys[realm]), greeting(realm, 3)) for realm in REALMS}
    letters = {realm: players[realm].answer(keys[realm], orders[realm]) for realm in REALMS}
    game.week("2024-01-21 10:00")
    for realm, letter in letters.items():
        assert len(receipts_for(players[realm], letter)) == 1
    assert json.loads(game.gm("status", "--json", at="2024-01-21 10:00"))["complete"]
    game.week("2024-01-26 19:59")
    game.week("2024-01-26 20:01")
    game.week("2024-01-26 20:06")
    played(game, players, 3, orders)


def final_account(game: Game, players: dict[str, Correspondent]) -> None:
    """Every letter came once, nothing is left over, and the game can be made again from its folder."""
    for realm, player in players.items():
        numbers = Counter(letter["Message-ID"] for letter in ours(player))
        assert set(numbers.values()) == {1}, realm
    outbox = json.loads(game.gm("mail", "outbox", "--all", "--json"))["letters"]
    # a reminder came back from France's old mailbox, and is worth nothing any more
    assert {(row["state"], row["kind"]) for row in outbox if row["state"] != "sent"} == {
        ("bounced", "reminder"),
        ("dropped", "results"),
        ("dropped", "orders"),
    }
    status = json.loads(game.gm("status", "--json", at="2024-01-26 20:10"))
    assert status["turn"] == 4
    assert status["post"]["waiting"] == status["post"]["lost"] == status["post"]["problems"] == []
    gm_letters = Correspondent(players["ENG"].servers, GM, GAME).inbox()
    assert [letter["Subject"] for letter in gm_letters if "waits for you" in letter["Subject"]] == []
    before = {
        path.name: path.read_bytes()
        for path in (game.folder / "turns/turn-03/results").iterdir()
        if path.is_file()
    }
    game.gm("report")
    for name, data in before.items():
        assert (game.folder / "turns/turn-03/results" / name).read_bytes() == data
