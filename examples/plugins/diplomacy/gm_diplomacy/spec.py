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
from gm_diplomacy.board import Board
from gm_diplomacy.orders import LineReader, Orders, OrdersModel
from gm_diplomacy.state import Diplomacy, Rules, Settings, Unit
from gm_diplomacy.steps import STAGES

NOBODY = "NOBODY"


def _owner(table: GameData, state: Diplomacy, words: Sequence[str]) -> tuple[Diplomacy, str]:
    centre, power = (
        the_one(words[0], table.board.centres, "centre"),
        the_one(words[1], (*state.parties, NOBODY), "power"),
    )
    owners = {code: owner for code, owner in state.owners.items() if code != centre}
    owners |= {} if power == NOBODY else {centre: power}
    return state.evolve(owners=dict(sorted(owners.items()))), f"{centre} belongs to {power.title()}"


def _unit(table: GameData, state: Diplomacy, words: Sequence[str]) -> tuple[Diplomacy, str]:
    power, kind = the_one(words[0], state.parties, "power"), the_one(words[1], ("A", "F"), "kind of unit")
    places = table.board.fleet_ways if kind == "F" else table.board.army_ways
    unit = Unit(power=power, kind="F" if kind == "F" else "A", place=the_one(words[2], places, "place"))
    others = (each for each in state.units.values() if each.area != unit.area)
    return state.with_units((*others, unit)), f"{unit.name} of {power.title()} is there"


def _remove(table: GameData, state: Diplomacy, words: Sequence[str]) -> tuple[Diplomacy, str]:
    area = the_one(words[0], state.units, "area with a unit")
    gone = state.units[area]
    return state.with_units(each for each in state.units.values() if each != gone), f"{gone.name} is gone"


class DiplomacyGame(SmallGame[Diplomacy]):
    """See :class:`gm.game.base.hooks.Hooks` for what each member is for."""

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
        "owner": Correction("owner CENTRE POWER    e.g. owner BEL FRANCE, or NOBODY", _owner),
        "unit": Correction(
            "unit POWER KIND PLACE    e.g. unit FRANCE F SPA/SC: in the place of who stands there", _unit
        ),
        "remove": Correction("remove AREA    e.g. remove BUR", _remove),
    }
    tells_every_step = False
    page_styles = ("diplomacy/map.css",)
    head_clause = "DP-10.1"
    out_clause = "DP-7.3"

    def opening(self, table: GameData, settings: Settings, seed: str) -> Diplomacy:
        """DP-1.1."""
        board: Board = table.board
        parties = {
            code: Party(code=code, name=each.name, colour=each.colour) for code, each in board.powers.items()
        }
        units = [_started(code, text) for code, each in board.powers.items() for text in each.units]
        owners = {code: area.home for code, area in board.areas.items() if area.home}
        state = Diplomacy(parties=parties, settings=settings, year=table.rules.first_year, owners=owners)
        return state.with_units(units)

    def read_body(self, body: Body, table: GameData, state: Diplomacy) -> Orders:
        """DP-10.2."""
        return LineReader(body, table.board, state).orders()

    def draws(self, table: GameData, state: Diplomacy) -> bool:
        """DP-1.3: nothing is random."""
        return False

    def waiting(self, table: GameData, state: Diplomacy) -> frozenset[str]:
        """DP-1.2: who has nothing to order in this phase."""
        return frozenset(code for code in state.parties if not state.must_act(code))

    def label(self, state: Diplomacy, translate: Translate = str) -> str:
        """``spring 1901, moves``."""
        season = translate("winter") if state.phase == "adjustments" else translate(state.season)
        return f"{season} {state.year}, {translate(state.phase)}"

    def names(self, table: GameData, state: Diplomacy) -> Mapping[str, str]:
        board: Board = table.board
        names = {code: area.name for code, area in board.areas.items()}
        coasts = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}
        places = {place: place for place in (*board.fleet_ways, *board.areas)}
        names |= {place: f"{names[place[:3]]} ({coasts[place[4:]]})" for place in places if "/" in place}
        kinds = {"A": "the army", "F": "the fleet"}
        units = {
            f"{kind} {place}": f"{word} {names[place]}" for kind, word in kinds.items() for place in places
        }
        return {code: name for code, name in (units | names).items() if code not in state.parties}

    def figures(self, table: GameData, state: Diplomacy) -> Mapping[str, Mapping[str, float]]:
        """How the powers stand; a game without a victory is scored by centres."""
        counts = {code: (len(state.centres_of(code)), len(state.units_of(code))) for code in state.parties}
        return {code: {"centres": centres, "units": units} for code, (centres, units) in counts.items()}

    def narrowed(
        self, schema: dict[str, Any], table: GameData, state: Diplomacy, code: str
    ) -> dict[str, Any]:
        return schema


def _started(power: str, text: str) -> Unit:
    kind, place = text.split()
    return Unit(power=power, kind="F" if kind == "F" else "A", place=place)


SPEC: GameSpec[Diplomacy] = DiplomacyGame()
