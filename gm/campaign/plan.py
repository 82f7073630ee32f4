"""What goes into a turn: the orders in the inbox, those that stand from earlier, and the GM's decisions (O1, O7)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import field

from gm.campaign.open import Campaign
from gm.campaign.receive import Offer, read_offer
from gm.campaign.withdraw import KeptOrders, kept_orders
from gm.core.diagnostics import Diagnostic
from gm.core.events import GM, Event, StrayFilesSetAside
from gm.core.orders.header import STANDING_LIMIT
from gm.core.values import Record
from gm.game.values import ReadOrders, Seat
from gm.store.inbox import Decisions

_STANDS = re.compile(rb"(?m)^standing[ \t]*:")
_TURN = re.compile(rb"(?m)^(turn[ \t]*:)[^\r\n]*")


class TurnPlan(Record):
    """Everything that goes into a turn: what was read of the orders that stand, and what the GM decided.

    ``files`` are these orders as received, ``set_aside`` each realm's findings about files that could not be read and
    ``unreadable`` their names, ``strays`` those of files of nobody, ``rejected_files`` all files that were not taken,
    ``missing`` the seats whose player sent nothing that stands. ``events`` are what the GM's decisions put into the
    log.
    """

    readings: Mapping[str, ReadOrders]
    files: Mapping[str, bytes]
    late: tuple[str, ...]
    missing: tuple[Seat, ...]
    set_aside: Mapping[str, tuple[Diagnostic, ...]] = {}
    unreadable: Mapping[str, tuple[str, ...]] = {}
    strays: tuple[str, ...] = ()
    rejected_files: Mapping[str, bytes] = {}
    decisions: Decisions = field(default_factory=Decisions)
    events: tuple[Event, ...] = ()

    @property
    def sheets(self) -> dict[str, Any]:
        """The order sheets that can be carried out, by realm."""
        return {realm: reading.sheet for realm, reading in self.readings.items() if reading.sheet is not None}


def turn_plan(campaign: Campaign, rejections: Iterable[tuple[str, str]] = ()) -> TurnPlan:
    """Read everything in the inbox for the next turn. ``rejections``: (realm, what) that the GM takes out of a sheet.

    A file that stands and cannot be read any more (it was changed by hand) counts as set aside. Raises ``ValueError``
    for a rejection of something that is not there.
    """
    inbox = campaign.folder.inbox(campaign.next_turn)
    seats = [seat for seat in campaign.seats if seat.played and not seat.out]
    readings: dict[str, ReadOrders] = {}
    files: dict[str, bytes] = {}
    late: list[str] = []
    set_aside: dict[str, tuple[Diagnostic, ...]] = {}
    unreadable: dict[str, tuple[str, ...]] = {}
    rejected_files: dict[str, bytes] = {}

    def put_aside(realm: str, name: str, findings: tuple[Diagnostic, ...]) -> None:
        set_aside[realm] = (*set_aside.get(realm, ()), *findings)
        unreadable[realm] = (*unreadable.get(realm, ()), name)

    kept = kept_orders(campaign)
    standing = _standing(campaign, seats) if kept is None else _kept(campaign, kept)
    for realm, data, reading, is_late in standing:
        if reading.sheet is None:
            name = changed_name(realm)
            rejected_files[name] = data
            put_aside(realm, name, reading.diagnostics)
            continue
        readings[realm], files[realm] = reading, data
        if is_late:
            late.append(realm)

    strays: list[str] = []
    for receipt, data in inbox.rejected():
        rejected_files[receipt.stored] = data
        if not receipt.realm:
            strays.append(receipt.stored)
        else:
            # whose it is was proven as it came, by a key or otherwise, so that no key is asked for; late files of a
            # game that takes none are readable: only what was unreadable is told here
            found = read_offer(campaign, Offer(receipt.came_as, data), receipt.realm, None)
            if found.sheet is None:
                put_aside(receipt.realm, receipt.stored, found.diagnostics)

    absent = (seat.code for seat in seats if seat.code not in readings)
    repeated = repeated_orders(campaign, absent) if kept is None else {}
    for realm, again in repeated.items():
        readings[realm], files[realm] = again.reading, again.data
    decisions = campaign.decisions.evolve(
        late=tuple(late),
        rejections=(*rejections, *_rejected(campaign, readings)),
        repeated=kept.decisions.repeated if kept else {realm: again.origin for realm, again in repeated.items()},
    )
    readings, noted = decided(campaign, readings, decisions)
    return TurnPlan(
        readings=readings,
        files=files,
        late=tuple(late),
        missing=tuple(seat for seat in seats if seat.code not in readings and not seat.waiting),
        set_aside=set_aside,
        unreadable=unreadable,
        strays=tuple(strays),
        rejected_files=rejected_files,
        decisions=decisions,
        events=(*stray_events(strays), *noted),
    )


def _standing(campaign: Campaign, seats: Sequence[Seat]) -> Iterator[tuple[str, bytes, ReadOrders, bool]]:
    """(realm, file, what was read of it, whether it was late) of the orders in the inbox."""
    inbox = campaign.folder.inbox(campaign.next_turn)
    for realm, arrival in inbox.current(seat.code for seat in seats if seat.code in campaign.keys).items():
        offer = Offer(f"{inbox.folder.name}/{realm}.yaml", arrival.data)
        key = None if campaign.trusts(realm if arrival.vouched else "", realm) else campaign.keys[realm]
        yield realm, arrival.data, read_offer(campaign, offer, realm, key, late=arrival.late), arrival.late


def _kept(campaign: Campaign, kept: KeptOrders) -> Iterator[tuple[str, bytes, ReadOrders, bool]]:
    """The same of the orders that a withdrawn turn is played with again. Their keys were asked for when they came."""
    for realm, data in kept.files.items():
        late = realm in kept.decisions.late
        yield realm, data, read_offer(campaign, Offer(f"{realm}.yaml", data), realm, None, late=late), late


def changed_name(realm: str) -> str:
    """Where a file is kept that stood and was changed by hand, so that it cannot be read any more."""
    return f"rejected/{realm}-0.yaml"


def stray_events(strays: Sequence[str]) -> tuple[Event, ...]:
    """What the log says of files that could be given to nobody."""
    return (StrayFilesSetAside(audience=GM, files=tuple(strays)),) if strays else ()


def _rejected(campaign: Campaign, readings: Mapping[str, ReadOrders]) -> Iterator[tuple[str, str]]:
    """What the GM's amendments reject of the sheets that came: (realm, what), where there is such a thing."""
    for amendment in campaign.decisions.amendments:
        what, *realm = amendment.words
        if what in campaign.spec.rejectable and realm and realm[0] in readings:
            with suppress(ValueError):  # the player has sent another file meanwhile, without it
                campaign.spec.without(readings[realm[0]].sheet, what)
                yield realm[0], what


