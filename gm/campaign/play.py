"""A turn: the orders that stand, the game's own pipeline, and a folder with everything that came of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gm import __version__
from gm.campaign.open import Campaign
from gm.campaign.plan import TurnPlan
from gm.core.codec import to_plain
from gm.core.events import Event
from gm.core.files import Content, Files
from gm.core.orders.keys import KEYS_OF, WORDS
from gm.core.pipeline import Progress
from gm.core.sealing import Proof, rehearsal_seed
from gm.game.values import TurnResult
from gm.store import BrokenFolderError
from gm.store.folder import LOG_FILE, SETTINGS_FILE, STATE_FILE, TURN, TURN_FILE, log_of_lines, state_bytes
from gm.store.formats import JsonObject
from gm.store.rolls import ROLLS_FILE, rolls_bytes

PARTY_FILES = ("results/{}.html", "results/{}.yaml", "next/{}.yaml", "next/{}.schema.json")
"""The files of a turn that are for one party, by its code."""


class BrokenTurnError(Exception):
    """The turn came out as it never may: a bug in the game's code or a fault of the disk. Nothing was written."""


def play_turn(
    campaign: Campaign, plan: TurnPlan, progress: Progress | None = None, *, rehearsal: bool = False
) -> TurnResult:
    """The next turn, played; nothing is written. Raises ``BrokenTurnError`` when what came out must not be.

    A ``rehearsal`` rolls other dice than the turn will.
    """
    state, changes = campaign.opened
    turn, settings, spec = campaign.next_turn, campaign.folder.settings, campaign.spec
    proof = _sealed_proof(campaign, plan.files)
    seed = rehearsal_seed(settings.seed, settings.id, turn) if rehearsal else proof.seed
    outcome = spec.play(campaign.table, state, plan.sheets, seed, progress)
    after, record = checked_state(campaign, outcome.state)
    events = (*changes, *plan.events, *outcome.events)
    tally = spec.tally(campaign.tally(turn - 1), events)
    known = {"proof": None if rehearsal else proof, "tally": tally, "record": record}
    return turn_result(campaign, turn, plan, campaign.snapshot, after, events, **known)


def turn_result(
    campaign: Campaign, turn: int, plan: TurnPlan, before: Any, after: Any, events: tuple[Event, ...], **known: Any
) -> TurnResult:
    """What reports tell of a turn that was played like this. What only announces the next turn (keys, deadline, seal)
    is as the game has it now, unless it is among what is ``known``."""
    folder = campaign.folder
    now = {
        "keys": campaign.keys_of(turn + 1),
        "deadline": folder.settings.deadline.words(turn + 1),
        "next_seal": campaign.seal(turn + 1),
    }
    return TurnResult(
        game=folder.settings.id,
        before=before,
        after=after,
        events=events,
        readings=plan.readings,
        set_aside=plan.set_aside,
        languages=plan.decisions.languages,
        programs=plan.decisions.programs,
        **{**now, **known},
    )


def checked_state(campaign: Campaign, state: Any) -> tuple[Any, JsonObject]:
    """The state after a turn, as its snapshot gives it, and the snapshot. Raises ``BrokenTurnError`` when it is none
    that may be."""
    problems = campaign.spec.broken(campaign.table, state)
    if problems:
        raise BrokenTurnError("after the turn, this is true and must not be:\n" + "\n".join(problems))
    # reports are made from the state as its snapshot gives it, so that they can be made again byte for byte
    record = campaign.spec.record(state)
    after = campaign.spec.state(record)
    if after != state:
        raise BrokenTurnError("the state does not come back from its snapshot as it was.")
    return after, record


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
    turn, spec = campaign.next_turn, campaign.spec
    played = played.logged()
    files = record_files(campaign, turn, played)
    files |= {f"orders/{realm}.yaml": data for realm, data in plan.files.items()}
    files |= {f"orders/{name}": data for name, data in plan.rejected_files.items()}
    reports = report_files(campaign, played, html=html, everybody=everybody)
    record = {
        "turn": turn,
        "deadline": campaign.deadline(turn).isoformat(),
        "orders": sorted(plan.files),
        "late": list(plan.decisions.late),
        "missing": [seat.code for seat in plan.missing],
        "decisions": to_plain(plan.decisions),
        "set_aside": {realm: list(names) for realm, names in sorted(plan.unreadable.items())},
        "strays": list(plan.strays),
        "proof": played.proof.record() if played.proof else None,
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


def record_files(campaign: Campaign, turn: int, played: TurnResult) -> dict[str, Content]:
    """State and log of a turn whose log's lines are made."""
    record = played.record or campaign.spec.record(played.after)
    return {
        STATE_FILE: state_bytes(campaign.spec.snapshot, record),
        LOG_FILE: log_of_lines(played.game, turn, played.lines),
    }


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
        for name in (STATE_FILE, LOG_FILE):
            with (folder / name).open("rb") as file:
                if not all(file.read(len(piece)) == piece for piece in files.pieces(name)) or file.read(1):
                    raise BrokenTurnError(f"{name} does not read back as it was written: the disk may be failing.")

    return campaign.folder.write_turn(campaign.next_turn, files, check)
