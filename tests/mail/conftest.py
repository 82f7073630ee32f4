"""Real mail servers for the tests that want them, and games whose post goes over them."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.cli.posting import set_mail
from tests.commands import repeated

# the fixtures of the tests that need no server
from tests.mail.office import mail_game, make_office, office  # noqa: F401
from tests.mail.servers import MailServers, missing_servers, running_servers
from tests.remembered import remembered  # noqa: F401

GAME = "europe@mail.test"
GM = "gm@mail.test"

REALMS = ("BYZ", "CAS", "ENG", "FRA", "HUN", "NOR", "POL", "VEN")
"""Those of Europe in 1320 that are played in these tests."""
FOUR = ("LIT", "NOV", "POL", "TEU")
"""All of the small map, for tests that need no crowd."""

BEGIN = "2024-01-05 12:00"
"""A Friday.

The deadline of turn 1 is a week later at 20:00, and then every Friday: long ago by any server's clock."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test that uses the servers is marked so."""
    for item in items:
        if "servers" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.servers)


@pytest.fixture(scope="session")
def servers() -> Iterator[MailServers]:
    """Run Dovecot and Postfix with mailboxes for the game, its GM and the players.

    Where they cannot run the test is skipped.
    """
    if reason := missing_servers():
        pytest.skip(reason)
    with running_servers() as servers:
        servers.add(GAME, GM, *(address_of(realm) for realm in sorted({*REALMS, *FOUR})))
        yield servers


@pytest.fixture
def mailboxes(servers: MailServers) -> Iterator[MailServers]:
    """The servers without any mail."""
    servers.delivered()
    servers.empty()
    servers.refuse({})
    yield servers
    servers.delivered()
    servers.find_again()


def address_of(realm: str) -> str:
    """The first player of a realm."""
    return f"{realm.lower()}.player@mail.test"


@dataclass
class Game:
    """A game folder and a GM who types commands, each a process of its own."""

    folder: Path
    said: list[str] = field(default_factory=list)

    def gm(self, *arguments: object, at: str = "", code: int = 0) -> str:
        """Run a command of ``gm`` at some time; returns what it said."""
        command = [sys.executable, "-m", "gm", *map(str, arguments), "--game", str(self.folder)]
        run = subprocess.run(
            [*command, *(["--at", at] if at else [])],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        output = run.stdout + run.stderr
        self.said.append(f"{' '.join(map(str, arguments))}: {output}")
        assert run.returncode == code, f"gm {' '.join(map(str, arguments))}: {run.returncode}\n{output}"
        assert "Traceback" not in output
        return output

    def week(self, at: str, *options: str, code: int = 0) -> str:
        return self.gm("week", *options, at=at, code=code)

    def set_mail(self, **settings: object) -> None:
        set_mail(self.folder, **settings)

    @property
    def password(self) -> Path:
        """The file with the mailbox's password."""
        return self.folder.parent / "password"

    def state(self, turn: int) -> bytes:
        return (self.folder / f"turns/turn-{turn:02}/state.json").read_bytes()

    @property
    def turns(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "turns").iterdir())


NewGame = Callable[..., Game]


@pytest.fixture
def new_game(tmp_path: Path) -> NewGame:
    """Starts games over the servers, each in a folder of its own name."""
    return new_game_in(tmp_path)


@pytest.fixture
def game(mailboxes: MailServers, new_game: NewGame) -> Game:
    """A game of four whose start has not been mailed yet."""
    return new_game(mailboxes, small=True)


def new_game_in(tmp_path: Path) -> NewGame:
    """Starts games in a folder: ``pbem new`` and ``pbem mail setup``, and no file touched by hand."""

    def start(
        servers: MailServers,
        *login: str,
        security: str = "starttls",
        name: str = "europe",
        small: bool = False,
    ) -> Game:
        """Begin a game with its mail set up at the servers, by login and kind of encryption."""
        folder = tmp_path / name
        chosen = ("minsk", FOUR) if small else ("europe-1320", REALMS)
        seats = repeated("--player", (f"{realm}={address_of(realm)}" for realm in chosen[1]))
        due = ["--deadline", "friday 20:00", "--first", "2024-01-12", "--at", BEGIN]
        secret = ["--seed", "a seed", "--key-secret", "a secret"]
        command = [sys.executable, "-m", "gm", "new", str(folder), "--map", chosen[0], *seats, *due, *secret]
        subprocess.run(command, check=True, capture_output=True)
        game = Game(folder)
        game.password.write_text(servers.password(GAME))
        ports = (
            (servers.imap, servers.submission)
            if security == "starttls"
            else (servers.imaps, servers.submissions)
        )
        game.gm(
            *("mail", "setup", "--from", GAME, "--name", "Europe by mail", "--gm", GM),
            *("--imap", f"localhost:{ports[0]}", "--smtp", f"localhost:{ports[1]}", "--security", security),
            *("--user", GAME, "--ca-file", servers.ca_file, "--trusted", "mail.test"),
            *(login or ("--password-file", game.password)),
        )
        return game

    return start
