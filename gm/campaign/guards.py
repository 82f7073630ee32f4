"""Checks that stop a command before it changes a game.

They fail when a file that protects a game is missing, or is not what the GM's journal says that it was. A
missing file never ends its protection: whoever wants to go on without it must run the command that the
message names.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gm.campaign.open import Campaign
from gm.campaign.pinning import PINS_FILE
from gm.campaign.recovery import IMPORT, NEW, REPAIR, TURN, last_lines
from gm.core.diagnostics import says
from gm.store import BrokenFolderError
from gm.store.folder import STATE_FILE, TURN_FILE, GameFolder
from gm.store.inbox import fingerprint
from gm.store.journal import ACTIONS_FILE, Entry

PINS = "pins"  # the key, in a line of the journal, of the fingerprint of the rules that the game is played by
RESTORE = says("Restore it from a backup")


def pins_fingerprint(data: bytes) -> str:
    """Return the short fingerprint of the pinned rules that a line of the journal records."""
    return fingerprint(data)[:32]


def pins_problem(folder: Path) -> str:
    """Return a sentence why the pinned rules of a game cannot be relied on; empty if they can."""
    lines = last_lines(folder / ACTIONS_FILE)
    recorded = next((str(line[PINS]) for line in lines if PINS in line), "")
    path = folder / PINS_FILE
    if not recorded:
        return ""  # an earlier version recorded no fingerprint
    if not path.is_file():
        return says("{0} is missing: it holds the rules that the game is played by", path)
    if pins_fingerprint(path.read_bytes()) != recorded:
        return says("{0} was changed: it is not the list of rules that the journal records", path)
    return ""


def check_journals(folder: GameFolder) -> None:
    """Raise ``BrokenFolderError`` if the GM's journal is missing, or a mail journal missing or cut short."""
    path = folder.path / ACTIONS_FILE
    if not path.is_file():
        # versions that wrote no journal yet did not record the files of a turn either
        if "files" in folder.turn_record(0):
            raise BrokenFolderError(
                says("{0} is missing. {1}, or begin a new one with 'pbem repair'.", path, RESTORE)
            )
        return
    for name, end in _mail_journal_ends(path).items():
        journal_path = folder.path / "mail" / name
        if not journal_path.is_file():
            lost = says("{0} is missing, and with it what was sent and read already", journal_path)
            raise BrokenFolderError(says("{0}. {1}, or run 'pbem repair'.", lost, RESTORE))
        # anywhere in it: lines may have followed since the GM's journal noted the last one
        if end.encode() not in journal_path.read_bytes():
            lost = says(
                "{0}: lines are missing that were there before, and with them what was sent or read already",
                journal_path,
            )
            raise BrokenFolderError(says("{0}. {1}, or run 'pbem repair'.", lost, RESTORE))


def _mail_journal_ends(path: Path) -> Mapping[str, str]:
    """Return the last chain value of each mail journal, by file name, as the GM's journal recorded it last.

    Empty after a repair, which changes them, and after the import of an archive without keys, which has no
    mail. ``path``: the GM's journal.
    """
    for entry in last_lines(path):
        if "post" in entry:
            return dict(entry["post"])
        if entry.get("did") == REPAIR or (entry.get("did") == IMPORT and not entry.get("keys")):
            return {}
    return {}


def check_newest_turn(campaign: Campaign) -> None:
    """Raise ``BrokenFolderError`` if files of the newest turn were changed since it was played."""
    problem = next(_changes_of(campaign), "")
    if not problem:
        return
    turn = campaign.newest_turn
    again = (
        says("{0}, or play turn {1} again after 'pbem undo'.", RESTORE, turn)
        if turn
        else says("{0}.", RESTORE)
    )
    hint = says("To correct the position, use 'pbem amend': every player reads what was corrected, and why.")
    raise BrokenFolderError(says("{0}: turn {1} did not leave it so. {2} {3}", problem, turn, again, hint))


def _changes_of(campaign: Campaign) -> Iterator[str]:
    """Yield the beginning of a sentence about each file of the newest turn that was changed.

    Order files that are missing are told as well.
    """
    folder = campaign.folder
    turn = campaign.newest_turn
    turn_path = folder.turn_path(turn)
    entries = list(last_lines(folder.path / ACTIONS_FILE))
    if any(_is_bare_import(entry, turn) for entry in entries):
        return  # the export has replaced addresses in its files
    recorded_record = _record_of(entries, turn)
    if recorded_record and fingerprint((turn_path / TURN_FILE).read_bytes()) != recorded_record:
        yield says("{0} was changed by hand", turn_path / TURN_FILE)
    listed: Mapping[str, Any] = folder.turn_record(turn).get("files") or {}
    # the caller tells the first problem alone, and the state is what matters most
    state_first = sorted(listed.items(), key=lambda item: item[0] != STATE_FILE)
    for name, recorded in state_first:
        path = turn_path / name
        if path.is_file() and fingerprint(path.read_bytes()) != recorded:
            yield says("{0} was changed by hand", path)
        elif name.startswith("orders/") and not path.is_file():
            yield says("{0} is missing", path)


def _is_bare_import(entry: Entry, turn: int) -> bool:
    """Return whether a line of the journal records the import of a turn in an archive without keys.

    An archive has all turns up to the one that the line names, which may be a later one.
    """
    return entry.get("did") == IMPORT and entry.get("keys") is False and entry.get("turn", -1) >= turn


def _record_of(entries: list[Entry], turn: int) -> str:
    """Return the fingerprint of a turn's record from the journal's newest line about it; empty for none.

    ``entries``: the journal's, newest first.
    """
    about_turn = (entry for entry in entries if entry.get("did") in (NEW, TURN) and entry.get("turn") == turn)
    newest = next(about_turn, {})
    return str(newest.get("record", ""))
