"""``pbem check``: an order file read and tried as the turn would, once or at every save."""

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from gm.campaign.check import CheckContext, check_file
from gm.campaign.check_text import check_text
from gm.campaign.lapses import HeldOrders, held_orders
from gm.cli.options import FOLDER, AsJson, Game, Results, gm_command, option
from gm.cli.output import FAILED, REFUSED, Failure, as_failure, fields, print_json
from gm.cli.positions import results_context
from gm.cli.speech import worded
from gm.core.diagnostics import SourceError, says, shown
from gm.game.answers import Preview
from gm.store import StoreError
from gm.store.places import Stamp, stamp
from gm.text.languages import ENGLISH, languages_of

if TYPE_CHECKING:
    from gm.campaign.open import Campaign

INTERVAL = 0.2  # seconds between two looks at a watched file
# seconds that files must stay as they are before a change counts: an editor may still be writing
SETTLING = 0.05
PATIENCE = 40  # how many times that is waited for, if a file changes all the time


@gm_command("check")
def check(
    file: Path,
    *,
    strict: bool,
    results: Results,
    map_folder: Annotated[Path | None, option("--map", type=FOLDER, metavar="FOLDER")],
    watch: bool,
    language: Annotated[str | None, option("--language", metavar="CODE")],
    game_folder: Game,
    as_json: AsJson,
) -> int:
    """Check an order file."""
    if watch and as_json:
        raise click.UsageError(says("--watch is for people and --json for programs: choose one of them."))
    if map_folder is not None and results is None:
        raise click.UsageError(says("--map goes with --results; a game folder has its map in it."))

    def make_context() -> CheckContext:
        """Return the context of the file: that of the results, or of the game.

        Raises ``click.ClickException`` if there is neither, and for a language that the game does not have.
        """
        context = results_context(results, map_folder) if results else _game_context(game_folder)
        languages = languages_of(context.spec.key)
        if language and language not in languages:
            hint = says("there is no {0} here, but {1}.", shown(language), ", ".join(languages))
            raise click.BadParameter(hint, param_hint="--language")
        if language or as_json:
            # what programs read is English, whatever language the player reads
            return context.evolve(languages={}, language=language or ENGLISH)
        return context

    if watch:
        return _watch(file, results, make_context, strict=strict)
    preview = check_file(make_context(), file)
    if as_json:
        print_json(_data(preview))
    else:
        click.echo(_text(preview))
    return _exit_code(preview, strict=strict)


def _text(preview: Preview) -> str:
    """Return the result of a check for people, as wide as the terminal."""
    return check_text(
        preview, shutil.get_terminal_size().columns, style=click.style, on_terminal=sys.stdout.isatty()
    )


def _exit_code(preview: Preview, *, strict: bool) -> int:
    """Return the exit code for the result of a check; ``strict``: any remark refuses the file."""
    if preview.errors:
        return FAILED
    return REFUSED if strict and preview.diagnostics else 0


def _game_context(game_folder: Path | None) -> CheckContext:
    """Return the context that the order files of the game in a folder are checked in."""
    return context_of(game_needed(game_folder, "nothing to check against"))


def context_of(campaign: "Campaign") -> CheckContext:
    """Return the context that the order files of a game are checked in."""
    languages = campaign.decisions.languages

    def held(realm: str, data: bytes) -> HeldOrders:
        """Return the orders of a realm that hold until its new file, with the content ``data``, counts."""
        current_file = campaign.folder.inbox(campaign.next_turn).current([realm]).get(realm)
        is_same = current_file == data  # if so, the earlier file is the new one: nothing is replaced
        return held_orders(campaign, realm, None if is_same else current_file)

    return CheckContext(campaign.orders, dict(campaign.keys), languages=languages, held=held)


def game_needed(game_folder: Path | None, lacking: str) -> "Campaign":
    """Return the game in a folder, or around the current directory.

    ``lacking``: ends the error's sentence "There is ...", as ``nothing to check against``; empty: the error
    is that of a folder without a game. Raises ``Failure`` or ``StoreError`` without a game.
    """
    from gm.cli.session import is_game, open_campaign

    if lacking and not is_game(game_folder):
        problem = (
            f"There is {lacking}: give your last results with --results FILE, or the game with --game FOLDER."
        )
        raise Failure(problem)
    return open_campaign(game_folder, drawings=False)


