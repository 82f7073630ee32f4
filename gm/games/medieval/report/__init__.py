"""What people read after a turn: results files, pages and the game master's summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gm.core.files import Files
    from gm.games.medieval.report.turn_result import MedievalResult


def turn_reports(record: MedievalResult, *, html: bool = True) -> Files:
    """Every file that a turn gives, by its name in the turn's folder (see ``turn_files``)."""
    from gm.games.medieval.report.files import turn_files

    return turn_files(record, html=html)


def turn_digests(record: MedievalResult) -> dict[str, list[str]]:
    """What changed for each realm, in lines of plain text: the top of its page for those who read mail only."""
    from gm.games.medieval.report.battle_entries import battle_entries
    from gm.games.medieval.report.changed import changes
    from gm.games.medieval.report.changed_lines import TurnView, plain_line
    from gm.games.medieval.report.sentences import MedievalFormatter

    speaker = MedievalFormatter(record.before, record.after)
    scene = TurnView(record, speaker, battle_entries(record.events, speaker))
    return {realm: [plain_line(each) for each in changes(scene, realm)] for realm in record.players}


def summary_lines(record: MedievalResult) -> list[str]:
    """The turn in a few lines for the game master's terminal: the summary's text."""
    from gm.games.medieval.report.battle_entries import battle_entries
    from gm.games.medieval.report.sentences import MedievalFormatter
    from gm.games.medieval.report.summary import gm_summary_text, summary_of

    speaker = MedievalFormatter(record.before, record.after)
    return gm_summary_text(summary_of(record, speaker, battle_entries(record.events, speaker))).splitlines()
