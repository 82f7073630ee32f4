"""The input of a turn besides the position: order files as they came, the GM's decisions, proofs of the mail.

``ENG.yaml`` counts for England, ``receipts.json`` says when each came, refused ones are under ``rejected/``
with the reasons. File names are made from the game's own codes and numbers only. All is stored with the turn,
for its replay.
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
Changes = dict[Path, bytes | None]  # the files that a change of a game writes, or takes away

RECEIPTS = Format("list of receipts", 1)
AMENDMENTS = Format("list of amendments", 1)
WITHDRAWN = Format("record of a turn taken back", 1)
_RECEIPTS_FILE = "receipts.json"
_AMENDMENTS_FILE = "amendments.json"
_WITHDRAWN_FILE = "withdrawn.json"


class Withdrawn(Value):
    """A turn that was taken back after its results were known, and is to be played again.

    ``kept``: its folder under ``undone``; ``renewed``: each time that this happened, oldest first.
    """

    kept: str
    renewed: tuple[Renewal, ...]

    @property
    def last(self) -> Renewal:
        return self.renewed[-1]


class Amendment(Value):
    """One correction of the position by the GM, in the game's own words, with the reason. It is public."""

    words: tuple[str, ...]
    why: str
    at: datetime


class Decisions(Value):
    """All decisions for one turn.

    ``standings``: each realm's status and controller; ``contacts``: the address that an ambassador leaves;
    ``rejections``: (realm, what) removed from orders; ``repeated``: the realms whose orders are repeated,
    with their turn; ``languages``: of each realm's results, None: English; ``programs``: the realms that a
    bot of the GM's choice plays; ``day``: that of the turn's deadline, ``2026-05-01``, for games whose end
    has a date; ``votes``: those that hold from earlier turns (:mod:`gm.game.votes`); ``press``: the kinds of
    letters that are allowed; ``deputies``: the realms of ``bots`` that acted for players who were away.
    """

    standings: Mapping[str, tuple[str | None, str | None]] = {}
    amendments: tuple[Amendment, ...] = ()
    contacts: Mapping[str, str] = {}
    late: tuple[str, ...] = ()
    rejections: tuple[tuple[str, str], ...] = ()
    repeated: Mapping[str, int] = {}
    bots: Mapping[str, str] = {}
    bot_troubles: Mapping[str, str] = {}
    languages: Mapping[str, str] = {}
    programs: tuple[str, ...] = ()
    day: str = ""
    votes: Mapping[str, str] = {}
    press: tuple[str, ...] = ()
    deputies: tuple[str, ...] = ()


def decisions_of(record: JsonObject) -> Decisions:
    """Return the GM's decisions from the record of a turn."""
    early = {"late": record.get("late", ()), "rejections": record.get("rejected", ())}
    return from_plain(record.get("decisions", early), Decisions)


def fingerprint(*pieces: bytes) -> str:
    """Return the fingerprint of a file's content; a large one's pieces are not joined."""
    return fingerprint_of(pieces)


def fingerprint_of(pieces: Iterable[bytes]) -> str:
    """Return the fingerprint of content in pieces, of which only one need be in memory."""
    mark = hashlib.sha256()
    for piece in pieces:
        mark.update(piece)
    return mark.hexdigest()


class Receipt(Value):
    """The record of a file that arrived.

    ``realm``: empty when the file did not name one, or did not prove it; ``came_as``: the file's own name,
    only to be shown; ``stored``: the path of its content in the inbox's folder; ``vouched``: its sender was
    known by other means than a key in it; ``claimed``: the realm that it names, unproven.
    """

    realm: str
    came_as: str
    fingerprint: str
    received: datetime
    late: bool = False
    taken: bool = True
    stored: str
    errors: int = 0
    warnings: int = 0
    vouched: bool = False
    claimed: str = ""

    @property
    def called(self) -> str:
        """The path of its content, and the realm that it names."""
        return says("{0} (says it is {1})", self.stored, self.claimed) if self.claimed else self.stored


