"""Medieval Diplomacy's implementation of the interface for the campaign and the commands."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from gm.core.diagnostics import says
from gm.core.orders.header import Expected
from gm.core.pipeline import Outcome, Progress
from gm.core.values import GM, Event
from gm.core.yaml.source import Source
from gm.game.answers import Explanation, FileTypes, OddsForms, OddsMaker, Preview, TurnStory
from gm.game.base.events import Uses
from gm.game.base.herald import Herald
from gm.game.bots import STEWARD
from gm.game.corrections import Correction
from gm.game.spec import GameSpec, Standings
from gm.game.talk import Recall
from gm.game.values import (
    STEP,
    Bot,
    GameData,
    MapView,
    OrderFile,
    Seat,
    TurnResult,
    parts,
)
from gm.game.votes import Voted, VoteRule
from gm.games.medieval.events import Amended, GameConceded, GameDrawn, ProclamationRejected
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.orders.model import Orders, Proclamation
from gm.games.medieval.state import World
from gm.games.medieval.state.world import SNAPSHOT, world_from, world_record
from gm.games.medieval.tables import MedievalTables
from gm.store.formats import Format, JsonObject
from gm.text.languages import ENGLISH, Translate

if TYPE_CHECKING:
    from gm.games.medieval import pipeline, standings
    from gm.games.medieval.analysis import dealings, tallies, trial, warnings
    from gm.games.medieval.analysis.odds import answer
    from gm.games.medieval.analysis.why import asking
    from gm.games.medieval.bots import playing, strategist
    from gm.games.medieval.data import edition
    from gm.games.medieval.handbook import page, texts
    from gm.games.medieval.orders import read, schema, schema_realm
    from gm.games.medieval.report import files, formatter, map_drawing, page_data, results, turn_result
    from gm.games.medieval.state import event_log, invariants
else:
    pipeline, standings = parts(__package__, "pipeline standings")
    dealings, tallies, trial, warnings = parts(f"{__package__}.analysis", "dealings tallies trial warnings")
    answer, asking = parts(f"{__package__}.analysis", "odds.answer why.asking")
    playing, strategist, page, texts = parts(
        __package__, "bots.playing bots.strategist handbook.page handbook.texts"
    )
    (edition,) = parts(f"{__package__}.data", "edition")
    read, schema, schema_realm = parts(f"{__package__}.orders", "read schema schema_realm")
    files, formatter, map_drawing = parts(f"{__package__}.report", "files formatter map_drawing")
    page_data, results, turn_result = parts(f"{__package__}.report", "page_data results turn_result")
    event_log, invariants = parts(f"{__package__}.state", "event_log invariants")

PROCLAMATION = "proclamation"
VOTES = "votes"  # the step of the events by which a vote ends the game


class MedievalGame(MedievalTables):
    """Medieval Diplomacy; :class:`gm.game.spec.GameSpec` describes each member.

    Parts are imported when they are needed.
    """

    key = "medieval"
    title = "Medieval Diplomacy"
    default_map = "minsk"
    snapshot: Format = SNAPSHOT
    rejectable = (PROCLAMATION,)
    strongest = "conqueror"
    deputy = STEWARD
    course_columns = ("score", "provinces", "cities", "soldiers", "ships")
    battle_events = ("BattleFought",)
    battle_pages = "results/battles/"
    course_turns = 1000
    past_turns = 5
    rule_files: Sequence[str] = (
        "numbers.yaml",
        "troops.yaml",
        "fortifications.yaml",
        "recruits.yaml",
        "names.yaml",
    )

    # -- the state -------------------------------------------------------------------------------------------

    def record(self, state: World) -> JsonObject:
        return world_record(state)

    def state(self, record: JsonObject) -> World:
        return world_from(record)

    def broken(self, table: GameData, state: World) -> Sequence[str]:
        return invariants.broken_invariants(state, table.rules, table.board)

    def seats(self, table: GameData, state: World) -> Sequence[Seat]:
        return [
            standings.seat_of(realm, state.turn, table.rules) for _, realm in sorted(state.realms.items())
        ]

    def with_standings(self, state: World, wanted: Standings) -> tuple[World, tuple[Event, ...]]:
        return standings.with_standings(state, wanted)

    def ended(self, table: GameData, state: World) -> Sequence[str] | None:
        """Return the codes of the winners, empty if the game ended without any; None while it goes on.

        The turn's last step or a vote has found the winners (V1, L20). A game also ends when all realms are
        defeated (L19).
        """
        over = state.drawn or all(realm.defeated for realm in state.realms.values())
        return state.winners or (() if over else None)

    def vote_rule(self, table: GameData, state: World) -> VoteRule:
        return table.rules.votes  # type: ignore[no-any-return]

    def concluded(self, table: GameData, state: World, voted: Voted) -> Outcome[World]:
        """Return the world after a vote ended the game, and the event of it (V1)."""
        event = GameConceded(realm=voted.to, step=VOTES) if voted.to else GameDrawn(step=VOTES)
        return Outcome(state.evolve(winners=voted.winners, drawn=not voted.to), (event,))

    def figures(self, table: GameData, state: World) -> Mapping[str, Mapping[str, float]]:
        return standings.figures(state, table.rules, table.board)

    @property
    def corrections(self) -> Mapping[str, Correction]:
        return standings.CORRECTIONS

    def amendment(self, what: str, why: str) -> Event:
        return Amended(step=STEP, what=what, why=why)

    def draw(self, table: GameData, state: World, view: MapView) -> str:
        return map_drawing.asked_map(table.board, table.rules, state, view)

    def owners(self, table: GameData, state: World) -> Mapping[str, str]:
        return standings.owners(state)

    def colours(self, table: GameData, state: World) -> Mapping[str, str]:
        return {code: realm.colour for code, realm in table.board.realms.items()}

    # -- orders and the turn ---------------------------------------------------------------------------------

    def read_orders(
        self, table: GameData, state: World, data: bytes, file: str, **to: Unpack[Expected]
    ) -> OrderFile:
        context = {"world": state, "rules": table.rules, "atlas": table.board, "turn": state.turn + 1}
        return read.read_orders(data, file, **context, **to)

    def for_page(self, state: World, sheet: Orders | None, game: str, data: bytes) -> bytes:
        return page_data.stamped(state, sheet, game, data) if sheet else data

    def with_contact(self, sheet: Orders, contact: str) -> Orders:
        return sheet.evolve(contact=contact)

    def without(self, sheet: Orders, what: str) -> tuple[Orders, tuple[Event, ...]]:
        """Return the sheet with its proclamation marked as rejected, and events for the GM.

        The turn's step settles the order (L13). Raises ``ValueError`` if ``what`` is no proclamation, or the
        sheet has none.
        """
        if what != PROCLAMATION:
            raise ValueError(says("only {0} can be rejected, not {1!r}", ", ".join(self.rejectable), what))
        proclamations = [order for order in sheet.headquarters if isinstance(order, Proclamation)]
        if not proclamations:
            raise ValueError(says("the orders of {0} hold no proclamation", sheet.realm))
        events = (
            ProclamationRejected(audience=GM, step=STEP, realm=sheet.realm, text=proclamation.text)
            for proclamation in proclamations
        )
        return sheet.evolve(proclamation_rejected=True), tuple(events)

    def preview(
        self,
        table: GameData,
        state: World,
        realm: str,
        sheet: Orders,
        source: Source,
        translate: Translate = str,
    ) -> Preview:
        return trial.preview_orders(state, realm, sheet, table.rules, table.board, source, translate)

    def schema(self, table: GameData, game: str | None) -> Mapping[str, Any]:
        return schema.orders_schema(table.rules, table.board, game)

    def realm_schema(self, table: GameData, state: World, game: str, realm: str) -> str:
        fields = {"rules": table.rules, "atlas": table.board, "game": game, "turn": state.turn + 1}
        return schema_realm.RealmSchemas(state, **fields).text(realm)

    def play(
        self,
        table: GameData,
        state: World,
        sheets: Mapping[str, Orders],
        seed: str,
        progress: Progress | None = None,
    ) -> Outcome[World]:
        return pipeline.play_turn(
            state, sheets, rules=table.rules, atlas=table.board, seed=seed, progress=progress
        )

    def result(self, table: GameData, **known: Any) -> TurnResult:
        return turn_result.MedievalResult(
            **known, rules=table.rules, atlas=table.board, fingerprint=table.fingerprint
        )

    def tally(self, earlier: JsonObject, events: Iterable[Event]) -> JsonObject:
        fought = (event.report for event in events if isinstance(event, BattleFought))
        return tallies.luck_after(earlier, fought)

    def rule_uses(self, table: GameData, sheets: Mapping[str, Orders], events: Iterable[Event]) -> Uses:
        return tallies.rule_uses(table.rules, sheets, events)

    def luck(self, state: World, tally: JsonObject, language: str) -> Sequence[Sequence[object]]:
        rows = tallies.luck_rows(tally, formatter.MedievalFormatter(state, state, language=language))
        return [(row.name, row.battles, row.made, row.expected, row.more, row.words) for row in rows]

    odds_forms = OddsForms(
        forces='"30 Longbowmen" vs "40 Men-at-Arms"',
        march="A7:Gloucester",
        more=("war", "fortification", "sea", "border", "landing"),
    )

    @property
    def odds(self) -> OddsMaker:
        return answer.odds

    def fought_at(self, event: Event) -> tuple[str, ...]:
        return standings.fought_at(event)

    def built_at(self, event: Event, after: World) -> tuple[str, tuple[str, ...]]:
        return standings.built_at(event)

    def party_words(self, table: GameData, state: World, language: str) -> Mapping[str, str]:
        return formatter.names_with_articles(state, table.board, language)

    # -- reports ---------------------------------------------------------------------------------------------

    @property
    def file_types(self) -> FileTypes:  # type: ignore[override]
        # fields that results files leave out of their records
        untold = {"Realm": ("code", "treasury"), "Province": ("name",), "Unit": ("realm", "kind", "number")}
        return FileTypes(World, event_log.event_classes(), {**untold, "BattleFought": ("report",)})

    def event(self, record: JsonObject) -> Event:
        return event_log.event_from(record)

    def reports(self, table: GameData, result: TurnResult, *, html: bool = True) -> Mapping[str, bytes]:
        return files.turn_reports(turn_result.with_game_data(table, result), html=html)

    def herald(self, table: GameData, result: TurnResult, language: str = ENGLISH) -> Herald:
        return files.turn_herald(turn_result.with_game_data(table, result), language)

    def summary(self, table: GameData, result: TurnResult, language: str = ENGLISH) -> Sequence[str]:
        return files.summary_lines(turn_result.with_game_data(table, result), language)

    def digests(self, table: GameData, result: TurnResult) -> Mapping[str, Sequence[str]]:
        return files.turn_digests(turn_result.with_game_data(table, result))

    def turn_story(
        self, table: GameData, result: TurnResult, party: str = "", language: str = ENGLISH
    ) -> TurnStory:
        return files.turn_story(turn_result.with_game_data(table, result), party, language)

    def warnings(self, table: GameData, result: TurnResult) -> Sequence[str]:
        return warnings.warnings(turn_result.with_game_data(table, result))

    @property
    def questions(self) -> Mapping[str, str]:
        return asking.QUESTIONS

    def explain(
        self,
        table: GameData,
        result: TurnResult,
        opened: World,
        words: Sequence[str],
        language: str = ENGLISH,
    ) -> Sequence[Explanation]:
        return asking.explain(turn_result.with_game_data(table, result), opened, words, language)

    def diff(
        self, table: GameData, result: TurnResult, other: TurnResult, language: str = ENGLISH
    ) -> Sequence[Explanation]:
        was, now = (turn_result.with_game_data(table, turn) for turn in (result, other))
        return asking.diff(was, now, language)

    def results_state(self, data: bytes, file: str) -> tuple[JsonObject, World]:
        return results.results_state(data, file)

    def handbook(self, table: GameData, state: World | None = None, language: str = ENGLISH) -> str:
        # the tutorial has its own map, whatever map the game itself is played on
        tutorial_table = self.shipped_table(texts.tutorial().map)
        start = self.start(tutorial_table, self.maps()[texts.tutorial().map], None)
        lesson = (start, tutorial_table.rules, tutorial_table.board)
        return page.handbook_page(table.rules, table.board, lesson, language)

    # -- programs that play ----------------------------------------------------------------------------------

    @property
    def bots(self) -> Mapping[str, Bot]:
        return playing.BOTS

    @property
    def thinkers(self) -> Mapping[str, Bot]:  # type: ignore[override]
        return strategist.LEVELS

    @property
    def recall(self) -> Recall:  # type: ignore[override]
        return dealings.RECALL

    def seen(self, table: GameData, state: World, realm: str) -> World:
        """Return the state as a realm may see it: without other treasuries and without missed turns (W8)."""
        return standings.public_state(state, realm)

    def program_view(self, table: GameData, state: World, realm: str) -> Mapping[str, Any]:
        """Return what a bot in another program gets of the position (W8).

        It is the position as in the results file, the realm's treasury, and rules and map without outlines.
        """
        packed = json.loads(edition.packed_table(table))
        return {
            "position": results.position_data(state),
            "private": {"treasury": str(state.realms[realm].treasury)},
            "map": packed["atlas"],
            "rules": packed["rules"],
        }


SPEC: GameSpec[World] = MedievalGame()
