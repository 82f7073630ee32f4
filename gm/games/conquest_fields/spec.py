"""Conquest on fields as the kernel and the commands see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gm.core.events import Event
from gm.game.base.events import ControllerSet
from gm.game.base.hooks import Scene
from gm.game.base.position import NOBODY, PLAYER
from gm.game.base.reading import Body
from gm.game.base.small_game import SmallGame
from gm.game.base.views import Fact, Page, Part, Section
from gm.game.spec import GameSpec
from gm.game.turn_result import TurnResult
from gm.game.values import GameData, MapView, Seat
from gm.games.conquest_fields import events as events  # every event class is known once this is
from gm.games.conquest_fields.board import BoardFile
from gm.games.conquest_fields.correcting import CORRECTIONS
from gm.games.conquest_fields.opening import chosen, opening
from gm.games.conquest_fields.orders import Orders, OrdersModel, OrdersReader
from gm.games.conquest_fields.pipeline import STAGES
from gm.games.conquest_fields.rules import Rules, Settings
from gm.games.conquest_fields.state import Match, broken
from gm.games.conquest_fields.strategies import STRATEGIES
from gm.text.languages import Translate

if TYPE_CHECKING:
    from gm.game.values import Bot


DRAWING = {"random", "greedy"}
"""The strategies that draw (CF-7.2, CF-7.4)."""


class ConquestFieldsGame(SmallGame[Match]):
    """See :class:`gm.game.base.hooks.Hooks` for what each member is for."""

    key = "conquest-fields"
    title = "Conquest"
    default_map = "squares4-6x6"
    state_type = Match
    board_type = BoardFile
    rules_type = Rules
    settings_type = Settings
    order_model = OrdersModel
    stages = STAGES
    corrections = CORRECTIONS
    page_styles = ("conquest-fields/board.css",)

    def chosen(self, settings: Settings, board: BoardFile, people: int) -> Settings:
        """CF-2."""
        return chosen(settings, self.read_rules(), people)

    def unless_chosen(self) -> Mapping[str, object]:
        """CF-2.5, CF-7.6."""
        nobody = "none"
        others = {"minimax_depth": "by the size of the board", "red_player": nobody, "green_player": nobody}
        return {**self.read_rules().defaults.model_dump(), **others}

    def own_players(self, bots: Mapping[str, str]) -> Mapping[str, str]:
        """CF-1.2, CF-1.5: a program's side moves by itself, in the run of the person it plays against."""
        return {code.lower(): bot for code, bot in bots.items() if bot in STRATEGIES}

    def seat_of(self, party: Any, waiting: bool) -> Seat:
        """A side of the computer's is played by its strategy."""
        seat = super().seat_of(party, waiting)
        return seat if party.kind == "human" else replace(seat, controller=party.kind, bot=party.kind)

    def with_standings(
        self, state: Match, standings: Mapping[str, tuple[str | None, str | None]]
    ) -> tuple[Match, tuple[Event, ...]]:
        """CF-1.2: whom the game master seats on a side of the computer's plays it from then on, and the other way
        round: a strategy as the controller makes the side the computer's."""
        given = {code: word for code, (_, word) in standings.items() if word in STRATEGIES}
        left = {code: (status, None if code in given else word) for code, (status, word) in standings.items()}
        seated, events = super().with_standings(state, left)
        taken = {code: word for code, word in given.items() if state.parties[code].kind != word}
        seated = seated.with_parties(
            {code: {"kind": word, "controller": NOBODY, "runs_missed": 0} for code, word in taken.items()}
        )
        events = (*events, *(ControllerSet(step="orders", party=code, controller=each) for code, each in taken.items()))
        people = {code: {"kind": "human"} for code, side in seated.parties.items() if side.controller == PLAYER}
        return seated.with_parties(people), events

    def in_force(self, rules: Rules, settings: Settings) -> Rules:
        """CF-2.5."""
        given = {name: getattr(settings, name) for name in type(rules.defaults).model_fields}
        known = {name: each for name, each in given.items() if each is not None}
        return rules.evolve(defaults=rules.defaults.evolve(**known))

    def opening(self, table: GameData, settings: Settings, seed: str) -> Match:
        """CF-1.3, CF-6.3."""
        return opening(table.board, table.rules, settings, seed)

    def read_body(self, body: Body, table: GameData, state: Match) -> Orders | None:
        """CF-8, CF-9. The file of the side that is not to move is set aside."""
        if state.to_move != body.realm:
            message = f"it is {state.mover.name.lower()}'s turn"
            body.error(body.root, "not-your-turn", message, clause="CF-9.3")
            return None
        return OrdersReader(body, state, table.board.board).orders()

    def also_called(self, state: Match) -> Mapping[str, str]:
        """The sides' names, and those that their players have chosen (CF-8.1)."""
        own = {"RED": state.settings.red_player, "GREEN": state.settings.green_player}
        return {**super().also_called(state), **{name: code for code, name in own.items() if name}}

    def quoted(self, state: Match) -> int:
        """CF-1.8: the number of the half-move to be played."""
        return state.number

    def label(self, state: Match, translate: Translate = str) -> str:
        """``half-move 12``."""
        if not state.history:
            return translate("the start")
        return translate("half-move {number}").format(number=len(state.history))

    def played_name(self, state: Match) -> str:
        """The last half-move (CF-1.8); before the first one has come, the run."""
        return self.label(state) if state.history or not state.turn else f"run {state.turn}"

    def coming_name(self, state: Match) -> str:
        """The half-move to be played."""
        return f"half-move {state.number}"

    def waiting(self, table: GameData, state: Match) -> frozenset[str]:
        """Who has nothing to order: the side that is not to move, and both where computers play."""
        return frozenset(state.parties) - ({state.to_move} if state.mover.kind == "human" else set())

    def draws(self, table: GameData, state: Match) -> bool:
        """CF-11.1: random and greedy draw, also where they stand in for a person."""
        kinds = {side.kind for side in state.parties.values()}
        return bool(kinds & DRAWING or ("human" in kinds and state.settings.on_missing in DRAWING))

    def language_of(self, played: TurnResult, party: str) -> str:
        """CF-2.8: the language that the player asked for in his file, else that of the list of players."""
        asked: str = played.after.parties[party].language
        return asked or super().language_of(played, party)

    def end_reason(self, state: Match) -> str:
        """CF-12.6."""
        return state.reason or ""

    def template_lines(self, table: GameData, state: Match, code: str) -> Sequence[str]:
        """CF-8.1 with the player's own moves in it."""
        from gm.games.conquest_fields.report import template_lines

        return template_lines(state, table.board.board, code)

    def template_for(self, scene: Scene) -> Sequence[str]:
        """CF-2.8: the same in the player's language."""
        from gm.games.conquest_fields.report import template_lines

        return template_lines(scene.after, scene.table.board.board, scene.party or "", scene.translate)

    def names(self, table: GameData, state: Match) -> Mapping[str, str]:
        """Nothing: fields are called by their names."""
        return {}

    def broken(self, table: GameData, state: Match) -> Sequence[str]:
        """CF-3.2 and what else must hold."""
        return broken(state, table.board.board)

    def narrowed(self, schema: dict[str, Any], table: GameData, state: Match, code: str) -> dict[str, Any]:
        """The fields as what an editor offers."""
        names = {"type": "string", "examples": list(table.board.board.names)}
        for end in ("from", "to"):
            schema["$defs"]["MoveModel"]["properties"][end] |= names
        return schema

    # -- what people see ---------------------------------------------------------------------------------------------

    def facts(self, scene: Scene) -> Sequence[Fact]:
        """Fields, half-moves, whose turn it is."""
        from gm.games.conquest_fields.report import facts

        return tuple(facts(scene))

    def sections(self, scene: Scene) -> Sequence[Section]:
        """CF-12."""
        from gm.games.conquest_fields.report import sections

        return tuple(sections(scene))

    def writing_parts(self, scene: Scene) -> Sequence[Part]:
        """Nothing beyond the section of moves."""
        return ()

    def page_extras(self, scene: Scene) -> Page:
        """Moves can be clicked on the board while it is the reader's turn."""
        from gm.games.conquest_fields.report import WRITER, writer_data

        if scene.after.winners is not None or scene.after.to_move != scene.party:
            return super().page_extras(scene)
        return Page(
            "",
            "",
            "",
            (),
            styles=("conquest-fields/writer.css",),
            scripts=("conquest-fields/writer.js",),
            data={WRITER: writer_data(scene)},
        )

    def draw(self, table: GameData, state: Match, view: MapView) -> str:
        """The board with its names and what moved."""
        from gm.games.conquest_fields.drawing import draw

        return draw(table.rules, table.board.board, state, view, self.label(state))

    # -- programs that play ------------------------------------------------------------------------------------------

    @property
    def bots(self) -> Mapping[str, Bot]:
        """The strategies of CF-7."""
        from gm.games.conquest_fields.bots import BOTS

        return BOTS

    def figures(self, table: GameData, state: Match) -> Mapping[str, Mapping[str, float]]:
        """CF-6.8: the score, and the fields for information."""

        def score(code: str) -> float:
            return 0.5 if not state.winners else float(code in state.winners)

        return {
            code: {"score": score(code), "fields": state.fields(code), "half-moves": len(state.history)}
            for code in state.parties
        }


SPEC: GameSpec[Match] = ConquestFieldsGame()
