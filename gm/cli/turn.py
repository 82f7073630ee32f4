"""``gm receive`` and ``gm turn``: order files into the inbox; the one command of the week."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import click

from gm.bots.registry import bots_of
from gm.campaign.check import read_limited
from gm.campaign.open import Campaign
from gm.campaign.plan import TurnPlan, turn_plan, with_bots
from gm.campaign.play import BrokenTurnError, play_turn, write_turn
from gm.campaign.receive import NOT_TAKEN, Fate, Offer, Verdict, lateness, receive
from gm.cli.options import AsJson, At, BotReports, Game, argument, bad_parameter, gm_command, option
from gm.cli.output import (
    REFUSED,
    Failure,
    Refusal,
    bug,
    counted,
    diagnostic_data,
    outcome_of,
    print_diagnostics,
    print_json,
    shown_path,
    turn_title,
    warn,
)
from gm.cli.session import carry_out, changing, game_time, note_action
from gm.core.diagnostics import SourceError, printable
from gm.core.values import Record
from gm.core.yaml.source import SIZE_LIMIT
from gm.game.values import TurnResult
from gm.store import StoreError
from gm.store.folder import TURN_FILE
from gm.store.inbox import fingerprint
from gm.text.pages import capitalised

SHOWN = 5
"""How many findings of one file are printed; 'gm check' shows all."""

NOBODY = "???"
COLOURS = {Fate.TAKEN: "green", Fate.SET_ASIDE: "red", Fate.TOO_LATE: "red", Fate.KEPT_OUT: "red"}

_REMARKS = {
    Fate.OVERTAKEN: "a later file of this realm came with it",
    Fate.UNCHANGED: "this file stands already",
    Fate.KEPT_OUT: "the turn was taken back, and is played with the orders as received; 'gm undo --reopen'",
}


@gm_command("receive")
def receive_files(
    paths: Annotated[tuple[Path, ...], argument(nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))],
    take_late: Annotated[bool, option("--late", is_flag=True)],
    at: At,
    game_folder: Game,
    as_json: AsJson,
) -> int:
    with changing(game_folder, drawings=False) as campaign:
        now = game_time(campaign, at)
        files: dict[Path, bytes | None] = {}
        verdicts = receive(campaign, list(_offers(paths)), now, take_late=take_late, gathered=files)
        taken = sorted(each.realm for each in verdicts if each.fate is Fate.TAKEN)
        if files:
            set_aside = sum(each.fate is not Fate.TAKEN and bool(each.stored) for each in verdicts)
            carry_out(campaign, "receive", files, turn=campaign.next_turn, taken=taken, set_aside=set_aside)
        missing = _missing_realms(campaign)
    if as_json:
        print_json(
            {"turn": campaign.next_turn, "files": [_verdict_data(each) for each in verdicts], "missing": missing}
        )
    else:
        _print_verdicts(campaign, verdicts, missing, now)
    return REFUSED if any(each.fate in NOT_TAKEN for each in verdicts) else 0


def _offers(paths: tuple[Path, ...]) -> Iterator[Offer]:
    """The files to be looked at: as given, those of a folder by age. Hidden files and links in folders are left out."""
    for path in paths:
        if path.is_dir():
            inside = [each for each in path.rglob("*") if each.is_file() and not _skipped(each, path)]
            if not inside:
                raise Failure(f"There are no files in {path}.")
            for each in sorted(inside, key=lambda each: (each.stat().st_mtime_ns, str(each))):
                yield Offer(each.name, read_limited(each, SIZE_LIMIT))
        elif path.is_file():
            yield Offer(path.name, read_limited(path, SIZE_LIMIT))
        else:
            raise Failure(f"{path} is neither a file nor a folder.")


def _skipped(path: Path, top: Path) -> bool:
    """What is hidden, and the schemas that editors want beside an order file."""
    hidden = path.is_symlink() or any(part.startswith(".") for part in path.relative_to(top).parts)
    return hidden or path.name.endswith(".schema.json")


def _missing_realms(campaign: Campaign) -> list[str]:
    seats = [seat.code for seat in campaign.seats if seat.played and not seat.out and not seat.waiting]
    standing = campaign.folder.inbox(campaign.next_turn).current(seats)
    return [code for code in seats if code not in standing]


def _verdict_data(verdict: Verdict) -> dict[str, Any]:
    return {
        "file": verdict.name,
        "realm": verdict.realm or None,
        "fate": verdict.fate.value,
        "late": verdict.late,
        "replaced": verdict.replaced,
        "stored": verdict.stored or None,
        "errors": verdict.errors,
        "warnings": verdict.warnings,
        "diagnostics": [diagnostic_data(each) for each in verdict.diagnostics],
    }


def _print_verdicts(campaign: Campaign, verdicts: list[Verdict], missing: list[str], now: datetime) -> None:
    codes = max((len(each.realm or NOBODY) for each in verdicts), default=0)
    for each in verdicts:
        fate = click.style(f"{each.fate.value:<9}", fg=COLOURS.get(each.fate))
        click.echo(f"{fate}  {each.realm or NOBODY:<{codes}}  {printable(each.name)}{_remarks(each)}")
        if each.missed:
            click.echo(f"           {lateness(campaign, each.missed, now)}")
        if each.fate is not Fate.UNCHANGED and not each.missed:
            print_diagnostics(each.diagnostics, SHOWN)
        if each.stored and each.fate is not Fate.TAKEN:
            click.echo(f"           kept as inbox/turn-{campaign.next_turn:02}/{each.stored}, the reasons beside it")
    taken = sum(each.fate is Fate.TAKEN for each in verdicts)
    click.echo(f"\nTurn {campaign.next_turn}: {counted(taken, 'file')} taken of {len(verdicts)}.", nl=False)
    click.echo(f" Still missing: {', '.join(missing)}." if missing else " All orders are in: 'gm turn' plays the turn.")


def _remarks(verdict: Verdict) -> str:
    taken = verdict.fate is Fate.TAKEN
    remarks = [_REMARKS[verdict.fate]] if verdict.fate in _REMARKS else []
    if taken and verdict.replaced:
        remarks.append("in the place of an earlier file")
    if verdict.late:
        remarks.append("late")
    if taken and verdict.errors:
        remarks.append(f"{counted(verdict.errors, 'order')} refused")
    if taken and verdict.warnings:
        remarks.append(counted(verdict.warnings, "warning"))
    return f"  ({'; '.join(remarks)})" if remarks else ""


PATIENCE = 0.7
"""Seconds of work before progress is shown."""


@gm_command("turn")
def turn(
    dry_run: Annotated[bool, option("--dry-run", is_flag=True)],
    missing_ok: Annotated[bool, option("--missing-ok", "--force", is_flag=True)],
    rejections: Annotated[tuple[str, ...], option("--reject", multiple=True, metavar="REALM:WHAT")],
    no_html: Annotated[bool, option("--no-html", is_flag=True)],
    bot_reports: BotReports,
    game_folder: Game,
    as_json: AsJson,
) -> None:
    with changing(game_folder, drawings=not no_html) as campaign:
        if campaign.winners is not None:
            raise Refusal(f"Turn {campaign.next_turn} is not played: {outcome_of(campaign)}")
        plan = _plan(campaign, rejections)
        if not missing_ok and (lost := _waits_for_letters(campaign)):
            raise Refusal(f"Turn {campaign.next_turn} is not played: {lost}. 'gm mail fetch' searches the mailbox.")
        if plan.missing and not missing_ok:
            names = ", ".join(f"{seat.code} ({seat.name})" for seat in plan.missing)
            raise Refusal(
                f"Turn {campaign.next_turn} is not played: orders are missing from {names}. Take them in with "
                "'gm receive', or play without them with 'gm turn --missing-ok'."
            )
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
    bots: dict[str, list[str]] = {}
    for realm, bot in plan.decisions.bots.items():
        if realm not in plan.decisions.bot_troubles:
            bots.setdefault(bot, []).append(realm)
    if plan.decisions.bots:
        shown = "; ".join(f"{bot} for {', '.join(realms)}" for bot, realms in sorted(bots.items()))
        click.echo(f"Orders by bots: {shown or 'none'}.")
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
