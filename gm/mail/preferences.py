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
    """What the player of a realm wants: SUBSCRIBED, UNSUBSCRIBED or VACATION of :mod:`gm.mail.status`."""

    realm: str
    preference: str


def prefer(desk: Desk, wish: Preference) -> Outcome:
    """Return the outcome of a letter that asks for reminders, for none, or for a week of vacation."""
    realm = wish.realm
    preference = wish.preference
    if preference == status.VACATION:  # it changes the game: ``pbem week`` carries it out
        vacation = {status.VACATION: realm, "arrived": desk.arrived.isoformat()}
        return Outcome(says("asks for a week of vacation"), Disposition.DONE, entry=vacation)
    wants_reminders = preference == status.SUBSCRIBED
    make = partial(desk.write.reminders, realm, desk.letter, wanted=wants_reminders)
    words = says("wants reminders again") if wants_reminders else says("wants no reminders")
    return Outcome(
        words,
        Disposition.DONE,
        changes=(partial(status.note_preference, desk.mail, realm, preference, desk.now),),
        answers=(desk.answer("advice", "reminders", realm, make),),
        entry={"realm": realm},
        summary=says("{0} {1}", realm, words),
    )


def name_channel(desk: Desk, realm: str, written: str) -> Outcome:
    """Return the outcome of a request for a channel besides mail.

    ``written``: the channel's address, which gets a code; or that code, which confirms the channel; or
    ``off`` or ``none``.
    """
    mail = desk.mail
    letter_mark = mark_of(desk.letter)
    confirmed_channel = channels.confirmed_by(mail, realm, written, desk.now)
    change = partial(channels.switch_off, mail, realm, letter_mark, desk.now)
    what = "off"
    why = ""  # why there is no channel yet: a word that the letter's template knows
    if confirmed_channel is not None:
        change = partial(channels.confirm, mail, realm, letter_mark, desk.now)
        what = confirmed_channel.where
    elif written not in ("off", "none"):
        place = channels.place_of(written, mail.settings.channels)
        what = place.shown
        why = place.why or ("sent" if channels.may_ask(mail, realm, letter_mark, desk.now) else "held")
        change = partial(channels.ask, mail, realm, place, letter_mark, desk.now)
    once = answer_name("notify", desk.letter, realm)
    make = partial(desk.write.outcome, realm, once, "notify", what, why, marked=True)
    words = says("wants to be notified: {0}", what)
    if why:
        words = says("wants to be notified: {0} ({1})", what, why)
    return Outcome(
        words,
        Disposition.DONE,
        # a place that cannot be asked, or not now, leaves the channel as it is
        changes=(change,) if why in ("", "sent") else (),
        answers=(desk.answer(ANSWER, "notify", realm, make),),
        summary=says("{0} {1}", realm, words),
        private=True,
    )


def choose_digest(desk: Desk, realm: str, how_often: str) -> Outcome:
    """Return the outcome of a player's request for a digest, one letter a day instead of reminders.

    ``how_often``: ``daily``, or ``off`` for no digest.
    """
    change = partial(status.note_digest, desk.mail, realm, how_often, mark_of(desk.letter), desk.now)
    make = partial(desk.write.outcome, realm, answer_name("digest", desk.letter, realm), "digest", how_often)
    words = says("wants a digest: {0}", how_often)
    answers = (desk.answer(ANSWER, "digest", realm, make),)
    return Outcome(
        words, Disposition.DONE, changes=(change,), answers=answers, summary=says("{0} {1}", realm, words)
    )
