"""What a turn depends on besides the position: the order files as they came, the GM's decisions, what the post knew.

``ENG.yaml`` stands for England, ``receipts.json`` says when each came, refused ones are under ``rejected/`` with the
reasons. File names are made from the game's own codes and numbers only. Decisions are archived with the turn, so that
it can be replayed years later.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, MutableMapping
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from gm.core.codec import from_plain, to_plain
from gm.core.sealing import Renewal
from gm.core.values import Record, Value
from gm.store import BrokenFolderError
from gm.store.disk import clear, flush_folder, make_folder, write_file
from gm.store.formats import Format, JsonObject

AMENDMENTS = Format("list of amendments", 1)
WITHDRAWN = Format("record of a turn taken back", 1)


class Withdrawn(Value):
    """A turn that was taken back when its results were known, and is to be played again. ``kept``: its folder under
    ``undone``; ``renewed``: each time that this happened, oldest first."""

    kept: str
    renewed: tuple[Renewal, ...]

    @property
    def last(self) -> Renewal:
        return self.renewed[-1]


class Amendment(Value):
    """One correction of the position by the GM, in the game's own words, with his reason. It is public."""

    words: tuple[str, ...]
    why: str
    at: datetime


class Decisions(Value):
    """All of one turn. ``standings``: each realm's status and controller; ``contacts``: the address that an ambassador
    leaves; ``rejections``: (realm, what) taken out of a sheet; ``repeated``: whose orders stand from which earlier
    turn."""

    standings: Mapping[str, tuple[str | None, str | None]] = {}
    amendments: tuple[Amendment, ...] = ()
    contacts: Mapping[str, str] = {}
    late: tuple[str, ...] = ()
    rejections: tuple[tuple[str, str], ...] = ()
    repeated: Mapping[str, int] = {}
    bots: Mapping[str, str] = {}
    bot_troubles: Mapping[str, str] = {}
    languages: Mapping[str, str] = {}
    """In which language each realm's results were written; none: English."""
    programs: tuple[str, ...] = ()
    """The realms that a bot of the GM's choice plays."""
    day: str = ""
    """The day of the turn's deadline, ``2026-05-01``, for games whose end has a date."""


def decisions_of(record: JsonObject) -> Decisions:
    """What the GM had decided, from the record of a turn."""
    if "decisions" in record:
        return from_plain(record["decisions"], Decisions)
    rejections = tuple((realm, what) for realm, what in record.get("rejected", ()))
    return Decisions(late=tuple(record.get("late", ())), rejections=rejections)


V = TypeVar("V", bound=Value)

RECEIPTS = Format("list of receipts", 1)
_RECEIPTS_FILE = "receipts.json"
_AMENDMENTS_FILE = "amendments.json"
_WITHDRAWN_FILE = "withdrawn.json"
_REJECTED = "rejected"


def fingerprint(data: bytes) -> str:
    """What tells one file's content from another's."""
    return hashlib.sha256(data).hexdigest()


class Receipt(Value):
    """One arrival. ``realm`` is empty when the file did not say, or nobody may believe it."""

    realm: str
    came_as: str
    """The name under which the file came: only to be shown."""
    fingerprint: str
    received: datetime
    late: bool = False
    taken: bool = True
    stored: str
    """Where its content is, seen from the inbox's folder."""
    errors: int = 0
    warnings: int = 0
    vouched: bool = False
    """Its sender was known by other means than a key in it."""


class Arrival(Record):
    """A file that stands for a realm: its content and, unless somebody put it there by hand, its receipt."""

    realm: str
    data: bytes
    receipt: Receipt | None

    @property
    def late(self) -> bool:
        """Whether it came after the deadline; a file without a receipt is not called late."""
        return self.receipt is not None and self.receipt.late

    @property
    def vouched(self) -> bool:
        """Whether it needs no key, because its sender was known when it came."""
        return self.receipt is not None and self.receipt.vouched


