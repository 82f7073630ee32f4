"""A turn that is taken back after its results were known (W12): other dice, and the orders as they had been received.

Its secret is public by then, and who knows it could write the same orders in other ways until the dice suit him. So it
is sealed anew and played with the very files of the first time, unless the GM opens it to new orders and says why.
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
from gm.store.folder import SETTINGS_FILE, TURN, TURN_FILE
from gm.store.hand_edited import edited_yaml, flow, plain_scalar
from gm.store.inbox import Decisions, Withdrawn, decisions_of, fingerprint


class KeptOrders(Record):
    """The order files that a withdrawn turn was played with, and what was decided about it."""

    files: Mapping[str, bytes]
    decisions: Decisions


def proof_of(found: Any, file: str) -> Proof | None:
    """What a file publishes of its turn's dice, if it does. Raises ``BrokenFolderError`` for what is no proof."""
    try:
        return from_plain(found, Proof) if found else None
    except ValueError as error:
        raise BrokenFolderError(f"{file}: what it says of the dice is no proof: {error}.") from None


def withdraw_turn(
    campaign: Campaign, kept: str, why: str, now: datetime, secret: str, reopened: str = ""
) -> tuple[dict[Path, bytes | None], dict[str, Any]]:
    """The files with which the newest turn, whose results are known, is taken back into the folder ``kept``, and what
    the journal says of it: dice that follow from another master ``secret``, its orders kept, the game on hold."""
    folder, turn = campaign.folder, campaign.newest_turn
    try:
        proof = proof_of(folder.turn_record(turn).get("proof"), TURN_FILE)
    except StoreError:  # one that is damaged; an early gm sealed nothing
        proof = None
    orders = sorted((folder.turn_path(turn) / "orders").glob("*.yaml"))
    renewal = Renewal(
        seal=proof.seal if proof else str(folder.turn_record(turn - 1).get("next_seal") or ""),
        secret=proof.secret if proof else "",
        order_files=proof.order_files if proof else {each.stem: fingerprint(each.read_bytes()) for each in orders},
        sealed=next_seal(secret, folder.settings.id, turn),
        why=why,
        at=now.isoformat(),
        reopened=reopened,
    )
    files: dict[Path, bytes | None] = {}
    renewed = (*(proof.renewed if proof else ()), renewal)
    folder.inbox(turn, files).withdraw_turn(Withdrawn(kept=kept, renewed=renewed))
    if campaign.withdrawn is not None:  # what it starts from is void, too: it is a new turn with a new seal
        folder.inbox(turn + 1, files).withdraw_turn(None)

    def change(data: Any) -> None:
        earlier = {first: each for first, each in (data.get("renewed") or {}).items() if first < turn}
        data["renewed"] = flow({**earlier, turn: plain_scalar(secret)})
        if not data["deadline"].get("hold"):
            data["deadline"]["hold"] = plain_scalar(f"turn {turn} was taken back: {why}")

    path = folder.path / SETTINGS_FILE
    files[path] = edited_yaml(path, change)
    journal = {"published": True, "why": why, "seal": renewal.sealed, "was": renewal.seal}
    return files, {**journal, "orders": dict(renewal.order_files), "reopened": reopened}


def reopen_orders(campaign: Campaign, why: str) -> dict[Path, bytes | None]:
    """The files with which new orders are taken for a turn that was taken back before."""
    files: dict[Path, bytes | None] = {}
    if kept := campaign.kept:
        renewed = (*kept.renewed[:-1], kept.last.evolve(reopened=why))
        campaign.folder.inbox(campaign.next_turn, files).withdraw_turn(kept.evolve(renewed=renewed))
    return files


def kept_orders(campaign: Campaign) -> KeptOrders | None:
    """The orders that the next turn is played with again, if so. Raises ``StoreError`` when they were changed."""
    kept = campaign.kept
    if kept is None:
        return None
    folder = campaign.folder.undone / kept.kept
    there = sorted((folder / "orders").glob("*.yaml"))
    files = {path.stem: path.read_bytes() for path in there if path.stem in kept.last.order_files}
    for realm, mark in kept.last.order_files.items():
        if realm not in files or fingerprint(files[realm]) != mark:
            raise BrokenFolderError(
                f"{folder / 'orders' / f'{realm}.yaml'} is missing or was changed: turn {campaign.next_turn} was taken "
                "back and is to be played with this file as it was. Put it back from a copy, or open the turn to new "
                "orders with 'gm undo --reopen'."
            )
    path = folder / TURN_FILE
    try:
        record = TURN.decode(path.read_bytes(), path)
    except OSError as error:
        raise BrokenFolderError(f"{path} cannot be read: {error}. Put it back from a copy.") from None
    return KeptOrders(files, decisions_of(record))
