"""What people read after a turn: its files by name, which the game folder writes, and lines for mails."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from gm.core.files import Content, Files
from gm.games.medieval.analysis.forecast import forecast
from gm.games.medieval.orders.schema_realm import RealmSchemas
from gm.games.medieval.orders.template import SCHEMA, describe, orders_template
from gm.games.medieval.report.battle_entries import BattleEntry, battle_entries
from gm.games.medieval.report.results import Results, battle_text
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.report.summary import gm_summary_text, summary_of
from gm.games.medieval.report.turn_result import MedievalResult
from gm.resources import resource
from gm.text.pages import render


def turn_reports(record: MedievalResult, *, html: bool = True) -> Files:
    """Every file that a turn gives: ``results/ENG.yaml``, ``results/ENG.html``, ``results/battles/01-london.html``,
    ``next/ENG.yaml``, ``next/ENG.schema.json``, ``summary.*``.

    File names come from realm codes and, for battles, from places of the map, never from what a player wrote. Pure: the
    same record gives the same text. Without ``html`` only the files for programs and the summary's text are made.
    """
    speaker, battles = _battles(record)
    results = Results(record, speaker, {each.index: each.page for each in battles})
    forecasts = {code: forecast(record.after, code, None, record.rules, record.atlas) for code in record.players}
    after, turn = record.after, record.turn + 1
    about: dict[str, Any] = {
        "rules": record.rules,
        "atlas": record.atlas,
        "game": record.game,
        "turn": turn,
        "said": {unit.key: describe(unit, record.rules) for code in record.players for unit in after.of_realm(code)},
    }
    schemas = RealmSchemas(after, **about)

    files: dict[str, Callable[[], Content]] = {}
    for code in record.players:
        files[f"results/{code}.yaml"] = partial(results.data, code, forecasts[code])
    for each in battles:
        files[f"results/{each.data}"] = partial(_encoded, battle_text, each.report)
    for code in record.players:
        if not record.after.realms[code].defeated:
            files[f"next/{code}.yaml"] = partial(
                _encoded, orders_template, after, code, key=record.keys.get(code, ""), **about
            )
            files[f"next/{code}{SCHEMA}"] = partial(_encoded, schemas.text, code)
    if record.after.turn:  # nothing has been played before turn 1: there is nothing to sum up
        summary = summary_of(record, speaker, battles)
        files["summary.txt"] = partial(_encoded, gm_summary_text, summary)
        if html:
            page = {"summary": summary}
            files["summary.html"] = partial(_encoded, render, resource("templates"), "medieval/summary.html", page)
    if html:
        # none of the pages' code is needed for the rest
        from gm.games.medieval.report.battle_pages import BattlePages
        from gm.games.medieval.report.chronicle import tell
        from gm.games.medieval.report.realm_page import RealmPages

        told = tell(record.events, speaker, {each.index: each for each in battles})
        battle_pages = BattlePages(record, speaker, battles)
        pages = RealmPages(record, speaker, told, battle_pages)
        for code in record.players:
            files[f"results/{code}.html"] = partial(_encoded, pages.html, code, forecasts[code])
        for each in battles:
            files[f"results/{each.page}"] = partial(_encoded, battle_pages.html, each)
    return Files(files)


def _encoded(make: Callable[..., str], *given: Any, **named: Any) -> bytes:
    return make(*given, **named).encode()


def turn_digests(record: MedievalResult) -> dict[str, list[str]]:
    """What changed for each realm, in lines of plain text: the top of its page for those who read mail only."""
    from gm.games.medieval.report.changed import changes
    from gm.games.medieval.report.changed_lines import TurnView, plain_line

    view = TurnView(record, *_battles(record))
    return {realm: [plain_line(each) for each in changes(view, realm)] for realm in record.players}


def summary_lines(record: MedievalResult) -> list[str]:
    """The turn in a few lines for the game master's terminal: the summary's text."""
    return gm_summary_text(summary_of(record, *_battles(record))).splitlines()


def _battles(record: MedievalResult) -> tuple[MedievalFormatter, tuple[BattleEntry, ...]]:
    speaker = MedievalFormatter(record.before, record.after)
    return speaker, battle_entries(record.events, speaker)
