"""What goes into a turn: orders of the inbox, repeated orders, the GM's decisions (O1, O7).

A turn that was taken back when its results
were known is sealed anew and played with the very files of the first time, unless it is reopened (W12).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from msgspec import field

from gm.campaign.absence import deputies
from gm.campaign.ahead import foreseen_orders
from gm.campaign.bot_orders import answers_of, bots_to_ask
from gm.campaign.open import Campaign
from gm.campaign.withdrawal import KeptOrders, kept_orders
from gm.core.diagnostics import Diagnostic, says
from gm.core.orders.header import STANDING_LIMIT
from gm.core.orders.press import Note
from gm.core.sealing import Proof
from gm.core.values import GM, BotFailed, Event, Record, StewardActed, StrayFilesSetAside
from gm.game.bots import FindBot
from gm.game.values import OrderFile, Seat
from gm.game.votes import votes_with
from gm.store.inbox import Decisions, Receipt, fingerprint
from gm.store.settings import bot_label

# of each realm, what stood and was changed by hand, so that it cannot be read
CHANGED_FILE = "rejected/{}-0.yaml"
_STANDS = re.compile(rb"(?m)^standing[ \t]*:")
_TURN = re.compile(rb"(?m)^(turn[ \t]*:)[^\r\n]*")
_NO_DICE = Proof(turn=0, seal="", secret="", order_files={}, seed="")  # of a turn that is to be played


class TurnPlan(Record, kw_only=True):
    """The whole input of a turn, its number first.

    ``before``: the state that the turn before left; ``opened``: that state with the GM's decisions applied,
    and ``changes``: the events of these; ``proof`` and ``record``: those of a played turn, its dice and its
    folder.
    """

    turn: int
    before: Any
    opened: Any
    changes: tuple[Event, ...] = ()
    readings: Mapping[str, OrderFile] = {}  # the order files that stand
    missing: tuple[Seat, ...] = ()  # those without any
    # each realm's findings about files that cannot be read
    set_aside: Mapping[str, tuple[Diagnostic, ...]] = {}
    unreadable: Mapping[str, tuple[str, ...]] = {}  # the names of these
    strays: tuple[str, ...] = ()  # the names of those of nobody, and whose they say they are
    rejected_files: Mapping[str, bytes] = {}  # all that were not taken
    decisions: Decisions = field(default_factory=Decisions)
    events: tuple[Event, ...] = ()  # what the decisions put into the log
    # when it is played, from which the next deadline counts; none: at its deadline
    at: datetime | None = None
    proof: Proof = _NO_DICE
    record: Mapping[str, Any] = {}

    @property
    def files(self) -> dict[str, bytes]:
        """The order files that count, as they were received."""
        return {realm: reading.data for realm, reading in self.readings.items()}

    @property
    def hashes(self) -> dict[str, str]:
        """The hashes of these files, on which the turn's dice depend (W12)."""
        return {realm: fingerprint(reading.data) for realm, reading in self.readings.items()}

    @property
    def sheets(self) -> dict[str, Any]:
        """The parsed orders of the files that count."""
        return {realm: reading.sheet for realm, reading in self.readings.items() if reading.sheet is not None}

    @property
    def notes(self) -> dict[str, tuple[Note, ...]]:
        """The letters to other players in the new files, by realm."""
        repeated = self.decisions.repeated
        return {realm: reading.press for realm, reading in self.readings.items() if realm not in repeated}

    @property
    def votes(self) -> dict[str, str]:
        """The votes that hold after this turn, by party."""
        fresh = {realm: reading.vote for realm, reading in self.readings.items() if reading.sheet is not None}
        return votes_with(self.decisions.votes, fresh)

    @property
    def held(self) -> tuple[str, ...]:
        """The realms whose files ask not to be played early, or have errors to be corrected."""
        return tuple(realm for realm, reading in self.readings.items() if not reading.ready or reading.errors)


class SortedFiles:
    """The order files of a turn: those that count, and those that cannot be read."""

    def __init__(self) -> None:
        self.readings: dict[str, OrderFile] = {}
        self.set_aside: dict[str, tuple[Diagnostic, ...]] = {}
        self.unreadable: dict[str, tuple[str, ...]] = {}

    def add_unreadable(self, realm: str, name: str, file: OrderFile) -> None:
        """Move a realm's file to the unreadable ones; it is stored under ``name``."""
        self.set_aside[realm] = (*self.set_aside.get(realm, ()), *file.diagnostics)
        self.unreadable[realm] = (*self.unreadable.get(realm, ()), name)


