"""A game by mail in which every realm's secrets are marked words: two turns, letters of every kind, orders
to come.
"""

from contextlib import chdir
from dataclasses import dataclass, field
from decimal import Decimal
from email.message import EmailMessage
from email.policy import SMTP
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from gm.campaign.open import Campaign
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from gm.games.medieval.steps.outcomes import TreasuryChanged
from gm.store.folder import TURN, TURN_FILE, GameFolder
from gm.store.formats import edited_players
from tests.cli.conftest import forget
from tests.cli.posting import SENDER, Office, office_of
from tests.commands import command
from tests.leaks.marks import Marks, Search, order_file, unreadable_file
from tests.mail.shapes.pieces import parsed

REALMS = ("LIT", "NOV", "POL", "TEU")
ZONES = {
    "LIT": "Pacific/Chatham",
    "NOV": "Asia/Kathmandu",
    "POL": "Australia/Eucla",
    "TEU": "America/St_Johns",
}
START = "2026-01-05 13:00"
NEWCOMER = "heir@example.org"
PLAYED = ("2026-01-09T20:05", "2026-01-16T20:05")  # when turn 1 and turn 2 were played and mailed
REJECTED = ("TEU", 1)  # whose proclamation the GM rejects, and in which turn
LAZY = ("NOV", 1)  # who writes no orders in a turn, and is reminded of them
PROCLAIMED = "the order proclamation"


@dataclass
class Scene:
    """The game when it was played, and everything that players got: letters by address, files by realm."""

    folder: Path
    marks: Marks
    letters: dict[str, list[bytes]] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)
    export: bytes = b""

    @property
    def campaign(self) -> Campaign:
        return Campaign(GameFolder(self.folder), SPEC)

    def files_for(self, realm: str) -> dict[str, bytes]:
        """Every file that a realm's player may see, by name: his own, and those that are for everybody."""
        files = {"handbook.html": (self.folder / "handbook.html").read_bytes()}
        for path in sorted((self.folder / "turns").rglob("*")):
            name = path.relative_to(self.folder).as_posix()
            shared = (
                "/results/battles/" in name
                or name.endswith("results/dice.jsonl")
                or "/results/herald." in name
            )
            own = path.parent.name in ("results", "next", "letters") and path.name.partition(".")[0] == realm
            if path.is_file() and (shared or own):
                files[name] = path.read_bytes()
        return files

    def letters_for(self, realm: str) -> list[bytes]:
        """What was sent to the realm's player: letters with all that is in them."""
        return self.letters[self.addresses[realm]]

    @cached_property
    def search(self) -> Search:
        """The search for all that anybody keeps to himself."""
        return Search(self.marks.secrets)

    def leaks(self, realm: str, name: str, data: bytes, turn: int) -> list[str]:
        """A sentence for each secret of others that a file tells which the realm's player gets after a
        turn.
        """
        secrets = self.marks.of_others(realm, turn)
        words = sorted(self.search.found(data) & secrets.keys())
        return [f"{name} tells {secrets[word].what} of {secrets[word].owner}: {word}" for word in words]


def newest_at(letter: bytes) -> int:
    """The newest turn when a letter was sent."""
    sent = parsed(letter)["Date"].datetime
    return sum(sent.isoformat() >= played for played in PLAYED)


def head(folder: Path, realm: str) -> dict[str, str]:
    """The header of a realm's next order file."""
    campaign = Campaign(GameFolder(folder), SPEC)
    turn = campaign.next_turn
    return {"orders": "1", "game": "minsk", "realm": realm, "turn": str(turn), "key": campaign.keys[realm]}


