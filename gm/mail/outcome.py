"""The outcome of one letter, which is determined before any of it is carried out, and how it is carried out.

First the game is changed, then the answers go into the outbox; each of these does nothing the second time.
The entry of the journal follows (:mod:`gm.mail.fetching`), and the message is moved last.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from gm.campaign.receive import Submission, SubmissionResult
from gm.core.values import Record
from gm.mail.answers import answer_name, passed_on_name
from gm.mail.game_mail import GameMail, folded, mark_of, realms_of
from gm.mail.letter import Letter
from gm.mail.outbox import Outgoing
from gm.mail.service import Service
from gm.mail.source import Disposition

# by this the daily limit of answers is multiplied for letters that are proven to be a player's and say
# something new, as no machine's answers to our answers do
PATIENCE = 10


class Answer(Record):
    """A letter that is to be written, unless a limit holds it back. Without a ``kind`` no limit does."""

    make: Callable[[], Outgoing]  # writes it
    kind: str = ""
    to: str = ""  # its address; with a kind and no address it is not written
    once: str = ""  # its purpose
    most: int = 0  # messages of this kind to this address in a day
    allowed: bool = True  # whether other limits than ``most`` allow it


class Outcome(Record):
    """The outcome of a letter."""

    words: str  # for the journal
    fate: Disposition
    changes: tuple[Callable[[], object], ...] = ()  # functions that change the game
    answers: tuple[Answer, ...] = ()
    entry: Mapping[str, Any] = {}  # further fields of its entry in the journal
    summary: str = ""  # for the GM's terminal, instead of ``words``
    verdicts: tuple[SubmissionResult, ...] = ()  # the results of its files
    lost: str = ""  # the id in the outbox of our letter that it returns
    private: bool = False  # the GM must not see its subject


class Desk(Record):
    """One letter of a game, with everything that its handler needs."""

    mail: GameMail
    write: Service
    letter: Letter
    now: datetime
    arrived: datetime  # when the letter came

    @property
    def writers(self) -> list[str]:
        """The realms of the players with the sender's address, any of whom may have sent the letter."""
        return sorted(set(realms_of(self.mail.campaign, self.letter.sender)))

    # -- answers, to be written later ------------------------------------------------------------------------

    def answer(self, kind: str, what: str, realm: str, make: Callable[[], Outgoing], most: int = 0) -> Answer:
        """Return an answer to the letter for a realm's player.

        ``kind``: by which such answers are counted; ``what``: its name among the answers to this letter;
        ``make``: writes it; ``most``: how many of its kind the player gets in a day, by default as the
        settings say.
        """
        once = answer_name(what, self.letter, realm)
        return Answer(
            make, kind, self.mail.address(realm), once, most or self.mail.settings.care.answers_a_day
        )

    def notice(self, what: str, template: str, **values: Any) -> Answer:
        """Return a notice to the GM; ``what``: its purpose; ``values``: what its template uses."""
        return Answer(partial(self.write.notice, what, template, **values))

    def advice(
        self,
        realm: str,
        submissions: Sequence[Submission] = (),
        *,
        proven: bool = False,
        forwarded: bool = False,
        near: str = "",
    ) -> Answer:
        """Return advice for a realm's player about the letter and its files, ``submissions``.

        ``proven``: the letter is the player's for certain, so that the advice counts among the receipts, of
        which more go out in a day; ``forwarded``: the GM gets a copy of the letter, or has it; ``near``: the
        request that its subject resembles.
        """
        kind = "receipt" if proven else "advice"
        # 0: as many as the settings say
        most = self.mail.settings.care.answers_a_day * PATIENCE if proven else 0
        write = partial(self.write.advice, realm, self.letter, submissions, near=near)
        make = partial(write, kind=kind, forwarded=forwarded)
        return self.answer(kind, "advice", realm, make, most)

    def forwarding(self, realm: str) -> tuple[Answer, ...] | None:
        """Return the copy of a player's letter for the GMs, if one of them reads another mailbox.

        Empty if the GM needs none: it is in their mailbox, is their own letter, or was copied before. None if
        the GM gets no more copies today because of the limit.
        """
        mail = self.mail
        gms = mail.settings.gms
        if not mail.gms_elsewhere or folded(self.letter.sender) in map(folded, gms):
            return ()
        beginning = f"gm {passed_on_name(realm)}"
        if mail.outbox.knows(beginning + mark_of(self.letter)):
            return ()
        if mail.outbox.asked_for(beginning, self.now) >= mail.settings.care.forwards_a_day * len(gms):
            return None
        return (Answer(partial(self.write.passed_on, realm, self.letter)),)

    # -- carrying out ----------------------------------------------------------------------------------------

    def holds_back(self, answer: Answer) -> bool:
        """Return whether a limit holds an answer back, such as how many of its kind an address gets in a day.

        The limits stop machines that answer each other, and floods in a player's name; this is asked before
        the answer is written, which takes time. An answer that is in the outbox already is not held back.
        """
        if not answer.kind or not answer.to or self.mail.outbox.knows(answer.once):
            return False
        count = self.mail.count_within_day(answer.to, answer.kind, self.now)
        return not answer.allowed or count >= answer.most

    def carry_out(self, outcome: Outcome) -> int:
        """Change the game, then write and queue the answers; return the number of answers held back.

        An answer with a kind is not written if it has no address, or if an earlier run has queued it.
        """
        for change in outcome.changes:
            change()
        withheld = 0
        for answer in outcome.answers:
            if self.holds_back(answer):
                withheld += 1
            elif self._is_due(answer):
                self.mail.queue(answer.make(), self.now)
        return withheld

    def _is_due(self, answer: Answer) -> bool:
        """Return whether an answer has to be written.

        One with a kind need not be if it has no address or is in the outbox.
        """
        return not answer.kind or (bool(answer.to) and not self.mail.outbox.knows(answer.once))
