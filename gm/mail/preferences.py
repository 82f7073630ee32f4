"""Letters in which a player says how they want to be informed of the game."""

from functools import partial

from gm.core.diagnostics import says
from gm.core.values import Record
from gm.mail import channels, status
from gm.mail.answers import answer_name
from gm.mail.game_mail import mark_of
from gm.mail.outcome import Desk, Outcome
from gm.mail.service import ANSWER
from gm.mail.source import Disposition


class Preference(Record):
    """The ``wish`` of a player: reminders or none, or a week of vacation."""

    realm: str
    wish: str


def prefer(desk: Desk, preference: Preference) -> Outcome:
    """Record whether a player wants reminders, or a week of vacation."""
    realm = preference.realm
    wish = preference.wish
    if wish == status.VACATION:  # it changes the game: whoever runs the week sees to it
        vacation = {status.VACATION: realm, "arrived": desk.arrived.isoformat()}
        return Outcome(says("asks for a week of vacation"), Disposition.DONE, entry=vacation)
    wanted_again = wish == status.SUBSCRIBED
    make = partial(desk.write.reminders, realm, desk.letter, wanted=wanted_again)
    words = says("wants reminders again") if wanted_again else says("wants no reminders")
    return Outcome(
        words,
        Disposition.DONE,
        changes=(partial(status.note_preference, desk.mail, realm, wish, desk.now),),
        answers=(desk.answer("advice", "reminders", realm, make),),
        entry={"realm": realm},
        summary=says("{0} {1}", realm, words),
    )


def name_channel(desk: Desk, realm: str, written: str) -> Outcome:
    """Return the answer to a wish for a channel besides mail: it is confirmed with the code sent there."""
    mail = desk.mail
    letter = mark_of(desk.letter)
    confirmed = channels.confirmed_by(mail, realm, written, desk.now)
    change = partial(channels.switch_off, mail, realm, letter, desk.now)
    what = "off"
    why = ""
    if confirmed is not None:
        change = partial(channels.confirm, mail, realm, letter, desk.now)
        what = confirmed.where
    elif written not in ("off", "none"):
        place = channels.place_of(written, mail.settings.channels)
        what = place.shown
        why = place.why or ("sent" if channels.may_ask(mail, realm, letter, desk.now) else "held")
        change = partial(channels.ask, mail, realm, place, letter, desk.now)
    once = answer_name("notify", desk.letter, realm)
    make = partial(desk.write.outcome, realm, once, "notify", what, why, marked=True)
    words = says("wants to be notified: {0}", what)
    if why:
        words = says("wants to be notified: {0} ({1})", what, why)
    return Outcome(
        words,
        Disposition.DONE,
        changes=(change,) if why in ("", "sent") else (),
        answers=(desk.answer(ANSWER, "notify", realm, make),),
        summary=says("{0} {1}", realm, words),
        private=True,
    )


def choose_digest(desk: Desk, realm: str, wish: str) -> Outcome:
    """Record whether a player wants one letter a day instead of reminders."""
    change = partial(status.note_digest, desk.mail, realm, wish, mark_of(desk.letter), desk.now)
    make = partial(desk.write.outcome, realm, answer_name("digest", desk.letter, realm), "digest", wish)
    words = says("wants a digest: {0}", wish)
    answers = (desk.answer(ANSWER, "digest", realm, make),)
    return Outcome(
        words, Disposition.DONE, changes=(change,), answers=answers, summary=says("{0} {1}", realm, words)
    )