def _data(preview: Preview) -> dict[str, Any]:
    """Return the result of a check for ``--json``.

    Gold is text, exact to 1/100; an order with a cost below 0 brings gold.
    """

    def position_data(position: Any) -> dict[str, Any]:
        """Return where a unit is in a phase."""
        return {"place": position.place, "aboard": position.aboard or None, "moves": position.moves}

    return {
        "file": str(preview.file),
        "realm": preview.reading.realm or None,
        "readable": preview.reading.sheet is not None,
        "errors": preview.errors,
        "warnings": preview.warnings,
        "diagnostics": preview.diagnostics,
        "orders": [
            fields(order, "line", "column", "order", "fate")
            | {"open": bool(order.hangs_on)}
            | fields(order, "reason", "figures", "clause", "says")
            | {"cost": fields(order, "gold", "moves")}
            for order in preview.orders
        ],
        "plan": [
            {
                "phase": stage.phase,
                "units": {key: position_data(position) for key, position in stage.units.items()},
            }
            for stage in preview.plan
        ],
        "forecast": dict(preview.figures) or None,
        "course": [fields(explanation, "text", "clause", "depth") for explanation in preview.course],
        "assumed": list(preview.assumed),
        "lapses": [str(lapse) for lapse in preview.lapses],
        "books": [fields(line, "says", "amount", "balance") for line in preview.books],
    }


# -- watching ------------------------------------------------------------------------------------------------


def _watch(
    file: Path, results: Path | None, make_context: Callable[[], CheckContext], *, strict: bool
) -> int:
    """Check a file at every save until Ctrl-C; return the exit code of the last check.

    ``results``: the player's results, None in a game's folder; ``make_context``: reads what the file is
    checked in; ``strict``: any remark refuses the file.
    """
    code = 0
    context = None
    stamp_read = None  # that of the results which the context was made from
    try:
        for _ in changes([file, results] if results else [file]):
            try:
                # a game may change at any time: its context is made anew for each check
                present_stamp = stamp(results) if results else None
                if context is None or present_stamp is None or present_stamp != stamp_read:
                    context = make_context()
                    stamp_read = present_stamp
                preview = check_file(context, file)
                text = _text(preview)
                code = _exit_code(preview, strict=strict)
            except click.ClickException as error:
                text = error.format_message()
                code = FAILED
            except (OSError, SourceError, StoreError) as error:
                text = as_failure(error).format_message()
                code = FAILED
            if sys.stdout.isatty():
                click.clear()
            click.echo(text)
            click.secho(worded(says("Waiting for the next save; Ctrl-C ends.")), dim=True)
    except KeyboardInterrupt:
        click.echo()
    return code


def changes(paths: Sequence[Path], sleep: Callable[[float], None] = time.sleep) -> Iterator[None]:
    """Yield once at the start, then after every change of one of the files; never end by itself.

    Editors write in place, replace by rename, or remove a file first: a file that vanishes counts as changed
    when it is there again. ``sleep``: waits for a number of seconds.
    """
    stamps_seen: list[Stamp] | None = None
    while True:
        stamps = [stamp(path) for path in paths]
        # a file that is still being written is waited for
        if stamps != stamps_seen and None not in stamps:
            stamps = _stamps_at_rest(paths, stamps, sleep)
        if stamps != stamps_seen and None not in stamps:
            stamps_seen = stamps
            yield
        sleep(INTERVAL)


def _stamps_at_rest(
    paths: Sequence[Path], stamps: list[Stamp], sleep: Callable[[float], None]
) -> list[Stamp]:
    """Return the stamps of files once two looks in a row find the same, or after ``PATIENCE`` looks."""
    for _ in range(PATIENCE):
        sleep(SETTLING)
        earlier = stamps
        stamps = [stamp(path) for path in paths]
        if stamps == earlier:
            break
    return stamps
