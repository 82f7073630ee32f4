"""``gm verify`` and ``gm why``: whether a turn was played as it is told; why a result is what it is."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import click

from gm.campaign.audit import check_folder
from gm.campaign.check import read_limited
from gm.campaign.open import Campaign
from gm.campaign.play import BrokenTurnError, TurnInput, played_turn, stored_turn
from gm.campaign.replay import Replay, replay, what_if_turn
from gm.campaign.verify import Check, check_results
from gm.cli.options import FILE, AsJson, Game, argument, gm_command, option
from gm.cli.output import (
    FAILED,
    REFUSED,
    Failure,
    counted,
    fields,
    print_definitions,
    print_diagnostics,
    print_json,
    sentence,
    shown_path,
)
from gm.cli.positions import results_record, whole_file
from gm.cli.session import known_turn, open_campaign
from gm.core.yaml.source import SIZE_LIMIT
from gm.game.answers import Explanation
from gm.game.values import TurnResult
from gm.store import BrokenFolderError

NOT_COVERED = "pages, templates and the inbox; that results follow from the orders ('gm verify --replay' checks it)"


@gm_command("verify")
def verify(
    results: Annotated[Path | None, option("--results", type=FILE, metavar="FILE")],
    before: Annotated[Path | None, option("--before", type=FILE, metavar="FILE")],
    orders: Annotated[Path | None, option("--orders", type=FILE, metavar="FILE")],
    rolls: Annotated[Path | None, option("--rolls", type=FILE, metavar="FILE")],
    replay: Annotated[bool, option("--replay", is_flag=True)],
    turn: Annotated[int | None, option("--turn", type=click.IntRange(min=1), metavar="N")],
    game_folder: Game,
    as_json: AsJson,
) -> int:
    if results is not None:
        if replay or turn is not None or game_folder is not None:
            raise click.UsageError("--results is for players; --replay, --turn and --game are for a game folder.")
        earlier = results_record(before) if before else None
        sent, rolled = (whole_file(each) if each else None for each in (orders, rolls))
        return _show(list(check_results(results_record(results), earlier, sent, rolled)), as_json)
    if before or orders or rolls:
        raise click.UsageError("--before, --orders and --rolls go with --results.")
    if replay:
        return _replay(open_campaign(game_folder), turn, as_json)
    if turn is not None:
        raise click.UsageError("--turn goes with --replay.")
    # what an earlier command left is put right as always, unless the game is too damaged for it
    try:
        campaign = open_campaign(game_folder)
    except BrokenFolderError:
        campaign = open_campaign(game_folder, recovering=False)
    return _show(list(check_folder(campaign)), as_json, folder=True)


# -- seals and rolls ---------------------------------------------------------------------------------------------------


def _spans(turns: Sequence[int]) -> str:
    """``0 to 5, 7``."""
    parts: list[list[int]] = []
    for turn in turns:
        if parts and parts[-1][-1] == turn - 1:
            parts[-1].append(turn)
        else:
            parts.append([turn])
    return ", ".join(f"{part[0]} to {part[-1]}" if len(part) > 1 else str(part[0]) for part in parts)


def _show(checks: Sequence[Check], as_json: bool, *, folder: bool = False) -> int:
    """Print what was looked at; returns the exit code. ``folder``: a whole game was."""
    problems = [each for each in checks if each.problem]
    held = [each for each in checks if not each.problem and not each.open]
    if folder and not any("roll" in each.covers for each in checks) and not problems:
        held = []  # a game that has only begun: nothing of it was played
    code = REFUSED if problems else 0 if held else FAILED
    covered: Counter[str] = Counter()
    for each in checks:
        covered.update(each.covers if not each.problem else {})
    if as_json:
        found = [fields(each, "turn", "what", "problem", "open") for each in checks]
        print_json({"proven": code == 0, "covered": covered, "checks": found})
        return code
    for each in checks:
        where = "" if each.turn is None else f"turn {each.turn}: "
        mark, colour = ("-", "yellow") if each.open else ("DIFFERS", "red") if each.problem else ("ok", "green")
        click.echo(f"{click.style(f'{mark:8}', fg=colour)}{where}{each.what}")
        if each.problem:
            click.echo(f"{'':10}{each.problem}")
    if folder:
        counts = ", ".join(
            counted(count, word, "results files" if word == "results file" else "") for word, count in covered.items()
        )
        turns = sorted({each.turn for each in checks if each.turn is not None})
        click.echo(f"Covered: {'turns ' + _spans(turns) if turns else 'no turn'}; {counts or 'nothing else'}.")
        click.echo(f"Not covered: {NOT_COVERED}.")
    opened = sum(each.open for each in checks)
    left = f" {counted(opened, 'point')} marked '-' could not be told." if opened else ""
    do, hold = "does" if len(problems) == 1 else "do", "holds" if len(held) == 1 else "hold"
    if problems:
        click.secho(f"{counted(len(problems), 'thing')} of {len(checks)} {do} not fit.{left}", fg="red")
    elif held:
        click.secho(f"Proven: {counted(len(held), 'check')} of {len(checks)} {hold}.{left}", fg="green")
    else:
        click.echo("There is nothing here that could be checked: no turn with sealed dice.")
    return code


# -- playing again -----------------------------------------------------------------------------------------------------


def _replay(campaign: Campaign, turn: int | None, as_json: bool) -> int:
    last = known_turn(campaign, turn)
    replays: list[Replay] = []
    try:
        for each in replay(campaign, range(turn or 1, last + 1)):
            replays.append(each)
            if not as_json:
                click.echo("\n".join(_lines(each)))
    except BrokenTurnError as error:
        raise Failure(f"The turn cannot be played again: {error}") from None
    codes = ((FAILED if each.other_rules else REFUSED) if each.difference else 0 for each in replays)
    code = max(codes, default=FAILED)
    if as_json:
        print_json({"proven": code == 0, "turns": [_replay_data(each) for each in replays]})
    elif not replays:
        click.echo("No turn has been played yet: there is nothing to play again.")
    elif code == 0:
        click.secho(f"Proven: {counted(len(replays), 'turn')} came out the same.", fg="green")
    return code


def _lines(found: Replay) -> Iterator[str]:
    by = f" It was played by another gm or wording ({found.made_by}) and is compared as data." if found.made_by else ""
    if found.difference is None:
        yield f"turn {found.turn}: the same ({counted(len(found.compared), 'file')}).{by}"
    else:
        yield click.style(f"turn {found.turn}: DIFFERS.{by}", fg="red")
        yield f"  {found.difference.file}, {found.difference.where}"
        yield f"    the file says     {found.difference.archived}"
        yield f"    the replay gives  {found.difference.replayed}"
    if found.absent:
        yield f"  not in the folder: {', '.join(found.absent)}."
    if found.other_rules:
        yield "  It was played by other rules than those that are here now" + (
            ": the difference may come of that, and proves nothing." if found.difference else ", with the same outcome."
        )


def _replay_data(found: Replay) -> dict[str, Any]:
    difference = found.difference
    return {
        "turn": found.turn,
        "files": list(found.compared),
        "absent": list(found.absent),
        "made_by": found.made_by or None,
        "other_rules": found.other_rules,
        "difference": difference and fields(difference, "file", "where", "archived", "replayed"),
    }


# -- why ---------------------------------------------------------------------------------------------------------------

WIDEST = 110


@gm_command("why")
def why(
    words: Annotated[tuple[str, ...], argument(nargs=-1, metavar="[QUESTION]")],
    turn: Annotated[int | None, option("--turn", type=click.IntRange(min=1), metavar="N")],
    supposed: Annotated[Path | None, option("--if", type=FILE, metavar="FILE")],
    game_folder: Game,
    as_json: AsJson,
) -> None:
    campaign = open_campaign(game_folder, drawings=False)
    newest = campaign.newest_turn
    wanted = newest if turn is None else turn
    if wanted > newest or newest == 0:
        raise Failure(f"Turn {max(wanted, 1)} has not been played yet.")
    if not words and supposed is None:
        click.echo("What can be asked:")
        asked = {**campaign.spec.questions, "--if FILE": "what would be different with this order file"}
        print_definitions({f"gm why {question}": about for question, about in asked.items()}, indent="  ")
        return
    archived, played = stored_turn(campaign, wanted), played_turn(campaign, wanted)
    answer: list[Explanation] = []
    if supposed is not None:
        played, different = _with_other_orders(campaign, archived, played, supposed)
        answer += different
    if words:
        try:
            answer += campaign.spec.explain(campaign.table, played, archived.opened, words)
        except ValueError as error:
            raise Failure(sentence(error)) from None
    if as_json:
        data = [{"text": each.text, "clause": each.clause or None, "depth": each.depth} for each in answer]
        print_json({"turn": wanted, "answer": data})
    else:
        _print(answer)


def _with_other_orders(
    campaign: Campaign, archived: TurnInput, played: TurnResult, path: Path
) -> tuple[TurnResult, Iterable[Explanation]]:
    """The changed turn, and what is different in it."""
    reading = campaign.read_orders(read_limited(path, SIZE_LIMIT), shown_path(path), state=archived.opened)
    if reading.sheet is None:
        print_diagnostics([each for each in reading.diagnostics if each.is_error])
        raise Failure(f"{shown_path(path)} cannot be read as orders for turn {archived.turn}.")
    other = what_if_turn(campaign, archived, played, reading)
    return other, campaign.spec.diff(campaign.table, played, other)


def _print(answer: Iterable[Explanation]) -> None:
    width = max(40, min(shutil.get_terminal_size().columns, WIDEST))
    for each in answer:
        indent, mark = "  " * each.depth, "- " if each.depth else ""
        text = textwrap.fill(
            f"{each.text} [{each.clause}]" if each.clause else each.text,
            width,
            initial_indent=f"{indent}{mark}",
            subsequent_indent=f"{indent}{' ' * len(mark)}",
            break_long_words=False,
            break_on_hyphens=False,
        )
        click.echo(text)
