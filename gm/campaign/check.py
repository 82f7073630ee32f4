"""The check of one order file: read as the turn reads it and tried as the turn would carry it out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gm.core.diagnostics import Counted, Diagnostic
from gm.core.orders.keys import key_slip
from gm.core.values import Record
from gm.core.yaml.source import SIZE_LIMIT
from gm.game.answers import Preview

if TYPE_CHECKING:
    from gm.game.spec import GameSpec
    from gm.game.values import GameData, ReadOrders


class CheckContext(Record):
    """What a file is checked against. ``keys`` are those that are known here; ``realm`` is set for a player."""

    spec: GameSpec[Any]
    table: GameData
    state: Any
    game: str
    keys: dict[str, str]
    realm: str | None = None


class CheckResult(Counted, Record):
    """A file with everything that was found out about it; ``diagnostics`` are in the order of the file."""

    file: Path
    reading: ReadOrders
    diagnostics: tuple[Diagnostic, ...]
    preview: Preview


def check_file(context: CheckContext, file: Path) -> CheckResult:
    """Read and try one order file. Raises ``OSError`` when it is not there; nothing else, whatever it holds."""
    return check_content(context, file, read_limited(file, SIZE_LIMIT))


def check_content(context: CheckContext, file: Path, data: bytes) -> CheckResult:
    """The same for what a file held; ``file`` is only its name. Raises nothing."""

    def read(realm: str | None) -> ReadOrders:
        key = context.keys.get(realm or "")
        return context.spec.read_orders(
            context.table, context.state, data, str(file), game=context.game, realm=realm, key=key
        )

    reading = read(context.realm)
    if context.realm is None and reading.sheet is not None:
        # whose file it is is known now, and with it the key that it must have
        reading = read(reading.realm)
    preview = Preview()
    if reading.sheet is not None:
        preview = context.spec.preview(context.table, context.state, reading.realm, reading.sheet, data, str(file))
    # a doubt about an order that the trial saw fail would only say the same twice
    tried = {(found.line, found.column) for found in preview.findings}
    read_so = [found for found in reading.diagnostics if found.is_error or (found.line, found.column) not in tried]
    slip = key_slip(reading.key) if reading.sheet is not None and context.realm and not context.keys else ""
    if slip:
        message = f"the key of this file is not whole: {slip}"
        read_so.append(Diagnostic("warning", "sheet/wrong-key", message, str(file), clause="O7"))
    findings = sorted((*read_so, *preview.findings), key=lambda found: (found.line == 0, found.line, found.column))
    return CheckResult(file, reading, tuple(findings), preview)


def read_limited(path: Path, limit: int) -> bytes:
    """What is in the file, at most one byte more than is ever read of such a file."""
    with path.open("rb") as opened:
        return opened.read(limit + 1)
