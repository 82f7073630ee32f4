"""A whole game folder looked over: that everything is there which belongs there, and is what it was (W12).

Every part is looked at by itself: what is damaged is a finding with its place, and the rest is looked at all the same.
What follows from what, orders to results, only a replay can tell (:mod:`gm.campaign.replay`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from gm.campaign.history import History, history_of
from gm.campaign.open import Campaign
from gm.campaign.verify import Check, proof_of, renewal_checks, roll_check, seal_checks
from gm.core.diagnostics import SourceError
from gm.core.events import DiceRolled
from gm.core.sealing import Proof
from gm.store import StoreError
from gm.store.folder import PLAYERS_FILE, SETTINGS_FILE, TURN_FILE, turn_name
from gm.store.formats import JsonObject
from gm.store.rolls import ROLLS_FILE, read_roll, roll_record, rolls_bytes

_DAMAGE = (StoreError, SourceError, OSError, ValueError, KeyError, TypeError, AttributeError, IndexError)
"""What reading a damaged file of a game may come to."""


def check_folder(campaign: Campaign) -> Iterator[Check]:
    """A whole game: journals, settings and seats, every turn's state, log, orders, proof, rolls and results."""
    return _Audit(campaign).checks()


class _Audit:
    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.folder = campaign.folder

    def checks(self) -> Iterator[Check]:
        yield from self._part("the journals", lambda: self.history.checks())
        yield from self._part("the rules and the map", self._table)
        yield from self._part(PLAYERS_FILE, self._players)
        last = max([*self.turns, self.history.played])
        for turn in range(last + 1):
            where = self.folder.turn_path(turn)
            if turn not in self.turns:
                yield Check(f"turns/{where.name} is there", f"{where} is missing: put it back from a copy", turn=turn)
                continue
            for name, part in self._parts(turn):
                for each in self._part(name, part):
                    yield Check(each.what, each.problem, each.open, turn, each.covers)

        if self.turns:
            yield from self._part("the turn to come", lambda: self._coming(self.turns[-1] + 1))

    def _parts(self, turn: int) -> Iterator[tuple[str, Callable[[], Iterator[Check]]]]:
        yield "state.json", partial(self._state, turn)
        yield TURN_FILE, partial(self._files, turn)
        if turn:
            yield "the dice", partial(self._dice, turn)
            yield "log.jsonl", partial(self._log, turn)
            yield "the turn as it was withdrawn", partial(self._withdrawn, turn)
        yield "the results", partial(self._results, turn)

    def _part(self, name: str, part: Callable[[], Iterator[Check]]) -> Iterator[Check]:
        try:
            yield from part()
        except _DAMAGE as error:
            yield Check(f"{name} can be read", str(error) or type(error).__name__)

    @cached_property
    def history(self) -> History:
        return history_of(self.folder.path)

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The turns that the folder holds."""
        found = (
            (path for path in self.folder.turns.glob("turn-*") if path.is_dir()) if self.folder.turns.is_dir() else ()
        )
        numbers = {turn: path for path in found if (digits := path.name[5:]).isdigit() and (turn := int(digits)) >= 0}
        return tuple(sorted(turn for turn, path in numbers.items() if path.name == turn_name(turn)))

    # -- what belongs to the game ------------------------------------------------------------------------------------

    def _table(self) -> Iterator[Check]:
        _ = self.campaign.table  # it is read when it is first asked for
        yield Check("the rules and the map can be read")

    def _players(self) -> Iterator[Check]:
        players = {each.realm for each in self.folder.players.players}
        newest = self.turns[-1] if self.turns else 0
        path = self.folder.path / PLAYERS_FILE
        told = {each.stem for each in (self.folder.turn_path(newest) / "results").glob("*.yaml")}
        # who got a key was somebody's seat; the others are nobody's, or the game's own
        lost = sorted(each for each in told - players if self._had_key(newest, each))
        what = f"{PLAYERS_FILE}: {len(players)} seats"
        if lost:
            problem = f"{path} has no entry for {', '.join(lost)}, who got results of turn {newest}: it was cut short"
            yield Check(what, problem)
        else:
            ends = path.read_bytes().endswith(b"\n")
            yield Check(
                what,
                "" if ends else f"{path}: the last line does not end: it was cut short",
                covers={"seat": len(players)},
            )

    def _had_key(self, turn: int, realm: str) -> bool:
        path = self.folder.turn_path(turn) / "results" / f"{realm}.yaml"
        try:
            return bool(self.campaign.spec.results_data(path.read_bytes(), str(path)).get("key"))
        except ValueError:
            return True  # a damaged file is told of elsewhere

    # -- a turn ------------------------------------------------------------------------------------------------------

    def _record(self, turn: int) -> JsonObject:
        return self.folder.turn_record(turn)

    def _proof(self, turn: int) -> Proof | None:
        return proof_of(self._record(turn).get("proof"), str(self.folder.turn_path(turn) / TURN_FILE))

    def _state(self, turn: int) -> Iterator[Check]:
        state = self.campaign.state_after(turn)
        problems = self.campaign.spec.broken(self.campaign.table, state)
        yield Check("state.json is a position that may be", "; ".join(problems[:3]), covers={"position": 1})

    def _files(self, turn: int) -> Iterator[Check]:
        record, where = self._record(turn), self.folder.turn_path(turn)
        noted = self.history.records.get(turn)
        if turn <= self.history.keyless:
            yield Check("addresses were taken out for an archive without keys: only --replay tells the rest", open=True)
            return
        if noted is not None:
            mark = hashlib.sha256((where / TURN_FILE).read_bytes()).hexdigest()
            wrong = "" if mark == noted else f"{where / TURN_FILE} was changed: the journal tells of another"
            yield Check(f"{TURN_FILE} is what the journal tells of", wrong)
        if turn and record.get("turn") != turn:
            yield Check(f"{TURN_FILE} is of this turn", f"{where / TURN_FILE} is of turn {record.get('turn')}")
        listed: Mapping[str, str] = record.get("files") or {}
        wrong = ""
        for name, mark in listed.items():
            path = where / name
            if not path.is_file():
                wrong = wrong or f"{path} is missing"
            elif hashlib.sha256(path.read_bytes()).hexdigest() != mark:
                wrong = wrong or f"{path} was changed"
        if listed:
            yield Check(f"{len(listed)} files of the turn are as they were written", wrong)
        elif turn:
            yield Check(
                "an earlier version of gm played it: whether its state is as it was, only --replay tells", open=True
            )

    def _dice(self, turn: int) -> Iterator[Check]:
        proof, where = self._proof(turn), self.folder.turn_path(turn)
        if proof is None:
            yield Check("an earlier version of gm played it and sealed no dice", open=True)
            return
        if proof.turn != turn:
            yield Check("its proof is of this turn", f"{where / TURN_FILE} has the proof of turn {proof.turn}")
        published = self._record(turn - 1).get("next_seal") if turn - 1 in self.turns else None
        wrong = f"turn {turn - 1} published {published}, the turn used {proof.first_seal}"
        yield Check("the seal was published before the turn", "" if published == proof.first_seal else wrong)
        yield from seal_checks(proof)
        yield from renewal_checks(proof)
        yield from self.history.renewals(turn, proof)
        yield _order_files(where, proof)

    def _withdrawn(self, turn: int) -> Iterator[Check]:
        proof = self._proof(turn)
        for each in proof.renewed if proof else ():
            what = f"the withdrawn turn with the seal {each.seal[:12]}..."
            kept = [
                path for path in sorted(self.folder.undone.glob(f"{turn_name(turn)}-*")) if _seal(path) == each.seal
            ]
            if not kept:
                yield Check(f"{what} is not in the folder", open=True)
                continue
            named = Proof(turn=turn, seal=each.seal, secret=each.secret, order_files=each.order_files, seed="")
            found = _order_files(kept[0], named)
            yield Check(f"{what} is kept in undone/{kept[0].name} with its orders", found.problem)

    def _coming(self, turn: int) -> Iterator[Check]:
        """The seal of the turn to come; and the orders that it is played with, if it was taken back."""
        withdrawn = self.folder.inbox(turn).withdrawn()
        published = withdrawn.last.sealed if withdrawn else self._record(turn - 1).get("next_seal")
        if published:
            wrong = f"{self.folder.path / SETTINGS_FILE}: its secret gives another seal than {published}"
            fits = self.campaign.seal(turn) == published
            yield Check(f"the secret of turn {turn}, which is to come, fits its seal", "" if fits else wrong)
        if withdrawn and not withdrawn.last.reopened:
            named = Proof(turn=turn, seal="", secret="", order_files=withdrawn.last.order_files, seed="")
            found = _order_files(self.folder.undone / withdrawn.kept, named)
            yield Check(f"turn {turn} was taken back, and its orders are kept: {found.what}", found.problem)

    def _log(self, turn: int) -> Iterator[Check]:
        events = self.campaign.logged(turn)
        proof, path = self._proof(turn), self.folder.turn_path(turn) / ROLLS_FILE
        if proof is None:
            return
        found = [event for event in events if isinstance(event, DiceRolled)]
        silent = sum(not event.asked for event in found)
        if silent:
            yield Check(f"{silent} rolls of a log that does not say what was asked of the dice", open=True)
        yield roll_check(
            [read_roll(roll_record(event), "log.jsonl") for event in found if event.asked], proof, "the rolls"
        )
        if path.is_file():
            same = path.read_bytes() == rolls_bytes(self.folder.settings.id, turn, events)
            yield Check(
                f"{ROLLS_FILE} is what the log says", "" if same else f"{path} says something else than log.jsonl"
            )

    def _results(self, turn: int) -> Iterator[Check]:
        where, record, proof = self.folder.turn_path(turn), self._record(turn), self._proof(turn)
        there = {path.stem: path for path in sorted((where / "results").glob("*.yaml"))}
        listed = record.get("results") or ()
        missing = [name for name in listed if not (where / name).is_file()]
        what = f"the results: {len(there)} files"
        if missing and turn == self.history.keyless:
            yield Check("an archive without keys left its results out: 'gm report' writes them", open=True)
        elif missing:
            yield Check(what, f"{where / missing[0]} is missing: 'gm report --turn {turn}' writes it again")
        elif not listed and not there:
            yield Check("no results are in the folder", open=True)
        wrong = ""
        for realm, path in there.items():
            wrong = wrong or self._result(turn, realm, path, record, proof)
        if there and not missing:
            yield Check(what, wrong, covers={"results file": len(there)})
        elif wrong:
            yield Check(what, wrong)

    def _result(self, turn: int, realm: str, path: Path, record: JsonObject, proof: Proof | None) -> str:
        """What is wrong with a realm's results; empty when nothing is."""
        try:
            data = self.campaign.spec.results_data(path.read_bytes(), str(path))
        except ValueError as error:
            return f"{path} cannot be read: {error}"
        if data.get("realm", realm) != realm or data.get("turn", turn) != turn:
            return f"{path} is of turn {data.get('turn')} and of {data.get('realm')}"
        said, sealed = data.get("next_seal"), record.get("next_seal")
        if "realm" in data and sealed and said != sealed:
            return f"the seal in the results of {realm} ({path}): they say {said}, not {sealed}"
        if "realm" in data and proof_of(data.get("dice"), str(path)) != proof:
            return f"the proof in the results of {realm} ({path}) is not the one in {TURN_FILE}"
        return ""


def _order_files(where: Path, proof: Proof) -> Check:
    what = f"the order files: {len(proof.order_files)}"
    there = {path.stem: path.read_bytes() for path in sorted((where / "orders").glob("*.yaml"))}
    for realm in sorted(there.keys() | proof.order_files.keys()):
        place = f"{where / 'orders'}/{realm}.yaml"
        if realm not in there:
            return Check(what, f"{place} is missing")
        if realm not in proof.order_files:
            return Check(what, f"{place} had no part in the dice")
        mark = hashlib.sha256(there[realm]).hexdigest()
        if mark != proof.order_files[realm]:
            return Check(what, f"{place} was changed: its hash is {mark}, not {proof.order_files[realm]}")
    return Check(what, covers={"order file": len(proof.order_files)})


def _seal(kept: Path) -> str:
    """The seal of a turn under ``undone``; empty for one that cannot be read."""
    import json

    try:
        record: dict[str, Any] = json.loads((kept / TURN_FILE).read_bytes())
        return str((record.get("proof") or {}).get("seal", ""))
    except (OSError, ValueError, AttributeError):
        return ""
