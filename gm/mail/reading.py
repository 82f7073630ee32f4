"""Read a mailbox once, for one game or for several: each letter goes to its game.

A letter is moved only when every game that it is for has stored it. One that is for none of them stays where
it is, for another run; if none takes it for long, it is put aside. A game that fails over a letter stops only
itself.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from gm.campaign.receive import Claim, Proof, Submission, claim_of
from gm.core.diagnostics import SourceError, fold, printable, says
from gm.core.values import Record
from gm.mail.answers import Answers, answer_name
from gm.mail.compose import Writer
from gm.mail.fetching import FetchResult, deal_with
from gm.mail.game_mail import READ, GameMail, MailLog, mark_of, realms_of
from gm.mail.letter import Kind, Letter, read_letter
from gm.mail.source import Disposition, MailboxError, Message, Source
from gm.mail.wishes import READING, Request, asked_of
from gm.store import StoreError

# so soon it is not noted again when nothing is new, or the journal held little else
READ_AGAIN = timedelta(minutes=20)
WAITED_FOR = timedelta(days=14)  # so long a letter for a game that is not here may wait to be taken

_HEAD = 64 * 1024  # bytes of a letter that is too large to be read whole


def fetch_all(
    mails: Sequence[GameMail], source: Source, now: datetime, *, closed: bool = False
) -> list[FetchResult]:
    """Deal with every waiting message for games with one mailbox; return the result for each game.

    Their locks are held. ``closed``: other games that share the mailbox cannot be opened now. Raises
    ``MailboxError``; finished work stays done.
    """
    reading = _Reading(mails, now, [FetchResult() for _ in mails], closed)
    for mail in mails:
        mail.log.sweep()
    problem = ""
    for message in source.waiting():
        fate = reading.take(message)
        if not reading.open:
            break
        try:
            if fate is not None:
                source.put(message, fate)
        except MailboxError as error:
            # the letter is in the journal and is not dealt with again; those behind it need not wait for the
            # folder
            problem = str(error)
    try:
        source.settle()
    except MailboxError as error:
        problem = str(error)
    for index in reading.open:
        reading.results[index].problem = problem
        _note_reading(mails[index].log, reading.results[index], now)
    return reading.results


def _note_reading(log: MailLog, fetched: FetchResult, now: datetime) -> None:
    """Record that the mailbox was read, if that is news or was not recorded for long."""
    last = log.last_reading()
    left_letters = sorted(fetched.left)
    passed = now - datetime.fromisoformat(last["at"]) if last else READ_AGAIN
    is_new = fetched.letters or last is None or left_letters != last.get("left", [])
    if is_new or not timedelta(0) <= passed < READ_AGAIN:
        log.remark(now, READ, **({"left": left_letters} if left_letters else {}))


@dataclass
class _Reading:
    mails: Sequence[GameMail]
    now: datetime
    results: list[FetchResult]
    closed: bool

    @property
    def open(self) -> list[int]:
        """The games that have not failed."""
        return [number for number, result in enumerate(self.results) if result.failure is None]

    def take(self, message: Message) -> Disposition | None:
        """Deal with one message; return its folder, or None when it stays."""
        first = self.mails[self.open[0]]
        result = self.results[self.open[0]]
        limit = first.settings.care.letter_limit
        is_too_large = message.size > limit
        result.seen += 1
        try:
            data = message.read(_HEAD if is_too_large else limit + 1)
        except OSError as error:
            result.troubles.append(
                says("A letter ({0}) cannot be read: {1}.", message.name, error.strerror or error)
            )
            return None
        if not data:  # taken away meanwhile
            return Disposition.DONE
        mark = hashlib.sha256(data).hexdigest()
        if len(self.mails) == 1 and mark in first.log.fates:
            return Disposition(first.log.fates[mark])
        letter = read_letter(data, trusted=first.settings.trusted)
        if is_too_large or len(data) > limit:
            letter = letter.evolve(files=(), advice=("too-large",))
        return self._sorted(message, letter)

    def _sorted(self, message: Message, letter: Letter) -> Disposition | None:
        """Return the folder of a letter after each of its games has dealt with it.

        None if it has to be read again: a game could not deal with it, or one that it may be for is closed.
        """
        route = route_of(self.mails, letter)
        if route.unclear or not route.parts:
            earlier = self._earlier(letter)
            if earlier is not None:
                return earlier
        if not route.parts:
            return self._of_no_game(message, letter, route.game)
        if route.unclear and letter.kind is Kind.PERSON:
            return None if self.closed else self._aside(letter, says("names no game"))
        # what lay in the mailbox before the deadline is in time, however late it is fetched
        arrived = min(message.arrived, self.now) if message.arrived else self.now
        dispositions = [self._dealt_with(number, part, arrived) for number, part in route.parts]
        if None in dispositions:
            return None
        return Disposition.ASIDE if Disposition.ASIDE in dispositions else Disposition.DONE

    def _of_no_game(self, message: Message, letter: Letter, game: str) -> Disposition | None:
        """Return the folder of a letter for a game that is not here; None while it waits for that game."""
        if message.arrived is not None and self.now - message.arrived > WAITED_FOR:
            return self._aside(letter, says("names a game that nobody plays here: {0}", game or "(unknown)"))
        for number in self.open:
            self.results[number].left.append(game)
        return None

    def _earlier(self, letter: Letter) -> Disposition | None:
        """Return the folder of a letter that one of the games has dealt with already; None if none has."""
        for number in self.open:
            for mark in (letter.fingerprint, mark_of(letter)):
                if mark in self.mails[number].log.fates:
                    return Disposition(self.mails[number].log.fates[mark])
        return None

    def _dealt_with(self, number: int, letter: Letter, arrived: datetime) -> Disposition | None:
        """Let a game deal with its part of a letter; return its folder, None if it has to be tried again."""
        result = self.results[number]
        if result.failure is not None:
            return None
        try:
            return deal_with(self.mails[number], letter, self.now, arrived, result)
        except (OSError, StoreError, SourceError) as error:
            result.failure = error
            return None

    def _aside(self, letter: Letter, why: str) -> Disposition | None:
        """Write to the GM about a letter that is for none of these games, or for an unknown one.

        One of the games does it. Returns the letter's folder, or None if the game could not.
        """
        at = self.open[0]
        mail = self.mails[self.open[0]]
        most = mail.settings.care.notices_a_day * len(mail.settings.gms)
        knowing = [mail.game for mail in self.mails if realms_of(mail.campaign, letter.sender)]
        try:
            answered = letter.kind is Kind.PERSON and self._ask_which(letter, knowing)
            if (letter.files or knowing) and mail.outbox.asked_for("gm stray ", self.now) < most:
                values = {"letter": letter, "why": why, "games": knowing, "aside": mail.settings.inward.aside}
                values["answered"] = answered
                mail.queue(
                    Writer(mail, self.now).notice(f"stray {mark_of(letter)}", "stray", **values), self.now
                )
            mail.log.note(letter, self.now, why, Disposition.ASIDE.value)
        except (OSError, StoreError, SourceError) as error:
            self.results[at].failure = error
            return None
        self.results[at].add(letter, why)
        return Disposition.ASIDE

    def _ask_which(self, letter: Letter, games: Sequence[str]) -> bool:
        """Ask a player which of these games a letter is for, within a daily limit.

        Return whether they are asked.
        """
        mail = next((mail for mail in self.mails if mail.game in games), None)
        if mail is None:
            return False
        realm = realms_of(mail.campaign, letter.sender)[0]
        to = mail.address(realm)
        once = answer_name("advice", letter, realm)
        if mail.outbox.knows(once):
            return True
        if mail.answered(to, "advice", self.now) >= mail.settings.care.answers_a_day:
            return False
        asking = letter.evolve(advice=(*letter.advice, "which-game"))
        answers = Answers(mail, self.now)
        mail.queue(answers.advice(realm, asking, (), kind="advice", forwarded=False, games=games), self.now)
        return True


# -- which game a letter is for, where several share a mailbox -----------------------------------------------

_MARK = re.compile(r"\[([^\[\]]{1,80}?) t\d{1,6} [A-Z0-9]{1,8}\b")
_TAG = re.compile(r"\[([^\[\]]{1,80})\]")


class Route(Record):
    """The games of a letter: by place in the list, its files for each.

    Without any, it is for the ``game`` elsewhere that it names. ``unclear``: it names none, and no single
    game here knows its sender.
    """

    parts: tuple[tuple[int, Letter], ...]
    game: str = ""
    unclear: bool = False


def route_of(mails: Sequence[GameMail], letter: Letter) -> Route:
    """Return the games of a letter. One with files for several games goes to each of them."""
    filed: dict[int, list[Submission]] = {}
    loose: list[Submission] = []
    elsewhere = ""
    for submission in letter.files:
        claims = [claim_of(mail.campaign, submission) for mail in mails]
        at = _game_of(mails, claims)
        if at is not None:
            filed.setdefault(at, []).append(submission)
        else:
            loose.append(submission)
            elsewhere = elsewhere or printable(claims[0].game)
    if filed:
        first = min(filed)
        filed[first] += loose  # whoever sent them hears that they name no game, or another
        if len(filed) == 1:
            return Route(((first, letter),))
        return Route(tuple((at, letter.evolve(files=tuple(filed[at]))) for at in sorted(filed)))
    if elsewhere:
        return Route((), elsewhere)
    return _by_header(mails, letter)


def _game_of(mails: Sequence[GameMail], claims: Sequence[Claim]) -> int | None:
    """Return the game of a file: the one that it names, but the game of its key if that is right.

    So a slip in the game's name loses no orders. ``claims``: the file's, in each of these games.
    Returns its index in ``mails``; None if the file names none and proves nothing.
    """
    proofs = [claim.proof for claim in claims]
    game_name = fold(claims[0].game)
    called = next((at for at, mail in enumerate(mails) if game_name and game_name == fold(mail.game)), None)
    if called is not None and proofs[called]:
        return called
    if Proof.KEY in proofs:
        return proofs.index(Proof.KEY)
    if called is not None:
        return called
    return next((at for at, proof in enumerate(proofs) if proof), None)


def _wanting(mails: Sequence[GameMail], letter: Letter) -> tuple[int, ...]:
    """Return the games meant by a letter whose subject is a request that names none.

    A request to join is answered by each open game with the seat; a player's question, by each of their
    games.
    """
    requests = []
    for mail in mails:
        codes_by_name = {fold(seat.name): seat.code for seat in mail.campaign.seats}
        requests.append(asked_of(letter, codes_by_name))
    words = {request.word for request in requests if request}
    if words and words <= set(READING):
        return _knowing(mails, letter)
    if words == {"digest"}:  # what somebody wants in one game counts for all
        return _knowing(mails, letter)[:1]
    if words != {"join"}:
        return ()
    open_games = [number for number, mail in enumerate(mails) if mail.campaign.folder.settings.open]
    seated = [number for number in open_games if _has_seat(mails[number], requests[number])]
    return tuple(seated or open_games)


def _has_seat(mail: GameMail, request: Request | None) -> bool:
    """Return whether a game has the seat of a request to join."""
    seat = mail.campaign.seat(request.what) if request else None
    return seat is not None and not seat.out


def _knowing(mails: Sequence[GameMail], letter: Letter) -> tuple[int, ...]:
    """Return the games that have a letter's sender on file."""
    return tuple(number for number, mail in enumerate(mails) if realms_of(mail.campaign, letter.sender))


