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
from gm.core.values import Natural, Value
from gm.core.yaml.source import SIZE_LIMIT
from gm.store import StoreError
from gm.store.disk import make_folder, write_file
from gm.store.formats import Format

DRAFTS = "drafts"  # the folder
MOST = 8  # places of a page at which drafts are written; the pages of today have three
LATEST = 2**53 - 1  # what a script counts exactly

_FORMAT = Format("set of drafts", 1)


class Draft(Value):
    """One draft: its name in the page, the time of its last change (in ms), and its text, if any is left."""

    place: Annotated[str, Meta(min_length=1, max_length=400)]
    at: Annotated[int, Meta(ge=0, le=LATEST)]
    text: str | None


class _Drafts(Value):
    turn: Natural
    drafts: list[Draft]


class UnkeptError(StoreError):
    """A draft cannot be stored: it has another form, or the seat's drafts together are too long."""


class Drafts:
    """The drafts of a seat for a turn in a game's folder. ``seat``: one that the game has."""

    def __init__(self, game: Path, seat: str, turn: int) -> None:
        self._path = game / DRAFTS / f"{seat}.json"
        self._turn = turn

    def read(self) -> Mapping[str, Draft]:
        """Return the drafts by place; none of another turn, or out of a damaged file."""
        with suppress(OSError, StoreError, ValueError):
            drafts = from_plain(_FORMAT.decode(self._path.read_bytes(), self._path), _Drafts)
            if drafts.turn == self._turn:
                return {draft.place: draft for draft in drafts.drafts}
        return {}

    def keep(self, data: bytes) -> None:
        """Store a draft in place of an earlier one, unless the stored one is newer.

        Raises ``UnkeptError`` and ``OSError``.
        """
        drafts = {**self.read()}
        try:
            draft = msgspec.json.decode(data, type=Draft)
        except (msgspec.MsgspecError, ValueError) as error:
            raise UnkeptError(str(error)) from None
        if draft.place in drafts and drafts[draft.place].at > draft.at:
            return
        drafts[draft.place] = draft
        if len(drafts) > MOST or sum(len(kept.text or "") for kept in drafts.values()) > SIZE_LIMIT:
            raise UnkeptError("there are more drafts than a page writes")
        if not self._path.parent.is_dir():
            make_folder(self._path.parent)
        whole = _Drafts(turn=self._turn, drafts=[*drafts.values()])
        write_file(self._path, _FORMAT.encode(to_plain(whole)))
