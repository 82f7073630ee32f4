"""Conqueror! as the kernel and the commands see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gm.core.diagnostics import fold
from gm.core.events import Event
from gm.game.base.hooks import Scene
from gm.game.base.reading import Body
from gm.game.base.small_game import SmallGame
from gm.game.base.views import Fact, Part, Section
from gm.game.preview import BookLine
from gm.game.spec import GameSpec
from gm.game.values import GameData, MapView
from gm.games.conqueror import events as events  # every event class is known once this is
from gm.games.conqueror.books import public_score
from gm.games.conqueror.correcting import CORRECTIONS
from gm.games.conqueror.land import Board
from gm.games.conqueror.opening import chosen, opening
from gm.games.conqueror.order_models import Orders, OrdersModel
from gm.games.conqueror.orders import OrdersReader
from gm.games.conqueror.pipeline import STAGES
from gm.games.conqueror.rules import Rules, Settings
from gm.games.conqueror.state import NEUTRAL, OTHERS, World, broken, seen
from gm.text.languages import Translate
from gm.text.sentences import EventFormatter

if TYPE_CHECKING:
    from gm.game.values import Bot


class ConquerorTeller(EventFormatter):
    """Says losses of both sides as ``2 : 1``, the attacker's first."""

    def figure(self, value: Any, name: str) -> str:
        """A field as it goes into its sentence."""
        return f"{value[0]} : {value[1]}" if name in ("field", "siege") else self.words(value, name)


