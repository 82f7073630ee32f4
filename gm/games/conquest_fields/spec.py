"""Conquest on fields as a game of this program, its beginning, and the GM's corrections in it."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from gm.core.diagnostics import says
from gm.core.dice import Dice
from gm.core.pipeline import Outcome
from gm.core.values import Event
from gm.game.base.events import ControllerSet
from gm.game.base.hooks import Extras, Scene
from gm.game.base.position import NOBODY, PLAYER
from gm.game.base.reading import Body
from gm.game.base.small_game import SmallGame
from gm.game.corrections import Correction
from gm.game.spec import GameSpec
from gm.game.values import GameData, Seat, TurnResult, the_one
from gm.game.votes import Voted
from gm.games.conquest_fields.bots import STRATEGIES
from gm.games.conquest_fields.orders import Orders, OrdersModel, OrdersReader, same_move
from gm.games.conquest_fields.rules import FREE, GREEN, RED, Board, Rules, Settings, members
from gm.games.conquest_fields.state import COLOURS, SIDES, Match, Side, enemy_of
from gm.games.conquest_fields.steps import STAGES, opened, over, played_by, tested
from gm.text.languages import Translate

DRAWING = {"random", "greedy", "veteran", "master"}  # The strategies that draw by chance (CF-7.2, CF-7.4)
OWNERS = {"RED": RED, "GREEN": GREEN, "FREE": FREE}  # The sign for the owner of a field, by the word for it


def _field(table: GameData, match: Match, words: Sequence[str]) -> tuple[Match, str]:
    """Correct the owner of a field; return the game and the change in words.

    ``words``: field, owner. Raises ``ValueError`` for words that it does not understand.
    """
    board: Board = table.board
    playable = [name for field, name in enumerate(board.names) if not board.holes >> field & 1]
    name = the_one(words[0], playable, "field")
    owner = the_one(words[1], OWNERS, "owner")
    row, column = board.cells[board.by_name[name]]
    rows = list(match.rows)
    rows[row] = rows[row][:column] + OWNERS[owner] + rows[row][column + 1 :]
    effect = says("{0} is free", name) if owner == "FREE" else says("{0} is {1}'s", name, owner.lower())
    return _counted(match.evolve(rows=tuple(rows)), board), effect


def _turn(table: GameData, match: Match, words: Sequence[str]) -> tuple[Match, str]:
    """Correct which side is to move; return the game and the change in words.

    ``words``: the side alone. Raises ``ValueError`` for a word that it does not understand.
    """
    side = the_one(words[0], SIDES, "side")
    return _counted(match.evolve(to_move=side), table.board), says("{0} is to move", side.lower())


def _counted(match: Match, board: Board) -> Match:
    """Return the game with its corrected position among those seen; the correction may also end the game.

    Raises ``ValueError`` if it is over already.
    """
    if match.winners is not None:
        raise ValueError(says("the game is over; take its last turn back instead"))
    times_seen = max(1, match.times_seen)
    after, _ = tested(match.evolve(seen={**match.seen, match.key: times_seen}), board)
    return after


class ConquestFieldsGame(SmallGame[Match]):
    """Conquest on fields; :class:`gm.game.base.hooks.Hooks` describes each member."""

    key = "conquest-fields"
    title = "Conquest"
    default_map = "squares4-6x6"
    land = "fields"
    state_type = Match
    board_type = Board
    rules_type = Rules
    settings_type = Settings
    order_model = OrdersModel
    stages = STAGES
    adviser = "master"
    single_moves = True
    corrections: ClassVar[Mapping[str, Correction]] = {
        "field": Correction("field FIELD OWNER    e.g. field c4 RED, or FREE", _field),
        "turn": Correction("turn SIDE    e.g. turn GREEN: that side moves next", _turn),
    }
    page_styles = ("conquest-fields/board.css",)

    def chosen(self, settings: Settings, board: Board, people: int) -> Settings:
        """Return the settings with the defaults of the rules in them (CF-2).

        ``people``: how many players were named. Raises ``ValueError`` if they are more than can play, or if
        both players have one name.
        """
        computers = [side.lower() for side in SIDES if settings.kind(side) != "human"]
        if people > len(SIDES) and not computers:
            raise ValueError(says("two people can play, and {0} were named (CF-1.1)", people))
        if people > len(SIDES) - len(computers):
            problem = (
                says("{0} is played by the computer", *computers)
                if len(computers) == 1
                else says("{0} and {1} are played by the computer", *computers)
            )
            raise ValueError(says("{0} players were named, and {1} (CF-1.2)", people, problem))
        if settings.red_player and settings.red_player.casefold() == settings.green_player.casefold():
            raise ValueError(says("both players are called {0!r}", settings.red_player))
        return settings.filled(self.read_rules())

    def opening(self, table: GameData, settings: Settings, seed: str) -> Match:
        """Return the start position (CF-1.3, CF-1.4, CF-6.3).

        If a computer begins against a person, it has made its first half-moves.
        """
        board: Board = table.board
        sides = {
            code: Side(code=code, name=code.title(), colour=COLOURS[code], kind=settings.kind(code))
            for code in SIDES
        }
        computers = {code: {"controller": NOBODY} for code, side in sides.items() if side.kind != "human"}
        first_side = table.rules.first.upper()
        match = Match(parties=sides, settings=settings, rows=board.rows, to_move=first_side).with_parties(
            computers
        )
        match = opened(match, board)
        # two computers make their first half-move in the first run
        if match.winners is None and match.mover.kind != "human" and match.sides_played_by_people:
            stream = Dice(seed, "creation")(f"half-move {match.number}")
            match, _ = played_by(match, match.mover.kind, board, table.rules, stream.below)
        return match

    def own_players(self, bots: Mapping[str, str]) -> Mapping[str, str]:
        """Return the settings for sides that strategies play, such as red: greedy (CF-1.2, CF-1.5).

        ``bots``: the bot of each side, by code.
        """
        return {code.lower(): bot for code, bot in bots.items() if bot in STRATEGIES}

    def seat_of(self, party: Any, *, waiting: bool) -> Seat:
        seat = super().seat_of(party, waiting=waiting)
        return seat if party.kind == "human" else seat.evolve(controller=party.kind, bot=party.kind)

    def with_standings(
        self, state: Match, standings: Mapping[str, tuple[str | None, str | None]]
    ) -> tuple[Match, tuple[Event, ...]]:
        """Return the game in which the GM has given sides to other controllers, and the events (CF-1.2).

        ``standings``: (status, controller) by code. A strategy as the controller makes the side the
        computer's, a player makes it a person's.
        """
        # sides for which a strategy was named: the game's own word for a controller, not one of every game
        controllers = {code: word for code, (_, word) in standings.items() if word in STRATEGIES}
        other_standings = {
            code: (status, None if code in controllers else word)
            for code, (status, word) in standings.items()
        }
        seated, events = super().with_standings(state, other_standings)
        new_controllers = {
            code: word for code, word in controllers.items() if state.parties[code].kind != word
        }
        seated = seated.with_parties(
            {
                code: {"kind": word, "controller": NOBODY, "runs_missed": 0}
                for code, word in new_controllers.items()
            }
        )
        events = (
            *events,
            *(
                ControllerSet(step="orders", party=code, controller=controller)
                for code, controller in new_controllers.items()
            ),
        )
        sides_of_people = {
            code: {"kind": "human"} for code, side in seated.parties.items() if side.controller == PLAYER
        }
        return seated.with_parties(sides_of_people), events

    def read_body(self, body: Body, table: GameData, state: Match) -> Orders | None:
        """Return the orders of a file (CF-8, CF-9).

        None, with a finding, if it is rejected, as is every file of the side that is not to move.
        """
        if state.to_move != body.realm:
            message = f"it is {state.mover.name.lower()}'s turn"
            body.error(body.root, "not-your-turn", message, clause="CF-9.3")
            return None
        return OrdersReader(body, state, table.board).orders()

    def foreseen(self, table: GameData, state: Match, realm: str, quoted: int, condition: Any) -> bool:
        """Return whether a file's case has come: the other side has answered its half-move (CF-8.1).

        ``quoted``: the number of the file's half-move; ``condition``: the answer that the case is for, None
        for any.
        """
        played_since = state.history[quoted - 1 :]
        if len(played_since) != 2:
            return False
        half_move, answer = played_since
        if half_move.side != realm or answer.side == realm:
            return False
        return condition is None or same_move(condition, answer.start, answer.end)

    def also_called(self, state: Match) -> Mapping[str, str]:
        """Return the code by each other name of a side, the one that its player chose among them (CF-8.1)."""
        chosen_names = {"RED": state.settings.red_player, "GREEN": state.settings.green_player}
        code_of_name = {name: code for code, name in chosen_names.items() if name}
        return {**super().also_called(state), **code_of_name}

    def narrowed(self, schema: dict[str, Any], table: GameData, state: Match, code: str) -> dict[str, Any]:
        for end in ("from", "to"):
            schema["$defs"]["MoveModel"]["properties"][end]["examples"] = list(table.board.names)
        return schema

    def alternates(self, state: Match) -> bool:
        return True

    def waiting(self, table: GameData, state: Match) -> frozenset[str]:
        return frozenset(state.parties) - ({state.to_move} if state.mover.kind == "human" else set())

    def draws(self, table: GameData, state: Match) -> bool:
        """Return whether a strategy that draws by chance plays, or may play for a person (CF-11.1)."""
        kinds = {side.kind for side in state.parties.values()}
        return bool(kinds & DRAWING or ("human" in kinds and state.settings.on_missing in DRAWING))

    def end_reason(self, state: Match) -> str:
        """Return the word for why the game ended (CF-12.6); empty while it runs."""
        return state.reason or ""

    def concluded(self, table: GameData, state: Match, voted: Voted) -> Outcome[Match]:
        after, events = over(state, voted.to or None, "voted")
        end_events = super().concluded(table, after, voted).events
        return Outcome(after, (*(event.evolve(step="end") for event in events), *end_events))

    def label(self, state: Match, translate: Translate = str) -> str:
        """Return the name of the position: ``half-move 12`` or, before the first, ``the start``."""
        if not state.history:
            return translate("the start")
        return translate("half-move {number}").format(number=len(state.history))

    def played_name(self, state: Match) -> str:
        """Return the name of the last half-move (CF-1.8); before the first one, that of the run."""
        return self.label(state) if state.history or not state.turn else f"run {state.turn}"

    def coming_name(self, state: Match) -> str:
        return f"half-move {state.number}"

    def language_of(self, result: TurnResult, party: str) -> str:
        """Return the language that the player set in an order file, else that of the player list (CF-2.8)."""
        requested_language: str = result.after.parties[party].language
        return requested_language or super().language_of(result, party)

    def page_extras(self, scene: Scene) -> Extras:
        """Return the order writer, the half-moves of the run, and the colours of a chosen move.

        CF-1.8, CF-12.2, CF-12.4.
        """
        styles, scripts, data = super().page_extras(scene)
        report = self.module("report")
        run = {"conquest-answer": report.run_data(scene)}
        styles = (*styles, "conquest-fields/writer.css")
        scripts = ("conquest-fields/answer.js", *scripts)
        if not data:  # the reader has no orders to write
            return styles, scripts, run
        own_data = {"conquest-writer": report.writer_data(scene)}
        # before the order writer's script, whose first drawing it listens for
        return styles, ("conquest-fields/writer.js", *scripts), {**own_data, **run, **data}

    def owners(self, table: GameData, state: Match) -> Mapping[str, str]:
        """Return the side of each owned field, by the field's name."""
        at = state.position(table.board)
        board = table.board
        own = state.to_move
        owners: dict[str, str] = {}
        for side, fields in ((own, at.own), (enemy_of(own), at.enemy)):
            owners |= {board.names[field]: side for field in members(fields)}
        return owners

    def figures(self, table: GameData, state: Match) -> Mapping[str, Mapping[str, float]]:
        """Return the figures of each side, by code and name; the score is the first (CF-6.8)."""
        figures = {}
        for code in state.parties:
            # half a victory each in a draw, and while the game goes on
            score = float(code in state.winners) if state.winners else 0.5
            figures[code] = {
                "score": score,
                "fields": state.fields(code),
                "half-moves": len(state.history),
            }
        return figures


SPEC: GameSpec[Match] = ConquestFieldsGame()
