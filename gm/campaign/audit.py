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
from gm.core.diagnostics import SourceError, says
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
        yield from _checks_or_damage("the journals", self.history.checks)
        yield from _checks_or_damage("the rules and the map", self._rules_and_map)
        yield from _checks_or_damage(PLAYERS_FILE, self._players)
        # by the name of what they check; the start, turn 0, has no dice
        parts_of_start = {"state.json": self._state, TURN_FILE: self._files, "the results": self._results}
        parts_of_turn = {
            "state.json": self._state,
            TURN_FILE: self._files,
            "the dice": self._dice,
            "log.jsonl": self._log,
            "the turn as it was withdrawn": self._withdrawn,
            "the results": self._results,
        }
        for turn in range(max([*self.turns, self.history.played]) + 1):
            turn_path = self.folder.turn_path(turn)
            if turn not in self.turns:
                name = turn_name(turn)
                yield Check(
                    f"turns/{name} is there", f"{turn_path} is missing: restore it from a backup", turn=turn
                )
                continue
            for name, part in (parts_of_turn if turn else parts_of_start).items():
                for check in _checks_or_damage(name, partial(part, turn, turn_path)):
                    yield check.evolve(turn=turn)
        if self.turns:
            yield from _checks_or_damage("the turn to come", partial(self._coming, self.turns[-1] + 1))

    def _rules_and_map(self) -> Iterator[Check]:
        _ = self.campaign.table  # it is read when it is first asked for
        yield Check("the rules and the map can be read")

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
        yield Check.unless(
            f"{PLAYERS_FILE}: {len(players)} seats",
            (
                lost,
                f"{path} has no entry for {', '.join(lost)}, who got results of turn {newest}: it was cut "
                "short",
            ),
            (not path.read_bytes().endswith(b"\n"), f"{path}: the last line does not end: it was cut short"),
            covers={"seat": len(players)},
        )

    def _proof(self, turn: int) -> Proof | None:
        return proof_of(
            self.folder.turn_record(turn).get("proof"), str(self.folder.turn_path(turn) / TURN_FILE)
        )

    def _state(self, turn: int, _: TurnPath) -> Iterator[Check]:
        problems = self.spec.broken(self.campaign.table, self.campaign.state_after(turn))
        yield Check("state.json is a position that may be", "; ".join(problems[:3]), covers={"position": 1})

    def _files(self, turn: int, turn_path: TurnPath) -> Iterator[Check]:
        """Yield the checks of a turn's record, and of the files whose hashes it holds."""
        record = self.folder.turn_record(turn)
        recorded_hash = self.history.records.get(turn)
        turn_file = turn_path / TURN_FILE
        if turn <= self.history.keyless:
            yield Check(
                "addresses were taken out for an archive without keys: only --replay can check the rest",
                open=True,
            )
            return
        if recorded_hash is not None:
            changed = (
                fingerprint(turn_file.read_bytes()) != recorded_hash,
                f"{turn_file} was changed: the journal records a different one",
            )
            yield Check.unless(f"{TURN_FILE} is what the journal records", changed)
        if turn and record.get("turn") != turn:
            yield Check(f"{TURN_FILE} is of this turn", f"{turn_file} is of turn {record.get('turn')}")
        listed: Mapping[str, str] = record.get("files") or {}
        problems = []
        for path, recorded in ((turn_path / name, recorded) for name, recorded in listed.items()):
            if not path.is_file() or fingerprint(path.read_bytes()) != recorded:
                problems.append(f"{path} {'was changed' if path.is_file() else 'is missing'}")
        if listed:
            yield Check(f"{len(listed)} files of the turn are as they were written", next(iter(problems), ""))
        elif turn:
            unchecked = (
                "an earlier version of pbem played it: only --replay can check whether its state is unchanged"
            )
            yield Check(unchecked, open=True)

    def _dice(self, turn: int, turn_path: TurnPath) -> Iterator[Check]:
        """Yield checks of a turn's seal, secret and seed, and of the order files that they depend on."""
        proof = self._proof(turn)
        if proof is None:
            yield Check("an earlier version of pbem played it and sealed no dice", open=True)
            return
        if proof.turn != turn:
            yield Check(
                "its proof is of this turn", f"{turn_path / TURN_FILE} has the proof of turn {proof.turn}"
            )
        published = self.folder.turn_record(turn - 1).get("next_seal") if turn - 1 in self.turns else None
        other_seal = f"turn {turn - 1} published {published}, the turn used {proof.first_seal}"
        yield Check.unless(
            "the seal was published before the turn", (published != proof.first_seal, other_seal)
        )
        yield from seal_checks(proof)
        yield from self.history.renewals(turn, proof)
        yield _order_files(turn_path, proof.order_files)

    def _withdrawn(self, turn: int, turn_path: TurnPath) -> Iterator[Check]:
        """Yield a check for each time that the turn was undone after its results were known.

        Its folder should be in ``undone``, with the orders of that time.
        """
        proof = self._proof(turn)
        # of several folders with the same seal the first one counts: it is put in last
        paths = sorted(self.folder.undone.glob(f"{turn_name(turn)}-*"), reverse=True)
        folder_by_seal = {_seal(path): path for path in paths}
        if proof:
            for renewal in proof.renewed:
                subject = f"the withdrawn turn with the seal {renewal.seal[:12]}..."
                archive = folder_by_seal.get(renewal.seal)
                if archive is None:
                    yield Check(f"{subject} is not in the folder", open=True)
                else:
                    orders = _order_files(archive, renewal.order_files)
                    yield Check(f"{subject} is kept in undone/{archive.name} with its orders", orders.problem)

    def _coming(self, turn: int) -> Iterator[Check]:
        """Yield the check of the coming turn's seal, and of its stored orders if that turn was undone."""
        withdrawn = self.folder.inbox(turn).withdrawn()
        recorded = None if withdrawn else self.folder.turn_record(turn - 1).get("next_seal")
        published = withdrawn.last.sealed if withdrawn else recorded
        if published:
            other_seal = f"{self.folder.path / SETTINGS_FILE}: its secret gives another seal than {published}"
            subject = f"the secret of turn {turn}, which is to come, fits its seal"
            yield Check.unless(subject, (self.campaign.seal(turn) != published, other_seal))
        if withdrawn and not withdrawn.last.reopened:
            orders = _order_files(self.folder.undone / withdrawn.kept, withdrawn.last.order_files)
            yield Check(f"turn {turn} was undone, and its orders are kept: {orders.what}", orders.problem)

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
            yield Check(
                f"{without_question} rolls of a log that does not say what was asked of the dice", open=True
            )
        rolls = (read_roll(roll_record(event), "log.jsonl") for event in roll_events if event.asked)
        yield roll_check(rolls, proof, "the rolls")
        if path.is_file():
            differs = path.read_bytes() != rolls_bytes(self.folder.settings.id, turn, events)
            problem = f"{path} differs from log.jsonl"
            yield Check.unless(f"{ROLLS_FILE} is what the log says", (differs, problem))

    def _results(self, turn: int, turn_path: TurnPath) -> Iterator[Check]:
        """Yield the checks of the parties' results files of a turn."""
        record = self.folder.turn_record(turn)
        proof = self._proof(turn)
        path_of_realm = {path.stem: path for path in sorted((turn_path / "results").glob("*.yaml"))}
        listed = record.get("results") or ()
        missing = [turn_path / name for name in listed if not (turn_path / name).is_file()]
        subject = f"the results: {len(path_of_realm)} files"
        if missing and turn == self.history.keyless:
            yield Check("an archive without keys left its results out: 'pbem report' writes them", open=True)
        elif missing:
            yield Check(subject, f"{missing[0]} is missing: 'pbem report --turn {turn}' writes it again")
        elif not listed and not path_of_realm:
            yield Check("no results are in the folder", open=True)
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
            return f"{path} is of turn {data.get('turn')} and of {data.get('realm')}"
        next_seal = data.get("next_seal")
        sealed = record.get("next_seal")
        if "realm" in data and sealed and next_seal != sealed:
            return f"the seal in the results of {realm} ({path}): they say {next_seal}, not {sealed}"
        if "realm" in data and proof_of(data.get("dice"), str(path)) != proof:
            return f"the proof in the results of {realm} ({path}) is not the one in {TURN_FILE}"
        return ""


