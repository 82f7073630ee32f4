"""The check of one order file: read as the turn reads it, and tried as the turn would carry it out."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from gm.campaign.lapses import HeldOrders, lapses
from gm.campaign.order_files import OrderReader
from gm.campaign.receive import Submission, unreadable
from gm.campaign.unpacking import offered_file
from gm.core.diagnostics import Diagnostic, says
from gm.core.orders.header import OrderFile
from gm.core.orders.keys import key_slip
from gm.core.values import Record
from gm.core.yaml.source import Source
from gm.game.answers import Preview
from gm.game.spec import GameSpec
from gm.text.languages import ENGLISH, translator


class CheckContext(Record):
    """The context in which a file is checked, besides that of its ``reader``.

    ``keys``: those that are known here; ``realm``: set for a player; ``languages``: the reading language of
    each realm's player, ``language``: that of everybody else; ``held``: the orders of a realm that hold until
    this file counts, where they are known.
    """

    reader: OrderReader
    keys: dict[str, str]
    realm: str | None = None
    languages: Mapping[str, str] = {}
    language: str = ENGLISH
    held: Callable[[str, bytes], HeldOrders] | None = None

    @property
    def spec(self) -> GameSpec[Any]:
        """The game."""
        return self.reader.spec


def check_file(context: CheckContext, file: Path, data: bytes | None = None) -> Preview:
    """Read and try one order file, or ``data`` under its name.

    Raises only ``OSError`` when it is not there.
    """
    return check_submission(
        context, offered_file(file) if data is None else Submission(file.name, data), file
    )


def check_submission(context: CheckContext, submission: Submission, file: Path) -> Preview:
    """Read and try an order file whose bytes are at hand. ``file``: its name in the findings."""
    reading = _read(context, submission, str(file))
    spec = context.spec
    table = context.reader.table
    state = context.reader.state
    writer = reading.realm or context.realm or reading.entries.get(spec.party_word, "").upper()
    translate = translator(spec.key, context.languages.get(writer, context.language))
    preview = Preview()
    findings = [*reading.diagnostics]
    if reading.sheet is not None:
        source = Source(str(file), submission.data.decode("utf-8", "replace"))
        preview = spec.preview(table, state, reading.realm, reading.sheet, source, translate)
        # a doubt about an order that the trial saw fail would only say the same twice
        tried = {(finding.line, finding.column) for finding in preview.findings}
        findings = [
            finding
            for finding in reading.diagnostics
            if finding.is_error or (finding.line, finding.column) not in tried
        ]
        findings += [*_slip(context, reading.key, str(file)), *preview.findings]
    held = None
    if context.held and reading.sheet is not None:
        held = context.held(reading.realm, submission.data)
    return preview.evolve(
        file=str(file),
        reading=reading,
        diagnostics=_in_order(findings),
        translate=translate,
        lapses=() if held is None else tuple(lapses(held, reading)),
        alone=spec.alternates(state),
    )


def _read(context: CheckContext, submission: Submission, name: str) -> OrderFile:
    """Return a file read with the key that it must have; that key is known as soon as the file's realm is."""
    if submission.problem is not None:
        return unreadable(submission.problem, name)
    realm = context.realm or context.reader.read(submission.data, name).realm
    return context.reader.read(submission.data, name, realm, context.keys.get(realm))


def _slip(context: CheckContext, key: str, file: str) -> list[Diagnostic]:
    """Return a warning of a mistyped key, for a player who checks a file without saying their key."""
    slip = key_slip(key) if context.realm and not context.keys else ""
    if not slip:
        return []
    message = says("the key in this file is invalid: {0}", slip)
    return [Diagnostic("warning", "sheet/wrong-key", message, file, clause="O7")]


def _in_order(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return findings in the order of the file; those without a line come last."""
    return tuple(sorted(findings, key=lambda finding: (finding.line == 0, finding.line, finding.column)))


def read_limited(path: Path, limit: int) -> bytes:
    """Return a file's content, at most one byte more than ``limit``: enough to see that it is too long."""
    with path.open("rb") as opened:
        return opened.read(limit + 1)