class Inbox:
    """The inbox of one turn.

    With ``pending``, changes are collected there, by path (None: removed), and visible in this inbox alone
    until they are carried out. Raises ``BrokenFolderError`` and ``NewerFormatError``.
    """

    def __init__(self, folder: Path, pending: Changes | None = None) -> None:
        self.folder = folder
        self._pending = pending

    def receipts(self) -> tuple[Receipt, ...]:
        """Return every arrival so far, in order."""
        return self._values(
            _RECEIPTS_FILE, RECEIPTS, "receipts", Receipt, says("Remove it; the orders stay.")
        )

    def current(self, realms: Iterable[str]) -> dict[str, bytes]:
        """Return the file that counts for each of ``realms``, by code, for those that have one."""
        names = {realm: f"{realm}.yaml" for realm in sorted(realms)}
        files = {
            realm: self._content(name)
            for realm, name in names.items()
            if not (self.folder / name).is_symlink()
        }
        return {realm: data for realm, data in files.items() if data is not None}

    def receipts_of(self, files: Mapping[str, bytes]) -> dict[str, Receipt]:
        """Return the newest receipt of each of these files that count, by realm.

        A file without one was put there by hand and needs its key.
        """
        return {
            receipt.realm: receipt
            for receipt in self.receipts()
            if receipt.taken
            and receipt.realm in files
            and receipt.fingerprint == fingerprint(files[receipt.realm])
        }

    def rejected(self) -> tuple[tuple[Receipt, bytes], ...]:
        """Return the rejected files, in order of arrival, without those that the GM has removed."""
        rejected = (
            (receipt, self._content(receipt.stored)) for receipt in self.receipts() if not receipt.taken
        )
        return tuple((receipt, data) for receipt, data in rejected if data is not None)

    def amendments(self) -> tuple[Amendment, ...]:
        """Return the GM's corrections of the position before the turn, in order."""
        return self._values(_AMENDMENTS_FILE, AMENDMENTS, "amendments", Amendment)

    def amend(self, amendments: Iterable[Amendment]) -> None:
        self._put(_AMENDMENTS_FILE, AMENDMENTS.encode({"amendments": to_plain(tuple(amendments))}))

    def withdrawn(self) -> Withdrawn | None:
        """Return the record of a turn that was taken back after its results were known. None if none was."""
        return next(iter(self._values(_WITHDRAWN_FILE, WITHDRAWN, "", Withdrawn)), None)

    def withdraw_turn(self, withdrawn: Withdrawn | None) -> None:
        self._put(_WITHDRAWN_FILE, None if withdrawn is None else WITHDRAWN.encode(to_plain(withdrawn)))

    def _values(
        self,
        name: str,
        form: Format,
        entry: str,
        model: type[V],
        advice: str = says("Restore it from a backup."),
    ) -> tuple[V, ...]:
        """Return the values under one entry of a file, or the whole file as one; empty when it is missing."""
        data = self._content(name)
        path = self.folder / name
        if data is None:
            return ()
        record = form.decode(data, path)
        try:
            return tuple(from_plain(part, model) for part in (record.get(entry, ()) if entry else [record]))
        except ValueError as error:
            raise BrokenFolderError(says("{0} is damaged: {1}. {2}", path, error, advice)) from None

    def take(self, data: bytes, receipt: Receipt) -> None:
        """Store the file that counts for its realm from now on, in place of an earlier one.

        ``receipt.realm`` is one of the game's.
        """
        self._put(f"{receipt.realm}.yaml", data)
        self._note(receipt.evolve(stored=f"{receipt.realm}.yaml", taken=True))

    def reject(self, data: bytes, receipt: Receipt, reasons: str) -> Receipt:
        """Store a rejected file, with the reasons beside it as text for its sender. Returns the receipt."""
        stem = self._free_stem(receipt.realm or "unknown", data)
        self._put(f"{stem}.yaml", data)
        self._put(f"{stem}.txt", reasons.encode())
        return self._note(receipt.evolve(stored=f"{stem}.yaml", taken=False))

    def withdraw(self, realm: str) -> None:
        """Move a realm's file, if there is one, to the rejected ones."""
        data = self._content(f"{realm}.yaml")
        if data is not None:
            self._put(f"{self._free_stem(f'{realm}-withdrawn')}.yaml", data)
            self._put(f"{realm}.yaml", None)

    def _free_stem(self, name: str, data: bytes | None = None) -> str:
        """Return a name that no file has.

        A file with this content and without a receipt was left by a killed run, and its name is used.
        """
        noted = {receipt.stored for receipt in self.receipts()}
        for stem in (f"rejected/{name}-{number}" for number in itertools.count(1)):
            existing = self._content(f"{stem}.yaml")
            if existing is None or (existing == data and f"{stem}.yaml" not in noted):
                break
        return stem

    def _note(self, receipt: Receipt) -> Receipt:
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
