"""The questions about a turn, the answer to each, and the differences between two results of a turn."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Any

from gm.core.diagnostics import did_you_mean, fold, nearest, says, shown
from gm.core.values import DiceRolled
from gm.game.answers import Explanation, Fates, diff_of_fates, differences, fates_of, numbered, titled_diff
from gm.games.medieval.analysis.tallies import luck_rows
from gm.games.medieval.analysis.why.inquiry import Inquiry
from gm.games.medieval.analysis.why.orders import line_answer, realm_answer, unit_answer
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.events.final import UnpaidLeft, UpkeepShort
from gm.games.medieval.report.battle_entries import BattleEntry, battle_entries
from gm.games.medieval.report.battle_story import Storyteller
from gm.games.medieval.report.battle_why import Explainer, sentences
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.state import World
from gm.games.medieval.state.strength import has_fighters
from gm.games.medieval.steps.outcomes import OrderSettled, TreasuryChanged
from gm.text.languages import ENGLISH
from gm.text.pages import capitalised, gold, signed

QUESTIONS: Mapping[str, str] = {
    "LIT": says("the orders of a realm that did not come out as written"),
    "LIT A1": says("the orders of a unit, and what happened to it (a garrison: its province's name)"),
    "LIT:33": says("the orders in a line of a realm's file"),
    "LIT gold": says("a treasury, change by change"),
    "battle Polotsk": says("a battle: who fought, why it ended so, its dice"),
    "Minsk": says("a province or sea: whose it is, what happened there"),
    "luck": says("hits made against hits to be expected, over the whole game"),
}
"""What every kind of question asks, as a message, by an example."""

_LINE = re.compile(r"([A-Za-z]{2,4}):([0-9]{1,6})\Z")


def explain(
    result: MedievalResult, opened: World, words: Sequence[str], language: str = ENGLISH
) -> tuple[Explanation, ...]:
    """Return the answer to a question about a turn, in a language (its code).

    ``opened``: the world that the turn started from; ``words``: the question. Raises ``ValueError``, with the
    nearest name, for an unknown subject.
    """
    return tuple(_answer(Inquiry(result, opened, language), " ".join(words).split()))


def _answer(turn: Inquiry, words: list[str]) -> Iterator[Explanation]:
    """Return the answer about a line, luck, a battle, a unit, a realm or a place.

    ``words``: those of the question. Raises ``ValueError`` for a question that has no answer.
    """
    if not words:
        raise ValueError(says("there is no question"))
    first, *more = words
    match = _LINE.match(first)
    if match and not more:
        return line_answer(turn, _code(turn, match[1]), int(match[2]))
    if fold(first) == "luck" and not more:
        return _sentences_of(
            turn, "luck", rows=luck_rows(turn.result.tally, turn.formatter), number=turn.result.turn
        )
    if fold(first) == "battle" and more:
        return _battle_answer(turn, _place(turn, " ".join(more)))
    code, _, reference = first.partition("/")
    realm = code.upper()
    if realm not in turn.opened.realms:
        return _province_answer(turn, _place(turn, " ".join(words)))
    return _realm_answer(turn, realm, " ".join((reference, *more)).strip())


def _realm_answer(turn: Inquiry, realm: str, reference: str) -> Iterator[Explanation]:
    """Return the answer about a realm, or about its gold or the unit that ``reference`` names."""
    if not reference:
        return realm_answer(turn, realm)
    if fold(reference) == "gold":
        return _gold_answer(turn, realm)
    return unit_answer(turn, realm, _unit(turn, realm, reference))


def _code(turn: Inquiry, name: str) -> str:
    """Return the code of a realm, whatever its case. Raises ``ValueError`` for an unknown one."""
    code = name.upper()
    if code not in turn.opened.realms:
        raise ValueError(says("no realm has the code {0}: {1}", shown(name), _hint(name, turn.opened.realms)))
    return code


def _place(turn: Inquiry, name: str) -> str:
    """Return the place of this name, whatever its case and accents.

    Raises ``ValueError`` for an unknown one.
    """
    places = {fold(name): name for name in turn.result.atlas.locations}
    if fold(name) not in places:
        names = (*places.values(), *turn.opened.realms)
        unknown = says("no place or realm of this game is called {0}", shown(name))
        raise ValueError(says("{0}: {1}", unknown, _hint(name, names)))
    return places[fold(name)]


def _unit(turn: Inquiry, realm: str, reference: str) -> str:
    """Return the id of a unit that a realm had before or after the turn, or gave orders to.

    ``reference``: its id, or a garrison's province, whatever the case. Raises ``ValueError`` for an unknown
    one.
    """
    places = {fold(name): name for name in turn.opened.provinces}
    exact_reference = places.get(fold(reference), reference.upper())
    worlds = (turn.opened, turn.result.after)
    for world in worlds:
        unit = world.unit(realm, exact_reference)
        if unit is not None:
            return unit.id
    sheet = turn.result.sheets.get(realm)
    if sheet is not None and exact_reference in {order.unit for order in sheet.units} | set(sheet.plans):
        return exact_reference
    units = chain.from_iterable(world.of_realm(realm) for world in worlds)
    ids = sorted({unit.id for unit in units})
    name = capitalised(turn.formatter.with_articles().realm(realm))
    raise ValueError(says("{0} has no unit {1}: {2}", name, shown(reference), _hint(exact_reference, ids)))


def _hint(name: str, names: Iterable[str]) -> str:
    """Return a hint for an unknown name: the nearest of these, or where to see what can be asked."""
    return did_you_mean(nearest(name, names)) or says("see 'pbem why' for what can be asked")


def _sentences_of(turn: Inquiry, template: str, **values: Any) -> Iterator[Explanation]:
    """Yield the sentences of a template of ``templates/medieval/why`` with these values."""
    values["phrase"] = turn.phrase
    for sentence in sentences(f"medieval/why/{template}.txt", values, turn.language):
        # each ">" before a clause is a level of depth
        yield Explanation(sentence.text, sentence.clause.strip(">"), sentence.clause.count(">"))


def diff(result: MedievalResult, other: MedievalResult, language: str = ENGLISH) -> tuple[Explanation, ...]:
    """Return how ``other`` differs from ``result``, below a title for each kind of difference.

    These are the outcomes of orders, battles, owners, units, gold and relations. ``language``: that of the
    sentences, by its code.
    """
    formatter = MedievalFormatter(result.before, result.after, other.after, language=language)
    was = _fates(result, formatter)
    now = _fates(other, formatter)
    values = {"was": result.after, "now": other.after, "formatter": formatter, "phrase": formatter.phrase}
    # a line of this template has a title where others have a clause
    lines = sentences("medieval/why/diff.txt", values, language)
    by_title = groupby(lines, key=lambda sentence: sentence.clause)
    titles = {
        "Provinces:": formatter.phrase("Provinces:"),
        "Units:": formatter.phrase("Units:"),
        "Gold:": formatter.phrase("Gold:"),
        "Relations:": formatter.phrase("Relations:"),
    }
    parts: list[tuple[str, Iterable[str]]] = [
        (formatter.phrase("Orders:"), diff_of_fates(was, now, formatter.realm, formatter.translate)),
        (formatter.phrase("Battles:"), _battles(result, other, language)),
    ]
    for title, group in by_title:
        parts.append((titles[title], [sentence.text for sentence in group]))
    return titled_diff(parts, formatter.translate)


def _fates(result: MedievalResult, formatter: MedievalFormatter) -> Fates:
    """Return the outcomes of all orders of a turn."""
    settled = (event for event in result.events if isinstance(event, OrderSettled))
    return fates_of(settled, formatter.reason, formatter.translate)


def _battles(result: MedievalResult, other: MedievalResult, language: str) -> Iterator[str]:
    """Yield a sentence for each battle that differs between two results."""
    phrase = MedievalFormatter(result.before, language=language).phrase
    battles_before = _battles_of(result, language)
    for (title, phase, _), was, now in differences(battles_before, _battles_of(other, language)):
        figures = {"battle": title, "phase": phase, "was": was, "now": now}
        if now is None:
            sentence = phrase("{battle}, phase {phase}: is not fought now; it was: {was}", **figures)
        elif was is None:
            sentence = phrase("{battle}, phase {phase}: is fought now: {now}", **figures)
        else:
            sentence = phrase("{battle}, phase {phase}: was: {was}; now: {now}", **figures)
        yield sentence


def _battles_of(result: MedievalResult, language: str) -> dict[tuple[str, int, int], str]:
    """Return the result and the losses of each battle in words, by its title, its phase and a number.

    The number, from 0, tells battles of the same title and phase apart.
    """
    formatter = MedievalFormatter(result.before, result.after, language=language)
    battles: dict[tuple[str, int, int], str] = {}
    for entry in battle_entries(result.public, formatter):
        losses = [
            formatter.phrase(
                "{unit} ({outcome}, {lost} lost)",
                unit=formatter.unit(end.unit),
                outcome=formatter.translate(end.outcome),
                lost=end.lost,
            )
            for end in entry.report.ends
        ]
        lost = capitalised(formatter.listed(losses))
        battles[numbered(battles, entry.title, entry.phase)] = f"{entry.result} {lost}"
    return battles


def _battle_answer(turn: Inquiry, place: str) -> Iterator[Explanation]:
    """Yield the answer about every battle at a place. Raises ``ValueError`` when there was none."""
    fought = [entry for entry in turn.battles if place in (entry.report.place, entry.report.other_place)]
    if not fought:
        other_places = sorted({entry.report.place for entry in turn.battles})
        none = says("there was no battle at {0} in turn {1}", place, turn.result.turn)
        if not other_places:
            raise ValueError(says("{0}; there was no battle at all", none))
        raise ValueError(says("{0}; there were battles at {1}", none, turn.formatter.listed(other_places)))
    for entry in fought:
        yield from _battle(turn, entry)


def _battle(turn: Inquiry, entry: BattleEntry) -> Iterator[Explanation]:
    """Return the answer about one battle: its story, wars, reasons and rolls."""
    report = entry.report
    realm = turn.formatter.with_articles().realm
    name = f"{report.place} - {report.other_place}" if report.other_place else report.place
    rolls = (
        event for event in turn.result.events if isinstance(event, DiceRolled) and event.phase == entry.phase
    )
    return _sentences_of(
        turn,
        "battle",
        entry=entry,
        name=turn.formatter.unit,
        numbered=turn.formatter.numbered,
        story=Storyteller(turn.formatter, turn.result.rules, turn.result.events).story(report),
        wars=[turn.phrase("{one} against {other}", one=realm(a), other=realm(b)) for a, b in report.wars],
        why=Explainer(realm, turn.formatter.unit, turn.language).why(report),
        # the label of a roll names its place between bars
        rolls=[roll for roll in rolls if f" | {name} | " in roll.label],
    )


def _province_answer(turn: Inquiry, place: str) -> Iterator[Explanation]:
    """Yield a place's owner, the events there, and the units there at the end (:func:`_present`)."""
    worlds = {"before": turn.result.before, "opened": turn.opened, "after": turn.result.after}
    lands = {when: world.provinces.get(place) for when, world in worlds.items()}
    yield from _sentences_of(turn, "place", place=place, realm=turn.formatter.with_articles().realm, **lands)
    happenings = list(_events_at(turn, place))
    yield Explanation(turn.phrase("What happened there:" if happenings else "Nothing happened there."))
    yield from happenings
    yield from _present(turn, place)


