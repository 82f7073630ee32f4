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
from gm.core.diagnostics import SourceError, shown
from gm.game.answers import Preview
from gm.store import StoreError
from gm.store.places import Stamp, stamp
from gm.text.languages import ENGLISH, languages_of

if TYPE_CHECKING:
    from gm.campaign.open import Campaign

INTERVAL = 0.2  # seconds between two looks at a watched file
# seconds that files must stay as they are before a change counts: an editor may still be writing
SETTLING = 0.05
PATIENCE = 40  # how many times to wait for that, of a file that never rests


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
        raise click.UsageError("--watch is for people and --json for programs: choose one of them.")
    if map_folder is not None and results is None:
        raise click.UsageError("--map goes with --results; a game folder has its map in it.")

    def context() -> CheckContext:
        """Return the context of the file: from results, or of the game. Raises ``click.BadParameter``."""
        situation = results_context(results, map_folder) if results else _game_context(game_folder)
        languages = languages_of(situation.spec.key)
        if language and language not in languages:
            hint = f"there is no {shown(language)} here, but {', '.join(languages)}."
            raise click.BadParameter(hint, param_hint="--language")
        # what programs read is English
        return (
            situation.evolve(languages={}, language=language or ENGLISH) if language or as_json else situation
        )

    if watch:
        return _watch(file, results, context, strict=strict)
    checked = check_file(context(), file)
    if as_json:
        print_json(_data(checked))
    else:
        click.echo(_text(checked))
    return _exit_code(checked, strict=strict)


def _text(checked: Preview) -> str:
    return check_text(
        checked, shutil.get_terminal_size().columns, style=click.style, on_terminal=sys.stdout.isatty()
    )


def _exit_code(checked: Preview, *, strict: bool) -> int:
    """Return the exit code of a file that was checked; ``strict``: warnings count, too."""
    if checked.errors:
        return FAILED
    return REFUSED if strict and checked.diagnostics else 0


def _game_context(game_folder: Path | None) -> CheckContext:
    return context_of(game_needed(game_folder, "nothing to check against"))


def context_of(campaign: "Campaign") -> CheckContext:
    """Return the context that the order files of a game are checked in."""
    languages = campaign.decisions.languages

    def held(realm: str, data: bytes) -> HeldOrders:
        """Return the orders that hold until this file counts; None for a file that counts already."""
        standing = campaign.folder.inbox(campaign.next_turn).current([realm]).get(realm)
        return held_orders(campaign, realm, None if standing == data else standing)

    return CheckContext(campaign.orders, dict(campaign.keys), languages=languages, held=held)


def game_needed(game_folder: Path | None, lacking: str) -> "Campaign":
    """Return the game in a folder, or around the current directory. ``lacking``: what fails without one."""
    from gm.cli.session import is_game, open_campaign

    if lacking and not is_game(game_folder):
        problem = (
            f"There is {lacking}: give your last results with --results FILE, or the game with --game FOLDER."
        )
        raise Failure(problem)
    return open_campaign(game_folder, drawings=False)


def _data(checked: Preview) -> dict[str, Any]:
    """Return the check for ``--json``. Gold is text, exact to 1/100; below 0 an order brings some."""

    def placed(at: Any) -> dict[str, Any]:
        return {"place": at.place, "aboard": at.aboard or None, "moves": at.moves}

    return {
        "file": str(checked.file),
        "realm": checked.reading.realm or None,
        "readable": checked.reading.sheet is not None,
        "errors": checked.errors,
        "warnings": checked.warnings,
        "diagnostics": checked.diagnostics,
        "orders": [
            fields(order, "line", "column", "order", "fate")
            | {"open": bool(order.hangs_on)}
            | fields(order, "reason", "figures", "clause", "says")
            | {"cost": fields(order, "gold", "moves")}
            for order in checked.orders
        ],
        "plan": [
            {"phase": stage.phase, "units": {key: placed(at) for key, at in stage.units.items()}}
            for stage in checked.plan
        ],
        "forecast": dict(checked.figures) or None,
        "course": [fields(explanation, "text", "clause", "depth") for explanation in checked.course],
        "assumed": list(checked.assumed),
        "lapses": [str(lapse) for lapse in checked.lapses],
        "books": [fields(line, "says", "amount", "balance") for line in checked.books],
    }


# -- watching ------------------------------------------------------------------------------------------------


def _watch(
    file: Path, results: Path | None, make_context: Callable[[], CheckContext], *, strict: bool
) -> int:
    """Check at every save until Ctrl-C; return the exit code of the last check."""
    code = 0
    context = None
    made_from = None
    try:
        for _ in changes([file, results] if results else [file]):
            try:
                # a player's position changes with his results only, a GM's game at any time
                at = stamp(results) if results else None
                if context is None or at is None or at != made_from:
                    context = make_context()
                    made_from = at
                checked = check_file(context, file)
                text = _text(checked)
                code = _exit_code(checked, strict=strict)
            except click.ClickException as error:
                text = error.format_message()
                code = FAILED
            except (OSError, SourceError, StoreError) as error:
                text = as_failure(error).format_message()
                code = FAILED
            if sys.stdout.isatty():
                click.clear()
            click.echo(text)
            click.secho("Waiting for the next save; Ctrl-C ends.", dim=True)
    except KeyboardInterrupt:
        click.echo()
    return code


def changes(paths: Sequence[Path], sleep: Callable[[float], None] = time.sleep) -> Iterator[None]:
    """Yield once at the start, then after every change of one of the files; never end by itself.

    Editors write in place, replace by rename, or take a file away first: a file that vanishes counts as
    changed when it is there again.
    """
    seen: list[Stamp] | None = None
    while True:
        now = [stamp(path) for path in paths]
        if now != seen and None not in now:
            now = _settled(paths, now, sleep)
        if now != seen and None not in now:
            seen = now
            yield
        sleep(INTERVAL)


def _settled(paths: Sequence[Path], now: list[Stamp], sleep: Callable[[float], None]) -> list[Stamp]:
    """Return the stamps of files once two looks in a row find the same, or after ``PATIENCE`` looks."""
    for _ in range(PATIENCE):
        sleep(SETTLING)
        before, now = now, [stamp(path) for path in paths]
        if now == before:
            break
    return now
