"""``pbem amend`` and ``pbem undo``: correct the position in public, or undo the newest turn."""

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
    """Correct the position before the next turn; or show the corrections, or withdraw the last one."""
    if not words and not take_back:
        _show(open_campaign(game_folder), as_json=as_json)
        return
    if words and take_back:
        raise click.UsageError(says("--take-back takes no arguments: it withdraws the last correction."))
    with changing(game_folder) as campaign:
        now = game_time(campaign, at).isoformat()
        if take_back:
            amendments = campaign.folder.inbox(campaign.next_turn).amendments()
            if not amendments:
                raise Refusal(says("No correction was made for turn {0}.", campaign.next_turn))
            last = amendments[-1]
            _store(campaign, amendments[:-1], "amend --take-back", words=list(last.words))
            echo(says("Withdrawn: {0}.", " ".join(last.words)))
            return
        if why is None or not any(map(str.isalnum, why)):
            raise click.UsageError(says("Say why, with --why, in a word or more: everybody reads it."))
        effect = _amend(campaign, words, " ".join(why.split()), now)
    echo(f"{capitalised(worded(effect))}.")
    echo(
        says("It counts from now on, and everyone reads it with the results of turn {0}.", campaign.next_turn)
    )


def _amend(campaign: Campaign, words: tuple[str, ...], why: str, at: str) -> str:
    """Check and store a correction; return its effect as a message.

    ``words``: such as ``gold``, ``ENG``, ``+12``; ``why``: the reason, which everybody reads; ``at``: the
    time, in ISO 8601. Raises ``click.ClickException`` for a correction that is not possible.
    """
    if any(invisible(text) for text in (*words, why)):
        raise Failure(says("It contains invisible characters."))
    if words[0].lower() in campaign.spec.rejectable:  # the GM rejects a kind of order of a party
        if len(words) != 2 or campaign.seat(words[1].upper()) is None:
            raise click.UsageError(says("Write it like this: {0} REALM.", words[0]))
        words = (words[0].lower(), words[1].upper())
        effect: str = says("the {0} of {1} is rejected", words[0], words[1])
    else:
        try:
            spec = campaign.spec
            broken = partial(spec.broken, campaign.table)
            # only tried: the position is corrected when it is opened the next time
            _, effect, _ = corrected(spec.corrections, campaign.table, campaign.state, words, broken)
        except ValueError as error:
            lines = [sentence(error), worded(says("What can be corrected:")), *_usage_lines(campaign)]
            raise Failure("\n".join(lines)) from None
    earlier = campaign.folder.inbox(campaign.next_turn).amendments()
    amendment = from_plain({"words": words, "why": why, "at": at}, Amendment)
    _store(campaign, (*earlier, amendment), "amend", words=list(words), why=why)
    return effect


def _store(campaign: Campaign, corrections: tuple[Amendment, ...], did: str, **more: Any) -> None:
    """Store all corrections of the coming turn in its inbox, and note it in the journal.

    ``did``: the command's name there; ``more``: further entries of the journal's line.
    """
    files: Changes = {}
    campaign.folder.inbox(campaign.next_turn, files).amend(corrections)
    carry_out(campaign, did, files, turn=campaign.next_turn, **more)


def _usage_lines(campaign: Campaign) -> list[str]:
    """Return a line for each kind of correction that the game has: how the command is typed for it."""
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
        echo("\n".join(_usage_lines(campaign)))


# -- undo ----------------------------------------------------------------------------------------------------


