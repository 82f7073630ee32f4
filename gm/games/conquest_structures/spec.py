"""CONQUEST 0.0.2 as the kernel and the commands see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gm.game.base.hooks import Scene
from gm.game.base.reading import Body
from gm.game.base.small_game import SmallGame
from gm.game.base.views import Fact, Part, Section
from gm.game.spec import GameSpec
from gm.game.values import GameData, MapView
from gm.games.conquest_structures import events as events  # every event class is known once this is
from gm.games.conquest_structures.board import Board
from gm.games.conquest_structures.correcting import CORRECTIONS
from gm.games.conquest_structures.orders import LineReader, Orders, OrdersModel
from gm.games.conquest_structures.pipeline import STAGES
from gm.games.conquest_structures.rules import Rules, Settings
from gm.games.conquest_structures.state import NEUTRAL, Conquest, broken, capacity, opening
from gm.games.conquest_structures.steps.ending import standing
from gm.games.conquest_structures.steps.supplying import networks
from gm.text.sentences import EventFormatter

if TYPE_CHECKING:
    from gm.game.values import Bot


class ConquestTeller(EventFormatter):
    """Says how strong each party in a conflict was: ``Red 4 to Blue 1``."""

    def figure(self, value: Any, name: str) -> str:
        """A field as it goes into its sentence."""
        if name == "strengths":
            return " to ".join(f"{self.called(owner)} {strength}" for owner, strength in value.items())
        return self.words(value, name)


class ConquestGame(SmallGame[Conquest]):
    """See :class:`gm.game.base.hooks.Hooks` for what each member is for."""

    key = "conquest-structures"
    title = "CONQUEST"
    default_map = "duel-11"
    state_type = Conquest
    board_type = Board
    rules_type = Rules
    settings_type = Settings
    order_model = OrdersModel
    stages = STAGES
    corrections = CORRECTIONS
    formatter_class = ConquestTeller
    tells_every_step = True
    edition = 2
    head_clause = "CS-14.2"

    def unless_chosen(self) -> Mapping[str, object]:
        """CS-2.2."""
        return {"players": "as many as are named; else as many as the map has homes"}

    def chosen(self, settings: Settings, board: Board, people: int) -> Settings:
        """CS-2.2: from two players up to the number of homes; as many as were named, if that is not said."""
        most = len(board.homes)
        wanted = settings.players if settings.players is not None else people if people >= 2 else most
        if not 2 <= wanted <= most:
            allowed = "2" if most == 2 else f"2 to {most}"
            raise ValueError(f"{board.title} is for {allowed} players, not for {wanted} (CS-2.2)")
        return settings.evolve(players=wanted)

    def draws(self, table: GameData, state: Conquest) -> bool:
        """CS-1.3: nothing in a turn is random."""
        return False

    def opening(self, table: GameData, settings: Settings, seed: str) -> Conquest:
        """CS-4.5, CS-4.8; the homes are drawn by seat (D1, CS-15.3) where the settings say so."""
        from gm.core.dice import Dice

        dice = Dice(seed, "creation", "D1")
        return opening(table.board, table.rules, settings, lambda seat, count: dice(seat).below(count))

    def read_body(self, body: Body, table: GameData, state: Conquest) -> Orders | None:
        """CS-6.7, CS-13.1. The file of a player who is out is set aside."""
        player = state.parties[body.realm]
        if player.out:
            body.error(body.root, "out", f"{player.name} is out of the game: {player.status}", clause="CS-12.6")
            return None
        return LineReader(body, table.rules, table.board).orders()

    def template_lines(self, table: GameData, state: Conquest, code: str) -> Sequence[str]:
        """CS-13.1 with the player's own places in it."""
        from gm.games.conquest_structures.report import template_lines

        return template_lines(table.rules, table.board, state, code)

    def names(self, table: GameData, state: Conquest) -> Mapping[str, str]:
        """The neutrals, and each unit with its type."""
        return {NEUTRAL: "neutral", **{unit.id: f"{unit.type} {unit.id}" for unit in state.units.values()}}

    def broken(self, table: GameData, state: Conquest) -> Sequence[str]:
        """CS-3.6 and what else must hold."""
        return broken(state, table.board, table.rules)

    def narrowed(self, schema: dict[str, Any], table: GameData, state: Conquest, code: str) -> dict[str, Any]:
        """The lines that make sense now, as examples that an editor offers."""
        from gm.games.conquest_structures.report import possible_lines

        lines = possible_lines(table.rules, table.board, state, code)
        schema["properties"]["orders"]["anyOf"][0]["items"] = {"type": "string", "examples": lines}
        return schema

    def end_reason(self, state: Conquest) -> str:
        """Told by the event of the win."""
        return ""

    # -- what people see ---------------------------------------------------------------------------------------------

    def facts(self, scene: Scene) -> Sequence[Fact]:
        """PopCap, cities, units."""
        from gm.games.conquest_structures.report import facts

        return tuple(facts(scene))

    def sections(self, scene: Scene) -> Sequence[Section]:
        """CS-15.4, CS-15.5."""
        from gm.games.conquest_structures.report import sections

        return tuple(sections(scene))

    def writing_parts(self, scene: Scene) -> Sequence[Part]:
        """What each group of units could do."""
        from gm.games.conquest_structures.report import choices

        return tuple(choices(scene))

    def handbook_tables(self, table: GameData) -> Sequence[Part]:
        """Units and structures."""
        from gm.games.conquest_structures.report import rule_tables

        return rule_tables(table.rules)

    def draw(self, table: GameData, state: Conquest, view: MapView) -> str:
        """The map with owners, units, supply lines and what moved."""
        from gm.games.conquest_structures.drawing import draw

        return draw(table.rules, table.board, state, view)

    # -- programs that play ------------------------------------------------------------------------------------------

    @property
    def bots(self) -> Mapping[str, Bot]:
        """A careful one, and one that plays at random."""
        from gm.games.conquest_structures.bots import BOTS

        return BOTS

    def figures(self, table: GameData, state: Conquest) -> Mapping[str, Mapping[str, float]]:
        """How the players stand; a game without a victory is scored by cities (CS-12.8)."""
        found: dict[str, Mapping[str, float]] = {}
        for code in state.parties:
            held, structures = standing(state, code, table.board, table.rules)
            allowed, used = capacity(state, code, table.rules)
            blocks = list(networks(state, code, table.board))
            supply = sum(table.rules.kind_of(place).supply for block in blocks for place in block)
            found[code] = {
                "cities": held,
                "structures": structures,
                "units": len(state.units_of(code)),
                "PopCap": allowed,
                "used": used,
                "supply": supply,
            }
        return found


SPEC: GameSpec[Conquest] = ConquestGame()
