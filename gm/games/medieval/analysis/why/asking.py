"""What can be asked about a turn, who answers it, and what comes out differently with other orders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from gm.core.diagnostics import did_you_mean, fold, nearest, shown
from gm.game.answers import Explanation, diff_of_fates, differences, fates_of, numbered, titled_diff
from gm.games.medieval.analysis.tallies import luck_rows
from gm.games.medieval.analysis.why.orders import Inquiry, line_answer, realm_answer, unit_answer
from gm.games.medieval.analysis.why.places import battle_answer, gold_answer, province_answer
from gm.games.medieval.report.battle_entries import battle_entries
from gm.games.medieval.report.turn_result import MedievalFormatter, MedievalResult
from gm.games.medieval.state import Unit, World
from gm.games.medieval.steps.turn import OrderSettled
from gm.text.pages import capitalised, counted, figure, gold, listed, percent, signed

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


def explain(result: MedievalResult, opened: World, words: Sequence[str]) -> tuple[Explanation, ...]:
    """The answer to a question. Raises ``ValueError``, with the nearest name, when it is about nothing there is."""
    return tuple(_answer(Inquiry(result, opened), " ".join(words).split()))


def _answer(turn: Inquiry, words: list[str]) -> Iterator[Explanation]:
    if not words:
        raise ValueError("there is no question")
    first, *more = words
    if (found := _LINE.match(first)) and not more:
        code = found[1].upper()
        if code not in turn.opened.realms:
            raise ValueError(f"no realm has the code {shown(found[1])}: {_hint(found[1], turn.opened.realms)}")
        return line_answer(turn, code, int(found[2]))
    if fold(first) == "luck" and not more:
        return _luck(turn)
    if fold(first) == "battle" and more:
        return battle_answer(turn, _place(turn, " ".join(more)))
    code, _, reference = first.partition("/")
    realm = code.upper()
    if realm not in turn.opened.realms:
        return province_answer(turn, _place(turn, " ".join(words)))
    reference = " ".join((reference, *more)).strip()
    if not reference:
        return realm_answer(turn, realm)
    if fold(reference) == "gold":
        return gold_answer(turn, realm)
    return unit_answer(turn, realm, _unit(turn, realm, reference))


def _place(turn: Inquiry, name: str) -> str:
    places = {fold(each): each for each in turn.result.atlas.locations}
    if fold(name) not in places:
        known = (*places.values(), *turn.opened.realms)
        raise ValueError(f"no place or realm of this game is called {shown(name)}: {_hint(name, known)}")
    return places[fold(name)]


def _unit(turn: Inquiry, realm: str, reference: str) -> str:
    """The id of a unit that a realm had before or after the turn, or gave orders to."""
    places = {fold(each): each for each in turn.opened.provinces}
    wanted = places.get(fold(reference), reference.upper())
    worlds = (turn.opened, turn.result.after)
    found = next((unit for world in worlds if (unit := world.unit(realm, wanted)) is not None), None)
    if found is not None:
        return found.id
    sheet = turn.result.sheets.get(realm)
    if sheet is not None and wanted in {order.unit for order in sheet.units} | set(sheet.plans):
        return wanted
    known = sorted({unit.id for world in worlds for unit in world.of_realm(realm)})
    raise ValueError(f"{turn.speaker.realm(realm)} has no unit {shown(reference)}: {_hint(wanted, known)}")


def _hint(name: str, known: Iterable[str]) -> str:
    return did_you_mean(nearest(name, known)) or "see 'gm why' for what can be asked"


def _luck(turn: Inquiry) -> Iterator[Explanation]:
    rows = luck_rows(turn.result.tally, turn.speaker)
    if not rows:
        yield Explanation("Nobody has fought a battle yet whose log tells what was to be expected.", "B14")
        return
    yield Explanation(f"Hits in all battles up to turn {turn.result.turn}, the luckiest first:", "B5")
    for row in rows:
        hits = f"{row.made} hits made, {figure(row.expected)} expected ({row.more}, {percent(row.percent)})"
        spread = f"{abs(row.luck.score):.1f} times the usual spread: {row.words}"
        yield Explanation(f"{row.name}: {counted(row.battles, 'battle')}, {hits}, {spread}.", "", 1)


def diff(result: MedievalResult, other: MedievalResult) -> tuple[Explanation, ...]:
    """The differences of ``other`` from ``result``: fates of orders, battles, owners, units, gold, relations."""
    speaker = MedievalFormatter(result.before, result.after, other.after)
    was, now = (
        fates_of((e for e in each.events if isinstance(e, OrderSettled)), speaker.reason) for each in (result, other)
    )
    worlds = (result.after, other.after, speaker)
    return titled_diff(
        (
            ("Orders:", diff_of_fates(was, now, speaker.realm)),
            ("Battles:", _battles(result, other)),
            ("Provinces:", _provinces(*worlds)),
            ("Units:", _units(*worlds)),
            ("Gold:", _gold(*worlds)),
            ("Relations:", _relations(*worlds)),
        )
    )


def _battles(result: MedievalResult, other: MedievalResult) -> Iterator[str]:
    for (title, phase, _), was, now in differences(_battles_of(result), _battles_of(other)):
        change = f"was: {was}; now: {now}"
        if now is None:
            change = f"is not fought now; it was: {was}"
        elif was is None:
            change = f"is fought now: {now}"
        yield f"{title}, phase {phase}: {change}"


def _battles_of(result: MedievalResult) -> dict[tuple[str, int, int], str]:
    speaker = MedievalFormatter(result.before, result.after)
    found: dict[tuple[str, int, int], str] = {}
    for entry in battle_entries(result.events, speaker):
        lost = [(end, sum(each.count for each in end.losses)) for end in entry.report.ends]
        losses = [f"{speaker.unit(end.unit)} ({end.outcome}, {count} lost)" for end, count in lost]
        found[numbered(found, entry.title, entry.phase)] = f"{entry.result} {capitalised(listed(losses))}"
    return found


def _provinces(was: World, now: World, speaker: MedievalFormatter) -> Iterator[str]:
    for name, land in was.provinces.items():
        new = now.provinces[name]
        if land.owner != new.owner:
            yield f"{name}: belonged to {speaker.realm(land.owner)}, now to {speaker.realm(new.owner)}"
        for word in ("annexed_to", "damage", "fortification", "fortification_damage", "harbour"):
            values = getattr(land, word), getattr(new, word)
            if values[0] != values[1]:
                a, b = (speaker.words(each) if each is not None else "nobody" for each in values)
                yield f"{name}, {word.replace('_', ' ')}: was {a}, now {b}"


def _units(was: World, now: World, speaker: MedievalFormatter) -> Iterator[str]:
    for key in dict.fromkeys((*was.units, *now.units)):
        old, new = (_state(world.units.get(key)) for world in (was, now))
        if old != new:
            yield f"{capitalised(speaker.unit(key))}: was {old}; now {new}"


def _state(unit: Unit | None) -> str:
    if unit is None or unit.empty:
        return "not there"
    troops = listed([f"{unit.count(name)} {name}" for name in unit.troops])
    where = f"aboard {unit.aboard} at {unit.place}" if unit.aboard else f"at {unit.place}"
    led = f", {listed([each.name for each in unit.commanders])}" if unit.commanders else ""
    return f"{where} with {troops}{led}"


def _gold(was: World, now: World, speaker: MedievalFormatter) -> Iterator[str]:
    for code, realm in was.realms.items():
        new = now.realms[code].treasury
        if realm.treasury != new:
            change = signed(new - realm.treasury)
            yield f"{capitalised(speaker.realm(code))}: was {gold(realm.treasury)}, now {gold(new)} ({change})"


def _relations(was: World, now: World, speaker: MedievalFormatter) -> Iterator[str]:
    for a, b in combinations(sorted(was.realms), 2):
        old, new = was.relation(a, b), now.relation(a, b)
        if old != new:
            names = f"{speaker.realm(a)} and {speaker.realm(b)}"
            yield f"{capitalised(names)}: was {old.value}, now {new.value}"
