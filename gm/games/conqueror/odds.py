"""The exact odds of attacks (CQ-7): duels, battles behind works, stacks of attacks one after another.

The chances follow from the same figures as the battles of a turn (``figures.chances_of``).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from gm.core.diagnostics import joined, says
from gm.core.dice import Source
from gm.core.values import Event, Record
from gm.game.answers import OddsAnswer, OddsQuestion
from gm.game.values import GameData, the_one
from gm.games.conqueror.events import Fought, Rebelled
from gm.games.conqueror.figures import chances_of
from gm.games.conqueror.land import Board
from gm.games.conqueror.rules import Rules
from gm.games.conqueror.state import NEUTRAL, World
from gm.text.pages import render

MOST = 300  # The most armies on a side for which odds are computed
BAR = 24  # The length of the bar of a certainty, in characters
ATTACKERS, DEFENDERS = 0, 1  # The places of the two sides in an end of a battle
EXAMPLES = says('"8 vs 5", "4 and 6 vs 5", or with a position WESS:MERC after --march')
_VERSUS = re.compile(r"\s+(?:vs\.?|against)\s+", re.IGNORECASE)
_NEXT = re.compile(r"\s+and\s+|\s*,\s*|\s*\+\s*", re.IGNORECASE)
_ARMIES = re.compile(r"(\d{1,4})(?: arm(?:y|ies))?", re.IGNORECASE)
_MARCH = re.compile(r"(?:(\d{1,4}) +)?(.+)")

# (number of armies, code of the province that they leave); None: all that are there
March = tuple[int | None, str]
Ends = Mapping[tuple[int, int], Fraction]  # The probability of each end: (attackers left, defenders left)


class Siege(Record):
    """Attacks on a place, one after another."""

    where: str  # The place and the attackers' provinces in words; empty for forces without a place
    stack: tuple[int, ...]  # The attackers of each attack, the first one first
    armies: int  # The defenders
    fort: int  # The level of their works

    def ends(self, rules: Rules) -> Ends:
        """Return the probability of each end of all attacks together.

        Attackers of a place that is already taken move in without a fight (CQ-6.7).
        """
        chances: dict[tuple[int, int], Fraction] = {(0, self.armies): Fraction(1)}
        for attackers in self.stack:
            after: dict[tuple[int, int], Fraction] = {}
            for (inside, defenders), share in chances.items():
                is_taken = inside > 0 or not defenders
                fight = (
                    {(attackers, 0): Fraction(1)}
                    if is_taken
                    else chances_of(attackers, defenders, self.fort, rules)
                )
                for (attackers_left, defenders_left), chance in fight.items():
                    end = inside + attackers_left, defenders_left
                    after[end] = after.get(end, Fraction(0)) + share * chance
            chances = after
        return chances


def odds(table: GameData, state: World | None, question: OddsQuestion, source: Source) -> OddsAnswer:
    """Return the exact odds of the battle in question; ``source`` of dice is not used.

    See :class:`gm.game.answers.OddsMaker`. Raises ``ValueError`` for a question that has no answer.
    """
    rules: Rules = state.settings.applied(table.rules) if state else table.rules
    if question.forces:
        siege = _typed(question, rules)
    elif state is None:
        raise ValueError(says("without a game, say how many fight: {0}", EXAMPLES))
    else:
        siege = _placed(table, state, question)
    if max(*siege.stack, siege.armies) > MOST:
        raise ValueError(says("the odds are reckoned for up to {0} armies on a side", MOST))
    return _answer(siege, siege.ends(rules), rules)


def _typed(question: OddsQuestion, rules: Rules) -> Siege:
    """Return the battle of ``question.forces``. Raises ``ValueError`` for text that is not understood."""
    sides = _VERSUS.split(question.forces.strip())
    if len(sides) != 2:
        raise ValueError(says("write who attacks and who defends, like {0}", EXAMPLES))
    stack = _armies_typed(sides[0])
    defenders = _armies_typed(sides[1])
    if not stack or len(defenders) != 1 or 0 in stack:
        raise ValueError(says("armies are written as numbers, and one side defends: {0}", EXAMPLES))
    if question.fortification >= len(rules.works):
        works = [says("{0} {1}", level, says(name)) for level, name in enumerate(rules.works) if name]
        levels = joined(works, ", ")
        raise ValueError(says("there are no works of level {0}, but {1}", question.fortification, levels))
    # without words for a place: these forces are at none
    return Siege("", tuple(stack), defenders[0], question.fortification)


def _armies_typed(side: str) -> list[int]:
    """Return the armies of each attack in a text like ``4 and 6``; empty for a text of another form."""
    matches = [_ARMIES.fullmatch(part.strip()) for part in _NEXT.split(side)]
    numbers = [int(match[1]) for match in matches if match]
    return numbers if len(numbers) == len(matches) else []


def _placed(table: GameData, state: World, question: OddsQuestion) -> Siege:
    """Return the attack of ``question.moves``, or without them all possible marches to ``question.place``.

    Raises ``ValueError`` if there is no such attack in this position.
    """
    provinces = state.provinces
    board = table.board
    code_of_name = {
        **{province: province for province in provinces},
        **{board.provinces[province].name: province for province in provinces},
    }
    if question.moves:
        target, marches = _marches_typed(question.moves, code_of_name)
    else:
        target = _named(question.place or "", code_of_name)
        marches = _marches_possible(board, state, target, question.party)
    for _, code in marches:
        if target not in board.neighbours[code]:
            neighbours = ", ".join(board.neighbours[target])
            raise ValueError(says("{0} is not next to {1}; next to it are {2}", code, target, neighbours))
    # without a number all armies of the province march
    stack = tuple(armies or provinces[code].armies for armies, code in marches)
    if not all(stack):
        raise ValueError(says("there are no armies to send"))
    defended = provinces[target]
    where = f"{board.provinces[target].name}, from {' and then '.join(code for _, code in marches)}"
    return Siege(where, stack, defended.armies, defended.fort)


def _named(word: str, code_of_name: Mapping[str, str]) -> str:
    """Return the code of the province that a typed word means. Raises ``ValueError`` if it means none."""
    return code_of_name[the_one(word, code_of_name, "province")]


def _marches_typed(
    moves: Sequence[tuple[str, str]], code_of_name: Mapping[str, str]
) -> tuple[str, list[March]]:
    """Return (target, marches) for moves that were typed as (source, target), at least one.

    A source is ``3 WESS`` or ``WESS``. Raises ``ValueError`` for an unknown province, or for several targets.
    """
    targets = [_named(target, code_of_name) for _, target in moves]
    marches = [_march(source, code_of_name) for source, _ in moves]
    target = targets[0]
    if any(other != target for other in targets):
        problem = says("ask about one target at a time: a stack of attacks goes for the same province")
        raise ValueError(problem)
    return target, marches


def _march(source: str, code_of_name: Mapping[str, str]) -> March:
    """Return (armies, province's code) from a typed source: ``3 WESS``, or ``WESS`` for all its armies.

    Raises ``ValueError`` for another text.
    """
    match = _MARCH.fullmatch(source.strip())
    if match is None:
        return None, _named("", code_of_name)  # an empty name: the error says which names there are
    armies = int(match[1]) if match[1] else None
    return armies, _named(match[2], code_of_name)


def _marches_possible(board: Board, state: World, target: str, party: str | None) -> list[March]:
    """Return the marches of all armies that one party has next to ``target``.

    It is ``party``; if that is None or owns the target, the owner of the first neighbouring province that can
    attack. Raises ``ValueError`` without any.
    """
    provinces = state.provinces
    owner = provinces[target].owner
    near = [provinces[neighbour] for neighbour in board.neighbours[target] if provinces[neighbour].armies]
    owners = {province.owner for province in near} if party in (None, owner) else {party}
    sources = [province for province in near if province.owner in owners - {NEUTRAL, owner}]
    if not sources:
        name = board.provinces[target].name
        raise ValueError(says("nobody stands beside {0} who could attack it", name))
    attacker = sources[0].owner
    return [(None, province.code) for province in sources if province.owner == attacker]


def _title(siege: Siege, rules: Rules) -> str:
    """Return the title of a battle: the place, if it is known, and both sides in words."""
    behind = f" behind a {rules.works[siege.fort]}" if siege.fort else ""
    stack = " and then ".join(map(str, siege.stack))
    sides = f"{stack} {'army' if siege.stack == (1,) else 'armies'} against {siege.armies}{behind}"
    return f"{siege.where}: {sides}" if siege.where else sides


def _answer(siege: Siege, ends: Ends, rules: Rules) -> OddsAnswer:
    """Return the odds of a battle in words, figures and a picture."""
    taken = _left(ends, ATTACKERS)
    defended = _left(ends, DEFENDERS)
    title = _title(siege, rules)
    shares = {
        "It is taken": sum(taken.values(), Fraction(0)),
        "It is held": sum(defended.values(), Fraction(0)),
    }
    tables = {"Attackers left when it is taken": taken, "Defenders left when it is held": defended}
    lines = [f"{title}. Counted, not tried: the chances are exact.", "", *_bars(shares), ""]
    for name, share_by_number in tables.items():
        total = sum(share_by_number.values())
        if total:
            mean = sum(left * share for left, share in share_by_number.items()) / total
            lines += [
                f"{name}: {float(mean):.2f} on average",
                *_bars(dict(sorted(share_by_number.items()))),
                "",
            ]
    figures: dict[str, Any] = {
        "attackers": list(siege.stack),
        "defenders": siege.armies,
        "fortification": siege.fort,
        "results": {"taken": _figure(shares["It is taken"]), "held": _figure(shares["It is held"])},
        "attackers_left": {str(left): _figure(share) for left, share in taken.items()},
        "defenders_left": {str(left): _figure(share) for left, share in defended.items()},
    }
    # without the empty line at the end
    return OddsAnswer(lines=tuple(lines[:-1]), figures=figures, picture=_picture(title, shares, tables))


def share_taken(siege: Siege, rules: Rules) -> float:
    """Return the probability that a place is taken, from 0 to 1."""
    return float(sum(_left(siege.ends(rules), ATTACKERS).values()))


def _left(ends: Ends, side: int) -> dict[int, Fraction]:
    """Return the probability of each number of armies that the winning ``side`` has left.

    Ends in which the other side wins are left out: defenders win if any of them is left.
    """
    shares_by_count: dict[int, Fraction] = {}
    for end, share in ends.items():
        winner = DEFENDERS if end[DEFENDERS] else ATTACKERS
        if winner == side:
            shares_by_count[end[side]] = shares_by_count.get(end[side], Fraction(0)) + share
    return shares_by_count


def _figure(share: Fraction) -> dict[str, Any]:
    """Return a probability as data: as a number and as an exact fraction."""
    return {"share": float(share), "exact": str(share)}


def _bars(shares: Mapping[Any, Fraction]) -> Iterator[str]:
    """Yield a line for each probability: its key (a title or a number), then the percentage, then a bar."""
    width = max(len(str(name)) for name in shares)
    for name, share in shares.items():
        bar = "█" * round(share * BAR) or "▏"  # at least a hairline
        yield f"  {name!s:>{width}}  {float(share):>6.1%}  {bar}"


def _picture(title: str, shares: Mapping[str, Fraction], tables: Mapping[str, Any]) -> Callable[[], str]:
    """Return a function that draws the probabilities as bars, in SVG.

    ``shares``: by result, in words; ``tables``: the probability of each number of armies left, by title.
    """
    parts = {"": shares, **{name: dict(sorted(table.items())) for name, table in tables.items()}}
    bars = [(name, _floats(part)) for name, part in parts.items() if part]
    return lambda: render("conqueror/odds.svg", {"title": title, "parts": bars})


def _floats(shares: Mapping[Any, Fraction]) -> list[tuple[str, float]]:
    """Return (label, probability) pairs for a drawing."""
    return [(str(name), float(share)) for name, share in shares.items()]


def weighed(rules: Rules, event: Event) -> str:
    """Return a sentence about the chances of a battle or a rising before its dice; empty for other events."""
    match event:
        case Fought(armies=attackers, defenders=defenders, fort=fort):
            share_won = 1.0  # nobody defends
            if defenders:
                ends = chances_of(attackers, defenders, fort, rules)
                share_won = float(sum(_left(ends, ATTACKERS).values()))
            return f"Of such battles the attacker wins {share_won:.1%}."
        case Rebelled(rebels=attackers, armies=defenders):
            return (
                f"Such provinces rise in {event.percent} of 100 turns: {attackers} rebels against "
                f"{defenders}."
            )
    return ""
