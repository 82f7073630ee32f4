"""What a game proves about its dice and its files without being played again (W12).

Everybody can check his own results (:func:`check_results`); the GM's folder can be checked as a whole
(:mod:`gm.campaign.audit`). Nothing here trusts the master secret: what was published must hold by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gm.core.codec import from_plain
from gm.core.sealing import Proof, seal_of, seed_of
from gm.core.values import Record
from gm.store import BrokenFolderError
from gm.store.formats import JsonObject
from gm.store.inbox import fingerprint
from gm.store.rolls import Roll, read_roll, read_rolls


class Check(Record):
    """One thing that was looked at. ``problem`` is empty when it holds; ``open`` says that it could not be told.
    ``covers``: how many of which things it was about."""

    what: str
    problem: str = ""
    open: bool = False
    turn: int | None = None
    covers: Mapping[str, int] = {}


def proof_of(found: Any, file: str) -> Proof | None:
    """What a file publishes of its turn's dice, if it does. Raises ``BrokenFolderError`` for what is no proof."""
    try:
        return from_plain(found, Proof) if found else None
    except ValueError as error:
        raise BrokenFolderError(f"{file}: what it says of the dice is no proof: {error}.") from None


def check_results(
    data: JsonObject, before: JsonObject | None, orders: bytes | None, rolls: bytes | None
) -> Iterator[Check]:
    """A player's own check: his results, those of the turn before, the order file that he sent, the turn's rolls.

    What is not given is told as open. Raises ``BrokenFolderError`` for results without a proof.
    """
    realm, turn = str(data.get("realm")), data.get("turn")
    proof = proof_of(data.get("dice"), "the results")
    if proof is None:
        raise BrokenFolderError("These results prove nothing: they are of the start, or of an earlier version of gm.")
    wrong = "" if proof.turn == turn else f"the results are of turn {turn}, their dice of turn {proof.turn}"
    yield Check("results and dice are of the same turn", wrong)
    if before is None:
        yield Check("the seal was published before the turn: give the results of the turn before", open=True)
    else:
        yield _published_before(data, before, proof)
    yield from seal_checks(proof)
    yield from renewal_checks(proof)
    if proof.renewed:
        yield Check(f"the letter of {proof.renewed[-1].at} told of the seal {proof.seal}: compare it", open=True)
    yield _own_file(realm, proof, orders)
    own: Iterable[Mapping[str, object]] = (data.get("private") or {}).get("rolls") or ()
    yield roll_check([read_roll(each, "the results") for each in own], proof, f"the rolls that are for {realm} alone")
    if rolls is None:
        yield Check("the rolls that are for everybody: give the turn's dice.jsonl", open=True)
    else:
        head, found = read_rolls(rolls, "the list of rolls")
        fits = (head.get("game"), head.get("turn")) == (data.get("game"), turn)
        other = f"it is of turn {head.get('turn')} of {head.get('game')}"
        yield Check("the list of rolls is of this turn", "" if fits else other)
        yield roll_check(found, proof, "the rolls that are for everybody")


def _published_before(data: JsonObject, before: JsonObject, proof: Proof) -> Check:
    what = "the seal was published with the results of the turn before"
    if any(data.get(name) != before.get(name) for name in ("game", "realm")):
        return Check(what, "the two results files are not of one realm in one game")
    if before.get("turn") != proof.turn - 1:
        return Check(what, f"the earlier results are of turn {before.get('turn')}, not of turn {proof.turn - 1}")
    if before.get("next_seal") != proof.first_seal:
        return Check(what, f"then the seal was {before.get('next_seal')}, now it is {proof.first_seal}")
    return Check(what)


def renewal_checks(proof: Proof) -> Iterator[Check]:
    """What a turn says of the times that it was taken back when its results were known."""
    problems = list(proof.renewal_problems())
    for problem in problems:
        yield Check("the turn was taken back and sealed anew", problem)
    for each in proof.renewed:
        orders = f"new orders were taken ({each.reopened})" if each.reopened else "the orders stayed as they were"
        yield Check(f"it was taken back on {each.at} ({each.why}), with other dice since: {orders}")


def seal_checks(proof: Proof) -> Iterator[Check]:
    """Secret, seal and seed, by themselves."""
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
    mark = fingerprint(orders)
    if known is None:
        return Check(what, f"no file of {realm} is among those that the dice were made of")
    return Check(what, "" if mark == known else f"its hash is {mark}, the dice were made with {known}")


def roll_check(rolls: Iterable[Roll], proof: Proof, what: str) -> Check:
    """Whether each roll follows from the seed and its label; ``what`` they are."""
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
    return Check(what, "a label stands there twice" if twice else "", covers={"roll": outcomes})
