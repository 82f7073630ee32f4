"""What people read after a turn: results files, pages and the game master's summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gm.core.files import Files
    from gm.games.medieval.report.battle_entries import BattleEntry
    from gm.games.medieval.report.sentences import MedievalFormatter
    from gm.games.medieval.report.turn_result import MedievalResult


def turn_reports(record: MedievalResult, *, html: bool = True) -> Files:
    """Every file that a turn gives, by its name in the turn's folder (see ``turn_files``)."""
    from gm.games.medieval.report.files import turn_files

    return turn_files(record, html=html)


def turn_digests(record: MedievalResult) -> dict[str, list[str]]:
    """What changed for each realm, in lines of plain text: the top of its page for those who read mail only."""
    from gm.games.medieval.report.changed import changes
    from gm.games.medieval.report.changed_lines import TurnView, plain_line

    view = TurnView(record, *_battles(record))
    return {realm: [plain_line(each) for each in changes(view, realm)] for realm in record.players}


def summary_lines(record: MedievalResult) -> list[str]:
    """The turn in a few lines for the game master's terminal: the summary's text."""
    from gm.games.medieval.report.summary import gm_summary_text, summary_of

    return gm_summary_text(summary_of(record, *_battles(record))).splitlines()


def _battles(record: MedievalResult) -> tuple[MedievalFormatter, tuple[BattleEntry, ...]]:
    from gm.games.medieval.report.battle_entries import battle_entries
    from gm.games.medieval.report.sentences import MedievalFormatter

    speaker = MedievalFormatter(record.before, record.after)
    return speaker, battle_entries(record.events, speaker)
