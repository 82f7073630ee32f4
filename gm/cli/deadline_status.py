"""The part of ``pbem status`` about the deadline of the coming turn."""

from datetime import datetime

from gm.campaign.clock import left_of
from gm.campaign.moves import extending_realm, realms_given_grace
from gm.campaign.open import Campaign
from gm.campaign.plan import TurnPlan
from gm.cli.output import echo
from gm.cli.speech import translate, worded
from gm.core.diagnostics import says
from gm.store.moments import span, time_left


def print_deadline(campaign: Campaign, plan: TurnPlan, now: datetime) -> None:
    """Print when the coming turn is due, and what may change that.

    This is the grace for missing orders, the extensions that players may ask for, the players' clocks, and
    the orders that keep the turn from being played early; each only in a game that has it.
    """
    turn = campaign.next_turn
    calendar = campaign.calendar
    deadline_words = (
        f"{calendar.words(turn, translate)}, {time_left(calendar.of_turn(turn) - now, translate)}"
    )
    when = translate("none") if calendar.never else deadline_words
    if calendar.early:
        echo(says("Deadline: {0}; played as soon as all orders are in", when))
    else:
        echo(says("Deadline: {0}", when))
    if calendar.grace and not calendar.never:
        echo(_grace_words(campaign))
    if calendar.extensions and not calendar.never:
        echo(_extension_words(campaign))
    ticks = calendar.ticks
    if ticks:
        record = campaign.folder.turn_record(campaign.newest_turn)
        clocks = (f"{seat.code} {worded(span(left_of(ticks, record, seat.code)))}" for seat in campaign.seats)
        echo(says("Clocks ({0}) as the turn began: {1}.", calendar.clock, ", ".join(clocks)))
    if calendar.early and plan.held:
        echo(says("It is held until then by {0} ('ready: no', or invalid orders).", ", ".join(plan.held)))


def _grace_words(campaign: Campaign) -> str:
    """Return a message: for whose missing orders the turn waits already, or how it would wait."""
    waited_for = realms_given_grace(campaign)
    if waited_for:
        return says("The deadline has moved once for the missing orders of {0}.", ", ".join(waited_for))
    return says(
        "It waits for missing orders, for each player at most {0} in the game.", campaign.calendar.grace
    )


def _extension_words(campaign: Campaign) -> str:
    """Return a message: which player has extended the deadline already, or how players may."""
    realm = extending_realm(campaign)
    if realm:
        return says("The player of {0} has extended the deadline by letter.", realm)
    return says("Each player may extend it by letter, at most {0} in the game.", campaign.calendar.extensions)
