"""``gm announce``: a letter of the GM's own to all players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, BinaryIO

import click

from gm.cli.failures import Failure, Refusal
from gm.cli.options import At, GameFolder, argument, gm_command, option
from gm.cli.output import counted
from gm.cli.session import carry_out, changing, game_time
from gm.core.diagnostics import has_unprintable

if TYPE_CHECKING:
    from gm.mail.game_mail import GameMail

LIMIT = 20_000
"""Bytes of an announcement."""
SUBJECT = 120
"""Characters of its subject."""


@gm_command("announce")
def command(
    file: Annotated[BinaryIO, argument(type=click.File("rb"))],
    subject: Annotated[str | None, option("--subject", metavar="TEXT")],
    only: Annotated[tuple[str, ...], option("--to", multiple=True, metavar="REALM")],
    yes: Annotated[bool, option("--yes", "-y", is_flag=True)],
    at: At,
    game_folder: GameFolder,
) -> None:
    from gm.mail.game_mail import MAIL, GameMail
    from gm.mail.notices import ANNOUNCEMENTS
    from gm.store.inbox import fingerprint

    subject, text = _read(file, subject)
    with changing(game_folder) as campaign:
        post = GameMail(campaign)
        _ = post.settings  # without any there is nothing to announce by
        realms = _readers(post, only)
        mark = fingerprint(f"{subject}\n{text}".encode())[:16]
        new = [realm for realm in realms if not post.outbox.knows(f"announcement {mark} {realm}")]
        if not new:
            raise Refusal("Everybody has been sent just this already: nothing goes out.")
        click.echo(f"To {', '.join(f'{realm} <{post.address(realm)}>' for realm in new)}")
        click.echo(f"Subject: {subject}\n\n{text}")
        if not yes:
            click.confirm(f"{counted(len(new), 'letter')}. Send them?", abort=True)
        queued = carry_out(
            campaign,
            "announce",
            {campaign.folder.path / MAIL / ANNOUNCEMENTS / f"{mark}.txt": text.encode()},
            turn=campaign.next_turn,
            letters=game_time(campaign, at).isoformat(),
            announcement=mark,
            subject=subject,
            realms=new,
        )
    click.echo(f"{counted(queued, 'letter')} in the outbox: 'gm mail send' or 'gm week' sends them.")


def _read(source: BinaryIO, subject: str | None) -> tuple[str, str]:
    """Subject and text. Raises ``Failure`` for what is no plain text, too long, or without one of them."""
    file, data = getattr(source, "name", "the text"), source.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise Failure(f"{file} is longer than {LIMIT} bytes: put it somewhere and announce where.")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").expandtabs(4)
    except UnicodeDecodeError as error:
        raise Failure(f"{file} is no text in UTF-8 (byte {error.start + 1}).") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if has_unprintable(line):
            raise Failure(f"{file}:{number}: there is a character in this line that cannot be seen.")
    if text.lower().startswith("subject:"):
        first, _, text = text.partition("\n")
        subject = subject or first.partition(":")[2]
    subject, text = " ".join((subject or "").split()), text.strip("\n")
    if not subject or has_unprintable(subject) or len(subject) > SUBJECT:
        raise Failure(
            f"Give it a subject of at most {SUBJECT} characters: --subject, or a first line 'Subject: ...' in {file}."
        )
    if not text.strip():
        raise Failure(f"There is nothing to say in {file}.")
    return subject, text


def _readers(post: GameMail, only: tuple[str, ...]) -> list[str]:
    """The realms whose players are meant. Raises ``Failure`` for one that has no player who can be written to."""
    codes = [seat.code for seat in post.campaign.seats]
    for each in only:
        if each.upper() not in codes:
            raise Failure(f"This game has no realm {each}; it has {', '.join(codes)}.")
        if not post.address(each.upper()):
            raise Failure(f"{each.upper()} has no address: give it one with 'gm seat {each.upper()} --email ADDRESS'.")
    wanted = {each.upper() for each in only} or set(codes)
    found = [code for code in codes if code in wanted and post.address(code)]
    if not found:
        raise Failure("No player of this game has an address.")
    return found
