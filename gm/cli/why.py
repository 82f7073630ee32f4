"""``gm why``: a result explained, and the same turn tried with another order file."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from gm.campaign.check import read_limited
from gm.cli.failures import Failure
from gm.cli.options import FILE, AsJson, GameFolder, argument, gm_command, option
from gm.cli.output import print_definitions, print_diagnostics, print_json, sentence, shown_path
from gm.cli.session import open_campaign

if TYPE_CHECKING:
    from gm.campaign.open import Campaign
    from gm.campaign.stored_turn import StoredTurn
    from gm.game.answers import Explanation
    from gm.game.values import TurnResult

WIDEST = 110


@gm_command("why")
def command(
    words: Annotated[tuple[str, ...], argument(nargs=-1, metavar="[QUESTION]")],
    turn: Annotated[int | None, option("--turn", type=click.IntRange(min=1), metavar="N")],
    supposed: Annotated[Path | None, option("--if", type=FILE, metavar="FILE")],
    game_folder: GameFolder,
    as_json: AsJson,
) -> None:
    from gm.campaign.stored_turn import played_turn, stored_turn

    campaign = open_campaign(game_folder, drawings=False)
    newest = campaign.newest_turn
    wanted = newest if turn is None else turn
    if wanted > newest or newest == 0:
        raise Failure(f"Turn {max(wanted, 1)} has not been played yet.")
    if not words and supposed is None:
        _show_questions(campaign)
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
    campaign: Campaign, archived: StoredTurn, played: TurnResult, path: Path
) -> tuple[TurnResult, Iterable[Explanation]]:
    """The changed turn, and what is different in it."""
    from gm.campaign.replay import what_if_turn
    from gm.core.yaml.source import SIZE_LIMIT

    reading = campaign.read_orders(read_limited(path, SIZE_LIMIT), shown_path(path), state=archived.opened)
    if reading.sheet is None:
        print_diagnostics([each for each in reading.diagnostics if each.is_error])
        raise Failure(f"{shown_path(path)} cannot be read as orders for turn {archived.turn}.")
    other = what_if_turn(campaign, archived, played, reading)
    return other, campaign.spec.diff(campaign.table, played, other)


def _show_questions(campaign: Campaign) -> None:
    click.echo("What can be asked:")
    asked = {**campaign.spec.questions, "--if FILE": "what would be different with this order file"}
    print_definitions({f"gm why {question}": about for question, about in asked.items()}, indent="  ")


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
