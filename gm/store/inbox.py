"""The input of a turn besides the position: order files as they came, the GM's decisions, proofs of the mail.

``ENG.yaml`` counts for England, ``receipts.json`` says when each file came, and files that were not accepted
are under ``rejected/`` with the reasons. File names are made from the game's own codes and numbers only. All
is stored with the turn, for its replay.
"""

import hashlib
import itertools
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from gm.core.codec import from_plain, to_plain
from gm.core.diagnostics import says
from gm.core.sealing import Renewal
from gm.core.values import Value
from gm.store import BrokenFolderError
from gm.store.disk import clear, flush_folder, make_folder, write_file
from gm.store.formats import Format, JsonObject

V = TypeVar("V", bound=Value)
Changes = dict[Path, bytes | None]  # new contents of files by path; None: the file is removed

RECEIPTS = Format("list of receipts", 1)
AMENDMENTS = Format("list of amendments", 1)
WITHDRAWN = Format("record of a turn that was undone", 1)
_RECEIPTS_FILE = "receipts.json"
_AMENDMENTS_FILE = "amendments.json"
_WITHDRAWN_FILE = "withdrawn.json"


class Withdrawn(Value):
    """A turn that was undone after its results were known, and is to be played again with new dice."""

    kept: str  # the name of the turn's folder under ``undone``
    renewed: tuple[Renewal, ...]  # one for each time that this happened to the turn, oldest first

    @property
    def last(self) -> Renewal:
        return self.renewed[-1]


class Amendment(Value):
    """One correction of the position by the GM. It is public."""

    words: tuple[str, ...]  # in the game's own language: ``gold``, ``ENG``, ``+12``
    why: str
    at: datetime


class Decisions(Value):
    """All decisions for one turn. Mappings are by realm."""

    # (status, controller); None: as the game has it
    standings: Mapping[str, tuple[str | None, str | None]] = {}
    amendments: tuple[Amendment, ...] = ()
    contacts: Mapping[str, str] = {}  # the address that an ambassador leaves
    late: tuple[str, ...] = ()  # realms whose orders came after the deadline
    rejections: tuple[tuple[str, str], ...] = ()  # (realm, what was removed from its orders)
    repeated: Mapping[str, int] = {}  # orders of an earlier turn are repeated: the number of that turn
    bots: Mapping[str, str] = {}  # the bot that was asked for orders
    bot_troubles: Mapping[str, str] = {}  # why a bot's orders were not taken
    languages: Mapping[str, str] = {}  # of the realm's results; a realm without one reads English
    programs: tuple[str, ...] = ()  # realms that a bot of the GM's choice plays
    day: str = ""  # of the turn's deadline, ``2026-05-01``, for games whose end has a date
    votes: Mapping[str, str] = {}  # those that hold from earlier turns (:mod:`gm.game.votes`)
    press: tuple[str, ...] = ()  # the kinds of letters between players that are allowed
    deputies: tuple[str, ...] = ()  # realms whose bot acted for a player who was away


def decisions_of(record: JsonObject) -> Decisions:
    """Return the GM's decisions from the record of a turn."""
    # records of early versions have only these two, outside an entry of their own
    early_decisions = {"late": record.get("late", ()), "rejections": record.get("rejected", ())}
    return from_plain(record.get("decisions", early_decisions), Decisions)


def fingerprint(*pieces: bytes) -> str:
    """Return the fingerprint of a file's content, given in one piece or several."""
    return fingerprint_of(pieces)


def fingerprint_of(pieces: Iterable[bytes]) -> str:
    """Return the fingerprint of a file's content in pieces; only one of them need be in memory at a time."""
    content_hash = hashlib.sha256()
    for piece in pieces:
        content_hash.update(piece)
    return content_hash.hexdigest()


class Receipt(Value):
    """The record of a file that arrived."""

    realm: str  # empty when the file did not name one, or did not prove it
    came_as: str  # the name with which it came, only to be shown
    fingerprint: str  # of its content
    received: datetime
    late: bool = False  # whether it came after the deadline
    taken: bool = True  # whether it was accepted
    stored: str  # the path of its content in the inbox's folder
    errors: int = 0  # the number of errors in its orders
    warnings: int = 0
    vouched: bool = False  # whether its sender was known by other means than a key in it
    claimed: str = ""  # the realm that it names without proof

    @property
    def called(self) -> str:
        """What the file is called in messages: its path, and the realm that it names without proof."""
        return says("{0} (says it is {1})", self.stored, self.claimed) if self.claimed else self.stored


