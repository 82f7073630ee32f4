"""What sort of letter one is, of six; nothing is changed by asking."""

from collections.abc import Iterator

from gm.campaign.receive import Claim, Proof, Submission, claim_of
from gm.core.diagnostics import fold
from gm.core.values import Record
from gm.mail.asking import Asked, asked_of, confirmed_address, is_grave
from gm.mail.attachments import IN_PAGE
from gm.mail.body_text import looks_like_orders
from gm.mail.game_mail import GameMail, realms_of, vouched_realm
from gm.mail.letter import Kind, Letter
from gm.mail.outbox import OutboxEntry
from gm.mail.press_reading import PressLetter, press_letter
from gm.mail.status import closed_realms, requested_preference


class Claimed(Record):
    """A file of a letter and what it says about itself."""

    submission: Submission
    claim: Claim


class Orders(Record):
    """Files that may be orders, those that are proven to be a player's and the ``strays``."""

    letter: Letter
    vouched: str
    proven: tuple[Claimed, ...]
    strays: tuple[Claimed, ...]


class Request(Record):
    """Something that the subject asks for.

    ``realm``: whose letter it is, if that is proven; ``confirmed``: whose new address it confirms.
    """

    asked: Asked
    realm: str
    confirmed: str


class Preference(Record):
    """Whether a player wants reminders, or a week of vacation (``wish``)."""

    realm: str
    wish: str


class Bounce(Record):
    """A server's letter about one that could not be delivered.

    ``number``: which of ours, if its id proves that; ``supposed``: which it is most likely.
    """

    number: str
    supposed: OutboxEntry | None


class Stray(Record):
    """A letter of a machine that tells nothing, or of a person who sends no orders."""


LetterKind = Orders | Request | PressLetter | Preference | Bounce | Stray


def classify(letter: Letter, mail: GameMail) -> LetterKind:
    """Return what sort of letter this is for a game, with what its handler has to know of it."""
    campaign = mail.campaign
    vouched = vouched_realm(campaign, letter)
    if letter.kind is not Kind.PERSON and not _holds_proof(mail, letter, vouched):
        # never answered and never read for orders: it may hold our own templates
        return _returned(mail, letter) if letter.kind is Kind.BOUNCE and letter.bounce.failed else Stray()
    before = vouched_realm(campaign, letter, earlier=True)
    wish = requested_preference(letter)
    if wish and before:
        return Preference(before, wish)
    press = press_letter(mail, letter)
    if press is None:
        request = _request(mail, letter)
        if request is not None:
            return request
    elif not any(looks_like_orders(submission.data) for submission in letter.files):
        return press
    else:
        letter = letter.evolve(advice=(*letter.advice, "press"))
    return _orders(mail, letter, vouched, before) if letter.files else Stray()


def _holds_proof(mail: GameMail, letter: Letter, vouched: str) -> bool:
    """Return whether what looks like a letter of a list or a newsletter holds orders with the right key."""
    if letter.kind is not Kind.LIST:
        return False
    submissions = (submission.evolve(vouched=vouched) for submission in letter.files)
    return any(claim_of(mail.campaign, submission).proof for submission in submissions)


def _returned(mail: GameMail, letter: Letter) -> Bounce:
    number = mail.given_back(letter.bounce)
    return Bounce(number, None if number else mail.supposed(letter.bounce))


def _request(mail: GameMail, letter: Letter) -> Request | None:
    """Return what a letter asks for, if it is from somebody who may ask."""
    campaign = mail.campaign
    asked = asked_of(letter, {fold(seat.name): seat.code for seat in campaign.seats})
    if asked is None:
        return None
    if asked.word == "join":
        return Request(asked, "", "") if campaign.folder.settings.open and letter.sender else None
    confirmed = confirmed_address(mail, letter, asked)
    vouched = vouched_realm(campaign, letter, earlier=not is_grave(asked))
    may_ask = confirmed or vouched or realms_of(campaign, letter.sender)
    return Request(asked, vouched, confirmed) if may_ask else None


def _orders(mail: GameMail, letter: Letter, vouched: str, before: str) -> Orders:
    proven: list[Claimed] = []
    strays: list[Claimed] = []
    closed = closed_realms(mail)
    for file in _claimed(mail, letter, vouched, before):
        counts = file.claim.proof is not Proof.KEY or file.claim.realm not in closed
        (proven if file.claim.proof and counts else strays).append(file)
    return Orders(letter, vouched, tuple(proven), tuple(strays))


def _claimed(mail: GameMail, letter: Letter, vouched: str, before: str) -> Iterator[Claimed]:
    for file in letter.files:
        # what was made of a web page counts with its key alone
        submission = file if file.name == IN_PAGE else file.evolve(vouched=vouched, before=before)
        yield Claimed(submission, claim_of(mail.campaign, submission))
