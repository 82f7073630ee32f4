"""The reports of a turn, made when it is played and, from state, orders and log, at any time after."""

from __future__ import annotations

from gm.kernel.campaign.opening import Campaign
from gm.kernel.campaign.playing import decided
from gm.kernel.diagnostics import Diagnostic
from gm.kernel.fairness import Proof
from gm.kernel.game import Played, Reading
from gm.kernel.store import BrokenFolderError
from gm.kernel.store.decisions import Decisions
from gm.kernel.store.formats import Record


def played_turn(campaign: Campaign, turn: int) -> Played:
    """A turn as it was played, from its folder. Turn 0 is the start. Raises ``StoreError``."""
    folder, spec = campaign.folder, campaign.spec
    after = campaign.state_after(turn)
    words = folder.settings.deadline.words(turn + 1)
    if turn == 0:
        return Played(
            game=folder.settings.id,
            before=after,
            after=after,
            events=(),
            keys=campaign.keys_of(1),
            deadline=words,
            next_seal=campaign.seal(1),
        )
    before = campaign.state_after(turn - 1)
    record = folder.turn_record(turn)
    decisions = archived_decisions(record)
    opened, _ = campaign.opened_with(before, decisions)
    try:
        events = tuple(spec.event(each) for each in folder.log(turn))
    except ValueError as error:
        raise BrokenFolderError(f"{folder.turn_path(turn) / 'log.jsonl'}: {error}") from None

    def read(realm: str | None, data: bytes, name: str) -> Reading:
        # the key is not asked for: it was right when the turn was played, and the realm may have another player now
        return spec.read_orders(
            campaign.table,
            opened,
            data,
            name,
            game=folder.settings.id,
            realm=realm,
            key=None,
            late=realm in decisions.late,
        )

    codes = [seat.code for seat in spec.seats(campaign.table, before)]
    orders = folder.orders(turn, codes)
    set_aside: dict[str, tuple[Diagnostic, ...]] = {}
    for realm, names in record.get("set_aside", {}).items():
        for name in names:
            path = folder.turn_path(turn) / "orders" / name
            if realm in codes and path.is_file():
                found = read(realm, path.read_bytes(), name).diagnostics
                set_aside[realm] = (*set_aside.get(realm, ()), *found)
    return Played(
        game=folder.settings.id,
        before=before,
        after=after,
        events=events,
        readings=decided(
            campaign, {realm: read(realm, data, f"{realm}.yaml") for realm, data in orders.items()}, decisions
        )[0],
        keys=campaign.keys_of(turn + 1),
        set_aside=set_aside,
        deadline=words,
        proof=Proof.model_validate(record["proof"]) if record.get("proof") else campaign.proof(turn, orders),
        next_seal=campaign.seal(turn + 1),
    )


def archived_decisions(record: Record) -> Decisions:
    """What the GM had decided, from the record of a turn."""
    if "decisions" in record:
        return Decisions.model_validate(record["decisions"])
    rejections = tuple((realm, what) for realm, what in record.get("rejected", ()))
    return Decisions(late=tuple(record.get("late", ())), rejections=rejections)


def turn_reports(campaign: Campaign, turn: int) -> dict[str, bytes]:
    """The report files of a played turn, made again."""
    return dict(campaign.spec.reports(campaign.table, played_turn(campaign, turn)))