def planned_turn(
    campaign: Campaign,
    turn: int,
    before: Any,
    opened: tuple[Any, tuple[Event, ...]],
    files: SortedFiles,
    strays: Sequence[str],
    decisions: Decisions,
) -> TurnPlan:
    """Return a turn to be played, or replayed.

    ``before``: the state that the turn before left; ``opened``: that state with the GM's ``decisions`` in it,
    and what they changed as events; ``files``: the order files of the turn; ``strays``: the names of files
    that are no realm's. Raises ``ValueError`` for a rejection of what is not there.
    """
    readings, noted = with_decisions(campaign, files.readings, decisions)
    state, changes = opened
    return TurnPlan(
        turn=turn,
        before=before,
        opened=state,
        changes=changes,
        readings=readings,
        set_aside=files.set_aside,
        unreadable=files.unreadable,
        strays=tuple(strays),
        decisions=decisions,
        events=plan_events(strays, noted, decisions),
    )


def turn_plan(campaign: Campaign, rejections: Iterable[tuple[str, str]] = ()) -> TurnPlan:
    """Read the inbox for the next turn. Raises ``ValueError`` for a rejection (realm, what) of nothing."""
    seats = [seat for seat in campaign.seats if seat.played and not seat.out]
    files = SortedFiles()
    rejected_files: dict[str, bytes] = {}
    late: list[str] = []
    kept = kept_orders(campaign)
    for realm, reading, is_late in _standing(campaign, seats, kept):
        if reading.sheet is None:
            rejected_files[CHANGED_FILE.format(realm)] = reading.data
            files.add_unreadable(realm, CHANGED_FILE.format(realm), reading)
            continue
        files.readings[realm] = reading
        if is_late:
            late.append(realm)
    rejected = campaign.folder.inbox(campaign.next_turn).rejected()
    rejected_files |= {receipt.stored: data for receipt, data in rejected}
    _put_aside_rejected(campaign, rejected, files)
    decisions = _with_earlier_orders(campaign, kept, seats, files).evolve(
        late=tuple(late),
        rejections=(*rejections, *still_rejected(campaign, files.readings, _amended(campaign))),
    )
    strays = [receipt.called for receipt, data in rejected if not receipt.realm]
    plan = planned_turn(
        campaign, campaign.next_turn, campaign.snapshot, campaign.opened, files, strays, decisions
    )
    missing = tuple(seat for seat in seats if seat.code not in plan.readings and not seat.waiting)
    return plan.evolve(missing=missing, rejected_files=rejected_files)


def with_bots(campaign: Campaign, plan: TurnPlan, find: FindBot) -> TurnPlan:
    """Return the plan with its bots' orders; ``find`` returns a bot by its name.

    Raises ``StoreError`` for a damaged log of an earlier turn; nothing that a bot does is raised.
    """
    acting = deputies(campaign, (seat.code for seat in plan.missing))
    asked_bots = bots_to_ask(campaign) | acting
    if campaign.kept or not asked_bots:
        return plan
    answers = answers_of(campaign, asked_bots, plan.decisions, find)
    troubles = {realm: answer.trouble for realm, answer in answers.items() if answer.trouble}
    decisions = plan.decisions.evolve(
        bots={realm: bot_label(name) for realm, name in asked_bots.items()},
        bot_troubles=troubles,
        deputies=tuple(sorted(acting.keys() - troubles.keys())),
    )
    readings = {realm: answer.reading for realm, answer in answers.items() if answer.reading is not None}
    fresh, _ = with_decisions(campaign, readings, decisions.evolve(rejections=()))
    files = {f"rejected/{realm}-bot.yaml": answers[realm].data for realm in troubles if answers[realm].data}
    return plan.evolve(
        decisions=decisions,
        readings=dict(sorted({**plan.readings, **fresh}.items())),
        rejected_files={**plan.rejected_files, **files},
        events=(*plan.events, *plan_events((), (), decisions)),
    )


def _with_earlier_orders(
    campaign: Campaign, stored: KeptOrders | None, seats: Sequence[Seat], files: SortedFiles
) -> Decisions:
    """Add orders repeated from earlier turns to ``files``; return the decisions with the turn of each."""
    if stored is None:
        return campaign.decisions.evolve(repeated=_add_earlier_orders(campaign, seats, files.readings))
    _, decisions = stored  # what bots ordered in a turn that was taken back is kept, too
    return campaign.decisions.evolve(
        repeated=dict(decisions.repeated),
        bots=decisions.bots,
        bot_troubles=decisions.bot_troubles,
        deputies=decisions.deputies,
    )


def _put_aside_rejected(
    campaign: Campaign, rejected: Iterable[tuple[Receipt, bytes]], files: SortedFiles
) -> None:
    """Add the files that were rejected when they came to the unreadable ones.

    Their sender was proven then, by a key or otherwise, so that no key is asked for. Late files of a game
    that takes none are readable, and are not among them.
    """
    names: set[str] = set()
    for receipt, data in rejected:
        if not receipt.realm:
            continue
        name = receipt.came_as
        if name in names:
            name = f"{name} ({len(files.unreadable.get(receipt.realm, ())) + 1})"
        names.add(name)
        reading = campaign.orders.read(data, name, receipt.realm)
        if reading.sheet is None:
            files.add_unreadable(receipt.realm, receipt.stored, reading)


