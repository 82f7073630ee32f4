"""``pbem check`` and ``pbem odds``: an order file read and tried as the turn would.

How a battle is likely to go.
"""

import random
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from gm.campaign.check import CheckContext, CheckResult, check_file
from gm.campaign.check_text import check_text
from gm.campaign.lapses import Held, held_by
from gm.cli.options import FOLDER, NEW_FILE, AsJson, Game, Results, argument, gm_command, option
from gm.cli.output import (
    FAILED,
    REFUSED,
    Failure,
    as_failure,
    fields,
    print_json,
    sentence,
    shown_path,
    write_page,
)
from gm.cli.positions import game_with_map, map_folder, results_context, unknown_map
from gm.cli.table_cache import shipped_table
from gm.core.diagnostics import SourceError, shown
from gm.game.answers import OddsForms, OddsMaker, OddsQuestion
from gm.game.spec import GameSpec
from gm.game.values import GameData
from gm.store import StoreError
from gm.text.languages import ENGLISH, languages_of
from gm.text.pages import listed

if TYPE_CHECKING:
    from gm.campaign.open import Campaign

# when a file was written last, its size and its inode; none while it is not there
Stamp = tuple[int, int, int] | None

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


def _text(checked: CheckResult) -> str:
    return check_text(
        checked, shutil.get_terminal_size().columns, style=click.style, on_terminal=sys.stdout.isatty()
    )


def _exit_code(checked: CheckResult, *, strict: bool) -> int:
    """Return the exit code of a file that was checked; ``strict``: warnings count, too."""
    if checked.errors:
        return FAILED
    return REFUSED if strict and checked.diagnostics else 0


def _game_context(game_folder: Path | None) -> CheckContext:
    return context_of(_campaign(game_folder, "nothing to check against"))


def context_of(campaign: "Campaign") -> CheckContext:
    """Return the context that the order files of a game are checked in."""
    languages = campaign.decisions.languages

    def held(realm: str, data: bytes) -> Held:
        """Return the orders that hold until this file counts; None for a file that counts already."""
        standing = campaign.folder.inbox(campaign.next_turn).current([realm]).get(realm)
        return held_by(campaign, realm, None if standing is None or standing.data == data else standing.data)

    return CheckContext(campaign.orders, dict(campaign.keys), languages=languages, held=held)


def _campaign(game_folder: Path | None, lacking: str) -> "Campaign":
    """Return the game in a folder, or around the current directory. ``lacking``: what fails without one."""
    from gm.cli.session import is_game, open_campaign

    if lacking and not is_game(game_folder):
        what = (
            f"There is {lacking}: give your last results with --results FILE, or the game with --game FOLDER."
        )
        raise Failure(what)
    return open_campaign(game_folder, drawings=False)


