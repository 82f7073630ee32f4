"""The exact odds of attacks (CQ-7): duels, battles behind works, stacks of attacks one after another.

The chances follow from the same figures as the battles of a turn (``figures.chances_of``).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

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

MOST = 300  # Of larger armies nobody reckons the odds to the last one
BAR = 24  # How long the bar of a certainty is
EXAMPLES = '"8 vs 5", "4 and 6 vs 5", or with a position WESS:MERC after --march'
_VERSUS = re.compile(r"\s+(?:vs\.?|against)\s+", re.IGNORECASE)
_NEXT = re.compile(r"\s+and\s+|\s*,\s*|\s*\+\s*", re.IGNORECASE)
_ARMIES = re.compile(r"(\d{1,4})(?: arm(?:y|ies))?", re.IGNORECASE)
_MARCH = re.compile(r"(?:(\d{1,4}) +)?(.+)")

March = tuple[int | None, str]  # So many armies from a province; none: all that are there
Ends = Mapping[tuple[int, int], Fraction]  # How likely so many attackers and defenders are left


class Siege(Record):
    """Attacks on a place, the first on top of its stack, against armies behind works of a level."""

    where: str
    stack: tuple[int, ...]
    armies: int
    fort: int

    def ends(self, rules: Rules) -> Ends:
        """Return the probability of each end of all attacks.

        Attackers of a place that is already taken move in (CQ-6.7).
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
                for (mine, theirs), chance in fight.items():
                    end = inside + mine, theirs
                    after[end] = after.get(end, Fraction(0)) + share * chance
            chances = after
        return chances


def odds(table: GameData, state: World | None, question: OddsQuestion, source: Source) -> OddsAnswer:
    """Return the exact odds, without dice; see :class:`gm.game.answers.OddsMaker`."""
    rules: Rules = state.settings.applied(table.rules) if state else table.rules
    if question.forces:
        siege = _typed(question, rules)
    elif state is None:
        raise ValueError(f"without a game, say how many fight: {EXAMPLES}")
    else:
        siege = _placed(table, state, question)
    if max(*siege.stack, siege.armies) > MOST:
        raise ValueError(f"the odds are reckoned for up to {MOST} armies on a side")
    return _answer(siege, siege.ends(rules), rules)


def _typed(question: OddsQuestion, rules: Rules) -> Siege:
    """Return the battle of forces that were typed. Raises ``ValueError`` for text that is not understood."""
    sides = _VERSUS.split(question.forces.strip())
    if len(sides) != 2:
        raise ValueError(f"write who attacks and who defends, like {EXAMPLES}")
    stack = _armies_typed(sides[0])
    defenders = _armies_typed(sides[1])
    if not stack or len(defenders) != 1 or 0 in stack:
        raise ValueError(f"armies are written as numbers, and one side defends: {EXAMPLES}")
    if question.fortification >= len(rules.works):
        levels = ", ".join(f"{level} {name}" for level, name in enumerate(rules.works) if name)
        raise ValueError(f"there are no works of level {question.fortification}, but {levels}")
    return Siege("", tuple(stack), defenders[0], question.fortification)


def _armies_typed(side: str) -> list[int]:
    """Return the armies of a side, attack by attack; empty if the text is something else."""
    matches = [_ARMIES.fullmatch(part.strip()) for part in _NEXT.split(side)]
    numbers = [int(match[1]) for match in matches if match]
    return numbers if len(numbers) == len(matches) else []


def _placed(table: GameData, state: World, question: OddsQuestion) -> Siege:
    """Return the attack in question: moves of a party, or all possible ones to a place."""
    provinces = state.provinces
    board = table.board
    names = {
        **{province: province for province in provinces},
        **{board.provinces[province].name: province for province in provinces},
    }
    if question.moves:
        target, marches = _marches_typed(question.moves, names)
    else:
        target = _named(question.place or "", names)
        marches = _marches_possible(board, state, target, question.party)
    for _, code in marches:
        if target not in board.neighbours[code]:
            raise ValueError(
                f"{code} is not next to {target}; next to it are {', '.join(board.neighbours[target])}"
            )
    stack = tuple(armies or provinces[code].armies for armies, code in marches)
    if not all(stack):
        raise ValueError("there are no armies to send")
    land = provinces[target]
    where = f"{board.provinces[target].name}, from {' and then '.join(code for _, code in marches)}"
    return Siege(where, stack, land.armies, land.fort)


def _named(word: str, names: Mapping[str, str]) -> str:
    """Return the code of a province from a name that was typed."""
    return names[the_one(word, names, "province")]


