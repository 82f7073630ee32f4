"""What a game proves about its dice and its files without being played again (W12).

Everybody can check his own results (:func:`check_results`); the GM's folder can be checked as a whole
(:func:`check_folder`). Nothing here trusts the master secret: what was published must hold by itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from gm.kernel import records
from gm.kernel.campaign.archived import told_results
from gm.kernel.campaign.opening import Campaign
from gm.kernel.events import DiceRolled
from gm.kernel.fairness import Proof, seal_of, seed_of
from gm.kernel.model import first_problem
from gm.kernel.rolls import ROLLS_FILE, Roll, read_roll, read_rolls, roll_record, rolls_bytes
from gm.kernel.store.formats import Record
from gm.kernel.store.journal import Journal
from gm.kernel.store.problems import BrokenFolderError, StoreError


@records.record
class Check(records.Record):
    """One thing that was looked at. ``problem`` is empty when it holds; ``open`` says that it could not be told."""

    what: str
    problem: str = ""
    open: bool = False
    turn: int = 0


def proof_of(data: Record, file: str) -> Proof | None:
    """What a results file publishes of its turn's dice. Raises ``BrokenFolderError`` for what is no proof."""
    found = data.get("dice")
    try:
        return Proof.model_validate(found) if found else None
    except ValueError as error:
        raise BrokenFolderError(f"{file}: what it says of the dice is no proof: {first_problem(error)}.") from None


def check_results(data: Record, before: Record | None, orders: bytes | None, rolls: bytes | None) -> Iterator[Check]:
    """A player's own check: his results, those of the turn before, the order file that he sent, the turn's rolls.

    What is not given is told as open. Raises ``BrokenFolderError`` for results without a proof.
    """
    realm, turn = str(data.get("realm")), data.get("turn")
    proof = proof_of(data, "the results")
    if proof is None:
        raise BrokenFolderError("These results prove nothing: they are of the start, or of an earlier version of gm.")
    wrong = "" if proof.turn == turn else f"the results are of turn {turn}, their dice of turn {proof.turn}"
    yield Check("results and dice are of the same turn", wrong)
    if before is None:
        yield Check("the seal was published before the turn: give the results of the turn before", open=True)
    else:
        yield _published_before(data, before, proof)
    yield from _proof(proof)
    yield _own_file(realm, proof, orders)
    own: Iterable[Mapping[str, object]] = (data.get("private") or {}).get("rolls") or ()
    yield _rolled([read_roll(each, "the results") for each in own], proof, f"the rolls that are for {realm} alone")
    if rolls is None:
        yield Check("the rolls that are for everybody: give the turn's dice.jsonl", open=True)
    else:
        head, found = read_rolls(rolls, "the list of rolls")
        fits = (head.get("game"), head.get("turn")) == (data.get("game"), turn)
        other = f"it is of turn {head.get('turn')} of {head.get('game')}"
        yield Check("the list of rolls is of this turn", "" if fits else other)
        yield _rolled(found, proof, "the rolls that are for everybody")


def _published_before(data: Record, before: Record, proof: Proof) -> Check:
    what = "the seal was published with the results of the turn before"
    if any(data.get(name) != before.get(name) for name in ("game", "realm")):
        return Check(what, "the two results files are not of one realm in one game")
    if before.get("turn") != proof.turn - 1:
        return Check(what, f"the earlier results are of turn {before.get('turn')}, not of turn {proof.turn - 1}")
    if before.get("next_seal") != proof.seal:
        return Check(what, f"then the seal was {before.get('next_seal')}, now it is {proof.seal}")
    return Check(what)


def _proof(proof: Proof) -> Iterator[Check]:
    seal, seed = seal_of(proof.secret), seed_of(proof.secret, proof.order_files)
    yield Check("the secret fits the seal", "" if seal == proof.seal else f"its seal is {seal}, not {proof.seal}")
    wrong = "" if seed == proof.seed else f"they give {seed}, not {proof.seed}"
    yield Check("the seed follows from the secret and the order files", wrong)


def _own_file(realm: str, proof: Proof, orders: bytes | None) -> Check:
    known = proof.order_files.get(realm)
    if orders is None:
        if known is None:
            return Check(f"no order file of {realm} had a part in the dice")
        return Check(f"the order file of {realm} is the one that was sent: give it with --orders", open=True)
    what = f"the order file of {realm} had its part in the dice as it was sent"
    mark = hashlib.sha256(orders).hexdigest()
    if known is None:
        return Check(what, f"no file of {realm} is among those that the dice were made of")
    return Check(what, "" if mark == known else f"its hash is {mark}, the dice were made with {known}")