def _data(checked: CheckResult) -> dict[str, Any]:
    """Return the check for ``--json``. Gold is text, exact to 1/100; below 0 an order brings some."""

    def placed(at: Any) -> dict[str, Any]:
        return {"place": at.place, "aboard": at.aboard or None, "moves": at.moves}

    preview = checked.preview
    return {
        "file": str(checked.file),
        "realm": checked.reading.realm or None,
        "readable": checked.reading.sheet is not None,
        "errors": checked.errors,
        "warnings": checked.warnings,
        "diagnostics": checked.diagnostics,
        "orders": [
            fields(order, "line", "column", "order", "fate", "open", "reason", "figures", "clause", "says")
            | {"cost": fields(order, "gold", "moves")}
            for order in preview.orders
        ],
        "plan": [
            {"phase": stage.phase, "units": {key: placed(at) for key, at in stage.units.items()}}
            for stage in preview.plan
        ],
        "forecast": dict(preview.figures) or None,
        "course": [fields(explanation, "text", "clause", "depth") for explanation in preview.course],
        "assumed": list(preview.assumed),
        "lapses": [str(lapse) for lapse in checked.lapses],
        "books": [fields(line, "says", "amount", "balance") for line in preview.books],
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


def stamp(path: Path) -> Stamp:
    """Return a value that changes when the file does."""
    with suppress(OSError):
        status = path.stat()
        return status.st_mtime_ns, status.st_size, status.st_ino
    return None


def changes(paths: Sequence[Path], sleep: Callable[[float], None] = time.sleep) -> Iterator[None]:
    """Yield once at the start, then after every change of one of the files; never end by itself.

    Editors write in place, replace by rename, or take a file away first: a file that vanishes counts as
    changed when
    it is there again.
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
    for _ in range(PATIENCE):
        sleep(SETTLING)
        before, now = now, [stamp(path) for path in paths]
        if now == before:
            break
    return now


# -- the odds of a battle ------------------------------------------------------------------------------------


@gm_command("odds")
def odds(
    forces: Annotated[tuple[str, ...], argument(nargs=-1, metavar="[FORCE vs FORCE ...]")],
    place: Annotated[str | None, option("--at", metavar="PLACE")],
    moves: Annotated[tuple[str, ...], option("--march", multiple=True, metavar="UNIT:PLACE")],
    wars: Annotated[tuple[str, ...], option("--war", multiple=True, metavar="CODE:CODE")],
    fortification: Annotated[
        int, option("--fortification", "-f", type=click.IntRange(0), default=0, metavar="LEVEL")
    ],
    *,
    sea: bool,
    border: bool,
    landing: bool,
    fights: Annotated[
        int, option("--fights", "-n", type=click.IntRange(1, 10**6), default=3000, show_default=True)
    ],
    seed: Annotated[str, option("--seed", default="odds", show_default=True, metavar="TEXT")],
    results: Results,
    map_name: Annotated[str | None, option("--map", metavar="MAP")],
    out: Annotated[Path | None, option("--out", "-o", type=NEW_FILE, metavar="FILE")],
    game_folder: Game,
    as_json: AsJson,
) -> None:
    """Estimate the odds of a battle."""
    ground = {"fortification": fortification, "sea": sea, "border": border, "landing": landing}
    asked = place is not None or bool(moves)
    _refuse_contradictions(ground, forces=bool(forces), asked=asked)
    spec, table, state, party = _position(results, game_folder, map_name, needs_state=asked)
    maker, forms = _asked(spec, {"war": wars, **ground}, nobody=not (forces or asked))
    enemies = (_halves(war, "--war", "ENG:FRA") for war in wars)
    question = OddsQuestion(
        forces=" ".join(forces),
        place=place,
        moves=tuple(_halves(move, "--march", forms.march) for move in moves),
        wars=tuple((one.upper(), other.upper()) for one, other in enemies),
        party=party,
        fortification=fortification,
        kind=_kind_of(sea=sea, border=border),
        landing=landing,
        fights=fights,
    )
    source = random.Random(seed).random  # noqa: S311 - nothing is decided by these numbers, they only estimate
    try:
        answer = maker(table, state, question, source)
    except ValueError as error:
        raise Failure(sentence(error)) from None
    if out is not None:
        write_page(out, answer.picture().encode())
    if as_json:
        print_json({**answer.figures, "seed": seed})
        return
    click.echo("\n".join(answer.lines))
    if out is not None:
        click.echo(f"\nThe picture is in {shown_path(out)}.")


def _refuse_contradictions(ground: Mapping[str, object], *, forces: bool, asked: bool) -> None:
    """Raise ``click.UsageError`` where options exclude each other.

    ``ground``: the options of typed forces that were given; ``forces``: forces were typed; ``asked``: a place
    was named.
    """
    if ground["sea"] and ground["border"]:
        raise click.UsageError("--sea and --border exclude each other.")
    if forces and asked:
        raise click.UsageError("--at and --march ask about a position: leave the typed forces out.")
    if asked and any(ground.values()):
        raise click.UsageError("--fortification, --sea, --border and --landing are for typed forces.")


def _kind_of(*, sea: bool, border: bool) -> str:
    """Return what kind of battle typed forces fight."""
    if sea:
        return "sea"
    return "border" if border else "land"


def _asked(spec: GameSpec[Any], more: Mapping[str, object], *, nobody: bool) -> tuple[OddsMaker, OddsForms]:
    """Return the game's answerer of odds, if it takes such a question.

    Raises ``click.ClickException``, with the game's own forms.
    """
    if spec.odds is None:
        tried = "'pbem check FILE' checks an order file; see 'pbem check --help'"
        raise Failure(f"{spec.title} has no odds to estimate, since its battles use no dice; {tried}.")
    forms = spec.odds_forms
    strange = [f"--{name}" for name, value in more.items() if value and name not in forms.more]
    if strange:
        raise click.UsageError(f"{spec.title} knows no {listed(strange, last='or')}.")
    if nobody:
        how = (
            f"Type two forces, like {forms.forces}, or name a place with --at or a move with --march "
            f"{forms.march}"
        )
        raise click.UsageError(f"Who fights? {how}.")
    return spec.odds, forms


def _halves(typed: str, option: str, example: str) -> tuple[str, str]:
    """Return the texts before and after a colon. Raises ``click.BadParameter`` where either is missing."""
    first, colon, second = typed.partition(":")
    if not (first.strip() and colon and second.strip()):
        raise click.BadParameter(f"{typed!r} does not have the form {example}", param_hint=f"'{option}'")
    return first.strip(), second.strip()


def _position(
    results: Path | None, game_folder: Path | None, map_name: str | None, *, needs_state: bool
) -> tuple[GameSpec[Any], GameData, Any, str | None]:
    """Return rules and map, the position if there is one, and the party from whose view it is."""
    from gm.cli.session import is_game

    if results is not None and game_folder is not None:
        raise click.UsageError("--results and --game exclude each other.")
    if results is not None:
        context = results_context(results, _named_folder(map_name) if map_name is not None else None)
        return context.spec, context.reader.table, context.reader.state, context.realm
    if game_folder is None and not needs_state and (map_name is not None or not is_game(None)):
        # the rules alone: those of a map, or as every map has them
        spec = game_with_map(map_name, None)
        maps = spec.maps()
        name = map_name or min(maps, key=lambda key: _size(maps[key]))
        if name in maps:
            return spec, shipped_table(spec, name, None), None, None
        return spec, shipped_table(spec, "", map_folder(spec, name)), None, None
    if map_name is not None:
        raise click.UsageError("A game has its map: leave --map out.")
    campaign = _campaign(game_folder, "" if game_folder else "no position to look at")
    return campaign.spec, campaign.table, campaign.state, None


def _size(folder: Path) -> int:
    """Return how many bytes a folder's files have."""
    return sum(path.stat().st_size for path in folder.iterdir())


def _named_folder(map_name: str) -> Path:
    """Return a map's folder. Raises ``click.ClickException`` if there is none."""
    folder = Path(map_name)
    if not folder.is_dir():
        raise unknown_map(map_name, ())
    return folder
