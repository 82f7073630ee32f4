"""Letters with files that may be orders: files that are proven to be a player's go into the inbox.

That is done before any answer is written, as the receipt reports the inbox's result. The situation before is
recorded first (:class:`gm.mail.game_mail.Intent`): if the run is killed in between, the next one writes the
same receipt.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from gm.campaign.receive import (
    UNACCEPTED,
    Claim,
    Proof,
    ReceiptStatus,
    Submission,
    SubmissionResult,
    claim_of,
    receive,
)
from gm.core.diagnostics import says
from gm.core.orders.keys import key_slip
from gm.core.values import Record
from gm.mail import status
from gm.mail.answers import Received, address_name
from gm.mail.attachments import IN_PAGE, IN_TEXT
from gm.mail.body_text import has_words_above_orders
from gm.mail.game_mail import GameMail, Intent, mark_of
from gm.mail.letter import Letter
from gm.mail.outbox import Outgoing
from gm.mail.outcome import PATIENCE, Answer, Desk, Outcome
from gm.mail.source import Disposition
from gm.store.inbox import fingerprint

_LOGGED = {ReceiptStatus.ACCEPTED: "taken"}
"""The mail log's word for a status, where it is another one than the terminal's: scripts search for it."""
# a file of the realm counts now; the letter may have brought it
_COUNTS = (ReceiptStatus.ACCEPTED, ReceiptStatus.UNCHANGED, ReceiptStatus.SUPERSEDED)


class Orders(Record):
    """A letter with files that may be orders."""

    letter: Letter
    vouched: str  # the realm that the token in the letter's subject proves; empty if it proves none
    proven: tuple[Claim, ...]  # the files that are proven to be a player's
    strays: tuple[Claim, ...]  # the others


def order_files(mail: GameMail, letter: Letter, vouched: str, before: str) -> Orders:
    """Return a letter's files, divided into those that are proven to be a player's and strays.

    ``vouched`` and ``before``: the realms that the subject's token proves for this turn, and for this or an
    earlier one; empty for none. A file made of a web page is proven by its key alone. After many wrong keys
    for a realm its key proves nothing any more.
    """
    proven: list[Claim] = []
    strays: list[Claim] = []
    closed = status.closed_realms(mail)
    for file in letter.files:
        submission = file if file.name == IN_PAGE else file.evolve(vouched=vouched, before=before)
        claim = claim_of(mail.campaign, submission)
        is_closed = claim.proof is Proof.KEY and claim.realm in closed
        if claim.proof and not is_closed:
            proven.append(claim)
        else:
            strays.append(claim)
    return Orders(letter, vouched, tuple(proven), tuple(strays))


def take_orders(desk: Desk, orders: Orders) -> Outcome:
    """Put a letter's proven orders into the inbox and return the outcome, with warnings about its strays.

    Strays are files that are not proven to be a player's own.
    """
    desk = desk.evolve(letter=orders.letter)
    outcome = Outcome("", Disposition.DONE, entry={"realms": []})
    if orders.proven:
        outcome = _take(desk, orders.proven)
    entry = {**outcome.entry, "authentication": list(orders.letter.authentication)}
    if not orders.strays:
        return outcome.evolve(entry=entry)
    guesses = Counter(stray.realm for stray in orders.strays if stray.guess)
    entry["claimed"] = sorted(_claimed_realms(desk, orders))
    if guesses:
        # by player, not by realm: a new player of the seat begins without wrong keys
        entry[status.WRONG_KEYS] = {
            desk.mail.seat_fingerprint(realm): count for realm, count in guesses.items()
        }
    remark = (
        says("another file without a right key") if orders.proven else says("no right key: nothing was kept")
    )
    words = says("{0}; {1}", outcome.words, remark) if outcome.words else remark
    answers = (*outcome.answers, *_guessing(desk, guesses), *_unproven(desk, orders, entry["realms"]))
    return outcome.evolve(words=words, fate=Disposition.ASIDE, answers=answers, entry=entry)


# -- files that are a player's own ---------------------------------------------------------------------------


def _take(desk: Desk, proven: Sequence[Claim]) -> Outcome:
    """Put files that are a player's own into the inbox, without templates and earlier versions.

    Return the outcome, with the receipts, and with advice about what was left out.
    """
    intent = desk.mail.log.begin(mark_of(desk.letter), _intent(desk, proven))
    templates = [claim for claim in proven if _is_template(desk, claim, intent)]
    older = [claim for claim in proven if _is_older(desk, claim, intent)]
    used = [claim for claim in proven if claim not in templates and claim not in older]
    received = _received(desk, [claim.submission for claim in used], intent)
    verdicts = tuple(verdict for _, verdict in received)
    realms = sorted({verdict.realm for verdict in verdicts if verdict.realm})
    words = [
        says("{0} {1}", verdict.realm or "?", says(_LOGGED.get(verdict.fate, verdict.fate.value)))
        for verdict in verdicts
    ]
    answers = list(_receipts(desk, realms, received, intent))
    for left_out, advice_word, remark in (
        (templates, "template", says("empty template left out")),
        (older, "older", says("an earlier version below other words left out")),
    ):
        affected_realms = {claim.realm for claim in left_out}
        # advice goes only to players of whom nothing else was received: the others get a receipt
        words += [says("{0} {1}", realm, remark) for realm in sorted(affected_realms)]
        answers += _advice(desk, advice_word, sorted(affected_realms.difference(realms)))
    is_aside = any(verdict.fate in UNACCEPTED for verdict in verdicts)
    disposition = Disposition.ASIDE if is_aside else Disposition.DONE
    entry = {"realms": realms}
    return Outcome("; ".join(words), disposition, answers=tuple(answers), entry=entry, verdicts=verdicts)


def _received(desk: Desk, submissions: Sequence[Submission], intent: Intent) -> list[Received]:
    """Put files into the inbox; return each with its result.

    A file that an earlier, interrupted run has put there has the result that it had in that run.
    """
    verdicts = receive(desk.mail.campaign, submissions, intent.arrived)
    return [
        (submission, _as_at_first(desk, verdict, submission, intent))
        for submission, verdict in zip(submissions, verdicts, strict=True)
    ]


def _advice(desk: Desk, word: str, realms: Iterable[str]) -> list[Answer]:
    """Return the answers that explain to these realms' players why nothing of their letter was accepted.

    ``word``: the name of the sentence in ``advice.yaml``.
    """
    about = desk.evolve(letter=desk.letter.evolve(advice=(word,)))
    return [about.advice(realm, proven=True) for realm in realms]


def _intent(desk: Desk, proven: Sequence[Claim]) -> Intent:
    """Return the situation before a letter's orders count: when it came, and the orders that count so far.

    The orders are those of the realms that have ``proven`` files in the letter.
    """
    campaign = desk.mail.campaign
    current_files = campaign.folder.inbox(campaign.next_turn).current(seat.code for seat in campaign.seats)
    realms = {claim.realm for claim in proven} & current_files.keys()
    return Intent(desk.arrived, {realm: current_files[realm] for realm in sorted(realms)})


def _is_older(desk: Desk, claim: Claim, intent: Intent) -> bool:
    """Return whether orders below other text are an earlier version of those that count.

    A mail program may have quoted them. The orders that count are no earlier version, nor are those that
    counted before the letter came.
    """
    realm = claim.realm
    if claim.submission.name not in (IN_TEXT, IN_PAGE) or realm not in intent.standing:
        return False
    campaign = desk.mail.campaign
    inbox = campaign.folder.inbox(campaign.next_turn)
    is_current = claim.submission.data in (intent.standing[realm], inbox.current([realm]).get(realm))
    if is_current or not has_words_above_orders(desk.letter.text):
        return False
    versions = {
        receipt.fingerprint for receipt in inbox.receipts() if receipt.taken and receipt.realm == realm
    }
    return fingerprint(claim.submission.data) in versions


def _is_template(desk: Desk, claim: Claim, intent: Intent) -> bool:
    """Return whether a file is our unchanged template, and would replace orders.

    A mail program may attach it when the player answers or forwards a letter. If the player has no orders
    yet, it counts: it shows that the player is there.
    """
    realm = claim.realm
    data = claim.submission.data
    campaign = desk.mail.campaign
    path = campaign.folder.turn_path(campaign.newest_turn) / f"next/{realm}.yaml"
    if realm not in intent.standing or intent.standing[realm] == data or not path.is_file():
        return False
    return _lines_with_content(path.read_bytes()) == _lines_with_content(data)


def _lines_with_content(data: bytes) -> list[bytes]:
    """Return a file's lines that are neither empty nor comments, without spaces at their ends.

    Mail programs may change comments and such spaces.
    """
    lines = [line.rstrip() for line in data.splitlines()]
    return [line for line in lines if line and not line.lstrip().startswith(b"#")]


def _as_at_first(
    desk: Desk, verdict: SubmissionResult, submission: Submission, intent: Intent
) -> SubmissionResult:
    """Return the result of putting a file into the inbox, as it was in the first run for this letter.

    If that run was interrupted, the file is there already and seems unchanged, but it was accepted.
    """
    before = intent.standing.get(verdict.realm)
    if verdict.fate is not ReceiptStatus.UNCHANGED or before == submission.data:
        return verdict
    campaign = desk.mail.campaign
    late = campaign.calendar.late(intent.arrived, campaign.next_turn)
    return verdict.evolve(fate=ReceiptStatus.ACCEPTED, late=late, replaced=before is not None)


def _receipts(
    desk: Desk, realms: Sequence[str], received: Sequence[Received], intent: Intent
) -> Iterator[Answer]:
    """Yield the receipt for each player, and warnings about orders from an unknown address.

    Orders with a right key count from any address; sender and GM are warned, and the receipt says so.
    """
    settings = desk.mail.settings
    for realm in realms:
        own_files = [(submission, verdict) for submission, verdict in received if verdict.realm == realm]
        fates = {verdict.fate for _, verdict in own_files}
        # files that change nothing may be sent by a machine again and again
        patience = 1 if fates == {ReceiptStatus.UNCHANGED} else PATIENCE
        previous = intent.standing.get(realm)
        make = partial(desk.write.receipt, realm, desk.letter, own_files, previous, intent.arrived)
        yield desk.answer("receipt", "receipt", realm, make, settings.care.answers_a_day * patience)
        if fates.isdisjoint(_COUNTS) or desk.mail.is_on_file(realm, desk.letter.sender):
            continue
        for to in dict.fromkeys((desk.letter.sender, *settings.gms)):
            once = address_name(desk.letter, realm, desk.mail.campaign.next_turn, to)
            make_warning = partial(desk.write.unknown_address, realm, desk.letter, to)
            yield Answer(make_warning, "notice", to, once, settings.care.answers_a_day)


# -- files of which nobody knows whose they are --------------------------------------------------------------


def _guessing(desk: Desk, guesses: Counter[str]) -> Iterator[Answer]:
    """Yield a notice to the GM, once a turn, for each realm whose keys somebody guesses.

    Somebody does when the wrong keys, with those of earlier letters, reach a limit. ``guesses``: the number
    of wrong keys in this letter, by realm.
    """
    earlier = status.wrong_keys(desk.mail) if guesses else {}
    for realm, count in guesses.items():
        number = earlier.get(realm, 0) + count
        if number >= status.WRONG_KEYS_LIMIT:
            yield desk.notice(
                f"guesses {desk.mail.seat_fingerprint(realm)}", "guesses", code=realm, number=number
            )


def _claimed_realms(desk: Desk, orders: Orders) -> set[str]:
    """Return the realms of this game that are named in files without proof."""
    return {stray.realm for stray in orders.strays} & set(desk.mail.campaign.keys)


def _unproven(desk: Desk, orders: Orders, with_receipt: Sequence[str]) -> Iterator[Answer]:
    """Yield the answers about orders without a right key or token, which are not stored.

    The player of the realm that they name is warned. The sender gets advice only if they name none, or the
    token proves who the sender is; it goes to the known address. ``with_receipt``: realms that get a receipt
    for other files of the letter, and no warning.
    """
    strays = orders.strays
    # the right key, which does not count any more after so many wrong ones
    realms_of_right_keys = {stray.realm for stray in strays if stray.proof is Proof.KEY}
    closed_desk = desk.evolve(letter=desk.letter.evolve(advice=("no-keys",)))
    for realm in sorted(realms_of_right_keys):
        yield closed_desk.advice(realm, proven=True)
    claimed = _claimed_realms(desk, orders)
    for realm in sorted(claimed - set(with_receipt) - realms_of_right_keys):
        slips = [key_slip(stray.key) for stray in strays if stray.realm == realm]
        make = partial(_wrong_key, desk, realm, next(filter(None, slips), ""))
        yield desk.answer("notice", "wrong key", realm, make, desk.mail.settings.care.notices_a_day)
    yield from _advice_to_senders(desk, orders, claimed, {*claimed, *with_receipt})


def _advice_to_senders(desk: Desk, orders: Orders, claimed: set[str], answered: set[str]) -> Iterator[Answer]:
    """Yield advice about the strays for each possible sender who gets no other answer.

    It is about the strays that name no realm of this game; for a proven sender, about all strays.
    ``claimed``: the realms that strays name; ``answered``: the realms that get another answer.
    """
    for realm in desk.writers:
        is_proven = realm == orders.vouched
        submissions = [stray.submission for stray in orders.strays if is_proven or stray.realm not in claimed]
        if submissions and realm not in answered:
            yield desk.advice(realm, submissions)


def _wrong_key(desk: Desk, realm: str, slip: str) -> Outgoing:
    """Return the warning to a player in whose name somebody wrote without their key.

    The last one of a day says that it is the last. ``slip``: the typing error in the key, in words.
    """
    count = desk.mail.count_within_day(desk.mail.address(realm), "notice", desk.now)
    is_last = count == desk.mail.settings.care.notices_a_day - 1
    return desk.write.wrong_key(realm, desk.letter, last=is_last, slip=slip)
