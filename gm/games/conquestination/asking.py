"""Answers about the odds of attacks.

They serve ``pbem odds``, the expected course in ``pbem check``, in receipts and at ``pbem play``, and ``pbem
why`` about a battle, all from the same tables.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import Any

from gm.core.diagnostics import said, says
from gm.core.dice import Source
from gm.core.values import Event
from gm.game.answers import Explanation, OddsAnswer, OddsQuestion, Preview
from gm.game.base.events import Written
from gm.game.base.position import COLOURS
from gm.game.values import GameData, the_one
from gm.games.conquestination.battle import Retreat
from gm.games.conquestination.cells import Pair
from gm.games.conquestination.forecast import Course, Prospect, Weighed, course_of_run, prospect
from gm.games.conquestination.odds import MOST, outlook
from gm.games.conquestination.orders import AttackModel, Orders, Turn
from gm.games.conquestination.rules import Board, Rules, Settings
from gm.games.conquestination.state import Assault, Campaign, Country, Player
from gm.text.pages import capitalised, counted, render
from gm.text.words import EventFormatter

BAR = 24  # The length of the bar of a certainty, in characters
SURE = 0.9995  # From this probability on nothing is said about it
ROWS = 12  # The most numbers of units left that are shown
# ``12 keep 2 rolls 3 vs 4, 3``: the attacker, when to break off, and the defenders one after another
_FORCES = re.compile(r"(\w+)((?: (?:keep|rolls) \d+)*) vs (\w+(?: ?, ?\w+)*)")
Phrase = Callable[..., str]
ENGLISH: Phrase = EventFormatter({}, {}, dict).phrase
EXAMPLES = says('"9 vs 10", "12 keep 2 vs 4, 3", or with a position "A1 vs C1, C2"')


def odds(table: GameData, state: Campaign | None, question: OddsQuestion, source: Source) -> OddsAnswer:
    """Return the exact odds of attacks, without dice; see :class:`gm.game.answers.OddsMaker`.

    Raises ``ValueError`` for a question that has no answer.
    """
    board = table.board
    until = Retreat()  # never, unless typed forces say when to break off
    if question.forces:
        board, state, marches, until = _typed(table, state, question.forces)
    elif state is None:
        raise ValueError(says("without a game, say how many fight: {0}", EXAMPLES))
    elif question.moves:
        marches = [(the_one(start, state.countries, "country"), target) for start, target in question.moves]
    else:
        marches = [(attacker, question.place or "") for attacker in _attackers(table.board, state, question)]
    named_marches = [(start, the_one(target, state.countries, "country")) for start, target in marches]
    for start, target in named_marches:
        if target not in board.neighbours[start]:
            raise ValueError(says("{0} is not next to {1}", board.called(target), board.called(start)))
    # if only a place is asked about, the marches are alternatives; else they are a chain
    each_alone = not (question.forces or question.moves)
    chances = _chances(table.evolve(board=board), state, named_marches, until, each_alone=each_alone)
    return _answer(board, chances, typed=board is not table.board)  # numbers have a map of their own


def _attackers(board: Board, state: Campaign, question: OddsQuestion) -> list[str]:
    """Return the countries that could attack the place in question. Raises ``ValueError`` if none could.

    If a party asks, they are its own countries only, unless the place is its own.
    """
    place = the_one(question.place or "", state.countries, "country")
    owner = state.countries[place].owner
    neighbours = board.neighbours[place]
    foreign = [neighbour for neighbour in neighbours if state.countries[neighbour].owner != owner]
    attackers = [
        country for country in foreign if question.party in (None, owner, state.countries[country].owner)
    ]
    if not attackers:
        raise ValueError(says("nobody can attack {0} now", board.called(place)))
    return attackers


def _typed(
    table: GameData, state: Campaign | None, forces: str
) -> tuple[Board, Campaign, list[Pair], Retreat]:
    """Return (board, position, marches, when to break off) for forces as they were typed.

    Numbers get a map made for them, countries are those of ``state``. Raises ``ValueError`` for other text.
    """
    match = _FORCES.fullmatch(" ".join(forces.split()))
    if not match:
        raise ValueError(says("write it like one of these: {0}", EXAMPLES))
    words = match[2].split()  # ``keep 2 rolls 3``
    until = Retreat(**{name: int(number) for name, number in zip(words[::2], words[1::2], strict=True)})
    names = [match[1], *re.split(" ?, ?", match[3])]
    if not all(name.isdigit() for name in names):
        if state is None:
            pattern = "countries need a position (--results FILE, --game FOLDER); without one, {0}"
            raise ValueError(says(pattern, EXAMPLES))
        countries = [the_one(name, state.countries, "country") for name in names]
        return table.board, state, list(pairwise(countries)), until
    # numbers with many more digits than the limit are not even read
    numbers = [int(name) for name in names if len(name) < len(str(MOST)) + 2]
    if len(numbers) < len(names) or not 0 < min(numbers) <= max(numbers) <= MOST:
        raise ValueError(says("a force has 1 to {0} units", MOST))
    board, position = _map_of(numbers, table.rules.attack.stay_behind)
    return board, position, list(pairwise(board.countries)), until


def _map_of(numbers: Sequence[int], stay: int) -> tuple[Board, Campaign]:
    """Return a map of countries in a row, and a position with these numbers of units in them.

    The first country is the attacker's. It has ``stay`` units more than its number: so many must stay behind.
    """
    codes = [f"A{number}" for number in range(1, len(numbers) + 1)]
    board = Board(name="typed", title="typed", continents={"A": ""}, cells=(" ".join(codes),))
    players = list(COLOURS)[:2]
    attacker, defender = players
    units_of_code = dict(zip(codes, numbers, strict=True))
    countries = {code: Country(owner=defender, units=units) for code, units in units_of_code.items()}
    countries[codes[0]] = Country(owner=attacker, units=numbers[0] + stay)
    parties = {code: Player(code=code, name=code.title(), colour=COLOURS[code]) for code in players}
    state = Campaign(turn=1, parties=parties, settings=Settings(), countries=countries)
    return board, state


def _chances(
    table: GameData, state: Campaign, marches: Sequence[Pair], retreat: Retreat, *, each_alone: bool
) -> list[tuple[str, Prospect]]:
    """Return (attacker's code, results) for ``marches`` as one chain, or for each of them alone."""
    lines = [
        AttackModel.model_validate({"from": source, "to": target}).meant(Written(line, 1, ""), until=retreat)
        for line, (source, target) in enumerate(marches, 1)
    ]
    groups = [(line,) for line in lines] if each_alone else [tuple(lines)]
    prospects = []
    for group in groups:
        code = state.countries[group[0].source].owner
        turn: Turn = Turn(state, 0, table.rules, table.board, {code: Orders(attacks=group)}, "")
        prospects.append((code, prospect(turn, code)))
    return prospects


def _answer(board: Board, chances: list[tuple[str, Prospect]], *, typed: bool) -> OddsAnswer:
    """Return the odds of attacks; with ``typed`` forces no countries are named in them.

    ``chances``: (attacker, results) of each chain. Raises ``ValueError`` if none of the attacks can be made.
    """
    # without chains whose first attack cannot be made
    chances = [(code, results) for code, results in chances if results.courses[0].reached]
    courses = list(chain.from_iterable(results.courses for _, results in chances))
    if not courses:
        pattern = "no such attack can be made: it needs an own country with units to spare, and a stranger's"
        raise ValueError(says(pattern))
    lines = ["Exactly, every roll counted:", ""]
    bars = []
    for course in courses:
        forces = f"{_mean(course.engaged)} against {_mean(course.against)}"
        countries = f"{board.called(course.source)} > {board.called(course.target)}"
        title = forces if typed else f"{countries}, {forces}"
        bars.append((title, course.won))
        lines.append(f"  {title:<34} {course.won:>6.1%}  {'█' * round(course.won * BAR) or '▏'}")
        lines.append(f"    {_reached(course)}{_course(course)}")
    if len(chances) == 1:
        _, results = chances[0]
        lines += _lines_of_units(results.left)
    figures = {"chains": [{"attacker": code, **_figures(results)} for code, results in chances]}
    drawn = partial(render, "conquestination/odds.svg", {"bars": bars})
    return OddsAnswer(lines=tuple(lines), figures=figures, picture=drawn)


def _lines_of_units(units_chances: Mapping[int, float]) -> Iterator[str]:
    """Yield the lines about the units left in the last country; ``units_chances``: the odds by number."""
    yield ""
    yield f"Units left in the last country, when it is taken ({sum(units_chances.values()):.1%}):"
    for units, chance in list(units_chances.items())[:ROWS]:
        yield f"  {units:>4} {chance:>7.2%}  {'█' * round(chance * BAR)}"
    if len(units_chances) > ROWS:
        yield f"  ... down to {min(units_chances)}"


def _mean(number: float) -> str:
    """Return a mean number of units as text: ``9``, or ``8.2`` on average."""
    return f"{number:.1f}".removesuffix(".0")


def _figures(expected: Prospect) -> dict[str, Any]:
    """Return the results of a player's lines as data."""
    return {
        "lines": [_course_figures(course) for course in expected.courses],
        "taken": _by_text(expected.taken),
        "left": _by_text(expected.left),
        "exact": expected.exact,
    }


def _course_figures(course: Course) -> dict[str, Any]:
    """Return a line's expected course as data."""
    return {
        "line": course.written.line,
        "source": course.source,
        "target": course.target,
        "reached": course.reached,
        "engaged": course.engaged,
        "against": course.against,
        "won": course.won,
        "left": course.left,
        "beaten": course.beaten,
    }


def _by_text(chances: Mapping[int, float]) -> dict[str, float]:
    """Return chances by their numbers as texts, as JSON has them."""
    return {str(number): chance for number, chance in chances.items()}


def _course(course: Course, phrase: Phrase = ENGLISH) -> str:
    """Return how a line may end, in words: ``5.2 units left if it is won, 2.0 defenders if not``."""
    units_left = f"{course.left:.1f}"
    beaten = f"{course.beaten:.1f}"
    if course.reached - course.won > 1 - SURE:  # it may well be carried out and not won
        return phrase(
            "{left} units left if it is won, {beaten} defenders if not", left=units_left, beaten=beaten
        )
    return phrase("{left} units left if it is won", left=units_left)


def _reached(course: Course, phrase: Phrase = ENGLISH) -> str:
    """Return in words how likely it is that a line is carried out; empty if it is as good as certain."""
    if course.reached > SURE:
        return ""
    return phrase("comes to it in {chance}: ", chance=f"{course.reached:.1%}")


# -- the expected course of an order file --------------------------------------------------------------------


def previewed(
    table: GameData,
    state: Campaign,
    realm: str,
    orders: Mapping[str, Orders],
    preview: Preview,
    formatter: EventFormatter,
) -> Preview:
    """Return ``preview`` with the expected results of attacks; as it is without any, and in run 0.

    If forces are too large, its course says so. ``orders``: the player's, and those assumed of others.
    """
    if state.run == 0 or not any(order.attacks for order in orders.values()):
        return preview
    turn: Turn = Turn(state, state.turn + 1, table.rules, table.board, orders, "trial")
    try:
        prospect_of_run, after = course_of_run(turn, realm)
    except ValueError as error:
        problem = capitalised(said(error.args[0], formatter.translate))
        return preview.evolve(course=(Explanation(f"{problem}."),))
    own_lines = _expected(table.board, prospect_of_run, formatter.phrase) if orders[realm].attacks else ()
    sentences = [*own_lines, *_kept(after, realm, assumed=len(orders) > 1, phrase=formatter.phrase)]
    return preview.evolve(
        course=(*preview.course, *map(Explanation, sentences)), figures=_figures(prospect_of_run)
    )


def _kept(cases: Weighed, code: str, *, assumed: bool, phrase: Phrase) -> Iterator[str]:
    """Yield how many countries a player will hold on average, in words, if others' orders are ``assumed``."""
    if assumed:
        countries = f"{sum(len(case.state.held(code)) * chance for case, chance in cases):.1f}"
        yield phrase(
            "If the others do what you assume, you hold {held} countries on average after the run.",
            held=countries,
        )


def _expected(board: Board, expected: Prospect, phrase: Phrase) -> Iterator[str]:
    """Yield the expected course of each line and of the turn in words."""
    for course in expected.courses:
        way_words = f"{board.called(course.source)} > {board.called(course.target)}"
        line_words = phrase(
            "Line {line}, {way}: {reached}",
            line=course.written.line,
            way=way_words,
            reached=_reached(course, phrase),
        )
        units = {
            "engaged": _mean(course.engaged),
            "against": _mean(course.against),
            "won": f"{course.won:.1%}",
        }
        if not course.reached:
            yield line_words + phrase("does not come to it.")
        elif course.moves:
            yield line_words + phrase("{engaged:unit}.", **units)
        else:
            course_words = _course(course, phrase)
            yield line_words + phrase(
                "{engaged} against {against}, wins in {won}; {more}.", **units, more=course_words
            )
    mean = f"{sum(number * chance for number, chance in expected.taken.items()):.1f}"
    most = max(expected.taken, key=expected.taken.__getitem__)
    chance = f"{expected.taken[most]:.1%}"
    yield phrase(
        "You take {mean} countries on average, most likely {most} ({chance}).",
        mean=mean,
        most=most,
        chance=chance,
    )
    if not expected.exact:
        yield phrase("The lines can go in too many ways: only the likeliest were followed.")


def after_roll(table: GameData, state: Campaign, assault: Assault, formatter: EventFormatter) -> str:
    """Return the question to an attacker between two rolls, with the odds up to ``MOST`` units (CN-7.7)."""
    defenders = state.countries[assault.target].units
    values = {"source": table.board.called(assault.source), "target": table.board.called(assault.target)}
    units = {"engaged": assault.engaged, "defenders": defenders}
    if max(assault.engaged, defenders) > MOST:
        return formatter.phrase(
            "{source} against {target}: {engaged} against {defenders}. Attack again?", **values, **units
        )
    won, _, _ = outlook(assault.engaged, defenders, table.rules.attack)
    question = (
        "{source} against {target}: {engaged} against {defenders}, which wins in {chance}. Attack again?"
    )
    return formatter.phrase(question, **values, **units, chance=f"{won:.0%}")


# -- the report and pbem why ---------------------------------------------------------------------------------


def weighed(rules: Rules, event: Event) -> str:
    """Return in words the odds of a battle and its luck; empty for other events and too large forces."""
    fought: Any = event
    if event.kind != "Fought" or max(fought.engaged, fought.defenders) > MOST:
        return ""
    won, left, stood = outlook(fought.engaged, fought.defenders, rules.attack)
    faces = [_faces(fought.rolls, side) for side in (0, 1)]
    mean = [f"{sum(face) / len(face):.2f}" for face in faces if face]
    return (
        f"{fought.engaged} against {fought.defenders} win in {won:.1%}, fought to the end: then {left:.1f} "
        f"are left on average, and {stood:.1f} of the defenders when they do not. In "
        f"{counted(len(fought.rolls), 'roll')} the dice showed {' against '.join(mean)} on average; "
        f"{(1 + rules.attack.die) / 2:.2f} is even."
    )


def _faces(rolls: Iterable[str], side: int) -> list[int]:
    """Return all faces that a side (0 attacker, 1 defender) threw in rolls that are written ``6 4 : 5``."""
    return list(map(int, " ".join(roll.split(" : ")[side] for roll in rolls).split()))
