"""All files of a turn by name, and nothing on the disk: the game folder writes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gm.games.medieval.forecast import forecast
from gm.games.medieval.orders.schema_realm import RealmSchemas
from gm.games.medieval.orders.template import SCHEMA, orders_template
from gm.games.medieval.report.battle_entries import battle_entries
from gm.games.medieval.report.record import TurnRecord
from gm.games.medieval.report.results import Results, battle_text
from gm.games.medieval.report.sentences import Speaker
from gm.games.medieval.report.summary import gm_summary_html, gm_summary_text, summary_of
from gm.kernel.files import Files


def turn_files(record: TurnRecord, *, html: bool = True) -> Files[str]:
    """``results/ENG.yaml``, ``results/ENG.html``, ``results/battles/01-london.html``, ``next/ENG.yaml``,
    ``next/ENG.schema.json``, ``summary.*``.

    File names come from realm codes and, for battles, from places of the map, never from what a player wrote. Pure: the
    same record gives the same text. Without ``html`` only the files for programs and the summary's text are made.
    """
    speaker = Speaker(record.before, record.after)
    battles = battle_entries(record.events, speaker)
    results = Results(record, speaker, {each.index: each.page for each in battles})
    forecasts = {code: forecast(record.after, code, None, record.rules, record.atlas) for code in record.players}
    schemas = RealmSchemas(record.after, rules=record.rules, atlas=record.atlas, game=record.game, turn=record.turn + 1)

    files: dict[str, Callable[[], str]] = {}
    for code in record.players:
        files[f"results/{code}.yaml"] = partial(results.text, code, forecasts[code])
    for each in battles:
        files[f"results/{each.data}"] = partial(battle_text, each.report)
    for code in record.players:
        if not record.after.realms[code].defeated:
            files[f"next/{code}.yaml"] = partial(_template, record, code)
            files[f"next/{code}{SCHEMA}"] = partial(schemas.text, code)
    if record.after.turn:  # nothing has been played before turn 1: there is nothing to sum up
        summary = summary_of(record, speaker, battles)
        files["summary.txt"] = partial(gm_summary_text, summary)
        if html:
            files["summary.html"] = partial(gm_summary_html, summary)
    if html:
        # none of the pages' code is needed for the rest
        from gm.games.medieval.report.battle_page import BattlePages
        from gm.games.medieval.report.chronicle import tell
        from gm.games.medieval.report.realm_page import RealmPages

        told = tell(record.events, speaker, {each.index: each for each in battles})
        battle_pages = BattlePages(record, speaker, battles)
        pages = RealmPages(record, speaker, told, battle_pages)
        for code in record.players:
            files[f"results/{code}.html"] = partial(pages.html, code, forecasts[code])
        for each in battles:
            files[f"results/{each.page}"] = partial(battle_pages.html, each)
    return Files(files)


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