def _by_header(mails: Sequence[GameMail], letter: Letter) -> Route:
    """Return the games of a letter without order files.

    By the letter of ours that it is, answers or returns, then by its subject, then by its sender.
    """
    names = list(filter(None, (letter.own_game, letter.bounce.game)))
    names += [match[1] for match in _MARK.finditer(letter.whole_subject)]
    number = _written_game(mails, letter, names)
    if number is not None:
        return Route(((number, letter),))
    if names:
        return Route((), printable(names[0]))
    knowing = (0,) if len(mails) == 1 else _knowing(mails, letter)
    if len(knowing) == 1:
        return Route(((knowing[0], letter),))
    wanting = _wanting(mails, letter)
    if wanting:
        return Route(tuple((number, letter) for number in wanting))
    return Route(((0, letter),), unclear=True)


def _written_game(mails: Sequence[GameMail], letter: Letter, names: Sequence[str]) -> int | None:
    """Return the game in a letter's header; ``names``: of games, as written there. None if there is none."""
    number = _answered_game(mails, letter)
    if number is not None:
        return number
    tags = (match[1] for match in _TAG.finditer(letter.whole_subject))
    number = _named_game(mails, (*names, *tags))
    if number is not None or letter.kind is not Kind.BOUNCE:
        return number
    # a server's letter belongs to whoever wrote to the address that it names
    return next((number for number, mail in enumerate(mails) if mail.supposed(letter.bounce)), None)


def _answered_game(mails: Sequence[GameMail], letter: Letter) -> int | None:
    """Return the game whose letter this one is, answers or returns, by a Message-ID of ours.

    None if there is none.
    """
    for message_id in (letter.message_id, *letter.bounce.messages, *reversed(letter.references)):
        for number, mail in enumerate(mails):
            if message_id and mail.own_number(message_id):
                return number
    return None


def _named_game(mails: Sequence[GameMail], names: Iterable[str]) -> int | None:
    """Return the first of these games that is named. None if none of them is."""
    games = [fold(mail.game) for mail in mails]
    return next((games.index(fold(name)) for name in names if fold(name) in games), None)
