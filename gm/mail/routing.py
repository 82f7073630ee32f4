"""Which game a letter is for, where several share a mailbox: by what it names, never by what its sender says he is.

In this order: the game that stands in an order file, or whose key does; the letter of ours that is answered or came
back; the mark in the subject. Only a letter that names none goes by its sender's address, and only when a single game
knows it. What names a game that is not here is left alone: another run may serve it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from gm.campaign.receive import Offer, claim_of
from gm.core.diagnostics import fold, printable
from gm.mail.game_mail import GameMail
from gm.mail.identity import realms_of
from gm.mail.letter import Letter

_HEAD = 4096
"""So many bytes from its beginning, a file is searched for the game that it names."""
_GAME = re.compile(r"(?m)^\ufeff?[\"']?game[\"']?[ \t]*:[ \t]*(\S[^\r\n]{0,200})")
_MARK = re.compile(r"\[([^\[\]]{1,80}?) t\d{1,6} [A-Z0-9]{1,8}\b")
_TAG = re.compile(r"\[([^\[\]]{1,80})\]")


class Whose(Enum):
    """How it is known where a letter belongs."""

    NAMED = "named"
    ELSEWHERE = "elsewhere"
    """It names a game that is not here."""
    UNCLEAR = "unclear"
    """It names none, and no single game here knows its sender."""


@dataclass(frozen=True, slots=True)
class Route:
    """Where a letter goes: to each of the games (by their places in the list) what is for it. ``game``: the one
    elsewhere that it names, as far as it says so."""

    whose: Whose
    parts: tuple[tuple[int, Letter], ...] = ()
    game: str = ""


def route(mails: Sequence[GameMail], letter: Letter) -> Route:
    """Where a letter goes among these games. Somebody's files for several games go to each of them."""
    filed: dict[int, list[Offer]] = {}
    loose: list[Offer] = []
    elsewhere = ""
    for offer in letter.files:
        named = game_named(offer)
        at = _of_file(mails, offer, named)
        if at is not None:
            filed.setdefault(at, []).append(offer)
        else:
            loose.append(offer)
            elsewhere = elsewhere or named
    if filed:
        first = min(filed)
        filed[first] += loose  # whoever sent them hears that they name no game, or another
        return Route(Whose.NAMED, tuple((at, _part(letter, filed[at])) for at in sorted(filed)))
    if elsewhere:
        return Route(Whose.ELSEWHERE, game=elsewhere)
    return _by_header(mails, letter)


def game_named(offer: Offer) -> str:
    """The game that an order file names near its top; empty when it names none."""
    match = _GAME.search(offer.data[:_HEAD].decode("utf-8", "replace"))
    return printable(re.sub(r"\s+#.*", "", match[1]).strip().strip("\"'").strip()) if match else ""


def _of_file(mails: Sequence[GameMail], offer: Offer, named: str) -> int | None:
    for at, mail in enumerate(mails):
        if named and fold(named) == fold(mail.game):
            return at
    # a slip in the game's name keeps nobody's orders from the game whose key they hold
    return next((at for at, mail in enumerate(mails) if claim_of(mail.campaign, offer).proven), None)


def _part(letter: Letter, files: Sequence[Offer]) -> Letter:
    return letter if len(files) == len(letter.files) else replace(letter, files=tuple(files))


def _by_header(mails: Sequence[GameMail], letter: Letter) -> Route:
    """By the letter of ours that it is, answers or gives back, then by its subject, then by who has written it."""
    ids = [each for each in (letter.message_id, letter.bounce.message, *reversed(letter.references)) if each]
    for each in ids:
        for at, mail in enumerate(mails):
            if mail.own_number(each):
                return _to(at, letter)
    names = [each for each in (letter.own_game, letter.bounce.game) if each]
    names += [match[1] for match in _MARK.finditer(letter.whole_subject)]
    tags = [match[1] for match in _TAG.finditer(letter.whole_subject)]
    for name in (*names, *tags):
        for at, mail in enumerate(mails):
            if fold(name) == fold(mail.game):
                return _to(at, letter)
    if names:
        return Route(Whose.ELSEWHERE, game=printable(names[0]))
    if len(mails) == 1:
        return _to(0, letter)
    knowing = [at for at, mail in enumerate(mails) if realms_of(mail.campaign, letter.sender)]
    return _to(knowing[0], letter) if len(knowing) == 1 else Route(Whose.UNCLEAR, ((0, letter),))


def _to(at: int, letter: Letter) -> Route:
    return Route(Whose.NAMED, ((at, letter),))
