"""What goes into a turn: orders of the inbox, repeated orders, the GM's decisions (O1, O7).

A turn that was undone when its results were known gets a new seal and is played again with its old orders,
unless it is reopened (W12).
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

# where a realm's file is stored that counted in the inbox and cannot be read: somebody changed it by hand
CHANGED_FILE = "rejected/{}-0.yaml"
_STANDS = re.compile(rb"(?m)^standing[ \t]*:")
_TURN = re.compile(rb"(?m)^(turn[ \t]*:)[^\r\n]*")
_NO_DICE = Proof(turn=0, seal="", secret="", order_files={}, seed="")  # of a turn that is not played yet


class TurnPlan(Record, kw_only=True):
    """The whole input of a turn. Mappings are by realm, but for ``rejected_files`` and ``record``."""

    turn: int
    before: Any  # the state that the turn before left
    opened: Any  # that state after the GM's decisions
    changes: tuple[Event, ...] = ()  # the events of what the decisions changed in the state
    readings: Mapping[str, OrderFile] = {}  # the order files that count
    missing: tuple[Seat, ...] = ()  # the seats without one that should have one
    set_aside: Mapping[str, tuple[Diagnostic, ...]] = {}  # the findings about files that cannot be read
    unreadable: Mapping[str, tuple[str, ...]] = {}  # the names of these files in the turn's folder
    strays: tuple[str, ...] = ()  # files of no realm: their names, and the realms that they name
    rejected_files: Mapping[str, bytes] = {}  # contents, by name, of all files that were not accepted
    decisions: Decisions = field(default_factory=Decisions)
    events: tuple[Event, ...] = ()  # for the log, about the decisions and the files
    at: datetime | None = None  # when it is played; the next deadline counts from it; None: at its deadline
    proof: Proof = _NO_DICE  # of its dice, once it is played
    record: Mapping[str, Any] = {}  # its ``turn.json``, once it is played

    @property
    def files(self) -> dict[str, bytes]:
        """The contents, by realm, of the order files that count."""
        return {realm: reading.data for realm, reading in self.readings.items()}

    @property
    def hashes(self) -> dict[str, str]:
        """The fingerprints, by realm, of the order files that count; the turn's dice depend on them (W12)."""
        return {realm: fingerprint(reading.data) for realm, reading in self.readings.items()}

    @property
    def sheets(self) -> dict[str, Any]:
        """The parsed orders, by realm, of the files that count."""
        return {realm: reading.sheet for realm, reading in self.readings.items() if reading.sheet is not None}

    @property
    def notes(self) -> dict[str, tuple[Note, ...]]:
        """The letters to other players, by realm, in files that are not repeated from earlier turns."""
        repeated = self.decisions.repeated
        return {realm: reading.press for realm, reading in self.readings.items() if realm not in repeated}

    @property
    def votes(self) -> dict[str, str]:
        """The votes that hold after this turn, by party."""
        new_votes = {code: file.vote for code, file in self.readings.items() if file.sheet is not None}
        return votes_with(self.decisions.votes, new_votes)

    @property
    def held(self) -> tuple[str, ...]:
        """The realms whose files ask not to be played early, or have errors to be corrected."""
        return tuple(realm for realm, reading in self.readings.items() if not reading.ready or reading.errors)


class SortedFiles:
    """The order files of a turn, by realm: those that count, and those that cannot be read."""

    def __init__(self) -> None:
        self.readings: dict[str, OrderFile] = {}  # the files that count
        self.set_aside: dict[str, tuple[Diagnostic, ...]] = {}  # the findings about unreadable ones
        self.unreadable: dict[str, tuple[str, ...]] = {}  # the names of these in the turn's folder

    def add_unreadable(self, realm: str, name: str, file: OrderFile) -> None:
        """Add a realm's file to the unreadable ones; ``name``: in the turn's folder."""
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
    """Return the plan of a turn to be played, or replayed.

    ``before``: the state that the turn before left; ``opened``: (that state after the GM's ``decisions``,
    the events of what they changed); ``files``: the order files of the turn; ``strays``: the names of files
    of no realm. Raises ``ValueError`` if the decisions reject something that is not in the orders.
    """
    readings, rejection_events = with_decisions(campaign, files.readings, decisions)
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
        events=plan_events(strays, rejection_events, decisions),
    )


def turn_plan(campaign: Campaign, rejections: Iterable[tuple[str, str]] = ()) -> TurnPlan:
    """Return the plan of the next turn with the orders in the inbox, before bots are asked.

    ``rejections``: (realm, what the GM removes from its orders). Raises ``ValueError`` if that is not there.
    """
    seats = [seat for seat in campaign.seats if seat.played and not seat.out]
    files = SortedFiles()
    rejected_files: dict[str, bytes] = {}
    late: list[str] = []
    kept = kept_orders(campaign)
    for realm, reading, is_late in _received_files(campaign, seats, kept):
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
    """Return the plan with the orders of its bots; ``find`` returns a bot by its name.

    Raises ``StoreError`` for a damaged log of an earlier turn; an error of a bot is part of the decisions.
    """
    acting_deputies = deputies(campaign, (seat.code for seat in plan.missing))
    asked_bots = bots_to_ask(campaign) | acting_deputies
    if campaign.kept or not asked_bots:  # the kept orders of an undone turn include those of bots
        return plan
    answers = answers_of(campaign, asked_bots, plan.decisions, find)
    troubles = {realm: answer.trouble for realm, answer in answers.items() if answer.trouble}
    decisions = plan.decisions.evolve(
        bots={realm: bot_label(name) for realm, name in asked_bots.items()},
        bot_troubles=troubles,
        deputies=tuple(sorted(acting_deputies.keys() - troubles.keys())),
    )
    readings = {realm: answer.reading for realm, answer in answers.items() if answer.reading is not None}
    # the GM's rejections are about the players' orders, and took effect in the plan before
    bot_readings, _ = with_decisions(campaign, readings, decisions.evolve(rejections=()))
    files = {f"rejected/{realm}-bot.yaml": answers[realm].data for realm in troubles if answers[realm].data}
    return plan.evolve(
        decisions=decisions,
        readings=dict(sorted({**plan.readings, **bot_readings}.items())),
        rejected_files={**plan.rejected_files, **files},
        events=(*plan.events, *plan_events(strays=(), rejected=(), decisions=decisions)),
    )


