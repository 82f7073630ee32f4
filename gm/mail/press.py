"""Letters between players by mail: passed on at once under the realm's name, never with an address.

A player begins his letter with ``To: POL, NOV`` (or ``all``, or ``GM``) and, if he likes, ``As: anonymous``, or writes
to ``game+pol@...``. It has to prove itself: as an answer to a letter of the game, from the address on file. What he
answers from another player goes back to that one: the sign in its subject names that letter, and proves nothing else.

A letter is judged once and written down (:func:`gm.store.press.keep_press`) before it goes into the outbox for each who
gets it: a run that is killed in between is made up for by the next, which finds it judged.
"""

import re
from collections.abc import Callable
from functools import partial

from gm.campaign.press import all_press, judged
from gm.core.diagnostics import printable, says
from gm.core.orders.press import PUBLIC
from gm.mail.answers import answer_name
from gm.mail.game_mail import mark_of, realms_of
from gm.mail.letter import Letter, without_keys
from gm.mail.outbox import Outgoing
from gm.mail.outcome import PATIENCE, Answer, Desk, Outcome
from gm.mail.press_letters import PressWriter
from gm.mail.press_reading import PressLetter
from gm.mail.source import Disposition
from gm.store.press import Press, keep_press

_ANSWERING = re.compile(r"(?i)(?:(?:\[[^\]]{0,60}\]|(?:re|aw|antw|sv|rif|odp|fwd?|wg)\s?:)\s?)*(.*)")


def pass_on(desk: Desk, wish: PressLetter) -> Outcome:
    """Pass a letter between players on, or tell its writer why not."""
    if not wish.writer:
        return _unproven(desk)
    write = PressWriter(desk.mail, desk.now)
    letters = judged_letters(desk, wish)
    why = [press.why for press in letters if press.why]
    is_refused = desk.mail.outbox.knows(answer_name("no press", desk.letter, wish.writer))
    if why or is_refused or not (letters or wish.for_gm):
        why = why or [(says("it does not say to whom: begin with a line like 'To: {0}'"), "GM")]
        make = partial(write.refused, wish.writer, desk.letter, wish, why)
        answer = _own_answer(desk, "no press", wish.writer, make)
        return Outcome("letter between players, refused", Disposition.ASIDE, answers=(answer,), private=True)
    known_marks = {press.mark for press in all_press(desk.mail.campaign)}
    changes: list[Callable[[], object]] = []
    answers: list[Answer] = []
    for press in letters:
        if press.mark not in known_marks:
            folder = desk.mail.campaign.folder.inbox(press.turn).folder
            changes.append(partial(keep_press, folder, press))
        if press.is_letter:
            answers += map(Answer, write.copies(press))
    to_gm = False
    if wish.for_gm:
        forwarding = desk.forwarding(wish.writer)
        to_gm = forwarding.done
        answers += forwarding.answers
    make = partial(write.passed, wish.writer, desk.letter, letters, wish, to_gm=to_gm)
    answers.append(_own_answer(desk, "passed on", wish.writer, make))
    return Outcome(
        "letter between players", Disposition.DONE, changes=tuple(changes), answers=tuple(answers), private=True
    )


def _own_answer(desk: Desk, what: str, realm: str, make: Callable[[], Outgoing]) -> Answer:
    """Return an answer to a letter that is the player's own."""
    most = desk.mail.settings.care.answers_a_day * PATIENCE
    return desk.answer("receipt", what, realm, make, most)


def _unproven(desk: Desk) -> Outcome:
    """Pass nothing on in somebody's name; who may have written it is told how to prove it."""
    write = PressWriter(desk.mail, desk.now)
    most = desk.mail.settings.care.notices_a_day
    answers = tuple(
        desk.answer("notice", "no proof", realm, partial(write.unproven, realm, desk.letter), most)
        for realm in realms_of(desk.mail.campaign, desk.letter.sender)
    )
    return Outcome("letter between players without proof", Disposition.ASIDE, answers=answers, private=True)


def judged_letters(desk: Desk, wish: PressLetter) -> list[Press]:
    """Return what is to be written down of a letter, as it was judged before if a run was killed."""
    campaign = desk.mail.campaign
    earlier = all_press(campaign)
    judged_before = {press.mark: press for press in earlier}
    letters: list[Press] = []
    for press in _unjudged(desk, wish):
        letters.append(judged_before.get(press.mark) or judged(campaign, (*earlier, *letters), press))
    return letters


def _unjudged(desk: Desk, wish: PressLetter) -> list[Press]:
    mark = mark_of(desk.letter)
    turn = desk.mail.campaign.next_turn
    plain = Press(mark=mark, author=wish.writer, to=(), kind="", turn=turn, at=desk.now)
    letters = [plain.evolve(mark=f"{mark}-{word}", to=codes, kind=word) for word, codes in wish.muting]
    if wish.to or wish.kind == PUBLIC:
        lines = without_keys(wish.text).split("\n")
        text = "\n".join(printable(line.expandtabs(4)) for line in lines).strip("\n")
        answers = wish.answered.mark if wish.answered else ""
        about = "" if answers else without_keys(_subject(desk.letter))
        written = plain.evolve(to=wish.to, kind=wish.kind, text=text, subject=about)
        letters.append(written.evolve(message=desk.letter.message_id, answers=answers, back=wish.back))
    return letters


def _subject(letter: Letter) -> str:
    """Return a subject without what mail programs put in front of it."""
    match = _ANSWERING.match(letter.shown_subject)
    return match[1] if match else ""
