"""``gm receive``: order files into the inbox."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import click

from gm.campaign.check import read_limited
from gm.campaign.open import Campaign
from gm.campaign.receive import NOT_TAKEN, Fate, Offer, Verdict, lateness, receive
from gm.cli.failures import REFUSED, Failure
from gm.cli.options import AsJson, At, GameFolder, argument, gm_command, option
from gm.cli.output import counted, diagnostic_data, print_diagnostics, print_json
from gm.cli.session import carry_out, changing, game_time
from gm.core.diagnostics import printable
from gm.core.yaml.source import SIZE_LIMIT

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
def command(
    paths: Annotated[tuple[Path, ...], argument(nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))],
    take_late: Annotated[bool, option("--late", is_flag=True)],
    at: At,
    game_folder: GameFolder,
    as_json: AsJson,
) -> None:
    with changing(game_folder, drawings=False) as campaign:
        now = game_time(campaign, at)
        files: dict[Path, bytes | None] = {}
        verdicts = receive(campaign, list(_offers(paths)), now, take_late=take_late, gathered=files)
        taken = sorted(each.realm for each in verdicts if each.fate is Fate.TAKEN)
        if files:
            set_aside = sum(each.fate is not Fate.TAKEN and bool(each.stored) for each in verdicts)
            carry_out(campaign, "receive", files, turn=campaign.next_turn, taken=taken, set_aside=set_aside)
        missing = _missing(campaign)
    if as_json:
        print_json({"turn": campaign.next_turn, "files": [_data(each) for each in verdicts], "missing": missing})
    else:
        _print(campaign, verdicts, missing, now)
    if any(each.fate in NOT_TAKEN for each in verdicts):
        click.get_current_context().exit(REFUSED)


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


def _missing(campaign: Campaign) -> list[str]:
    seats = [seat.code for seat in campaign.seats if seat.played and not seat.out and not seat.waiting]
    standing = campaign.folder.inbox(campaign.next_turn).current(seats)
    return [code for code in seats if code not in standing]


def _data(verdict: Verdict) -> dict[str, Any]:
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


def _print(campaign: Campaign, verdicts: list[Verdict], missing: list[str], now: datetime) -> None:
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
