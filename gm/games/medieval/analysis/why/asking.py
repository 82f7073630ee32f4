"""What can be asked about a turn, and who answers it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from gm.core.diagnostics import did_you_mean, fold, nearest, shown
from gm.game.answers import Explanation
from gm.games.medieval.analysis.luck import luck_rows
from gm.games.medieval.analysis.why.case import Case
from gm.games.medieval.analysis.why.orders import line_answer, realm_answer, unit_answer
from gm.games.medieval.analysis.why.places import battle_answer, gold_answer, province_answer
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.state import World
from gm.text.pages import counted, figure, percent

QUESTIONS: Mapping[str, str] = {
    "LIT": "the orders of a realm that did not come out as written",
    "LIT A1": "the orders of a unit, and what happened to it (a garrison: its province's name)",
    "LIT:33": "the orders in a line of a realm's file",
    "LIT gold": "a treasury, change by change",
    "battle Polotsk": "a battle: who fought, why it ended so, its dice",
    "Minsk": "a province or sea: whose it is, what happened there",
    "luck": "hits made against hits to be expected, over the whole game",
}
"""Every kind of question by an example."""

_LINE = re.compile(r"([A-Za-z]{2,4}):([0-9]{1,6})\Z")


def explain(record: MedievalResult, opened: World, words: Sequence[str]) -> tuple[Explanation, ...]:
    """The answer to a question. Raises ``ValueError``, with the nearest name, when it is about nothing there is."""
    case = Case(record, opened)
    return tuple(_answer(case, " ".join(words).split()))


def _answer(case: Case, words: list[str]) -> Iterator[Explanation]:
    if not words:
        raise ValueError("there is no question")
    first, *more = words
    found = _LINE.match(first)
    if found and not more:
        return line_answer(case, _realm(case, found[1]), int(found[2]))
    if fold(first) == "luck" and not more:
        return _luck(case)
    if fold(first) == "battle" and more:
        return battle_answer(case, _place(case, " ".join(more)))
    code, _, reference = first.partition("/")
    if code.upper() in case.opened.realms:
        realm = code.upper()
        reference = " ".join((*((reference,) if reference else ()), *more))
        if not reference:
            return realm_answer(case, realm)
        if fold(reference) == "gold":
            return gold_answer(case, realm)
        return unit_answer(case, realm, _unit(case, realm, reference))
    return province_answer(case, _place(case, " ".join(words)))


def _realm(case: Case, code: str) -> str:
    if code.upper() not in case.opened.realms:
        raise ValueError(f"no realm has the code {shown(code)}: {_hint(code, case.opened.realms)}")
    return code.upper()


def _place(case: Case, name: str) -> str:
    places = {fold(each): each for each in case.record.atlas.locations}
    if fold(name) not in places:
        known = (*case.record.atlas.locations, *case.opened.realms)
        raise ValueError(f"no place or realm of this game is called {shown(name)}: {_hint(name, known)}")
    return places[fold(name)]


def _unit(case: Case, realm: str, reference: str) -> str:
    """The id of a unit that a realm had before or after the turn, or gave orders to."""
    places = {fold(each): each for each in case.opened.provinces}
    wanted = places.get(fold(reference), reference.upper())
    for world in (case.opened, case.record.after):
        unit = world.unit(realm, wanted)
        if unit is not None:
            return unit.id
    sheet = case.record.sheets.get(realm)
    known = {unit.id for world in (case.opened, case.record.after) for unit in world.of_realm(realm)}
    ordered = {order.unit for order in sheet.units} | set(sheet.plans) if sheet is not None else set()
    if wanted in ordered:
        return wanted
    raise ValueError(f"{case.speaker.realm(realm)} has no unit {shown(reference)}: {_hint(wanted, sorted(known))}")


def _hint(name: str, known: Sequence[str] | Mapping[str, object]) -> str:
    return did_you_mean(nearest(name, known)) or "see 'gm why' for what can be asked"


def _luck(case: Case) -> Iterator[Explanation]:
    rows = luck_rows(case.record.tally, case.speaker)
    if not rows:
        yield Explanation("Nobody has fought a battle yet whose log tells what was to be expected.", "B14")
        return
    yield Explanation(f"Hits in all battles up to turn {case.record.turn}, the luckiest first:", "B5")
    for row in rows:
        hits = f"{row.made} hits made, {figure(row.expected)} expected"
        yield Explanation(
            f"{row.name}: {counted(row.battles, 'battle')}, {hits} ({row.more}, {percent(row.percent)}), "
            f"{abs(row.luck.score):.1f} times the usual spread: {row.words}.",
            "",
            1,
        )
