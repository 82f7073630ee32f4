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
GAME, MASTER = "game@mail.test", "master@mail.test"
REALMS = {"LIT": "raider", "NOV": "builder", "POL": "conqueror", "TEU": "raider"}
PATIENCE = 60.0  # seconds that a letter may take


def pbem(*words: object) -> None:
    """Type a command; what waits for the game master (exit code 1) is no end of the demo."""
    click.secho(f"$ pbem {shlex.join(map(str, words))}", bold=True)
    try:
        gm.main(list(map(str, words)), prog_name="pbem", standalone_mode=False)
    except click.exceptions.Exit as ended:
        if ended.exit_code > 1:
            raise


def address_of(realm: str) -> str:
    return f"{realm.lower()}@mail.test"


def read(post: dict[str, Any], address: str, words: str) -> EmailMessage:
    """The letter with these words in its subject, as soon as it is there."""
    trusted = ssl.create_default_context(cadata=post["certificate"])
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with imaplib.IMAP4("localhost", post["imap"]) as mailbox:
            mailbox.starttls(trusted)
            mailbox.login(address, post["passwords"][address])
            mailbox.select("INBOX", readonly=True)
            for number in mailbox.search(None, "SUBJECT", f'"{words}"')[1][0].split():
                found = mailbox.fetch(number, "(RFC822)")[1][0]
                if isinstance(found, tuple):
                    return message_from_bytes(found[1], policy=default)
        time.sleep(0.2)
    raise TimeoutError(f"no letter {words!r} came to {address}")


def answer(post: dict[str, Any], realm: str, letter: EmailMessage, orders: bytes) -> None:
    """Send an order file back to the game."""
    reply = EmailMessage()
    reply["From"], reply["To"], reply["Subject"] = address_of(realm), GAME, f"Re: {letter['Subject']}"
    reply["In-Reply-To"] = letter["Message-ID"]
    reply.set_content("My orders.\n")
    reply.add_attachment(orders, maintype="application", subtype="yaml", filename=f"{realm}.yaml")
    with smtplib.SMTP("localhost", post["smtp"]) as server:
        server.starttls(context=ssl.create_default_context(cadata=post["certificate"]))
        server.login(address_of(realm), post["passwords"][address_of(realm)])
        server.send_message(reply)


def play(post: dict[str, Any], folder: Path, pause: float = 0.0) -> None:
    """Begin the game and play the week. Raises ``TimeoutError`` when a letter does not come."""
    begin(post, folder)
    for day in range(DAYS):
        at = ["--game", folder, "--at", (BEGIN + timedelta(days=day)).isoformat()]
        pbem("week", *at)
        campaign = open_campaign(folder)
        turn = campaign.next_turn
        for realm, name in REALMS.items():
            letter = read(post, address_of(realm), f"Your key for turn {turn},")
            spec, ours = (
                campaign.spec,
                {"game": "demo", "key": campaign.keys[realm], "seed": f"{realm} {turn}"},
            )
            view = bot_view(spec, campaign.table, campaign.state, realm, **ours)
            answer(post, realm, letter, bot_named(spec, name).orders(view))
        until = time.monotonic() + PATIENCE
        while turn_plan(open_campaign(folder)).missing:
            if time.monotonic() > until:
                raise TimeoutError("the players' orders did not reach the game")
            time.sleep(0.2)
            pbem("week", *at)
        pbem("week", "--game", folder, "--at", (BEGIN + timedelta(days=day, hours=9)).isoformat())
        pbem("status", "--game", folder, "--at", (BEGIN + timedelta(days=day, hours=10)).isoformat())
        time.sleep(pause)
    pbem("verify", "--game", folder)


def begin(post: dict[str, Any], folder: Path) -> None:
    """A new game whose turns are due every evening, with its post."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    secret, trusted = folder.with_name("password"), folder.with_name("certificate.pem")
    secret.write_text(post["passwords"][GAME])
    secret.chmod(0o600)
    trusted.write_text(post["certificate"])
    seats = [word for realm in REALMS for word in ("--player", f"{realm}={address_of(realm)}")]
    due = ("--every", "1d", "--first", f"{BEGIN:%Y-%m-%d}", "--at", BEGIN.isoformat())
    pbem("new", folder, "--id", "demo", "--map", "minsk", *seats, *due)
    servers = (
        "--imap",
        f"localhost:{post['imap']}",
        "--smtp",
        f"localhost:{post['smtp']}",
        "--security",
        "starttls",
    )
    login = ("--user", GAME, "--password-file", secret, "--ca-file", trusted, "--trusted", "mail.test")
    pbem("mail", "setup", "--game", folder, "--from", GAME, "--gm", MASTER, *servers, *login)


def main() -> None:
    told = Path(sys.argv[1])
    until = time.monotonic() + PATIENCE
    while not told.exists() and time.monotonic() < until:
        time.sleep(0.5)
    folder = Path(sys.argv[2])
    if folder.exists():
        raise SystemExit(f"{folder} is there already: its week was played. Take it away to play another.")
    play(json.loads(told.read_text()), folder, float(sys.argv[3]) if len(sys.argv) > 3 else 0.0)


if __name__ == "__main__":
    main()
