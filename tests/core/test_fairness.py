"""Sealed dice: the seal binds the GM, the order files bind everybody, and the proof shows any change."""

from __future__ import annotations

import hashlib

import pytest

from gm.core.dice import Dice
from gm.core.sealing import next_seal, rehearsal_seed, seal_of, seed_of, turn_proof, turn_secret

FILES = {"FRA": b"orders: 1\n", "ENG": b"orders: 1\nrealm: ENG\n"}


@pytest.mark.clause("W12")
def test_a_proof_holds_and_follows_the_published_algorithm() -> None:
    proof = turn_proof("master", "europe", 5, FILES)
    assert proof.problems() == ()
    assert proof.seal == next_seal("master", "europe", 5) == hashlib.sha256(proof.secret.encode()).hexdigest()
    lines = "".join(f"{realm} {hashlib.sha256(FILES[realm]).hexdigest()}\n" for realm in ("ENG", "FRA"))
    assert proof.seed == hashlib.sha256(f"turn seed\n{proof.secret}\n{lines}".encode()).hexdigest()


def test_known_values_so_that_no_version_changes_the_algorithm() -> None:
    assert turn_secret("master", "europe", 5) == "9eb48ed2ea6bba443fe8427d1a3c525bf36a88cde6ca21db75d0274bad5cb83f"
    assert seed_of("ab" * 32, {"ENG": "cd" * 32}) == "be15f724801c8a781ebab0ee4f99aa60d915d8053502f561ad9241c38e803a17"


@pytest.mark.clause("W12")
def test_every_turn_game_and_master_has_a_secret_of_its_own() -> None:
    secrets = {
        turn_secret(*each)
        for each in (("master", "a", 1), ("master", "a", 2), ("master", "b", 1), ("other", "a", 1), ("master", "a", 11))
    }
    assert len(secrets) == 5
    assert rehearsal_seed("master", "a", 1) not in secrets


@pytest.mark.clause("W12")
def test_a_remark_in_one_file_throws_all_dice_anew_and_the_same_files_the_same() -> None:
    """14.C25: what the clause says of battles elsewhere is what sealed dice do."""
    label = "turn 3", "phase 1", "land_battles_fought", "Minsk", "hits"
    files = {"LIT": b"orders: 1\n", "POL": b"orders: 1\n"}

    def thrown(**changed: bytes) -> list[int]:
        stream = Dice(turn_proof("master", "game", 3, {**files, **changed}).seed, *label[:-1])(label[-1])
        return [stream.below(1000) for _ in range(20)]

    assert thrown() == thrown(LIT=b"orders: 1\n")
    assert thrown() != thrown(POL=b"orders: 1\n# a remark\n")


@pytest.mark.clause("W12")
def test_any_order_file_moves_the_dice_and_their_order_does_not() -> None:
    proof = turn_proof("master", "europe", 5, FILES)
    assert turn_proof("master", "europe", 5, dict(reversed(FILES.items()))) == proof
    assert turn_proof("master", "europe", 5, {**FILES, "FRA": b"orders: 1 \n"}).seed != proof.seed
    assert turn_proof("master", "europe", 5, {"ENG": FILES["ENG"]}).seed != proof.seed
    assert turn_proof("master", "europe", 5, {}).problems() == ()


def test_a_proof_shows_a_changed_seal_secret_hash_and_seed() -> None:
    proof = turn_proof("master", "europe", 5, FILES)
    assert "does not fit the seal" in proof.evolve(seal=seal_of("another")).problems()[0]
    assert len(proof.evolve(secret=turn_secret("other", "europe", 5)).problems()) == 2
    changed = {**proof.order_files, "FRA": hashlib.sha256(b"other orders").hexdigest()}
    assert "does not follow" in proof.evolve(order_files=changed).problems()[0]
    assert "does not follow" in proof.evolve(seed="0" * 64).problems()[0]
