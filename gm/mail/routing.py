"""Which games a letter is for, where several share a mailbox.

Games are named by their index in ``mails``.
"""

import re
from collections.abc import Iterable, Sequence

from gm.campaign.receive import Claim, Proof, Submission, claim_of
from gm.core.diagnostics import fold, printable
from gm.core.values import Record
from gm.mail.game_mail import GameMail, realms_of
from gm.mail.letter import Kind, Letter
from gm.mail.wishes import READING, Request, asked_of

_MARK = re.compile(r"\[([^\[\]]{1,80}?) t\d{1,6} [A-Z0-9]{1,8}\b")
_TAG = re.compile(r"\[([^\[\]]{1,80})\]")


class Route(Record):
    """The games that a letter is for."""

    parts: tuple[tuple[int, Letter], ...]  # (index of a game, the letter with the files for that game)
    game: str = ""  # without parts: the game elsewhere that the letter names
    unclear: bool = False  # it names no game, and no single one here knows its sender; it has one part


def route_of(mails: Sequence[GameMail], letter: Letter) -> Route:
    """Return the games of a letter. One with files for several games goes to each of them.

    One whose files name only a game that is not here is for none; if no file names one, the header decides.
    """
    files_of_game: dict[int, list[Submission]] = {}
    files_of_none: list[Submission] = []
    # the first game that a file names and that is not here
    game_elsewhere = ""
    for submission in letter.files:
        claims = [claim_of(mail.campaign, submission) for mail in mails]
        index = _game_of(mails, claims)
        if index is not None:
            files_of_game.setdefault(index, []).append(submission)
        else:
            files_of_none.append(submission)
            game_elsewhere = game_elsewhere or printable(claims[0].game)
    if files_of_game:
        first = min(files_of_game)
        files_of_game[first] += files_of_none  # their sender learns that they name no game, or another
        if len(files_of_game) == 1:
            return Route(((first, letter),))
        return Route(
            tuple(
                (index, letter.evolve(files=tuple(files))) for index, files in sorted(files_of_game.items())
            )
        )
    if game_elsewhere:
        return Route((), game_elsewhere)
    return _route_by_header(mails, letter)


def _game_of(mails: Sequence[GameMail], claims: Sequence[Claim]) -> int | None:
    """Return the index of the game that a file is for; None if it names none of them and proves nothing.

    It is the game that the file names; but if the file has another game's right key, it is that one, so that
    a slip in the game's name loses no orders. A file that names none of them, and has no right key, is for
    the first game for which it proves anything. ``claims``: the file's claim in each of these games.
    """
    proofs = [claim.proof for claim in claims]
    game_name = fold(claims[0].game)  # as the file names it: every claim has the same
    matches = (index for index, mail in enumerate(mails) if game_name and game_name == fold(mail.game))
    named_game = next(matches, None)
    if named_game is not None and proofs[named_game]:
        return named_game
    if Proof.KEY in proofs:
        return proofs.index(Proof.KEY)
    if named_game is not None:
        return named_game
    return next((index for index, proof in enumerate(proofs) if proof), None)


def _games_of_request(mails: Sequence[GameMail], letter: Letter) -> tuple[int, ...]:
    """Return the indexes of the games meant by a letter that is a request and names no game.

    A request to join is for each open game with that seat, or for all open ones; a player's question is for
    each of their games, their request for digests for the first of them. Empty for any other letter.
    """
    requests = []
    for mail in mails:
        codes_by_name = {fold(seat.name): seat.code for seat in mail.campaign.seats}
        requests.append(asked_of(letter, codes_by_name))
    words = {request.word for request in requests if request}
    if words and words <= set(READING):
        return _games_of_sender(mails, letter)
    if words == {"digest"}:  # what a player asks for in one game counts for all
        return _games_of_sender(mails, letter)[:1]
    if words != {"join"}:
        return ()
    open_games = [index for index, mail in enumerate(mails) if mail.campaign.folder.settings.open]
    games_with_seat = [index for index in open_games if _has_seat(mails[index], requests[index])]
    return tuple(games_with_seat or open_games)


def _has_seat(mail: GameMail, request: Request | None) -> bool:
    """Return whether a game has the seat that a request to join names, and it is not out of the game."""
    seat = mail.campaign.seat(request.what) if request else None
    return seat is not None and not seat.out


def _games_of_sender(mails: Sequence[GameMail], letter: Letter) -> tuple[int, ...]:
    """Return the indexes of the games in which a player has the address of a letter's sender."""
    return tuple(index for index, mail in enumerate(mails) if realms_of(mail.campaign, letter.sender))


def _route_by_header(mails: Sequence[GameMail], letter: Letter) -> Route:
    """Return the games of a letter without order files.

    They are found by the letter of ours that it is, answers or returns, then by its subject, then by its
    sender, if that is a player in one game alone, then by its request. A letter that names a game that is not
    here is for none; one that tells nothing is for the first game, and ``unclear``.
    """
    names = list(filter(None, (letter.own_game, letter.bounce.game)))
    names += [match[1] for match in _MARK.finditer(letter.whole_subject)]
    index = _game_in_header(mails, letter, names)
    if index is not None:
        return Route(((index, letter),))
    if names:
        return Route((), printable(names[0]))
    senders_games = (0,) if len(mails) == 1 else _games_of_sender(mails, letter)
    if len(senders_games) == 1:
        return Route(((senders_games[0], letter),))
    games_of_request = _games_of_request(mails, letter)
    if games_of_request:
        return Route(tuple((index, letter) for index in games_of_request))
    return Route(((0, letter),), unclear=True)


def _game_in_header(mails: Sequence[GameMail], letter: Letter, names: Sequence[str]) -> int | None:
    """Return the index of the game that a letter's header tells; None if it tells none of these.

    ``names``: the names of games that are written there.
    """
    index = _answered_game(mails, letter)
    if index is not None:
        return index
    tags = (match[1] for match in _TAG.finditer(letter.whole_subject))
    index = _named_game(mails, (*names, *tags))
    if index is not None or letter.kind is not Kind.BOUNCE:
        return index
    # a bounce belongs to the game that has written to an address in it
    return next((index for index, mail in enumerate(mails) if mail.likely_bounced(letter.bounce)), None)


def _answered_game(mails: Sequence[GameMail], letter: Letter) -> int | None:
    """Return the index of the game whose letter this one is, answers or returns, by its Message-ID.

    None if there is none.
    """
    for message_id in (letter.message_id, *letter.bounce.messages, *reversed(letter.references)):
        for index, mail in enumerate(mails):
            if message_id and mail.own_entry_id(message_id):
                return index
    return None


def _named_game(mails: Sequence[GameMail], names: Iterable[str]) -> int | None:
    """Return the index of the game with one of these names: the first that fits counts; None if none does."""
    games = [fold(mail.game) for mail in mails]
    return next((games.index(fold(name)) for name in names if fold(name) in games), None)