def _events_at(turn: Inquiry, place: str) -> Iterator[Explanation]:
    """Yield the events at a place in words, without the outcomes of orders and without payments of 0.

    Below a battle stands the question that tells more of it.
    """
    for event in turn.about(place):
        if not isinstance(event, (TreasuryChanged, OrderSettled)):
            yield from turn.sentence(event)
        elif isinstance(event, TreasuryChanged) and event.amount:
            booked = turn.phrase(
                "{change} gold for {purpose} in the books of {realm}.",
                change=signed(event.amount),
                purpose=turn.formatter.translate(event.what),
                realm=turn.formatter.with_articles().realm(event.realm),
            )
            yield Explanation(booked, depth=1)
        if isinstance(event, BattleFought):
            yield Explanation(turn.phrase("More: {command}", command=f"pbem why battle '{place}'"), depth=2)


def _present(turn: Inquiry, place: str) -> Iterator[Explanation]:
    """Yield the units at a place at the end, and why realms with soldiers there have not conquered it."""
    world = turn.result.after
    realm = turn.formatter.with_articles().realm
    units = [unit for unit in world.at(place) if not unit.empty]
    armed = sorted({unit.realm for unit in units if has_fighters(unit, turn.result.rules)})
    invaders = [code for code in armed if place in world.provinces and world.is_enemy_land(code, place)]
    hindered = []
    for code in invaders:
        enemies = [realm(other) for other in armed if world.hostile(code, other, place)]
        hindered.append((realm(code), enemies))
    return _sentences_of(
        turn, "present", units=[turn.formatter.unit(unit.key) for unit in units], hindered=hindered
    )


def _gold_answer(turn: Inquiry, realm: str) -> Iterator[Explanation]:
    """Yield a treasury from the beginning of the turn to its end, change by change, and unpaid expenses."""
    name = capitalised(turn.formatter.with_articles().realm(realm))
    before = turn.result.before.realms[realm].treasury
    after = turn.result.after.realms[realm].treasury
    change = turn.phrase(
        "{realm} had {before} gold and has {after} now: {change}.",
        realm=name,
        before=gold(before),
        after=gold(after),
        change=signed(after - before),
    )
    yield Explanation(change, "W10")
    for event in turn.result.events:
        if isinstance(event, TreasuryChanged) and event.realm == realm and event.amount:
            yield turn.booked(event)
        elif (
            isinstance(event, OrderSettled) and event.audience == realm and event.reason == "gold-too-little"
        ):
            rule, why = turn.formatter.reason(event.reason, event.figures)
            unpaid = turn.phrase(
                "Nothing for line {line}, “{text}”: {why}.", line=event.line, text=event.text, why=why
            )
            yield Explanation(unpaid, rule, 1)
        elif isinstance(event, (UpkeepShort, UnpaidLeft)) and event.realm == realm:
            yield from turn.sentence(event)
