"""The letters in a party's report: those that it wrote and got, and public ones, the newest first."""

from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import Any

from gm.core.diagnostics import printable, said, says
from gm.core.orders.press import ANONYMOUS, PUBLIC
from gm.game.votes import VoteRule
from gm.store.press import LETTERS, Press, PressRule
from gm.text.languages import ENGLISH, translator
from gm.text.layout import FORMAT, entry, items, section
from gm.text.pages import fragment

_SHOWN = 30_000  # bytes of letters that a page has at most; the files of each turn's letters have them all
_ROW = 350  # bytes of a page for each letter, besides its text


def _letters(press: Sequence[Press], code: str, since: int) -> list[Press]:
    """Return the letters that a party's player may read, the newest first.

    ``since``: the player's first turn.
    """
    mine = (letter for letter in reversed(press) if letter.is_letter and letter.seen_by(code))
    return [letter for letter in mine if letter.turn >= since]


def press_html(
    press: Sequence[Press],
    rule: PressRule,
    turn: int,
    code: str,
    names: Mapping[str, str],
    language: str,
    *,
    since: int = 1,
) -> str:
    """Return a party's letters as a table, and how to write one; empty in a game without letters.

    ``press``: all letters up to ``turn``; ``rule``: which are allowed; ``names``: what the party calls the
    others, by code; ``since``: the first turn of its player.
    """
    letters = _letters(press, code, since)
    if not letters and not rule.kinds:
        return ""
    bytes_left = _SHOWN
    rows = list[dict[str, Any]]()
    for letter in letters:
        bytes_left -= len(escape(letter.text).encode()) + _ROW
        if bytes_left < 0:
            break
        rows.append(_row(letter, code, names, language, press))
    new_count = sum(letter.turn == turn for letter in letters)
    other_party = next((name for name in names if name != code), "")
    values = {
        "rows": rows,
        "kinds": rule.kinds,
        "other": other_party,
        "whole": False,
        "closed": 0,
    }
    # the newest come first: ``more`` letters of this turn and ``older`` ones have no row
    values |= {
        "more": max(new_count - len(rows), 0),
        "older": len(letters) - max(new_count, len(rows)),
        "file": f"{LETTERS}/{code}.yaml",
    }
    return fragment("game/press.html", values, language)


def letter_files(
    press: Sequence[Press], game: str, turn: int, readers: Mapping[str, int]
) -> dict[str, bytes]:
    """Return the files with a turn's letters, by path: one for each of the ``readers``.

    There is none for a turn without letters. ``game``: its id; ``readers``: the first turn of each party's
    player, by code.
    """
    if not any(letter.is_letter and letter.turn == turn for letter in press):
        return {}
    return {
        f"{LETTERS}/{code}.yaml": _press_text(press, game, turn, code, since)
        for code, since in readers.items()
    }


def _press_text(press: Sequence[Press], game: str, turn: int, code: str, since: int) -> bytes:
    """Return the file with the letters that a party wrote or got this turn, the oldest first.

    ``since``: its player's first turn.
    """
    oldest_first = reversed(_letters(press, code, since))
    letters_of_turn = [letter for letter in oldest_first if letter.turn == turn]
    # without names: the file has the codes of parties
    records = (_record(letter, _row(letter, code, {}, ENGLISH, press)) for letter in letters_of_turn)
    lines = [
        "# The letters of one turn that its reader wrote or got. One a line, in JSON.",
        entry("letters", FORMAT),
        entry("game", game),
        entry("realm", code),
        entry("turn", turn),
    ]
    return "\n".join([*lines, *section("press", items(records, 2), 0, "[]"), ""]).encode()


def _record(letter: Press, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a letter as data of a file; ``row``: what a page shows of it, without secret names."""
    record = {name: row[name] for name in ("author", "to", "subject") if row[name]}
    record |= {"kind": letter.kind, "text": "\n".join(row["lines"])}
    if letter.why:
        record["why"] = row["why"]
    return record


def all_press_html(letters: Sequence[Press], closed: int, names: Mapping[str, str], language: str) -> str:
    """Return the letters of a whole game as a table for everybody, a row for each of ``letters``.

    Anonymous ones stay anonymous. ``closed``: the number of letters left out; ``names``: of parties, by code.
    """
    rows = [_row(letter, "", names, language, letters) for letter in letters]
    values = {"rows": rows, "closed": closed, "whole": True, "more": 0, "older": 0, "kinds": ()}
    return fragment("game/press.html", values, language)


def talk_html(
    press: PressRule,
    rule: VoteRule,
    names: Mapping[str, str],
    readers: Collection[str],
    language: str,
    place: str = "",
    help_of_bots: str = "",
) -> str:
    """Return the form for what an order file has besides orders: letters, a vote, whether the turn must wait.

    ``press``: the letters that are allowed; ``rule``: how votes pass; ``names``: those of the other
    parties in the game, by code; ``readers``: the codes to which letters can go; ``place``: the name
    under which a browser stores the form; ``help_of_bots``: the words that bots among the readers
    understand.
    """
    to = {code: name for code, name in names.items() if code in readers}
    values = {
        "kinds": press.kinds,
        "longest": press.longest,
        "a_day": press.a_day,
        "readers": to,
        "winners": names,
    }
    return fragment(
        "game/talk.html", {**values, "rule": rule, "place": place, "help_of_bots": help_of_bots}, language
    )


def _row(
    letter: Press, code: str, names: Mapping[str, str], language: str, letters: Sequence[Press]
) -> dict[str, Any]:
    """Return a letter's row for ``game/press.html``, as the party ``code`` may see it (empty: everybody).

    ``names``: the names of parties, by code; ``letters``: all letters, to find the one that this one answers.
    """
    is_own = letter.author == code
    translate = translator("game", language)
    hidden = letter.kind == ANONYMOUS and not is_own
    # a list of all other readers would reveal an anonymous writer; and the reader of an answer to an
    # anonymous letter is as secret as that letter's writer
    to: Sequence[str] = letter.to
    if hidden:
        to = [code]
    elif letter.kind == PUBLIC:
        to = []
    answers_anonymous = letter.back and any(
        other.mark == letter.answers and other.kind == ANONYMOUS for other in letters
    )
    is_reader_secret = (is_own or not code) and answers_anonymous
    author = "" if hidden else names.get(letter.author, letter.author)
    readers = "" if is_reader_secret else ", ".join(names.get(reader, reader) for reader in to)
    return {
        "turn": letter.turn,
        "own": is_own,
        "author": author,
        "secret": letter.kind == ANONYMOUS,
        "to": readers,
        # nor is everybody told who got an anonymous letter
        "unnamed": is_reader_secret or (hidden and not code),
        "subject": letter.subject,
        "lines": [printable(line.expandtabs(4)) for line in letter.text.split("\n")],
        "why": said(says(*letter.why), translate) if letter.why else "",
    }
