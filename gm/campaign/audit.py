"""The audit of a whole game folder: each file that belongs there exists and is unchanged (W12).

A damaged file makes a check fail; it raises nothing.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from gm.campaign.open import Campaign
from gm.campaign.verify import Check, History, roll_check, seal_checks
from gm.campaign.withdrawal import proof_of
from gm.core.diagnostics import SourceError, joined, message_of, says
from gm.core.sealing import Proof
from gm.core.values import DiceRolled
from gm.store import StoreError
from gm.store.folder import (
    PLAYERS_FILE,
    ROLLS_FILE,
    SETTINGS_FILE,
    TURN_FILE,
    read_roll,
    roll_record,
    rolls_bytes,
)
from gm.store.formats import JsonObject
from gm.store.inbox import fingerprint
from gm.store.places import TurnPath
from gm.store.turns import turn_name

# what reading a damaged file may raise
_DAMAGE = (StoreError, SourceError, OSError, ValueError, LookupError, TypeError, AttributeError)


class Audit:
    """The checks of a whole game: journals, seats, and of every turn state, log, orders, dice and results."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.folder = campaign.folder
        self.spec = campaign.spec
        self.history = History(self.folder.path)
        self.turns = self.folder.turn_numbers()

    def checks(self) -> Iterator[Check]:
        """Yield the checks of all that is in the game folder.

        Whether results follow from orders is not among them: only a replay tells it.
        """
        yield from _checks_or_damage(says("the journals"), self.history.checks)
        yield from _checks_or_damage(says("the rules and the map"), self._rules_and_map)
        yield from _checks_or_damage(PLAYERS_FILE, self._players)
        # by the name of what they check; the start, turn 0, has no dice
        results = says("the results")
        parts_of_start = {"state.json": self._state, TURN_FILE: self._files, results: self._results}
        parts_of_turn = {
            "state.json": self._state,
            TURN_FILE: self._files,
            says("the dice"): self._dice,
            "log.jsonl": self._log,
            says("the turn as it was withdrawn"): self._withdrawn,
            results: self._results,
        }
        for turn in range(max([*self.turns, self.history.played]) + 1):
            turn_path = self.folder.turn_path(turn)
            if turn not in self.turns:
                missing = says("{0} is missing: restore it from a backup", turn_path)
                yield Check(says("turns/{0} is there", turn_name(turn)), missing, turn=turn)
                continue
            for name, part in (parts_of_turn if turn else parts_of_start).items():
                for check in _checks_or_damage(name, partial(part, turn, turn_path)):
                    yield check.evolve(turn=turn)
        if self.turns:
            yield from _checks_or_damage(says("the turn to come"), partial(self._coming, self.turns[-1] + 1))

    def _rules_and_map(self) -> Iterator[Check]:
        _ = self.campaign.table  # it is read when it is first asked for
        yield Check(says("the rules and the map can be read"))

    def _players(self) -> Iterator[Check]:
        """Yield the check that ``players.yaml`` is whole, with a seat for each realm that got a key."""
        players = {player.realm for player in self.folder.players.players}
        newest = self.turns[-1] if self.turns else 0
        path = self.folder.path / PLAYERS_FILE
        lost = []
        for file in sorted((self.folder.turn_path(newest) / "results").glob("*.yaml")):
            has_key = True  # of a file that cannot be read the name alone counts
            with suppress(ValueError):
                # results without a key are of a realm that nobody plays
                has_key = bool(self.spec.results_data(file.read_bytes(), str(file)).get("key"))
            if has_key and file.stem not in players:
                lost.append(file.stem)
        without = "{0} has no entry for {1}, who got results of turn {2}: it was cut short"
        cut = says("{0}: the last line does not end: it was cut short", path)
        yield Check.unless(
            says("{0}: {1} seats", PLAYERS_FILE, len(players)),
            (lost, says(without, path, ", ".join(lost), newest)),
            (not path.read_bytes().endswith(b"\n"), cut),
            covers={"seat": len(players)},
        )

    def _proof(self, turn: int) -> Proof | None:
        return proof_of(
            self.folder.turn_record(turn).get("proof"), str(self.folder.turn_path(turn) / TURN_FILE)
        )

    def _state(self, turn: int, _: TurnPath) -> Iterator[Check]:
        problems = self.spec.broken(self.campaign.table, self.campaign.state_after(turn))
        possible = says("state.json is a position that may be")
        yield Check(possible, joined(problems[:3], "; "), covers={"position": 1})

    def _files(self, turn: int, turn_path: TurnPath) -> Iterator[Check]:
        """Yield the checks of a turn's record, and of the files whose hashes it holds."""
        record = self.folder.turn_record(turn)
        recorded_hash = self.history.records.get(turn)
        turn_file = turn_path / TURN_FILE
        if turn <= self.history.keyless:
            unchecked = says(
                "addresses were taken out for an archive without keys: only --replay can check the rest"
            )
            yield Check(unchecked, open=True)
            return
        if recorded_hash is not None:
            changed = (
                fingerprint(turn_file.read_bytes()) != recorded_hash,
                says("{0} was changed: the journal records a different one", turn_file),
            )
            yield Check.unless(says("{0} is what the journal records", TURN_FILE), changed)
        if turn and record.get("turn") != turn:
            other_turn = says("{0} is of turn {1}", turn_file, record.get("turn"))
            yield Check(says("{0} is of this turn", TURN_FILE), other_turn)
        listed: Mapping[str, str] = record.get("files") or {}
        if listed:
            problems = (_change_in(turn_path / name, recorded) for name, recorded in listed.items())
            unchanged = says("{0} files of the turn are as they were written", len(listed))
            yield Check(unchanged, next(filter(None, problems), ""))
        elif turn:
            unchecked = says(
                "an earlier version of pbem played it: only --replay can check whether its state is unchanged"
            )
            yield Check(unchecked, open=True)

    def _dice(self, turn: int, turn_path: TurnPath) -> Iterator[Check]:
        """Yield checks of a turn's seal, secret and seed, and of the order files that they depend on."""
        proof = self._proof(turn)
        if proof is None:
            yield Check(says("an earlier version of pbem played it and sealed no dice"), open=True)
            return
        if proof.turn != turn:
            other_turn = says("{0} has the proof of turn {1}", turn_path / TURN_FILE, proof.turn)
            yield Check(says("its proof is of this turn"), other_turn)
        published = self.folder.turn_record(turn - 1).get("next_seal") if turn - 1 in self.turns else None
        other_seal = says("turn {0} published {1}, the turn used {2}", turn - 1, published, proof.first_seal)
        is_other = published != proof.first_seal
        yield Check.unless(says("the seal was published before the turn"), (is_other, other_seal))
        yield from seal_checks(proof)
        yield from self.history.renewals(turn, proof)
        yield _order_files(turn_path, proof.order_files)

    def _withdrawn(self, turn: int, turn_path: TurnPath) -> Iterator[Check]:
        """Yield a check for each time that the turn was undone after its results were known.

        The turn's folder of that time should be in ``undone``, with its orders.
        """
        proof = self._proof(turn)
        # of several folders with the same seal the first one counts: it is put in last
        paths = sorted(self.folder.undone.glob(f"{turn_name(turn)}-*"), reverse=True)
        folder_by_seal = {_seal(path): path for path in paths}
        if proof:
            for renewal in proof.renewed:
                seal = renewal.seal[:12]
                archive = folder_by_seal.get(renewal.seal)
                if archive is None:
                    lost = says("the withdrawn turn with the seal {0}... is not in the folder", seal)
                    yield Check(lost, open=True)
                else:
                    orders = _order_files(archive, renewal.order_files)
                    kept = "the withdrawn turn with the seal {0}... is kept in undone/{1} with its orders"
                    yield Check(says(kept, seal, archive.name), orders.problem)

    def _coming(self, turn: int) -> Iterator[Check]:
        """Yield the check of the coming turn's seal, and of its stored orders if that turn was undone."""
        withdrawn = self.folder.inbox(turn).withdrawn()
        recorded = None if withdrawn else self.folder.turn_record(turn - 1).get("next_seal")
        published = withdrawn.last.sealed if withdrawn else recorded
        if published:
            settings = self.folder.path / SETTINGS_FILE
            other_seal = says("{0}: its secret gives another seal than {1}", settings, published)
            subject = says("the secret of turn {0}, which is to come, fits its seal", turn)
            yield Check.unless(subject, (self.campaign.seal(turn) != published, other_seal))
        if withdrawn and not withdrawn.last.reopened:
            orders = _order_files(self.folder.undone / withdrawn.kept, withdrawn.last.order_files)
            kept = says("turn {0} was undone, and its orders are kept: {1}", turn, orders.what)
            yield Check(kept, orders.problem)

    def _log(self, turn: int, turn_path: TurnPath) -> Iterator[Check]:
        """Yield checks of the rolls in a turn's log and of the file of public rolls; none without a proof."""
        events = self.campaign.logged(turn)
        proof = self._proof(turn)
        path = turn_path / ROLLS_FILE
        if proof is None:
            return
        roll_events = [event for event in events if isinstance(event, DiceRolled)]
        without_question = sum(not event.asked for event in roll_events)
        if without_question:
            unasked = "{0} rolls of a log that does not say what was asked of the dice"
            yield Check(says(unasked, without_question), open=True)
        rolls = (read_roll(roll_record(event), "log.jsonl") for event in roll_events if event.asked)
        yield roll_check(rolls, proof, says("the rolls"))
        if path.is_file():
            differs = path.read_bytes() != rolls_bytes(self.folder.settings.id, turn, events)
            problem = says("{0} differs from log.jsonl", path)
            yield Check.unless(says("{0} is what the log says", ROLLS_FILE), (differs, problem))

    def _results(self, turn: int, turn_path: TurnPath) -> Iterator[Check]:
        """Yield the checks of the parties' results files of a turn."""
        record = self.folder.turn_record(turn)
        proof = self._proof(turn)
        path_of_realm = {path.stem: path for path in sorted((turn_path / "results").glob("*.yaml"))}
        listed = record.get("results") or ()
        missing = [turn_path / name for name in listed if not (turn_path / name).is_file()]
        subject = says("the results: {0} files", len(path_of_realm))
        if missing and turn == self.history.keyless:
            left_out = says("an archive without keys left its results out: 'pbem report' writes them")
            yield Check(left_out, open=True)
        elif missing:
            again = "{0} is missing: 'pbem report --turn {1}' writes it again"
            yield Check(subject, says(again, missing[0], turn))
        elif not listed and not path_of_realm:
            yield Check(says("no results are in the folder"), open=True)
        problems = (self._result(turn, realm, path, record, proof) for realm, path in path_of_realm.items())
        problem = next(filter(None, problems), "")
        # where files are missing, a check has said so: the others are not called sound
        if problem or (path_of_realm and not missing):
            yield Check(subject, problem, covers={"results file": len(path_of_realm)})

    def _result(self, turn: int, realm: str, path: TurnPath, record: JsonObject, proof: Proof | None) -> str:
        """Return the problem of a realm's results file; empty if it has none."""
        try:
            data = self.spec.results_data(path.read_bytes(), str(path))
        except ValueError as error:
            return says("{0} cannot be read: {1}", path, error)
        if data.get("realm", realm) != realm or data.get("turn", turn) != turn:
            return says("{0} is of turn {1} and of {2}", path, data.get("turn"), data.get("realm"))
        next_seal = data.get("next_seal")
        sealed = record.get("next_seal")
        if "realm" in data and sealed and next_seal != sealed:
            other_seal = "the seal in the results of {0} ({1}): they say {2}, not {3}"
            return says(other_seal, realm, path, next_seal, sealed)
        if "realm" in data and proof_of(data.get("dice"), str(path)) != proof:
            other_proof = "the proof in the results of {0} ({1}) is not the one in {2}"
            return says(other_proof, realm, path, TURN_FILE)
        return ""