def _rolled(rolls: Iterable[Roll], proof: Proof, what: str) -> Check:
    rolls = tuple(rolls)
    prefix = f"turn {proof.turn} | "
    outcomes = sum(len(each.outcomes) for each in rolls)
    what = f"{what}: {len(rolls)} labels, {outcomes} draws"
    for each in rolls:
        if not each.label.startswith(prefix):
            return Check(what, f"{each.label}: this is no roll of turn {proof.turn}")
        if problem := each.problem(proof.seed):
            return Check(what, problem)
    twice = len(rolls) - len({each.label for each in rolls})
    return Check(what, "a label stands there twice" if twice else "")


def check_folder(campaign: Campaign) -> Iterator[Check]:
    """A whole game: every turn's proof, files and rolls, and the chains of the journals."""
    for path in sorted((*campaign.folder.path.glob("*.jsonl"), *(campaign.folder.path / "mail").glob("*.jsonl"))):
        yield _journal(path, path.relative_to(campaign.folder.path).as_posix())
    for turn in range(1, campaign.newest_turn + 1):
        for each in _turn(campaign, turn):
            yield Check(each.what, each.problem, each.open, turn)


def _journal(path: Path, name: str) -> Check:
    try:
        entries = Journal(path).entries
    except StoreError as error:
        return Check(f"the chain of {name}", str(error))
    return Check(f"the chain of {name}: {len(entries)} lines")


def _turn(campaign: Campaign, turn: int) -> Iterator[Check]:
    folder = campaign.folder
    where = folder.turn_path(turn)
    record = folder.turn_record(turn)
    found = proof_of({"dice": record.get("proof")}, str(where / "turn.json"))
    if found is None:
        yield Check("an earlier version of gm played it and sealed no dice", open=True)
        return
    proof = found
    published = folder.turn_record(turn - 1).get("next_seal")
    yield Check(
        "the seal was published before the turn",
        "" if published == proof.seal else f"turn {turn - 1} published {published}, the turn used {proof.seal}",
    )
    for realm, data in told_results(campaign, turn - 1):
        if data.get("realm") == realm and data.get("next_seal") != proof.seal:
            what = f"the seal in the results of {realm} of turn {turn - 1}"
            yield Check(what, f"they say {data.get('next_seal')}, not {proof.seal}")
    yield from _proof(proof)
    yield _order_files(where, proof)
    for realm, data in told_results(campaign, turn):
        if data.get("realm") == realm and proof_of(data, f"results/{realm}.yaml") != proof:
            yield Check(f"the proof in the results of {realm}", "it is not the one in turn.json")
    yield from _rolls(campaign, turn, proof)


def _order_files(where: Path, proof: Proof) -> Check:
    what = f"the order files: {len(proof.order_files)}"
    there = {path.stem: path.read_bytes() for path in sorted((where / "orders").glob("*.yaml"))}
    for realm in sorted(there.keys() | proof.order_files.keys()):
        if realm not in there:
            return Check(what, f"orders/{realm}.yaml is missing")
        if realm not in proof.order_files:
            return Check(what, f"orders/{realm}.yaml had no part in the dice")
        mark = hashlib.sha256(there[realm]).hexdigest()
        if mark != proof.order_files[realm]:
            return Check(what, f"orders/{realm}.yaml was changed: its hash is {mark}, not {proof.order_files[realm]}")
    return Check(what)


def _rolls(campaign: Campaign, turn: int, proof: Proof) -> Iterator[Check]:
    events = campaign.logged(turn)
    rolled = [event for event in events if isinstance(event, DiceRolled)]
    silent = [event for event in rolled if not event.asked]
    if silent:
        yield Check(f"{len(silent)} rolls of a log that does not say what was asked of the dice", open=True)
    told = [read_roll(roll_record(event), "log.jsonl") for event in rolled if event.asked]
    yield _rolled(told, proof, "the rolls")
    path = campaign.folder.turn_path(turn) / ROLLS_FILE
    if path.is_file():
        same = path.read_bytes() == rolls_bytes(campaign.folder.settings.id, turn, events)
        yield Check(f"{ROLLS_FILE} is what the log says", "" if same else "it says something else than log.jsonl")