class Inbox:
    """The inbox of one turn.

    With ``pending``, nothing is written: changes are collected there, and only this inbox shows them until
    somebody carries them out. Its methods raise ``BrokenFolderError`` and ``NewerFormatError``.
    """

    def __init__(self, folder: Path, pending: Changes | None = None) -> None:
        self.folder = folder
        self._pending = pending

    def receipts(self) -> tuple[Receipt, ...]:
        """Return the receipts of all files so far, in the order of their arrival."""
        return self._values(
            _RECEIPTS_FILE, RECEIPTS, "receipts", Receipt, says("Remove it; the orders stay.")
        )

    def current(self, realms: Iterable[str]) -> dict[str, bytes]:
        """Return the contents of the files that count for these realms, by code.

        A realm without one has no entry; a symbolic link does not count.
        """
        names = {realm: f"{realm}.yaml" for realm in sorted(realms)}
        files = {
            realm: self._content(name)
            for realm, name in names.items()
            if not (self.folder / name).is_symlink()
        }
        return {realm: data for realm, data in files.items() if data is not None}

    def receipts_of(self, files: Mapping[str, bytes]) -> dict[str, Receipt]:
        """Return the newest receipt of each of these files that count, by realm.

        ``files``: their contents by realm. A file without a receipt was put there by hand: it proves its
        sender only by its key.
        """
        # of several receipts of a realm the newest one stays in the mapping
        return {
            receipt.realm: receipt
            for receipt in self.receipts()
            if receipt.taken
            and receipt.realm in files
            and receipt.fingerprint == fingerprint(files[receipt.realm])
        }

    def rejected(self) -> tuple[tuple[Receipt, bytes], ...]:
        """Return (receipt, content) of each file that was not accepted for any reason, in order of arrival.

        Files that the GM has removed since are left out.
        """
        files = ((receipt, self._content(receipt.stored)) for receipt in self.receipts() if not receipt.taken)
        return tuple((receipt, data) for receipt, data in files if data is not None)

    def amendments(self) -> tuple[Amendment, ...]:
        """Return the GM's corrections of the position before the turn, the first one first."""
        return self._values(_AMENDMENTS_FILE, AMENDMENTS, "amendments", Amendment)

    def amend(self, amendments: Iterable[Amendment]) -> None:
        """Store these amendments in place of the earlier ones."""
        self._put(_AMENDMENTS_FILE, AMENDMENTS.encode({"amendments": to_plain(tuple(amendments))}))

    def withdrawn(self) -> Withdrawn | None:
        """Return the record of this turn if it was undone after its results were known; else None."""
        return next(iter(self._values(_WITHDRAWN_FILE, WITHDRAWN, "", Withdrawn)), None)

    def withdraw_turn(self, withdrawn: Withdrawn | None) -> None:
        """Store the record of an undone turn; None removes it."""
        self._put(_WITHDRAWN_FILE, None if withdrawn is None else WITHDRAWN.encode(to_plain(withdrawn)))

    def _values(
        self,
        name: str,
        form: Format,
        entry: str,
        model: type[V],
        advice: str = says("Restore it from a backup."),
    ) -> tuple[V, ...]:
        """Return the values in a file: the list under its ``entry``, or the whole file as one value.

        ``entry`` is empty for the whole file; ``advice``: what to do about a damaged file, for the error. No
        values if the file is missing.
        """
        data = self._content(name)
        path = self.folder / name
        if data is None:
            return ()
        record = form.decode(data, path)
        try:
            records = record.get(entry, ()) if entry else [record]
            return tuple(from_plain(part, model) for part in records)
        except ValueError as error:
            raise BrokenFolderError(says("{0} is damaged: {1}. {2}", path, error, advice)) from None

    def take(self, data: bytes, receipt: Receipt) -> None:
        """Store an accepted file and its receipt. The file counts for its realm, in place of an earlier one.

        ``receipt.realm`` is the code of a party of the game.
        """
        self._put(f"{receipt.realm}.yaml", data)
        self._add_receipt(receipt.evolve(stored=f"{receipt.realm}.yaml", taken=True))

    def reject(self, data: bytes, receipt: Receipt, reasons: str) -> Receipt:
        """Store a file that is not accepted, and the reasons beside it as a letter to its sender.

        Returns the receipt with the path where the file is stored.
        """
        stem = self._free_stem(receipt.realm or "unknown", data)
        self._put(f"{stem}.yaml", data)
        self._put(f"{stem}.txt", reasons.encode())
        return self._add_receipt(receipt.evolve(stored=f"{stem}.yaml", taken=False))

    def withdraw(self, realm: str) -> None:
        """Move a realm's file, if there is one, to the rejected ones."""
        data = self._content(f"{realm}.yaml")
        if data is not None:
            self._put(f"{self._free_stem(f'{realm}-withdrawn')}.yaml", data)
            self._put(f"{realm}.yaml", None)

    def _free_stem(self, name: str, data: bytes | None = None) -> str:
        """Return the path, without its ending, for a new file under ``rejected/``: the first that is free.

        A path whose file has the content ``data`` and no receipt is free, too: a killed run has left it.
        """
        paths_with_receipt = {receipt.stored for receipt in self.receipts()}
        for stem in (f"rejected/{name}-{number}" for number in itertools.count(1)):
            existing = self._content(f"{stem}.yaml")
            if existing is None or (existing == data and f"{stem}.yaml" not in paths_with_receipt):
                break
        return stem

    def _add_receipt(self, receipt: Receipt) -> Receipt:
        """Store a receipt after the others, and return it."""
        self._put(_RECEIPTS_FILE, RECEIPTS.encode({"receipts": to_plain((*self.receipts(), receipt))}))
        return receipt

    def _content(self, name: str) -> bytes | None:
        """Return a file's content, pending changes included; None if it is missing."""
        path = self.folder / name
        if self._pending is not None and path in self._pending:
            return self._pending[path]
        return path.read_bytes() if path.is_file() else None

    def _put(self, name: str, data: bytes | None) -> None:
        """Write or remove (None) a file of the inbox, or add it to the pending changes."""
        path = self.folder / name
        if self._pending is not None:
            self._pending[path] = data
        elif data is None:
            clear(path)
            flush_folder(path.parent)
        else:
            make_folder(path.parent)
            write_file(path, data)
