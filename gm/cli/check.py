"""``gm check``: one order file, read as the turn reads it and tried as the turn would carry it out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from gm.cli.failures import FAILED, REFUSED, Failure
from gm.cli.shared import (
    counted,
    diagnostic_data,
    game_option,
    json_option,
    open_campaign,
    print_diagnostics,
    print_json,
)
from gm.games import GAMES, game_spec
from gm.kernel.diagnostics import Diagnostic
from gm.kernel.game import GameSpec, Preview, Reading, Table
from gm.kernel.source import SIZE_LIMIT
from gm.kernel.store import GameFolder, NoGameFolderError


@dataclass(frozen=True)
class _Desk:
    """What a file is checked against. ``keys`` are those that are known here; ``realm`` is set for a player."""

    spec: GameSpec[Any]
    table: Table
    state: Any
    game: str
    keys: dict[str, str]
    realm: str | None = None


@click.command(short_help="Check one order file.")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--strict", is_flag=True, help="Exit with 1 when there are warnings.")
@click.option(
    "--results",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="A player's results file of the last turn: the position to check against.",
)
@click.option(
    "--map",
    "map_folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="With --results: the map's folder, for a game on a map that does not come with gm.",
)
@game_option
@json_option
def command(
    file: Path, strict: bool, results: Path | None, map_folder: Path | None, game_folder: Path | None, as_json: bool
) -> None:
    """Check one order file: it is read as the turn reads it, then tried in a turn without the other realms' orders.

    What cannot be read is an error; what would fail or be reduced is a warning, with the rule and the figures. The
    forecast of the realm's gold is printed too. Nothing is changed anywhere.

    \b
    Examples:
      gm check orders.yaml --results LIT.yaml     for a player, with his last results
      gm check orders.yaml --game ~/games/minsk   for the GM
      gm check orders.yaml --strict && mail ...

    Exit codes: 0 clean (or only warnings), 1 warnings with --strict, 2 errors.
    """
    desk = _from_results(results, map_folder) if results else _from_game(game_folder)
    with file.open("rb") as opened:
        data = opened.read(SIZE_LIMIT + 1)
    reading = _read(desk, data, str(file))
    preview = Preview()
    if reading.sheet is not None:
        preview = desk.spec.preview(desk.table, desk.state, reading.realm, reading.sheet, data, str(file))
    findings = sorted(
        (*reading.diagnostics, *preview.findings), key=lambda found: (found.line == 0, found.line, found.column)
    )
    if as_json:
        print_json(_data(file, reading, findings, preview))
    else:
        _print(file, reading, findings, preview)
    if any(each.is_error for each in findings):
        click.get_current_context().exit(FAILED)
    if findings and strict:
        click.get_current_context().exit(REFUSED)


def _from_game(game_folder: Path | None) -> _Desk:
    try:
        GameFolder.find(game_folder or Path.cwd())
    except NoGameFolderError:
        raise Failure(
            "There is nothing to check against: give your last results with --results FILE, or the game with "
            "--game FOLDER."
        ) from None
    campaign = open_campaign(game_folder)
    return _Desk(campaign.spec, campaign.table, campaign.state, campaign.folder.settings.id, dict(campaign.keys))


def _from_results(results: Path, map_folder: Path | None) -> _Desk:
    """The desk of a player: position and key from his results, rules and map as they come with the program."""
    data = results.read_bytes()
    for name in GAMES:
        spec = game_spec(name)
        try:
            head, state = spec.results_state(data, str(results))
        except ValueError as error:
            raise Failure(f"{error}.") from None
        chosen = str(head.get("map") or "")
        if map_folder is None and chosen not in spec.maps():
            raise Failure(
                f"The map {chosen!r} does not come with gm: get its folder from the GM and name it with --map."
            )
        realm = str(head["realm"])
        table = spec.shipped_table(chosen, map_folder)
        return _Desk(spec, table, state, str(head["game"]), {realm: str(head["key"])}, realm)
    raise Failure("No game is installed.")


def _read(desk: _Desk, data: bytes, file: str) -> Reading:
    """The file, its realm's key included where it is known."""

    def read(realm: str | None) -> Reading:
        return desk.spec.read_orders(
            desk.table, desk.state, data, file, game=desk.game, realm=realm, key=desk.keys.get(realm or "")
        )

    first = read(desk.realm)
    return read(first.realm) if desk.realm is None and first.sheet is not None else first


def _data(file: Path, reading: Reading, findings: list[Diagnostic], preview: Preview) -> dict[str, Any]:
    errors = sum(each.is_error for each in findings)
    return {
        "file": str(file),
        "realm": reading.realm or None,
        "readable": reading.sheet is not None,
        "errors": errors,
        "warnings": len(findings) - errors,
        "diagnostics": [diagnostic_data(each) for each in findings],
        "forecast": dict(preview.figures) or None,
    }


def _print(file: Path, reading: Reading, findings: list[Diagnostic], preview: Preview) -> None:
    print_diagnostics(findings)
    errors = sum(each.is_error for each in findings)
    if findings:
        click.echo()
    if preview.books:
        click.echo("Forecast for the turn, as far as gold can be foreseen:")
        for line in preview.books:
            click.echo(f"  {line}")
        click.echo()
    click.echo(f"{file}: {_verdict(reading, errors, len(findings) - errors)}")


def _verdict(reading: Reading, errors: int, warnings: int) -> str:
    if reading.sheet is None:
        return click.style("it cannot be taken as it is.", fg="red")
    if errors:
        text = f"{counted(errors, 'order is', 'orders are')} refused; the others stand."
        return click.style(text, fg="red")
    if warnings:
        return click.style(f"readable, with {counted(warnings, 'warning')}.", fg="yellow")
    return click.style("nothing to complain about.", fg="green")
