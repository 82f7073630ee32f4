"""How a turn is played from its plan and written into its folder, and how a played one is read again."""

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from gm import __version__
from gm.campaign.clock import clock_record, mover, with_clock
from gm.campaign.guards import check_newest_turn
from gm.campaign.open import Campaign
from gm.campaign.party_files import PARTY_FILES, bots_without_report, without_common_pages, without_files_of
from gm.campaign.past import STANDING, changed_in, fields_of_past
from gm.campaign.plan import TurnPlan
from gm.campaign.press import delivered_until, press_files, press_of
from gm.campaign.stored import announced_with, stored_turn
from gm.core.codec import to_plain
from gm.core.diagnostics import joined, says
from gm.core.orders.keys import KEYS_OF, WORDS
from gm.core.pipeline import Outcome, Progress
from gm.core.sealing import Proof, rehearsal_seed
from gm.core.values import Event
from gm.game.base.press import letter_files
from gm.game.map_record import CHANGED
from gm.game.values import TurnResult
from gm.game.votes import decided_by
from gm.store import BrokenFolderError
from gm.store.disk import Content, Files
from gm.store.folder import (
    LEADER_FILE,
    LOG_FILE,
    ROLLS_FILE,
    SETTINGS_FILE,
    STATE_FILE,
    TURN,
    TURN_FILE,
    log_bytes,
    rolls_bytes,
)
from gm.store.formats import JsonObject
from gm.store.inbox import fingerprint


class BrokenTurnError(Exception):
    """A turn broke what must always hold: a bug in the game's code or a disk fault. Nothing was written."""


def play_turn(
    campaign: Campaign, plan: TurnPlan, progress: Progress | None = None, *, rehearsal: bool = False
) -> TurnResult:
    """Play the next turn and return its result; nothing is written.

    A ``rehearsal`` rolls other dice than the turn will, and delivers no letters. Raises ``BrokenTurnError``,
    and ``BrokenFolderError`` for a folder whose files or seal were changed.
    """
    check_newest_turn(campaign)
    turn = campaign.next_turn
    settings = campaign.folder.settings
    proof = _sealed_proof(campaign, plan.hashes)
    seed = rehearsal_seed(settings.seed, settings.id, turn) if rehearsal else proof.seed
    calendar = campaign.calendar.counted_from(turn, campaign.calendar.slot_of(turn, plan.at))
    context: dict[str, Any] = {"proof": None if rehearsal else proof, "deadline": calendar.words(turn + 1)}
    if not rehearsal:
        context["press"] = delivered_until(campaign, turn - 1) + press_of(
            campaign, plan.notes, plan.at or campaign.deadline(turn)
        )
    played = outcome_of(
        campaign, plan.evolve(proof=proof.evolve(seed=seed)), tally=None, progress=progress, **context
    )
    if calendar.clock:  # only the position after the turn says whose clock runs next
        seats = campaign.spec.seats(campaign.table, played.after)
        calendar = with_clock(calendar, turn + 1, seats, _clocks(campaign, plan))
        played = played.evolve(deadline=calendar.words(turn + 1))
    return played


def _clocks(campaign: Campaign, plan: TurnPlan) -> Mapping[str, Any]:
    """Return what the coming turn's record stores of the players' clocks; empty in a game without them.

    The orders of a bot, or repeated ones, have no receipt: they count as sent when the turn's time began.
    """
    calendar = campaign.calendar
    turn = campaign.next_turn
    seats = campaign.spec.seats(campaign.table, campaign.snapshot)
    record = campaign.record(turn - 1)
    code = mover(seats)
    inbox = campaign.folder.inbox(turn)
    current = inbox.current([code]) if calendar.clock and code in plan.readings else {}
    receipt = inbox.receipts_of(current).get(code)
    came = None
    if receipt:
        came = receipt.received
    elif code in plan.readings:
        came = datetime.fromisoformat(record["began"]) if "began" in record else calendar.of_turn(turn)
    return clock_record(calendar, turn, seats, record, came, plan.at)


def outcome_of(
    campaign: Campaign,
    plan: TurnPlan,
    tally: JsonObject | None,
    progress: Progress | None = None,
    **known: Any,
) -> TurnResult:
    """Return the result of a turn that is played from its plan. Raises ``BrokenTurnError``.

    ``tally``: the running sums before it; None: they are read from the disk. ``known``: fields of the result,
    in place of what would be found out for them now.
    """
    spec = campaign.spec
    outcome = _after_votes(
        campaign, plan, spec.play(campaign.table, plan.opened, plan.sheets, plan.proof.seed, progress)
    )
    problems = spec.broken(campaign.table, outcome.state)
    if problems:
        raise BrokenTurnError(joined([says("internal check failed after the turn:"), *problems]))
    # reports are made from the state as its snapshot gives it, so that they can be made again byte for byte
    record = spec.record(outcome.state)
    after = spec.state(record)
    if after != outcome.state:
        raise BrokenTurnError(says("the state does not come back from its snapshot as it was."))
    events = (*plan.changes, *plan.events, *outcome.events)
    tally = spec.tally(campaign.tally(plan.turn - 1) if tally is None else tally, events)
    return _result(campaign, plan, after, events, tally=tally, record=record, **known)


