"""Sealed dice: nobody can choose a turn's dice alone, and everybody can recompute them afterwards (W12).

A game has one master secret (``seed`` in ``game.yaml``), known to the GM's program alone. For each turn

    secret = HMAC-SHA-256(key = master, message = "turn secret\\n" + game id + "\\n" + turn in decimal),
             in hex
    seal   = SHA-256(secret as text), in hex: published with the results of the turn before, when no order
             is known yet
    seed   = SHA-256("turn seed\\n" + secret + "\\n" + one line "REALM sha256-of-its-order-file\\n"
             for each realm whose orders were carried out, by code), in hex: the key of all dice of the turn
             (:mod:`gm.core.dice`)

Once the turn is played, secret and hashes are published: the secret must fit the seal, every player finds his
own file's hash, and each roll follows from the seed and its label.

When a turn is undone after that, its secret is known, and orders could be fitted to its dice. So the turn
gets a new master secret and a new seal, and its orders stay as they are. The new proof records the old
secret.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping

from gm.core.diagnostics import says
from gm.core.values import Value


class Renewal(Value):
    """A turn that was undone after its results were known.

    Its own ``seal``, ``secret`` and ``order_files``, and in ``sealed`` the new seal. ``reopened``: why new
    orders were accepted after that; empty if they were not.
    """

    seal: str
    secret: str
    order_files: Mapping[str, str]
    sealed: str
    why: str  # the game master's reason
    at: str  # the time of the undo
    reopened: str = ""


class Proof(Value, omit_defaults=True):
    """The published proof of a played turn's dice.

    ``order_files``: realm to SHA-256 of its order file, in hex; ``renewed``: each time that the turn was
    undone and got a new seal, oldest first.
    """

    turn: int
    seal: str
    secret: str
    order_files: Mapping[str, str]
    seed: str
    renewed: tuple[Renewal, ...] = ()

    @property
    def first_seal(self) -> str:
        """The seal that was published with the results of the turn before."""
        return self.renewed[0].seal if self.renewed else self.seal

    def renewal_problems(self) -> Iterator[str]:
        """Yield the contradictions in the records of the turn's undos, a clause of a sentence each.

        Another is that orders have changed since the last undo although it was to keep them.
        """
        # the seal that was published next after each undo
        later_seals = [*(renewal.seal for renewal in self.renewed), self.seal][1:]
        for number, (renewal, seal) in enumerate(zip(self.renewed, later_seals, strict=True), start=1):
            if renewal.secret and seal_of(renewal.secret) != renewal.seal:
                yield says("the withdrawn secret number {0} does not fit its seal", number)
            if renewal.sealed != seal:
                pattern = "after undo number {0} it was sealed with {1}, not with {2}"
                yield says(pattern, number, renewal.sealed, seal)
            is_last = number == len(self.renewed)
            if is_last and not renewal.reopened and renewal.order_files != self.order_files:
                different_files = {*renewal.order_files.items()} ^ {*self.order_files.items()}
                changed = ", ".join(sorted({realm for realm, _ in different_files}))
                yield says(
                    "its orders were to stay as they had been received, and those of {0} did not", changed
                )


def turn_secret(master: str, game: str, turn: int) -> str:
    """Return the secret of one turn, 64 hex digits. ``master``: the game's secret; ``game``: its id."""
    return hmac.digest(master.encode(), f"turn secret\n{game}\n{turn}".encode(), "sha256").hex()


def seal_of(secret: str) -> str:
    """Return the seal of a secret, which is published before its turn."""
    return hashlib.sha256(secret.encode()).hexdigest()


def seed_of(secret: str, order_files: Mapping[str, str]) -> str:
    """Return the key of a turn's dice from its secret and the hashes of its order files by realm code."""
    lines = "".join(f"{realm} {order_files[realm]}\n" for realm in sorted(order_files))
    return hashlib.sha256(f"turn seed\n{secret}\n{lines}".encode()).hexdigest()


def turn_proof(master: str, game: str, turn: int, order_files: Mapping[str, str]) -> Proof:
    """Return the proof of a turn's dice, without undos.

    ``master``: the game's secret; ``game``: its id; ``order_files``: the SHA-256 of each, in hex, by realm
    code.
    """
    secret = turn_secret(master, game, turn)
    hashes = dict(sorted(order_files.items()))
    return Proof(
        turn=turn, seal=seal_of(secret), secret=secret, order_files=hashes, seed=seed_of(secret, hashes)
    )


def next_seal(master: str, game: str, turn: int) -> str:
    """Return the seal of a turn that is still to come. ``master``: the game's secret; ``game``: its id."""
    return seal_of(turn_secret(master, game, turn))


def rehearsal_seed(master: str, game: str, turn: int) -> str:
    """Return a seed for trials of a turn. ``master``: the game's secret; ``game``: its id.

    Its dice are never rolled in the turn itself, so that a trial reveals nothing of it.
    """
    return hmac.digest(master.encode(), f"rehearsal\n{game}\n{turn}".encode(), "sha256").hex()
