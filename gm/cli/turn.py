"""``pbem turn``: play the next turn."""

import sys
import textwrap
from collections.abc import Container, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import click

from gm.bots.registry import bots_of
from gm.campaign.absence import deputies
from gm.campaign.moves import realms_waited_for
from gm.campaign.open import Campaign
from gm.campaign.plan import TurnPlan, turn_plan, with_bots
from gm.campaign.play import BrokenTurnError, play_turn, write_turn
from gm.campaign.press import letters_for_gm
from gm.cli import hooks, output
from gm.cli.options import AsJson, At, BotReports, Game, bad_parameter, gm_command, option
from gm.cli.output import Refusal, echo, print_json, shown_path, turn_title, warn
from gm.cli.questions import agreed
from gm.cli.session import changing, game_time, note_action, pins_noted, post_of
from gm.cli.speech import language, translate, worded
from gm.cli.working import TurnProgress
from gm.core.diagnostics import SourceError, printable, says
from gm.core.orders.press import ANONYMOUS, GM
from gm.core.values import Record, grouped
from gm.store import StoreError
from gm.store.folder import TURN_FILE
from gm.store.inbox import fingerprint
from gm.store.moments import time_left
from gm.store.press import Press
from gm.store.settings import Player
from gm.text.names import subject
from gm.text.pages import capitalised
from gm.text.words import Said


@gm_command("turn")
def turn(
    *,
    dry_run: bool,
    missing_ok: Annotated[bool, option("--missing-ok", "--force", is_flag=True)],
    rejections: Annotated[tuple[str, ...], option("--reject", multiple=True, metavar="REALM:WHAT")],
    no_html: bool,
    early: Annotated[bool, option("--early", is_flag=True, envvar="GM_EARLY")],
    bot_reports: BotReports,
    at: At,
    game_folder: Game,
    as_json: AsJson,
) -> None:
    """Play the next turn with the orders in the inbox; write its results, reports and order templates."""
    with changing(game_folder, drawings=not no_html) as campaign:
        if campaign.winners is not None:
            raise Refusal(
                says("Turn {0} is not played: {1}", campaign.next_turn, output.outcome_of(campaign))
            )
        plan = _plan(campaign, rejections)
        now = game_time(campaign, at)
        if not missing_ok:
            _refuse_incomplete(campaign, plan, now)
        if not dry_run and not early:
            keep_promise(campaign, plan, now, ask=not as_json and sys.stdin.isatty())
        plan = with_bots(campaign, plan, bots_of(campaign.spec, campaign.folder.path))
        outcome = play(campaign, plan, now, dry_run=dry_run, html=not no_html, everybody=bot_reports)
        if campaign.folder.settings.missed and not dry_run:
            from gm.cli.openings import act_for_missing

            act_for_missing(campaign.reopened(), post_of(campaign), now)
    if as_json:
        print_json(_data(campaign, plan, outcome))
    else:
        print_played(campaign, plan, outcome)
    if not dry_run and post_of(campaign) is None:  # else the turn is told when it is mailed
        hooks.tell_of(campaign.folder.path, at, quiet=True)


def _refuse_incomplete(campaign: Campaign, plan: TurnPlan, now: datetime) -> None:
    """Raise ``Refusal`` if letters are still to be read, or orders are missing for which no steward acts."""
    turn = campaign.next_turn
    steward_of_realm = deputies(campaign, (seat.code for seat in plan.missing))
    missing = [seat for seat in plan.missing if seat.code not in steward_of_realm]
    why_waiting = _waits_for_letters(campaign)
    if why_waiting:
        raise Refusal(
            says("Turn {0} is not played: {1}. 'pbem mail fetch' searches the mailbox.", turn, why_waiting)
        )
    if missing:
        names = ", ".join(f"{seat.code} ({translate(seat.name)})" for seat in missing)
        hint = says("Submit them with 'pbem receive', or play without them with 'pbem turn --missing-ok'.")
        grace_hint = _grace_hint(campaign, plan, now)
        if grace_hint:
            hint = says("{0} {1}", hint, grace_hint)
        raise Refusal(says("Turn {0} is not played: orders are missing from {1}. {2}", turn, names, hint))


def _grace_hint(campaign: Campaign, plan: TurnPlan, now: datetime) -> str:
    """Return a message on how the GM can let the game wait once more for missing orders, after the deadline.

    Empty if the deadline has not passed, or if the game does not wait.
    """
    realms = realms_waited_for(campaign, now, (seat.code for seat in plan.missing))
    if not realms or now <= campaign.deadline(campaign.next_turn):
        return ""
    waits = says("This game waits {0} for the orders of {1}", campaign.calendar.grace, ", ".join(realms))
    return says("{0}: 'pbem deadline extend --grace' moves the deadline once.", waits)