def _after_votes(campaign: Campaign, plan: TurnPlan, outcome: Outcome[Any]) -> Outcome[Any]:
    """Return a turn's outcome after its votes are counted, which is done after all steps of the rules.

    ``outcome``: the steps' outcome; votes do not count if the game is over with that.
    """
    spec = campaign.spec
    table = campaign.table
    state = outcome.state
    votes = plan.votes
    if not votes or spec.ended(table, state) is not None:
        return outcome
    bots = plan.decisions.programs  # they have no vote
    seats = (seat.evolve(played=seat.played and seat.code not in bots) for seat in spec.seats(table, state))
    land = {code: figures[spec.land] for code, figures in spec.figures(table, state).items()}
    voted = decided_by(votes, seats, land, spec.vote_rule(table, state))
    if not voted:
        return outcome
    conclusion = spec.concluded(table, state, voted)
    return Outcome(conclusion.state, (*outcome.events, *conclusion.events))


def _result(
    campaign: Campaign, plan: TurnPlan, after: Any, events: tuple[Event, ...], **known: Any
) -> TurnResult:
    """Return the result of a turn: all that its reports are made from.

    ``after``: the state after it. ``known``: fields of the result; without them the keys, the deadline and
    the seal of the next turn are as the game has them now.
    """
    turn = plan.turn
    settings = campaign.folder.settings
    decisions = plan.decisions
    context: dict[str, Any] = {
        "deadline": campaign.due_words(turn + 1),
        "next_seal": campaign.seal(turn + 1),
        "keys": campaign.keys_of(turn + 1),
        "languages": decisions.languages,
        "programs": decisions.programs,
        "press_rule": settings.press,
        "seated": {player.realm: player.seated for player in campaign.folder.players.players},
        "leader": leader_of(campaign, turn),
        "readings": plan.readings,
        "votes": plan.votes,
        "set_aside": plan.set_aside,
        "proof": plan.proof,
    }
    return campaign.spec.result(
        campaign.table,
        game=settings.id,
        before=plan.before,
        after=after,
        events=events,
        **{**context, **known},
    )


def _sealed_proof(campaign: Campaign, order_files: Mapping[str, str]) -> Proof:
    """Return the proof of the next turn's dice; ``order_files``: the fingerprints of the orders, by realm.

    Raises ``BrokenFolderError`` if its seal is not the published one, if the records of the undos of this
    turn contradict each other, or if orders have changed since an undo that was to keep them.
    """
    proof = campaign.proof(campaign.next_turn, order_files)
    withdrawn = campaign.withdrawn
    published = campaign.record(campaign.newest_turn).get("next_seal")
    if withdrawn is not None:
        proof = proof.evolve(renewed=withdrawn.renewed)
        published = withdrawn.last.sealed
        for problem in proof.renewal_problems():
            hint = says("'pbem undo --reopen' opens it to new orders, with a reason that everybody reads.")
            undone = says("Turn {0} was undone when its results were known", campaign.next_turn)
            raise BrokenFolderError(says("{0}, and {1}. {2}", undone, problem, hint))
    if published and published != proof.seal:
        raise BrokenFolderError(
            says(
                "{0}: the seed or the id of the game is not what it was when the seal of turn {1} "
                "was published with the last results. Restore the old one: with different dice "
                "nobody could trust the turn.",
                campaign.folder.path / SETTINGS_FILE,
                campaign.next_turn,
            )
        )
    return proof


def turn_files(campaign: Campaign, plan: TurnPlan, played: TurnResult, **wanted: bool) -> Files:
    """Return every file of a turn's folder, by name.

    They are its record, state and log, the orders (accepted and rejected), letters, the leading article and
    the reports. ``played``: the turn's result; ``wanted``: the options of :func:`report_files`.
    """
    turn = campaign.next_turn
    if wanted.get("html", True):
        # first: the copied result would make the lines of the log once more
        played = played.evolve(**fields_of_past(campaign, turn - 1))
    files = Files(record_files(campaign, turn, played))
    files |= {f"orders/{realm}.yaml": data for realm, data in plan.files.items()}
    files |= {f"orders/{name}": data for name, data in plan.rejected_files.items()}
    files |= press_files(played.press, turn)
    reports = report_files(campaign, played, **wanted)
    record = {
        "turn": turn,
        "deadline": campaign.deadline(turn).isoformat(),
        "slot": campaign.calendar.slot_of(turn, plan.at),
        **_clocks(campaign, plan),
        "orders": sorted(plan.files),
        "late": list(plan.decisions.late),
        "missing": [seat.code for seat in plan.missing],
        "decisions": to_plain(plan.decisions),
        "set_aside": {realm: list(names) for realm, names in sorted(plan.unreadable.items())},
        "strays": list(map(str, plan.strays)),
        "votes": plan.votes,
        "proof": to_plain(played.proof),
        "next_seal": played.next_seal,
        "next_deadline": played.deadline,
        KEYS_OF: WORDS,
        "tally": played.tally,
        STANDING: campaign.spec.figures(campaign.table, played.after),
        CHANGED: changed_in(campaign, played.after, played.public),
        "files": {name: fingerprint(*files.pieces(name)) for name in sorted(files)},
        "results": [name for name in sorted(reports) if re.fullmatch(r"results/.*\.(yaml|jsonl)", name)],
        "made_by": {"program": __version__, **campaign.spec.fingerprints(campaign.table)},
    }
    leader = campaign.folder.leader()
    leader_files = {LEADER_FILE: leader.encode()} if leader else {}
    return files | {TURN_FILE: TURN.encode(record)} | reports | leader_files


