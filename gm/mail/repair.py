"""The journals of the post after a damage: which lines can stand, and what the messages tell of a lost outbox."""

from __future__ import annotations

import email.policy
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from email import message_from_bytes
from typing import Any

from gm.mail.letter import without_secrets
from gm.mail.outbox import FOLDER, State
from gm.store.folder import STATE_FILE, GameFolder
from gm.store.journal import START, line_of, text_of
from gm.store.repair import Usable

UNKNOWN = "its line was lost: whether it arrived is not known"


def usable(name: str) -> Usable:
    """Which lines of a journal of the post can stand behind those before them."""
    return _outbox_lines() if name == "outbox.jsonl" else _letters_line


def _outbox_lines() -> Usable:
    known: set[str] = set()

    def usable(entry: dict[str, Any]) -> bool:
        if entry.get("state") not in set(State) or not _is_moment(entry.get("at")):
            return False
        words = ("message", "once", "kind", "to", "subject", "realm", "expires")
        if "once" in entry and all(isinstance(entry.get(word), str) for word in words):
            known.add(entry["message"])
        return entry.get("message") in known

    return usable


def _letters_line(entry: dict[str, Any]) -> bool:
    if not _is_moment(entry.get("at")):
        return False
    whole = all(isinstance(entry.get(word), str) for word in ("letter", "bytes", "fate"))
    return whole if "letter" in entry else isinstance(entry.get("what"), str)


def _is_moment(text: object) -> bool:
    with suppress(ValueError, TypeError):
        return bool(datetime.fromisoformat(str(text)))
    return False


def restored_outbox(folder: GameFolder) -> tuple[bytes, tuple[str, ...]]:
    """An outbox journal made of the messages that are still kept, and what is said of it.

    Nothing goes out again by itself. The newest turn's results count as not delivered, so that the GM sees them and
    'gm mail again' sends them; all else counts as sent.
    """
    pieces, before = [], START
    for entry in _entries(folder):
        piece, before = line_of(before, text_of(entry))
        pieces.append(piece)
    said = f"{len(pieces)} messages were found again by their files; {UNKNOWN}: 'gm mail again' sends results again"
    return b"".join(pieces), (said,) if pieces else ()


def _entries(folder: GameFolder) -> Iterator[dict[str, Any]]:
    known = dict(_results(folder))
    for path in sorted((folder.path / "mail" / FOLDER).glob("*.eml")):
        message = message_from_bytes(path.read_bytes(), policy=email.policy.default)
        at = datetime.fromtimestamp(path.stat().st_mtime, UTC).replace(microsecond=0).isoformat()
        once, realm, turn = known.get(path.stem, (f"restored {path.stem}", "", 0))
        yield {
            "message": path.stem,
            "state": State.QUEUED.value,
            "at": at,
            "once": once,
            "kind": "results" if realm else "restored",
            "to": str(message["To"] or ""),
            "subject": without_secrets(str(message["Subject"] or "")),
            "realm": realm,
            "turn": turn,
            "expires": "",
        }
        state = State.FAILED if realm else State.SENT
        yield {"message": path.stem, "state": state.value, "at": at, "words": UNKNOWN}


def _results(folder: GameFolder) -> Iterator[tuple[str, tuple[str, str, int]]]:
    """(number, (what it is for, realm, turn)) of each letter with the newest turn's results that there may be."""
    from gm.campaign.open import Campaign
    from gm.games import game_spec
    from gm.mail.post import Post

    post = Post(Campaign(folder, game_spec(folder.settings.game)))
    turn = folder.newest_turn()
    if not (folder.turn_path(turn) / STATE_FILE).is_file():
        return
    for player in folder.players.players:
        once = f"results {turn} {player.realm} {post.state_mark(turn)} {post.seat_mark(player.realm)}"
        yield post.outbox.new_id(once), (once, player.realm, turn + 1)
