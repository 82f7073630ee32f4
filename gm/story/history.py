"""The page of a game's whole course so far: its map at every turn, graphs, and the news in words.

One self-contained file; it shows public information only, unless it is made for one party.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from gm.campaign.open import Campaign
from gm.game.base.course import charts_html
from gm.game.base.past import STEPPER, STEPPER_STYLE, map_reader
from gm.game.map_changes import MapReader, changes_data, steps_between
from gm.story.turns import Memory, PastTurn, Watch, past_turns
from gm.text.frames import stepping
from gm.text.languages import ENGLISH, Translate, translator
from gm.text.pages import deflated, environment, inlined_files, ready_markup, script_json

STYLES = ("game/css/game.css", STEPPER_STYLE)
SCRIPTS = ("game/start.js", *STEPPER)


def history_page(
    campaign: Campaign,
    language: str = ENGLISH,
    party: str = "",
    watch: Watch = iter,
    *,
    back: str = "",
    memory: Memory | None = None,
) -> bytes:
    """Return the page of a game's history, in the view of a party, or in the public one if that is empty.

    ``back``: the target of a link back, empty for no link; ``watch``: shows the progress of an iterator of
    turns; ``memory``: the turns that earlier calls have drawn. Raises ``StoreError`` for a turn whose record
    is missing or damaged.
    """
    spec = campaign.spec
    table = campaign.table
    state = campaign.snapshot
    translate = translator(spec.key, language)
    turns = tuple(watch(past_turns(campaign, language, party, memory=memory)))
    reader = map_reader(spec, table, state, party, language)
    names = _seat_names(campaign, translate)
    colours = spec.colours(table, state)
    # a seat without figures has no graph
    parties = {code: (name, colours[code]) for code, name in names.items() if code in turns[0].figures}
    steps = stepping([(turn.drawing, turn.moving) for turn in turns])
    drawings = chain.from_iterable((turn.drawing, turn.moving) for turn in turns)
    values: dict[str, Any] = {
        "title": translate(table.board.title),
        "over": f"{translate(spec.title)} · {campaign.folder.settings.id}",
        "back": back,
        "reader": names.get(party, ""),
        "turns": turns,
        "called": partial(turn_name, translate=translate),
        "map": ready_markup(_shown(turns[-1])),
        "winners": [names[code] for code in campaign.winners or ()],
        "over_now": campaign.winners is not None,
        "course": course_html(turns, parties, spec.course_columns, party, translate, language),
        "data": script_json(_steps_data(turns, reader)),
        "packed": deflated(script_json(steps), level=9),
        "inlined": inlined_files((*STYLES, *spec.page_styles), SCRIPTS, spec.key, language),
        "tall": max(map(_tall, filter(None, drawings))),
    }
    return environment(spec.key, language).get_template("story/history.html").render(values).encode()


def _seat_names(campaign: Campaign, translate: Translate) -> dict[str, str]:
    """Return the names of the parties by code."""
    seats = campaign.spec.seats(campaign.table, campaign.snapshot)
    return {seat.code: translate(seat.name) for seat in seats}


def _steps_data(turns: Sequence[PastTurn], reader: MapReader) -> dict[str, Any]:
    """Return the data of all turns for the page's script; each entry is a list by turn."""
    owners = [turn.owners for turn in turns]
    return {
        "changes": changes_data(steps_between(owners, [turn.story for turn in turns]), reader),
        "fights": [_fights(turn) for turn in turns],
        "names": [turn_name(turn, reader.translate) for turn in turns],
        "moved": [bool(turn.moving) for turn in turns],
    }


def _fights(turn: PastTurn) -> list[tuple[Sequence[str], str]]:
    """Return (places, title) of each battle of a turn."""
    return [(fight.places, fight.title) for fight in turn.story.fights]


def turn_name(turn: PastTurn, translate: Translate) -> str:
    """Return the name of a turn; it says so if the map was corrected since."""
    return translate("{turn}, corrected since").format(turn=turn.name) if turn.corrected else turn.name


def _shown(turn: PastTurn) -> str:
    """Return a turn's drawing, the one with moves if there is one, at the top of its frame.

    The frame is as high as the tallest drawing.
    """
    return (turn.moving or turn.drawing).strip().replace("<svg", '<svg preserveAspectRatio="xMidYMin"', 1)


def _tall(drawing: str) -> float:
    """Return the height of a drawing as a multiple of its width."""
    _, _, width, height = map(float, drawing.partition('viewBox="')[2].partition('"')[0].split())
    return round(height / width, 4)


def course_html(
    turns: Sequence[PastTurn],
    parties: Mapping[str, tuple[str, str]],
    columns: Sequence[str],
    party: str,
    translate: Translate,
    language: str,
) -> str:
    """Return graphs and tables of the figures that change, as HTML; first those that only ``party`` has.

    ``parties``: (name, colour) by code; ``columns``: the names of the figures to show, empty: all. The result
    is empty for fewer than three turns.
    """
    if len(turns) < 3:
        return ""
    standings = [turn.figures for turn in turns]
    own_columns = _own_columns(standings, party)
    any_party = next(iter(parties))  # all parties have the same columns
    shared_columns = [name for name in columns or standings[-1][any_party] if name not in own_columns]
    rows = list(chain.from_iterable(standing.values() for standing in standings))
    changing = [name for name in shared_columns if _differs(rows, name)]
    names = [turn_name(turn, translate) for turn in turns]
    # each column has a chart, and a table below the charts
    charts = charts_html(
        standings, parties, changing, names, in_figures=changing, translate=translate, language=language
    )
    if own_columns:
        own_rows = [{party: standing[party]} for standing in standings]
        own_party = {party: parties[party]}
        own_charts = charts_html(
            own_rows,
            own_party,
            own_columns,
            names,
            in_figures=own_columns,
            translate=translate,
            language=language,
        )
        return own_charts + charts
    return charts


Figures = Mapping[str, float]  # by column


def _own_columns(standings: Sequence[Mapping[str, Figures]], party: str) -> list[str]:
    """Return the columns in which this party, and no other, ever had a figure other than 0.

    ``standings``: of each turn, the figures by party and column.
    """
    last = standings[-1]
    used_columns = {code: _used(standings, code) for code in last}
    others = set[str]().union(*(names for code, names in used_columns.items() if code != party))
    return [name for name in last.get(party, ()) if name in used_columns[party] - others]


def _used(standings: Sequence[Mapping[str, Figures]], code: str) -> set[str]:
    """Return the columns in which a party ever had a figure other than 0."""
    rows = [standing[code] for standing in standings]
    return {name for name in rows[-1] if _has_figures(rows, name)}


def _has_figures(rows: Iterable[Figures], name: str) -> bool:
    """Return whether a column has a figure other than 0."""
    return any(row[name] for row in rows)


def _differs(rows: Iterable[Figures], name: str) -> bool:
    """Return whether a column has different figures in different rows."""
    return len({row[name] for row in rows}) > 1
