"""Classic Diplomacy as gm sees it, and what a game master may correct of it."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from gm.game.base.position import Party
from gm.game.base.reading import Body
from gm.game.base.small_game import SmallGame
from gm.game.corrections import Correction
from gm.game.spec import GameSpec
from gm.game.values import GameData, the_one
from gm.text.languages import Translate
from gm_diplomacy.board import Board, area_of
from gm_diplomacy.orders import Orders, OrdersModel
from gm_diplomacy.reading import LineReader
from gm_diplomacy.state import Diplomacy, Rules, Settings, Unit
from gm_diplomacy.steps import STAGES

NOBODY = "NOBODY"  # the owner of a free centre, in a correction
COASTS = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}


def _give_centre(table: GameData, state: Diplomacy, words: Sequence[str]) -> tuple[Diplomacy, str]:
    """Return the position in which a centre belongs to a power, or to nobody, and a sentence about it."""
    centre = the_one(words[0], table.board.centres, "centre")
    power = the_one(words[1], (*state.parties, NOBODY), "power")
    owners = {**state.owners, centre: power}
    if power == NOBODY:
        del owners[centre]
    return state.evolve(owners=dict(sorted(owners.items()))), f"{centre} belongs to {power.title()}"


def _put_unit(table: GameData, state: Diplomacy, words: Sequence[str]) -> tuple[Diplomacy, str]:
    """Return the position with a unit in place of the one that was in its area, and a sentence about it."""
    power = the_one(words[0], state.parties, "power")
    kind = the_one(words[1], ("A", "F"), "kind of unit")
    places = table.board.fleet_ways if kind == "F" else table.board.army_ways
    unit = Unit(power=power, kind="F" if kind == "F" else "A", place=the_one(words[2], places, "place"))
    others = (other for other in state.units.values() if other.area != unit.area)
    return state.with_units((*others, unit)), f"{unit.name} of {power.title()} is there"


def _remove_unit(table: GameData, state: Diplomacy, words: Sequence[str]) -> tuple[Diplomacy, str]:
    """Return the position without the unit of an area, and a sentence about it."""
    unit = state.units[the_one(words[0], state.units, "area with a unit")]
    return state.with_units(other for other in state.units.values() if other != unit), f"{unit.name} is gone"


class DiplomacyGame(SmallGame[Diplomacy]):
    """See :class:`gm.game.base.hooks.Hooks` for what each member is for.

    pbem finds the modules ``bots``, ``choices`` and ``report`` of this package by their names.
    """

    key = "diplomacy"
    title = "Diplomacy"
    default_map = "standard"
    land = "centres"
    state_type = Diplomacy
    board_type = Board
    rules_type = Rules
    settings_type = Settings
    order_model = OrdersModel
    stages = STAGES
    corrections: ClassVar[Mapping[str, Correction]] = {
        "owner": Correction("owner CENTRE POWER    e.g. owner BEL FRANCE, or NOBODY", _give_centre),
        "unit": Correction(
            "unit POWER KIND PLACE    e.g. unit FRANCE F SPA/SC: in the place of who stands there", _put_unit
        ),
        "remove": Correction("remove AREA    e.g. remove BUR", _remove_unit),
    }
    tells_every_step = False
    page_styles = ("diplomacy/map.css",)
    head_clause = "DP-10.1"
    out_clause = "DP-7.3"

    def opening(self, table: GameData, settings: Settings, seed: str) -> Diplomacy:
        """Return the position at the start: the powers with their homes and units (DP-1.1)."""
        board: Board = table.board
        parties = {}
        units = []
        for code, power in board.powers.items():
            parties[code] = Party(code=code, name=power.name, colour=power.colour)
            units += [_unit_of(code, text) for text in power.units]
        owners = {code: area.home for code, area in board.areas.items() if area.home}
        state = Diplomacy(parties=parties, settings=settings, year=table.rules.first_year, owners=owners)
        return state.with_units(units)

    def read_body(self, body: Body, table: GameData, state: Diplomacy) -> Orders:
        """Return a power's orders from its file (DP-10.2)."""
        return LineReader(body, table.board, state).orders()

    def draws(self, table: GameData, state: Diplomacy) -> bool:
        """Return whether anything is decided by chance: nothing is (DP-1.3)."""
        return False

    def waiting(self, table: GameData, state: Diplomacy) -> frozenset[str]:
        """Return the codes of the powers that have nothing to order in this phase (DP-1.2)."""
        return frozenset(code for code in state.parties if not state.must_act(code))

    def label(self, state: Diplomacy, translate: Translate = str) -> str:
        """Return what a turn is called: ``spring 1901, moves``."""
        season = translate("winter") if state.phase == "adjustments" else translate(state.season)
        return f"{season} {state.year}, {translate(state.phase)}"

    def names(self, table: GameData, state: Diplomacy) -> Mapping[str, str]:
        """Return the names of all places and of the units that can be there, by how orders call them.

        The codes of powers are left out: reports name these by themselves.
        """
        board: Board = table.board
        places = {}
        for place in (*board.fleet_ways, *board.areas):
            area = board.areas[area_of(place)].name
            places[place] = f"{area} ({COASTS[place[4:]]})" if "/" in place else area
        armies = {f"A {place}": f"the army {name}" for place, name in places.items()}
        fleets = {f"F {place}": f"the fleet {name}" for place, name in places.items()}
        names = armies | fleets | places
        return {code: name for code, name in names.items() if code not in state.parties}

    def figures(self, table: GameData, state: Diplomacy) -> Mapping[str, Mapping[str, float]]:
        """Return how many centres, which are its score, and how many units each power has, by its code."""
        return {
            power: {"centres": len(state.centres_of(power)), "units": len(state.units_of(power))}
            for power in state.parties
        }

    def narrowed(
        self, schema: dict[str, Any], table: GameData, state: Diplomacy, code: str
    ) -> dict[str, Any]:
        return schema


def _unit_of(power: str, text: str) -> Unit:
    """Return the unit that map.yaml gives a power at the start; ``text``: such as ``A PAR``."""
    kind, place = text.split()
    return Unit(power=power, kind="F" if kind == "F" else "A", place=place)


SPEC: GameSpec[Diplomacy] = DiplomacyGame()
