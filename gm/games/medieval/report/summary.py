"""The turn for the game master: who sent what, what came of it, and what wants a look. As a page and as plain text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gm.core.events import GM, DiceRolled
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.report.views import realm_name
from gm.games.medieval.steps.turn import Fate, OrderSettled
from gm.text.pages import counted, gold, listed, signed

Summary = Mapping[str, Any]
"""All that the game master is told of a turn, as page and text ask for it."""


def summary_of(record: MedievalResult, speaker: MedievalFormatter, battles: tuple[BattleEntry, ...]) -> Summary:
    """The summary of one turn. Flags are every event for the game master alone, the dice apart."""
    season, year = season_of(record.turn, record.rules)
    return {
        "title": record.title,
        "turn": record.turn,
        "season": season,
        "year": year,
        "deadline": record.deadline,
        "realms": list(_realms(record)),
        "battles": battles,
        "changed": [
            (name, realm_name(record.before, land.owner), realm_name(record.after, record.after.provinces[name].owner))
            for name, land in record.before.provinces.items()
            if land.owner != record.after.provinces[name].owner
        ],
        "flags": list(_flags(record, speaker)),
        "winners": [record.after.realms[code].name for code in record.after.winners],
        "phases": max((event.phase for event in record.events), default=0),
    }


def _realms(record: MedievalResult) -> Iterator[dict[str, Any]]:
    """Each realm's turn in figures."""
    fates = Counter((event.audience, event.fate) for event in record.events if isinstance(event, OrderSettled))
    for code in record.players:
        realm, before = record.after.realms[code], record.before.realms[code]
        yield {
            "code": code,
            "name": realm.name,
            "file": file_status(record, code),
            "done": fates[code, Fate.DONE],
            "reduced": fates[code, Fate.REDUCED],
            "failed": fates[code, Fate.FAILED],
            "refused": len(record.refused(code)),
            "before": before.treasury,
            "after": realm.treasury,
            "missed": realm.missed_turns,
            "defeated": realm.defeated,
        }


def file_status(record: MedievalResult, realm: str) -> str:
    """What became of the realm's order file (O1, O7)."""
    sheet = record.sheets.get(realm)
    if sheet is None:
        return "set aside" if record.set_aside.get(realm) else "missing"
    return "late" if sheet.late else "in time"


def _flags(record: MedievalResult, speaker: MedievalFormatter) -> Iterator[str]:
    events = (each for each in record.events if each.audience == GM and not isinstance(each, DiceRolled))
    yield from filter(None, map(speaker.say, events))
    for code, found in sorted(record.set_aside.items()):
        if found:
            yield f"{record.after.realms[code].name}: a file was set aside: {found[0].message}."


def gm_summary_text(summary: Summary) -> str:
    """The summary as plain text, for a terminal or a mail."""
    lines = [f"{summary['title']}, turn {summary['turn']}: {summary['season']} {summary['year']}"]
    if summary["deadline"]:
        lines.append(f"Next orders are due {summary['deadline']}.")
    if summary["winners"]:
        lines.append(f"The game is won by {listed(summary['winners'])}.")
    head = f"{'Realm':<24}{'Orders':<10} {'done':>5} {'reduced':>8} {'failed':>7} {'refused':>8}"
    lines += ["", f"{head} {'gold':>11} {'change':>10}"]
    for each in summary["realms"]:
        name, change = f"{each['code']} {each['name']}", signed(each["after"] - each["before"])
        counts = f"{each['done']:>5} {each['reduced']:>8} {each['failed']:>7} {each['refused']:>8}"
        lines.append(f"{name:<24.24}{each['file']:<10} {counts} {gold(each['after']):>11} {change:>10}")
    fought = [f"{each.title} (phase {each.phase}): {each.sides}. {each.result}" for each in summary["battles"]]
    lines += _listing("To look at", summary["flags"])
    lines += _listing(counted(len(fought), "battle").capitalize(), fought)
    lines += _listing("Provinces that changed hands", [f"{name}: {a} to {b}" for name, a, b in summary["changed"]])
    return "\n".join(lines) + "\n"


def _listing(title: str, lines: Sequence[str]) -> list[str]:
    return ["", f"{title}:", *(f"  - {line}" for line in lines)] if lines else []
