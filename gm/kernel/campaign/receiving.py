"""Order files as they come in: whose they are, whether they are in time, which one stands (O1, O7)."""

from __future__ import annotations

import re
from collections.abc import Iterable, MutableMapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from gm.kernel.campaign.opening import Campaign
from gm.kernel.diagnostics import Counted, Diagnostic, SourceError, printable, render_all
from gm.kernel.played import Reading
from gm.kernel.records import Record, record
from gm.kernel.source import Mapping, Scalar, read_yaml
from gm.kernel.store import Receipt, fingerprint
from gm.kernel.store.keys import same_key

_HEAD = 4096
"""So many bytes from its beginning, a file that cannot be read is searched for what it says about itself."""


@record
class Offer(Record):
    """A file that came: its name, which is only ever shown, and its content.

    ``vouched`` is the realm whose player sent it for certain, known by other means than a key in it; empty: unknown.
    """

    name: str
    data: bytes
    vouched: str = ""


class Fate(StrEnum):
    """What became of a file."""

    TAKEN = "taken"
    UNCHANGED = "unchanged"
    """The same file stands already."""
    OVERTAKEN = "overtaken"
    """A later file of the same realm came in the same delivery."""
    SET_ASIDE = "set aside"
    """It cannot be read as orders of this turn (O7)."""
    TOO_LATE = "too late"
    """After the deadline, in a game that takes no late files."""
    KEPT_OUT = "not taken"
    """The turn was taken back, and is played again with the orders as they had been received."""


NOT_TAKEN = (Fate.SET_ASIDE, Fate.TOO_LATE, Fate.KEPT_OUT)
"""What was not taken, and is kept with the reasons beside it."""


@record
class Verdict(Counted, Record):
    """What became of one file and why. ``realm`` is empty when the file proves none; ``stored`` is where it went."""

    name: str
    fate: Fate
    realm: str = ""
    late: bool = False
    replaced: bool = False
    stored: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()


@record
class _Judged(Record):
    offer: Offer
    realm: str
    reading: Reading


def receive(
    campaign: Campaign,
    offers: Iterable[Offer],
    now: datetime,
    *,
    take_late: bool = False,
    gathered: MutableMapping[Path, bytes | None] | None = None,
) -> list[Verdict]:
    """Sort files to their realms and put what is good into the inbox; one verdict a file, in the order given.

    Of several good files of a realm the last given one stands; a bad file never takes the place of a good one. The lock
    is held. ``take_late``: also take late files where the game does not. With ``gathered``, nothing is written: the
    files that the inbox is to get are put there, by their place.
    """
    inbox = campaign.folder.inbox(campaign.next_turn, gathered)
    late = campaign.folder.settings.deadline.late(now, campaign.next_turn)
    takes = take_late or not late or campaign.folder.settings.late == "take"
    standing = inbox.standing(seat.code for seat in campaign.seats)
    judged = [_judge(campaign, offer) for offer in offers]
    last = {each.realm: index for index, each in enumerate(judged) if each.reading.sheet is not None}
    known = {receipt.fingerprint for receipt in inbox.receipts() if not receipt.taken}

    verdicts = []
    for index, each in enumerate(judged):
        mark = fingerprint(each.offer.data)
        before = standing.get(each.realm)
        receipt = Receipt(
            realm=each.realm,
            came_as=printable(each.offer.name)[-200:],
            fingerprint=mark,
            received=now,
            late=late,
            stored="",
            errors=each.reading.errors,
            warnings=each.reading.warnings,
            vouched=bool(each.realm) and each.offer.vouched == each.realm,
        )
        if each.reading.sheet is None:
            fate = Fate.SET_ASIDE
        elif last[each.realm] != index:
            fate = Fate.OVERTAKEN
        elif before is not None and fingerprint(before.data) == mark and before.receipt is not None:
            fate = Fate.UNCHANGED
        elif campaign.kept:
            fate = Fate.KEPT_OUT
        elif not takes:
            fate = Fate.TOO_LATE
        else:
            fate = Fate.TAKEN
        stored = ""
        if fate is Fate.TAKEN:
            inbox.take(each.offer.data, receipt)
            stored = f"{each.realm}.yaml"
        elif fate in NOT_TAKEN and mark not in known:
            # a folder may be received again and again: the same bad file is kept once
            stored = inbox.reject(each.offer.data, receipt, _letter(campaign, each, fate)).stored
            known.add(mark)
        verdicts.append(
            Verdict(
                each.offer.name,
                fate,
                each.realm,
                late=late and fate is not Fate.UNCHANGED,
                replaced=fate is Fate.TAKEN and before is not None,
                stored=stored,
                diagnostics=each.reading.diagnostics,
            )
        )
    return verdicts


