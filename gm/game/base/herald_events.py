"""What the Herald of any game reports: public events, the standing of the parties, and public letters.

Which events are news, and how weighty, the game's grammar says (:class:`gm.game.base.herald.Kind`).
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from msgspec.structs import asdict

from gm.core.diagnostics import printable
from gm.core.orders.press import PUBLIC as TO_ALL
from gm.core.values import Event, grouped
from gm.game.base.herald import Grammar, Herald, Kind, Letter, News, Piece, grammar, written
from gm.store.press import Press
from gm.text.words import EventFormatter, answer

Lands = tuple[Mapping[str, int], Mapping[str, int]]  # how much of the map each party had before, and has now
LETTERS = 12  # letters in a newspaper at most
LONGEST = 1500  # characters of a letter at most
LEADER = 8000  # characters of a leading article at most


def event_news(grammar: Grammar, public: Iterable[Event], formatter: EventFormatter) -> Iterator[News]:
    """Yield public events as news, each of one event or of several that belong together (:func:`_groups`).

    The size of news is the sum of all the fields in the kind's ``sums``, or the number of events.
    """
    events_by_kind = grouped(public, lambda event: event.kind)
    for name, kind in grammar.kinds.items():
        for group in _groups(kind, events_by_kind.get(kind.event, ())):
            first = group[0]
            sums = {field: _sum_of(group, field) for field in kind.sums}
            # a field that is a mapping is told as that of the first event, and not as a sum
            sums_told = {
                field: total
                for field, total in sums.items()
                if not isinstance(getattr(first, field), Mapping)
            }
            places = _places_of(group, kind, formatter)
            size = sum(sums.values()) if sums else len(group)
            figures = {**asdict(first), **sums_told, "total": size, "count": len(group)}
            clause = str(getattr(first, "clause", ""))
            yield News(name, size, figures, places, clause=clause)


def _places_of(events: Iterable[Event], kind: Kind, formatter: EventFormatter) -> tuple[Piece, ...]:
    """Return the names of the places in the kind's field ``places`` of some events, each once."""
    if not kind.places:
        return ()
    codes = chain.from_iterable(_names(getattr(event, kind.places)) for event in events)
    return tuple(map(Piece, dict.fromkeys(map(formatter.words, codes))))


def _sum_of(events: Iterable[Event], field: str) -> int:
    """Return the sum of a field over some events (:func:`_total`)."""
    return sum(_total(getattr(event, field)) for event in events)


def _groups(kind: Kind, events: Iterable[Event]) -> Iterable[list[Event]]:
    """Return the events that are news of a kind, in groups with equal contents of the fields in its ``by``.

    Without such fields each event is a group of its own.
    """
    groups: dict[Any, list[Event]] = {}
    for index, event in enumerate(events):
        if _fits(event, kind):
            key = tuple(getattr(event, field) for field in kind.by) if kind.by else index
            groups.setdefault(key, []).append(event)
    return groups.values()


def _names(value: Any) -> Iterable[str]:
    """Return the codes in a field that holds one code or several."""
    return (value,) if isinstance(value, str) else value


def _fits(event: Event, kind: Kind) -> bool:
    """Return whether an event is news of a kind: as its ``where`` says, and not as its ``unless`` says."""
    is_wanted = all(answer(getattr(event, name)) in values for name, values in kind.where.items())
    return is_wanted and not any(
        answer(getattr(event, name)) in values for name, values in kind.unless.items()
    )


def _total(value: Any) -> int:
    """Return a number as it is, the sum of several numbers, or the number of names."""
    if isinstance(value, Mapping):
        values = list(value.values())
    elif isinstance(value, tuple):
        values = list(value)
    else:
        values = [value]
    return sum(1 if isinstance(value, str) else int(value) for value in values)


def standing_news(noun: str, before: Mapping[str, int], now: Mapping[str, int]) -> Iterator[News]:
    """Yield the standing of the parties as news: who leads, who won and lost most, how many share the map.

    There is also the news that nothing happened, of the least weight. ``before`` and ``now``: how much of the
    map each party has; ``noun``: the word for a part of the map.
    """
    order = sorted(now, key=lambda code: (-now[code], code))
    changes = {code: now[code] - before.get(code, 0) for code in order}
    yield News("quiet", 0, {})
    yield News("powers", 0, {"count": sum(map(bool, now.values())), "all": sum(now.values()), "noun": noun})
    if len(order) > 1:
        (first, lands), (second, others) = ((code, now[code]) for code in order[:2])
        ahead = {"first": first, "second": second, "lands": lands, "others": others, "even": lands == others}
        yield News("standing", 0, {**ahead, "noun": noun})
        for kind, pick, sign in (("rising", max, 1), ("falling", min, -1)):
            code = pick(order, key=changes.__getitem__)
            if changes[code] * sign > 0:
                values = {"party": code, "change": abs(changes[code]), "lands": now[code], "noun": noun}
                yield News(kind, abs(changes[code]), values)


def letters_of(
    press: Iterable[Press], turn: int, names: Mapping[str, str], proclaimed: Iterable[tuple[str, str]] = ()
) -> tuple[Letter, ...]:
    """Return the first ``LETTERS`` letters to the editor: what realms ``proclaimed``, then public letters.

    ``proclaimed``: (realm's code, text) of each; ``names``: of realms, by code. A letter that was not
    delivered is left out. So is one whose writer a reader has muted, as all readers get the same newspaper.
    """
    public = (
        letter for letter in press if letter.is_letter and letter.kind == TO_ALL and letter.turn == turn
    )
    texts = [
        *proclaimed,
        *((letter.author, letter.text) for letter in public if not (letter.why or letter.muted)),
    ]
    return tuple(Letter(names.get(code, code), shortened(text, LONGEST)) for code, text in texts[:LETTERS])


def shortened(text: str, length: int) -> str:
    """Return a player's or game master's text, at most ``length`` characters, none invisible."""
    text = text if len(text) <= length else f"{text[: length - 1].rstrip()}…"
    return "\n".join(printable(line.expandtabs(4)) for line in text.strip().splitlines())


def paper_of(
    key: str, blank: Herald, formatter: EventFormatter, news: Iterable[News], lands: Lands
) -> Herald:
    """Return a turn's newspaper of the game ``key``: ``blank`` with articles on these news and the standing.

    Before the first turn it is empty.
    """
    if not blank.number:
        return Herald(blank.game, blank.title, 0, "")
    rules = grammar(key)
    # news of kinds that the game's grammar does not know are not told
    known_news = (
        item
        for item in (*news, *standing_news(formatter.translate(rules.noun), *lands))
        if item.kind in rules.kinds
    )
    articles = written(rules, known_news, formatter, blank.game, blank.number)
    return blank.evolve(articles=articles, leader=shortened(blank.leader, LEADER))
