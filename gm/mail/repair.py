"""Repair of damaged journals: the GM's own and those of the mail.

A lost journal of the outbox is made again from the messages that are stored there.
"""

import email.policy
import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from email import message_from_bytes
from pathlib import Path
from typing import Any

from gm.campaign.recovery import REPAIR
from gm.campaign.verify import MAIL_JOURNALS, History
from gm.mail.game_mail import MAIL, seat_fingerprint, state_fingerprint
from gm.mail.letter import without_secrets
from gm.mail.outbox import FOLDER, JOURNAL, Outbox, State
from gm.mail.purposes import results_name
from gm.store import BrokenFolderError, journal
from gm.store.change import carry_out, rebased
from gm.store.disk import make_folder, write_file
from gm.store.folder import STATE_FILE, GameFolder
from gm.store.journal import ACTIONS_FILE, START, Journal, Usable

DAMAGED = "damaged"  # the folder of a game in which the damaged journals are kept


def repaired(
    folder: GameFolder, at: datetime, by: str, *, dry_run: bool
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Repair each journal; yield (its name, sentences about what is lost of it) for each.

    The GM's own comes first, because it gets lines about the losses of the others. The caller holds the
    lock. ``at``, ``by``: when it was repaired, and by whom, for those lines. With ``dry_run`` nothing is
    written.
    """
    for name in (ACTIONS_FILE, *(f"{MAIL}/{file}" for file in MAIL_JOURNALS)):
        path = folder.path / name
        history = History(folder.path)
        # lines that fit each other may still be wrong: some are missing, or were changed with care
        checks = history.gm_journal_checks() if name == ACTIONS_FILE else history.mail_journal_checks(path)
        problems = tuple(check.problem for check in checks if check.problem)
        if path.is_file() or name == ACTIONS_FILE:
            data, damage = journal.repaired(path, _usable(path.name))
        elif not problems:  # there never was one
            data = b""
            damage = ()
        else:
            data, damage = _restored_outbox(folder) if path.name == JOURNAL else (b"", ())
            damage = ("the file was missing, and with it every line", *damage)
        lost = damage or problems
        yield name, lost
        if lost and not dry_run:
            _replace(folder, path, data, {"at": at.isoformat(), "did": REPAIR, "by": by}, lost)


def _replace(
    folder: GameFolder, path: Path, data: bytes, head: dict[str, Any], lost: tuple[str, ...]
) -> None:
    """Replace a damaged journal by the repaired one, ``data``, and add a line to the GM's journal.

    The damaged one is kept. A journal of the mail is changed together with the GM's or not at all.
    ``head``: the first fields of the line; ``lost``: the sentences about the losses.
    """
    name = path.relative_to(folder.path).as_posix()
    entry = {**head, "file": name, "lost": list(lost)}
    copies: dict[str, bytes] = {}
    if path.is_file():
        copies = {_copy_name(folder, path): path.read_bytes()}
        entry["damaged"] = _copy_name(folder, path)
    lines = data.splitlines()
    end = str(json.loads(lines[-1])[journal.CHAIN]) if lines else ""
    if name != ACTIONS_FILE:
        ends = {**journal.post_ends(folder.path).get("post", {}), path.name: end}
        carry_out(folder.path, {name: data, **copies}, {**entry, "post": ends})
        return
    # the GM's own cannot be changed by way of itself: files are written one by one, the journal last
    with suppress(BrokenFolderError):  # a damaged folder may not tell its newest turn
        entry = {**head, "turn": folder.newest_turn(), **entry}
    before = journal.last_chain(path)
    line = journal.chained_lines([journal.text_of(entry)], end or START)
    for file, content in (*copies.items(), (name, data + line)):
        make_folder((folder.path / file).parent)
        write_file(folder.path / file, content)
    rebased(folder.path, before, Journal(path).chain)


def _copy_name(folder: GameFolder, path: Path) -> str:
    """Return the name under which a damaged journal is kept, the same in each call for the same content."""
    number = 1
    while True:
        copy_path = folder.path / DAMAGED / f"{path.name}-{number}"
        if not copy_path.exists() or copy_path.read_bytes() == path.read_bytes():
            return f"{DAMAGED}/{path.name}-{number}"
        number += 1


UNKNOWN = "its line was lost: whether it arrived is not known"


def _usable(name: str) -> Usable:
    """Return the function that says of each line of the journal ``name`` whether it fits those before it."""
    message_ids: set[str] = set()  # of the messages that an earlier line has queued

    def is_action(entry: dict[str, Any]) -> bool:
        return isinstance(entry.get("did"), str) and isinstance(entry.get("turn", 0), int)

    def is_message(entry: dict[str, Any]) -> bool:
        """Return whether a line of the outbox's journal queues a message, or is about a queued one.

        A message that it queues is remembered for the later lines.
        """
        if entry.get("state") not in set(State) or not _is_moment(entry.get("at")):
            return False
        fields = ("message", "once", "kind", "to", "subject", "realm", "expires")
        if "once" in entry and _has_texts(entry, *fields):
            message_ids.add(entry["message"])
        return entry.get("message") in message_ids

    def is_letter(entry: dict[str, Any]) -> bool:
        fields = ("letter", "bytes", "fate") if "letter" in entry else ("what",)
        return _is_moment(entry.get("at")) and _has_texts(entry, *fields)

    return {ACTIONS_FILE: is_action, JOURNAL: is_message}.get(name, is_letter)


def _has_texts(entry: dict[str, Any], *fields: str) -> bool:
    """Return whether each of these fields of an entry is a text."""
    return all(isinstance(entry.get(name), str) for name in fields)


def _is_moment(text: object) -> bool:
    with suppress(ValueError, TypeError):
        return bool(datetime.fromisoformat(str(text)))
    return False


def _restored_outbox(folder: GameFolder) -> tuple[bytes, tuple[str, ...]]:
    """Return (an outbox's journal made from the stored messages, a sentence about it).

    There is no sentence without messages. Nothing goes out again by itself: the newest turn's results count
    as failed, so that the GM sees them and 'pbem mail again' sends them; all else counts as sent.
    """
    texts = [journal.text_of(entry) for entry in _restored_entries(folder)]
    remark = (
        f"{len(texts)} messages were found again by their files; {UNKNOWN}: 'pbem mail again' sends results "
        "again"
    )
    return journal.chained_lines(texts), (remark,) if texts else ()


def _restored_entries(folder: GameFolder) -> Iterator[dict[str, Any]]:
    """Yield two entries for each stored message: that it was queued, and that it was sent or has failed."""
    results = _results_by_id(folder)
    for path in sorted((folder.path / MAIL / FOLDER).glob("*.eml")):
        message = message_from_bytes(path.read_bytes(), policy=email.policy.default)
        moment = datetime.fromtimestamp(path.stat().st_mtime, UTC).replace(microsecond=0).isoformat()
        once, realm, turn = results.get(path.stem, (f"restored {path.stem}", "", 0))
        yield {
            "message": path.stem,
            "state": State.QUEUED,
            "at": moment,
            "once": once,
            "kind": "results" if realm else "restored",
            "to": str(message["To"] or ""),
            "subject": without_secrets(str(message["Subject"] or "")),
            "realm": realm,
            "turn": turn,
            "expires": "",
        }
        # results count as failed, so that the GM can send them again
        state = State.FAILED if realm else State.SENT
        yield {"message": path.stem, "state": state, "at": moment, "words": UNKNOWN}


def _results_by_id(folder: GameFolder) -> dict[str, tuple[str, str, int]]:
    """Return (purpose, realm, coming turn) of each letter by which the newest results may have gone out.

    The key is the id that such a letter has in the outbox. Empty without a state of that turn.
    """
    results: dict[str, tuple[str, str, int]] = {}
    outbox = Outbox(folder.path / MAIL, folder.settings.id, folder.settings.seed)
    turn = folder.newest_turn()
    if (folder.turn_path(turn) / STATE_FILE).is_file():
        for player in folder.players.players:
            seat = seat_fingerprint(folder, player.realm, turn + 1)
            once = results_name(turn, player.realm, state_fingerprint(folder, turn), seat)
            results[outbox.new_id(once)] = (once, player.realm, turn + 1)
    return results
