"""CONQUEST 0.0.2 as a game of this program, and the corrections that a GM can make in it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from gm.core.diagnostics import says
from gm.core.dice import Dice
from gm.core.pipeline import Outcome
from gm.core.values import Event
from gm.game.answers import Explanation
from gm.game.base.position import COLOURS
from gm.game.base.reading import Body
from gm.game.base.small_game import SmallGame
from gm.game.corrections import Correction
from gm.game.spec import GameSpec
from gm.game.values import GameData, the_one, whole
from gm.games.conquest_structures.events import FoughtAt, FoughtOnLink, UnitsBuilt
from gm.games.conquest_structures.forecast import course
from gm.games.conquest_structures.orders import LineReader, Orders, OrdersModel
from gm.games.conquest_structures.rules import Board, Rules, Settings
from gm.games.conquest_structures.state import NEUTRAL, Conquest, Player, Unit
from gm.games.conquest_structures.steps import STAGES
from gm.games.conquest_structures.symmetric import MADE, made_board
from gm.text.words import EventFormatter


def _wrong_size(board: Board, most: int, seats: int) -> str:
    """Return why a map that is for at most ``most`` players is not for so many ``seats`` (CS-2.2)."""
    numbers = "2" if most == 2 else says("2 to {0}", most)
    return says("{0} is for {1} players, not for {2} (CS-2.2)", says(board.title), numbers, seats)


# The corrections: each takes the words after its name in the command, and returns the new state and the
# change in words. It raises ``ValueError`` for words that it does not understand.


def _owner(table: GameData, state: Conquest, words: Sequence[str]) -> tuple[Conquest, str]:
    """Correct a structure's owner; return the state and the change in words. ``words``: place, player."""
    place = the_one(words[0], state.owners, "structure")
    owner = the_one(words[1], (*state.parties, NEUTRAL), "player")
    name = says("nobody") if owner == NEUTRAL else state.parties[owner].name
    return state.with_owners({place: owner}), says("{0} belongs to {1}", place, name)


def _add(table: GameData, state: Conquest, words: Sequence[str]) -> tuple[Conquest, str]:
    """Add a unit at a structure; return the state and the change in words. ``words``: unit type, place."""
    kind = the_one(words[0], table.rules.units, "unit type")
    place = the_one(words[1], state.owners, "structure")
    effect = says("there is a new {0}, {1}, in {2}", kind, f"u{state.next_unit}", place)
    return state.with_new(place, [kind]), effect


def _remove(table: GameData, state: Conquest, words: Sequence[str]) -> tuple[Conquest, str]:
    """Remove a unit; return the state and the change in words. ``words``: its id."""
    unit = _unit(state, words[0])
    effect = says("{0} {1} is gone from {2}", unit.type, unit.id, unit.place)
    return state.with_units((), [unit.number]), effect


def _marks(table: GameData, state: Conquest, words: Sequence[str]) -> tuple[Conquest, str]:
    """Correct a unit's number of marks; return the state and the change in words. ``words``: id, number."""
    unit = _unit(state, words[0])
    marks = whole(words[1], "number of marks", 0, table.rules.marks.cap)
    effect = says("{0} {1} in {2} has {3} marks", unit.type, unit.id, unit.place, marks)
    return state.with_units([unit.evolve(marks=marks)]), effect


def _unit(state: Conquest, word: str) -> Unit:
    """Return the unit whose id a word is. Raises ``ValueError`` if there is none."""
    unit_id = the_one(word, [unit.id for unit in state.units.values()], "unit")
    return state.units[int(unit_id.removeprefix("u"))]


class ConquestFormatter(EventFormatter):
    """Writes the strength of each party in a conflict: ``Red 4 to Blue 1``."""

    def figure(self, value: Any, name: str) -> str:
        """Return the value of the event's field ``name`` as text for its sentence."""
        if name == "strengths":
            return self.translate(" to ").join(
                f"{self.called(owner)} {strength}" for owner, strength in value.items()
            )
        return self.words(value, name)