def _checks_or_damage(name: str, part: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """Yield the checks of a part of the game; if a file is damaged, a failed check in place of the rest.

    ``name``: what the part checks.
    """
    try:
        yield from part()
    except _DAMAGE as error:
        yield Check(says("{0} can be read", name), message_of(error) or type(error).__name__)


def _change_in(path: TurnPath, recorded: str) -> str:
    """Return the problem of a file whose fingerprint is ``recorded``; empty if it has none."""
    if not path.is_file():
        return says("{0} is missing", path)
    if fingerprint(path.read_bytes()) != recorded:
        return says("{0} was changed", path)
    return ""


def _order_files(turn_path: TurnPath, fingerprints: Mapping[str, str]) -> Check:
    """Return the check that a turn's order files are exactly those with these ``fingerprints``, by realm."""
    present_fingerprints = {
        path.stem: fingerprint(path.read_bytes()) for path in sorted((turn_path / "orders").glob("*.yaml"))
    }
    subject = says("the order files: {0}", len(fingerprints))
    for realm in sorted(present_fingerprints.keys() | fingerprints.keys()):
        place = f"{turn_path / 'orders'}/{realm}.yaml"
        present = present_fingerprints.get(realm)
        if present is None:
            return Check(subject, says("{0} is missing", place))
        if realm not in fingerprints:
            return Check(subject, says("{0} did not go into the dice", place))
        if present != fingerprints[realm]:
            changed = "{0} was changed: its hash is {1}, not {2}"
            return Check(subject, says(changed, place, present, fingerprints[realm]))
    return Check(subject, covers={"order file": len(fingerprints)})


def _seal(folder: Path) -> str:
    """Return the seal in the record of the turn that is stored in ``folder``; empty if it cannot be read."""
    with suppress(OSError, ValueError, AttributeError):
        return str((json.loads((folder / TURN_FILE).read_bytes()).get("proof") or {}).get("seal", ""))
    return ""
