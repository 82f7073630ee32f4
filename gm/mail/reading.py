"""Read a mailbox once, for one game or for several: each letter goes to its game.

A letter is moved only when every game that it is for has stored it. One that is for none of them stays where
it is, for a run that serves its game; after two weeks it is put aside. An error in one game's folder ends the
reading for that game alone.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from gm.core.diagnostics import SourceError, message_of, says
from gm.mail.answers import Answers, answer_name
from gm.mail.compose import Writer
from gm.mail.fetching import FetchResult, deal_with
from gm.mail.game_mail import READ, GameMail, MailLog, mark_of, realms_of
from gm.mail.letter import Kind, Letter, read_letter
from gm.mail.routing import route_of
from gm.mail.source import Disposition, MailboxError, Message, Source
from gm.store import StoreError

# a reading without news is recorded again only after this time, to keep the journal short
READ_AGAIN = timedelta(minutes=20)
WAITED_FOR = timedelta(days=14)  # how long a letter for a game that is not here waits for that game

_HEAD = 64 * 1024  # bytes of a letter that is too large to be read whole


def fetch_all(
    mails: Sequence[GameMail], source: Source, now: datetime, *, closed: bool = False
) -> list[FetchResult]:
    """Deal with the waiting messages for games with one mailbox; return the result for each game.

    It ends early if every game has failed. The caller holds the games' locks. ``closed``: other games that
    share the mailbox cannot be opened now. Raises ``MailboxError`` if messages cannot be read; what was done
    by then stays done.
    """
    reading = _Reading(mails, now, [FetchResult() for _ in mails], closed)
    for mail in mails:
        mail.log.sweep()
    problem = ""
    for message in source.waiting():
        fate = reading.take(message)
        if not reading.open:  # every game has failed: the message stays where it is, for the next run
            break
        try:
            if fate is not None:
                source.put(message, fate)
        except MailboxError as error:
            # it cannot be moved, but it is in the journal and is not dealt with again: the others go on
            problem = message_of(error)
    try:
        source.settle()
    except MailboxError as error:
        problem = message_of(error)
    for index in reading.open:
        reading.results[index].problem = problem
        _note_reading(mails[index].log, reading.results[index], now)
    return reading.results


def _note_reading(log: MailLog, fetched: FetchResult, now: datetime) -> None:
    """Record that the mailbox was read, if something is new or ``READ_AGAIN`` has passed since the last time.

    It is recorded as well if the clock was set back since.
    """
    last = log.last_reading()
    left_games = sorted(fetched.left)
    passed = now - datetime.fromisoformat(last["at"]) if last else READ_AGAIN
    is_new = fetched.letters or last is None or left_games != last.get("left", [])
    if is_new or not timedelta(0) <= passed < READ_AGAIN:
        log.remark(now, READ, **({"left": left_games} if left_games else {}))


@dataclass
class _Reading:
    """One reading of a mailbox. Games are named by their index in ``mails``."""

    mails: Sequence[GameMail]
    now: datetime
    results: list[FetchResult]  # of each game
    closed: bool  # other games that share the mailbox cannot be opened now

    @property
    def open(self) -> list[int]:
        """The indexes of the games that have not failed."""
        return [index for index, result in enumerate(self.results) if result.failure is None]

    def take(self, message: Message) -> Disposition | None:
        """Deal with one message; return its disposition, or None when it stays in the mailbox."""
        # what concerns the whole mailbox is told by the first game that has not failed
        first = self.mails[self.open[0]]
        result = self.results[self.open[0]]
        limit = first.settings.care.letter_limit
        is_too_large = message.size > limit
        result.seen += 1
        # one byte beyond the limit shows that a letter is larger than its mailbox says
        length = _HEAD if is_too_large else limit + 1
        try:
            data = message.read(length)
        except OSError as error:
            result.troubles.append(
                says("A letter ({0}) cannot be read: {1}.", message.name, error.strerror or error)
            )
            return None
        if not data:  # another program has moved it meanwhile
            return Disposition.DONE
        content_hash = hashlib.sha256(data).hexdigest()
        # of several games the letter may be for one that has not dealt with it yet
        if len(self.mails) == 1 and content_hash in first.log.fates:
            return Disposition(first.log.fates[content_hash])
        letter = read_letter(data, trusted=first.settings.trusted)
        if is_too_large or len(data) > limit:
            letter = letter.evolve(files=(), advice=("too-large",))
        return self._disposition_of(message, letter)

    def _disposition_of(self, message: Message, letter: Letter) -> Disposition | None:
        """Let each game that a letter is for deal with it; return its disposition.

        None if it has to be read again: a game could not deal with it, or one that it may be for is closed.
        """
        route = route_of(self.mails, letter)
        if route.unclear or not route.parts:
            earlier = self._earlier_disposition(letter)
            if earlier is not None:
                return earlier
        if not route.parts:
            return self._of_no_game(message, letter, route.game)
        if route.unclear and letter.kind is Kind.PERSON:
            return None if self.closed else self._put_aside(letter, says("names no game"))
        # a letter that came before the deadline is in time, however late it is fetched
        arrived = min(message.arrived, self.now) if message.arrived else self.now
        dispositions = [self._deal_with_part(index, part, arrived) for index, part in route.parts]
        if None in dispositions:
            return None
        return Disposition.ASIDE if Disposition.ASIDE in dispositions else Disposition.DONE

    def _of_no_game(self, message: Message, letter: Letter, game: str) -> Disposition | None:
        """Put aside a letter for a ``game`` that is not here, if it has lain long enough in the mailbox.

        Returns its disposition; None if it stays there, for a run that has that game. Then the results of
        the games that are here name the game among those whose letters were left.
        """
        if message.arrived is not None and self.now - message.arrived > WAITED_FOR:
            why = says("names a game that nobody plays here: {0}", game or "(unknown)")
            return self._put_aside(letter, why)
        for index in self.open:
            self.results[index].left.append(game)
        return None

    def _earlier_disposition(self, letter: Letter) -> Disposition | None:
        """Return the disposition of a letter in the journal of one of the games; None if it is in none."""
        for index in self.open:
            # the very same bytes, or the same letter that came by another way
            for mark in (letter.fingerprint, mark_of(letter)):
                if mark in self.mails[index].log.fates:
                    return Disposition(self.mails[index].log.fates[mark])
        return None

    def _deal_with_part(self, index: int, letter: Letter, arrived: datetime) -> Disposition | None:
        """Let a game deal with its part of a letter; return its disposition, or None to try again later."""
        result = self.results[index]
        if result.failure is not None:
            return None
        try:
            return deal_with(self.mails[index], letter, self.now, arrived, result)
        except (OSError, StoreError, SourceError) as error:
            result.failure = error
            return None

    def _put_aside(self, letter: Letter, why: str) -> Disposition | None:
        """Put a letter aside that is for none of these games, or for an unknown one; return its disposition.

        The first game records it, and writes to the GM if it has files or comes from a player, only so often
        a day. A person who plays in one of the games is asked which it is for. None if the game could not
        record it. ``why``: in words.
        """
        first = self.open[0]
        mail = self.mails[first]
        # each notice is one message for each of the GMs
        most = mail.settings.care.notices_a_day * len(mail.settings.gms)
        senders_games = [mail.game for mail in self.mails if realms_of(mail.campaign, letter.sender)]
        try:
            is_asked = letter.kind is Kind.PERSON and self._ask_which(letter, senders_games)
            is_of_interest = bool(letter.files or senders_games)
            # the purposes of notices to the GM begin with "gm "
            if is_of_interest and mail.outbox.asked_for("gm stray ", self.now) < most:
                values = {
                    "letter": letter,
                    "why": why,
                    "games": senders_games,
                    "aside": mail.settings.inward.aside,
                    "answered": is_asked,
                }
                notice = Writer(mail, self.now).notice(f"stray {mark_of(letter)}", "stray", **values)
                mail.queue(notice, self.now)
            mail.log.note(letter, self.now, why, Disposition.ASIDE.value)
        except (OSError, StoreError, SourceError) as error:
            self.results[first].failure = error
            return None
        self.results[first].add(letter, why)
        return Disposition.ASIDE

    def _ask_which(self, letter: Letter, games: Sequence[str]) -> bool:
        """Ask a player which of these games (their ids) a letter is for, within a daily limit.

        Return whether they are asked, now or before.
        """
        mail = next((mail for mail in self.mails if mail.game in games), None)
        if mail is None:
            return False
        # the sender plays in each of ``games``: there is a realm
        realm = realms_of(mail.campaign, letter.sender)[0]
        to = mail.address(realm)
        once = answer_name("advice", letter, realm)
        if mail.outbox.knows(once):
            return True
        if mail.count_within_day(to, "advice", self.now) >= mail.settings.care.answers_a_day:
            return False
        asking = letter.evolve(advice=(*letter.advice, "which-game"))
        answers = Answers(mail, self.now)
        mail.queue(answers.advice(realm, asking, (), kind="advice", forwarded=False, games=games), self.now)
        return True
