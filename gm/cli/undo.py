"""``gm undo``: the newest turn back out of the game."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING, Annotated, Any

import click

from gm.campaign.recovery import REOPEN, UNDO
from gm.campaign.withdraw import reopen_orders, withdraw_turn
from gm.cli.failures import Refusal
from gm.cli.options import At, GameFolder, gm_command, option
from gm.cli.output import shown_path
from gm.cli.session import carry_out, changing, game_time

if TYPE_CHECKING:
    from gm.campaign.open import Campaign

ASKED = "May anybody but you have seen the results of turn {turn}, or a copy of this folder?"


@gm_command("undo")
def command(
    known: Annotated[bool | None, option("--published/--unpublished", default=None)],
    why: Annotated[str, option("--why", default="", metavar="REASON")],
    reopen: Annotated[str, option("--reopen", default="", metavar="REASON")],
    at: At,
    game_folder: GameFolder,
) -> None:
    why, reopen = " ".join(why.split()), " ".join(reopen.split())
    with changing(game_folder, drawings=False) as campaign:
        if reopen and known is None and not why and campaign.kept is not None:
            turn, files = campaign.next_turn, reopen_orders(campaign, reopen)
            carry_out(campaign, REOPEN, files, at=at, turn=turn, why=reopen)
            click.echo(f"New orders for turn {turn} are taken again. Everybody reads why with its results.")
            return
        turn, known, why = _asked(campaign, known, why)
        if reopen and not known:
            raise click.UsageError("--reopen is for a turn whose results are known: otherwise new orders are taken.")
        kept = campaign.folder.undone_name(turn)
        files, more = {}, dict[str, Any]()
        if known:
            files, more = withdraw_turn(campaign, kept, why, game_time(campaign, at), secrets.token_hex(32), reopen)
        carry_out(campaign, UNDO, files, at=at, turn=turn, kept=kept, **more)
    place = shown_path(campaign.folder.undone / kept)
    click.echo(f"Turn {turn} is taken back; it is kept in {place}. The game awaits orders for turn {turn}.")
    if known:
        _tell(campaign, more["seal"], reopened=bool(reopen))


def _asked(campaign: Campaign, known: bool | None, why: str) -> tuple[int, bool, str]:
    """The turn to take back, whether its results are known, and the reason."""
    turn = campaign.newest_turn
    if turn == 0:
        raise Refusal("No turn has been played yet: there is nothing to take back.")
    if campaign.withdrawn is not None or _went_out(campaign, turn):
        if known is False:
            raise Refusal(f"The results of turn {turn} went out: it cannot be taken back as unpublished.")
        known = True
    elif known is None and (_has_post(campaign) or _people(campaign) < 2):
        known = False  # the outbox would know, or there is nobody who could gain by it
    if known is None:
        if not _is_there():
            raise click.UsageError(f"{ASKED.format(turn=turn)} Say --published or --unpublished.")
        known = click.confirm(ASKED.format(turn=turn), default=True)
    if known and not why:
        if not _is_there():
            raise click.UsageError(f"The results of turn {turn} are known: say with --why why it is taken back.")
        why = " ".join(click.prompt("Why is it taken back? Everybody reads it").split())
    return turn, known, why


def _is_there() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty()


def _people(campaign: Campaign) -> int:
    """How many seats people play. A turn whose files are damaged can be taken back, too: then nobody can tell."""
    from gm.store import StoreError

    try:
        return sum(seat.played for seat in campaign.seats)
    except StoreError:
        return len(campaign.folder.players.players)


def _has_post(campaign: Campaign) -> bool:
    from gm.mail.settings import MAIL_FILE

    return (campaign.folder.path / MAIL_FILE).is_file()


def _went_out(campaign: Campaign, turn: int) -> bool:
    if not _has_post(campaign):
        return False
    from gm.mail.game_mail import GameMail
    from gm.mail.results import results_went_out

    return results_went_out(GameMail(campaign), turn)


def _tell(campaign: Campaign, seal: str, *, reopened: bool) -> None:
    orders = "New orders for it are taken." if reopened else "It will be played with the orders as they were received."
    click.echo(f"{orders} The seal of its new dice is\n  {seal}")
    how = "They are told by mail." if _has_post(campaign) else "Tell the players, with the reason and this seal."
    click.echo(f"{how} The game is on hold: 'gm deadline resume' lets it go on.")
    click.echo("If somebody may have a copy of the folder, he has the players' keys, too: 'gm seat REALM --new-key'.")
