"""Medieval Diplomacy as the kernel and the commands see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gm.games.medieval.events.gm import ControllerSet, ProclamationRejected, StatusSet
from gm.games.medieval.orders.model import OrderSheet, Proclamation
from gm.games.medieval.rules import Rules
from gm.games.medieval.snapshot import SNAPSHOT, world_from, world_record
from gm.games.medieval.state import Controller, Realm, Status, World
from gm.kernel.diagnostics import Diagnostic
from gm.kernel.events import GM, Event
from gm.kernel.game import GameSpec, MapView, Played, Preview, Reading, Seat, Table
from gm.kernel.pipeline import Outcome, Progress
from gm.kernel.store.formats import Format, Record
from gm.resources import resource

if TYPE_CHECKING:
    from gm.games.medieval.report.record import TurnRecord

MAP_FILE = "map.yaml"
START_FILE = "start.yaml"
RULES_FOLDER = "rules"
PROCLAMATION = "proclamation"


class MedievalGame:
    """See :class:`gm.kernel.game.GameSpec` for what each function is for. Parts are imported when they are needed."""

    key = "medieval"
    title = "Medieval Diplomacy"
    snapshot: Format = SNAPSHOT
    rejectable: Sequence[str] = (PROCLAMATION,)

    # -- rules, maps and the start -----------------------------------------------------------------------------------

    def maps(self) -> Mapping[str, Path]:
        folders = resource("maps", "medieval").iterdir()
        return {path.name: path for path in sorted(folders) if (path / MAP_FILE).is_file()}

    def map_files(self, chosen: Path) -> Mapping[str, bytes]:
        from gm.games.medieval.map_file import load_atlas
        from gm.games.medieval.rules_data import load_rules
        from gm.games.medieval.scenario import load_scenario
        from gm.games.medieval.scenario_kept import SCENARIO_FILE, kept_scenario_text

        rules = load_rules()
        scenario = load_scenario(chosen / START_FILE, load_atlas(chosen / MAP_FILE, rules), rules)
        return {MAP_FILE: (chosen / MAP_FILE).read_bytes(), SCENARIO_FILE: kept_scenario_text(scenario).encode()}

    def check_map(self, chosen: Path) -> Sequence[Diagnostic]:
        from gm.games.medieval.map_check import check_map

        return check_map(chosen)

    def map_balance(self, chosen: Path) -> Sequence[Mapping[str, Any]]:
        from gm.games.medieval.map_balance import balance_figures

        table = self.shipped_table("", chosen)
        return balance_figures(table.board, self.start(table, chosen, None), table.rules)

    def load_table(self, folder: Path) -> Table:
        from gm.games.medieval.map_file import load_atlas
        from gm.games.medieval.rules_data import load_rules
        from gm.games.medieval.scenario_kept import kept_rules

        overrides = folder / RULES_FOLDER
        rules = load_rules(overrides if overrides.is_dir() else None)
        return Table(kept_rules(folder, rules), load_atlas(folder / MAP_FILE, rules))

    def shipped_table(self, map_name: str, map_folder: Path | None = None) -> Table:
        from gm.games.medieval.map_file import load_atlas
        from gm.games.medieval.rules_data import load_rules
        from gm.games.medieval.scenario import load_scenario, scenario_rules

        folder = map_folder or self.maps()[map_name]
        rules = load_rules()
        atlas = load_atlas(folder / MAP_FILE, rules)
        return Table(scenario_rules(load_scenario(folder / START_FILE, atlas, rules), rules), atlas)

    def start(self, table: Table, folder: Path, played: Iterable[str] | None) -> World:
        from gm.games.medieval.scenario import load_scenario, start_world

        scenario = load_scenario(folder / START_FILE, table.board, table.rules)
        world = start_world(scenario, table.board, table.rules)
        if played is None:
            return world
        wanted = set(played)
        return world.with_realms(
            *(realm.evolve(controller=Controller.NOBODY) for code, realm in world.realms.items() if code not in wanted)
        )

    # -- the state ---------------------------------------------------------------------------------------------------

    def record(self, state: World) -> Record:
        return world_record(state)

    def state(self, record: Record) -> World:
        return world_from(record)

    def broken(self, table: Table, state: World) -> Sequence[str]:
        from gm.games.medieval.state.invariants import broken_invariants

        return broken_invariants(state, table.rules, table.board)

    def turn_of(self, state: World) -> int:
        return state.turn

    def seats(self, table: Table, state: World) -> Sequence[Seat]:
        return [_seat(realm, state.turn, table.rules) for _, realm in sorted(state.realms.items())]

    def with_standings(
        self, state: World, standings: Mapping[str, tuple[str | None, str | None]]
    ) -> tuple[World, tuple[Event, ...]]:
        changed: list[Realm] = []
        events: list[Event] = []
        for code in sorted(standings):
            if code not in state.realms:
                raise ValueError(f"this game has no realm {code}; it has {', '.join(sorted(state.realms))}")
            realm = _with_standing(state.realms[code], *standings[code])
            if realm.status is not state.realms[code].status:
                events.append(StatusSet(step="orders", realm=code, status=realm.status.value))
            if realm.controller is not state.realms[code].controller:
                events.append(ControllerSet(step="orders", realm=code, controller=realm.controller.value))
            if realm != state.realms[code]:
                changed.append(realm)
        return state.with_realms(*changed) if changed else state, tuple(events)

    # -- orders ------------------------------------------------------------------------------------------------------

    def read_orders(
        self,
        table: Table,
        state: World,
        data: bytes,
        file: str,
        *,
        game: str,
        realm: str | None,
        key: str | None,
        late: bool = False,
    ) -> Reading:
        from gm.games.medieval.orders.read import read_sheet

        sheet, diagnostics = read_sheet(
            data,
            file,
            world=state,
            rules=table.rules,
            atlas=table.board,
            game=game,
            realm=realm,
            turn=state.turn + 1,
            key=key,
            late=late,
        )
        if sheet is None:
            return Reading(None, tuple(diagnostics))
        return Reading(sheet, tuple(diagnostics), sheet.realm, sheet.key)

    def with_contact(self, sheet: OrderSheet, contact: str) -> OrderSheet:
        return replace(sheet, contact=contact)

    def without(self, sheet: OrderSheet, what: str) -> tuple[OrderSheet, tuple[Event, ...]]:
        """L13: the sheet with its proclamation marked as rejected; the step settles it."""
        if what != PROCLAMATION:
            raise ValueError(f"only {', '.join(self.rejectable)} can be rejected, not {what!r}")
        found = [order for order in sheet.headquarters if isinstance(order, Proclamation)]
        if not found:
            raise ValueError(f"the orders of {sheet.realm} hold no proclamation")
        events = (ProclamationRejected(audience=GM, step="orders", realm=sheet.realm, text=each.text) for each in found)
        return replace(sheet, proclamation_rejected=True), tuple(events)

    def preview(
        self, table: Table, state: World, realm: str, sheet: OrderSheet | None, data: bytes, file: str
    ) -> Preview:
        from gm.games.medieval.preview import preview_orders

        return preview_orders(state, realm, sheet, table.rules, table.board, data, file)

    def schema(self, table: Table, game: str | None) -> Mapping[str, Any]:
        from gm.games.medieval.orders.schema import orders_schema

        return orders_schema(table.rules, table.board, game)

    # -- the turn and its reports ------------------------------------------------------------------------------------

    def play(
        self, table: Table, state: World, sheets: Mapping[str, OrderSheet], seed: str, progress: Progress | None = None
    ) -> Outcome[World]:
        from gm.games.medieval.pipeline import play_turn

        return play_turn(state, sheets, rules=table.rules, atlas=table.board, seed=seed, progress=progress)

    def event(self, record: Record) -> Event:
        from gm.games.medieval.event_log import event_from

        return event_from(record)

    def reports(self, table: Table, played: Played, *, html: bool = True) -> Mapping[str, bytes]:
        from gm.games.medieval.report import turn_reports

        files = turn_reports(self._turn_record(table, played), html=html)
        # nothing has been played before turn 1: there is nothing to sum up
        wanted = (name for name in files if played.after.turn or not name.startswith("summary."))
        return {name: files[name].encode() for name in wanted}

    def summary(self, table: Table, played: Played) -> Sequence[str]:
        from gm.games.medieval.report import summary_lines

        return summary_lines(self._turn_record(table, played))

    def _turn_record(self, table: Table, played: Played) -> TurnRecord:
        from gm.games.medieval.report.record import TurnRecord

        sheets = {realm: reading.sheet for realm, reading in played.readings.items() if reading.sheet is not None}
        return TurnRecord(
            game=played.game,
            title=table.board.title,
            before=played.before,
            after=played.after,
            events=played.events,
            rules=table.rules,
            atlas=table.board,
            sheets=sheets,
            keys=played.keys,
            diagnostics={realm: reading.diagnostics for realm, reading in played.readings.items()},
            set_aside=played.set_aside,
            deadline=played.deadline,
            proof=played.proof,
            next_seal=played.next_seal,
        )

    def results_state(self, data: bytes, file: str) -> tuple[Record, World]:
        from gm.games.medieval.report.results import public_world, read_results

        found = read_results(data, file)
        head = {name: found.get(name) for name in ("game", "realm", "turn", "key", "map")}
        try:
            return head, public_world(found)
        except (KeyError, TypeError) as error:
            raise ValueError(f"{file} lacks {error}: it is no complete results file") from None

    def draw(self, table: Table, state: World, view: MapView) -> str:
        from gm.games.medieval.report.map_moves import made_moves, planned_moves
        from gm.games.medieval.report.map_svg import draw_map
        from gm.kernel.diagnostics import did_you_mean, fold, nearest, shown

        places = {fold(name): name for name in table.board.locations}
        if view.zoom is not None and fold(view.zoom) not in places:
            hint = did_you_mean(nearest(view.zoom, table.board.locations))
            raise ValueError(f"no place of this map is called {shown(view.zoom)}" + (f": {hint}" if hint else ""))
        planned = planned_moves(view.sheet, state) if view.sheet is not None else ()
        return draw_map(
            table.board,
            state,
            table.rules,
            realm=view.party,
            troops=view.troops,
            patterns=view.patterns,
            moves=(*made_moves(view.events, state), *planned),
            zoom=places[fold(view.zoom)] if view.zoom is not None else None,
        )


def _seat(realm: Realm, turn: int, rules: Rules) -> Seat:
    """V3: a player who missed the first turn, or too many running, is flagged."""
    played = realm.controller is Controller.PLAYER and not realm.defeated
    missed = realm.missed_turns
    return Seat(
        code=realm.code,
        name=realm.name,
        played=played,
        out=realm.defeated,
        missed=missed,
        flagged=played and (missed >= rules.missed_turns_flagged or (turn == 1 and missed > 0)),
        status=realm.status.value,
        controller=realm.controller.value,
    )


def _with_standing(realm: Realm, status: str | None, controller: str | None) -> Realm:
    changes: dict[str, Any] = {}
    for name, words, given in (("status", Status, status), ("controller", Controller, controller)):
        if given is None or given == getattr(realm, name).value:
            continue
        if given not in list(words):
            raise ValueError(f"the {name} of {realm.code} can be {' or '.join(words)}, not {given!r}")
        changes[name] = words(given)
    if changes.get("controller") is Controller.PLAYER:
        # a new player starts with a clean sheet (V3)
        changes["missed_turns"] = 0
    return realm.evolve(**changes)


SPEC: GameSpec[World] = MedievalGame()