def played_scene(parent: Path) -> Scene:
    """Play it below a folder."""
    marks = Marks()
    scene = Scene(parent / "minsk", marks)
    with chdir(parent):
        _begin(scene)
    with chdir(scene.folder), office_of(scene.folder, command) as office:
        office.set_mail(channels="loopback")
        office.week(START)
        _name_channel(scene, office, "TEU", "2026-01-05 14:00")
        _turn(scene, office, "2026-01-06 10:00")
        _watch_keys(scene)
        office.week("2026-01-08 21:00")  # reminders to who sent nothing that can be read
        command("amend", "proclamation", "TEU", "--why", "it is too long", "--at", "2026-01-09 09:00")
        office.week("2026-01-09 19:55")
        office.week("2026-01-09 20:05")
        assert scene.campaign.newest_turn == 1
        _watch_keys(scene)
        _turn(scene, office, "2026-01-12 10:00")
        # orders for turn 2 lie in the inbox: nothing that is made anew may know them
        command("report")
        command("player", "replace", "NOV", "--name", "Heir", "--email", NEWCOMER, "--at", "2026-01-13 10:00")
        scene.addresses["NOV"] = NEWCOMER
        office.week("2026-01-13 10:05")
        office.week("2026-01-15 21:00")
        office.week("2026-01-16 19:55")
        office.week("2026-01-16 20:05")
        assert scene.campaign.newest_turn == 2
        _watch_keys(scene)
        _turn(scene, office, "2026-01-19 10:00")
        # a key that counts for every turn stands in old order files too: the archive would give it away
        said = command("export", "--without-keys", "--out", parent / "game.zip", code=2).output
        assert "POL" in said
        assert "--new-key" in said
        command("seat", "POL", "--new-key")
        _watch_keys(scene)
        command("export", "--without-keys", "--out", parent / "game.zip", "--at", "2026-01-19 12:00")
        scene.export = (parent / "game.zip").read_bytes()
        for address in (*scene.addresses.values(), scene.addresses["NOV"]):
            scene.letters[address] = [letter.as_bytes() for letter in office.smtp.letters(address)]
    _watch_gold(scene)
    return scene


def _begin(scene: Scene) -> None:
    """The game, with marks for all that ``players.yaml`` and ``game.yaml`` can hold of secrets."""
    seats: list[object] = []
    for realm in REALMS:
        name = scene.marks.mark(realm, "its player's name")
        address = scene.marks.mark(realm, "its player's address")
        scene.addresses[realm] = f"{address}@example.org"
        seats += ["--player", f"{realm}={name} <{address}@example.org>"]
    seed = scene.marks.mark("GM", "the seed of the dice")
    press = ("--press", "signed", "--press", "anonymous", "--press", "public")
    dates = ("--deadline", "friday 20:00", "--first", "2026-01-09", "--at", "2026-01-05 12:00")
    command("new", scene.folder, *seats, "--seed", seed, *dates, *press)
    for number, realm in enumerate(REALMS):
        changes: dict[str, Any] = {
            "secret": scene.marks.mark(realm, "the secret of its keys"),
            "zone": ZONES[realm],
        }
        if realm == "POL":
            changes = {"key": scene.marks.mark(realm, "its lasting key"), "zone": ZONES[realm]}
        if realm == "LIT":
            changes["absent_until"] = 7777777 + number
        data = edited_players(scene.folder, realm, changes)
        (scene.folder / "players.yaml").write_bytes(data)
        scene.marks.watch(realm, "its player's time zone", ZONES[realm])
    token = scene.marks.mark("GM", "the token of a hook")
    with (scene.folder / "game.yaml").open("a", encoding="utf-8") as settings:  # where nobody listens
        settings.write(f"hooks:\n  - {{name: club, url: 'http://127.0.0.1:9/{token}'}}\n")
    campaign = scene.campaign
    world: World = campaign.snapshot
    rich = world.with_realms(
        *(
            realm.evolve(treasury=Decimal(f"{31 + 7 * n}717.13"))
            for n, realm in enumerate(world.realms.values())
        )
    )
    path = campaign.folder.played.folder(0) / "state.json"
    path.write_bytes(SPEC.snapshot.encode(SPEC.record(rich)))
    # the start is another one now: no record says how it was written
    record = campaign.folder.turn_record(0)
    record.pop("files")
    (campaign.folder.played.folder(0) / TURN_FILE).write_bytes(TURN.encode(record))
    forget(scene.folder, "record")
    command("report", "--game", scene.folder)


def _turn(scene: Scene, office: Office, at: str) -> None:
    """What the players write in a week: good files, bad files, and letters that are none."""
    world: World = scene.campaign.state
    turn = scene.marks.turn = scene.campaign.next_turn
    for realm in REALMS:
        if (realm, turn) == LAZY:
            _letter(scene, office, realm, None, at)
            continue
        units = {
            unit.kind.value: (unit.place if unit.is_garrison else unit.id) for unit in world.of_realm(realm)
        }
        units.setdefault("A", "A1")
        others = [other for other in REALMS if other != realm]
        text = order_file(scene.marks, realm, head(scene.folder, realm), units, *others)
        _press(scene, office, realm, others[1], at)
        if (realm, turn) != REJECTED:
            scene.marks.publish(realm, PROCLAIMED)
        _letter(scene, office, realm, text, at)
        if realm in ("TEU", "POL"):
            # a second file that cannot be read: the first one stands
            _letter(scene, office, realm, unreadable_file(scene.marks, realm, head(scene.folder, realm)), at)
        _letter(scene, office, realm, None, at)
    office.week(at.replace("10:00", "10:30"))


