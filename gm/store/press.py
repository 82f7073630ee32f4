"""Stored letters between players.

Those that came by mail for the coming turn are files of their own beside the orders
(``inbox/turn-05/press``), all that a turn delivered are in one of its own (``turns/turn-05/press.json``).
"""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from gm.core.codec import from_plain, to_plain
from gm.core.diagnostics import says
from gm.core.orders.press import KINDS, LONGEST, PUBLIC, WISHES
from gm.core.values import Natural, Value, check_fields
from gm.store import BrokenFolderError
from gm.store.disk import make_folder, write_file
from gm.store.formats import Format
from gm.store.places import TurnPath

PRESS_FILE = "press.json"
LETTERS = "letters"  # the folder of a turn with each party's own
PRESS = Format("list of letters between players", 1)
FOLDER = "press"  # in the inbox of a turn


class PressRule(Value):
    """The letters between players that a game allows (``press:`` in ``game.yaml``).

    ``kinds``: the allowed ones, the first by default; empty: players write nothing to each other.
    ``gm_reads``: whether the game master gets copies, as announced when the game began; ``a_day``: the number
    of a player's letters in a day; ``longest``: the number of characters in one.
    """

    kinds: tuple[str, ...] = ()
    gm_reads: bool = False
    a_day: Natural = 20
    longest: Annotated[int, Meta(ge=1, le=LONGEST)] = 4000

    @check_fields("kinds")
    @staticmethod
    def _known(kinds: tuple[str, ...]) -> tuple[str, ...]:
        for kind in kinds:
            if kind not in KINDS:
                raise ValueError(
                    says("letters are {0} or {1}, not {2!r}", ", ".join(KINDS[:-1]), KINDS[-1], kind)
                )
        return tuple(dict.fromkeys(kinds))


class Press(Value):
    """A letter, or a mute, or the consent to open letters (``kind``).

    ``mark``: its id; ``to``: its addressees; ``muted``: those of them who do not want it; ``turn``: the one
    whose report has it; ``why``: a message and its values, if it was not delivered. ``message``: its
    Message-ID; ``answers``: the mark of the letter that it answers; ``back``: it goes to that letter's
    writer, who may not be named; ``past``: the realms whose present player came later and does not see it.
    """

    mark: str
    author: str
    to: tuple[str, ...]
    kind: str
    turn: int
    at: datetime
    text: str = ""
    subject: str = ""
    muted: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    message: str = ""
    answers: str = ""
    back: bool = False
    past: tuple[str, ...] = ()

    @property
    def readers(self) -> tuple[str, ...]:
        """The realms that get it."""
        return () if self.why else tuple(code for code in self.to if code not in self.muted)

    @property
    def is_letter(self) -> bool:
        return self.kind not in WISHES

    def seen_by(self, realm: str) -> bool:
        """Return whether a realm may see it.

        It may if it wrote it, or got it, or it is a public one that it did not mute.
        """
        if realm in self.past:
            return False
        if realm == self.author or realm in self.readers:
            return True
        return self.kind == PUBLIC and not self.why and realm not in self.muted


def press_bytes(letters: Iterable[Press]) -> bytes:
    """Return letters as a file."""
    return PRESS.encode({"letters": to_plain(tuple(letters))})


def read_press(path: TurnPath) -> tuple[Press, ...]:
    """Return the letters in a file; empty when it is missing.

    Raises ``BrokenFolderError`` and ``NewerFormatError``.
    """
    try:
        record = PRESS.decode(path.read_bytes(), path)
        return tuple(from_plain(letter, Press) for letter in record.get("letters", ()))
    except FileNotFoundError:
        return ()
    except ValueError as error:
        raise BrokenFolderError(says("{0} is damaged: {1}. Restore it from a backup.", path, error)) from None


def waiting_press(inbox: Path) -> tuple[Press, ...]:
    """Return the letters that came by mail for a turn, oldest first."""
    letters = (letter for path in (inbox / FOLDER).glob("[!.]*.json") for letter in read_press(path))
    return tuple(sorted(letters, key=lambda letter: (letter.at, letter.mark)))


def handed_over(inbox: Path, realm: str) -> dict[Path, bytes]:
    """Return the letters for a turn that the new player of a realm must not see, by their files."""
    letters = (letter for letter in waiting_press(inbox) if letter.kind != PUBLIC and letter.seen_by(realm))
    changed = (letter.evolve(past=(*letter.past, realm)) for letter in letters)
    return {inbox / FOLDER / f"{letter.mark}.json": press_bytes([letter]) for letter in changed}


def keep_press(inbox: Path, letter: Press) -> None:
    """Store a letter, all or nothing. The lock is held."""
    make_folder(inbox / FOLDER)
    write_file(inbox / FOLDER / f"{letter.mark}.json", press_bytes([letter]))
