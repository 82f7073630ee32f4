"""A turn: the orders that stand, the game's own pipeline, and a folder with everything that came of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from gm import __version__
from gm.campaign.open import Campaign
from gm.campaign.receive import Offer, read_offer
from gm.campaign.standing_orders import repeated_orders
from gm.campaign.withdraw import KeptOrders, kept_orders
from gm.core.diagnostics import Diagnostic
from gm.core.events import GM, Event, StrayFilesSetAside
from gm.core.files import Content, Files
from gm.core.orders.keys import KEYS_OF, WORDS
from gm.core.pipeline import Progress
from gm.core.records import Record, record
from gm.core.sealing import Proof, rehearsal_seed
from gm.game.spec import Seat
from gm.game.turn_result import ReadOrders, TurnResult
from gm.store import BrokenFolderError
from gm.store.decisions import Decisions
from gm.store.folder import LOG_FILE, SETTINGS_FILE, STATE_FILE, TURN, TURN_FILE, log_of_lines, state_bytes
from gm.store.rolls import ROLLS_FILE, rolls_bytes

PARTY_FILES = ("results/{}.html", "results/{}.yaml", "next/{}.yaml", "next/{}.schema.json")
"""The files of a turn that are for one party, by its code."""


class BrokenTurnError(Exception):
    """The turn came out as it never may: a bug in the game's code or a fault of the disk. Nothing was written."""


@record
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
    set_aside: Mapping[str, tuple[Diagnostic, ...]] = field(default_factory=dict)
    unreadable: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    strays: tuple[str, ...] = ()
    rejected_files: Mapping[str, bytes] = field(default_factory=dict)
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
    for realm, arrival in inbox.standing(seat.code for seat in seats if seat.code in campaign.keys).items():
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
    found = {realm: replace(reading, sheet=sheets.get(realm)) for realm, reading in readings.items()}
    return found, tuple(events)


def play_turn(
    campaign: Campaign, plan: TurnPlan, progress: Progress | None = None, *, rehearsal: bool = False
) -> TurnResult:
    """The next turn, played; nothing is written. Raises ``BrokenTurnError`` when what came out must not be.

    A ``rehearsal`` rolls other dice than the turn will.
    """
    state, changes = campaign.opened
    turn = campaign.next_turn
    settings = campaign.folder.settings
    proof = _sealed_proof(campaign, plan.files)
    seed = rehearsal_seed(settings.seed, settings.id, turn) if rehearsal else proof.seed
    outcome = campaign.spec.play(campaign.table, state, plan.sheets, seed, progress)
    after = checked_state(campaign, outcome.state)
    events = (*changes, *plan.events, *outcome.events)
    return TurnResult(
        game=settings.id,
        before=campaign.snapshot,
        after=after,
        events=events,
        readings=plan.readings,
        keys=campaign.keys_of(turn + 1),
        set_aside=plan.set_aside,
        deadline=settings.deadline.words(turn + 1),
        proof=None if rehearsal else proof,
        next_seal=campaign.seal(turn + 1),
        tally=campaign.spec.tally(campaign.tally(turn - 1), events),
        languages=plan.decisions.languages,
        programs=plan.decisions.programs,
    )


def checked_state(campaign: Campaign, state: Any) -> Any:
    """The state after a turn, as its snapshot gives it. Raises ``BrokenTurnError`` when it is none that may be."""
    problems = campaign.spec.broken(campaign.table, state)
    if problems:
        raise BrokenTurnError("after the turn, this is true and must not be:\n" + "\n".join(problems))
    # reports are made from the state as its snapshot gives it, so that they can be made again byte for byte
    record = campaign.spec.record(state)
    after = campaign.spec.state(record)
    if after != state:
        raise BrokenTurnError("the state does not come back from its snapshot as it was.")
    campaign.remember(after, record)
    return after


def _sealed_proof(campaign: Campaign, files: Mapping[str, bytes]) -> Proof:
    """The dice of the next turn. Raises ``BrokenFolderError`` when they are not those whose seal was published."""
    proof, withdrawn = campaign.proof(campaign.next_turn, files), campaign.withdrawn
    published = campaign.folder.turn_record(campaign.newest_turn).get("next_seal")
    if withdrawn is not None:
        proof, published = proof.evolve(renewed=withdrawn.renewed), withdrawn.last.sealed
        for problem in proof.renewal_problems():
            raise BrokenFolderError(
                f"Turn {campaign.next_turn} was taken back when its results were known, and {problem}. 'gm undo "
                "--reopen' opens it to new orders, with a reason that everybody reads."
            )
    if published and published != proof.seal:
        raise BrokenFolderError(
            f"{campaign.folder.path / SETTINGS_FILE}: the seed or the id of the game is not what it was when the seal "
            f"of turn {campaign.next_turn} was published with the last results. Put the old one back: with other dice "
            "nobody could trust the turn."
        )
    return proof