def keep_promise(campaign: Campaign, plan: TurnPlan, now: datetime, *, ask: bool) -> None:
    """Raise ``Refusal`` for a turn that players may still send orders for, as its deadline has not passed.

    ``ask``: the GM is asked, and may have it played nevertheless.
    """
    players = _who_may_still_write(campaign, plan, now)
    if not players:
        return
    turn = campaign.next_turn
    names = ", ".join(f"{who.realm} ({who.name})" if who.name else who.realm for who in players)
    left = time_left(campaign.deadline(turn) - now, translate)
    when = f"{campaign.due_words(turn, translate)}, {left}"
    promise = says(
        "{0} is due {1}. Until then orders may come from {2}",
        capitalised(output.title_of(campaign, turn)),
        when,
        names,
    )
    if not ask:
        hint = says("'pbem turn --early' plays it anyway, 'pbem week' plays it when it is due")
        raise Refusal(
            says(
                "{0}: they were told so. Nothing was played. {1}; 'pbem deadline move' changes it.",
                promise,
                hint,
            )
        )
    echo(says("{0}: they were told so.", promise))
    if not agreed(says("Play it now anyway?"), default=False):
        raise Refusal(says("Nothing was played."))


def _who_may_still_write(campaign: Campaign, plan: TurnPlan, now: datetime) -> list[Player]:
    """Return the players who may still send orders before the deadline that was announced to them.

    There are none in a game without deadlines, in a turn that is played early as soon as all orders are in,
    and in a turn that was undone, which keeps its orders. A player with neither name nor address plays on
    this computer, and is left out.
    """
    calendar = campaign.calendar
    if calendar.never or campaign.kept or now > campaign.deadline(campaign.next_turn):
        return []
    if calendar.early and not plan.missing and not plan.held:
        return []
    writing = {seat.code for seat in campaign.seats if seat.may_write}
    players = campaign.folder.players.players
    return [player for player in players if player.realm in writing and (player.name or player.address)]


def _pack_old(campaign: Campaign) -> None:
    """Pack turns that are older than the settings say; an error of the disk is only printed."""
    try:
        campaign.folder.played.pack_old(campaign.next_turn, campaign.folder.settings.keep_unpacked)
    except OSError as error:
        warn(
            says("Old turns stay folders for now ({0}). The next turn tries again.", error.strerror or error),
            err=True,
        )


class Outcome(Record):
    """What the command prints of a turn that was played."""

    summary: Sequence[str]  # lines, in the language of the commands
    events: int  # how many there were
    letters: Sequence[Press]  # those that the GM may read
    after: Any  # the state after the turn
    folder: Path | None = None  # where the turn was written; None after a dry run


def play(
    campaign: Campaign,
    plan: TurnPlan,
    now: datetime | None = None,
    *,
    dry_run: bool = False,
    **reports: bool,
) -> Outcome:
    """Play the next turn and write it; return what there is to print of it. The caller holds the lock.

    ``now``: when it is played; ``dry_run``: nothing is written; ``reports``: options of ``report_files``, by
    name. Raises ``Failure``, with a file about the crash, for an error of the program itself.
    """
    progress = TurnProgress()
    plan = plan.evolve(at=now)
    try:
        show = progress.show if progress.wanted else None
        played = play_turn(campaign, plan, show, rehearsal=dry_run)
        progress.end()
        summary = campaign.spec.summary(campaign.table, played, language())
        letters = letters_for_gm(campaign, played.press, campaign.next_turn)
        outcome = Outcome(summary, len(played.events), letters, played.after)
        if dry_run:
            return outcome
        folder = write_turn(campaign, plan, played, **reports)
        noted = {
            "orders": sorted(plan.files),
            "missing": [seat.code for seat in plan.missing],
            "record": fingerprint((folder / TURN_FILE).read_bytes()),
            **pins_noted(campaign),
        }
        note_action(campaign, "turn", turn=campaign.next_turn, **noted)
        _pack_old(campaign)
        return outcome.evolve(folder=folder)
    except (StoreError, SourceError, OSError):
        raise
    except BrokenTurnError as error:
        raise output.bug(error, campaign.folder.path, f"on turn {campaign.next_turn}: {error}") from error
    except Exception as error:
        raise output.bug(error, campaign.folder.path, f"on turn {campaign.next_turn}") from error
    finally:
        progress.end()


def _plan(campaign: Campaign, rejections: tuple[str, ...]) -> TurnPlan:
    """Return the plan of the next turn, with these rejections.

    ``rejections``: texts of the form REALM:WHAT. Raises ``click.BadParameter`` for others, and for an unknown
    realm or thing.
    """
    pairs = []
    for text in rejections:
        realm, colon, what = text.partition(":")
        if not colon or not realm or not what:
            raise click.BadParameter(
                says("{0!r} is not of the form REALM:WHAT", text), param_hint="'--reject'"
            )
        pairs.append((realm.upper(), what.lower()))
    with bad_parameter("--reject"):
        return turn_plan(campaign, pairs)