def _judge(campaign: Campaign, offer: Offer) -> _Judged:
    """Read a file as orders of whoever it says it is from. Without the right key it is nobody's."""
    reading = read_offer(campaign, offer, None, None)
    realm = reading.realm if reading.sheet is not None else _claimed(offer, campaign.spec.party_word).upper()
    key = campaign.keys.get(realm)
    if reading.sheet is not None and (problem := _no_player(campaign, offer.name, realm)):
        reading = Reading(None, (*reading.diagnostics, problem))
    elif reading.sheet is not None and not campaign.trusts(offer.vouched, realm) and not _same(reading.key, key):
        # read once more, to hear it said where the key stands
        reading = read_offer(campaign, offer, realm, key)
    return _Judged(offer, realm if _proven(campaign, offer, realm) else "", reading)


@record
class Claim(Record):
    """What a file says about itself at its top: whose it is, and whether that is proven (O1)."""

    realm: str
    proven: bool


def claim_of(campaign: Campaign, offer: Offer) -> Claim:
    """Whose orders a file says it holds, also when it cannot be read as orders. Changes nothing."""
    realm = _claimed(offer, campaign.spec.party_word).upper()
    return Claim(realm, _proven(campaign, offer, realm))


def _proven(campaign: Campaign, offer: Offer, realm: str) -> bool:
    """Whether a file is a player's own: vouched for, or it holds his key, or that of an earlier turn for which it is.

    The last gives it no say in this turn: its sender is only told that he sent the wrong file.
    """
    if realm and campaign.trusts(offer.vouched, realm):
        return True
    said, turn = _claimed(offer, "key").strip(), _claimed(offer, "turn").strip()
    if _same(said, campaign.keys.get(realm)):
        return True
    # a game may number its order files otherwise than the turns are numbered here
    shift = campaign.next_turn - campaign.spec.quoted(campaign.state)
    earlier = int(turn) + shift if turn.isascii() and turn.isdigit() and len(turn) < 7 else 0
    return 0 < earlier < campaign.next_turn and _same(said, campaign.keys_of(earlier).get(realm))


def read_offer(campaign: Campaign, offer: Offer, realm: str | None, key: str | None, *, late: bool = False) -> Reading:
    """A file as orders for the campaign's next turn; ``realm`` and ``key`` as in ``GameSpec.read_orders``."""
    return campaign.spec.read_orders(
        campaign.table,
        campaign.state,
        offer.data,
        offer.name,
        game=campaign.folder.settings.id,
        realm=realm,
        key=key,
        late=late,
    )


def _no_player(campaign: Campaign, file: str, realm: str) -> Diagnostic | None:
    """Why nobody can give orders for the realm, if that is so."""
    seat = campaign.seat(realm)
    if seat is None or realm not in campaign.keys:
        message = f"no player of this game has the realm {realm}"
    elif seat.out:
        message = f"{seat.name} is out of the game"
    elif seat.bot:
        message = f"{seat.name} is played by a bot; the GM can seat a player with 'gm player replace {seat.code}'"
    elif not seat.played:
        message = f"{seat.name} has no player ({seat.controller}); the GM can seat one with 'gm seat {seat.code}'"
    else:
        return None
    return Diagnostic("error", "sheet/no-player", message, file, clause="V3")


def _same(given: str, wanted: str | None) -> bool:
    return wanted is not None and same_key(given, wanted)


def _claimed(offer: Offer, name: str) -> str:
    """An entry at the top of a file as text, also of one that is no YAML further down; empty when there is none."""
    try:
        node = read_yaml(offer.data, offer.name)
    except SourceError:
        found = re.search(rb"(?m)^" + name.encode() + rb"[ \t]*:[ \t]*[\"']?([\w-]{1,60})", offer.data[:_HEAD])
        return found[1].decode("ascii", "replace") if found else ""
    entry = node.get(name) if isinstance(node, Mapping) else None
    return entry.text if isinstance(entry, Scalar) and not entry.is_null else ""


def _letter(campaign: Campaign, judged: _Judged, fate: Fate) -> str:
    """What the sender is told of a file that was not taken."""
    turn, coming = campaign.next_turn, campaign.spec.coming_name(campaign.state)
    if fate is Fate.TOO_LATE:
        why = f"It came after the deadline ({campaign.folder.settings.deadline.words(turn)})."
    elif fate is Fate.KEPT_OUT:
        why = "The turn was taken back, and is played again with the orders as they had been received."
    else:
        why = "It cannot be read as an order file for this turn:"
    return (
        f"Your file {printable(judged.offer.name)!r} for {coming} of {campaign.folder.settings.id} was not taken.\n"
        f"{why}\n\n{render_all(judged.reading.diagnostics)}\n\n"
        "Orders that were received before and could be read still stand. You can send the whole file again.\n"
    )
