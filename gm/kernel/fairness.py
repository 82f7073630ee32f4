"""Sealed dice: nobody can choose a turn's dice alone, and everybody can recompute them afterwards (W12).

A game has one master secret (``seed`` in ``game.yaml``), known to the GM's program alone. For each turn

    secret = HMAC-SHA-256(key = master, message = "turn secret\\n" + game id + "\\n" + turn in decimal), in hex
    seal   = SHA-256(secret as text), in hex: published with the results of the turn before, when no order is known yet
    seed   = SHA-256("turn seed\\n" + secret + "\\n" + one line "REALM sha256-of-its-order-file\\n" for each realm whose
             orders were carried out, by code), in hex: the key of all dice of the turn (:mod:`gm.kernel.dice`)

Once the turn is played, secret and hashes are published: the secret must fit the seal, every player finds his own
file's hash, and each roll follows from the seed and its label.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

from gm.kernel.model import FrozenMap, Value


class Proof(Value):
    """What is published of a played turn's dice. ``order_files``: realm code to SHA-256 of its order file, in hex."""

    turn: int
    seal: str
    secret: str
    order_files: FrozenMap[str, str]
    seed: str

    def problems(self) -> tuple[str, ...]:
        """What does not fit together, a sentence each; nothing when the proof holds."""
        found = []
        if seal_of(self.secret) != self.seal:
            found.append(f"the secret of turn {self.turn} does not fit the seal that was published before the turn")
        if seed_of(self.secret, self.order_files) != self.seed:
            found.append(f"the seed of turn {self.turn} does not follow from its secret and order files")
        return tuple(found)


def turn_secret(master: str, game: str, turn: int) -> str:
    """The secret of one turn, 64 hex digits."""
    return hmac.digest(master.encode(), f"turn secret\n{game}\n{turn}".encode(), "sha256").hex()


def seal_of(secret: str) -> str:
    """What is published of a secret before its turn."""
    return hashlib.sha256(secret.encode()).hexdigest()


def seed_of(secret: str, order_files: Mapping[str, str]) -> str:
    """The key of a turn's dice from its secret and the hashes of its order files by realm code."""
    lines = "".join(f"{realm} {order_files[realm]}\n" for realm in sorted(order_files))
    return hashlib.sha256(f"turn seed\n{secret}\n{lines}".encode()).hexdigest()


def turn_proof(master: str, game: str, turn: int, files: Mapping[str, bytes]) -> Proof:
    """The dice of a turn played with these order files, by realm code."""
    secret = turn_secret(master, game, turn)
    hashes = {realm: hashlib.sha256(files[realm]).hexdigest() for realm in sorted(files)}
    return Proof(
        turn=turn, seal=seal_of(secret), secret=secret, order_files=FrozenMap(hashes), seed=seed_of(secret, hashes)
    )


def next_seal(master: str, game: str, turn: int) -> str:
    """The seal of a turn that is still to come."""
    return seal_of(turn_secret(master, game, turn))


def rehearsal_seed(master: str, game: str, turn: int) -> str:
    """Dice for trying a turn out: none that will ever be rolled in it, so that trying tells nothing of what comes."""
    return hmac.digest(master.encode(), f"rehearsal\n{game}\n{turn}".encode(), "sha256").hex()
