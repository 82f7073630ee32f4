"""Conquestination as the kernel and the commands see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gm.game.base.hooks import Scene
from gm.game.base.reading import Body
from gm.game.base.small_game import SmallGame
from gm.game.base.views import Fact, Part, Section
from gm.game.spec import GameSpec
from gm.game.values import GameData, MapView
from gm.games.conquestination import events as events  # every event class is known once this is
from gm.games.conquestination.correcting import CORRECTIONS
from gm.games.conquestination.countries import Board
from gm.games.conquestination.opening import chosen, generated, opening
from gm.games.conquestination.order_models import Orders, OrdersModel
from gm.games.conquestination.orders import OrdersReader
from gm.games.conquestination.pipeline import STAGES
from gm.games.conquestination.rules import RandomMap, Rules, Settings
from gm.games.conquestination.state import Campaign, broken
from gm.text.languages import Translate

if TYPE_CHECKING:
    from gm.game.values import Bot


class ConquestinationGame(SmallGame[Campaign]):
    """See :class:`gm.game.base.hooks.Hooks` for what each member is for."""

    key = "conquestination"
    title = "Conquestination"
    default_map = "random"
    state_type = Campaign
    board_type = Board
    rules_type = Rules
    settings_type = Settings
    order_model = OrdersModel
    stages = STAGES
    page_styles = ("conquestination/map.css",)
    corrections = CORRECTIONS
    edition = 2
    skips = True

    def generated(self, board: Board, settings: Settings, seed: str) -> Board:
        """CN-4: a random map where the chosen one says so."""
        return generated(board, settings, self.read_rules(), seed)

    def chosen(self, settings: Settings, board: Board, people: int) -> Settings:
        """CN-2."""
        return chosen(settings, board, self.read_rules(), people)

    def seat_order(self, start: Campaign) -> Sequence[str]:
        """CN-2.5: as the players are named."""
        return tuple(start.parties) if start.settings.seat_order == "joined" else ()

    def in_force(self, rules: Rules, settings: Settings) -> Rules:
        """CN-2.5."""
        least, over = settings.min_reinforcement, settings.links_allow_redeploy
        reinforcement = rules.reinforcement.evolve(**({} if least is None else {"min_reinforcement": least}))
        redeploy = rules.redeploy.evolve(**({} if over is None else {"links_allow_redeploy": over}))
        return rules.evolve(reinforcement=reinforcement, redeploy=redeploy)

    def unless_chosen(self) -> Mapping[str, object]:
        """CN-2.4, CN-2.5."""
        rules = self.read_rules()
        return {
            "players": "as many as are named, at least 2",
            "mode": rules.defaults.mode,
            "max_rounds": rules.defaults.max_rounds,
            "seat_order": rules.defaults.seat_order,
            "min_reinforcement": rules.reinforcement.min_reinforcement,
            "links_allow_redeploy": rules.redeploy.links_allow_redeploy,
            **dict.fromkeys(RandomMap.model_fields, "as its map says"),
        }

    def own_board(self, table: GameData) -> bool:
        """CN-4: a random map is in the results, for it is nowhere else."""
        return table.board.random is not None

    def opening(self, table: GameData, settings: Settings, seed: str) -> Campaign:
        """CN-5.1 to CN-5.4."""
        board = table.board if table.board.cells else generated(table.board, settings, table.rules, seed)
        return opening(board, table.rules, settings, seed)

    def read_body(self, body: Body, table: GameData, state: Campaign) -> Orders | None:
        """CN-10, CN-11. The file of a player who is out, or not the current one, is set aside."""
        player = state.parties[body.realm]
        if player.out:
            body.error(body.root, "out", f"{player.name} is out of the game: {player.status}", clause="CN-11.6")
            return None
        if state.current is not None and state.run > 0 and state.current != body.realm:
            message = f"it is the turn of {state.parties[state.current].name}"
            body.error(body.root, "not-your-turn", message, clause="CN-11.2")
            return None
        over_links = state.settings.links_allow_redeploy is not False
        return OrdersReader(body, state, table.board.land, may_redeploy_over_links=over_links).orders()

    def quoted(self, state: Campaign) -> int:
        """CN-1.7: the number of the run, which is 0 for the deployment."""
        return state.run

    def label(self, state: Campaign, translate: Translate = str) -> str:
        """``run 3``; before run 0 it is the deal."""
        return translate("run {number}").format(number=state.turn - 1) if state.turn else translate("the deal")

    def played_name(self, state: Campaign) -> str:
        """The run: its number is that of the order files, not that of the program's turn (CN-1.7)."""
        return self.label(state)

    def coming_name(self, state: Campaign) -> str:
        """The same for the run to come."""
        return f"run {state.run}"

    def waiting(self, table: GameData, state: Campaign) -> frozenset[str]:
        """CN-1.4: in mode single everybody but the current player."""
        if state.current is None or state.run == 0:
            return frozenset()
        return frozenset(state.parties) - {state.current}

    def template_lines(self, table: GameData, state: Campaign, code: str) -> Sequence[str]:
        """CN-10.1 with the player's own countries in it."""
        from gm.games.conquestination.report import template_lines

        return template_lines(state, table.board.land, table.rules, code)

    def names(self, table: GameData, state: Campaign) -> Mapping[str, str]:
        """The continents; countries are called by their ids."""
        return dict(table.board.continents)

    def broken(self, table: GameData, state: Campaign) -> Sequence[str]:
        """CN-3 and what else must hold."""
        return broken(state, table.board.land)

    def narrowed(self, schema: dict[str, Any], table: GameData, state: Campaign, code: str) -> dict[str, Any]:
        """The countries as what an editor offers."""
        countries = {"type": "string", "examples": list(table.board.land.countries)}
        for model in ("DeployModel", "ReinforceModel"):
            if model in schema.get("$defs", {}):
                schema["$defs"][model]["properties"]["country"] |= countries
        for model in ("AttackModel", "RedeployModel"):
            for end in ("from", "to"):
                schema["$defs"][model]["properties"][end] |= countries
        return schema

    # -- what people see ---------------------------------------------------------------------------------------------

    def facts(self, scene: Scene) -> Sequence[Fact]:
        """Countries, units, continents, what comes next."""
        from gm.games.conquestination.report import facts

        return tuple(facts(scene))

    def sections(self, scene: Scene) -> Sequence[Section]:
        """CN-13."""
        from gm.games.conquestination.report import sections

        return tuple(sections(scene))

    def writing_parts(self, scene: Scene) -> Sequence[Part]:
        """Who can attack whom."""
        from gm.games.conquestination.report import choices

        return tuple(choices(scene))

    def handbook_tables(self, table: GameData) -> Sequence[Part]:
        """The odds of a roll."""
        from gm.games.conquestination.report import rule_tables

        return rule_tables(table.rules)

    def draw(self, table: GameData, state: Campaign, view: MapView) -> str:
        """The map with owners, units, links and what moved."""
        from gm.games.conquestination.drawing import draw

        return draw(table.board, state, view, self.label(state))

    # -- programs that play ------------------------------------------------------------------------------------------

    @property
    def bots(self) -> Mapping[str, Bot]:
        """One with a plan, and one that plays at random."""
        from gm.games.conquestination.bots import BOTS

        return BOTS

    def figures(self, table: GameData, state: Campaign) -> Mapping[str, Mapping[str, float]]:
        """How the players stand; at the limit of rounds most countries win (CN-8.9)."""
        from gm.games.conquestination.report import next_units

        land = table.board.land
        return {
            code: {
                "countries": len(state.held(code)),
                "units": state.units_of(code),
                "continents": sum(set(land.continent(each)) <= set(state.held(code)) for each in land.continents),
                "reinforcement": next_units(state, code, land, table.rules),
            }
            for code in state.parties
        }


SPEC: GameSpec[Campaign] = ConquestinationGame()
