"""The undoing of a turn after its results were known (W12).

Its dice get a new seal. It is played again with its old orders, or is opened to new ones.
"""

from contextlib import suppress
from datetime import datetime
from typing import Any

from gm.campaign.open import Campaign
from gm.core.codec import from_plain
from gm.core.diagnostics import says
from gm.core.sealing import Proof, Renewal, next_seal
from gm.store import BrokenFolderError, StoreError
from gm.store.folder import SETTINGS_FILE, TURN, TURN_FILE
from gm.store.formats import edited_yaml, flow, yaml_value
from gm.store.inbox import Changes, Decisions, Withdrawn, decisions_of, fingerprint

# of an undone turn that is played again: (contents of its order files by realm, the decisions about it)
KeptOrders = tuple[dict[str, bytes], Decisions]


def proof_of(data: Any, file: str) -> Proof | None:
    """Return the dice proof that a file publishes; None if it publishes none.

    Raises ``BrokenFolderError`` for a malformed proof.
    """
    try:
        return from_plain(data, Proof) if data else None
    except ValueError as error:
        raise BrokenFolderError(
            says("{0}: what it says of the dice is not a proof: {1}.", file, error)
        ) from None


def withdraw_turn(
    campaign: Campaign, kept: str, why: str, now: datetime, secret: str, *, hold: str, reopened: str = ""
) -> tuple[Changes, dict[str, Any]]:
    """Return (changes of files, fields of the journal's line) that undo the newest turn after its results.

    ``kept``: the name of its folder under ``undone``; ``why``: the reason; ``secret``: the new master secret
    of the dice; ``hold``: the words for why the game is on hold then, unless it is already; ``reopened``: the
    reason to take new orders, empty to keep the old ones.
    """
    folder = campaign.folder
    turn = campaign.newest_turn
    proof = _played_proof(campaign, turn)
    new_seal = next_seal(secret, folder.settings.id, turn)
    renewal = Renewal(
        seal=proof.seal,
        secret=proof.secret,
        order_files=proof.order_files,
        sealed=new_seal,
        why=why,
        at=now.isoformat(),
        reopened=reopened,
    )
    files: Changes = {}
    folder.inbox(turn, files).withdraw_turn(Withdrawn(kept=kept, renewed=(*proof.renewed, renewal)))
    # a later turn that was undone before will start from another position: it is a new turn with a new seal
    if campaign.withdrawn is not None:
        folder.inbox(turn + 1, files).withdraw_turn(None)

    def change(data: Any) -> None:
        """Set the new master secret from this turn on, and the hold if there is none, in ``game.yaml``."""
        earlier = {first: master for first, master in (data.get("renewed") or {}).items() if first < turn}
        data["renewed"] = flow({**earlier, turn: yaml_value(secret)})
        if not data["deadline"].get("hold"):
            data["deadline"]["hold"] = yaml_value(hold)

    path = folder.path / SETTINGS_FILE
    files[path] = edited_yaml(path, change)
    journal = {"published": True, "why": why, "seal": new_seal, "was": proof.seal}
    return files, {**journal, "orders": dict(proof.order_files), "reopened": reopened}


def _played_proof(campaign: Campaign, turn: int) -> Proof:
    """Return the proof of a played turn's dice; if it has none, one with only its seal and order files."""
    folder = campaign.folder
    with suppress(StoreError):  # a damaged proof counts as none
        proof = proof_of(folder.turn_record(turn).get("proof"), TURN_FILE)
        if proof is not None:
            return proof
    # an early pbem published no seal
    seal = str(folder.turn_record(turn - 1).get("next_seal") or "")
    order_paths = sorted((folder.turn_path(turn) / "orders").glob("*.yaml"))
    orders = {path.stem: fingerprint(path.read_bytes()) for path in order_paths}
    return Proof(turn=turn, seal=seal, secret="", order_files=orders, seed="")


def reopen_orders(campaign: Campaign, why: str) -> Changes:
    """Return the changes of files that open an undone turn to new orders.

    There are none if the next turn does not wait to be played again with its old orders. ``why``: the
    reason, which everybody reads.
    """
    files: Changes = {}
    kept = campaign.kept
    if kept:
        renewed = (*kept.renewed[:-1], kept.last.evolve(reopened=why))
        campaign.folder.inbox(campaign.next_turn, files).withdraw_turn(kept.evolve(renewed=renewed))
    return files


def kept_orders(campaign: Campaign) -> KeptOrders | None:
    """Return the old orders with which the next turn is played again, and the decisions about it.

    None if it takes new orders. Raises ``StoreError`` for a file that is missing or was changed.
    """
    kept = campaign.kept
    if kept is None:
        return None
    folder = campaign.folder.undone / kept.kept
    order_paths = sorted((folder / "orders").glob("*.yaml"))
    files = {path.stem: path.read_bytes() for path in order_paths if path.stem in kept.last.order_files}
    for realm, recorded in kept.last.order_files.items():
        if realm not in files or fingerprint(files[realm]) != recorded:
            raise BrokenFolderError(
                says(
                    "{0} is missing or was changed: turn {1} was undone and is to be played with this "
                    "file unchanged. Restore it from a backup, or open the turn to new orders with 'pbem "
                    "undo --reopen'.",
                    folder / "orders" / f"{realm}.yaml",
                    campaign.next_turn,
                )
            )
    path = folder / TURN_FILE
    try:
        record = TURN.decode(path.read_bytes(), path)
    except OSError as error:
        raise BrokenFolderError(
            says("{0} cannot be read: {1}. Restore it from a backup.", path, error)
        ) from None
    return files, decisions_of(record)
