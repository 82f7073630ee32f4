"""Stored letters between players.

Each letter that came by mail for the coming turn is a file beside the orders (``inbox/turn-05/press``); all
letters that a turn delivered are in one file (``turns/turn-05/press.json``).
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
LETTERS = "letters"  # the folder in that of a turn with a file of letters for each party
PRESS = Format("list of letters between players", 1)
FOLDER = "press"  # the folder of letters in the inbox of a turn


class PressRule(Value):
    """The letters between players that a game allows (``press:`` in ``game.yaml``)."""

    # those allowed; a letter that names none is of the first; empty: no letters
    kinds: tuple[str, ...] = ()
    gm_reads: bool = False  # whether the game master gets copies, as announced when the game began
    a_day: Natural = 20  # how many letters a player may write in a day
    longest: Annotated[int, Meta(ge=1, le=LONGEST)] = 4000  # characters of a letter

    @check_fields("kinds")
    @staticmethod
    def _known(kinds: tuple[str, ...]) -> tuple[str, ...]:
        """Return the kinds, each once. Raises ``ValueError`` for an unknown one."""
        for kind in kinds:
            if kind not in KINDS:
                raise ValueError(
                    says("letters are {0} or {1}, not {2!r}", ", ".join(KINDS[:-1]), KINDS[-1], kind)
                )
        return tuple(dict.fromkeys(kinds))


class Press(Value):
    """A letter of a player to others, or (by its ``kind``) a wish.

    Wishes are to mute realms or hear them again, and whether all letters may be published after the game.
    """

    mark: str  # its id
    author: str  # the writer's realm
    to: tuple[str, ...]  # the realms to which it is addressed
    kind: str
    turn: int  # whose report has it
    at: datetime
    text: str = ""
    subject: str = ""
    muted: tuple[str, ...] = ()  # realms of ``to`` that do not want it
    why: tuple[str, ...] = ()  # it was not delivered: a message that says why, and the values in it
    message: str = ""  # its Message-ID, if it came by mail
    answers: str = ""  # the mark of the letter that it answers
    back: bool = False  # whether it goes to that letter's writer, whom it may not name
    past: tuple[str, ...] = ()  # realms whose present player came later and does not see it

    @property
    def readers(self) -> tuple[str, ...]:
        """The realms to which it was delivered."""
        return () if self.why else tuple(code for code in self.to if code not in self.muted)

    @property
    def is_letter(self) -> bool:
        """Whether it is a letter, and not a player's wish about letters, such as a mute."""
        return self.kind not in WISHES

    def seen_by(self, realm: str) -> bool:
        """Return whether a realm may see the letter.

        It may if it wrote or got the letter, or if the letter is public, delivered, and not muted by the
        realm. A player who came later may see nothing of it.
        """
        if realm in self.past:
            return False
        if realm == self.author or realm in self.readers:
            return True
        return self.kind == PUBLIC and not self.why and realm not in self.muted


def press_bytes(letters: Iterable[Press]) -> bytes:
    """Return the content of a file with these letters."""
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
    """Return the letters that came by mail for a turn, oldest first; ``inbox``: the turn's inbox."""
    letters = (letter for path in (inbox / FOLDER).glob("[!.]*.json") for letter in read_press(path))
    return tuple(sorted(letters, key=lambda letter: (letter.at, letter.mark)))


def letters_hidden_from(inbox: Path, realm: str) -> dict[Path, bytes]:
    """Return files, by path, that hide letters of the coming turn from a realm's new player.

    They are the letters in the ``inbox`` that the realm's earlier player may see, except public ones.
    """
    letters = (letter for letter in waiting_press(inbox) if letter.kind != PUBLIC and letter.seen_by(realm))
    changed = (letter.evolve(past=(*letter.past, realm)) for letter in letters)
    return {inbox / FOLDER / f"{letter.mark}.json": press_bytes([letter]) for letter in changed}


def keep_press(inbox: Path, letter: Press) -> None:
    """Store a letter, all or nothing. The caller holds the lock."""
    make_folder(inbox / FOLDER)
    write_file(inbox / FOLDER / f"{letter.mark}.json", press_bytes([letter]))
