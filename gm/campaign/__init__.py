"""A game being played: its folder, its rules and its state brought together; orders come in, turns go out.

Nothing here looks at the clock or prints: the commands say what time it is and what to tell.
"""

from gm.campaign.bot_orders import with_bots
from gm.campaign.open import Campaign
from gm.campaign.play import TurnPlan, play_turn, turn_plan, write_turn
from gm.campaign.receive import Offer, Verdict, receive
from gm.campaign.reports import party_reports, played_turn, turn_reports

__all__ = [
    "Campaign",
    "Offer",
    "TurnPlan",
    "Verdict",
    "party_reports",
    "play_turn",
    "played_turn",
    "receive",
    "turn_plan",
    "turn_reports",
    "with_bots",
    "write_turn",
]