class ConquestGame(SmallGame[Conquest]):
    """CONQUEST 0.0.2; :class:`gm.game.base.hooks.Hooks` describes each member."""

    key = "conquest-structures"
    title = "CONQUEST"
    battle_events = ("FoughtAt", "FoughtOnLink")
    default_map = "duel-11"
    land = "cities"
    state_type = Conquest
    board_type = Board
    rules_type = Rules
    settings_type = Settings
    order_model = OrdersModel
    stages = STAGES
    adviser = "marshal"
    corrections: ClassVar[Mapping[str, Correction]] = {
        "owner": Correction("owner PLACE PLAYER    e.g. owner R1 BLUE, or NEUTRAL", _owner),
        "add": Correction(
            "add TYPE PLACE    e.g. add infantry H1: it belongs to the owner of the place", _add
        ),
        "remove": Correction("remove UNIT    e.g. remove u7", _remove),
        "marks": Correction("marks UNIT NUMBER    e.g. marks u7 0", _marks),
    }
    formatter_class = ConquestFormatter
    tells_every_step = True
    page_styles = ("conquest-structures/map.css",)
    edition = 2
    head_clause = "CS-14.2"
    out_clause = "CS-12.6"

    def generated(self, board: Board, settings: Settings, seed: str) -> Board:
        """Return ``board``, or a new map of as many equal sectors as players if it has a ``wheel`` (CS-18.1).

        The wheel has the figures of the new map, which is made by the ``seed``. Raises ``ValueError`` if the
        map is not for so many players, or if none is found with these figures.
        """
        if board.wheel is None:
            return board
        sectors = settings.players if settings.players is not None else board.wheel.players
        allowed = self.players_on(board)
        if sectors not in allowed:
            raise ValueError(_wrong_size(board, allowed[-1], sectors))
        return made_board(board, board.wheel, sectors, seed)

    def own_board(self, table: GameData) -> bool:
        """Return whether the map was generated, so that results must contain it."""
        return str(table.board.name).startswith(MADE)

    size_option = "players"

    def players_on(self, board: Board) -> range:
        """Return the possible numbers of players (CS-2.2).

        They are from two up to the number of homes; on a generated map, up to that of colours less two.
        """
        most = len(board.homes) if board.wheel is None else len(COLOURS) - 2
        return range(2, most + 1)

    def chosen(self, settings: Settings, board: Board, people: int) -> Settings:
        """Return the settings with the number of players (CS-2.2).

        It is as chosen, else the number of people if they are two or more, else as many as the map has homes.
        Raises ``ValueError`` if the map is not for so many.
        """
        most = len(board.homes)
        seats = settings.players
        if seats is None:
            seats = people if people >= 2 else most
        if not 2 <= seats <= most:
            raise ValueError(_wrong_size(board, most, seats))
        return settings.evolve(players=seats)

    def draws(self, table: GameData, state: Conquest) -> bool:
        """Return false: nothing in a turn is random (CS-1.3)."""
        return False

    def opening(self, table: GameData, settings: Settings, seed: str) -> Conquest:
        """Return the start position (CS-4.5, CS-4.8).

        Homes are drawn by seat (D1, CS-15.3) where the settings say so.
        """
        board = table.board
        count = settings.players or len(board.homes)
        codes = list(COLOURS)[:count]
        homes = board.seats.get(count, board.homes[:count])
        if settings.homes == "draw":
            dice = Dice(seed, "creation", "D1")
            undrawn = list(board.homes)
            homes = [undrawn.pop(dice(code).below(len(undrawn))) for code in codes]
        seats = dict(zip(codes, homes, strict=True))
        parties = {
            code: Player(code=code, name=code.title(), colour=COLOURS[code], home=home)
            for code, home in seats.items()
        }
        owners = dict.fromkeys(board.structures, NEUTRAL) | {home: code for code, home in seats.items()}
        types: list[str] = []  # of the units in each home
        for unit_type in table.rules.units:
            types += [unit_type] * settings.start_units.get(unit_type, 0)
        start = Conquest(parties=parties, settings=settings, owners=owners)
        for home in homes:
            start = start.with_new(home, types)
        return start

    def read_body(self, body: Body, table: GameData, state: Conquest) -> Orders:
        """Return the orders of a file (CS-6.7, CS-13.1)."""
        return LineReader(body, table.rules, table.board).orders()

    def forecast(
        self,
        table: GameData,
        before: Conquest,
        outcome: Outcome[Conquest],
        code: str,
        formatter: EventFormatter,
    ) -> Iterable[Explanation]:
        return course(table, before, outcome, code, formatter)

    def names(self, table: GameData, state: Conquest) -> Mapping[str, str]:
        units = {unit.id: says(f"{{0}} {unit.id}", says(unit.type)) for unit in state.units.values()}
        kinds = (*table.rules.units, *table.rules.structures)
        return {NEUTRAL: "neutral", **{kind: kind for kind in kinds}, **units}

    def narrowed(self, schema: dict[str, Any], table: GameData, state: Conquest, code: str) -> dict[str, Any]:
        lines = self.module("report").possible_lines(table.rules, table.board, state, code)
        schema["properties"]["orders"]["anyOf"][0]["items"]["examples"] = lines
        return schema

    def owners(self, table: GameData, state: Conquest) -> Mapping[str, str]:
        return {place: owner for place, owner in state.owners.items() if owner != NEUTRAL}

    def fought_at(self, event: Event) -> tuple[str, ...]:
        if isinstance(event, FoughtOnLink):
            return event.place, event.other
        return (event.place,) if isinstance(event, FoughtAt) else ()

    def built_at(self, event: Event, after: Conquest) -> tuple[str, tuple[str, ...]]:
        if not isinstance(event, UnitsBuilt):
            return "", ()
        types = {unit.id: unit.type for unit in after.units.values()}
        return event.place, tuple(types[unit] for unit in event.units if unit in types)

    def figures(self, table: GameData, state: Conquest) -> Mapping[str, Mapping[str, float]]:
        """Return the figures of each player, by code and name; cities, the first, score a game (CS-12.8)."""
        figures: dict[str, Mapping[str, float]] = {}
        for code in state.parties:
            cities, structures = state.standing(code, table.board, table.rules)
            allowed, used, _ = state.capacity(code, table.rules)
            counts = {"cities": cities, "structures": structures, "units": len(state.units_of(code))}
            supply = sum(table.rules.kind_of(place).supply for place in state.owned_by(code))
            figures[code] = {**counts, "PopCap": allowed, "used": used, "supply": supply}
        return figures


SPEC: GameSpec[Conquest] = ConquestGame()