def _add_earlier_orders(
    campaign: Campaign, seats: Iterable[Seat], readings: dict[str, OrderFile]
) -> dict[str, int]:
    """Add orders from earlier turns for parties without new ones; return the turn of each, by realm."""
    repeated: dict[str, int] = {}
    absent = [seat for seat in seats if seat.code not in readings]
    for realm, reading, origin in repeated_orders(campaign, [seat.code for seat in absent]):
        readings[realm] = reading
        repeated[realm] = origin
    to_move = [seat.code for seat in absent if seat.code not in readings and not seat.waiting]
    for realm, reading, origin in foreseen_orders(campaign, to_move):
        readings[realm] = reading
        repeated[realm] = origin
    return repeated


def _amended(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield the parts that the GM's amendments reject: (realm, part)."""
    for amendment in campaign.decisions.amendments:
        what, *about = amendment.words
        if what in campaign.spec.rejectable and about:
            yield about[0], what


def _standing(
    campaign: Campaign, seats: Sequence[Seat], stored: KeptOrders | None
) -> Iterator[tuple[str, OrderFile, bool]]:
    """Yield each order file in the inbox, or in ``stored``, with its realm and whether it was late."""
    if stored is not None:
        files, decisions = stored
        for realm, data in files.items():  # their keys were asked for when they came
            late = realm in decisions.late
            yield realm, campaign.orders.read(data, f"{realm}.yaml", realm, late=late), late
        return
    inbox = campaign.folder.inbox(campaign.next_turn)
    current = inbox.current(seat.code for seat in seats if seat.code in campaign.keys)
    receipts = inbox.receipts_of(current)
    for realm, data in current.items():
        name = f"{inbox.folder.name}/{realm}.yaml"
        receipt = receipts.get(realm)
        late = receipt is not None and receipt.late
        vouched = realm if receipt is not None and receipt.vouched else ""
        key = None if campaign.trusts(vouched, realm) else campaign.keys[realm]
        yield realm, campaign.orders.read(data, name, realm, key, late=late), late


def plan_events(strays: Sequence[str], noted: Iterable[Event], decisions: Decisions) -> tuple[Event, ...]:
    """Return the events of stray files, of the GM's decisions, of stewards, and of bots without orders."""
    stray = [StrayFilesSetAside(audience=GM, files=tuple(map(str, strays)))] if strays else []
    bots = decisions.bots
    troubles = decisions.bot_troubles
    failed = (
        BotFailed(audience=GM, realm=code, bot=bots.get(code, ""), why=why) for code, why in troubles.items()
    )
    acted = (StewardActed(audience=realm, realm=realm) for realm in decisions.deputies)
    return (*stray, *noted, *acted, *failed)


def still_rejected(
    campaign: Campaign, readings: Mapping[str, OrderFile], rejections: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Yield the ``rejections``, (realm, part), that remove something from these readings."""
    for realm, what in rejections:
        if realm in readings:
            with suppress(ValueError):  # the player has sent another file meanwhile, without it
                campaign.spec.without(readings[realm].sheet, what)
                yield realm, what


def with_decisions(
    campaign: Campaign, readings: Mapping[str, OrderFile], decisions: Decisions
) -> tuple[dict[str, OrderFile], tuple[Event, ...]]:
    """Return the readings and events after the GM's decisions took effect. Raises as :func:`turn_plan`."""
    spec = campaign.spec
    contacts = decisions.contacts
    sheets = {
        realm: spec.with_contact(reading.sheet, contacts.get(realm, ""))
        for realm, reading in readings.items()
        if reading.sheet is not None
    }
    events: list[Event] = []
    for realm, what in decisions.rejections:
        if realm not in sheets:
            raise ValueError(says("there are no orders of {0} from which anything could be rejected", realm))
        sheets[realm], noted = spec.without(sheets[realm], what)
        events += noted
    allowed = {realm: reading.evolve(sheet=sheets.get(realm)) for realm, reading in readings.items()}
    return allowed, tuple(events)


def repeated_orders(campaign: Campaign, realms: Iterable[str]) -> Iterator[tuple[str, OrderFile, int]]:
    """Yield the orders of the last turn that are repeated, of these realms.

    Each is (realm, its file headed for the next turn, the turn that it was sent for). They do not bind a
    replacement player.
    """
    newest = campaign.newest_turn
    origins = campaign.record(newest).get("decisions", {}).get("repeated", {})
    for realm, data in campaign.folder.orders(newest, realms).items():
        player = campaign.folder.players.of(realm)
        origin = int(origins.get(realm, newest))
        if player is None or origin < player.seated or not _STANDS.search(data):
            continue
        again = _TURN.sub(rb"\1 %d" % campaign.next_turn, data, count=1)
        # the key was asked for when the file came; it was that of another turn
        reading = campaign.orders.read(again, f"standing/{realm}.yaml", realm)
        # what was too long when it was sent was refused then, and does not come true turn by turn
        if reading.sheet is not None and campaign.next_turn <= reading.standing <= origin + STANDING_LIMIT:
            yield realm, reading, origin