class ConquerorGame(SmallGame[World]):
    """See :class:`gm.game.base.hooks.Hooks` for what each member is for."""

    key = "conqueror"
    title = "Conqueror!"
    default_map = "europe859"
    state_type = World
    board_type = Board
    rules_type = Rules
    settings_type = Settings
    order_model = OrdersModel
    stages = STAGES
    corrections = CORRECTIONS
    formatter_class = ConquerorTeller
    head_clause = "CQ-20.2"

    def chosen(self, settings: Settings, board: Board, people: int) -> Settings:
        """CQ-2: as many seats as the map has homes, if that is not said; those without a person are the computer's."""
        return chosen(settings, board, self.read_rules())

    def with_wishes(self, settings: Settings, board: Board, parties: Sequence[str]) -> Settings:
        """CQ-2.8: who asks for a home gets it, before the others are drawn."""
        asked = [code for code in parties if code in board.homes and code not in settings.homes]
        homes = (*settings.homes, *asked)
        if settings.max_players is not None and len(homes) > settings.max_players:
            raise ValueError(f"{len(homes)} homes are asked for, and there are {settings.max_players} seats (CQ-2.3)")
        return settings.evolve(homes=homes)

    dated = True

    def on_day(self, state: World, day: str) -> World:
        """CQ-2.7."""
        return state.evolve(today=day)

    def in_force(self, rules: Rules, settings: Settings) -> Rules:
        """CQ-2: limits and knobs as they are set."""
        return settings.applied(rules)

    def unless_chosen(self) -> Mapping[str, object]:
        """What holds for an option that is not given (CQ-2)."""
        rules = self.read_rules()
        return {
            "description": "none",
            "max_players": "as many as the map has homes",
            "homes": "by draw",
            "turns": rules.limits.turns,
            "absent_after": rules.limits.absent_after,
            **rules.knobs.model_content(),
        }

    def opening(self, table: GameData, settings: Settings, seed: str) -> World:
        """CQ-4."""
        return opening(table.board, table.rules, settings, seed)

    def read_body(self, body: Body, table: GameData, state: World) -> Orders | None:
        """CQ-19, CQ-20. The file of a player who is out is set aside."""
        player = state.parties[body.realm]
        if player.out:
            body.error(body.root, "out", f"{player.name} is out of the game: {player.status}", clause="CQ-7.11")
            return None
        return OrdersReader(body, state, table.board.land, state.settings.applied(table.rules)).orders()

    def also_called(self, state: World) -> Mapping[str, str]:
        """Players by country, colour and leader (CQ-2.8, CQ-2.10), as far as that tells one from another."""
        found: dict[str, str] = {}
        taken = {fold(code) for code in state.parties}
        for words in ("name", "tint", "leader"):
            for code, party in state.parties.items():
                word = party.leader.name if words == "leader" else getattr(party, words)
                if word and fold(word) not in taken:
                    taken.add(fold(word))
                    found[word] = code
        return found

    def label(self, state: World, translate: Translate = str) -> str:
        """``turn 7, autumn 860`` (CQ-1.3)."""
        if not state.turn:
            return translate("the start")
        said = translate("turn {number}").format(number=state.turn)
        return f"{said}, {translate(state.season)} {state.year}"

    def end_reason(self, state: World) -> str:
        """A word for the sentence of ``GameOver`` (CQ-17.6)."""
        return state.ended_by

    def template_lines(self, table: GameData, state: World, code: str) -> Sequence[str]:
        """CQ-19.1 with the player's own provinces in it."""
        from gm.games.conqueror.report import template_lines

        return template_lines(state, table.board.land, state.settings.applied(table.rules), code)

    def names(self, table: GameData, state: World) -> Mapping[str, str]:
        """Provinces, and who is no player."""
        provinces = {code: each.name for code, each in table.board.provinces.items()}
        return {**provinces, NEUTRAL: "the local leaders", OTHERS: "others"}

    def broken(self, table: GameData, state: World) -> Sequence[str]:
        """CQ-3.4 and what else must hold."""
        return broken(state, table.board.land)

    def seen(self, table: GameData, state: World, realm: str) -> World:
        """CQ-22.2: gold, items and stored labour are private, and so is the influence of third parties; until the end
        scores are told without gold, which could be worked out of them."""
        shown = seen(state, realm)
        if state.winners is not None:
            return shown
        others = ((code, player) for code, player in state.parties.items() if code != realm)
        return shown.with_parties({code: {"score": public_score(each, table.rules)} for code, each in others})

    def tells(self, state: World, party: str, event: Event) -> bool:
        """CQ-22.6: friendly moves of others only to those who want to know of them."""
        hidden = isinstance(event, events.Moved) and event.owner != party
        return not hidden or state.parties[party].shows_moves

    def narrowed(self, schema: dict[str, Any], table: GameData, state: World, code: str) -> dict[str, Any]:
        """Provinces and items as what an editor offers."""
        own = {"examples": [each.code for each in state.owned(code)]}
        every = {"examples": list(state.provinces)}
        items = {"examples": list(table.rules.items)}
        fields = {
            "MoveModel": {"from": own, "to": every},
            "BuyModel": {"province": own, "item": items},
            "ItemModel": {"item": items, "target": own},
        }
        for model, offered in fields.items():
            for name, examples in offered.items():
                if model in schema.get("$defs", {}):
                    schema["$defs"][model]["properties"][name] |= examples
        return schema

    # -- what people see ---------------------------------------------------------------------------------------------

    def facts(self, scene: Scene) -> Sequence[Fact]:
        """Title, provinces, gold, score, winter, time left."""
        from gm.games.conqueror.report import facts

        return tuple(facts(scene))

    def sections(self, scene: Scene) -> Sequence[Section]:
        """CQ-22."""
        from gm.games.conqueror.report import sections

        return tuple(sections(scene))

    def writing_parts(self, scene: Scene) -> Sequence[Part]:
        """Where the player's armies can go, and what gold would buy."""
        from gm.games.conqueror.choices import choices

        return tuple(choices(scene))

    def handbook_tables(self, table: GameData) -> Sequence[Part]:
        """Items, works, words, ranks."""
        from gm.games.conqueror.choices import rule_tables

        return rule_tables(table.rules)

    def books(self, table: GameData, state: World, code: str, outcome: Any) -> Sequence[BookLine]:
        """Purchases, taxes, winter."""
        from gm.games.conqueror.outlook import books

        return tuple(books(table, state, code, outcome))

    def draw(self, table: GameData, state: World, view: MapView) -> str:
        """The map with owners, armies, works, capitals and what moved."""
        from gm.games.conqueror.drawing import draw

        return draw(table.board, state, view, self.label(state))

    # -- programs that play ------------------------------------------------------------------------------------------

    @property
    def bots(self) -> Mapping[str, Bot]:
        """The computer player of the rules, and one that plays at random."""
        from gm.games.conqueror.bots import BOTS

        return BOTS

    def figures(self, table: GameData, state: World) -> Mapping[str, Mapping[str, float]]:
        """How the players stand; a game that nobody wins alone is won by score (CQ-17.6)."""
        found: dict[str, Mapping[str, float]] = {}
        for code, player in state.parties.items():
            owned = state.owned(code)
            found[code] = {
                "score": player.score,
                "provinces": len(owned),
                "armies": sum(each.armies for each in owned),
                "population": sum(each.population for each in owned),
                "gold": player.gold,
            }
        return found


SPEC: GameSpec[World] = ConquerorGame()
