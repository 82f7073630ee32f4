"""A whole small game for :mod:`gm.game.spec`, except for the methods of :mod:`gm.game.base.hooks`."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import asdict

from gm.core.codec import EventCodec, from_plain, to_plain
from gm.core.diagnostics import Diagnostic, SourceError, joined, says
from gm.core.pipeline import Outcome, Progress, Turn, Watch, run_stages
from gm.core.values import Event
from gm.core.yaml.models import load_data, load_overlaid, load_value, value_at
from gm.core.yaml.source import plain_data, read_yaml
from gm.game.answers import FileTypes
from gm.game.base import files, forecast, handbook_page, order_file, report, why
from gm.game.base.events import Amended, ControllerSet, GameOver, OrdersMissing
from gm.game.base.hooks import Hooks, Trial, setting_text
from gm.game.base.position import CONTROLLERS, NOBODY, PLAYER, BaseBoard, Party, Position
from gm.game.base.reading import BaseOrders
from gm.game.base.texts import sentences
from gm.game.spec import MAP_FILE, Standings
from gm.game.values import STEP, Founded, GameData, NewGameRequest, Seat
from gm.game.votes import SETTING, Voted, VoteRule
from gm.resources import resource
from gm.store.formats import Format, JsonObject, compact
from gm.text.layout import entry, read_results
from gm.text.words import load_reasons

S = TypeVar("S", bound=Position)  # The state of the game

RULES_FILE = "rules.yaml"


class SmallGame(Hooks[S]):
    """A small game as the program knows games: a :class:`GameSpec` made of the game's own hooks."""

    party_word = "player"
    rule_files: Sequence[str] = (RULES_FILE,)

    @property
    def snapshot(self) -> Format:
        return Format(f"{self.title} position", 1)

    @property
    def options(self) -> Mapping[str, str]:
        """The settings that can be chosen for a new game, by name: the meaning and default of each."""
        by_rules = self.settings_type.by_rules(self.read_rules())
        defaults = asdict(self.settings_type()) | by_rules | dict(self.words.unless_chosen)
        descriptions = {**self.words.settings, "votes": SETTING}
        return {
            name: f"{says} (default: {setting_text(defaults[name])})" for name, says in descriptions.items()
        }

    def sizes(self, chosen: Path) -> Mapping[int, Mapping[str, str]]:
        numbers = self.players_on(self.read_board(chosen / MAP_FILE, chosen.name))
        return {number: {self.size_option: str(number)} for number in numbers}

    def founded(self, wishes: NewGameRequest) -> Founded:
        """Return the chosen map with the options as settings, and the files of the game folder.

        Raises ``ValueError`` for an unknown option or an impossible value.
        """
        wishes.refuse_unknown(self.options)
        # read as YAML, so that their values get the types of the settings
        text = "".join(f"{name}: {value}\n" for name, value in wishes.options.items())
        try:
            node = read_yaml(text.encode(), "--set") if text else None
            chosen_settings = (
                value_at(node, plain_data(node), self.settings_type) if node else self.settings_type()
            )
        except SourceError as error:
            raise ValueError(joined((diagnostic.message for diagnostic in error.diagnostics), "; ")) from None
        shipped = self.read_board(wishes.map / MAP_FILE, wishes.map.name)
        board = self.generated(shipped, chosen_settings, wishes.seed)
        settings = self.with_wishes(self.chosen(chosen_settings, board, wishes.people), board, wishes.parties)
        shipped_file = (wishes.map / MAP_FILE).read_bytes()
        # a map that was not generated keeps its file as it was written, with its comments
        map_file = _with_name(shipped_file, board.name) if board == shipped else _board_file(board)
        return Founded(GameData(self.read_rules(), board, (settings, wishes.seed)), {MAP_FILE: map_file})

    def map_files(self, chosen: Path) -> Mapping[str, bytes]:
        return self.founded(NewGameRequest(map=chosen)).files

    def check_map(self, chosen: Path) -> Sequence[Diagnostic]:
        """Return the findings about a map's folder: errors of its files, or faults of its start position."""
        try:
            table = self.shipped_table(chosen.name, chosen)
            state = self.start(table, chosen, None)
        except SourceError as error:
            return error.diagnostics
        return [Diagnostic("error", "map/broken", fault, str(chosen)) for fault in self.broken(table, state)]

    def map_balance(self, chosen: Path) -> Sequence[Mapping[str, Any]]:
        table = self.shipped_table(chosen.name, chosen)
        state = self.start(table, chosen, None)
        return [
            {"party": state.parties[code].name, **row} for code, row in self.figures(table, state).items()
        ]

    def load_table(self, folder: Path) -> GameData:
        own_rules = folder / "rules" / RULES_FILE
        return GameData(
            self.read_rules(own_rules if own_rules.is_file() else None), self.read_board(folder / MAP_FILE)
        )

    def shipped_table(self, map_name: str, map_folder: Path | None = None) -> GameData:
        """Return the rules as shipped and a map; for a map that is generated for each game, a sample."""
        folder = map_folder or self.maps()[map_name]
        board = self.generated(self.read_board(folder / MAP_FILE, folder.name), self.settings_type(), "")
        return GameData(self.read_rules(), board)

    def table_files(self, map_name: str, map_folder: Path | None = None) -> Sequence[Path]:
        return ((map_folder or self.maps()[map_name]) / MAP_FILE, resource("rules", self.key, RULES_FILE))

    def read_rules(self, path: Path | None = None) -> Any:
        """Return the rules as shipped, overridden by the file at ``path`` if there is one."""
        shipped = resource("rules", self.key, RULES_FILE)
        return load_overlaid(path, shipped, self.rules_type) if path else load_value(shipped, self.rules_type)

    def read_board(self, path: Path, name: str = "") -> BaseBoard:
        """Return the board in a map file. ``name``: the map's, if the file does not say it."""
        data, node = load_data(path)
        # without a name in the file and in the call, the map is called after its folder
        named = {"name": name or path.parent.name, **data} if isinstance(data, dict) else data
        return value_at(node, named, self.board_type)

    def packed_table(self, table: GameData, *, drawings: bool = False) -> bytes:
        return compact(
            {"rules": to_plain(table.rules), "board": table.board.model_dump(mode="json")}
        ).encode()

    def unpacked_table(self, packed: bytes) -> GameData:
        data = json.loads(packed)
        if not isinstance(data, dict) or not {"rules", "board"} <= data.keys():
            raise ValueError("this is no table")
        return GameData(
            from_plain(data["rules"], self.rules_type), self.board_type.model_validate(data["board"])
        )

    def fingerprints(self, table: GameData) -> Mapping[str, str]:
        """Return the fingerprints of rules and words."""

        def hashed(data: Any) -> str:
            return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]

        reasons = {key: reason.says for key, reason in load_reasons(self.key).items()}
        return {
            "rules": hashed([self.edition, self.packed_table(table).decode()]),
            "words": hashed([reasons, dict(sentences(self.key))]),
        }

    def start(self, table: GameData, folder: Path, played: Iterable[str] | None) -> S:
        """Return the state before turn 1. Nobody controls parties that are not ``played``; None: all are."""
        # only ``founded`` puts settings and a seed into a table: others start with the default ones
        settings, seed = table.settings or (self.chosen(self.settings_type(), table.board, 0), "")
        state = self.opening(table, settings, seed)
        if played is None:
            return state
        seated = set(played)
        return state.with_parties(
            {code: {"controller": NOBODY} for code in state.parties if code not in seated}
        )

    def record(self, state: S) -> JsonObject:
        return dict(to_plain(state))

    def state(self, record: JsonObject) -> S:
        return from_plain(record, self.state_type)

    def program_view(self, table: GameData, state: S, realm: str) -> Mapping[str, Any]:
        """Return what a player's program gets: position, map and rules, in the form of the game's files."""
        packed = json.loads(self.packed_table(table))
        return {"position": self.record(state), "map": packed["board"], "rules": packed["rules"]}

    def seats(self, table: GameData, state: S) -> Sequence[Seat]:
        waiting_codes = self.waiting(table, state)
        return [
            self.seat_of(state.parties[code], waiting=code in waiting_codes) for code in sorted(state.parties)
        ]

    def seat_of(self, party: Party, *, waiting: bool) -> Seat:
        """Return a party as the GM sees it. ``waiting``: it has nothing to order this turn."""
        played = party.controller == PLAYER and not party.out
        same_fields = {
            name: getattr(party, name) for name in ("code", "name", "out", "missed", "status", "controller")
        }
        return Seat(
            **same_fields,
            played=played,
            flagged=played and party.missed >= self.flagged_after,
            waiting=waiting,
        )

    def ended(self, table: GameData, state: S) -> Sequence[str] | None:
        return state.winners

    def with_standings(self, state: S, standings: Standings) -> tuple[S, tuple[Event, ...]]:
        """Return the state with the controllers that the GM has set, and their events.

        Raises ``ValueError`` for a changed status, which follows from the game, and for an unknown party or
        controller.
        """
        changes: dict[str, dict[str, Any]] = {}
        for code, (status, controller) in sorted(standings.items()):
            if code not in state.parties:
                codes = ", ".join(sorted(state.parties))
                raise ValueError(says("this game has no realm {0}; it has {1}", code, codes))
            party = state.parties[code]
            if status is not None and status != party.status:
                pattern = "the status of {0} can be nothing but {1}: it follows from the game"
                raise ValueError(says(pattern, code, party.status))
            if controller in (None, party.controller):
                continue
            if controller not in CONTROLLERS:
                controllers = says("{0} or {1}", *CONTROLLERS)
                raise ValueError(
                    says("the controller of {0} can be {1}, not {2!r}", code, controllers, controller)
                )
            # a player who takes over has missed no turn yet
            changes[code] = {"controller": controller, **({"missed": 0} if controller == PLAYER else {})}
        events = (
            ControllerSet(step=STEP, party=code, controller=to["controller"]) for code, to in changes.items()
        )
        return state.with_parties(changes), tuple(events)

    def amendment(self, what: str, why: str) -> Event:
        return Amended(step=STEP, what=what, why=why)

    def play(
        self,
        table: GameData,
        state: S,
        sheets: Mapping[str, BaseOrders],
        seed: str,
        progress: Progress | None = None,
        watch: Watch | None = None,
    ) -> Outcome[S]:
        """Return the outcome of a turn: missing orders are recorded, stages run, the game's end announced.

        ``sheets``: orders by party; ``progress``: called before each step; ``watch``: called after each step,
        for trials.
        """
        expected_seats = (
            seat
            for seat in self.seats(table, state)
            if seat.code in sheets or (seat.played and not seat.waiting)
        )
        missed = {seat.code: 0 if seat.code in sheets else seat.missed + 1 for seat in expected_seats}
        opened = state.with_parties({code: {"missed": count} for code, count in missed.items()})
        orders = {code: sheets[code].orders for code in sorted(sheets)}
        turn: Turn[S, Any, Any, Any] = Turn(
            state=opened,
            number=state.turn + 1,
            rules=table.rules,
            board=table.board,
            orders=orders,
            seed=seed,
        )
        outcome = run_stages(self.stages, turn, progress, watch)
        after = outcome.state.evolve(turn=state.turn + 1)
        missing = (
            OrdersMissing(audience=code, step=STEP, party=code, missed=n) for code, n in missed.items() if n
        )
        events = (*missing, *outcome.events)
        if after.winners is not None and state.winners is None:
            events += (GameOver(step="end", winners=after.winners, how=self.end_reason(after)),)
        return Outcome(after, events)

    def rehearsed(self, table: GameData, state: S, sheets: Mapping[str, BaseOrders], seed: str) -> Trial[S]:
        states: dict[str, S] = {}

        def record_state(_: Any, turn: Any, __: Any) -> None:
            """Record the state before a step, by the step's name."""
            states[turn.step] = turn.state

        outcome = self.play(table, state, sheets, seed, watch=record_state)
        return Trial(outcome.state, outcome.events, states)

    def vote_rule(self, table: GameData, state: Any) -> VoteRule:
        rule: VoteRule = state.settings.votes or table.rules.votes
        return rule

    def concluded(self, table: GameData, state: S, voted: Voted) -> Outcome[S]:
        over = state.evolve(winners=voted.winners)
        return Outcome(over, (GameOver(step="end", winners=voted.winners, how="voted"),))

    @cached_property
    def event_classes(self) -> EventCodec:
        """The codec of the game's events: those in any module of its package, and in ``event_modules``."""
        for name in self.event_modules:
            import_module(name)
        home = type(self).__module__.rpartition(".")[0]
        package = home.partition(".")[0]
        # the games that come with pbem share a package: of these only the game's own part of it
        return EventCodec(
            "gm.game.base", home if package == "gm" else package or type(self).__module__, *self.event_modules
        )

    @property
    def file_types(self) -> FileTypes:  # type: ignore[override]
        return FileTypes(self.state_type, self.event_classes.classes)

    def event(self, record: JsonObject) -> Event:
        return self.event_classes.event(record)

    read_orders = order_file.read_orders
    preview = forecast.preview
    explain = why.explain
    diff = why.diff
    questions = why.QUESTIONS
    schema = files.schema
    realm_schema = files.realm_schema
    reports = report.reports
    summary = report.summary
    digests = report.digests
    handbook = handbook_page.handbook
    warnings = report.warnings
    herald = report.herald

    def results_state(self, data: bytes, file: str) -> tuple[JsonObject, S]:
        head, position, _ = read_results(data, file, self.key)
        return head, self.state(position)

    def results_table(self, data: bytes, file: str) -> GameData | None:
        """Return the game data of a game on a generated map, from a results file that contains the map.

        None if the map comes with the program.
        """
        _, _, board = read_results(data, file, self.key)
        return None if board is None else GameData(self.read_rules(), self.board_type.model_validate(board))


def _with_name(map_file: bytes, name: str) -> bytes:
    """Return a map file with the map's name in it, since a game's folder is not called after its map."""
    if b"\nname:" in b"\n" + map_file:
        return map_file
    return f"{entry('name', name)}\n".encode() + map_file


def _board_file(board: BaseBoard) -> bytes:
    """Return a generated board as a map file."""
    lines = (f"{entry(name, value)}\n" for name, value in board.model_dump(mode="json").items())
    return "".join(lines).encode()
