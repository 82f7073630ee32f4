"""Orders of bots for a turn, for the parties that they play or act for.

A bot sees the position and no order file; its answer is part of the turn's dice (N3).
"""

from collections.abc import Mapping

from gm.campaign.open import Campaign
from gm.campaign.talk import talk_before
from gm.game.bots import Answer, BotError, FindBot, ask, bot_seed, bot_view
from gm.game.talk import Talk
from gm.game.values import View
from gm.store.inbox import Decisions


def answers_of(
    campaign: Campaign, asked: Mapping[str, str], decisions: Decisions, find: FindBot
) -> dict[str, Answer]:
    """Return the answers of bots, by party; ``asked``: their names, ``find`` returns a bot by its name.

    Raises ``StoreError`` for a damaged log of an earlier turn; nothing that a bot does is raised.
    """
    talk = talk_before(campaign, campaign.next_turn, decisions, campaign.state)
    return {realm: _answer(campaign, realm, name, find, talk) for realm, name in asked.items()}


def bots_to_ask(campaign: Campaign) -> dict[str, str]:
    """Return the bot of each party that one plays, and that has something to order."""
    return {seat.code: seat.bot for seat in campaign.seats if seat.bot and not seat.out and not seat.waiting}


def view_of_bot(campaign: Campaign, realm: str, talk: Talk) -> View:
    """Return what the bot of a party is shown before the next turn: none of the orders in the inbox (N3)."""
    settings = campaign.folder.settings
    turn = campaign.next_turn
    seed = bot_seed(settings.master(turn), settings.id, turn, realm)
    own = {"game": settings.id, "key": campaign.keys.get(realm, ""), "seed": seed}
    return bot_view(campaign.spec, campaign.table, campaign.state, realm, **own, talk=talk)


def _answer(campaign: Campaign, realm: str, name: str, find: FindBot, talk: Talk) -> Answer:
    try:
        bot = find(name)
    except (ValueError, BotError) as error:
        return Answer(trouble=str(error))
    return ask(campaign.spec, bot, view_of_bot(campaign, realm, talk))
