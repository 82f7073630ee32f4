"""A game by mail that plays a week of seven turns by itself: four players, each of whom answers his letters.

    python demo.py mail.json FOLDER [SECONDS]

``mail.json`` says how to reach the mail server (``mail.py`` writes it), ``FOLDER`` is the game's, and a day
takes so many ``SECONDS``. The game master types nothing but ``pbem week``, which a timer does elsewhere. What
players order is what one of the game's bots would.
"""

import imaplib
import json
import shlex
import smtplib
import ssl
import sys
import time
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import click

from gm.bots.registry import bot_named
from gm.campaign.plan import turn_plan
from gm.cli.app import gm
from gm.cli.session import open_campaign
from gm.game.bots import bot_view

DAYS = 7
# long ago by any server's clock: no letter seems late
BEGIN = datetime.fromisoformat("2024-01-05 12:00+00:00")
GAME = "game@mail.test"
MASTER = "master@mail.test"
REALMS = {"LIT": "raider", "NOV": "builder", "POL": "conqueror", "TEU": "raider"}  # the bot of each realm
PATIENCE = 60.0  # the seconds that a letter may take
Post = dict[str, Any]  # mail.json: ports, passwords by address, and the server's certificate


def pbem(*words: object) -> None:
    """Run a command; that something waits for the game master (exit code 1) does not end the demo."""
    arguments = [str(word) for word in words]
    click.secho(f"$ pbem {shlex.join(arguments)}", bold=True)
    try:
        gm.main(arguments, prog_name="pbem", standalone_mode=False)
    except click.exceptions.Exit as end:
        if end.exit_code > 1:
            raise


def address_of(realm: str) -> str:
    return f"{realm.lower()}@mail.test"


def trusting(post: Post) -> ssl.SSLContext:
    """Return what lets TLS trust the mail server, by the certificate in ``post``."""
    return ssl.create_default_context(cadata=post["certificate"])


def read(post: Post, address: str, words: str) -> EmailMessage:
    """Wait for a letter with these words in its subject, and return it.

    Raises ``TimeoutError`` if none comes.
    """
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        letter = find(post, address, words)
        if letter is not None:
            return letter
        time.sleep(0.2)
    raise TimeoutError(f"no letter {words!r} came to {address}")


def find(post: Post, address: str, words: str) -> EmailMessage | None:
    """Return the first letter in a mailbox with these words in its subject; None if there is none yet."""
    with imaplib.IMAP4("localhost", post["imap"]) as mailbox:
        mailbox.starttls(trusting(post))
        mailbox.login(address, post["passwords"][address])
        mailbox.select("INBOX", readonly=True)
        for number in mailbox.search(None, "SUBJECT", f'"{words}"')[1][0].split():
            part = mailbox.fetch(number, "(RFC822)")[1][0]
            if isinstance(part, tuple):  # (what it is, the letter)
                return message_from_bytes(part[1], policy=default)
    return None


def answer(post: Post, realm: str, letter: EmailMessage, orders: bytes) -> None:
    """Send a realm's order file to the game, as an answer to a letter."""
    reply = EmailMessage()
    reply["From"] = address_of(realm)
    reply["To"] = GAME
    reply["Subject"] = f"Re: {letter['Subject']}"
    reply["In-Reply-To"] = letter["Message-ID"]
    reply.set_content("My orders.\n")
    reply.add_attachment(orders, maintype="application", subtype="yaml", filename=f"{realm}.yaml")
    with smtplib.SMTP("localhost", post["smtp"]) as server:
        server.starttls(context=trusting(post))
        server.login(address_of(realm), post["passwords"][address_of(realm)])
        server.send_message(reply)


def play(post: Post, folder: Path, pause: float = 0.0) -> None:
    """Begin the game and play the week; ``pause``: seconds after each day.

    Raises ``TimeoutError`` when a letter does not come.
    """
    begin(post, folder)
    for day in range(DAYS):
        noon = BEGIN + timedelta(days=day)
        options = ("--game", folder, "--at", noon.isoformat())
        pbem("week", *options)
        answer_all(post, folder)
        end = time.monotonic() + PATIENCE
        while turn_plan(open_campaign(folder)).missing:
            if time.monotonic() > end:
                raise TimeoutError("the players' orders did not reach the game")
            time.sleep(0.2)
            pbem("week", *options)
        pbem("week", "--game", folder, "--at", (noon + timedelta(hours=9)).isoformat())
        pbem("status", "--game", folder, "--at", (noon + timedelta(hours=10)).isoformat())
        time.sleep(pause)
    pbem("verify", "--game", folder)


def answer_all(post: Post, folder: Path) -> None:
    """Let each player answer the letter about the coming turn with the orders that their bot would give."""
    campaign = open_campaign(folder)
    turn = campaign.next_turn
    for realm, bot in REALMS.items():
        letter = read(post, address_of(realm), f"Your key for turn {turn},")
        view = bot_view(
            campaign.spec,
            campaign.table,
            campaign.state,
            realm,
            game="demo",
            key=campaign.keys[realm],
            seed=f"{realm} {turn}",
        )
        answer(post, realm, letter, bot_named(campaign.spec, bot).orders(view))


def begin(post: Post, folder: Path) -> None:
    """Begin a game whose turns are due every evening, with its mail settings."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    password = folder.with_name("password")
    password.write_text(post["passwords"][GAME])
    password.chmod(0o600)
    certificate = folder.with_name("certificate.pem")
    certificate.write_text(post["certificate"])
    seats = [word for realm in REALMS for word in ("--player", f"{realm}={address_of(realm)}")]
    due = ("--every", "1d", "--first", f"{BEGIN:%Y-%m-%d}", "--at", BEGIN.isoformat())
    pbem("new", folder, "--id", "demo", "--map", "minsk", *seats, *due)
    servers = ("--imap", f"localhost:{post['imap']}", "--smtp", f"localhost:{post['smtp']}")
    login = ("--security", "starttls", "--user", GAME, "--password-file", password)
    trust = ("--ca-file", certificate, "--trusted", "mail.test")
    pbem("mail", "setup", "--game", folder, "--from", GAME, "--gm", MASTER, *servers, *login, *trust)


def main() -> None:
    settings = Path(sys.argv[1])
    folder = Path(sys.argv[2])
    pause = float(sys.argv[3]) if len(sys.argv) > 3 else 0.0
    end = time.monotonic() + PATIENCE
    while not settings.exists() and time.monotonic() < end:
        time.sleep(0.5)
    if folder.exists():
        raise SystemExit(f"{folder} is there already: its week was played. Take it away to play another.")
    play(json.loads(settings.read_text()), folder, pause)


if __name__ == "__main__":
    main()
