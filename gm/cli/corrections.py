"""``pbem amend`` and ``pbem undo``: correct the position in public, or take the newest turn back."""

import secrets
import sys
from functools import partial
from typing import Annotated, Any

import click

from gm.campaign.open import Campaign
from gm.campaign.recovery import REOPEN, UNDO
from gm.campaign.withdrawal import reopen_orders, withdraw_turn
from gm.cli.options import AsJson, At, Game, Reason, gm_command, option
from gm.cli.output import Failure, Refusal, echo, print_json, print_text, sentence
from gm.cli.questions import agreed
from gm.cli.session import carry_out, changing, game_time, open_campaign, post_of
from gm.cli.speech import translate, worded
from gm.core.codec import from_plain, to_plain
from gm.core.diagnostics import invisible, says
from gm.game.corrections import corrected
from gm.store import StoreError
from gm.store.inbox import Amendment, Changes
from gm.text.pages import capitalised


@gm_command("amend", context_settings={"ignore_unknown_options": True})
def amend(
    *, words: tuple[str, ...], why: str | None, take_back: bool, at: At, game_folder: Game, as_json: AsJson
) -> None:
    """Correct the position before the next turn after a mistake that the rules cannot repair."""
    if not words and not take_back:
        _show(open_campaign(game_folder), as_json=as_json)
        return
    if words and take_back:
        raise click.UsageError(says("--take-back takes no arguments: it withdraws the last correction."))
    with changing(game_folder) as campaign:
        now = game_time(campaign, at).isoformat()
        if take_back:
            before = campaign.folder.inbox(campaign.next_turn).amendments()
            if not before:
                raise Refusal(says("No correction was made for turn {0}.", campaign.next_turn))
            _keep(campaign, before[:-1], "amend --take-back", words=list(before[-1].words))
            echo(says("Taken back: {0}.", " ".join(before[-1].words)))
            return
        if why is None or not any(map(str.isalnum, why)):
            raise click.UsageError(says("Say why, with --why, in a word or more: everybody reads it."))
        what = _amend(campaign, words, " ".join(why.split()), now)
    echo(f"{capitalised(worded(what))}.")
    echo(
        says("It counts from now on, and everyone reads it with the results of turn {0}.", campaign.next_turn)
    )


def _amend(campaign: Campaign, words: tuple[str, ...], why: str, at: str) -> str:
    """Check and store a correction; return its effect as a message."""
    if any(invisible(text) for text in (*words, why)):
        raise Failure(says("It contains invisible characters."))
    if words[0].lower() in campaign.spec.rejectable:
        if len(words) != 2 or campaign.seat(words[1].upper()) is None:
            raise click.UsageError(says("Write it like this: {0} REALM.", words[0]))
        words = (words[0].lower(), words[1].upper())
        what: str = says("the {0} of {1} is rejected", words[0], words[1])
    else:
        try:
            spec = campaign.spec
            broken = partial(spec.broken, campaign.table)
            _, what, _ = corrected(spec.corrections, campaign.table, campaign.state, words, broken)
        except ValueError as error:
            lines = [sentence(error), worded(says("What can be corrected:")), *_kinds(campaign)]
            raise Failure("\n".join(lines)) from None
    before = campaign.folder.inbox(campaign.next_turn).amendments()
    amendment = from_plain({"words": words, "why": why, "at": at}, Amendment)
    _keep(campaign, (*before, amendment), "amend", words=list(words), why=why)
    return what


def _keep(campaign: Campaign, corrections: tuple[Amendment, ...], did: str, **more: Any) -> None:
    files: Changes = {}
    campaign.folder.inbox(campaign.next_turn, files).amend(corrections)
    carry_out(campaign, did, files, turn=campaign.next_turn, **more)


def _kinds(campaign: Campaign) -> list[str]:
    return [f"  pbem amend {translate(kind.usage)}" for kind in campaign.spec.corrections.values()]


def _show(campaign: Campaign, *, as_json: bool) -> None:
    """Print the corrections of the coming turn; if there are none, the possible ones."""
    corrections = campaign.folder.inbox(campaign.next_turn).amendments()
    if as_json:
        print_json({"corrections": [to_plain(correction) for correction in corrections]})
        return
    for correction in corrections:
        echo(f"{correction.at:%Y-%m-%d %H:%M}  {' '.join(correction.words)}   ({correction.why})")
    if not corrections:
        echo(says("No correction so far for turn {0}. What can be corrected:", campaign.next_turn))
        echo("\n".join(_kinds(campaign)))


