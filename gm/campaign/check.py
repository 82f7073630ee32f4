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
    """What is known where an order file is checked."""

    reader: OrderReader
    keys: dict[str, str]  # that files must hold, by realm; of other realms no key is asked
    realm: str | None = None  # whose file it must be, if it is a player who checks it
    languages: Mapping[str, str] = {}  # by realm, in which its player reads findings
    language: str = ENGLISH  # in which everybody else does
    # returns a realm's orders that hold until the file with this content counts; None: they are not known
    held: Callable[[str, bytes], HeldOrders] | None = None

    @property
    def spec(self) -> GameSpec[Any]:
        """The game."""
        return self.reader.spec


def check_file(context: CheckContext, file: Path, data: bytes | None = None) -> Preview:
    """Read and try one order file, or ``data`` under its name; return the findings and the trial's results.

    Raises only ``OSError``, for a file that cannot be read.
    """
    return check_submission(
        context, offered_file(file) if data is None else Submission(file.name, data), file
    )


def check_submission(context: CheckContext, submission: Submission, file: Path) -> Preview:
    """Read and try an order file whose content is known; return the findings and the trial's results.

    ``file``: its name in the findings.
    """
    reading = _read(context, submission, str(file))
    spec = context.spec
    state = context.reader.state
    writer = reading.realm or context.realm or reading.entries.get(spec.party_word, "").upper()
    translate = translator(spec.key, context.languages.get(writer, context.language))
    preview = Preview()
    findings = [*reading.diagnostics]
    if reading.sheet is not None:
        source = Source(str(file), submission.data.decode("utf-8", "replace"))
        preview = spec.preview(context.reader.table, state, reading.realm, reading.sheet, source, translate)
        # a warning about an order of which the trial says something, too, would say the same twice
        places_in_trial = {(finding.line, finding.column) for finding in preview.findings}
        findings = [
            finding
            for finding in reading.diagnostics
            if finding.is_error or (finding.line, finding.column) not in places_in_trial
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
    """Return a file read with the realm and key that it must name.

    If no realm is given, the file is read once without a key, to learn its realm. A submission that cannot
    hold orders is not read: its problem is the finding.
    """
    if submission.problem is not None:
        return unreadable(submission.problem, name)
    realm = context.realm or context.reader.read(submission.data, name).realm
    return context.reader.read(submission.data, name, realm, context.keys.get(realm))


def _slip(context: CheckContext, key: str, file: str) -> list[Diagnostic]:
    """Return a warning of a mistyped key, if a player checks a file without their key; else nothing."""
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
