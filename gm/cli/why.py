"""``gm why``: a result explained, and the same turn tried with another order file."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm.cli.failures import Failure
from gm.cli.shared import game_option, json_option, open_campaign, print_diagnostics, print_json, shown_path

if TYPE_CHECKING:
    from gm.campaign.open import Campaign
    from gm.campaign.stored_turn import StoredTurn
    from gm.game.answers import Explanation
    from gm.game.turn_result import TurnResult

WIDEST = 110


@click.command(short_help="Explain an order, a battle, a province or a treasury.")
@click.argument("words", nargs=-1, metavar="[QUESTION]")
@click.option("--turn", type=click.IntRange(min=1), metavar="N", help="About which turn. Default: the newest.")
@click.option(
    "--if",
    "supposed",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Play the turn again with this order file in its realm's place, and show what is different.",
)
@game_option
@json_option
def command(
    words: tuple[str, ...], turn: int | None, supposed: Path | None, game_folder: Path | None, as_json: bool
) -> None:
    """Explain a result of a played turn as a chain of events and clauses with their figures.

    It is for the GM: it tells everything, also what realms keep to themselves. With --if the turn is played again with
    one order file changed and the same dice, label by label, and what comes out differently is shown; a question is
    then answered for the changed turn. Nothing is written.

    \b
    Examples:
      gm why LIT A1               a unit's orders, and what happened to it
      gm why LIT:33               the orders in line 33 of Lithuania's file
      gm why battle Polotsk
      gm why Minsk --turn 3
      gm why LIT gold
      gm why luck                 hits made and expected, over the whole game
      gm why --if LIT-changed.yaml
    """
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
        played, different = _suppose(campaign, archived, played, supposed)
        answer += different
    if words:
        try:
            answer += campaign.spec.explain(campaign.table, played, archived.opened, words)
        except ValueError as error:
            said = str(error)
            raise Failure(f"{said[:1].upper()}{said[1:]}{'' if said.endswith('?') else '.'}") from None
    if as_json:
        print_json({"turn": wanted, "answer": [_data(each) for each in answer]})
        return
    _print(answer)


def _suppose(
    campaign: Campaign, archived: StoredTurn, played: TurnResult, path: Path
) -> tuple[TurnResult, Iterable[Explanation]]:
    """The changed turn, and what is different in it."""
    from gm.campaign.receive import Offer
    from gm.campaign.replay import what_if_orders, what_if_turn
    from gm.core.yaml.source import SIZE_LIMIT

    with path.open("rb") as opened:
        data = opened.read(SIZE_LIMIT + 1)
    reading = what_if_orders(campaign, archived, Offer(shown_path(path), data))
    if reading.sheet is None:
        print_diagnostics([each for each in reading.diagnostics if each.is_error])
        raise Failure(f"{shown_path(path)} cannot be read as orders for turn {archived.turn}.")
    other = what_if_turn(campaign, archived, played, reading)
    return other, campaign.spec.diff(campaign.table, played, other)


def _show_questions(campaign: Campaign) -> None:
    click.echo("What can be asked:")
    questions = campaign.spec.questions
    width = max(map(len, questions), default=0)
    for question, about in questions.items():
        click.echo(f"  gm why {question:{width}}  {about}")
    click.echo(f"  gm why {'--if FILE':{width}}  what would be different with this order file")


def _print(answer: Iterable[Explanation]) -> None:
    import shutil

    width = max(40, min(shutil.get_terminal_size().columns, WIDEST))
    for each in answer:
        clause = f" [{each.clause}]" if each.clause else ""
        indent = "  " * each.depth
        mark = "- " if each.depth else ""
        text = textwrap.fill(
            f"{each.text}{clause}",
            width,
            initial_indent=f"{indent}{mark}",
            subsequent_indent=f"{indent}{' ' * len(mark)}",
            break_long_words=False,
            break_on_hyphens=False,
        )
        click.echo(text)


def _data(each: Explanation) -> dict[str, Any]:
    return {"text": each.text, "clause": each.clause or None, "depth": each.depth}
