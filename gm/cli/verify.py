"""``gm verify``: whether a turn was played as it is told, for a player who has his results and for the GM."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from gm.cli.failures import FAILED, REFUSED, Failure
from gm.cli.options import FILE, AsJson, GameFolder, gm_command, option
from gm.cli.output import counted, print_json
from gm.cli.positions import results_record, whole_file
from gm.cli.session import known_turn, open_campaign

if TYPE_CHECKING:
    from gm.campaign.open import Campaign
    from gm.campaign.replay import Replay
    from gm.campaign.verify import Check

NOT_COVERED = "pages, templates and the inbox; that results follow from the orders ('gm verify --replay' checks it)"


@gm_command("verify")
def command(
    results: Annotated[Path | None, option("--results", type=FILE, metavar="FILE")],
    before: Annotated[Path | None, option("--before", type=FILE, metavar="FILE")],
    orders: Annotated[Path | None, option("--orders", type=FILE, metavar="FILE")],
    rolls: Annotated[Path | None, option("--rolls", type=FILE, metavar="FILE")],
    replay: Annotated[bool, option("--replay", is_flag=True)],
    turn: Annotated[int | None, option("--turn", type=click.IntRange(min=1), metavar="N")],
    game_folder: GameFolder,
    as_json: AsJson,
) -> None:
    if results is not None:
        if replay or turn is not None or game_folder is not None:
            raise click.UsageError("--results is for players; --replay, --turn and --game are for a game folder.")
        code = _show(list(_checked_results(results, before, orders, rolls)), as_json)
    elif before or orders or rolls:
        raise click.UsageError("--before, --orders and --rolls go with --results.")
    elif replay:
        code = _replay(open_campaign(game_folder), turn, as_json)
    elif turn is not None:
        raise click.UsageError("--turn goes with --replay.")
    else:
        from gm.campaign.audit import check_folder

        code = _show(list(check_folder(_opened(game_folder))), as_json, folder=True)
    click.get_current_context().exit(code)


def _opened(game_folder: Path | None) -> Campaign:
    """The game as it is. What an earlier command left is put right as always, unless the game is too damaged for it."""
    from gm.store import BrokenFolderError

    try:
        return open_campaign(game_folder)
    except BrokenFolderError:
        return open_campaign(game_folder, recover=False)


# -- seals and rolls ---------------------------------------------------------------------------------------------------


def _checked_results(results: Path, before: Path | None, orders: Path | None, rolls: Path | None) -> Iterator[Check]:
    from gm.campaign.verify import check_results

    return check_results(
        results_record(results),
        results_record(before) if before else None,
        whole_file(orders) if orders else None,
        whole_file(rolls) if rolls else None,
    )


def _covered(checks: Sequence[Check]) -> dict[str, int]:
    """How many of what was looked at and found right."""
    found: dict[str, int] = {}
    for each in checks:
        for word, count in each.covers.items() if not each.problem else ():
            found[word] = found.get(word, 0) + count
    return found


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
    covered = _covered(checks)
    if as_json:
        print_json(
            {
                "proven": code == 0,
                "covered": covered,
                "checks": [
                    {"turn": each.turn, "what": each.what, "problem": each.problem, "open": each.open}
                    for each in checks
                ],
            }
        )
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
    from gm.campaign.play import BrokenTurnError
    from gm.campaign.replay import replay

    last = known_turn(campaign, turn)
    replays: list[Replay] = []
    try:
        for each in replay(campaign, range(turn or 1, last + 1)):
            replays.append(each)
            if not as_json:
                click.echo("\n".join(_lines(each)))
    except BrokenTurnError as error:
        raise Failure(f"The turn cannot be played again: {error}") from None
    code = max(map(_code, replays), default=FAILED)
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


def _code(found: Replay) -> int:
    if found.difference is None:
        return 0
    return FAILED if found.other_rules else REFUSED


def _replay_data(found: Replay) -> dict[str, Any]:
    difference = found.difference
    return {
        "turn": found.turn,
        "files": list(found.compared),
        "absent": list(found.absent),
        "made_by": found.made_by or None,
        "other_rules": found.other_rules,
        "difference": difference
        and {name: getattr(difference, name) for name in ("file", "where", "archived", "replayed")},
    }
