"""Drafts of orders that players write at a table of their own (``pbem play``), stored for the coming turn.

A browser gives drafts back to a page of the same address only. They come from a page and go back into one:
nothing here reads them as orders.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from gm.core.codec import from_plain, to_plain
from gm.core.diagnostics import message_of
from gm.core.values import Natural, Value
from gm.core.yaml.source import SIZE_LIMIT
from gm.store import StoreError
from gm.store.disk import make_folder, write_file
from gm.store.formats import Format

DRAFTS = "drafts"  # the folder
MOST = 8  # drafts of a seat; the pages of today have three places for one
LATEST = 2**53 - 1  # the largest number that a page's script counts exactly

_FORMAT = Format("set of drafts", 1)


class Draft(Value):
    """One draft."""

    place: Annotated[str, Meta(min_length=1, max_length=400)]  # the page's name for the place of the draft
    at: Annotated[int, Meta(ge=0, le=LATEST)]  # when it was changed last, in milliseconds
    text: str | None  # None: there is no draft any more


class _Drafts(Value):
    """The content of a file of drafts."""

    turn: Natural
    drafts: list[Draft]


class UnkeptError(StoreError):
    """A draft cannot be stored: it is no valid draft, or the seat's drafts are too many or too long."""


class Drafts:
    """The drafts of a seat for a turn, in a game's folder. ``seat``: its code."""

    def __init__(self, game: Path, seat: str, turn: int) -> None:
        self._path = game / DRAFTS / f"{seat}.json"
        self._turn = turn

    def read(self) -> Mapping[str, Draft]:
        """Return the drafts by their place on the page, also removed ones, which have no text.

        It is empty if no drafts are stored, if they are for another turn, or if their file is damaged.
        """
        with suppress(OSError, StoreError, ValueError):
            drafts = from_plain(_FORMAT.decode(self._path.read_bytes(), self._path), _Drafts)
            if drafts.turn == self._turn:
                return {draft.place: draft for draft in drafts.drafts}
        return {}

    def keep(self, data: bytes) -> None:
        """Store a draft (JSON of :class:`Draft`) unless a newer one for its place is stored.

        Raises ``UnkeptError`` for data that is no draft and for more drafts than a page writes, and
        ``OSError``.
        """
        drafts = {**self.read()}
        try:
            draft = msgspec.json.decode(data, type=Draft)
        except (msgspec.MsgspecError, ValueError) as error:
            raise UnkeptError(message_of(error)) from None
        if draft.place in drafts and drafts[draft.place].at > draft.at:
            return
        drafts[draft.place] = draft
        if len(drafts) > MOST or sum(len(stored.text or "") for stored in drafts.values()) > SIZE_LIMIT:
            raise UnkeptError("there are more drafts than a page writes")
        if not self._path.parent.is_dir():
            make_folder(self._path.parent)
        content = _Drafts(turn=self._turn, drafts=[*drafts.values()])
        write_file(self._path, _FORMAT.encode(to_plain(content)))
