"""What players ask for by letter: absence, a language, an address, a longer deadline; to resign and to join.

Each request is carried out once, even if a run is killed: the journal's line about it names the letter. The
purpose of the answer (``once``) follows from the letter, so that no answer is queued twice.
"""

from datetime import datetime

from gm.campaign.absence import MOST_TURNS_AWAY, first_turn_back, last_turn_away
from gm.campaign.open import Campaign
from gm.cli.deadline_change import take_extension
from gm.cli.openings import give_up
from gm.cli.output import echo
from gm.cli.seat_entries import edited
from gm.cli.seats import seat_player
from gm.cli.session import carry_out
from gm.core.diagnostics import says
from gm.mail import status
from gm.mail.game_mail import GameMail, realms_of
from gm.mail.service import Service
from gm.mail.status import REQUEST, Request
from gm.store.journal import journal_of
from gm.text.languages import languages_of


def serve_requests(mail: GameMail, now: datetime) -> GameMail:
    """Carry out what letters request, each once, and answer them; return the changed game's mail."""
    for request in status.requests(mail):
        if request.word == "join" and mail.campaign.newest_turn not in status.published_turns(mail):
            continue  # the dossier would tell the new player of results that are not out yet
        mail = _serve_request(mail, request, now)
        mail.log.remark(now, REQUEST, of=request.letter)
    return mail


def _serve_request(mail: GameMail, request: Request, now: datetime) -> GameMail:
    """Carry out the request of one letter, unless that was done, and answer it.

    Returns the changed game's mail. A request from a seat that has another player now is left out.
    """
    once = f"outcome {request.letter} {request.realm}"  # the outbox takes one letter with this key
    entries = journal_of(mail.game_folder).entries
    # what changed the game is in the journal; what was refused was answered
    is_done = any(entry.get("letter") == request.letter for entry in entries) or mail.outbox.knows(once)
    is_same_player = request.seat == status.seat_print(mail, request.realm)
    if request.word == "join":
        if not is_done:
            _join(mail, request, now)
        return GameMail(mail.campaign.reopened())
    if request.word == "resign":
        if is_same_player and not is_done:
            _resign(mail, request, now)
        return GameMail(mail.campaign.reopened())
    why_not = _change(mail.campaign, request, now) if is_same_player and not is_done else ""
    mail = GameMail(mail.campaign.reopened())
    is_told = request.word == "extend" and not why_not  # all players get a letter about the new deadline
    # done, but without an answer: an earlier run was killed in between
    if (is_same_player or is_done) and not is_told:
        mail.queue(Service(mail, now).outcome(request.realm, once, request.word, request.what, why_not), now)
    return mail


def _change(campaign: Campaign, request: Request, now: datetime) -> str:
    """Change a player's entry, or the deadline, as requested.

    Returns why it was not changed, in a word that :meth:`Service.outcome` knows; empty if it was.
    """
    if request.word == "extend":
        arrived = datetime.fromisoformat(request.arrived)
        return take_extension(campaign, request.realm, now, arrived, request.letter)
    if request.word == "away":
        return _away(campaign, request, now)
    if request.word == "language":
        if request.what not in languages_of(campaign.spec.key):
            return "unknown"
        _edit(campaign, request, now, {"language": request.what})
        return ""
    # the only other request that comes here: a new address
    _edit(campaign, request, now, {"email": request.what})
    return ""


def _away(campaign: Campaign, request: Request, now: datetime) -> str:
    """Record that a player is away or back, as requested.

    The request is ``off`` or ``none``, or a turn, ``steward``, or both. Returns why nothing was recorded, in
    a word that :meth:`Service.outcome` knows; empty if it was.
    """
    player = campaign.folder.players.of(request.realm)
    coming = campaign.next_turn
    if request.what in ("off", "none"):
        if player is None or last_turn_away(campaign, player) < coming:
            return "here"
        # the absence is ended, not removed: its turns do not count as missed
        _edit(campaign, request, now, {"absent_until": coming - 1}, ("absent_since", "deputy"))
        return ""
    word, _, rest = request.what.replace(",", " ").partition(" ")
    names_turn = word.isdigit()
    last = coming + MOST_TURNS_AWAY - 1
    if names_turn:
        # players count turns as their order files do
        last = int(word) + coming - campaign.spec.quoted(campaign.state)
    if last < coming:
        return "past"
    if last >= coming + MOST_TURNS_AWAY:
        return "far"
    if not names_turn or rest:
        return _away_with_steward(campaign, request, now, last, names_turn=names_turn)
    _edit(campaign, request, now, {"absent_until": last}, ("absent_since", "deputy"))
    return ""


def _away_with_steward(
    campaign: Campaign, request: Request, now: datetime, last: int, *, names_turn: bool
) -> str:
    """Record that a steward acts for a player up to the ``last`` turn.

    ``names_turn``: whether the player named that turn; if not, their next orders end it. Returns a word if
    the game has no stewards, else an empty text.
    """
    if not campaign.spec.deputy:
        return "no-steward"
    changes: dict[str, object] = {"absent_until": last, "deputy": campaign.spec.deputy}
    if names_turn:
        _edit(campaign, request, now, changes, ("absent_since",))
    else:
        _edit(campaign, request, now, {**changes, "absent_since": first_turn_back(campaign, request.realm)})
    return ""


def _edit(
    campaign: Campaign,
    request: Request,
    now: datetime,
    changes: dict[str, object],
    drop: tuple[str, ...] = (),
) -> None:
    """Change fields of the requesting player's entry, by name; ``drop``: fields that are removed."""
    files = edited(campaign, request.realm, changes, drop)
    carry_out(
        campaign,
        f"player {request.word}",
        files,
        at=now.isoformat(),
        realm=request.realm,
        letter=request.letter,
    )


# -- seats that players leave and take -----------------------------------------------------------------------


def _resign(mail: GameMail, request: Request, now: datetime) -> None:
    """Carry out a resignation, or answer why it is not possible."""
    seat = mail.campaign.seat(request.realm)
    if mail.campaign.winners is not None or seat is None or seat.out:
        once = f"outcome {request.letter} {request.realm}"
        why_not = "over" if mail.campaign.winners is not None else "out"
        mail.queue(Service(mail, now).outcome(request.realm, once, "resign", "", why_not), now)
        return
    give_up(mail.campaign, mail, request.realm, "resign", now, letter=request.letter)


def _join(mail: GameMail, request: Request, now: datetime) -> None:
    """Give the requested seat to a stranger; if it is not open, put them on the waiting list and tell them.

    A stranger who plays in the game by now gets nothing.
    """
    campaign = mail.campaign
    if realms_of(campaign, request.address):
        return
    if campaign.winners is None and request.realm in {seat.code for seat in campaign.open_seats}:
        seat_player(
            campaign,
            request.realm,
            {"name": "", "email": request.address},
            now.isoformat(),
            letter=request.letter,
        )
        echo(says("{0} is played by {1}.", request.realm, request.address))
        return
    status.note_waiting(mail, request.address, request.realm, now)
    once = f"join waits {request.letter}"
    mail.queue(Service(mail, now).queued(request.address, request.realm, once), now)
