"""``gm turn``: the one command of the week."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import click

from gm.campaign.open import Campaign
from gm.campaign.plan import TurnPlan, turn_plan, with_bots
from gm.campaign.play import BrokenTurnError, play_turn, write_turn
from gm.cli.failures import Refusal, bug
from gm.cli.options import AsJson, BotReports, GameFolder, bad_parameter, gm_command, option
from gm.cli.output import counted, outcome_of, print_json, shown_path, turn_title, warn
from gm.cli.session import changing, note_action
from gm.core.diagnostics import SourceError
from gm.core.values import Record
from gm.game.values import TurnResult
from gm.store import StoreError
from gm.store.folder import TURN_FILE
from gm.store.inbox import fingerprint
from gm.text.pages import capitalised

PATIENCE = 0.7
"""Seconds of work before progress is shown."""


@gm_command("turn")
def command(
    dry_run: Annotated[bool, option("--dry-run", is_flag=True)],
    missing_ok: Annotated[bool, option("--missing-ok", "--force", is_flag=True)],
    rejections: Annotated[tuple[str, ...], option("--reject", multiple=True, metavar="REALM:WHAT")],
    no_html: Annotated[bool, option("--no-html", is_flag=True)],
    bot_reports: BotReports,
    game_folder: GameFolder,
    as_json: AsJson,
) -> None:
    from gm.bots.registry import bots_of

    with changing(game_folder, drawings=not no_html) as campaign:
        if campaign.winners is not None:
            raise Refusal(f"Turn {campaign.next_turn} is not played: {outcome_of(campaign)}")
        plan = _plan(campaign, rejections)
        if not missing_ok and (lost := _waits_for_letters(campaign)):
            raise Refusal(f"Turn {campaign.next_turn} is not played: {lost}. 'gm mail fetch' searches the mailbox.")
        if plan.missing and not missing_ok:
            raise Refusal(_missing(campaign, plan))
        plan = with_bots(campaign, plan, bots_of(campaign.spec, campaign.folder.path))
        outcome = play(campaign, plan, dry_run=dry_run, html=not no_html, bot_reports=bot_reports)
    if as_json:
        print_json(_data(campaign, plan, outcome))
    else:
        print_played(campaign, plan, outcome)


class Outcome(Record):
    """A turn that was played. ``folder``: where it was written; none after a dry run."""

    played: TurnResult
    summary: Sequence[str]
    folder: Path | None


def play(
    campaign: Campaign, plan: TurnPlan, *, dry_run: bool = False, html: bool = True, bot_reports: bool = False
) -> Outcome:
    """Play the next turn and write it. The lock is held. An error of the program's own becomes a crash report."""
    progress = _Progress()
    try:
        played = play_turn(campaign, plan, progress.show if progress.wanted else None, rehearsal=dry_run)
        progress.end()
        summary = campaign.spec.summary(campaign.table, played)
        if dry_run:
            return Outcome(played, summary, None)
        folder = write_turn(campaign, plan, played, html=html, everybody=bot_reports)
        missing = [seat.code for seat in plan.missing]
        mark = fingerprint((folder / TURN_FILE).read_bytes())
        note_action(campaign, "turn", turn=campaign.next_turn, orders=sorted(plan.files), missing=missing, record=mark)
        return Outcome(played, summary, folder)
    except (StoreError, SourceError, OSError):
        raise
    except BrokenTurnError as error:
        raise bug(error, campaign.folder.path, f"on turn {campaign.next_turn}: {error}") from error
    except Exception as error:
        raise bug(error, campaign.folder.path, f"on turn {campaign.next_turn}") from error
    finally:
        progress.end()


def _plan(campaign: Campaign, rejections: tuple[str, ...]) -> TurnPlan:
    wanted = []
    for each in rejections:
        realm, colon, what = each.partition(":")
        if not colon or not realm or not what:
            raise click.BadParameter(f"{each!r} is not of the form REALM:WHAT", param_hint="'--reject'")
        wanted.append((realm.upper(), what.lower()))
    with bad_parameter("--reject"):
        return turn_plan(campaign, wanted)


