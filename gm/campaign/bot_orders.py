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
    campaign: Campaign, bot_names: Mapping[str, str], decisions: Decisions, find: FindBot
) -> dict[str, Answer]:
    """Ask bots for orders and return their answers, by party.

    ``bot_names``: by party; ``decisions``: the GM's for the next turn; ``find`` returns a bot by its name.
    Raises ``StoreError`` for a damaged log of an earlier turn; an error of a bot is part of its answer.
    """
    talk = talk_before(campaign, campaign.next_turn, decisions, campaign.state)
    return {realm: _answer(campaign, realm, name, find, talk) for realm, name in bot_names.items()}


def bots_to_ask(campaign: Campaign) -> dict[str, str]:
    """Return the name of the bot of each party that a bot plays and that may give orders now, by party."""
    return {seat.code: seat.bot for seat in campaign.seats if seat.bot and not seat.out and not seat.waiting}


def view_of_bot(campaign: Campaign, realm: str, talk: Talk) -> View:
    """Return what the bot of a party is shown before the next turn, none of the orders in the inbox (N3).

    ``talk``: what the game's bots recall of earlier turns.
    """
    settings = campaign.folder.settings
    turn = campaign.next_turn
    seed = bot_seed(settings.master(turn), settings.id, turn, realm)
    context = {"game": settings.id, "key": campaign.keys.get(realm, ""), "seed": seed}
    return bot_view(campaign.spec, campaign.table, campaign.state, realm, **context, talk=talk)


def _answer(campaign: Campaign, realm: str, name: str, find: FindBot, talk: Talk) -> Answer:
    """Return the answer of the bot called ``name`` for a party; its trouble if there is no such bot."""
    try:
        bot = find(name)
    except (ValueError, BotError) as error:
        return Answer(trouble=str(error))
    return ask(campaign.spec, bot, view_of_bot(campaign, realm, talk))