def leader_of(campaign: Campaign, turn: int, *, anew: bool = False) -> str:
    """Return the GM's leading article for a turn's Herald; empty if it is still that of the turn before.

    It is the one in the folder of a played turn or, with ``anew`` and for the next turn, in the game folder.
    """
    folder = campaign.folder
    is_stored = turn <= campaign.newest_turn and not anew
    text = folder.leader(turn if is_stored else None)
    return "" if turn and text == folder.leader(turn - 1) else text


def record_files(campaign: Campaign, turn: int, played: TurnResult) -> dict[str, Content]:
    """Return the files with the state and the log of a turn, by name."""
    record = played.record or campaign.spec.record(played.after)
    return {
        STATE_FILE: campaign.spec.snapshot.encode(record),
        LOG_FILE: log_bytes(played.game, turn, played.lines),
    }


def report_files(
    campaign: Campaign,
    played: TurnResult,
    *,
    html: bool = True,
    everybody: bool = False,
    parties_only: bool = False,
) -> Files:
    """Return the reports of a turn, the letters that its parties read, and its public rolls, by file name.

    ``html``: with pages; ``everybody``: also the reports of parties that bots play; ``parties_only``: of the
    pages only those that are one party's. Earlier turns are read only if pages are made.
    """
    turn = played.after.turn
    if html and not played.past:
        played = played.evolve(**fields_of_past(campaign, turn - 1))
    bots = () if everybody else bots_without_report(campaign, turn)
    rolls = {ROLLS_FILE: rolls_bytes(played.game, turn, played.events)} if turn else {}
    first_turns = {seat.code: played.seated.get(seat.code, 1) for seat in campaign.seats}
    letters = without_files_of(bots, letter_files(played.press, played.game, turn, first_turns))
    reports = without_files_of(bots, campaign.spec.reports(campaign.table, played, html=html))
    if parties_only:
        reports = without_common_pages(reports, campaign)
    return reports | rolls | letters


def write_turn(campaign: Campaign, plan: TurnPlan, played: TurnResult, **wanted: bool) -> Path:
    """Write the turn, all or nothing, and return its folder. The caller holds the lock.

    ``wanted``: the options of :func:`report_files`. Raises ``BrokenTurnError`` if the state or the log does
    not read back as it was written: then the turn does not count.
    """
    files = turn_files(campaign, plan, played, **wanted)

    def check(folder: Path) -> None:
        """Raise ``BrokenTurnError`` unless the state and the log in a folder are what was written."""
        for name in (STATE_FILE, LOG_FILE):
            with (folder / name).open("rb") as file:
                is_as_written = all(file.read(len(piece)) == piece for piece in files.pieces(name))
                has_more = is_as_written and bool(file.read(1))
                if not is_as_written or has_more:
                    raise BrokenTurnError(
                        says("{0} does not read back as it was written: the disk may be failing.", name)
                    )

    return campaign.folder.write_turn(campaign.next_turn, files, check)


def played_turn(campaign: Campaign, turn: int) -> TurnResult:
    """Return the result of a played turn, made again from its folder; turn 0 is the start.

    Raises ``StoreError`` if the folder is missing or damaged.
    """
    after = campaign.state_after(turn)
    announced = announced_with(campaign, turn)
    announced.setdefault("next_seal", campaign.seal(turn + 1))  # the record may lack it
    if turn == 0:
        start = TurnPlan(turn=0, before=after, opened=after, decisions=campaign.decisions)
        return _result(campaign, start, after, (), proof=None, **announced)
    stored = stored_turn(campaign, turn)
    context = {"tally": campaign.tally(turn), **announced}
    context["press"] = delivered_until(campaign, turn)
    return _result(campaign, stored, after, campaign.logged(turn), **context)


def party_reports(campaign: Campaign, turn: int, party: str) -> dict[str, bytes]:
    """Return a party's report files of a played turn by name, made again, also if a bot plays the party."""
    reports = report_files(campaign, played_turn(campaign, turn), everybody=True)
    names = [pattern.format(party) for pattern in PARTY_FILES]
    return {name: reports[name] for name in names if name in reports}