class Inbox:
    """The inbox of one turn. With ``gathered``, changes are put there, by path (none: taken away), and seen by this
    inbox alone until somebody carries them out."""

    def __init__(self, folder: Path, gathered: MutableMapping[Path, bytes | None] | None = None) -> None:
        self.folder = folder
        self._gathered = gathered

    def receipts(self) -> tuple[Receipt, ...]:
        """Every arrival so far, in order. Raises ``BrokenFolderError`` and ``NewerFormatError``."""
        return self._values(_RECEIPTS_FILE, RECEIPTS, "receipts", Receipt, "Remove it; the orders stay.")

    def current(self, realms: Iterable[str]) -> dict[str, Arrival]:
        """The file that stands for each of ``realms``, by code, for those that have one."""
        receipts = self.receipts()
        found = {}
        for realm in sorted(realms):
            path = self.folder / f"{realm}.yaml"
            data = None if path.is_symlink() else self._content(path)
            if data is not None:
                mark = fingerprint(data)
                mine = [each for each in receipts if each.taken and each.realm == realm and each.fingerprint == mark]
                found[realm] = Arrival(realm, data, mine[-1] if mine else None)
        return found

    def rejected(self) -> tuple[tuple[Receipt, bytes], ...]:
        """The files that were set aside, in order of arrival; those that the GM has removed are left out."""
        found = []
        for receipt in self.receipts():
            data = None if receipt.taken else self._content(self.folder / receipt.stored)
            if data is not None:
                found.append((receipt, data))
        return tuple(found)

    def amendments(self) -> tuple[Amendment, ...]:
        """The GM's corrections of the position before the turn, in order. Raises as :meth:`receipts` does."""
        return self._values(_AMENDMENTS_FILE, AMENDMENTS, "amendments", Amendment)

    def amend(self, amendments: Iterable[Amendment]) -> None:
        """Put these in the place of the corrections so far."""
        entries = [to_plain(each) for each in amendments]
        self._put(self.folder / _AMENDMENTS_FILE, AMENDMENTS.encode({"amendments": entries}))

    def withdrawn(self) -> Withdrawn | None:
        """What to know of a turn that was taken back when its results were known. Raises as :meth:`receipts` does."""
        return next(iter(self._values(_WITHDRAWN_FILE, WITHDRAWN, "", Withdrawn)), None)

    def withdraw_turn(self, withdrawn: Withdrawn | None) -> None:
        """Put this in the place of :meth:`withdrawn`."""
        data = None if withdrawn is None else WITHDRAWN.encode(to_plain(withdrawn))
        self._put(self.folder / _WITHDRAWN_FILE, data)

    def _values(
        self, name: str, form: Format, entry: str, model: type[V], advice: str = "Put it back from a copy."
    ) -> tuple[V, ...]:
        """The values under one entry of a file, or the whole file as one; none when it is not there."""
        path = self.folder / name
        data = self._content(path)
        if data is None:
            return ()
        record = form.decode(data, path)
        try:
            return tuple(from_plain(each, model) for each in (record.get(entry, ()) if entry else [record]))
        except ValueError as error:
            raise BrokenFolderError(f"{path} is damaged: {error}. {advice}") from None

    def take(self, data: bytes, receipt: Receipt) -> None:
        """Let a file stand for its realm, in the place of an earlier one. ``receipt.realm`` is one of the game's."""
        self._put(self.folder / f"{receipt.realm}.yaml", data)
        self._note(receipt.evolve(stored=f"{receipt.realm}.yaml", taken=True))

    def reject(self, data: bytes, receipt: Receipt, reasons: str) -> Receipt:
        """Set a file aside, with the reasons beside it as text for its sender. Returns the receipt as noted."""
        folder = self.folder / _REJECTED
        stem = self._free_stem(folder, receipt.realm or "unknown", data)
        self._put(folder / f"{stem}.yaml", data)
        self._put(folder / f"{stem}.txt", reasons.encode())
        noted = receipt.evolve(stored=f"{_REJECTED}/{stem}.yaml", taken=False)
        self._note(noted)
        return noted

    def withdraw(self, realm: str) -> bool:
        """Let a realm's file stand no longer; it is kept among the rejected. False: there was none."""
        path = self.folder / f"{realm}.yaml"
        data = self._content(path)
        if data is None:
            return False
        folder = self.folder / _REJECTED
        self._put(folder / f"{self._free_stem(folder, f'{realm}-withdrawn')}.yaml", data)
        self._put(path, None)
        return True

    def _free_stem(self, folder: Path, name: str, data: bytes | None = None) -> str:
        """A name that no file has. One with this content that no receipt tells of was left by a run that was killed."""
        noted = {receipt.stored for receipt in self.receipts()}
        number = 1
        while (there := self._content(path := folder / f"{name}-{number}.yaml")) is not None:
            if f"{_REJECTED}/{path.name}" not in noted and there == data:
                break
            number += 1
        return f"{name}-{number}"

    def _note(self, receipt: Receipt) -> None:
        receipts = [to_plain(each) for each in (*self.receipts(), receipt)]
        self._put(self.folder / _RECEIPTS_FILE, RECEIPTS.encode({"receipts": receipts}))

    def _content(self, path: Path) -> bytes | None:
        """A file as it is, or will be when what was gathered is carried out; none: it is not there."""
        if self._gathered is not None and path in self._gathered:
            return self._gathered[path]
        return path.read_bytes() if path.is_file() else None

    def _put(self, path: Path, data: bytes | None) -> None:
        if self._gathered is not None:
            self._gathered[path] = data
        elif data is None:
            clear(path)
            flush_folder(path.parent)
        else:
            make_folder(path.parent)
            write_file(path, data)
