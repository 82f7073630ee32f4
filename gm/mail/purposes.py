"""The purposes by which the outbox knows letters to players (``once``): how they are written and read.

A letter whose purpose the outbox knows is not queued again. Outboxes of games in progress hold these texts:
so none of them may change.
"""

from datetime import datetime

from gm.mail.game_mail import GameMail


def reminder_name(turn: int, realm: str, hours: int, deadline: datetime) -> str:
    """Return the purpose of the reminder to a realm ``hours`` before the deadline for a turn's orders.

    The deadline is part of it: if it is moved, the realm is reminded again.
    """
    return f"reminder {turn} {realm} {hours} {deadline.isoformat()}"


def dossier_name(mail: GameMail, realm: str) -> str:
    """Return the purpose of the dossier to a realm's present player: each new player gets one."""
    return f"dossier {realm} {mail.campaign.next_turn} {mail.seat_fingerprint(realm)}"


def results_start(turn: int, realm: str) -> str:
    """Return how the purposes of all letters with a turn's results for a realm begin."""
    return f"results {turn} {realm} "


def results_name(turn: int, realm: str, state: str, seat: str) -> str:
    """Return the purpose of a letter with a turn's results.

    ``state``: the fingerprint of the state after the turn, so that a turn that was played again has letters
    of its own; ``seat``: the fingerprint of the realm's player.
    """
    return f"{results_start(turn, realm)}{state} {seat}"


def results_state(purpose: str) -> str:
    """Return the ``state`` in the purpose of a letter with results, be it first, corrected or sent again."""
    _results, _turn, _realm, state, *_rest = purpose.split()
    return state


def orders_start(turn: int, realm: str) -> str:
    """Return how the purposes of all letters with a realm's order template for a turn begin."""
    return f"orders {turn} {realm} "


def orders_name(turn: int, realm: str, template: str) -> str:
    """Return the purpose of the letter with a realm's order template for a turn.

    ``template``: the fingerprint of the template.
    """
    return orders_start(turn, realm) + template