def decided(
    campaign: Campaign, readings: Mapping[str, ReadOrders], decisions: Decisions
) -> tuple[dict[str, ReadOrders], tuple[Event, ...]]:
    """What was read of the order files with what was decided about it put in, and these decisions as events.

    Raises ``ValueError`` for a rejection of something that is not there.
    """
    spec = campaign.spec
    sheets = {
        realm: spec.with_contact(reading.sheet, decisions.contacts.get(realm, ""))
        for realm, reading in readings.items()
        if reading.sheet is not None
    }
    events: list[Event] = []
    for realm, what in decisions.rejections:
        if realm not in sheets:
            raise ValueError(f"there are no orders of {realm} from which anything could be rejected")
        sheets[realm], noted = spec.without(sheets[realm], what)
        events += noted
    found = {realm: reading.evolve(sheet=sheets.get(realm)) for realm, reading in readings.items()}
    return found, tuple(events)


class Repeated(Record):
    """A file of an earlier turn, headed for the next one. ``origin``: the turn that it was sent for."""

    data: bytes
    reading: ReadOrders
    origin: int


def repeated_orders(campaign: Campaign, realms: Iterable[str]) -> dict[str, Repeated]:
    """The orders of the last turn that still stand, of those of ``realms`` that have any.

    They end with their turn, with a newer file, and with their player: who takes over a realm is not bound by them.
    """
    newest = campaign.newest_turn
    if newest == 0:
        return {}
    found = {}
    origins = campaign.folder.turn_record(newest).get("decisions", {}).get("repeated", {})
    for realm, data in campaign.folder.orders(newest, realms).items():
        player = campaign.folder.players.of(realm)
        origin = int(origins.get(realm, newest))
        if player is None or origin < player.seated or not _STANDS.search(data):
            continue
        again = _TURN.sub(rb"\1 %d" % campaign.next_turn, data, count=1)
        # the key was asked for when the file came; it was that of another turn
        reading = read_offer(campaign, Offer(f"standing/{realm}.yaml", again), realm, None)
        # what was too long when it was sent was refused then, and does not come true turn by turn
        if reading.sheet is not None and campaign.next_turn <= reading.standing <= origin + STANDING_LIMIT:
            found[realm] = Repeated(again, reading, origin)
    return found
