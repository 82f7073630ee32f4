"""What ``gm check`` finds out: one order file, read as the turn reads it and tried as the turn would carry it out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gm.cli.failures import FAILED, REFUSED, Failure
from gm.cli.shared import diagnostic_data, open_campaign
from gm.core.diagnostics import Counted, Diagnostic
from gm.core.orders.keys import NO_KEY, key_slip
from gm.core.records import Record, record
from gm.core.yaml.source import SIZE_LIMIT
from gm.game.preview import Preview

if TYPE_CHECKING:
    from gm.game.played import Reading
    from gm.game.spec import GameData, GameSpec

RESULTS_LIMIT = 64 * 1024 * 1024
"""Bytes that a results file may have."""


@record
class Desk(Record):
    """What a file is checked against. ``keys`` are those that are known here; ``realm`` is set for a player."""

    spec: GameSpec[Any]
    table: GameData
    state: Any
    game: str
    keys: dict[str, str]
    realm: str | None = None


@record
class Checked(Counted, Record):
    """A file with everything that was found out about it; ``diagnostics`` are in the order of the file."""

    file: Path
    reading: Reading
    diagnostics: tuple[Diagnostic, ...]
    preview: Preview

    def code(self, strict: bool) -> int:
        """The exit code: 2 for errors, 1 for warnings if ``strict``, else 0."""
        if self.errors:
            return FAILED
        return REFUSED if strict and self.diagnostics else 0


def game_desk(game_folder: Path | None) -> Desk:
    """The desk of a GM: his game folder, or the one around the current directory."""
    from gm.store import GameFolder, NoGameFolderError

    try:
        GameFolder.find(game_folder or Path.cwd())
    except NoGameFolderError:
        raise Failure(
            "There is nothing to check against: give your last results with --results FILE, or the game with "
            "--game FOLDER."
        ) from None
    campaign = open_campaign(game_folder, drawings=False)
    return Desk(campaign.spec, campaign.table, campaign.state, campaign.folder.settings.id, dict(campaign.keys))


def results_desk(results: Path, map_folder: Path | None) -> Desk:
    """The desk of a player: position and key from his results, rules and map as they come with the program."""
    from gm.cli.table_cache import shipped_table
    from gm.games import GAMES, game_spec

    data, said = _content(results, RESULTS_LIMIT), "no game is installed"
    for name in GAMES:
        spec = game_spec(name)
        try:
            head, state = spec.results_state(data, str(results))
        except ValueError as error:
            said = str(error) if name == next(iter(GAMES)) else said
            continue
        chosen = str(head.get("map") or "")
        own = spec.results_table(data, str(results)) if map_folder is None else None
        if own is None and map_folder is None and chosen not in spec.maps():
            raise Failure(
                f"The map {chosen!r} does not come with gm: get its folder from the GM and name it with --map."
            )
        realm = str(head["realm"])
        table = own or shipped_table(spec, chosen, map_folder)
        # results that came by mail hold no key
        key = str(head["key"])
        return Desk(spec, table, state, str(head["game"]), {} if key == NO_KEY else {realm: key}, realm)
    raise Failure(f"{said}.")


def check_file(desk: Desk, file: Path) -> Checked:
    """Read and try one order file. Raises ``OSError`` when it is not there; nothing else, whatever it holds."""
    return check_content(desk, file, _content(file, SIZE_LIMIT))


def check_content(desk: Desk, file: Path, data: bytes) -> Checked:
    """The same for what a file held; ``file`` is only its name. Raises nothing."""

    def read(realm: str | None) -> Reading:
        return desk.spec.read_orders(
            desk.table, desk.state, data, str(file), game=desk.game, realm=realm, key=desk.keys.get(realm or "")
        )

    reading = read(desk.realm)
    if desk.realm is None and reading.sheet is not None:
        # whose file it is is known now, and with it the key that it must have
        reading = read(reading.realm)
    preview = Preview()
    if reading.sheet is not None:
        preview = desk.spec.preview(desk.table, desk.state, reading.realm, reading.sheet, data, str(file))
    # a doubt about an order that the trial saw fail would only say the same twice
    tried = {(found.line, found.column) for found in preview.findings}
    read_so = [found for found in reading.diagnostics if found.is_error or (found.line, found.column) not in tried]
    slip = key_slip(reading.key) if reading.sheet is not None and desk.realm and not desk.keys else ""
    if slip:
        message = f"the key of this file is not whole: {slip}"
        read_so.append(Diagnostic("warning", "sheet/wrong-key", message, str(file), clause="O7"))
    findings = sorted((*read_so, *preview.findings), key=lambda found: (found.line == 0, found.line, found.column))
    return Checked(file, reading, tuple(findings), preview)


def _content(path: Path, limit: int) -> bytes:
    """What is in the file, at most one byte more than is ever read of such a file."""
    with path.open("rb") as opened:
        return opened.read(limit + 1)


def check_data(checked: Checked) -> dict[str, Any]:
    """The same for programs. Gold is text, exact to 1/100; below 0 an order brings some."""
    preview = checked.preview
    orders = [
        {
            "line": each.line,
            "column": each.column,
            "order": each.order,
            "fate": each.fate,
            "open": each.open,
            "reason": each.reason,
            "figures": dict(each.figures),
            "clause": each.clause,
            "says": each.says,
            "cost": {"gold": str(each.gold), "moves": each.moves},
        }
        for each in preview.orders
    ]
    plan = [
        {
            "phase": phase.phase,
            "units": {
                key: {"place": at.place, "aboard": at.aboard or None, "moves": at.moves}
                for key, at in phase.units.items()
            },
        }
        for phase in preview.plan
    ]
    books = [
        {
            "says": line.says,
            "amount": None if line.amount is None else str(line.amount),
            "balance": str(line.balance),
        }
        for line in preview.books
    ]
    return {
        "file": str(checked.file),
        "realm": checked.reading.realm or None,
        "readable": checked.reading.sheet is not None,
        "errors": checked.errors,
        "warnings": checked.warnings,
        "diagnostics": [diagnostic_data(each) for each in checked.diagnostics],
        "orders": orders,
        "plan": plan,
        "forecast": dict(preview.figures) or None,
        "books": books,
    }
