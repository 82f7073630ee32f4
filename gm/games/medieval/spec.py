"""Medieval Diplomacy as the campaign and the commands see it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gm.core.diagnostics import Diagnostic
from gm.core.events import GM, Event
from gm.core.pipeline import Outcome, Progress
from gm.game.answers import Explanation, OddsMaker, Preview
from gm.game.base.amending import STEP, Correction
from gm.game.base.events import Uses
from gm.game.spec import GameSpec, Standings
from gm.game.values import MAP_FILE, Bot, GameData, MapView, ReadOrders, Seat, TurnResult
from gm.games.medieval.events.gm import Amended, ProclamationRejected
from gm.games.medieval.orders.model import Orders, Proclamation
from gm.games.medieval.state import Controller, World
from gm.games.medieval.state.snapshot import SNAPSHOT, world_from, world_record
from gm.resources import resource
from gm.store.formats import Format, JsonObject

START_FILE = "start.yaml"
RULES_FOLDER = "rules"
PROCLAMATION = "proclamation"


class MedievalGame(GameSpec[World]):
    """See :class:`gm.game.spec.GameSpec` for what each function is for. Parts are imported when they are needed."""

    key = "medieval"
    title = "Medieval Diplomacy"
    default_map = "minsk"
    snapshot: Format = SNAPSHOT
    rejectable = (PROCLAMATION,)
    rule_files: Sequence[str] = ("numbers.yaml", "troops.yaml", "fortifications.yaml", "recruits.yaml", "names.yaml")

    @property
    def edition(self) -> int:
        from gm.games.medieval.data.edition import EDITION

        return EDITION

    # -- rules, maps and the start -----------------------------------------------------------------------------------

    def map_files(self, chosen: Path) -> Mapping[str, bytes]:
        from gm.games.medieval.data.map_file import load_atlas
        from gm.games.medieval.data.rules_data import load_rules
        from gm.games.medieval.data.scenario import load_scenario
        from gm.games.medieval.data.scenario_kept import SCENARIO_FILE, kept_scenario_text

        rules = load_rules()
        scenario = load_scenario(chosen / START_FILE, load_atlas(chosen / MAP_FILE, rules), rules)
        return {MAP_FILE: (chosen / MAP_FILE).read_bytes(), SCENARIO_FILE: kept_scenario_text(scenario).encode()}

    def check_map(self, chosen: Path) -> Sequence[Diagnostic]:
        from gm.games.medieval.data.map_check import check_map

        return check_map(chosen)

    def map_balance(self, chosen: Path) -> Sequence[Mapping[str, Any]]:
        from gm.games.medieval.data.map_balance import balance_figures

        table = self.shipped_table("", chosen)
        return balance_figures(table.board, self.start(table, chosen, None), table.rules)

    def load_table(self, folder: Path) -> GameData:
        from gm.games.medieval.data.map_file import load_atlas
        from gm.games.medieval.data.rules_data import load_rules
        from gm.games.medieval.data.scenario_kept import kept_rules

        overrides = folder / RULES_FOLDER
        rules = load_rules(overrides if overrides.is_dir() else None)
        return GameData(kept_rules(folder, rules), load_atlas(folder / MAP_FILE, rules))

    def shipped_table(self, map_name: str, map_folder: Path | None = None) -> GameData:
        from gm.games.medieval.data.map_file import load_atlas
        from gm.games.medieval.data.rules_data import load_rules
        from gm.games.medieval.data.scenario import load_scenario, scenario_rules

        folder = map_folder or self.maps()[map_name]
        rules = load_rules()
        atlas = load_atlas(folder / MAP_FILE, rules)
        return GameData(scenario_rules(load_scenario(folder / START_FILE, atlas, rules), rules), atlas)

    def table_files(self, map_name: str, map_folder: Path | None = None) -> Sequence[Path]:
        folder = map_folder or self.maps()[map_name]
        return (folder / MAP_FILE, folder / START_FILE, *sorted(resource("rules", self.key).glob("*.yaml")))

    def game_files(self, folder: Path) -> Sequence[Path]:
        from gm.games.medieval.data.scenario_kept import SCENARIO_FILE

        own = sorted((folder / RULES_FOLDER).glob("*.yaml"))
        return (folder / MAP_FILE, folder / SCENARIO_FILE, *own, *sorted(resource("rules", self.key).glob("*.yaml")))

    def packed_table(self, table: GameData, *, drawings: bool = False) -> bytes:
        from gm.games.medieval.data.edition import rules_mark
        from gm.games.medieval.data.table_pack import packed_table

        return packed_table(table, drawings=drawings, mark=table.mark or rules_mark(table))

    def unpacked_table(self, packed: bytes) -> GameData:
        from gm.games.medieval.data.table_pack import unpacked_table

        return unpacked_table(packed)

    def marks(self, table: GameData) -> Mapping[str, str]:
        from gm.games.medieval.data.edition import marks

        return marks(table)

    def start(self, table: GameData, folder: Path, played: Iterable[str] | None) -> World:
        from gm.games.medieval.data.scenario import load_scenario, start_world

        scenario = load_scenario(folder / START_FILE, table.board, table.rules)
        world = start_world(scenario, table.board, table.rules)
        wanted = set(world.realms if played is None else played)
        others = (realm for code, realm in world.realms.items() if code not in wanted)
        return world.with_realms(*(realm.evolve(controller=Controller.NOBODY) for realm in others))

    # -- the state ---------------------------------------------------------------------------------------------------

    def record(self, state: World) -> JsonObject:
        return world_record(state)

    def state(self, record: JsonObject) -> World:
        return world_from(record)

    def broken(self, table: GameData, state: World) -> Sequence[str]:
        from gm.games.medieval.state.invariants import broken_invariants

        return broken_invariants(state, table.rules, table.board)

    def seats(self, table: GameData, state: World) -> Sequence[Seat]:
        from gm.games.medieval.standings import seat_of

        return [seat_of(realm, state.turn, table.rules) for _, realm in sorted(state.realms.items())]

    def with_standings(self, state: World, standings: Standings) -> tuple[World, tuple[Event, ...]]:
        from gm.games.medieval.standings import with_standings

        return with_standings(state, standings)

    def ended(self, table: GameData, state: World) -> Sequence[str] | None:
        """V1: as the turn's last step left it (L19, L20); also when nobody is left who could win."""
        return state.winners or (() if all(realm.defeated for realm in state.realms.values()) else None)

    def figures(self, table: GameData, state: World) -> Mapping[str, Mapping[str, float]]:
        from gm.games.medieval.standings import figures

        return figures(state, table.rules, table.board)

    @property
    def corrections(self) -> Mapping[str, Correction]:
        from gm.games.medieval.amending import CORRECTIONS

        return CORRECTIONS

    def amendment(self, what: str, why: str) -> Event:
        return Amended(step=STEP, what=what, why=why)

    def draw(self, table: GameData, state: World, view: MapView) -> str:
        from gm.games.medieval.report.map_drawing import asked_map

        return asked_map(table.board, table.rules, state, view)

    # -- orders and the turn -----------------------------------------------------------------------------------------

    def read_orders(
        self,
        table: GameData,
        state: World,
        data: bytes,
        file: str,
        *,
        game: str,
        realm: str | None,
        key: str | None,
        late: bool = False,
    ) -> ReadOrders:
        from gm.games.medieval.orders.read import read_sheet

        at = {"world": state, "rules": table.rules, "atlas": table.board, "turn": state.turn + 1}
        sheet, diagnostics = read_sheet(data, file, **at, game=game, realm=realm, key=key, late=late)
        if sheet is None:
            return ReadOrders(None, tuple(diagnostics))
        return ReadOrders(sheet, tuple(diagnostics), sheet.realm, sheet.key, sheet.standing)

    def with_contact(self, sheet: Orders, contact: str) -> Orders:
        return sheet.evolve(contact=contact)

    def without(self, sheet: Orders, what: str) -> tuple[Orders, tuple[Event, ...]]:
        """L13: the sheet with its proclamation marked as rejected; the step settles it."""
        if what != PROCLAMATION:
            raise ValueError(f"only {', '.join(self.rejectable)} can be rejected, not {what!r}")
        found = [order for order in sheet.headquarters if isinstance(order, Proclamation)]
        if not found:
            raise ValueError(f"the orders of {sheet.realm} hold no proclamation")
        events = (ProclamationRejected(audience=GM, step=STEP, realm=sheet.realm, text=each.text) for each in found)
        return sheet.evolve(proclamation_rejected=True), tuple(events)

    def preview(
        self, table: GameData, state: World, realm: str, sheet: Orders | None, data: bytes, file: str
    ) -> Preview:
        from gm.games.medieval.analysis.preview import preview_orders

        return preview_orders(state, realm, sheet, table.rules, table.board, data, file)

    def schema(self, table: GameData, game: str | None) -> Mapping[str, Any]:
        from gm.games.medieval.orders.schema import orders_schema

        return orders_schema(table.rules, table.board, game)

    def realm_schema(self, table: GameData, state: World, game: str, realm: str) -> str:
        from gm.games.medieval.orders.schema_realm import RealmSchemas

        schemas = RealmSchemas(state, rules=table.rules, atlas=table.board, game=game, turn=state.turn + 1)
        return schemas.text(realm)

    def play(
        self, table: GameData, state: World, sheets: Mapping[str, Orders], seed: str, progress: Progress | None = None
    ) -> Outcome[World]:
        from gm.games.medieval.pipeline import play_turn

        return play_turn(state, sheets, rules=table.rules, atlas=table.board, seed=seed, progress=progress)

    def tally(self, earlier: JsonObject, events: Iterable[Event]) -> JsonObject:
        from gm.games.medieval.analysis.luck import luck_after

        return luck_after(earlier, events)

    def rule_uses(self, table: GameData, sheets: Mapping[str, Orders], events: Iterable[Event]) -> Uses:
        from gm.games.medieval.analysis.rule_uses import rule_uses

        return rule_uses(table.rules, sheets, events)

    @property
    def odds(self) -> OddsMaker:
        from gm.games.medieval.analysis.odds.answer import odds

        return odds

    # -- reports -----------------------------------------------------------------------------------------------------

    def event(self, record: JsonObject) -> Event:
        from gm.games.medieval.state.event_log import event_from

        return event_from(record)

    def reports(self, table: GameData, result: TurnResult, *, html: bool = True) -> Mapping[str, bytes]:
        from gm.games.medieval.report import turn_reports
        from gm.games.medieval.report.turn_result import MedievalResult

        return turn_reports(MedievalResult.of(table, result), html=html)

    def summary(self, table: GameData, result: TurnResult) -> Sequence[str]:
        from gm.games.medieval.report import summary_lines
        from gm.games.medieval.report.turn_result import MedievalResult

        return summary_lines(MedievalResult.of(table, result))

    def digests(self, table: GameData, result: TurnResult) -> Mapping[str, Sequence[str]]:
        from gm.games.medieval.report import turn_digests
        from gm.games.medieval.report.turn_result import MedievalResult

        return turn_digests(MedievalResult.of(table, result))

    def warnings(self, table: GameData, result: TurnResult) -> Sequence[str]:
        from gm.games.medieval.analysis.warnings import warnings
        from gm.games.medieval.report.turn_result import MedievalResult

        return warnings(MedievalResult.of(table, result))

    @property
    def questions(self) -> Mapping[str, str]:
        from gm.games.medieval.analysis.why.asking import QUESTIONS

        return QUESTIONS

    def explain(
        self, table: GameData, result: TurnResult, opened: World, words: Sequence[str]
    ) -> Sequence[Explanation]:
        from gm.games.medieval.analysis.why.asking import explain
        from gm.games.medieval.report.turn_result import MedievalResult

        return explain(MedievalResult.of(table, result), opened, words)

    def diff(self, table: GameData, result: TurnResult, other: TurnResult) -> Sequence[Explanation]:
        from gm.games.medieval.analysis.why.diff import diff
        from gm.games.medieval.report.turn_result import MedievalResult

        return diff(MedievalResult.of(table, result), MedievalResult.of(table, other))

    def results_state(self, data: bytes, file: str) -> tuple[JsonObject, World]:
        from gm.games.medieval.report.results import results_state

        return results_state(data, file)

    def handbook(self, table: GameData, state: World | None = None) -> str:
        from gm.games.medieval.handbook.page import handbook_page
        from gm.games.medieval.handbook.texts import tutorial

        # the tutorial is played as it comes with the program, whatever the game itself is played on
        lesson = self.shipped_table(tutorial().map)
        start = self.start(lesson, self.maps()[tutorial().map], None)
        return handbook_page(
            table.rules, table.board, lesson_world=start, lesson_rules=lesson.rules, lesson_atlas=lesson.board
        )

    # -- programs that play ------------------------------------------------------------------------------------------

    @property
    def bots(self) -> Mapping[str, Bot]:
        from gm.games.medieval.bots.playing import BOTS

        return BOTS

    def seen(self, table: GameData, state: World, realm: str) -> World:
        """W8: everything but the other treasuries, and who has missed how many turns."""
        from gm.games.medieval.standings import public_state

        return public_state(state, realm)

    def program_view(self, table: GameData, state: World, realm: str) -> Mapping[str, Any]:
        """W8: the position as it is in the results file, the realm's treasury, and the table without its outlines."""
        from gm.games.medieval.data.table_pack import packed_table
        from gm.games.medieval.report.position import position_data

        packed = json.loads(packed_table(table))
        return {
            "position": position_data(state),
            "private": {"treasury": str(state.realms[realm].treasury)},
            "map": packed["atlas"],
            "rules": packed["rules"],
        }


SPEC: GameSpec[World] = MedievalGame()