def _checks_or_damage(name: str, part: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """Yield the checks of a part of the game; if a file is damaged, a failed check in place of the rest.

    ``name``: what the part checks.
    """
    try:
        yield from part()
    except _DAMAGE as error:
        yield Check(f"{name} can be read", str(error) or type(error).__name__)


def _order_files(turn_path: TurnPath, fingerprints: Mapping[str, str]) -> Check:
    """Return the check that a turn's order files are exactly those with these ``fingerprints``, by realm."""
    present_fingerprints = {
        path.stem: fingerprint(path.read_bytes()) for path in sorted((turn_path / "orders").glob("*.yaml"))
    }
    subject = f"the order files: {len(fingerprints)}"
    for realm in sorted(present_fingerprints.keys() | fingerprints.keys()):
        place = f"{turn_path / 'orders'}/{realm}.yaml"
        present = present_fingerprints.get(realm)
        if present is None:
            return Check(subject, f"{place} is missing")
        if realm not in fingerprints:
            return Check(subject, f"{place} did not go into the dice")
        if present != fingerprints[realm]:
            return Check(subject, f"{place} was changed: its hash is {present}, not {fingerprints[realm]}")
    return Check(subject, covers={"order file": len(fingerprints)})


def _seal(folder: Path) -> str:
    """Return the seal in the record of the turn that is stored in ``folder``; empty if it cannot be read."""
    with suppress(OSError, ValueError, AttributeError):
        return str((json.loads((folder / TURN_FILE).read_bytes()).get("proof") or {}).get("seal", ""))
    return ""
