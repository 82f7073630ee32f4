"""What a game's dice, results and journals prove without a replay and without trust in the GM (W12)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from gm.campaign.recovery import BY_HAND, IMPORT, NEW, REOPEN, REPAIR, TURN, UNDO, newest_of
from gm.campaign.withdrawal import proof_of
from gm.core.diagnostics import message_of, says
from gm.core.sealing import Proof, seal_of, seed_of
from gm.core.values import Record
from gm.store import BrokenFolderError, StoreError
from gm.store.folder import Roll, read_roll, read_rolls
from gm.store.formats import JsonObject
from gm.store.inbox import fingerprint
from gm.store.journal import ACTIONS_FILE, Entry, Journal
from gm.text.words import Said


class Check(Record):
    """One check and its outcome."""

    what: str  # is checked, as a statement: ``the secret fits the seal``
    problem: str = ""  # why it fails; empty when it holds
    open: bool = False  # whether it could not be checked
    turn: int | None = None  # that it is about, if it is about one
    covers: Mapping[str, int] = {}  # how many things it is about, by their noun

    @classmethod
    def unless(
        cls, what: str, *problems: tuple[object, str], covers: Mapping[str, int] | None = None
    ) -> Self:
        """Return the check ``what``; it fails with the first of ``problems`` whose condition is true.

        ``problems``: pairs (condition, text); ``covers``: how many things it is about, by their noun.
        """
        problem = next((text for condition, text in problems if condition), "")
        return cls(what, problem, covers=covers or {})


def check_results(
    data: JsonObject, before: JsonObject | None, orders: bytes | None, rolls: bytes | None
) -> Iterator[Check]:
    """Yield the checks that a player can make with the files that they got or sent.

    ``data``: the data of their results; ``before``: the data of their results of the turn before; ``orders``:
    the content of their order file; ``rolls``: that of the turn's list of public rolls. A file that is not
    given leaves its check open. Raises ``BrokenFolderError`` for results without a proof.
    """
    realm = str(data.get("realm"))
    turn = data.get("turn")
    proof = proof_of(data.get("dice"), says("the results"))
    if proof is None:
        raise BrokenFolderError(
            says("These results prove nothing: they are of the start, or of an earlier version of pbem.")
        )
    other_turn = says("the results are of turn {0}, their dice of turn {1}", turn, proof.turn)
    yield Check.unless(says("results and dice are of the same turn"), (proof.turn != turn, other_turn))
    yield _published_seal(data, before, proof)
    yield from seal_checks(proof)
    if proof.renewed:
        new_seal = "the letter of {0} told of the seal {1}: compare it"
        yield Check(says(new_seal, proof.renewed[-1].at, proof.seal), open=True)
    yield _own_orders(realm, orders, proof)
    own_rolls: Iterable[Mapping[str, object]] = (data.get("private") or {}).get("rolls") or ()
    secret_rolls = [read_roll(roll, says("the results")) for roll in own_rolls]
    yield roll_check(secret_rolls, proof, says("the rolls that are for {0} alone", realm))
    if rolls is None:
        yield Check(says("the rolls that are for everybody: give the turn's dice.jsonl"), open=True)
        return
    head, public = read_rolls(rolls, says("the list of rolls"))
    game = head.get("game")
    of_turn = head.get("turn")
    is_of_other = (game, of_turn) != (data.get("game"), turn)
    wrong_turn = (is_of_other, says("it is of turn {0} of {1}", of_turn, game))
    yield Check.unless(says("the list of rolls is of this turn"), wrong_turn)
    yield roll_check(public, proof, says("the rolls that are for everybody"))


def _published_seal(data: JsonObject, before: JsonObject | None, proof: Proof) -> Check:
    """Return the check that the results of the turn before (``before``) published the seal of the proof."""
    if before is None:
        unknown = says("the seal was published before the turn: give the results of the turn before")
        return Check(unknown, open=True)
    number = before.get("turn")
    seal = before.get("next_seal")
    other_realm = any(data.get(name) != before.get(name) for name in ("game", "realm"))
    other_turn = says("the earlier results are of turn {0}, not of turn {1}", number, proof.turn - 1)
    other_seal = says("then the seal was {0}, now it is {1}", seal, proof.first_seal)
    return Check.unless(
        says("the seal was published with the results of the turn before"),
        (other_realm, says("the two results files are not of one realm in one game")),
        (number != proof.turn - 1, other_turn),
        (seal != proof.first_seal, other_seal),
    )


def _own_orders(realm: str, orders: bytes | None, proof: Proof) -> Check:
    """Return the check that a realm's order file is the one whose fingerprint went into the dice.

    ``orders``: the file's content, None if it is not given.
    """
    recorded = proof.order_files.get(realm)
    if orders is not None:
        sent_fingerprint = fingerprint(orders)
        other_file = says("its hash is {0}, the dice were made with {1}", sent_fingerprint, recorded)
        return Check.unless(
            says("the order file of {0} went into the dice as it was sent", realm),
            (recorded is None, says("no file of {0} is among those that the dice were made of", realm)),
            (sent_fingerprint != recorded, other_file),
        )
    if recorded is None:
        return Check(says("no order file of {0} had a part in the dice", realm))
    unknown = says("the order file of {0} is the one that was sent: give it with --orders", realm)
    return Check(unknown, open=True)


def seal_checks(proof: Proof) -> Iterator[Check]:
    """Yield the checks that secret, seal and seed of a turn fit each other, also each time it was undone."""
    seal = seal_of(proof.secret)
    seed = seed_of(proof.secret, proof.order_files)
    wrong_seal = (seal != proof.seal, says("its seal is {0}, not {1}", seal, proof.seal))
    yield Check.unless(says("the secret fits the seal"), wrong_seal)
    wrong_seed = (seed != proof.seed, says("they give {0}, not {1}", seed, proof.seed))
    yield Check.unless(says("the seed follows from the secret and the order files"), wrong_seed)
    for problem in proof.renewal_problems():
        yield Check(says("the turn was undone and got a new seal"), problem)
    for renewal in proof.renewed:
        orders = says("the orders stayed as they were")
        if renewal.reopened:
            orders = says("new orders were accepted ({0})", renewal.reopened)
        undone = "it was undone on {0} ({1}), with other dice since: {2}"
        yield Check(says(undone, renewal.at, renewal.why, orders))


def roll_check(rolls: Iterable[Roll], proof: Proof, what: str) -> Check:
    """Return a check: the rolls (in words: ``what``) are of the turn, fit its seed and repeat no label."""
    rolls = tuple(rolls)
    prefix = f"turn {proof.turn} | "
    outcomes = sum(len(roll.outcomes) for roll in rolls)
    problems = (
        roll.problem(proof.seed)
        if roll.label.startswith(prefix)
        else says("{0}: this is no roll of turn {1}", roll.label, proof.turn)
        for roll in rolls
    )
    is_label_twice = len({roll.label for roll in rolls}) < len(rolls)
    problem = next(filter(None, problems), "") or (says("a label appears twice") if is_label_twice else "")
    counted_rolls = says("{0}: {1} labels, {2} draws", what, len(rolls), outcomes)
    return Check(counted_rolls, problem, covers={"roll": outcomes})


MAIL_JOURNALS = ("letters.jsonl", "outbox.jsonl")  # the journals below ``mail``


class History:
    """What the GM's journal in a game's folder tells of the game."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self.entries = Journal(folder / ACTIONS_FILE).entries  # oldest first; none if it is broken
            self.broken = ""  # why the journal cannot be read
        except StoreError as error:
            self.entries = ()
            self.broken = message_of(error)

    @cached_property
    def last_repairs(self) -> Mapping[str, int]:
        """The number of the last line about a repair of each journal, by the journal's name."""
        repairs = (
            (number, entry)
            for number, entry in enumerate(self.entries, start=1)
            if entry.get("did") == REPAIR
        )
        return {str(entry.get("file")): number for number, entry in repairs}

    @cached_property
    def played(self) -> int:
        """The newest turn that the folder should hold, whatever was changed by hand."""
        return newest_of(entry for entry in reversed(self.entries) if entry.get("did") != BY_HAND) or 0

    @cached_property
    def records(self) -> Mapping[Any, Any]:
        """The fingerprint of each turn's record, by turn, for turns whose line in the journal has it."""
        turns = (entry for entry in self.entries if entry.get("did") in (NEW, TURN) and "record" in entry)
        return {entry.get("turn"): entry["record"] for entry in turns}

    @cached_property
    def keyless(self) -> int:
        """The newest turn of the archive without keys from which the game was imported; -1 if it was not.

        The archive lacks the results of that turn.
        """
        bare = (entry for entry in self.entries if entry.get("did") == IMPORT and entry.get("keys") is False)
        return max((entry.get("turn", -1) for entry in bare), default=-1)

    def checks(self) -> Iterator[Check]:
        """Yield checks that no journal was changed, cut short, removed or begun anew; name each repair."""
        yield from self.gm_journal_checks()
        mail = self.folder / "mail"
        for path in sorted({*mail.glob("*.jsonl"), *(mail / name for name in MAIL_JOURNALS)}):
            yield from self.mail_journal_checks(path)
        for path in sorted(self.folder.glob("*.jsonl")):
            if path.name != ACTIONS_FILE:
                yield _chain(path, path.name)
        for entry in self.entries:
            if entry.get("did") == REPAIR:
                lost = "; ".join(map(str, entry.get("lost", ()))) or says("nothing was lost")
                repaired = says("{0} was repaired on {1}: {2}", entry.get("file"), entry.get("at"), lost)
                yield Check(repaired, open=True)

    def gm_journal_checks(self) -> Iterator[Check]:
        """Yield the checks of the GM's journal: its chain, the order of turns, and turns recorded late."""
        path = self.folder / ACTIONS_FILE
        if self.broken or not path.is_file():
            missing = "{0} is missing: restore it from a backup, or begin another with 'pbem repair'"
            yield Check(says("the chain of {0}", ACTIONS_FILE), self.broken or says(missing, path))
            return
        yield _chain(path, ACTIONS_FILE)
        yield Check(says("the turns follow each other in the journal"), next(self._turn_problems(path), ""))
        played = [
            entry for entry in self.entries if entry.get("did") == TURN and newest_of([entry]) is not None
        ]
        recorded_late = sum("noted" in entry for entry in played)
        if recorded_late:
            late = says("the journal recorded {0} turns only with the next command", recorded_late)
            yield Check(late, open=True)

    def _turn_problems(self, path: Path) -> Iterator[str]:
        """Yield a sentence about each place in the GM's journal where turns do not follow each other.

        ``path``: the journal's, for the sentences.
        """
        first = next((entry["did"] for entry in self.entries[:1] if "did" in entry), "nothing")
        # a repair of the journal may have lost the lines before
        if first not in (NEW, IMPORT, REPAIR) and ACTIONS_FILE not in self.last_repairs:
            yield says("{0}:1: it begins with {1!r}: the lines before it are missing", path, first)
        newest = None
        for number, entry in enumerate(self.entries, start=1):
            did = entry.get("did")
            turn = newest_of([entry])
            if turn is None:
                continue
            if did == BY_HAND and turn != newest:
                by_hand = "{0}:{1}: the turns were changed by hand: {2} was the newest, then {3}"
                yield says(by_hand, path, number, newest, turn)
            elif newest is not None:
                # the newest turn after the line; after an import or the like it may be any
                expected = {TURN: newest + 1, UNDO: newest - 1}.get(str(did), turn)
                if turn != expected:
                    yield says("{0}:{1}: turn {2} follows turn {3}", path, number, entry["turn"], newest)
            newest = turn

    def mail_journal_checks(self, path: Path) -> Iterator[Check]:
        """Yield the checks of a mail journal: its chain, and that it has all that the GM's journal recorded.

        Lines of the GM's journal hold the mail journal's last chain value of that time; those before its last
        repair do not count.
        """
        name = path.relative_to(self.folder).as_posix()
        since = self.last_repairs.get(name, 1)
        entries = enumerate(self.entries[since - 1 :], start=since)
        recorded = ((number, entry.get("post", {}).get(path.name)) for number, entry in entries)
        chain_by_line = {number: chain for number, chain in recorded if chain}
        if not path.is_file():
            if chain_by_line or _left_traces(path):
                problem = says("{0} is missing: restore it from a backup, or run 'pbem repair'", path)
                yield Check(says("the chain of {0}", name), problem)
            return
        check = _chain(path, name)
        yield check
        chains = () if check.problem else frozenset(Journal(path).chains)
        missing = [number for number, chain in chain_by_line.items() if chain not in chains]
        if missing and not check.problem:
            line = f"{self.folder / ACTIONS_FILE}:{missing[-1]}"
            problem = says("{0}: lines are missing that were there when {1} was written", path, line)
            yield Check(says("{0} is whole", name), problem)

    def renewals(self, turn: int, proof: Proof) -> Iterator[Check]:
        """Yield checks that the journal and a turn's proof tell the same of the times that it was undone.

        Only the journal tells of undos before the results were known; without a sound one no check is made.
        """
        if self.broken or not self.entries:
            return
        lines = self._withdrawn.get(turn, ())
        field_names = ("was", "seal", "why", "reopened")  # ``was``: the old seal
        published = [tuple(map(line.get, field_names)) for line in lines if line.get("published")]
        renewed = [(renewal.seal, renewal.sealed, renewal.why, renewal.reopened) for renewal in proof.renewed]
        if published != renewed:
            problem = says("journal and proof give different seals or reasons")
            if len(published) != len(renewed):
                times = "the journal records this {0} times, the turn's proof {1} times"
                problem = says(times, len(published), len(renewed))
            is_repaired = ACTIONS_FILE in self.last_repairs  # then lines may be lost
            undone = says("it was undone after its results were known")
            yield Check(undone, "" if is_repaired else problem, open=is_repaired)
        unpublished = len(lines) - len(published)
        if unpublished:
            early = "it was undone before its results were known: {0:time}, according to the journal"
            yield Check(says(early, Said(unpublished)))

    @cached_property
    def _withdrawn(self) -> Mapping[int, tuple[Entry, ...]]:
        """The journal's lines about each undo of a turn before it was played at last, by the turn's number.

        Each has the reason under ``reopened`` if the turn was opened to new orders then.
        """
        withdrawals: dict[int, tuple[Entry, ...]] = {}
        waiting: dict[int, list[Entry]] = {}  # lines, by turn, about turns that are to be played again
        for entry in self.entries:
            did = entry.get("did")
            turn = entry.get("turn")
            if not isinstance(turn, int):
                continue
            if did == UNDO:
                # later turns will start from another position: they are other turns than those undone before
                waiting = {number: lines for number, lines in waiting.items() if number <= turn}
                waiting.setdefault(turn, []).append(entry)
            elif did == REOPEN and turn in waiting:
                waiting[turn][-1] = {**waiting[turn][-1], "reopened": entry.get("why")}
            elif did == TURN:
                withdrawals[turn] = tuple(waiting.get(turn, ()))
        return withdrawals


def _chain(path: Path, name: str) -> Check:
    """Return the check that a journal's lines are chained; ``name``: what the check calls the journal."""
    try:
        lines = len(Journal(path).entries)
    except StoreError as error:
        return Check(says("the chain of {0}", name), message_of(error))
    whole = says("the chain of {0}: {1} lines", name, lines)
    return Check(whole, covers={"journal": 1, "journal line": lines})


def _left_traces(path: Path) -> bool:
    """Return whether other files show that a missing mail journal was once there.

    If the outbox's journal is missing, its messages may be left; if that of letters is, the outbox's journal
    may tell of results or receipts.
    """
    outbox = path.with_name("outbox.jsonl")
    if path == outbox:
        return any((path.parent / "outbox").glob("*.eml"))
    return outbox.is_file() and re.search(rb'"kind": "(results|receipt)"', outbox.read_bytes()) is not None