def turn_files(
    campaign: Campaign, plan: TurnPlan, played: TurnResult, *, html: bool = True, everybody: bool = False
) -> Files:
    """Every file of the turn's folder: state, log, the orders it was played with, and the reports."""
    turn = campaign.next_turn
    spec = campaign.spec
    played = played.logged()
    files: dict[str, Content] = {
        STATE_FILE: state_bytes(spec.snapshot, campaign.record_of(played.after)),
        LOG_FILE: log_of_lines(played.game, turn, played.lines),
    }
    files |= {f"orders/{realm}.yaml": data for realm, data in plan.files.items()}
    files |= {f"orders/{name}": data for name, data in plan.rejected_files.items()}
    reports = report_files(campaign, played, html=html, everybody=everybody)
    record = {
        "turn": turn,
        "deadline": campaign.deadline(turn).isoformat(),
        "orders": sorted(plan.files),
        "late": list(plan.late),
        "missing": [seat.code for seat in plan.missing],
        "decisions": plan.decisions.model_dump(mode="json"),
        "set_aside": {realm: list(names) for realm, names in sorted(plan.unreadable.items())},
        "strays": list(plan.strays),
        "proof": played.proof.model_dump(mode="json") if played.proof else None,
        "next_seal": played.next_seal,
        KEYS_OF: WORDS,
        "tally": played.tally,
        "files": {name: _fingerprint(data) for name, data in sorted(files.items())},
        "results": sorted(
            name for name in reports if name.startswith("results/") and name.endswith((".yaml", ".jsonl"))
        ),
        "made_by": {"program": __version__, **spec.marks(campaign.table)},
    }
    return Files({**files, TURN_FILE: TURN.encode(record)}).and_then(reports)


def _fingerprint(content: Content) -> str:
    found = hashlib.sha256()
    for piece in content if isinstance(content, list) else [content]:
        found.update(piece)
    return found.hexdigest()


def report_files(campaign: Campaign, played: TurnResult, *, html: bool = True, everybody: bool = False) -> Files:
    """What everybody gets of a turn: the game's own reports, and the rolls that are for all.

    Nobody reads the reports of a seat that a bot plays: they are left out unless they are for ``everybody``.
    """
    turn = campaign.spec.turn_of(played.after)
    made = campaign.spec.reports(campaign.table, played, html=html)
    bots = () if everybody else [seat.code for seat in campaign.seats if seat.bot]
    rolls = {ROLLS_FILE: rolls_bytes(played.game, turn, played.events)} if turn else {}
    return read_by_people(made, bots).and_then(rolls)


def read_by_people(files: Mapping[str, bytes], bots: Iterable[str]) -> Files:
    """The reports of a turn without those for the parties that bots play, none of which is made by that."""
    left_out = {name.format(code) for code in bots for name in PARTY_FILES}
    return Files({}).and_then(files).without(left_out)


def write_turn(
    campaign: Campaign, plan: TurnPlan, played: TurnResult, *, html: bool = True, everybody: bool = False
) -> Path:
    """Write the turn, all or nothing, checked before it counts; returns its folder. The lock is held.

    Without ``html`` the pages for people are not written, and only for ``everybody`` the reports of seats that bots
    play: both can be made at any time after.
    """
    files = turn_files(campaign, plan, played, html=html, everybody=everybody)

    def check(folder: Path) -> None:
        for name in ("state.json", "log.jsonl"):
            if not _holds(folder / name, files.pieces(name)):
                raise BrokenTurnError(f"{name} does not read back as it was written: the disk may be failing.")

    return campaign.folder.write_turn(campaign.next_turn, files, check)


def _holds(path: Path, pieces: Iterable[bytes]) -> bool:
    """Whether a file's content is just that."""
    with path.open("rb") as file:
        return all(file.read(len(piece)) == piece for piece in pieces) and not file.read(1)
