"""The outcome of one letter, determined before any of it is done, and its execution.

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

# times the answers of a day, for letters that are a player's own and say something new: no echo does
PATIENCE = 10


class Answer(Record):
    """A letter that is to be written.

    ``kind``: the kind by which it is counted, at most ``most`` of it to an address in a day; without a kind
    it always goes out, like notices to the GM. ``within``: whether other limits allow it.
    """

    make: Callable[[], Outgoing]
    kind: str = ""
    to: str = ""
    once: str = ""
    most: int = 0
    within: bool = True


class Outcome(Record):
    """The outcome of a letter.

    ``words`` and ``entry`` go into the journal; ``summary`` is a longer text for the GM's terminal.
    ``verdicts``: the results of its files; ``lost``: the number of our letter that it returns; ``private``:
    its subject must not be shown to the GM.
    """

    words: str
    fate: Disposition
    changes: tuple[Callable[[], object], ...] = ()
    answers: tuple[Answer, ...] = ()
    entry: Mapping[str, Any] = {}
    summary: str = ""
    verdicts: tuple[SubmissionResult, ...] = ()
    lost: str = ""
    private: bool = False


class Desk(Record):
    """One letter of a game, with everything that its handler needs."""

    mail: GameMail
    write: Service
    letter: Letter
    now: datetime
    arrived: datetime

    @property
    def writers(self) -> list[str]:
        """The realms that may have sent the letter: answers go to their known addresses, whoever sent it."""
        return sorted(set(realms_of(self.mail.campaign, self.letter.sender)))

    # -- answers, to be written later ------------------------------------------------------------------------

    def answer(self, kind: str, what: str, realm: str, make: Callable[[], Outgoing], most: int = 0) -> Answer:
        """Return an answer for a player; ``what``: its name among the answers to this letter."""
        once = answer_name(what, self.letter, realm)
        return Answer(
            make, kind, self.mail.address(realm), once, most or self.mail.settings.care.answers_a_day
        )

    def notice(self, what: str, template: str, **values: Any) -> Answer:
        """Return a letter for the GM."""
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
        """Return advice for a player.

        ``proven``: the letter is their own, and is answered however many came in their name; ``near``: the
        request that its subject resembles.
        """
        kind = "receipt" if proven else "advice"
        most = self.mail.settings.care.answers_a_day * PATIENCE if proven else 0
        write = partial(self.write.advice, realm, self.letter, submissions, near=near)
        make = partial(write, kind=kind, forwarded=forwarded)
        return self.answer(kind, "advice", realm, make, most)

    def forwarding(self, realm: str) -> tuple[Answer, ...] | None:
        """Return the copy of a player's letter for a GM who reads another mailbox.

        None if the GM has it, or gets no more today because of the limit.
        """
        mail = self.mail
        gms = mail.settings.gms
        if not mail.gms_elsewhere or folded(self.letter.sender) in map(folded, gms):
            return ()
        name = f"gm {passed_on_name(realm)}"
        if mail.outbox.knows(name + mark_of(self.letter)):
            return ()
        if mail.outbox.asked_for(name, self.now) >= mail.settings.care.forwards_a_day * len(gms):
            return None
        return (Answer(partial(self.write.passed_on, realm, self.letter)),)

    # -- carrying out ----------------------------------------------------------------------------------------

    def holds_back(self, answer: Answer) -> bool:
        """Return whether an address got the most answers of this kind today that it may.

        This stops machines that answer each other, and a flood in a player's name, before a receipt has tried
        orders for it.
        """
        if not answer.kind or not answer.to or self.mail.outbox.knows(answer.once):
            return False
        count = self.mail.count_within_day(answer.to, answer.kind, self.now)
        return not answer.within or count >= answer.most

    def carry_out(self, outcome: Outcome) -> int:
        """Change the game, then write and queue the answers. Returns the number of answers held back."""
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
        return not answer.kind or (bool(answer.to) and not self.mail.outbox.knows(answer.once))