def _waits_for_letters(campaign: Campaign) -> str:
    """Return why a game that was restored from a backup waits for letters; empty if it does not."""
    mail = campaign.folder.path / "mail"
    if not mail.is_dir():
        return ""
    from gm.mail.recovery import blocks

    return blocks(mail, campaign.next_turn)


def _data(campaign: Campaign, plan: TurnPlan, outcome: Outcome) -> dict[str, object]:
    """Return the result of the command, for ``--json``."""
    return {
        "game": campaign.folder.settings.id,
        "turn": campaign.next_turn,
        "written": str(outcome.folder) if outcome.folder else None,
        "orders": sorted(plan.files),
        "late": list(plan.decisions.late),
        "missing": [seat.code for seat in plan.missing],
        "bots": dict(plan.decisions.bots),
        "bots_failed": dict(plan.decisions.bot_troubles),
        "rejected": [":".join(rejection) for rejection in plan.decisions.rejections],
        "events": outcome.events,
    }


def print_played(campaign: Campaign, plan: TurnPlan, outcome: Outcome) -> None:
    """Print the turn in a few lines, the letters to the GM, and where its files are.

    It uses no template, since loading the template engine takes long.
    """
    turn = campaign.next_turn
    echo("\n".join(outcome.summary).rstrip() + "\n")
    _print_orders(plan)
    for letter in outcome.letters:
        _print_letter(campaign, letter)
    if outcome.folder is None:
        echo(says("This was a dry run of turn {0}: nothing was written.", turn))
        return
    _print_files(campaign, outcome.after, outcome.folder, turn)


def _print_orders(plan: TurnPlan) -> None:
    """Print whose orders are missing, and which come from bots, earlier turns, late files or rejections."""
    decisions = plan.decisions
    _print_names(
        says("Played without orders from {0}."),
        [seat.code for seat in plan.missing if seat.code not in decisions.deputies],
    )
    if decisions.bots:
        _print_names(says("Orders by bots: {0}."), [_bots_in_words(decisions.bots, decisions.bot_troubles)])
    for realm, why in decisions.bot_troubles.items():
        warn(says("{0} gives no orders: its bot {1} failed: {2}.", realm, decisions.bots[realm], why))
    _print_names(says("Repeated from an earlier turn: {0}."), sorted(decisions.repeated))
    _print_names(says("Accepted late: {0}."), decisions.late)
    _print_names(says("Rejected: {0}."), [":".join(rejection) for rejection in decisions.rejections])


def _bots_in_words(bots: Mapping[str, str], failed: Container[str]) -> str:
    """Return in words which bots gave orders for which parties.

    ``bots``: the bot's name by the party's code; ``failed``: the codes of parties whose bot gave none.
    """
    codes_of_bot = grouped((code for code in bots if code not in failed), bots.__getitem__)
    words = [
        worded(says("{0} for {1}", bot, ", ".join(codes))) for bot, codes in sorted(codes_of_bot.items())
    ]
    return "; ".join(words) or translate("none")


def _print_files(campaign: Campaign, after: Any, folder: Path, turn: int) -> None:
    """Print where a turn's files are. ``after``: the state after the turn; ``folder``: that of its files."""
    results = folder / "results"
    templates = folder / "next"
    pages = sum((results / f"{seat.code}.html").is_file() for seat in campaign.seats)
    title = capitalised(turn_title(turn, campaign.spec.played_name(after)))
    echo(says("{0} has been played. {1:report} for the players:", title, Said(pages)))
    echo(f"  {shown_path(results)}")
    summary = results.with_name("summary.html")
    if summary.is_file():
        echo(says("  {0}   for you", shown_path(summary)))
    if templates.is_dir():
        coming_title = turn_title(turn + 1, campaign.spec.coming_name(after))
        echo(says("  {0}   order templates for {1}", shown_path(templates), coming_title))


def _print_names(pattern: str, names: Sequence[str]) -> None:
    """Print a sentence about some names, if there are any; ``pattern``: a message with one gap for them."""
    if names:
        echo(says(pattern, ", ".join(names)))


def _print_letter(campaign: Campaign, letter: Press) -> None:
    """Print one letter of a player: to the game master, or to others if the GM may read it."""
    # an anonymous letter is anonymous for the GM, too, if it is for nobody else
    is_unnamed = letter.kind == ANONYMOUS and letter.to == (GM,)
    seat = None if is_unnamed else campaign.seat(letter.author)
    to = ", ".join(letter.to) or says("everybody")
    if letter.to == (GM,):
        to = says("you")
    text = textwrap.indent("\n".join(map(printable, letter.text.split("\n"))), "  ")
    writer = subject(seat.name) if seat else says("Somebody")
    echo(says("{0} writes to {1}:", writer, to))
    click.echo(text)