# -- undo ----------------------------------------------------------------------------------------------------


@gm_command("undo")
def undo(
    known: Annotated[bool | None, option("--published/--unpublished", default=None)],
    why: Reason,
    reopen: Annotated[str, option("--reopen", default="", metavar="REASON")],
    at: At,
    game_folder: Game,
) -> None:
    """Undo the newest turn."""
    why = " ".join(why.split())
    reopen = " ".join(reopen.split())
    with changing(game_folder, drawings=False) as campaign:
        if reopen and known is None and not why and campaign.kept is not None:
            turn = campaign.next_turn
            files = reopen_orders(campaign, reopen)
            carry_out(campaign, REOPEN, files, at=at, turn=turn, why=reopen)
            echo(
                says("New orders for turn {0} are accepted again. Everyone reads why with its results.", turn)
            )
            return
        turn, is_public, why = _asked(campaign, is_public=known, why=why)
        if reopen and not is_public:
            raise click.UsageError(
                says("--reopen is for a turn whose results are known: otherwise orders are accepted anyway.")
            )
        kept, seal = take_back(campaign, why if is_public else "", reopen, at)
    values = {"turn": turn, "known": is_public, "reopen": reopen, "seal": seal, "mails": post_of(campaign)}
    print_text("undone", kept=campaign.folder.undone / kept, **values)


def take_back(
    campaign: Campaign, known: str, reopen: str = "", at: str | None = None
) -> tuple[str, str | None]:
    """Take the newest turn back; the lock is held.

    Returns the name that it is stored under, and the seal of its new dice if it has any. ``known``: the GM's
    reason, if its results are known.
    """
    turn = campaign.newest_turn
    archive_name = campaign.folder.undone_name(turn)
    files = Changes()
    extra = dict[str, Any]()
    if known:
        hold = worded(says("turn {0} was undone: {1}", turn, known))
        secret = secrets.token_hex(32)
        now = game_time(campaign, at)
        files, extra = withdraw_turn(campaign, archive_name, known, now, secret, hold=hold, reopened=reopen)
    carry_out(campaign, UNDO, files, at=at, turn=turn, kept=archive_name, **extra)
    return archive_name, extra.get("seal")


def _asked(campaign: Campaign, *, is_public: bool | None, why: str) -> tuple[int, bool, str]:
    """Return the turn to take back, whether its results are known, and the reason."""
    turn = campaign.newest_turn
    if turn == 0:
        raise Refusal(says("No turn has been played yet: there is nothing to undo."))
    if campaign.withdrawn is not None or _went_out(campaign, turn):
        if is_public is False:
            raise Refusal(says("The results of turn {0} went out: it cannot be undone as unpublished.", turn))
        is_public = True
    elif is_public is None and (post_of(campaign) or _people(campaign) < 2):
        is_public = False  # the outbox would know, or there is nobody who could gain by it
    if is_public is None:
        question = says(
            "May anybody but you have seen the results of turn {0}, or a copy of this folder?", turn
        )
        if not sys.stdin.isatty():
            raise click.UsageError(says("{0} Say --published or --unpublished.", question))
        is_public = agreed(question, default=True)
    return turn, is_public, _asked_why(turn) if is_public and not why else why


def _asked_why(turn: int) -> str:
    if not sys.stdin.isatty():
        raise click.UsageError(
            says("The results of turn {0} are known: give the reason for undoing it with --why.", turn)
        )
    return " ".join(click.prompt(worded(says("Why is it undone? Everyone reads it"))).split())


def _people(campaign: Campaign) -> int:
    """Return how many seats people play.

    If the state cannot be read, which must not stop taking a turn back, it is the number of all seats.
    """
    try:
        return sum(seat.played for seat in campaign.seats)
    except StoreError:
        return len(campaign.folder.players.players)


def _went_out(campaign: Campaign, turn: int) -> bool:
    mail = post_of(campaign)
    if mail is None:
        return False
    from gm.mail.results import results_went_out

    return results_went_out(mail, turn)