def _marches_typed(moves: Iterable[tuple[str, str]], names: Mapping[str, str]) -> tuple[str, list[March]]:
    """Return the target of some moves, and the marches to it. Raises ``ValueError`` for several targets."""
    typed_moves = [(_MARCH.fullmatch(source.strip()), _named(target, names)) for source, target in moves]
    marches = [_march(match, names) for match, _ in typed_moves]
    target = typed_moves[0][1]
    if any(other != target for _, other in typed_moves):
        raise ValueError("ask about one target at a time: a stack of attacks goes for the same province")
    return target, marches


def _march(match: re.Match[str] | None, names: Mapping[str, str]) -> March:
    """Return a march as it was typed: ``3 WESS``, or ``WESS``."""
    if match is None:
        return None, _named("", names)
    return int(match[1]) if match[1] else None, _named(match[2], names)


def _marches_possible(board: Board, state: World, target: str, party: str | None) -> list[March]:
    """Return all possible marches to a place: of a party, or of the first neighbour."""
    provinces = state.provinces
    owner = provinces[target].owner
    near = [provinces[neighbour] for neighbour in board.neighbours[target] if provinces[neighbour].armies]
    owners = {province.owner for province in near} if party in (None, owner) else {party}
    come = [province for province in near if province.owner in owners - {NEUTRAL, owner}]
    if not come:
        raise ValueError(f"nobody stands beside {board.provinces[target].name} who could attack it")
    return [(None, province.code) for province in come if province.owner == come[0].owner]


def _title(siege: Siege, rules: Rules) -> str:
    """Return the title of a battle: both sides and the place."""
    behind = f" behind a {rules.works[siege.fort]}" if siege.fort else ""
    stack = " and then ".join(map(str, siege.stack))
    who = f"{stack} {'army' if siege.stack == (1,) else 'armies'} against {siege.armies}{behind}"
    return f"{siege.where}: {who}" if siege.where else who


def _answer(siege: Siege, ends: Ends, rules: Rules) -> OddsAnswer:
    """Return the odds of a battle in words, figures and a picture."""
    taken = _left(ends, 0)
    defended = _left(ends, 1)
    title = _title(siege, rules)
    shares = {
        "It is taken": sum(taken.values(), Fraction(0)),
        "It is held": sum(defended.values(), Fraction(0)),
    }
    tables = {"Attackers left when it is taken": taken, "Defenders left when it is held": defended}
    lines = [f"{title}. Counted, not tried: the chances are exact.", "", *_bars(shares), ""]
    for name, table_of_part in tables.items():
        total = sum(table_of_part.values())
        if total:
            mean = sum(left * share for left, share in table_of_part.items()) / total
            lines += [
                f"{name}: {float(mean):.2f} on average",
                *_bars(dict(sorted(table_of_part.items()))),
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
    return OddsAnswer(lines=tuple(lines[:-1]), figures=figures, picture=_picture(title, shares, tables))


def share_taken(siege: Siege, rules: Rules) -> float:
    """Return the probability that a place is taken, from 0 to 1."""
    return float(sum(_left(siege.ends(rules), 0).values()))


def _left(ends: Ends, side: int) -> dict[int, Fraction]:
    """Return the probabilities of each number of armies left on a side, when the other has none."""
    shares_by_count: dict[int, Fraction] = {}
    for left, share in ends.items():
        if bool(left[1]) == bool(side):
            shares_by_count[left[side]] = shares_by_count.get(left[side], Fraction(0)) + share
    return shares_by_count


def _figure(share: Fraction) -> dict[str, Any]:
    return {"share": float(share), "exact": str(share)}


def _bars(shares: Mapping[Any, Fraction]) -> Iterator[str]:
    wide = max(len(str(share)) for share in shares)
    for name, share in shares.items():
        yield f"  {name!s:>{wide}}  {float(share):>6.1%}  {'█' * round(share * BAR) or '▏'}"


def _picture(title: str, shares: Mapping[str, Fraction], tables: Mapping[str, Any]) -> Callable[[], str]:
    """Return the function that draws the chances as bars."""
    parts = {"": shares, **{name: dict(sorted(table.items())) for name, table in tables.items()}}
    bars = [(name, _floats(part)) for name, part in parts.items() if part]
    return lambda: render("conqueror/odds.svg", {"title": title, "parts": bars})


def _floats(shares: Mapping[Any, Fraction]) -> list[tuple[str, float]]:
    """Return probabilities as numbers for a drawing, each with its label."""
    return [(str(name), float(share)) for name, share in shares.items()]


def weighed(rules: Rules, event: Event) -> str:
    """Return the expected result of a battle before its dice."""
    match event:
        case Fought(armies=attackers, defenders=defenders, fort=fort):
            taken = sum(_left(chances_of(attackers, defenders, fort, rules), 0).values()) if defenders else 1
            return f"Of such battles the attacker wins {float(taken):.1%}."
        case Rebelled(rebels=attackers, armies=defenders):
            return (
                f"Such provinces rise in {event.percent} of 100 turns: {attackers} rebels against "
                f"{defenders}."
            )
    return ""
