"""``pbem verify`` and ``pbem why``: check that the results of turns are true; explain a result."""

import shutil
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import click
from msgspec import structs

from gm.campaign.audit import Audit
from gm.campaign.open import Campaign
from gm.campaign.plan import TurnPlan
from gm.campaign.play import BrokenTurnError, played_turn
from gm.campaign.receive import unreadable
from gm.campaign.replay import Replay, replay, what_if_turn
from gm.campaign.stored import stored_turn
from gm.campaign.unpacking import offered_file
from gm.campaign.verify import Check, check_results
from gm.cli import output, speech
from gm.cli.options import FILE, AsJson, Game, Results, argument, gm_command, option
from gm.cli.output import (
    FAILED,
    REFUSED,
    Failure,
    echo,
    fields,
    print_json,
    print_text,
    sentence,
    shown_path,
)
from gm.cli.positions import results_record, whole_file
from gm.cli.session import known_turn, open_campaign
from gm.cli.speech import worded
from gm.cli.working import in_turn
from gm.core.diagnostics import joined, says
from gm.game.answers import Explanation
from gm.game.values import OrderFile
from gm.store import BrokenFolderError
from gm.text.languages import ENGLISH
from gm.text.words import Said


@gm_command("verify")
def verify(
    results: Results,
    before: Annotated[Path | None, option("--before", type=FILE, metavar="FILE")],
    orders: Annotated[Path | None, option("--orders", type=FILE, metavar="FILE")],
    rolls: Annotated[Path | None, option("--rolls", type=FILE, metavar="FILE")],
    *,
    replay: bool,
    turn: Annotated[int | None, option("--turn", type=click.IntRange(min=1), metavar="N")],
    game_folder: Game,
    as_json: AsJson,
) -> int:
    """Check that nobody chose the dice and that no file was changed."""
    if results is not None:
        if replay or turn is not None or game_folder is not None:
            raise click.UsageError(
                says("--results is for players; --replay, --turn and --game are for a game folder.")
            )
        earlier_results = results_record(before) if before else None
        order_file = whole_file(orders) if orders else None
        rolls_file = whole_file(rolls) if rolls else None
        checks = check_results(results_record(results), earlier_results, order_file, rolls_file)
        return _show(list(checks), as_json=as_json)
    if before or orders or rolls:
        raise click.UsageError(says("--before, --orders and --rolls go with --results."))
    if replay:
        return _replay(open_campaign(game_folder), turn, as_json=as_json)
    if turn is not None:
        raise click.UsageError(says("--turn goes with --replay."))
    # a game that is too damaged to be recovered after an interrupted command is verified as it is
    try:
        campaign = open_campaign(game_folder)
    except BrokenFolderError:
        campaign = open_campaign(game_folder, recovering=False)
    return _show(list(in_turn(Audit(campaign).checks(), "verify")), as_json=as_json, folder=True)


# -- seals and rolls -----------------------------------------------------------------------------------------


def _spans(turns: Iterable[int]) -> str:
    """Return numbers, which are sorted, as a message such as ``0 to 5, 7``."""
    spans: list[list[int]] = []  # runs of consecutive numbers
    for turn in turns:
        if spans and turn == spans[-1][-1] + 1:
            spans[-1].append(turn)
        else:
            spans.append([turn])
    return joined(
        [says("{0} to {1}", span[0], span[-1]) if len(span) > 1 else str(span[0]) for span in spans], ", "
    )


def _show(checks: Sequence[Check], *, as_json: bool, folder: bool = False) -> int:
    """Print the checks; return the exit code. ``folder``: they are about a game's folder."""
    problems = [check for check in checks if check.problem]
    turns = sorted({check.turn for check in checks if check.turn is not None})
    has_begun = not folder or any(turn > 0 for turn in turns)
    passed_checks = [check for check in checks if not check.problem and not check.open]
    if folder and has_begun and not problems and not _covers_rolls(checks):
        passed_checks = []  # the turns were played by a version without seals: nothing of them is proven
    code = _code_of_checks(problems, passed_checks)
    covered = _covered(checks)
    if as_json:
        data = [fields(check, "turn", "what", "problem", "open") for check in checks]
        print_json({"proven": code == 0, "covered": covered, "checks": data})
        return code
    print_text(
        "verified",
        checks=checks,
        problems=problems,
        held=passed_checks,
        folder=folder,
        covered=_listed(covered),
        spans=_spans(turns),
        begun=has_begun,
    )
    return code


def _covers_rolls(checks: Iterable[Check]) -> bool:
    """Return whether any of the checks is about rolls of dice."""
    return any("roll" in check.covers for check in checks)


def _code_of_checks(problems: Sequence[Check], passed_checks: Sequence[Check]) -> int:
    """Return the exit code: ``REFUSED`` if there are problems, ``FAILED`` if no check was passed, else 0."""
    if problems:
        return REFUSED
    return 0 if passed_checks else FAILED


def _covered(checks: Iterable[Check]) -> Counter[str]:
    """Return how many things the checks found to be as they should, by kind (``roll``, for example)."""
    covered: Counter[str] = Counter()
    for check in checks:
        if not check.problem:
            covered.update(check.covers)
    return covered


def _listed(covered: Mapping[str, int]) -> str:
    """Return how many things of each kind were checked, as a message."""
    if not covered:
        return says("nothing else")
    return joined([_counted(kind, count) for kind, count in covered.items()], ", ")


