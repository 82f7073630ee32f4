"""A turn that is taken back after its results were known (W12): other dice, and the orders as they had been received.

Its secret is public by then, and who knows it can write the same orders in as many ways as he likes until the dice suit
him. So the turn is sealed anew, with a secret that follows from nothing known, and it is played with the very files of
the first time, unless the game master opens it to new orders and says why.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from gm.campaign.open import Campaign
from gm.core.codec import from_plain
from gm.core.sealing import Proof, Renewal, next_seal
from gm.core.values import Record
from gm.store import BrokenFolderError, StoreError
from gm.store.folder import SETTINGS_FILE, TURN, TURN_FILE, GameFolder
from gm.store.hand_edited import edited_yaml, flow, plain_scalar
from gm.store.inbox import Decisions, Withdrawn, decisions_of, fingerprint


class KeptOrders(Record):
    """The order files that a withdrawn turn was played with, and what was decided about it."""

    files: Mapping[str, bytes]
    decisions: Decisions


def withdraw_turn(
    campaign: Campaign, kept: str, why: str, now: datetime, secret: str, reopened: str = ""
) -> tuple[dict[Path, bytes | None], dict[str, Any]]:
    """The files with which the newest turn, whose results are known, is taken back into the folder ``kept``, and what
    the journal says of it: dice that follow from another ``secret``, its orders kept, the game on hold."""
    turn = campaign.newest_turn
    files: dict[Path, bytes | None] = {}
    withdrawn = withdrawal(campaign, kept, why, now.isoformat(), secret, reopened)
    campaign.folder.inbox(turn, files).withdraw_turn(withdrawn)
    if campaign.withdrawn is not None:  # what it starts from is void, too: it is a new turn with a new seal
        campaign.folder.inbox(turn + 1, files).withdraw_turn(None)

    def change(data: Any) -> None:
        earlier = {first: each for first, each in (data.get("renewed") or {}).items() if first < turn}
        data["renewed"] = flow({**earlier, turn: plain_scalar(secret)})
        if not data["deadline"].get("hold"):
            data["deadline"]["hold"] = plain_scalar(f"turn {turn} was taken back: {why}")

    path, last = campaign.folder.path / SETTINGS_FILE, withdrawn.last
    files[path] = edited_yaml(path, change)
    journal = {"published": True, "why": why, "seal": last.sealed, "was": last.seal, "orders": dict(last.order_files)}
    return files, {**journal, "reopened": reopened}


def reopen_orders(campaign: Campaign, why: str) -> dict[Path, bytes | None]:
    """The files with which new orders are taken for a turn that was taken back before."""
    files: dict[Path, bytes | None] = {}
    if campaign.kept is not None:
        campaign.folder.inbox(campaign.next_turn, files).withdraw_turn(reopened(campaign.kept, why))
    return files


def withdrawal(campaign: Campaign, kept: str, why: str, at: str, secret: str, reopened: str = "") -> Withdrawn:
    """What to note when the newest turn, whose results are known, is taken back into the folder ``kept``.

    ``secret`` is the master secret that the dice follow from, beginning with this turn.
    """
    folder, turn = campaign.folder, campaign.newest_turn
    proof = _proof(folder, turn)
    orders = sorted((folder.turn_path(turn) / "orders").glob("*.yaml"))
    hashes = proof.order_files if proof else {each.stem: fingerprint(each.read_bytes()) for each in orders}
    renewal = Renewal(
        seal=proof.seal if proof else str(folder.turn_record(turn - 1).get("next_seal") or ""),
        secret=proof.secret if proof else "",
        order_files=hashes,
        sealed=next_seal(secret, folder.settings.id, turn),
        why=why,
        at=at,
        reopened=reopened,
    )
    return Withdrawn(kept=kept, renewed=(*(proof.renewed if proof else ()), renewal))


def _proof(folder: GameFolder, turn: int) -> Proof | None:
    """What the turn proves; none for one of an early gm, which sealed nothing, or one that is damaged."""
    try:
        found = folder.turn_record(turn).get("proof")
        return from_plain(found, Proof) if found else None
    except (StoreError, ValueError):
        return None


def reopened(withdrawn: Withdrawn, why: str) -> Withdrawn:
    """The same with its orders open again."""
    return withdrawn.evolve(renewed=(*withdrawn.renewed[:-1], withdrawn.last.evolve(reopened=why)))


def kept_orders(campaign: Campaign) -> KeptOrders | None:
    """The orders that the next turn is played with again; none for a turn that takes orders as they come.

    Raises ``BrokenFolderError`` when they are not what they were.
    """
    kept = campaign.kept
    if kept is None:
        return None
    folder = campaign.folder.undone / kept.kept
    found = {path.stem: path for path in sorted((folder / "orders").glob("*.yaml"))}
    files = {realm: path.read_bytes() for realm, path in found.items() if realm in kept.last.order_files}
    for realm, mark in kept.last.order_files.items():
        if realm not in files or fingerprint(files[realm]) != mark:
            raise BrokenFolderError(
                f"{folder / 'orders' / f'{realm}.yaml'} is missing or was changed: turn {campaign.next_turn} was taken "
                "back and is to be played with this file as it was. Put it back from a copy, or open the turn to new "
                "orders with 'gm undo --reopen'."
            )
    return KeptOrders(files, decisions_of(withdrawn_record(campaign.folder, kept.kept)))


def withdrawn_record(folder: GameFolder, kept: str) -> dict[str, Any]:
    """How a turn was played that is under ``undone``. Raises ``StoreError``."""
    path: Path = folder.undone / kept / TURN_FILE
    try:
        return TURN.decode(path.read_bytes(), path)
    except OSError as error:
        raise BrokenFolderError(f"{path} cannot be read: {error}. Put it back from a copy.") from None
