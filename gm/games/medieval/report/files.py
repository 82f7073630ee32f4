"""All files of a turn by name, and nothing on the disk: the game folder writes them."""

from __future__ import annotations

from gm.games.medieval.forecast import forecast
from gm.games.medieval.orders.schema_realm import RealmSchemas
from gm.games.medieval.orders.template import SCHEMA, orders_template
from gm.games.medieval.report.battle_page import BattlePages, battle_entries
from gm.games.medieval.report.chronicle import tell
from gm.games.medieval.report.realm_page import RealmPages
from gm.games.medieval.report.record import TurnRecord
from gm.games.medieval.report.results import Results, battle_text
from gm.games.medieval.report.sentences import Speaker
from gm.games.medieval.report.summary import gm_summary_html, gm_summary_text, summary_of


def turn_files(record: TurnRecord, *, html: bool = True) -> dict[str, str]:
    """``results/ENG.yaml``, ``results/ENG.html``, ``results/battles/01-london.html``, ``next/ENG.yaml``,
    ``next/ENG.schema.json``, ``summary.*``.

    File names come from realm codes and, for battles, from places of the map, never from what a player wrote. Pure: the
    same record gives the same text. Without ``html`` only the files for programs and the summary's text are made.
    """
    speaker = Speaker(record.before, record.after)
    battles = battle_entries(record.events, speaker)
    results = Results(record, speaker, {each.index: each.page for each in battles})
    forecasts = {code: forecast(record.after, code, None, record.rules, record.atlas) for code in record.players}
    summary = summary_of(record, speaker, battles)

    files = {f"results/{code}.yaml": results.text(code, forecasts[code]) for code in record.players}
    files |= {f"results/{each.data}": battle_text(each.report) for each in battles}
    files |= {f"next/{code}.yaml": _template(record, code) for code in record.players if _plays_on(record, code)}
    schemas = RealmSchemas(record.after, rules=record.rules, atlas=record.atlas, game=record.game, turn=record.turn + 1)
    files |= {f"next/{code}{SCHEMA}": schemas.text(code) for code in record.players if _plays_on(record, code)}
    files["summary.txt"] = gm_summary_text(summary)
    if html:
        told = tell(record.events, speaker, {each.index: each for each in battles})
        battle_pages = BattlePages(record, speaker, battles)
        pages = RealmPages(record, speaker, told, battle_pages)
        files |= {f"results/{code}.html": pages.html(code, forecasts[code]) for code in record.players}
        files |= {f"results/{each.page}": battle_pages.html(each) for each in battles}
        files["summary.html"] = gm_summary_html(summary)
    return files


def _plays_on(record: TurnRecord, code: str) -> bool:
    return not record.after.realms[code].defeated


def _template(record: TurnRecord, code: str) -> str:
    return orders_template(
        record.after,
        code,
        rules=record.rules,
        atlas=record.atlas,
        game=record.game,
        turn=record.turn + 1,
        key=record.keys.get(code, ""),
    )