def _letter(scene: Scene, office: Office, realm: str, orders: str | None, at: str) -> None:
    """A letter from a realm's player, marked in its subject, its text and the name of its file."""
    mark = scene.marks.mark
    letter = EmailMessage()
    letter["From"] = f"{mark(realm, 'how he signs')} <{scene.addresses[realm]}>"
    letter["To"] = SENDER
    letter["Subject"] = f"orders {mark(realm, 'the subject of a letter')}"
    letter["Message-ID"] = f"<{mark(realm, 'the id of a letter')}.{office.arrived}@example.org>"
    letter.set_content(f"Here they are. {mark(realm, 'the text of a letter')}\n")
    if orders is not None:
        letter.add_attachment(orders, subtype="yaml", filename=f"{mark(realm, 'the name of a file')}.yaml")
    office.drop(letter.as_bytes(policy=SMTP), at)


def _name_channel(scene: Scene, office: Office, realm: str, at: str) -> None:
    """A letter that names a channel of its player's own, where nobody listens."""
    from gm.mail.game_mail import subject_mark

    player = scene.campaign.folder.players.of(realm)
    assert player is not None
    letter = EmailMessage()
    letter["From"] = scene.addresses[realm]
    letter["To"] = SENDER
    url = f"http://127.0.0.1:9/{scene.marks.mark(realm, 'the address of its channel')}"
    letter["Subject"] = f"notify: {url} {subject_mark(player, 'minsk', 1)}"
    letter["Message-ID"] = f"<channel.{realm}@example.org>"
    letter.set_content("")
    office.drop(letter.as_bytes(policy=SMTP), at)


def _press(scene: Scene, office: Office, realm: str, other: str, at: str) -> None:
    """A letter to another player, with all that he must not read in it, and one without a name."""
    from gm.mail.game_mail import subject_mark

    mark = scene.marks.mark
    campaign = scene.campaign
    player = campaign.folder.players.of(realm)
    assert player is not None
    for how in ("signed", "anonymous"):
        letter = EmailMessage()
        letter["From"] = f"{mark(realm, 'how he signs')} <{scene.addresses[realm]}>"
        letter["To"] = SENDER
        letter["Subject"] = (
            f"Re: {mark(realm, 'the subject of press', other)} "
            f"{subject_mark(player, 'minsk', scene.marks.turn)}"
        )
        letter["Message-ID"] = f"<{mark(realm, 'the id of a letter')}.{office.arrived}@example.org>"
        letter["Disposition-Notification-To"] = letter["X-Image"] = (
            f"{mark(realm, 'a header of press')}@example.org"
        )
        quoted = (
            f"On Monday 5 January {scene.addresses[realm]} wrote:\n> {mark(realm, 'what press quotes')}\n"
        )
        text = f"{mark(realm, 'the press', other)}: {scene.addresses[realm]}, {campaign.keys[realm]}"
        signed = f"-- \n{mark(realm, 'a signature')}\n"
        letter.set_content(f"To: {other}\nAs: {how}\n\n{text}\n{signed}\n{quoted}")
        letter.add_alternative(f"<p>{mark(realm, 'press in HTML')}</p>", subtype="html")
        letter.add_attachment(
            b"x", maintype="image", subtype="png", filename=f"{mark(realm, 'a picture of press')}.png"
        )
        office.drop(letter.as_bytes(policy=SMTP), at)


def _watch_keys(scene: Scene) -> None:
    """The realms' keys, and the tokens that are as good as keys, are not to be with others."""
    from gm.mail.game_mail import reply_token

    campaign = scene.campaign
    for player in campaign.folder.players.players:
        if not player.key:
            scene.marks.watch(player.realm, "its key", campaign.keys[player.realm])
        token = reply_token(player, "minsk", campaign.next_turn)
        scene.marks.watch(player.realm, "its reply token", token)


def _watch_gold(scene: Scene) -> None:
    """Every balance of a treasury that a turn came to."""
    campaign = scene.campaign
    for turn in (1, 2):
        for event in campaign.logged(turn):
            if isinstance(event, TreasuryChanged):
                scene.marks.watch(event.realm, f"its treasury in turn {turn}", str(event.balance))
    for realm in campaign.snapshot.realms.values():
        scene.marks.watch(realm.code, "its treasury", str(realm.treasury))


def planted(scene: Scene) -> dict[str, bytes]:
    """All that the game's folder holds, and the mailbox: where every mark must be."""
    places = (scene.folder, scene.folder.parent / "Maildir")
    paths = chain.from_iterable(sorted(place.rglob("*")) for place in places)
    return {str(path): path.read_bytes() for path in paths if path.is_file()}