def _waits_for_letters(campaign: Campaign) -> str:
    """Why a game that was restored from a backup waits, if it was."""
    mail = campaign.folder.path / "mail"
    if not (mail / "restored.json").is_file():
        return ""
    from gm.mail.recovery import blocks

    return blocks(mail, campaign.next_turn)


def _missing(campaign: Campaign, plan: TurnPlan) -> str:
    names = ", ".join(f"{seat.code} ({seat.name})" for seat in plan.missing)
    return (
        f"Turn {campaign.next_turn} is not played: orders are missing from {names}. Take them in with 'gm receive', or "
        "play without them with 'gm turn --missing-ok'."
    )


def _bots(plan: TurnPlan) -> str:
    """Which bot has played for whom."""
    by_bot: dict[str, list[str]] = {}
    for realm, bot in plan.decisions.bots.items():
        if realm not in plan.decisions.bot_troubles:
            by_bot.setdefault(bot, []).append(realm)
    return "; ".join(f"{bot} for {', '.join(realms)}" for bot, realms in sorted(by_bot.items())) or "none"


class _Progress:
    """Shows on a terminal, and only when the turn takes long, which event is being played."""

    def __init__(self) -> None:
        self.wanted = sys.stderr.isatty()
        self._started = time.monotonic()
        self._shown = False

    def show(self, stage: str, phase: int, title: str) -> None:
        if time.monotonic() - self._started > PATIENCE:
            self._shown = True
            where = f"phase {phase}: " if phase else ""
            click.echo(f"\r\x1b[2K{stage}: {where}{title} ...", err=True, nl=False, color=True)

    def end(self) -> None:
        if self._shown:
            click.echo("\r\x1b[2K", err=True, nl=False, color=True)
        self._shown = False


def _data(campaign: Campaign, plan: TurnPlan, outcome: Outcome) -> dict[str, object]:
    return {
        "game": campaign.folder.settings.id,
        "turn": campaign.next_turn,
        "written": str(outcome.folder) if outcome.folder else None,
        "orders": sorted(plan.files),
        "late": list(plan.decisions.late),
        "missing": [seat.code for seat in plan.missing],
        "bots": dict(plan.decisions.bots),
        "bots_failed": dict(plan.decisions.bot_troubles),
        "rejected": [":".join(each) for each in plan.decisions.rejections],
        "events": len(outcome.played.events),
    }


def print_played(campaign: Campaign, plan: TurnPlan, outcome: Outcome) -> None:
    """The turn in a few lines, and where its files are."""
    folder = outcome.folder
    click.echo("\n".join(outcome.summary).rstrip())
    click.echo()
    if plan.missing:
        click.echo(f"Played without orders from {', '.join(seat.code for seat in plan.missing)}.")
    if plan.decisions.bots:
        click.echo(f"Orders by bots: {_bots(plan)}.")
    for realm, why in plan.decisions.bot_troubles.items():
        bot = plan.decisions.bots[realm]
        warn(f"{realm} stands still: its bot {bot} failed: {why}.")
    if plan.decisions.repeated:
        click.echo(f"Standing from an earlier turn: {', '.join(sorted(plan.decisions.repeated))}.")
    if plan.decisions.late:
        click.echo(f"Late, and taken: {', '.join(plan.decisions.late)}.")
    if plan.decisions.rejections:
        click.echo(f"Rejected: {', '.join(':'.join(each) for each in plan.decisions.rejections)}.")
    if folder is None:
        click.echo(f"This was a dry run of turn {campaign.next_turn}: nothing was written.")
        return
    results = folder / "results"
    pages = len(list(results.glob("*.html")))
    title = turn_title(campaign.next_turn, campaign.spec.played_name(outcome.played.after))
    click.echo(f"{capitalised(title)} is played. {counted(pages, 'report')} for the players:")
    click.echo(f"  {shown_path(results)}")
    if (folder / "summary.html").is_file():
        click.echo(f"  {shown_path(folder / 'summary.html')}   for you")
    if (folder / "next").is_dir():
        title = turn_title(campaign.next_turn + 1, campaign.spec.coming_name(outcome.played.after))
        click.echo(f"  {shown_path(folder / 'next')}   order templates for {title}")
