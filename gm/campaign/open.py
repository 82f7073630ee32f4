"""A game loaded from its folder, for the next turn or a look at an old one."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from gm.campaign.clock import with_clock
from gm.campaign.order_files import OrderReader
from gm.core.diagnostics import says
from gm.core.orders.keys import KEYS_OF, WORDS
from gm.core.sealing import Proof, turn_proof
from gm.core.values import GM, Event, Record
from gm.game.corrections import UnchangedError
from gm.game.spec import GameSpec
from gm.game.values import GameData, Seat
from gm.store import BrokenFolderError
from gm.store.deadlines import Deadline
from gm.store.folder import GameFolder
from gm.store.formats import PUT_BACK, JsonObject
from gm.store.inbox import Decisions, Withdrawn
from gm.store.journal import journal_of
from gm.store.moments import clock
from gm.store.press import PRESS_FILE, Press, read_press
from gm.text.languages import Translate


class Campaign(Record, dict=True):
    """One game between two turns."""

    folder: GameFolder
    spec: GameSpec[Any]
    # returns the rules and map of a folder, faster than the game's own loader
    load: Callable[[Path], GameData] | None = None
    earlier: OrderReader | None = None  # the reader of order files before the game was :meth:`reopened`

    def reopened(self) -> "Campaign":
        """Return the same game read from disk again, after a turn was written or files were changed."""
        read_before = vars(self).get("orders", self.earlier)
        return Campaign(GameFolder(self.folder.path), self.spec, self.load, read_before)

    @cached_property
    def table(self) -> GameData:
        """Rules and map. Raises ``SourceError`` when the GM's copy of either does not fit."""
        return (self.load or self.spec.load_table)(self.folder.path)

    @cached_property
    def newest_turn(self) -> int:
        """The number of the last played turn; 0: the start."""
        return self.folder.newest_turn()

    @property
    def next_turn(self) -> int:
        return self.newest_turn + 1

    @cached_property
    def snapshot(self) -> Any:
        """The state as the newest turn left it."""
        return self._state_read(self.newest_turn)

    def record(self, turn: int) -> JsonObject:
        """Return a turn's record from its folder (``turn.json``); that of the newest turn is read once."""
        return self._newest_record if turn == self.newest_turn else self.folder.turn_record(turn)

    @cached_property
    def _newest_record(self) -> JsonObject:
        return self.folder.turn_record(self.newest_turn)

    @cached_property
    def decisions(self) -> Decisions:
        """What the GM has decided for the next turn so far.

        What depends on the order files, such as late ones and rejections, is added by the turn's plan.
        """
        players = self.folder.players
        votes = self.record(self.newest_turn).get("votes", {})
        # a new player is not bound by the vote of the former one
        new_realms = {player.realm for player in players.players if player.seated >= self.next_turn}
        return Decisions(
            standings=players.standings(self.next_turn),
            amendments=self.folder.inbox(self.next_turn).amendments(),
            contacts={player.realm: player.address for player in players.players},
            languages=self.languages,
            programs=tuple(sorted(player.realm for player in players.players if player.bot)),
            day=self.deadline(self.next_turn).date().isoformat() if self.spec.dated else "",
            votes={code: vote for code, vote in votes.items() if code not in new_realms},
            press=self.folder.settings.press.kinds,
        )

    @property
    def languages(self) -> dict[str, str]:
        """The language of each realm's player and, under :data:`gm.core.values.GM`, of the game master.

        Whoever has no entry reads English.
        """
        readers = {player.realm: player.language for player in self.folder.players.players if player.language}
        of_gm = self.folder.settings.language
        return {**readers, GM: of_gm} if of_gm else readers

    @cached_property
    def withdrawn(self) -> Withdrawn | None:
        """The record of the next turn if it was undone after its results were known; else None."""
        return self.folder.inbox(self.next_turn).withdrawn()

    @property
    def kept(self) -> Withdrawn | None:
        """The record of an undone turn (:attr:`withdrawn`) that is to be played with its old orders.

        None if the next turn takes new orders.
        """
        return self.withdrawn if self.withdrawn and not self.withdrawn.last.reopened else None

    @cached_property
    def opened(self) -> tuple[Any, tuple[Event, ...]]:
        """The newest turn's state with the GM's decisions carried out, and their events (V2, V3)."""
        return self.opened_with(self.snapshot, self.decisions)

    def opened_with(self, snapshot: Any, decisions: Decisions) -> tuple[Any, tuple[Event, ...]]:
        """Return (a state after these decisions were carried out on it, the events of what they changed).

        Raises ``BrokenFolderError`` for a decision that does not fit the state.
        """
        try:
            state, events = self.spec.with_standings(snapshot, decisions.standings)
        except ValueError as error:
            raise BrokenFolderError(says("{0}: {1}", self.folder.path / "players.yaml", error)) from None
        state = self.spec.on_day(state, decisions.day) if decisions.day else state
        for amendment in decisions.amendments:
            if amendment.words[0] in self.spec.rejectable:
                continue  # it corrects orders and not the position: see turn_plan
            try:
                state, new_events = self.spec.amend(self.table, state, amendment.words, amendment.why)
            except UnchangedError:
                continue  # a standing that the GM set later has done the same, and has its own event
            except ValueError as error:
                raise BrokenFolderError(
                    says("the amendment '{0}' does not fit: {1}", " ".join(amendment.words), error)
                ) from None
            events = (*events, *new_events)
        return state, events

    @property
    def state(self) -> Any:
        """The state from which the next turn starts."""
        return self.opened[0]

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """All seats as they are now. One with a bot of the GM's choice is not ``played`` by a person."""
        seats = {seat.code: seat for seat in self.spec.seats(self.table, self.state)}
        for player in self.folder.players.players:
            seat = seats.get(player.realm)
            # a seat without a person or a bot stays so, as that of a defeated realm
            if player.bot and seat and (seat.played or seat.bot):
                seats[seat.code] = seat.evolve(played=False, flagged=False, bot=player.bot)
        return tuple(seats.values())

    @cached_property
    def keys(self) -> dict[str, str]:
        """Each party's key for the next turn, by code."""
        return self.keys_of(self.next_turn)

    def keys_of(self, turn: int) -> dict[str, str]:
        """Return each party's key for a turn, by code.

        A party that is not in ``players.yaml`` has none and can send no orders.
        """
        # the turn before announced the keys, and its record says if they were in today's form
        announced = self.record(turn - 1) if 0 < turn <= self.next_turn else {KEYS_OF: WORDS}
        short = self.folder.settings.short_keys or KEYS_OF not in announced
        return {player.realm: player.key_for(turn, short=short) for player in self.folder.players.players}

    def trusts(self, vouched: str, realm: str) -> bool:
        """Return whether a file of a realm needs no key: its sender is known, or the game has no keys.

        In a game without keys this goes for realms with an entry in ``players.yaml`` only. ``vouched``: the
        realm whose player certainly sent it, empty if that is not known.
        """
        return vouched == realm or (not self.folder.settings.keys and realm in self.keys)

    @cached_property
    def winners(self) -> Sequence[str] | None:
        """The codes of the parties that have won, when the game is over; None while it goes on."""
        return self.spec.ended(self.table, self.state)

    def proof(self, turn: int, order_files: Mapping[str, str]) -> Proof:
        """Return the proof of a turn's dice; ``order_files``: the fingerprints of the orders, by party."""
        settings = self.folder.settings
        return turn_proof(settings.master(turn), settings.id, turn, order_files)

    def seal(self, turn: int) -> str:
        """Return the seal of a turn's dice, which is published before the turn."""
        return self.proof(turn, {}).seal

    def tally(self, turn: int) -> JsonObject:
        """Return the sums that a game keeps from turn to turn (``GameSpec.tally``), after a played turn.

        After turn 0 there are none.
        """
        sums = self.record(turn).get("tally") if turn else {}
        if sums is None:  # an earlier version recorded none: they are counted from the logs
            sums = self.spec.tally(self.tally(turn - 1), self.logged(turn))
        return dict(sums)

    def logged(self, turn: int) -> tuple[Event, ...]:
        """Return the events of a played turn.

        Raises ``BrokenFolderError`` for one that this program does not know.
        """
        try:
            return tuple(self.spec.event(record) for record in self.folder.log(turn))
        except ValueError as error:
            place = self.folder.turn_path(turn) / "log.jsonl"
            raise BrokenFolderError(says("{0}: {1}", place, error)) from None

    @cached_property
    def letters(self) -> tuple[tuple[Press, ...], ...]:
        """The letters between players that each turn delivered: an entry for each turn, turn 1 first."""
        return tuple(
            read_press(self.folder.turn_path(turn) / PRESS_FILE) for turn in range(1, self.next_turn)
        )

    def played_at(self, turn: int) -> datetime | None:
        """Return when a turn was played; None when the journal does not tell."""
        moment = self._times_played.get(turn)
        return datetime.fromisoformat(moment) if moment else None

    @cached_property
    def _times_played(self) -> Mapping[int, str]:
        """The moment, as text, at which each turn was played last, by its number."""
        entries = journal_of(self.folder.path).entries
        return {entry["turn"]: entry["at"] for entry in entries if entry["did"] == "turn" and "turn" in entry}

    def seat(self, realm: str) -> Seat | None:
        """Return the seat with this code; None if the game has none."""
        return next((seat for seat in self.seats if seat.code == realm), None)

    @property
    def open_seats(self) -> tuple[Seat, ...]:
        """The seats that anybody may join."""
        open_realms = {player.realm for player in self.folder.players.players if player.open}
        return tuple(seat for seat in self.seats if seat.code in open_realms and not seat.out)

    @cached_property
    def calendar(self) -> Deadline:
        """The deadlines of the turns to come, counted from the slot of the newest turn."""
        due = self.folder.settings.deadline
        turn = self.newest_turn
        record = self.record(turn)
        if record.get("slot"):
            due = due.counted_from(turn, record["slot"])
        if not due.clock:  # the seats must not be asked for: in some games they depend on the deadline's day
            return due
        return with_clock(due, turn + 1, self.spec.seats(self.table, self.snapshot), record)

    def deadline(self, turn: int) -> datetime:
        """Return until when orders for a turn are in time, or were."""
        recorded = self.record(turn).get("deadline") if 0 < turn <= self.newest_turn else None
        if recorded:
            return datetime.fromisoformat(recorded)
        return self.calendar.of_turn(turn)

    def vacations(self, realm: str) -> int:
        """Return how many weeks of vacation the player of a realm may still take."""
        most = self.calendar.vacations
        entries = journal_of(self.folder.path).entries if most else ()
        return most - len(
            [entry for entry in entries if entry.get("what") == "vacation" and entry["realm"] == realm]
        )

    def due_words(self, turn: int, translate: Translate = str) -> str:
        """Return in words when a turn is due, or was; empty for a game without deadlines."""
        return "" if self.calendar.never else clock(self.deadline(turn), self.calendar.zone, translate)

    def state_after(self, turn: int) -> Any:
        """Return the state after a played turn; that of the newest is read once. Raises ``StoreError``."""
        return self.snapshot if turn == self.newest_turn else self._state_read(turn)

    def _state_read(self, turn: int) -> Any:
        """Return the state after a turn from its file. Raises ``BrokenFolderError`` for a damaged one."""
        record = self.folder.state(turn, self.spec.snapshot)
        path = self.folder.turn_path(turn) / "state.json"
        try:
            state = self.spec.state(record)
        except ValueError as error:
            # on one line, and cut off if it is long
            reason = " ".join(str(error).split())[:300].removesuffix(".")
            raise BrokenFolderError(says("{0} is damaged: {1}. {2}", path, reason, PUT_BACK)) from None
        if state.turn != turn:
            raise BrokenFolderError(says("{0} is the state after turn {1}, not {2}.", path, state.turn, turn))
        return state

    @cached_property
    def orders(self) -> OrderReader:
        """The reader of order files for the next turn."""
        return self.reader(self.state)

    def reader(self, state: Any) -> OrderReader:
        """Return the reader of order files for the turn that begins from a state.

        If rules, map and state are still the same, it is the earlier reader, which remembers files.
        """
        new_reader = OrderReader(self.spec, self.table, state, self.folder.settings.id)
        return self.earlier if self.earlier is not None and self.earlier.is_like(new_reader) else new_reader
