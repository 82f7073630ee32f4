"""``gm undo``: the newest turn back out of the game."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm.campaign.recovery import REOPEN, UNDO
from gm.cli.editing import edited_yaml, plain_scalar
from gm.cli.failures import Refusal
from gm.cli.shared import at_option, carry_out, changing, game_option, moment, shown_path

if TYPE_CHECKING:
    from gm.campaign.open import Campaign
    from gm.store.decisions import Withdrawn

ASKED = "May anybody but you have seen the results of turn {turn}, or a copy of this folder?"


@click.command(short_help="Take the newest turn back.")
@click.option(
    "--published/--unpublished",
    "known",
    default=None,
    help="Whether anybody may have seen the results or copied the folder. Default: the outbox tells, or you are asked.",
)
@click.option("--why", default="", metavar="REASON", help="For a published turn: everybody reads it.")
@click.option("--reopen", default="", metavar="REASON", help="Take new orders for a published turn, and say why.")
@at_option
@game_option
def command(known: bool | None, why: str, reopen: str, at: str | None, game_folder: Path | None) -> None:
    """Take the newest turn back. Nothing is lost: the turn is kept under undone/, and the order files it was played
    with still stand, so that 'gm turn' can play it again.

    A turn whose results are known also gives its secret away, with which orders could be fitted to the dice. So such a
    turn gets other dice under a new seal, the orders stay as they were received and no others are taken, and the game
    is put on hold until 'gm deadline resume'; the players are told, if the game has a post. With --reopen new orders
    are taken, also later, while the turn waits to be played again. All of it stands in the journal and in the next
    results.

    \b
    Examples:
      gm undo --unpublished && gm turn --reject LIT:proclamation
      gm undo --published --why 'the file of Poland was read wrongly'
      gm undo --reopen 'everybody asked for it'       the turn was taken back before, or is now
    """
    why, reopen = " ".join(why.split()), " ".join(reopen.split())
    with changing(game_folder, drawings=False) as campaign:
        if reopen and known is None and not why and campaign.kept is not None:
            _reopen(campaign, campaign.kept, reopen, at)
            return
        turn, known, why = _asked(campaign, known, why)
        if reopen and not known:
            raise click.UsageError("--reopen is for a turn whose results are known: otherwise new orders are taken.")
        kept = campaign.folder.undone_name(turn)
        files: dict[Path, bytes | None] = {}
        more: dict[str, Any] = {}
        if known:
            now = moment(at, campaign.folder.settings.deadline.zone)
            more = _withdraw(campaign, files, kept, why, reopen, now)
        carry_out(campaign, UNDO, files, following=_following(campaign), now=at, turn=turn, kept=kept, **more)
    place = shown_path(campaign.folder.undone / kept)
    click.echo(f"Turn {turn} is taken back; it is kept in {place}. The game awaits orders for turn {turn}.")
    if known:
        _tell(campaign, turn, more["seal"], reopened=bool(reopen))


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
    from gm.mail.post import Post
    from gm.mail.withdrawing import results_went_out

    return results_went_out(Post(campaign), turn)


def _withdraw(
    campaign: Campaign, files: dict[Path, bytes | None], kept: str, why: str, reopen: str, now: datetime
) -> dict[str, Any]:
    """What a published turn needs besides: other dice, its orders kept, a hold. Returns more for the journal."""
    from gm.campaign.withdraw import withdrawal

    turn, secret = campaign.newest_turn, secrets.token_hex(32)
    withdrawn = withdrawal(campaign, kept, why, now.isoformat(), secret, reopen)
    campaign.folder.inbox(turn, files).withdraw_turn(withdrawn)
    if campaign.withdrawn is not None:  # what it starts from is void, too: it is a new turn with a new seal
        campaign.folder.inbox(turn + 1, files).withdraw_turn(None)
    path = campaign.folder.path / "game.yaml"
    files[path] = edited_yaml(path, lambda data: _renewed(data, turn, secret, why))
    last = withdrawn.last
    marks = dict(last.order_files)
    return {"published": True, "why": why, "seal": last.sealed, "was": last.seal, "orders": marks, "reopened": reopen}


def _renewed(data: Any, turn: int, secret: str, why: str) -> None:
    """game.yaml with another master secret from a turn on, and on hold."""
    from ruamel.yaml.comments import CommentedMap

    earlier = {first: each for first, each in (data.get("renewed") or {}).items() if first < turn}
    renewed = CommentedMap({**earlier, turn: plain_scalar(secret)})
    renewed.fa.set_flow_style()
    data["renewed"] = renewed
    if not data["deadline"].get("hold"):
        data["deadline"]["hold"] = plain_scalar(f"turn {turn} was taken back: {why}")


def _reopen(campaign: Campaign, withdrawn: Withdrawn, why: str, at: str | None) -> None:
    """Take new orders for a turn that was taken back before."""
    from gm.campaign.withdraw import reopened

    turn = campaign.next_turn
    files: dict[Path, bytes | None] = {}
    campaign.folder.inbox(turn, files).withdraw_turn(reopened(withdrawn, why))
    carry_out(campaign, REOPEN, files, following=_following(campaign), now=at, turn=turn, why=why)
    click.echo(f"New orders for turn {turn} are taken again. Everybody reads why with its results.")


def _following(campaign: Campaign) -> Any:
    return lambda entry: take_back(campaign.reopened(), entry)


def take_back(campaign: Campaign, entry: Mapping[str, Any]) -> None:
    """Move a turn out of the game and see to its letters; ``entry``: the journal's line. It may be done twice."""
    turn, now = int(entry["turn"]), datetime.fromisoformat(str(entry["at"]))
    if entry["did"] != REOPEN:
        campaign.folder.undo_turn(turn, str(entry["kept"]))
    if not _has_post(campaign):
        return
    from gm.mail.post import Post
    from gm.mail.withdrawing import hold_back, tell_players

    post = Post(campaign.reopened())
    hold_back(post, turn, now)
    if entry.get("published") or entry["did"] == REOPEN:
        withdrawn = post.campaign.withdrawn
        if withdrawn is not None:
            tell_players(post, turn, withdrawn, now)


def _tell(campaign: Campaign, turn: int, seal: str, *, reopened: bool) -> None:
    orders = "New orders for it are taken." if reopened else "It will be played with the orders as they were received."
    click.echo(f"{orders} The seal of its new dice is\n  {seal}")
    how = "They are told by mail." if _has_post(campaign) else "Tell the players, with the reason and this seal."
    click.echo(f"{how} The game is on hold: 'gm deadline resume' lets it go on.")
    click.echo("If somebody may have a copy of the folder, he has the players' keys, too: 'gm seat REALM --new-key'.")