def _counted(kind: str, count: int) -> str:
    """Return a message about how many things of a kind there are."""
    number = Said(count)
    counted = {
        "journal": says("{0:journal}", number),
        "journal line": says("{0:journal line}", number),
        "seat": says("{0:seat}", number),
        "position": says("{0:position}", number),
        "roll": says("{0:roll}", number),
        "order file": says("{0:order file}", number),
        "results file": says("{0:results file}", number),
    }
    return counted[kind]


# -- playing again -------------------------------------------------------------------------------------------


def _code_of(replayed: Replay) -> int:
    """Return the exit code for a replayed turn: 0 if it came out the same, ``REFUSED`` if differently.

    A difference under rules that have changed since proves nothing: the code is ``FAILED`` then.
    """
    if not replayed.difference:
        return 0
    return FAILED if replayed.other_rules else REFUSED


def _replay(campaign: Campaign, turn: int | None, *, as_json: bool) -> int:
    """Replay a turn, or all if ``turn`` is None, and print each comparison; return the worst exit code."""
    last = known_turn(campaign, turn)
    replays: list[Replay] = []
    try:
        for replayed in replay(campaign, range(turn or 1, last + 1)):
            replays.append(replayed)
            if not as_json:
                print_text("replayed", **structs.asdict(replayed))
    except BrokenTurnError as error:
        raise Failure(says("The turn cannot be replayed: {0}", error)) from None
    code = max(map(_code_of, replays), default=FAILED)
    if as_json:
        names = ("absent", "made_by", "other_rules", "difference")
        turns = [
            {"turn": replayed.turn, "files": replayed.compared, **fields(replayed, *names)}
            for replayed in replays
        ]
        print_json(
            {"proven": code == 0, "turns": [row | {"made_by": row["made_by"] or None} for row in turns]}
        )
    elif not replays:
        echo(says("No turn has been played yet: there is nothing to replay."))
    elif code == 0:
        proven = says("Proven: {0:turn} came out the same.", Said(len(replays)))
        click.secho(worded(proven), fg="green")
    return code


# -- why -----------------------------------------------------------------------------------------------------


@gm_command("why")
def why(
    words: Annotated[tuple[str, ...], argument(nargs=-1, metavar="[QUESTION]")],
    turn: Annotated[int | None, option("--turn", type=click.IntRange(min=1), metavar="N")],
    supposed: Annotated[Path | None, option("--if", type=FILE, metavar="FILE")],
    game_folder: Game,
    as_json: AsJson,
) -> None:
    """Explain a result of a played turn as a chain of events and clauses with their figures."""
    campaign = open_campaign(game_folder, drawings=False)
    newest = campaign.newest_turn
    number = newest if turn is None else turn
    if number > newest or newest == 0:
        raise Failure(says("Turn {0} has not been played yet.", max(number, 1)))
    if not words and supposed is None:
        echo(says("You can ask about:"))
        about_file = says("what would be different with this order file")
        questions = {**campaign.spec.questions, "--if FILE": about_file}
        output.print_definitions(
            {f"pbem why {question}": worded(about) for question, about in questions.items()}, indent="  "
        )
        return
    archived = stored_turn(campaign, number)
    played = played_turn(campaign, number)
    answer: list[Explanation] = []
    language = ENGLISH if as_json else speech.language()
    if supposed is not None:
        reading = _read_supposed(campaign, supposed, archived)
        before = played
        played = what_if_turn(campaign, archived, before, reading)
        answer += campaign.spec.diff(campaign.table, before, played, language)
    if words:
        try:
            answer += campaign.spec.explain(campaign.table, played, archived.opened, words, language)
        except ValueError as error:
            raise Failure(sentence(error)) from None
    if as_json:
        data = [
            {"text": explanation.text, "clause": explanation.clause or None, "depth": explanation.depth}
            for explanation in answer
        ]
        print_json({"turn": number, "answer": data})
    else:
        _print(answer)


def _read_supposed(campaign: Campaign, supposed: Path, archived: TurnPlan) -> OrderFile:
    """Return the order file at a path, read as one for a played turn.

    ``archived``: that turn. Prints what is wrong and raises ``Failure`` if it cannot be read.
    """
    offer = offered_file(supposed)
    name = shown_path(supposed)
    if offer.problem is not None:
        reading = unreadable(offer.problem, name)
    else:
        reading = campaign.reader(archived.opened).read(offer.data, name)
    if reading.sheet is None:
        output.print_diagnostics([diagnostic for diagnostic in reading.diagnostics if diagnostic.is_error])
        raise Failure(says("{0} cannot be read as orders for turn {1}.", name, archived.turn))
    return reading


def _print(answer: Iterable[Explanation]) -> None:
    """Print explanations, each indented below the one that it explains, with its clause behind it."""
    width = max(40, min(shutil.get_terminal_size().columns, 110))
    wrapped = partial(textwrap.fill, width=width, break_long_words=False, break_on_hyphens=False)
    for explanation in answer:
        text = f"{explanation.text} [{explanation.clause}]" if explanation.clause else explanation.text
        bullet = "- " if explanation.depth else ""
        indent = "  " * explanation.depth + bullet
        click.echo(wrapped(text, initial_indent=indent, subsequent_indent=" " * len(indent)))