@gm_command("undo")
def undo(
    known: Annotated[bool | None, option("--published/--unpublished", default=None)],
    why: Reason,
    reopen: Annotated[str, option("--reopen", default="", metavar="REASON")],
    at: At,
    game_folder: Game,
) -> None:
    """Undo the newest turn; or accept new orders for one that was undone."""
    why = " ".join(why.split())
    reopen = " ".join(reopen.split())
    with changing(game_folder, drawings=False) as campaign:
        # a turn that was undone with its orders kept is not undone again: only its inbox is opened
        if reopen and known is None and not why and campaign.kept is not None:
            turn = campaign.next_turn
            files = reopen_orders(campaign, reopen)
            carry_out(campaign, REOPEN, files, at=at, turn=turn, why=reopen)
            echo(
                says("New orders for turn {0} are accepted again. Everyone reads why with its results.", turn)
            )
            return
        turn, is_public, why = _settle_undo(campaign, is_public=known, why=why)
        if reopen and not is_public:
            raise click.UsageError(
                says("--reopen is for a turn whose results are known: otherwise orders are accepted anyway.")
            )
        kept, seal = undo_turn(campaign, why if is_public else "", reopen, at)
    values = {"turn": turn, "known": is_public, "reopen": reopen, "seal": seal, "mails": post_of(campaign)}
    print_text("undone", kept=campaign.folder.undone / kept, **values)


def undo_turn(
    campaign: Campaign, public_reason: str, reopen: str = "", at: str | None = None
) -> tuple[str, str | None]:
    """Undo the newest turn; return (the name of the folder in which it is kept, the seal of its new dice).

    The seal is None if the turn keeps its dice. ``public_reason``: the GM's, if the results are known, else
    empty; ``reopen``: why new orders are accepted for it, empty if they are not; ``at``: the time of
    ``--at``, None for now. The caller holds the lock.
    """
    turn = campaign.newest_turn
    archive_name = campaign.folder.undone_name(turn)
    files = Changes()
    noted = dict[str, Any]()  # further entries of the journal's line
    if public_reason:
        hold = worded(says("turn {0} was undone: {1}", turn, public_reason))
        secret = secrets.token_hex(32)
        now = game_time(campaign, at)
        files, noted = withdraw_turn(
            campaign, archive_name, public_reason, now, secret, hold=hold, reopened=reopen
        )
    carry_out(campaign, UNDO, files, at=at, turn=turn, kept=archive_name, **noted)
    return archive_name, noted.get("seal")


def _settle_undo(campaign: Campaign, *, is_public: bool | None, why: str) -> tuple[int, bool, str]:
    """Return (the turn to undo, whether its results are known, the reason), asking for what is not said.

    ``is_public`` and ``why``: what the GM said; None and empty: nothing. Raises ``Refusal`` if no turn can be
    undone like that, and ``click.UsageError`` if it has to ask and there is no terminal.
    """
    turn = campaign.newest_turn
    if turn == 0:
        raise Refusal(says("No turn has been played yet: there is nothing to undo."))
    if campaign.withdrawn is not None or _went_out(campaign, turn):
        if is_public is False:
            raise Refusal(says("The results of turn {0} went out: it cannot be undone as unpublished.", turn))
        is_public = True
    elif is_public is None and (post_of(campaign) or _played_seats(campaign) < 2):
        is_public = False  # the outbox knows of no results, or one player alone cannot gain by it
    if is_public is None:
        question = says(
            "May anybody but you have seen the results of turn {0}, or a copy of this folder?", turn
        )
        if not sys.stdin.isatty():
            raise click.UsageError(says("{0} Say --published or --unpublished.", question))
        is_public = agreed(question, default=True)
    if is_public and not why:
        why = _ask_why(turn)
    return turn, is_public, why


def _ask_why(turn: int) -> str:
    """Ask why a turn is undone; return the answer. Raises ``click.UsageError`` without a terminal."""
    if not sys.stdin.isatty():
        raise click.UsageError(
            says("The results of turn {0} are known: give the reason for undoing it with --why.", turn)
        )
    return " ".join(click.prompt(worded(says("Why is it undone? Everyone reads it"))).split())


def _played_seats(campaign: Campaign) -> int:
    """Return how many seats are played; if the state cannot be read, how many seats players.yaml has.

    A state that cannot be read must not keep the GM from undoing its turn.
    """
    try:
        return sum(seat.played for seat in campaign.seats)
    except StoreError:
        return len(campaign.folder.players.players)


def _went_out(campaign: Campaign, turn: int) -> bool:
    """Return whether a player may have the results of a turn by mail."""
    mail = post_of(campaign)
    if mail is None:
        return False
    from gm.mail.results import results_went_out

    return results_went_out(mail, turn)
