"""The turn for the game master: who sent what, what came of it, and what wants a look. As a page and as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from gm.core.events import GM, DiceRolled
from gm.core.values import Record
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.chronicle import provinces_changed
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.steps.turn import Fate, OrderSettled
from gm.resources import resource
from gm.text.pages import counted, gold, listed, render, signed


class RealmLine(Record):
    """One realm's turn in figures. ``file`` is ``in time``, ``late``, ``set aside`` or ``missing``."""

    code: str
    name: str
    file: str
    done: int
    reduced: int
    failed: int
    refused: int
    before: Decimal
    after: Decimal
    missed: int
    defeated: bool


class Summary(Record):
    """All that the game master is told of a turn."""

    game: str
    title: str
    turn: int
    season: str
    year: int
    deadline: str
    realms: tuple[RealmLine, ...]
    battles: tuple[BattleEntry, ...]
    changed: tuple[tuple[str, str, str], ...]
    flags: tuple[str, ...]
    winners: tuple[str, ...]
    phases: int


def summary_of(record: MedievalResult, speaker: MedievalFormatter, battles: tuple[BattleEntry, ...]) -> Summary:
    """The summary of one turn. Flags are every event for the game master alone, the dice apart."""
    season, year = season_of(record.turn, record.rules)
    return Summary(
        game=record.game,
        title=record.title,
        turn=record.turn,
        season=season,
        year=year,
        deadline=record.deadline,
        realms=tuple(_realm_lines(record)),
        battles=battles,
        changed=tuple(provinces_changed(record.before, record.after)),
        flags=tuple(_flags(record, speaker)),
        winners=tuple(record.after.realms[code].name for code in record.after.winners),
        phases=max((event.phase for event in record.events), default=0),
    )


def _realm_lines(record: MedievalResult) -> Iterator[RealmLine]:
    counts: dict[tuple[str, Fate], int] = {}
    for event in record.events:
        if isinstance(event, OrderSettled):
            counts[event.audience, event.fate] = counts.get((event.audience, event.fate), 0) + 1
    for code in record.players:
        realm = record.after.realms[code]
        yield RealmLine(
            code=code,
            name=realm.name,
            file=file_status(record, code),
            done=counts.get((code, Fate.DONE), 0),
            reduced=counts.get((code, Fate.REDUCED), 0),
            failed=counts.get((code, Fate.FAILED), 0),
            refused=len(record.refused(code)),
            before=record.before.realms[code].treasury,
            after=realm.treasury,
            missed=realm.missed_turns,
            defeated=realm.defeated,
        )


def file_status(record: MedievalResult, realm: str) -> str:
    """What became of the realm's order file (O1, O7)."""
    sheet = record.sheets.get(realm)
    if sheet is None:
        return "set aside" if record.set_aside.get(realm) else "missing"
    return "late" if sheet.late else "in time"


def _flags(record: MedievalResult, speaker: MedievalFormatter) -> Iterator[str]:
    for event in record.events:
        if event.audience == GM and not isinstance(event, DiceRolled):
            text = speaker.say(event)
            if text:
                yield text
    for code, found in sorted(record.set_aside.items()):
        if found:
            yield f"{record.after.realms[code].name}: a file was set aside: {found[0].message}."


def gm_summary_html(summary: Summary) -> str:
    """The page."""
    return render(resource("templates"), "medieval/summary.html", {"summary": summary})


def gm_summary_text(summary: Summary) -> str:
    """The same as plain text, for a terminal or a mail."""
    return "\n".join(_text_lines(summary)) + "\n"


def _text_lines(summary: Summary) -> Iterator[str]:
    yield f"{summary.title}, turn {summary.turn}: {summary.season} {summary.year}"
    if summary.deadline:
        yield f"Next orders are due {summary.deadline}."
    if summary.winners:
        yield f"The game is won by {listed(summary.winners)}."
    yield ""
    head = f"{'Realm':<24}{'Orders':<10} {'done':>5} {'reduced':>8} {'failed':>7} {'refused':>8}"
    yield f"{head} {'gold':>11} {'change':>10}"
    for each in summary.realms:
        change = signed(each.after - each.before)
        yield (
            f"{each.code + ' ' + each.name:<24.24}{each.file:<10} {each.done:>5} {each.reduced:>8} {each.failed:>7} "
            f"{each.refused:>8} {gold(each.after):>11} {change:>10}"
        )
    yield from _listing("To look at", list(summary.flags))
    fought = [f"{each.title} (phase {each.phase}): {each.sides}. {each.result}" for each in summary.battles]
    yield from _listing(f"{counted(len(fought), 'battle').capitalize()}", fought)
    yield from _listing("Provinces that changed hands", [f"{name}: {a} to {b}" for name, a, b in summary.changed])


def _listing(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"{title}:"
        yield from (f"  - {line}" for line in lines)