def _with_earlier_orders(
    campaign: Campaign, stored: KeptOrders | None, seats: Sequence[Seat], files: SortedFiles
) -> Decisions:
    """Add orders repeated from earlier turns to ``files``; return the decisions with the turn of each.

    Nothing is added if ``stored``, the orders of an undone turn, are played again: its decisions stay.
    """
    if stored is None:
        return campaign.decisions.evolve(repeated=_add_earlier_orders(campaign, seats, files.readings))
    _, decisions = stored  # the stored orders include those of bots and those that were repeated
    return campaign.decisions.evolve(
        repeated=dict(decisions.repeated),
        bots=decisions.bots,
        bot_troubles=decisions.bot_troubles,
        deputies=decisions.deputies,
    )


def _put_aside_rejected(
    campaign: Campaign, rejected: Iterable[tuple[Receipt, bytes]], files: SortedFiles
) -> None:
    """Add those of the ``rejected`` files to ``files`` that are a realm's and cannot be read.

    Their sender was proven when they came, so that no key is asked for. Files that were not accepted because
    they came late can be read, and are not added.
    """
    names: set[str] = set()  # under which findings know the files so far
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
    """Add orders of earlier turns to ``readings`` for parties without any; return their turns, by realm."""
    origins: dict[str, int] = {}
    without_orders = [seat for seat in seats if seat.code not in readings]
    for realm, reading, origin in repeated_orders(campaign, [seat.code for seat in without_orders]):
        readings[realm] = reading
        origins[realm] = origin
    to_move = [seat.code for seat in without_orders if seat.code not in readings and not seat.waiting]
    for realm, reading, origin in foreseen_orders(campaign, to_move):
        readings[realm] = reading
        origins[realm] = origin
    return origins


def _amended(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield (realm, part) for each part of a realm's orders that an amendment of the GM rejects."""
    for amendment in campaign.decisions.amendments:
        what, *realms = amendment.words
        if what in campaign.spec.rejectable and realms:
            yield realms[0], what


def _received_files(
    campaign: Campaign, seats: Sequence[Seat], stored: KeptOrders | None
) -> Iterator[tuple[str, OrderFile, bool]]:
    """Yield (realm, its order file, whether that was late) for each file in ``stored``, or else in the inbox.

    A file in the inbox must have its key, unless its sender was known.
    """
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


def plan_events(strays: Sequence[str], rejected: Iterable[Event], decisions: Decisions) -> tuple[Event, ...]:
    """Return the events of stray files, of rejections, of stewards that acted, and of bots without orders."""
    stray = [StrayFilesSetAside(audience=GM, files=tuple(map(str, strays)))] if strays else []
    bots = decisions.bots
    troubles = decisions.bot_troubles
    failed = (
        BotFailed(audience=GM, realm=code, bot=bots.get(code, ""), why=why) for code, why in troubles.items()
    )
    acted = (StewardActed(audience=realm, realm=realm) for realm in decisions.deputies)
    return (*stray, *rejected, *acted, *failed)


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
    """Return (the order files after the GM's rejections, by realm, the events of the rejections).

    Contact addresses are put into the orders, too. Raises ``ValueError`` if what the GM rejects is not there.
    """
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
        sheets[realm], rejection_events = spec.without(sheets[realm], what)
        events += rejection_events
    new_readings = {realm: reading.evolve(sheet=sheets.get(realm)) for realm, reading in readings.items()}
    return new_readings, tuple(events)


def repeated_orders(campaign: Campaign, realms: Iterable[str]) -> Iterator[tuple[str, OrderFile, int]]:
    """Yield these realms' orders of the newest turn that are repeated in the next one.

    Each is (realm, its file with the next turn in its head, the turn for which it was sent). Orders of a
    former player are not repeated for a replacement player.
    """
    newest = campaign.newest_turn
    origins = campaign.record(newest).get("decisions", {}).get("repeated", {})
    for realm, data in campaign.folder.orders(newest, realms).items():
        player = campaign.folder.players.of(realm)
        origin = int(origins.get(realm, newest))
        has_other_player = player is None or origin < player.seated
        if has_other_player or not _STANDS.search(data):  # a quick look, before the file is parsed
            continue
        new_data = _TURN.sub(rb"\1 %d" % campaign.next_turn, data, count=1)
        # no key is asked for: the file has the key of the turn for which it was sent
        reading = campaign.orders.read(new_data, f"standing/{realm}.yaml", realm)
        # the limit counts from the turn for which the file was sent, not from each repetition
        if reading.sheet is not None and campaign.next_turn <= reading.standing <= origin + STANDING_LIMIT:
            yield realm, reading, origin
